#pragma once

// The built-in compressor and decompressor, by their classes: for those who
// need no other, and for what the interface has no call for.
//
// A payload is what stands in a block, in front of its trailer: the codec's
// output, and for most codecs the uncompressed size before it. The old layout
// is that of format_version 0 and 1, the other that of all later ones; only the
// latter is written.
//
// Errors  Decoding trusts nothing: sizes are checked against what the codec
//         can reach before the caller allocates, and every failure is
//         Corruption.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/compression.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class CodecCompressor;
class CodecDecompressor;
struct Codec;

// Threads  All calls from any thread. An area serves one at a time; those that
//          come back serve again.
class BuiltinCompressor final : public Compressor {
 public:
  // `dictionary` is copied; empty for none. Codecs that cannot use one ignore
  // it, as the format says. NotSupported for kNoCompression and for what this
  // build lacks.
  static Status Create(CompressionType type, const CompressionOptions& options,
                       Slice dictionary,
                       std::unique_ptr<BuiltinCompressor>* result);
  // For Create().
  BuiltinCompressor(CompressionType type, const CompressionOptions& options,
                    Slice dictionary);
  ~BuiltinCompressor() override;

  const char* Name() const override { return name_.c_str(); }
  DictConfig GetDictGuidance(CacheEntryRole block_type) const override;
  Slice GetSerializedDict() const override { return dictionary_; }
  CompressionType GetPreferredCompressionType() const override { return type_; }
  uint32_t GetRecommendedParallelThreads() const override {
    return options_.parallel_threads;
  }
  std::unique_ptr<Compressor> Clone() const override;
  std::unique_ptr<Compressor> MaybeCloneSpecialized(
      CacheEntryRole block_type, DictConfigArgs&& dict_config) const override;
  ManagedWorkingArea ObtainWorkingArea() override EXCLUDES(mutex_);
  void ReleaseWorkingArea(WorkingArea* area) override EXCLUDES(mutex_);
  Status CompressBlock(Slice uncompressed_data, char* compressed_output,
                       size_t* compressed_output_size,
                       CompressionType* out_compression_type,
                       ManagedWorkingArea* working_area) override;
  std::shared_ptr<Decompressor> GetOptimizedDecompressor() const override;

  // Whether less effort than kAsAsked may stand in for it.
  bool has_quick() const { return has_quick_; }
  // For what is compressed with `area` from now on. Only kAsAsked unless
  // has_quick().
  static void SetEffort(const ManagedWorkingArea& area,
                        CompressionEffort effort);

 private:
  Status NewArea(std::unique_ptr<CodecCompressor>* result) const;
  std::string DictionaryOf(const DictSamples& samples) const;

  const CompressionType type_;
  const CompressionOptions options_;
  const std::string dictionary_;
  const std::string name_;
  bool has_quick_ = false;

  Mutex mutex_;
  std::vector<std::unique_ptr<CodecCompressor>> idle_ GUARDED_BY(mutex_);
};

// Threads  Immutable.
class BuiltinDecompressor final : public Decompressor {
 public:
  enum class Layout : uint8_t { kOld, kWithSizes };
  // `dictionary` is copied; empty for none.
  explicit BuiltinDecompressor(Layout layout, Slice dictionary = Slice());
  ~BuiltinDecompressor() override;

  // The one for files of that version, without a dictionary. Never destroyed.
  static const std::shared_ptr<Decompressor>& Shared(uint32_t format_version);

  const char* Name() const override { return "BuiltinDecompressorV2"; }
  const Slice& GetSerializedDict() const override { return dictionary_slice_; }
  Status MaybeCloneForDict(const Slice& serialized_dict,
                           std::unique_ptr<Decompressor>* out) override;
  size_t ApproximateOwnedMemoryUsage() const override {
    return dictionary_.capacity();
  }
  Status ExtractUncompressedSize(Args& args) override;
  Status DecompressBlock(const Args& args, char* uncompressed_output) override;

 private:
  // Where the uncompressed size stands in a payload.
  enum class SizePrefix : uint8_t { kNone, kVarint, kFixed64 };
  SizePrefix PrefixOf(CompressionType type) const;
  Status Find(CompressionType type, const CodecDecompressor** codec) const;

  const Layout layout_;
  const std::string dictionary_;
  const Slice dictionary_slice_{dictionary_};
  std::array<std::unique_ptr<CodecDecompressor>, kLastBuiltinCompression + 1>
      codecs_;
};

// Into *out what stands for `raw`, if that is at most `limit` bytes; else, or
// if the codec failed, false. `area` may be null.
bool CompressInto(Compressor* compressor, Slice raw, size_t limit,
                  Compressor::ManagedWorkingArea* area, std::string* out);

// Into *out what `payload` stands for.
Status ExpandInto(Decompressor* decompressor, CompressionType type,
                  Slice payload, std::string* out);

}  // namespace ROCKSDB_NAMESPACE
