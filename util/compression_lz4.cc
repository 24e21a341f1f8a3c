#include "util/compression_codec.h"

#ifdef LZ4
#include <lz4.h>
#include <lz4hc.h>
#endif

#include <algorithm>
#include <climits>

namespace ROCKSDB_NAMESPACE {

#ifdef LZ4

namespace {

// LZ4 looks back 64 KiB: only the end of a longer dictionary matters.
Slice UsefulPart(const std::string& dictionary) {
  constexpr size_t kWindow = 64 << 10;
  if (dictionary.size() <= kWindow) return dictionary;
  return Slice(dictionary.data() + dictionary.size() - kWindow, kWindow);
}

class Lz4Compressor final : public CodecCompressor {
 public:
  Lz4Compressor(int level, Slice dictionary)
      : acceleration_(level < 0 ? -std::max(level, -INT_MAX) : 1),
        dictionary_(dictionary) {
    if (dictionary_.empty()) return;
    LZ4_initStream(&with_dictionary_, sizeof(with_dictionary_));
    LZ4_loadDict(&with_dictionary_, dictionary_.data(),
                 static_cast<int>(dictionary_.size()));
  }

  bool Compress(Slice raw, char* out, size_t capacity,
                size_t* written) override {
    if (raw.size() > LZ4_MAX_INPUT_SIZE || capacity > INT_MAX) return false;
    const int raw_size = static_cast<int>(raw.size());
    const int room = static_cast<int>(capacity);
    const int size = dictionary_.empty()
                         ? CompressAlone(raw.data(), raw_size, out, room)
                         : CompressBehind(raw.data(), raw_size, out, room);
    if (size <= 0) return false;
    *written = static_cast<size_t>(size);
    return true;
  }

 private:
  // Not as a stream: for less than 64 KiB the library then has tables of half
  // the size, and needs less than half the time for a block of 4 KiB.
  int CompressAlone(const char* raw, int raw_size, char* out, int room) {
    return LZ4_compress_fast_extState(&stream_, raw, out, raw_size, room,
                                      acceleration_);
  }
  // Copying the loaded state is cheaper than hashing the dictionary.
  int CompressBehind(const char* raw, int raw_size, char* out, int room) {
    stream_ = with_dictionary_;
    return LZ4_compress_fast_continue(&stream_, raw, out, raw_size, room,
                                      acceleration_);
  }

  const int acceleration_;
  const Slice dictionary_;
  LZ4_stream_t stream_;  // each call sets it up
  LZ4_stream_t with_dictionary_;
};

class Lz4HcCompressor final : public CodecCompressor {
 public:
  Lz4HcCompressor(int level, Slice dictionary)
      : level_(level), dictionary_(dictionary) {
    LZ4_initStreamHC(&stream_, sizeof(stream_));
  }

  bool Compress(Slice raw, char* out, size_t capacity,
                size_t* written) override {
    if (raw.size() > LZ4_MAX_INPUT_SIZE || capacity > INT_MAX) return false;
    LZ4_resetStreamHC_fast(&stream_, level_);
    if (!dictionary_.empty()) {
      LZ4_loadDictHC(&stream_, dictionary_.data(),
                     static_cast<int>(dictionary_.size()));
    }
    const int size = LZ4_compress_HC_continue(&stream_, raw.data(), out,
                                              static_cast<int>(raw.size()),
                                              static_cast<int>(capacity));
    if (size <= 0) return false;
    *written = static_cast<size_t>(size);
    return true;
  }

 private:
  const int level_;
  const Slice dictionary_;
  LZ4_streamHC_t stream_;
};

class Lz4Decompressor final : public CodecDecompressor {
 public:
  explicit Lz4Decompressor(Slice dictionary) : dictionary_(dictionary) {}

  // Each further length byte adds 255 bytes.
  size_t LargestExpansion(size_t n) const override { return n * 255 + 64; }

  bool Decompress(Slice stream, char* out, size_t size) const override {
    if (stream.size() > INT_MAX || size > INT_MAX) return false;
    const int produced = LZ4_decompress_safe_usingDict(
        stream.data(), out, static_cast<int>(stream.size()),
        static_cast<int>(size), dictionary_.data(),
        static_cast<int>(dictionary_.size()));
    return produced >= 0 && static_cast<size_t>(produced) == size;
  }

 private:
  const Slice dictionary_;
};

// LZ4 and LZ4HC have one scale of levels: above 0 are those of LZ4HC, below it
// what LZ4 trades for speed. The two types differ in their default alone.
std::unique_ptr<CodecCompressor> CompressorOfLevel(
    const CompressionOptions& options, int default_level,
    const std::string& dictionary) {
  const int level =
      options.level == CompressionOptions::kDefaultCompressionLevel
          ? default_level
          : options.level;
  const Slice useful = UsefulPart(dictionary);
  if (level > 0) return std::make_unique<Lz4HcCompressor>(level, useful);
  return std::make_unique<Lz4Compressor>(level, useful);
}

Status NewLz4Compressor(const CompressionOptions& options,
                        const std::string& dictionary,
                        std::unique_ptr<CodecCompressor>* result) {
  *result = CompressorOfLevel(options, /*default_level=*/-1, dictionary);
  return Status::OK();
}

Status NewLz4HcCompressor(const CompressionOptions& options,
                          const std::string& dictionary,
                          std::unique_ptr<CodecCompressor>* result) {
  *result = CompressorOfLevel(options, LZ4HC_CLEVEL_DEFAULT, dictionary);
  return Status::OK();
}

std::unique_ptr<CodecDecompressor> NewLz4Decompressor(
    const std::string& dictionary) {
  return std::make_unique<Lz4Decompressor>(UsefulPart(dictionary));
}

}  // namespace

const Codec kLz4Codec = {&NewLz4Compressor, &NewLz4Decompressor};
const Codec kLz4HcCodec = {&NewLz4HcCompressor, &NewLz4Decompressor};

#else

const Codec kLz4Codec = {};
const Codec kLz4HcCodec = {};

#endif

}  // namespace ROCKSDB_NAMESPACE
