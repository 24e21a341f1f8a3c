#pragma once

// What all compression has in common: names of types, limits of sizes, and
// dictionaries for ZSTD.
//
// Codecs are optional at build time. Asking for one that is absent gives
// NotSupported with its name.
//
// Threads  Pure functions.

#include <cstddef>
#include <cstdint>
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

// NotSupported: this build lacks the codec of `type`.
Status AbsentCodec(CompressionType type);

// The mark of files whose blocks the built-in codecs expand.
inline constexpr char kBuiltinCompatibility[] = "BuiltinV2";
// The first format_version that has room for another mark.
inline constexpr uint32_t kFirstManagedVersion = 7;

// InvalidArgument if files of `format_version` have no room for the mark
// `compatibility_name` of a compression manager.
Status CheckManagerMark(const std::string& compatibility_name,
                        uint32_t format_version);

// Blocks of this size or more are stored as they are.
inline constexpr size_t kMaxCompressibleSize = (size_t{1} << 31) - 1;

// The most bytes that a block of `raw_bytes` may become; beyond it is stored
// as it is.
size_t MostCompressedBytes(const CompressionOptions& options, size_t raw_bytes);

// Room for what any codec makes of `raw_bytes`, also where they grow: for
// formats that do not say for each value whether it is compressed.
size_t LargestPayload(size_t raw_bytes);

// How much is spent on a block. Less may stand in for what the options ask for
// where they leave the level to the codec.
enum class CompressionEffort { kQuickest, kQuicker, kQuick, kAsAsked };
inline constexpr size_t kCompressionEffortCount = 4;

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
