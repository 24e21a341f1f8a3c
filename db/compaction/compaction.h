// What one compaction is to do: inputs, output level, limits. A plain
// description that a picker makes and a job carries out.
//
// Threads    Made and destroyed under the DB mutex; constant in between.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/tables/input_iterator.h"
#include "db/version/version.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {

// A table file that a compaction has made.
struct CompactionOutputFile {
  FileRef meta;
  std::shared_ptr<const TableProperties> properties;
  int level = 0;
};

// Where a compaction into the last level puts what is too young for it
// (preclude_last_level_data_seconds): one level above.
struct YoungOutput {
  int level = 0;  // 0: nothing is too young
  // Entries with larger sequences are. No file of the last level that takes
  // part has such, so nothing ever moves up.
  SequenceNumber after = kMaxSequenceNumber;
  uint32_t path_id = 0;
  uint64_t max_file_bytes = 0;
  CompressionType compression = kNoCompression;
  CompressionOptions compression_options;
  Temperature temperature = Temperature::kUnknown;
};

struct Compaction {
  VersionRef version;  // keeps the inputs alive
  std::shared_ptr<const MutableCFOptions> options;

  std::vector<CompactionInputLevel> inputs;  // shallowest level first
  // The ascending numbers of the input files that nobody needs to read
  // (covered_inputs.h). They are removed with the other inputs.
  std::vector<uint64_t> unread;
  int output_level = 0;
  uint32_t output_path_id = 0;
  // Files one level below the output that the inputs' range overlaps: where
  // output files are cut. Sorted.
  std::vector<FileRef> grandparents;

  uint64_t max_output_file_bytes = 0;
  uint64_t max_grandparent_overlap_bytes = 0;
  uint32_t max_subcompactions = 1;
  CompressionType compression = kNoCompression;
  CompressionOptions compression_options;

  CompactionReason reason = CompactionReason::kUnknown;
  double score = 0;
  bool is_manual = false;
  // No older data exists for any key in the inputs' range.
  bool is_bottommost = false;
  // Every input file can change its level without being rewritten.
  bool is_trivial_move = false;
  // The user's partitioner must be asked before a trivial move.
  bool asks_for_move = false;
  // The input files go, and nothing takes their place.
  bool drops_inputs = false;
  // The one input file is copied byte by byte, to where the output belongs.
  bool copies_input = false;
  // Entries with larger sequences keep them: they tell when they were written.
  SequenceNumber zeroes_up_to = kMaxSequenceNumber;
  YoungOutput young;
  // The temperature of the output files; kUnknown: the file system chooses.
  Temperature output_temperature = Temperature::kUnknown;
  // Round-robin picking: where the next pick in start_level() begins, to be
  // logged with the result.
  std::optional<InternalKey> next_cursor;
  // Blobs of files with smaller numbers are moved to new ones; 0: none are.
  uint64_t relocates_blobs_below = 0;
  // Versions with newer user-defined timestamps go; empty: none do for that.
  std::string trim_ts;

  int start_level() const { return inputs.front().level; }
  // Files that a user moves to a shallower level.
  bool moves_up() const { return output_level < start_level(); }
  bool WritesTo(int level) const {
    return level == output_level || (young.level != 0 && level == young.level);
  }
  size_t InputFileCount() const;
  uint64_t InputBytes() const;
  bool Reads(const FileMeta& file) const {
    return !std::binary_search(unread.begin(), unread.end(), file.number);
  }
  bool IsTrimmed(const Slice& timestamp) const;
  uint64_t ReadBytes() const;  // the size of the inputs that are read
  // The inputs without the unread ones, and without levels that lose all.
  std::vector<CompactionInputLevel> ReadInputs() const;
  // The user-key range of all inputs, both ends inclusive.
  void KeyRange(std::string* begin, std::string* end) const;
  // (mutex) Marks or unmarks every input file as being compacted.
  void MarkInputs(bool being_compacted) const;
  // What the family's options say of blob garbage, but as a user wants it for
  // this compaction. A cutoff outside [0, 1]: as the options say.
  void OverrideBlobCollection(BlobGarbageCollectionPolicy policy,
                              double age_cutoff);
};

}  // namespace ROCKSDB_NAMESPACE
