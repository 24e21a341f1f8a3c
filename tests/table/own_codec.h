// A compression manager as an application may write one, that can also fail in
// all the ways in which one may.
//
// A block becomes a varint of its size, and tokens: 0, a count and a byte that
// is repeated so often; or 1 and a count of copies of the dictionary. Blocks of
// type 0x81 have each byte of them inverted.
#pragma once

#include <atomic>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/status.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

enum class OwnFault {
  kNone,
  kNoCompressor,
  kNoArea,
  kThrows,
  kThrowsNoException,
  kFails,
  kTooLong,
  kUnknownType,
  kForbiddenType,
  kWrongContent,
  kNoClone,
};
enum class OwnReadFault {
  kNone,
  kNoDecompressor,
  kThrows,
  kHugeSize,
  kThrowsForSize,
  kThrowsForDictionary,
  kNothingForDictionary,
};

// What the objects of one manager share.
struct OwnCodecState {
  std::atomic<OwnFault> fault{OwnFault::kNone};
  std::atomic<OwnReadFault> read_fault{OwnReadFault::kNone};
  Compressor::DictConfig guidance = Compressor::DictDisabled{};
  bool mixes_types = true;
  bool bypasses = false;
  uint32_t recommended_threads = 0;
  std::atomic<int> areas{0};     // that are out
  std::atomic<int> blocks{0};    // that were compressed
  std::atomic<int> expanded{0};  // blocks
};
using OwnCodecShared = std::shared_ptr<OwnCodecState>;

inline std::string OwnTokens(const Slice& raw, const std::string& dictionary) {
  std::string out;
  constexpr size_t kMost = 255;
  for (size_t at = 0; at < raw.size();) {
    size_t count = 0;
    if (!dictionary.empty()) {
      Slice rest(raw.data() + at, raw.size() - at);
      while (count < kMost && rest.starts_with(dictionary)) {
        rest.remove_prefix(dictionary.size());
        ++count;
      }
    }
    if (count > 0) {
      out += {'\1', static_cast<char>(count)};
      at += count * dictionary.size();
      continue;
    }
    while (at + count < raw.size() && count < kMost &&
           raw[at + count] == raw[at]) {
      ++count;
    }
    out += {'\0', static_cast<char>(count), raw[at]};
    at += count;
  }
  return out;
}

// False unless the tokens are those of `size` bytes.
inline bool OwnExpand(const std::string& tokens, const Slice& dictionary,
                      char* out, size_t size) {
  size_t done = 0;
  for (size_t at = 0; at < tokens.size();) {
    const bool is_run = tokens[at] == '\0';
    if (tokens.size() - at < (is_run ? 3 : 2)) return false;
    for (int n = static_cast<uint8_t>(tokens[at + 1]); n > 0; --n) {
      const Slice piece = is_run ? Slice(&tokens[at + 2], 1) : dictionary;
      if (piece.size() > size - done) return false;
      memcpy(out + done, piece.data(), piece.size());
      done += piece.size();
    }
    at += is_run ? 3 : 2;
  }
  return done == size;
}

inline std::string Inverted(std::string bytes) {
  for (char& byte : bytes) byte = static_cast<char>(~byte);
  return bytes;
}

class OwnCompressor final : public Compressor {
 public:
  explicit OwnCompressor(OwnCodecShared state, std::string dictionary = "")
      : state_(std::move(state)), dictionary_(std::move(dictionary)) {}

  const char* Name() const override { return "OwnCompressor"; }
  std::string GetId() const override { return "OwnCompressor:1"; }
  DictConfig GetDictGuidance(CacheEntryRole block_type) const override {
    if (block_type != CacheEntryRole::kDataBlock) return DictDisabled{};
    return state_->guidance;
  }
  Slice GetSerializedDict() const override { return dictionary_; }
  uint32_t GetRecommendedParallelThreads() const override {
    return state_->recommended_threads;
  }
  std::unique_ptr<Compressor> Clone() const override {
    if (state_->fault == OwnFault::kNoClone) return nullptr;
    return std::make_unique<OwnCompressor>(state_, dictionary_);
  }
  std::unique_ptr<Compressor> MaybeCloneSpecialized(
      CacheEntryRole /*block_type*/,
      DictConfigArgs&& dict_config) const override {
    if (const auto* samples = std::get_if<DictSamples>(&dict_config)) {
      // The longest run of letters of the first sample would do as well.
      const size_t at = samples->sample_data.find("word");
      if (at == std::string::npos) return nullptr;
      return std::make_unique<OwnCompressor>(
          state_, samples->sample_data.substr(at, 4));
    }
    if (const auto* given = std::get_if<DictPreDefined>(&dict_config)) {
      return std::make_unique<OwnCompressor>(state_, given->dict_data);
    }
    return nullptr;
  }
  ManagedWorkingArea ObtainWorkingArea() override {
    if (state_->fault == OwnFault::kNoArea) {
      throw std::runtime_error("no area");
    }
    ++state_->areas;
    return ManagedWorkingArea(std::make_unique<Area>().release(), this);
  }
  void ReleaseWorkingArea(WorkingArea* area) override {
    --state_->areas;
    delete static_cast<Area*>(area);
  }

  Status CompressBlock(Slice raw, char* out, size_t* size,
                       CompressionType* type,
                       ManagedWorkingArea* working_area) override {
    const OwnFault fault = state_->fault;
    if (fault == OwnFault::kThrows) throw std::runtime_error("own fault");
    if (fault == OwnFault::kThrowsNoException) throw 42;
    if (fault == OwnFault::kFails) return Status::Busy("own fault");
    if (state_->bypasses) {
      *size = 0;
      *type = kNoCompression;
      return Status::OK();
    }
    ++state_->blocks;
    auto* area = static_cast<Area*>(working_area->get());
    *type = state_->mixes_types && area->count++ % 2 == 1
                ? kCustomCompression81
                : kCustomCompression80;
    std::string tokens = OwnTokens(raw, dictionary_);
    if (*type == kCustomCompression81) tokens = Inverted(std::move(tokens));
    if (fault == OwnFault::kWrongContent) tokens[2] = '?';
    std::string payload;
    PutVarint64(&payload, raw.size());
    payload += tokens;
    if (fault == OwnFault::kUnknownType) *type = kCustomCompressionA0;
    if (fault == OwnFault::kForbiddenType) *type = kDisableCompressionOption;
    if (payload.size() > *size) {
      *type = kNoCompression;
      return Status::OK();
    }
    memcpy(out, payload.data(), payload.size());
    *size = fault == OwnFault::kTooLong ? *size + 1 : payload.size();
    return Status::OK();
  }

 private:
  struct Area : public WorkingArea {
    int count = 0;
  };
  const OwnCodecShared state_;
  const std::string dictionary_;
};

class OwnDecompressor final : public Decompressor {
 public:
  explicit OwnDecompressor(OwnCodecShared state, Slice dictionary = Slice())
      : state_(std::move(state)), dictionary_(dictionary) {}

  const char* Name() const override { return "OwnDecompressor"; }
  const Slice& GetSerializedDict() const override { return dictionary_; }
  ManagedWorkingArea ObtainWorkingArea(CompressionType) override {
    ++state_->areas;
    return ManagedWorkingArea(std::make_unique<WorkingArea>().release(), this);
  }
  void ReleaseWorkingArea(WorkingArea* area) override {
    --state_->areas;
    delete area;
  }
  Status MaybeCloneForDict(const Slice& dictionary,
                           std::unique_ptr<Decompressor>* out) override {
    if (state_->read_fault == OwnReadFault::kThrowsForDictionary) {
      throw std::runtime_error("own fault");
    }
    if (state_->read_fault != OwnReadFault::kNothingForDictionary) {
      *out = std::make_unique<OwnDecompressor>(state_, dictionary);
    }
    return Status::OK();
  }
  Status ExtractUncompressedSize(Args& args) override {
    if (state_->read_fault == OwnReadFault::kThrowsForSize) {
      throw std::runtime_error("own fault");
    }
    Status s = Decompressor::ExtractUncompressedSize(args);
    if (state_->read_fault == OwnReadFault::kHugeSize) {
      args.uncompressed_size = uint64_t{1} << 60;
    }
    return s;
  }
  Status DecompressBlock(const Args& args, char* out) override {
    if (state_->read_fault == OwnReadFault::kThrows) {
      throw std::runtime_error("own fault");
    }
    if (args.working_area == nullptr || !*args.working_area) {
      return Status::Corruption("no working area");
    }
    std::string tokens = args.compressed_data.ToString();
    if (args.compression_type == kCustomCompression81) {
      tokens = Inverted(std::move(tokens));
    } else if (args.compression_type != kCustomCompression80) {
      return Status::Corruption("not a type of ours");
    }
    ++state_->expanded;
    const size_t size = static_cast<size_t>(args.uncompressed_size);
    return OwnExpand(tokens, dictionary_, out, size)
               ? Status::OK()
               : Status::Corruption("bad tokens");
  }

 private:
  const OwnCodecShared state_;
  const Slice dictionary_;
};

class OwnManager final : public CompressionManager {
 public:
  explicit OwnManager(OwnCodecShared state = std::make_shared<OwnCodecState>())
      : state_(std::move(state)) {}

  const char* Name() const override { return "OwnManager"; }
  const char* CompatibilityName() const override { return "OwnCodec"; }
  bool SupportsCompressionType(CompressionType type) const override {
    return type == kNoCompression || type == kCustomCompression80 ||
           type == kCustomCompression81;
  }
  std::string CompressionTypeToString(CompressionType type) const override {
    if (type == kCustomCompression80) return "Runs";
    return CompressionManager::CompressionTypeToString(type);
  }
  std::unique_ptr<Compressor> GetCompressor(const CompressionOptions&,
                                            CompressionType type) override {
    if (state_->fault == OwnFault::kNoCompressor || type == kNoCompression) {
      return nullptr;
    }
    return std::make_unique<OwnCompressor>(state_);
  }
  std::shared_ptr<Decompressor> GetDecompressor() override {
    if (state_->read_fault == OwnReadFault::kNoDecompressor) return nullptr;
    return std::make_shared<OwnDecompressor>(state_);
  }

  OwnCodecState& state() { return *state_; }

 private:
  const OwnCodecShared state_;
};

}  // namespace ROCKSDB_NAMESPACE
