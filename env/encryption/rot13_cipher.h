// The cipher that hides nothing: each byte plus 13.
//
// Threads  Immutable once configured.
#pragma once

#include <cstddef>
#include <string>

#include "rocksdb/env_encryption.h"

namespace ROCKSDB_NAMESPACE {

class Rot13Cipher final : public BlockCipher {
 public:
  static constexpr size_t kDefaultBlockSize = 32;
  static const char* kClassName() { return "ROT13"; }

  explicit Rot13Cipher(size_t block_size = kDefaultBlockSize)
      : block_size_(block_size) {}
  const char* Name() const override { return kClassName(); }

  size_t BlockSize() override { return block_size_; }
  Status Encrypt(char* data) override { return Add(13, data); }
  Status Decrypt(char* data) override { return Add(256 - 13, data); }

  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override;
  Status GetOptionString(const ConfigOptions& config,
                         std::string* result) const override;
  Status PrepareOptions(const ConfigOptions& config) override;

 private:
  Status Add(int number, char* data) const {
    for (size_t i = 0; i < block_size_; ++i) {
      data[i] = static_cast<char>(data[i] + number);
    }
    return Status::OK();
  }

  size_t block_size_;
};

}  // namespace ROCKSDB_NAMESPACE
