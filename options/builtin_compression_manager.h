// The compression manager that serves where options name none.
//
// Threads  Has no state: any.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/compression_type.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

class BuiltinCompressionManager final : public CompressionManager {
 public:
  static const char* kClassName() { return "BuiltinCompressionManagerV2"; }

  const char* Name() const override { return kClassName(); }
  // What CreateFromString() takes, RocksDB's too.
  std::string GetId() const override { return kBuiltinCompatibility; }
  const char* CompatibilityName() const override {
    return kBuiltinCompatibility;
  }
  bool SupportsCompressionType(CompressionType type) const override {
    return CompressionTypeSupported(type);
  }
  std::unique_ptr<Compressor> GetCompressor(const CompressionOptions& opts,
                                            CompressionType type) override;
  std::shared_ptr<Decompressor> GetDecompressor() override;

 protected:
  const char* NickName() const override { return kBuiltinCompatibility; }
};

}  // namespace ROCKSDB_NAMESPACE
