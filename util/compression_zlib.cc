#include "util/compression_codec.h"

#ifdef ZLIB
#include <zlib.h>
#endif

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>
#include <optional>

namespace ROCKSDB_NAMESPACE {

#ifdef ZLIB

namespace {

// Windows of readers are 14 bits; raw deflate knows no 8-bit window.
constexpr int kLargestWindow = 14;
constexpr int kSmallestWindow = 9;
// Expanding with the largest window takes streams of any other.
constexpr int kInflateWindowBits = -15;

// zlib's interface is not const-correct.
Bytef* Input(Slice s) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(s.data()));
}
Bytef* Output(char* p) { return reinterpret_cast<Bytef*>(p); }

int ZlibLevelOf(int level) {
  if (level == CompressionOptions::kDefaultCompressionLevel) {
    return Z_DEFAULT_COMPRESSION;
  }
  return std::clamp(level, Z_DEFAULT_COMPRESSION, Z_BEST_COMPRESSION);
}

// Raw deflate, which a negative number asks for.
int WindowOf(int bits) {
  const int size = bits < -kLargestWindow ? kLargestWindow : std::abs(bits);
  return -std::clamp(size, kSmallestWindow, kLargestWindow);
}

int StrategyOf(int strategy) {
  return strategy < Z_DEFAULT_STRATEGY || strategy > Z_FIXED
             ? Z_DEFAULT_STRATEGY
             : strategy;
}

class ZlibCompressor final : public CodecCompressor {
 public:
  explicit ZlibCompressor(const std::string& dictionary)
      : dictionary_(dictionary) {}
  ~ZlibCompressor() override {
    if (is_ready_) deflateEnd(&stream_);
  }

  // What zlib would refuse is taken as the nearest that it takes: a table must
  // not fail for it.
  Status Init(const CompressionOptions& options) {
    constexpr int kMemLevel = 8;
    const int r = deflateInit2(&stream_, ZlibLevelOf(options.level), Z_DEFLATED,
                               WindowOf(options.window_bits), kMemLevel,
                               StrategyOf(options.strategy));
    is_ready_ = r == Z_OK;
    if (is_ready_) return Status::OK();
    return Status::MemoryLimit("zlib has no memory for a compressor",
                               std::to_string(r));
  }

  bool Compress(Slice raw, char* out, size_t capacity,
                size_t* written) override {
    if (deflateReset(&stream_) != Z_OK) return false;
    if (!dictionary_.empty() &&
        deflateSetDictionary(&stream_, Input(dictionary_),
                             static_cast<uInt>(dictionary_.size())) != Z_OK) {
      return false;
    }
    stream_.next_in = Input(raw);
    stream_.avail_in = static_cast<uInt>(raw.size());
    stream_.next_out = Output(out);
    stream_.avail_out = static_cast<uInt>(capacity);
    if (deflate(&stream_, Z_FINISH) != Z_STREAM_END) return false;
    *written = capacity - stream_.avail_out;
    return true;
  }

 private:
  const std::string& dictionary_;
  z_stream stream_{};
  bool is_ready_ = false;
};

thread_local constinit bool inflate_state_has_ended = false;

// The inflate state of a thread: making one costs more than most blocks.
class InflateState {
 public:
  InflateState() {
    is_ready_ = inflateInit2(&stream_, kInflateWindowBits) == Z_OK;
  }
  InflateState(const InflateState&) = delete;
  InflateState& operator=(const InflateState&) = delete;
  ~InflateState() {
    if (is_ready_) inflateEnd(&stream_);
    inflate_state_has_ended = true;
  }

  // A stream with its input set; nullptr if zlib has no memory.
  z_stream* Start(Slice input, const std::string& dictionary) {
    if (!is_ready_ || inflateReset(&stream_) != Z_OK) return nullptr;
    if (!dictionary.empty() &&
        inflateSetDictionary(&stream_, Input(dictionary),
                             static_cast<uInt>(dictionary.size())) != Z_OK) {
      return nullptr;
    }
    stream_.next_in = Input(input);
    stream_.avail_in = static_cast<uInt>(input.size());
    return &stream_;
  }

  static InflateState& OfThisThread() {
    static thread_local const auto state = std::make_unique<InflateState>();
    return *state;
  }

 private:
  z_stream stream_{};
  bool is_ready_ = false;
};

// A thread that is ending has lost its own, and may still read: static objects
// of the main thread, say.
class BorrowedInflateState {
 public:
  BorrowedInflateState() {
    if (inflate_state_has_ended) late_.emplace();
  }
  z_stream* Start(Slice input, const std::string& dictionary) {
    InflateState& state =
        late_.has_value() ? *late_ : InflateState::OfThisThread();
    return state.Start(input, dictionary);
  }

 private:
  std::optional<InflateState> late_;
};

class ZlibDecompressor final : public CodecDecompressor {
 public:
  explicit ZlibDecompressor(const std::string& dictionary)
      : dictionary_(dictionary) {}

  // A deflate symbol of two bits stands for 258 bytes at most.
  size_t LargestExpansion(size_t n) const override { return n * 1032 + 64; }

  bool Decompress(Slice stream, char* out, size_t size) const override {
    if (stream.size() > UINT_MAX || size > UINT_MAX) return false;
    BorrowedInflateState state;
    z_stream* z = state.Start(stream, dictionary_);
    if (z == nullptr) return false;
    // zlib wants a place even for no output.
    char nowhere;
    z->next_out = Output(size == 0 ? &nowhere : out);
    z->avail_out = static_cast<uInt>(size);
    return inflate(z, Z_FINISH) == Z_STREAM_END && z->avail_out == 0 &&
           z->avail_in == 0;
  }

  bool CountExpanded(Slice stream, size_t limit, size_t* size) const override {
    if (stream.size() > UINT_MAX) return false;
    BorrowedInflateState state;
    z_stream* z = state.Start(stream, dictionary_);
    if (z == nullptr) return false;
    char scratch[4096];
    size_t total = 0;
    int r = Z_OK;
    while (r == Z_OK && total < limit) {
      z->next_out = Output(scratch);
      z->avail_out = sizeof(scratch);
      r = inflate(z, Z_NO_FLUSH);
      total += sizeof(scratch) - z->avail_out;
    }
    *size = total;
    return r == Z_STREAM_END && total < limit;
  }

 private:
  const std::string& dictionary_;
};

Status NewZlibCompressor(const CompressionOptions& options,
                         const std::string& dictionary,
                         std::unique_ptr<CodecCompressor>* result) {
  auto compressor = std::make_unique<ZlibCompressor>(dictionary);
  Status s = compressor->Init(options);
  if (s.ok()) *result = std::move(compressor);
  return s;
}

std::unique_ptr<CodecDecompressor> NewZlibDecompressor(
    const std::string& dictionary) {
  return std::make_unique<ZlibDecompressor>(dictionary);
}

}  // namespace

const Codec kZlibCodec = {&NewZlibCompressor, &NewZlibDecompressor};

#else

const Codec kZlibCodec = {};

#endif

}  // namespace ROCKSDB_NAMESPACE
