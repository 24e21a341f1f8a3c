#include "util/compression_codec.h"

#ifdef SNAPPY
#include <snappy.h>
#endif

#include <cstring>

namespace ROCKSDB_NAMESPACE {

#ifdef SNAPPY

namespace {

class SnappyCompressor final : public CodecCompressor {
 public:
  // The library asks for room for the worst case.
  bool Compress(Slice raw, char* out, size_t capacity,
                size_t* written) override {
    const size_t worst = snappy::MaxCompressedLength(raw.size());
    if (scratch_.size() < worst) scratch_.resize(worst);
    size_t size = 0;
    snappy::RawCompress(raw.data(), raw.size(), scratch_.data(), &size);
    if (size > capacity) return false;
    memcpy(out, scratch_.data(), size);
    *written = size;
    return true;
  }

 private:
  std::string scratch_;
};

class SnappyDecompressor final : public CodecDecompressor {
 public:
  // At best a copy of 64 bytes takes two bytes.
  size_t LargestExpansion(size_t n) const override { return n * 64; }

  bool Decompress(Slice stream, char* out, size_t size) const override {
    size_t claimed = 0;
    return snappy::GetUncompressedLength(stream.data(), stream.size(),
                                         &claimed) &&
           claimed == size &&
           snappy::RawUncompress(stream.data(), stream.size(), out);
  }
};

Status NewSnappyCompressor(const CompressionOptions& /*options*/,
                           const std::string& /*dictionary*/,
                           std::unique_ptr<CodecCompressor>* result) {
  *result = std::make_unique<SnappyCompressor>();
  return Status::OK();
}

std::unique_ptr<CodecDecompressor> NewSnappyDecompressor(
    const std::string& /*dictionary*/) {
  return std::make_unique<SnappyDecompressor>();
}

}  // namespace

const Codec kSnappyCodec = {&NewSnappyCompressor, &NewSnappyDecompressor};

#else

const Codec kSnappyCodec = {};

#endif

}  // namespace ROCKSDB_NAMESPACE
