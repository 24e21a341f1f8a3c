// Counter mode: what is stored is the data combined by exclusive or with a key
// stream, whose block i is the encrypted
//
//   fixed64 (counter + i) | bytes 8.. of the initialization vector
//
// where i counts the blocks of the file, its prefix included. The prefix, for
// blocks of b bytes:
//
//   [0, 8)      fixed64 counter of the file, random; the rest of the block too
//   [b, 2b)     initialization vector, random
//   [2b, 4096)  random bytes, encrypted with block 0 of the key stream at 2b
//
// Threads    As EncryptionProvider; AddCipher() before the first use.
// Ownership  Shares the cipher with its streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/env_encryption.h"

namespace ROCKSDB_NAMESPACE {

class CtrProvider final : public EncryptionProvider {
 public:
  static const char* kClassName() { return "CTR"; }
  static constexpr size_t kPrefixBytes = 4096;

  explicit CtrProvider(const std::shared_ptr<BlockCipher>& cipher = nullptr)
      : cipher_(cipher) {}
  const char* Name() const override { return kClassName(); }

  size_t GetPrefixLength() const override { return kPrefixBytes; }
  Status CreateNewPrefix(const std::string& fname, char* prefix,
                         size_t prefixLength) const override;
  Status AddCipher(const std::string& descriptor, const char* cipher,
                   size_t len, bool for_write) override;
  Status CreateCipherStream(
      const std::string& fname, const EnvOptions& options, Slice& prefix,
      std::unique_ptr<BlockAccessCipherStream>* result) override;

  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override;
  Status GetOptionString(const ConfigOptions& config,
                         std::string* result) const override;
  // NotFound where the cipher is missing.
  Status PrepareOptions(const ConfigOptions& config) override;
  Status ValidateOptions(const DBOptions& db_opts,
                         const ColumnFamilyOptions& cf_opts) const override;

 private:
  Status CheckCipher() const;

  std::shared_ptr<BlockCipher> cipher_;
};

}  // namespace ROCKSDB_NAMESPACE
