#include "util/compression.h"

#include <algorithm>
#include <array>
#include <utility>

#include "util/coding.h"
#include "util/compression_codec.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kBuiltinCount = size_t{kLastBuiltinCompression} + 1;

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

Status AbsentCodec(CompressionType type) {
  return Status::NotSupported("compression is not in this build",
                              CompressionTypeToString(type));
}

Status Bad(CompressionType type, const char* what) {
  return Status::Corruption(CompressionTypeToString(type) + " block", what);
}

// Where the uncompressed size stands in a payload.
enum class SizePrefix { kNone, kVarint, kFixed64 };

SizePrefix PrefixOf(CompressionType type, uint32_t format_version) {
  if (type == kSnappyCompression) return SizePrefix::kVarint;
  if (type == kZSTD || format_version >= 2) return SizePrefix::kVarint;
  const bool is_lz4 = type == kLZ4Compression || type == kLZ4HCCompression;
  return is_lz4 ? SizePrefix::kFixed64 : SizePrefix::kNone;
}

// Takes the size off `*payload`. Snappy's own stream starts with it, so there
// it stays.
bool TakeSize(CompressionType type, SizePrefix prefix, Slice* payload,
              uint64_t* size) {
  Slice rest = *payload;
  const bool found = prefix == SizePrefix::kFixed64 ? GetFixed64(&rest, size)
                                                    : GetVarint64(&rest, size);
  if (found && type != kSnappyCompression) *payload = rest;
  return found;
}

class CodecBlockCompressor final : public Compressor {
 public:
  CodecBlockCompressor(CompressionType type, const CompressionOptions& options,
                       Slice dictionary)
      : type_(type),
        bytes_per_kb_(std::clamp(options.max_compressed_bytes_per_kb, 0, 1023)),
        dictionary_(dictionary.ToString()) {}

  Status Init(const CompressionOptions& options) {
    return CodecOf(type_)->new_compressor(options, dictionary_, &codec_);
  }

  bool Compress(Slice raw, uint32_t format_version, std::string* out) override {
    return CompressInto(raw, format_version, MostBytesFor(raw), out);
  }

  bool CompressAlways(Slice raw, uint32_t format_version,
                      std::string* out) override {
    // No codec makes more of what it cannot compress (Snappy makes the most),
    // and the size in front.
    constexpr size_t kMostFixed = 1024;
    return CompressInto(raw, format_version,
                        raw.size() + raw.size() / 6 + kMostFixed, out);
  }

  bool HasQuick() const override { return codec_->HasQuick(); }
  void SetEffort(Effort effort) override { codec_->SetEffort(effort); }

  size_t MostBytesFor(Slice raw) const override {
    return raw.size() * static_cast<size_t>(bytes_per_kb_) / 1024;
  }

  CompressionType type() const override { return type_; }

 private:
  bool CompressInto(Slice raw, uint32_t format_version, size_t limit,
                    std::string* out) {
    if (raw.empty() || raw.size() >= kMaxCompressibleSize) return false;
    // Layout 1 is read only.
    if (format_version < 2) return false;
    out->clear();
    if (type_ != kSnappyCompression) {
      PutVarint32(out, static_cast<uint32_t>(raw.size()));
    }
    const size_t prefix_size = out->size();
    if (limit <= prefix_size) return false;
    out->resize(limit);
    size_t written = 0;
    if (!codec_->Compress(raw, out->data() + prefix_size, limit - prefix_size,
                          &written)) {
      return false;
    }
    INVARIANT(written <= limit - prefix_size);
    out->resize(prefix_size + written);
    return true;
  }

  const CompressionType type_;
  const int bytes_per_kb_;
  const std::string dictionary_;
  std::unique_ptr<CodecCompressor> codec_;
};

class NoCompressor final : public Compressor {
 public:
  bool Compress(Slice /*raw*/, uint32_t /*format_version*/,
                std::string* /*out*/) override {
    return false;
  }
  bool CompressAlways(Slice /*raw*/, uint32_t /*format_version*/,
                      std::string* /*out*/) override {
    return false;
  }
  size_t MostBytesFor(Slice /*raw*/) const override { return 0; }

  CompressionType type() const override { return kNoCompression; }
};

class BlockDecompressor final : public Decompressor {
 public:
  explicit BlockDecompressor(Slice dictionary)
      : dictionary_(dictionary.ToString()) {
    for (const BuiltinName& builtin : kBuiltinNames) {
      const Codec* codec = CodecOf(builtin.type);
      if (codec != nullptr && codec->new_decompressor != nullptr) {
        codecs_[builtin.type] = codec->new_decompressor(dictionary_);
      }
    }
  }

  Status UncompressedSize(CompressionType type, uint32_t format_version,
                          Slice payload, size_t* size) const override {
    const CodecDecompressor* codec = nullptr;
    Status s = Find(type, &codec);
    if (!s.ok()) return s;
    const SizePrefix prefix = PrefixOf(type, format_version);
    if (prefix == SizePrefix::kNone) {
      const bool counted =
          codec->CountExpanded(payload, kMaxCompressibleSize, size);
      return counted ? Status::OK() : Bad(type, "bad stream");
    }
    uint64_t claimed = 0;
    if (!TakeSize(type, prefix, &payload, &claimed)) {
      return Bad(type, "uncompressed size is cut off");
    }
    if (claimed >= kMaxCompressibleSize ||
        claimed > codec->LargestExpansion(payload.size())) {
      return Bad(type, "uncompressed size is impossible");
    }
    *size = static_cast<size_t>(claimed);
    return Status::OK();
  }

  Status Decompress(CompressionType type, uint32_t format_version,
                    Slice payload, char* out, size_t size) const override {
    const CodecDecompressor* codec = nullptr;
    Status s = Find(type, &codec);
    if (!s.ok()) return s;
    const SizePrefix prefix = PrefixOf(type, format_version);
    if (prefix != SizePrefix::kNone) {
      uint64_t claimed = 0;
      if (!TakeSize(type, prefix, &payload, &claimed) || claimed != size) {
        return Bad(type, "uncompressed size differs from the buffer's");
      }
    }
    if (!codec->Decompress(payload, out, size)) {
      return Bad(type, "bad stream, or not of the size it claims");
    }
    return Status::OK();
  }

 private:
  Status Find(CompressionType type, const CodecDecompressor** codec) const {
    const bool is_builtin = type <= kLastBuiltinCompression;
    if (!is_builtin || type == kNoCompression) {
      return Status::NotSupported("no built-in compression",
                                  CompressionTypeToString(type));
    }
    *codec = codecs_[type].get();
    return *codec == nullptr ? AbsentCodec(type) : Status::OK();
  }

  const std::string dictionary_;
  std::array<std::unique_ptr<CodecDecompressor>, kBuiltinCount> codecs_;
};

}  // namespace

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

Status Compressor::Create(CompressionType type,
                          const CompressionOptions& options, Slice dictionary,
                          std::unique_ptr<Compressor>* result) {
  if (type == kNoCompression) {
    *result = std::make_unique<NoCompressor>();
    return Status::OK();
  }
  if (!CompressionTypeSupported(type)) return AbsentCodec(type);
  auto compressor =
      std::make_unique<CodecBlockCompressor>(type, options, dictionary);
  Status s = compressor->Init(options);
  if (s.ok()) *result = std::move(compressor);
  return s;
}

Status Decompressor::Create(Slice dictionary,
                            std::unique_ptr<Decompressor>* result) {
  *result = std::make_unique<BlockDecompressor>(dictionary);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
