#pragma once

// Compression codecs, behind one compressor and one decompressor for each
// table file.
//
// A payload is what stands in a block, in front of its trailer: the codec's
// output, and for most codecs the uncompressed size before it. Layout 1 is
// that of format_version 0 and 1, layout 2 that of all later ones; only layout
// 2 is written.
//
// Codecs are optional at build time. Asking for one that is absent gives
// NotSupported with its name.
//
// Errors  Decoding trusts nothing: sizes are checked against what the codec
//         can reach before the caller allocates, and every failure is
//         Corruption.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// True if this build can compress and decompress with `type`.
bool CompressionTypeSupported(CompressionType type);

// The name that table properties use: `NoCompression`, `Snappy`, `ZSTD`...
std::string CompressionTypeToString(CompressionType type);
// The reverse; false if there is no such name.
bool CompressionTypeFromString(const Slice& name, CompressionType* type);

// Blocks of this size or more are stored as they are.
inline constexpr size_t kMaxCompressibleSize = (size_t{1} << 31) - 1;

// Compresses the blocks of one file, with contexts that it reuses.
//
// Threads  One at a time.
class Compressor {
 public:
  virtual ~Compressor() = default;

  // `dictionary` is copied; empty for none. Codecs that cannot use one ignore
  // it, as the format says. For kNoCompression, Compress() refuses everything.
  static Status Create(CompressionType type, const CompressionOptions& options,
                       Slice dictionary, std::unique_ptr<Compressor>* result);

  // Puts the payload for `raw` into `*out`. False, with `*out` unspecified, if
  // the payload would be larger than the options allow or the codec failed:
  // then the block is stored as it is.
  virtual bool Compress(Slice raw, uint32_t format_version,
                        std::string* out) = 0;

  // How much the next calls spend on a block. Less may stand in for what the
  // options ask for, where they leave the level to the codec: HasQuick().
  enum class Effort { kQuickest, kQuicker, kQuick, kAsAsked };
  static constexpr size_t kEffortCount = 4;
  virtual bool HasQuick() const { return false; }
  // Only kAsAsked unless HasQuick().
  virtual void SetEffort(Effort /*effort*/) {}

  // The same, also if the payload is larger than `raw`: for formats that do not
  // say for each value whether it is compressed. False if the codec failed.
  virtual bool CompressAlways(Slice raw, uint32_t format_version,
                              std::string* out) = 0;

  // The payload that Compress() would not make larger for `raw`.
  virtual size_t MostBytesFor(Slice raw) const = 0;

  virtual CompressionType type() const = 0;
};

// Expands the blocks of one file, of whatever type each block says.
//
// Threads  Immutable after Create(); calls from any thread.
class Decompressor {
 public:
  virtual ~Decompressor() = default;

  // `dictionary` is copied; empty for none.
  static Status Create(Slice dictionary, std::unique_ptr<Decompressor>* result);

  // The size of the buffer that Decompress() needs. It is bounded by what the
  // codec can make of the payload, so it is safe to allocate.
  virtual Status UncompressedSize(CompressionType type, uint32_t format_version,
                                  Slice payload, size_t* size) const = 0;

  // Fills out[0, size), where `size` is the answer of UncompressedSize().
  virtual Status Decompress(CompressionType type, uint32_t format_version,
                            Slice payload, char* out, size_t size) const = 0;
};

// A dictionary of at most `max_dict_bytes` for ZSTD, trained on `samples`,
// which `sample_sizes` cuts into pieces. With `use_trainer` false the samples
// are only given the form of a dictionary. Empty if training fails.
struct ZstdTraining {
  Slice samples;
  const size_t* sample_sizes = nullptr;
  size_t sample_count = 0;
  size_t max_dict_bytes = 0;
  int level = CompressionOptions::kDefaultCompressionLevel;
  bool use_trainer = true;
};
std::string TrainZstdDictionary(const ZstdTraining& training);

}  // namespace ROCKSDB_NAMESPACE
