#include "util/compression_codec.h"

#ifdef ZSTD
#include <zdict.h>
#include <zstd.h>
#endif

#include <algorithm>
#include <cassert>
#include <climits>
#include <cstdint>
#include <memory>
#include <optional>

#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

#ifdef ZSTD

namespace {

struct FreeZstd {
  void operator()(ZSTD_CCtx* p) const { ZSTD_freeCCtx(p); }
  void operator()(ZSTD_DCtx* p) const { ZSTD_freeDCtx(p); }
  void operator()(ZSTD_CDict* p) const { ZSTD_freeCDict(p); }
  void operator()(ZSTD_DDict* p) const { ZSTD_freeDDict(p); }
};

// To the library 0 is its default; on the options' scale it lies below 1.
int LevelOf(int level) {
  if (level == CompressionOptions::kDefaultCompressionLevel) {
    return ZSTD_CLEVEL_DEFAULT;
  }
  return level == 0 ? -1 : level;
}

// ZSTD_c_literalCompressionMode, which the library's header names only for
// programs that link it statically. By default a negative level compresses no
// literals.
constexpr ZSTD_cParameter kLiteralsParameter = ZSTD_c_experimentalParam5;
constexpr int kLiteralsAsTheLevelSays = 0;
constexpr int kLiteralsAlways = 1;

struct Search {
  int level = ZSTD_CLEVEL_DEFAULT;
  int literals = kLiteralsAsTheLevelSays;
  int chain_log = 0;  // 0: what the level says
};

// What may replace the library's default level.
Search SearchWith(CompressionEffort effort) {
  switch (effort) {
    case CompressionEffort::kQuickest:
      return {.level = -4, .literals = kLiteralsAlways};
    case CompressionEffort::kQuicker:
      return {.level = 2};
    case CompressionEffort::kQuick:
      // Level 3 has two tables; the one for short matches, made smallest here,
      // hardly counts.
      return {.chain_log = ZSTD_cParam_getBounds(ZSTD_c_chainLog).lowerBound};
    case CompressionEffort::kAsAsked:
      break;
  }
  return {};
}

class ZstdCompressor final : public CodecCompressor {
 public:
  Status Init(const CompressionOptions& options,
              const std::string& dictionary) {
    context_.reset(ZSTD_createCCtx());
    if (context_ == nullptr) return Status::MemoryLimit("ZSTD context");
    const int level = LevelOf(options.level);
    if (!Set(ZSTD_c_compressionLevel, level) ||
        !Set(ZSTD_c_checksumFlag, options.checksum ? 1 : 0)) {
      return Status::InvalidArgument("ZSTD refuses level",
                                     std::to_string(options.level));
    }
    // A dictionary is made for its level, and a level that was asked for is
    // what was meant.
    has_quick_ =
        options.level == CompressionOptions::kDefaultCompressionLevel &&
        dictionary.empty();
    if (dictionary.empty()) return Status::OK();
    dictionary_.reset(
        ZSTD_createCDict(dictionary.data(), dictionary.size(), level));
    if (dictionary_ == nullptr) {
      return Status::InvalidArgument("ZSTD refuses the dictionary");
    }
    ZSTD_CCtx_refCDict(context_.get(), dictionary_.get());
    return Status::OK();
  }

  bool Compress(Slice raw, char* out, size_t capacity,
                size_t* written) override {
    const size_t size =
        ZSTD_compress2(context_.get(), out, capacity, raw.data(), raw.size());
    if (ZSTD_isError(size)) return false;
    *written = size;
    return true;
  }

  bool HasQuick() const override { return has_quick_; }
  void SetEffort(CompressionEffort effort) override {
    assert(has_quick_ || effort == CompressionEffort::kAsAsked);
    if (effort == effort_) return;
    // What failed for want of room left the block before half done.
    ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only);
    const Search search = SearchWith(effort);
    const bool is_set = Set(ZSTD_c_compressionLevel, search.level) &&
                        Set(kLiteralsParameter, search.literals) &&
                        Set(ZSTD_c_chainLog, search.chain_log);
    assert(is_set);
    if (is_set) effort_ = effort;
  }

 private:
  bool Set(ZSTD_cParameter parameter, int value) {
    return !ZSTD_isError(
        ZSTD_CCtx_setParameter(context_.get(), parameter, value));
  }

  std::unique_ptr<ZSTD_CDict, FreeZstd> dictionary_;
  std::unique_ptr<ZSTD_CCtx, FreeZstd> context_;
  bool has_quick_ = false;
  CompressionEffort effort_ = CompressionEffort::kAsAsked;
};

thread_local constinit bool zstd_context_has_ended = false;

// What a thread expands with: making one costs more than most blocks.
class ZstdContext {
 public:
  ZstdContext() : context_(ZSTD_createDCtx()) {}
  ZstdContext(const ZstdContext&) = delete;
  ZstdContext& operator=(const ZstdContext&) = delete;
  ~ZstdContext() { zstd_context_has_ended = true; }

  // Null if zstd has no memory.
  ZSTD_DCtx* get() const { return context_.get(); }

  static const ZstdContext& OfThisThread() {
    static thread_local const ZstdContext context;
    return context;
  }

 private:
  const std::unique_ptr<ZSTD_DCtx, FreeZstd> context_;
};

class ZstdDecompressor final : public CodecDecompressor {
 public:
  explicit ZstdDecompressor(const std::string& dictionary) {
    if (dictionary.empty()) return;
    dictionary_.reset(ZSTD_createDDict(dictionary.data(), dictionary.size()));
    is_dictionary_bad_ = dictionary_ == nullptr;
  }

  // A run of 128 KiB takes a block of four bytes.
  size_t LargestExpansion(size_t n) const override {
    constexpr size_t kBlock = 128 << 10;
    return (n / 4 + 1) * kBlock;
  }

  bool Decompress(Slice stream, char* out, size_t size) const override {
    // A thread that is ending has lost its own, and may still read: static
    // objects of the main thread, say.
    std::optional<ZstdContext> late;
    if (zstd_context_has_ended) late.emplace();
    ZSTD_DCtx* const context =
        late.has_value() ? late->get() : ZstdContext::OfThisThread().get();
    if (context == nullptr || is_dictionary_bad_) return false;
    const size_t produced =
        dictionary_ == nullptr
            ? ZSTD_decompressDCtx(context, out, size, stream.data(),
                                  stream.size())
            : ZSTD_decompress_usingDDict(context, out, size, stream.data(),
                                         stream.size(), dictionary_.get());
    return !ZSTD_isError(produced) && produced == size;
  }

 private:
  std::unique_ptr<ZSTD_DDict, FreeZstd> dictionary_;
  bool is_dictionary_bad_ = false;
};

Status NewZstdCompressor(const CompressionOptions& options,
                         const std::string& dictionary,
                         std::unique_ptr<CodecCompressor>* result) {
  auto compressor = std::make_unique<ZstdCompressor>();
  Status s = compressor->Init(options, dictionary);
  if (s.ok()) *result = std::move(compressor);
  return s;
}

std::unique_ptr<CodecDecompressor> NewZstdDecompressor(
    const std::string& dictionary) {
  return std::make_unique<ZstdDecompressor>(dictionary);
}

// Gives the samples the form of a dictionary without choosing among them.
size_t Finalize(const ZstdTraining& training, std::string* dictionary) {
  const size_t content =
      std::min(training.samples.size(), training.max_dict_bytes);
  ZDICT_params_t parameters{};
  parameters.compressionLevel = LevelOf(training.level);
  return ZDICT_finalizeDictionary(
      dictionary->data(), dictionary->size(),
      training.samples.data() + training.samples.size() - content, content,
      training.samples.data(), training.sample_sizes,
      static_cast<unsigned>(training.sample_count), parameters);
}

}  // namespace

const Codec kZstdCodec = {&NewZstdCompressor, &NewZstdDecompressor};

std::string TrainZstdDictionary(const ZstdTraining& training) {
  if (training.sample_count == 0 || training.sample_count > UINT_MAX ||
      training.max_dict_bytes == 0) {
    return "";
  }
  std::string dictionary(training.max_dict_bytes, '\0');
  const size_t size = training.use_trainer
                          ? ZDICT_trainFromBuffer(
                                dictionary.data(), dictionary.size(),
                                training.samples.data(), training.sample_sizes,
                                static_cast<unsigned>(training.sample_count))
                          : Finalize(training, &dictionary);
  if (ZDICT_isError(size)) return "";
  dictionary.resize(size);
  return dictionary;
}

#else

const Codec kZstdCodec = {};

std::string TrainZstdDictionary(const ZstdTraining& /*training*/) { return ""; }

#endif

}  // namespace ROCKSDB_NAMESPACE
