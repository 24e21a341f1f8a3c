#include "util/compression_codec.h"

#ifdef BZIP2
#include <bzlib.h>
#endif

#include <climits>
#include <cstdint>

namespace ROCKSDB_NAMESPACE {

#ifdef BZIP2

namespace {

// The library knows no dictionary.
class Bzip2Compressor final : public CodecCompressor {
 public:
  bool Compress(Slice raw, char* out, size_t capacity,
                size_t* written) override {
    // Blocks of 100 kB hold any usual block and take the least memory.
    constexpr int kBlockSize100k = 1;
    auto size = static_cast<unsigned>(capacity);
    const int r = BZ2_bzBuffToBuffCompress(
        out, &size, const_cast<char*>(raw.data()),
        static_cast<unsigned>(raw.size()), kBlockSize100k, /*verbosity=*/0,
        /*workFactor=*/30);
    *written = size;
    return r == BZ_OK;
  }
};

class Bzip2Decompressor final : public CodecDecompressor {
 public:
  // A block of some 32 bytes can stand for 900000 bytes, each five of which a
  // first run-length stage may have made from 259.
  size_t LargestExpansion(size_t n) const override {
    constexpr uint64_t kPerBlock = 900000 / 5 * 259;
    return (n / 32 + 1) * kPerBlock;
  }

  bool Decompress(Slice stream, char* out, size_t size) const override {
    if (stream.size() > UINT_MAX || size > UINT_MAX) return false;
    char nowhere;
    auto produced = static_cast<unsigned>(size);
    const int r = BZ2_bzBuffToBuffDecompress(
        size == 0 ? &nowhere : out, &produced, const_cast<char*>(stream.data()),
        static_cast<unsigned>(stream.size()), /*small=*/0, /*verbosity=*/0);
    return r == BZ_OK && produced == size;
  }

  bool CountExpanded(Slice stream, size_t limit, size_t* size) const override {
    if (stream.size() > UINT_MAX) return false;
    bz_stream bz{};
    if (BZ2_bzDecompressInit(&bz, 0, 0) != BZ_OK) return false;
    bz.next_in = const_cast<char*>(stream.data());
    bz.avail_in = static_cast<unsigned>(stream.size());
    char scratch[4096];
    size_t total = 0;
    int r = BZ_OK;
    while (r == BZ_OK && total < limit) {
      bz.next_out = scratch;
      bz.avail_out = sizeof(scratch);
      const unsigned input_before = bz.avail_in;
      r = BZ2_bzDecompress(&bz);
      const size_t produced = sizeof(scratch) - bz.avail_out;
      // A stream that is cut off asks for more for ever.
      if (produced == 0 && bz.avail_in == input_before) break;
      total += produced;
    }
    BZ2_bzDecompressEnd(&bz);
    *size = total;
    return r == BZ_STREAM_END && total < limit;
  }
};

Status NewBzip2Compressor(const CompressionOptions& /*options*/,
                          const std::string& /*dictionary*/,
                          std::unique_ptr<CodecCompressor>* result) {
  *result = std::make_unique<Bzip2Compressor>();
  return Status::OK();
}

std::unique_ptr<CodecDecompressor> NewBzip2Decompressor(
    const std::string& /*dictionary*/) {
  return std::make_unique<Bzip2Decompressor>();
}

}  // namespace

const Codec kBzip2Codec = {&NewBzip2Compressor, &NewBzip2Decompressor};

#else

const Codec kBzip2Codec = {};

#endif

}  // namespace ROCKSDB_NAMESPACE
