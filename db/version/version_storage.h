// The files of one column family by level, and what follows from them: sizes,
// targets, scores, the order of level 0, overlaps.
//
// Level 0 is newest first (db-format.md 5.7); deeper levels are LevelFiles.
//
// Threads    Immutable after Build() but for the files' `being_compacted`,
//            which, like every call marked (mutex), is guarded by the DB mutex.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "db/blob/blob_file.h"
#include "db/tables/file_meta.h"
#include "db/tables/level_files.h"
#include "db/version/compaction_needs.h"
#include "options/cf_options.h"
#include "rocksdb/status.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class VersionStorage {
 public:
  // A user-key range, both ends inclusive; nullptr = unbounded.
  struct KeyRange {
    const Slice* begin = nullptr;
    const Slice* end = nullptr;
  };

  VersionStorage(const InternalKeyComparator* order, int level_count);

  // Once. `levels[i]` in any order; level 0 gets sorted newest first.
  // Corruption if levels overlap or two L0 files of one epoch do
  // (check_consistency).
  Status Build(std::vector<std::vector<FileRef>> levels, bool check_consistency,
               BlobFileList blobs = {});

  int level_count() const { return level_count_; }
  const InternalKeyComparator& order() const { return *order_; }
  const std::vector<FileRef>& level0() const { return level0_; }
  // level >= 1.
  const LevelFiles& level(int level) const;
  // Any level, as a plain list.
  const std::vector<FileRef>& files(int level) const;
  size_t FileCount(int level) const { return files(level).size(); }
  size_t FileCount() const;
  uint64_t LevelBytes(int level) const {
    assert(level >= 0 && level < level_count_);
    return level_bytes_[level];
  }
  uint64_t TotalBytes() const;
  // The largest sequence of all entries in the files.
  SequenceNumber LargestSequence() const { return largest_sequence_; }
  // The deepest level with files; 0 if there is none deeper.
  int LastNonEmptyLevel() const { return last_non_empty_; }
  bool ContainsFile(int level, uint64_t number) const;

  // --- blob files
  const BlobFileList& blobs() const { return blobs_; }
  // The file with that number; null: this version has none.
  const BlobFileState* FindBlob(uint64_t number) const {
    return FindBlobFile(blobs_, number);
  }
  // The size of all blob files, with header and footer, garbage included.
  uint64_t BlobBytes() const;
  uint64_t BlobGarbageBytes() const;
  // References to blob files below this number are moved by a garbage
  // collection of the oldest `age_cutoff` of the files; 0: none are.
  uint64_t BlobCutoff(double age_cutoff) const;

  // --- targets and scores (mutex)
  // Has the family's style judge the files anew.
  void ComputeScores(const ImmutableCFOptions& cf,
                     const MutableCFOptions& options, ScoreTime time);
  int base_level() const { return needs_.base_level; }
  uint64_t TargetBytes(int level) const {
    assert(level >= 0 && level < level_count_);
    return needs_.target_bytes[level];
  }
  // Highest score first.
  const std::vector<LevelScore>& scores() const { return needs_.scores; }
  uint64_t PendingCompactionBytes() const { return needs_.pending_bytes; }
  // What counts against the stall triggers: files of level 0, in universal
  // style all sorted runs.
  int Level0StallCount() const { return needs_.stall_count; }
  // The time that ComputeScores() was told last.
  uint64_t scored_at_seconds() const { return needs_.judged_at.now_seconds; }
  // The same, as periodic compactions see it.
  uint64_t periodic_at_seconds() const {
    return needs_.judged_at.periodic_at_seconds();
  }
  // Is `file` of `level` read so often for its size that it is to be merged
  // with older data (read_triggered_compaction_threshold)? Each such merge
  // takes data to an older sorted run, and the oldest is left alone: it comes
  // to an end, however often its files are read.
  bool WantsMergeForReads(const MutableCFOptions& options, int level,
                          const FileMeta& file) const;
  // Marked, expired (ttl, periodic), often read or bottommost files that want
  // rewriting.
  const std::vector<std::pair<int, FileRef>>& FilesToRewrite() const {
    return needs_.files_to_rewrite;
  }
  // The blob file whose linked tables are to be rewritten, so that it can go;
  // 0: none.
  uint64_t forced_blob_file() const { return needs_.forced_blob_file; }
  // Recomputes the bottommost files whose versions no snapshot older than
  // `oldest_snapshot` needs (mutex).
  void NoteOldestSnapshot(SequenceNumber oldest_snapshot,
                          const MutableCFOptions& options,
                          uint64_t now_seconds);
  // These, with the level of each.
  const std::vector<std::pair<int, FileRef>>& FilesFreedBySnapshots() const {
    return bottommost_ready_;
  }
  // Is `file` one of them?
  bool IsFreedBySnapshots(const FileRef& file) const;

  // --- overlaps
  // Files of `level` that hold keys of the range, in level order. In level 0
  // the range grows until no further file joins ("expand").
  enum class Level0Growth : uint8_t { kNone, kTransitive };
  std::vector<FileRef> Overlapping(int level, const KeyRange& range,
                                   Level0Growth growth) const;
  bool HasOverlap(int level, const Slice& begin_user_key,
                  const Slice& end_user_key) const;
  // No file below `output_level`, nor an older level-0 file, can hold a key
  // within the inclusive range.
  bool IsBottommostFor(int output_level, const Slice& begin_user_key,
                       const Slice& end_user_key,
                       const FileMeta* oldest_level0_input) const;

  std::string DebugString() const;

 private:
  Status CheckLevel0() const;
  Status CheckBlobs() const;
  std::vector<FileRef> GrowInLevel0(const KeyRange& range) const;
  size_t FirstIn(int level, const KeyRange& range) const;
  bool BeginsAfter(const FileMeta& file, const KeyRange& range) const;

  const InternalKeyComparator* order_;
  int level_count_;
  int last_non_empty_ = 0;
  std::vector<FileRef> level0_;
  std::vector<LevelFiles> levels_;  // index 0 is unused
  BlobFileList blobs_;
  std::vector<uint64_t> level_bytes_;
  SequenceNumber largest_sequence_ = 0;
  CompactionNeeds needs_;
  std::vector<std::pair<int, FileRef>> bottommost_ready_;
  SequenceNumber oldest_snapshot_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
