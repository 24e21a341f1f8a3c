#include "util/compression.h"

#include <algorithm>

#include "util/compression_codec.h"

namespace ROCKSDB_NAMESPACE {

namespace {

struct BuiltinName {
  CompressionType type;
  const char* name;
};
constexpr BuiltinName kBuiltinNames[] = {
    {kNoCompression, "NoCompression"}, {kSnappyCompression, "Snappy"},
    {kZlibCompression, "Zlib"},        {kBZip2Compression, "BZip2"},
    {kLZ4Compression, "LZ4"},          {kLZ4HCCompression, "LZ4HC"},
    {kXpressCompression, "Xpress"},    {kZSTD, "ZSTD"},
};

}  // namespace

const Codec* CodecOf(CompressionType type) {
  switch (type) {
    case kSnappyCompression:
      return &kSnappyCodec;
    case kZlibCompression:
      return &kZlibCodec;
    case kBZip2Compression:
      return &kBzip2Codec;
    case kLZ4Compression:
      return &kLz4Codec;
    case kLZ4HCCompression:
      return &kLz4HcCodec;
    case kZSTD:
      return &kZstdCodec;
    default:
      return nullptr;
  }
}

bool CompressionTypeSupported(CompressionType type) {
  if (type == kNoCompression) return true;
  const Codec* codec = CodecOf(type);
  return codec != nullptr && codec->new_compressor != nullptr;
}

std::string CompressionTypeToString(CompressionType type) {
  for (const BuiltinName& builtin : kBuiltinNames) {
    if (builtin.type == type) return builtin.name;
  }
  if (type == kDisableCompressionOption) return "DisableOption";
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string name = type >= kFirstCustomCompression ? "Custom" : "Reserved";
  name += kDigits[type >> 4];
  name += kDigits[type & 0xf];
  return name;
}

bool CompressionTypeFromString(const Slice& name, CompressionType* type) {
  for (unsigned value = 0; value < kDisableCompressionOption; ++value) {
    const auto candidate = static_cast<CompressionType>(value);
    if (name == Slice(CompressionTypeToString(candidate))) {
      *type = candidate;
      return true;
    }
  }
  return false;
}

Status AbsentCodec(CompressionType type) {
  return Status::NotSupported("compression is not in this build",
                              CompressionTypeToString(type));
}

Status CheckManagerMark(const std::string& compatibility_name,
                        uint32_t format_version) {
  if (format_version >= kFirstManagedVersion ||
      compatibility_name == kBuiltinCompatibility) {
    return Status::OK();
  }
  return Status::InvalidArgument(
      "Using a CompressionManager incompatible with built-in (" +
          compatibility_name + ") requires format_version >= " +
          std::to_string(kFirstManagedVersion),
      "format_version=" + std::to_string(format_version));
}

size_t MostCompressedBytes(const CompressionOptions& options,
                           size_t raw_bytes) {
  const int per_kb = std::clamp(options.max_compressed_bytes_per_kb, 0, 1023);
  return raw_bytes * static_cast<size_t>(per_kb) / 1024;
}

size_t LargestPayload(size_t raw_bytes) {
  // No codec makes more of what it cannot compress (Snappy makes the most), and
  // the size in front.
  constexpr size_t kMostFixed = 1024;
  return raw_bytes + raw_bytes / 6 + kMostFixed;
}

}  // namespace ROCKSDB_NAMESPACE
