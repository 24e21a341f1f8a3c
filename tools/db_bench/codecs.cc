#include "tools/db_bench/codecs.h"

#ifdef SNAPPY
#include <snappy.h>
#endif
#ifdef LZ4
#include <lz4.h>
#include <lz4hc.h>
#endif
#ifdef ZSTD
#include <zstd.h>
#endif
#ifdef ZLIB
#include <zlib.h>
#endif

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// The level that stands for the library's own default.
[[maybe_unused]] constexpr int kDefaultLevel = 32767;

#ifdef SNAPPY
class SnappyCodec : public Codec {
 public:
  bool Compress(const Slice& raw, std::string* output) override {
    snappy::Compress(raw.data(), raw.size(), output);
    return true;
  }

  bool Uncompress(const Slice& compressed, std::string* output) override {
    size_t size = 0;
    return snappy::GetUncompressedLength(compressed.data(), compressed.size(),
                                         &size) &&
           size == output->size() &&
           snappy::RawUncompress(compressed.data(), compressed.size(),
                                 output->data());
  }
};
#endif

#ifdef LZ4
class Lz4Codec : public Codec {
 public:
  enum class Effort { kFast, kHigh };

  Lz4Codec(Effort effort, int level) : effort_(effort), level_(level) {}

  bool Compress(const Slice& raw, std::string* output) override {
    const int raw_size = static_cast<int>(raw.size());
    output->resize(LZ4_compressBound(raw_size));
    const int capacity = static_cast<int>(output->size());
    const int size =
        effort_ == Effort::kHigh
            ? LZ4_compress_HC(raw.data(), output->data(), raw_size, capacity,
                              level_ == kDefaultLevel ? 0 : level_)
            : LZ4_compress_fast(raw.data(), output->data(), raw_size, capacity,
                                level_ < 0 ? -level_ : 1);
    output->resize(size);
    return size > 0;
  }

  bool Uncompress(const Slice& compressed, std::string* output) override {
    const int size = static_cast<int>(output->size());
    return LZ4_decompress_safe(compressed.data(), output->data(),
                               static_cast<int>(compressed.size()),
                               size) == size;
  }

 private:
  const Effort effort_;
  const int level_;
};
#endif

#ifdef ZSTD
class ZstdCodec : public Codec {
 public:
  explicit ZstdCodec(int level)
      : level_(level == kDefaultLevel ? ZSTD_CLEVEL_DEFAULT : level) {}

  bool Compress(const Slice& raw, std::string* output) override {
    output->resize(ZSTD_compressBound(raw.size()));
    const size_t size =
        ZSTD_compressCCtx(compressor_.get(), output->data(), output->size(),
                          raw.data(), raw.size(), level_);
    if (ZSTD_isError(size)) return false;
    output->resize(size);
    return true;
  }

  bool Uncompress(const Slice& compressed, std::string* output) override {
    return ZSTD_decompressDCtx(decompressor_.get(), output->data(),
                               output->size(), compressed.data(),
                               compressed.size()) == output->size();
  }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  const int level_;
  const std::unique_ptr<ZSTD_CCtx, Free> compressor_{ZSTD_createCCtx()};
  const std::unique_ptr<ZSTD_DCtx, Free> decompressor_{ZSTD_createDCtx()};
};
#endif

#ifdef ZLIB
class ZlibCodec : public Codec {
 public:
  explicit ZlibCodec(int level)
      : level_(level == kDefaultLevel ? Z_DEFAULT_COMPRESSION : level) {}

  bool Compress(const Slice& raw, std::string* output) override {
    uLongf size = compressBound(raw.size());
    output->resize(size);
    const bool ok = compress2(reinterpret_cast<Bytef*>(output->data()), &size,
                              reinterpret_cast<const Bytef*>(raw.data()),
                              raw.size(), level_) == Z_OK;
    output->resize(size);
    return ok;
  }

  bool Uncompress(const Slice& compressed, std::string* output) override {
    uLongf size = output->size();
    return uncompress(reinterpret_cast<Bytef*>(output->data()), &size,
                      reinterpret_cast<const Bytef*>(compressed.data()),
                      compressed.size()) == Z_OK &&
           size == output->size();
  }

 private:
  const int level_;
};
#endif

}  // namespace

Status Codec::Create(const std::string& name, [[maybe_unused]] int level,
                     std::unique_ptr<Codec>* result) {
#ifdef SNAPPY
  if (name == "snappy") *result = std::make_unique<SnappyCodec>();
#endif
#ifdef LZ4
  if (name == "lz4") {
    *result = std::make_unique<Lz4Codec>(Lz4Codec::Effort::kFast, level);
  }
  if (name == "lz4hc") {
    *result = std::make_unique<Lz4Codec>(Lz4Codec::Effort::kHigh, level);
  }
#endif
#ifdef ZSTD
  if (name == "zstd") *result = std::make_unique<ZstdCodec>(level);
#endif
#ifdef ZLIB
  if (name == "zlib") *result = std::make_unique<ZlibCodec>(level);
#endif
  if (*result != nullptr) return Status::OK();
  return Status::NotSupported("--compression_type=" + name,
                              "not in this program");
}

Status CompressionTypeOf(const std::string& name, CompressionType* type) {
  const struct {
    const char* name;
    CompressionType type;
  } known[] = {
      {"none", kNoCompression},       {"snappy", kSnappyCompression},
      {"zlib", kZlibCompression},     {"bzip2", kBZip2Compression},
      {"lz4", kLZ4Compression},       {"lz4hc", kLZ4HCCompression},
      {"xpress", kXpressCompression}, {"zstd", kZSTD},
  };
  for (const auto& codec : known) {
    if (name != codec.name) continue;
    *type = codec.type;
    return Status::OK();
  }
  return Status::InvalidArgument("Cannot parse compression type '" + name +
                                 "'");
}

}  // namespace ROCKSDB_NAMESPACE::bench
