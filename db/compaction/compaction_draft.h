// A compaction in the making: collects input files, widens them until they
// may be compacted, and works out the rest of the description.
//
// Threads  Under the DB mutex.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "db/compaction/compaction_picker.h"

namespace ROCKSDB_NAMESPACE {

// Neighbouring files [first, end) of a level >= 1.
struct FileSpan {
  size_t first = 0;
  size_t end = 0;
  bool empty() const { return first >= end; }
  size_t size() const { return empty() ? 0 : end - first; }
  bool operator==(const FileSpan& other) const = default;
};

// The files of `level` with keys of the range.
FileSpan OverlapSpan(const VersionStorage& storage, int level,
                     const VersionStorage::KeyRange& range);
// `span` widened until no file outside shares a user key with one inside:
// versions of one key must not be torn apart.
FileSpan CleanCut(const VersionStorage& storage, int level, FileSpan span);

// Bytes of files, more the more of their entries are deletions: compacting them
// frees what they delete, a value each, and what their range deletions are
// known to cover.
class CompensatedSizes {
 public:
  explicit CompensatedSizes(const VersionStorage& storage)
      : storage_(storage) {}

  uint64_t BytesOf(const FileMeta& file);

 private:
  // What a value takes in the files of all levels, compressed as they are; 0 if
  // no file is known to have one. Cost: looks at all files, once.
  uint64_t ValueBytes();

  const VersionStorage& storage_;
  std::optional<uint64_t> value_bytes_;  // null: nobody has asked so far
};

class CompactionDraft {
 public:
  CompactionDraft(const CompactionPicker::Input& input, int start_level,
                  int output_level);

  // The files of the start level.
  void SetLevel0(std::vector<FileRef> newest_first);
  void SetSpan(FileSpan span);
  const FileSpan& span() const { return span_; }
  // Files of a level below the start level that AddLowerLevels() takes in any
  // case, with all between them.
  void Demand(int level, const FileSpan& span);

  // Adds what the inputs so far overlap in each level below the start level,
  // down to the output level.
  void AddLowerLevels();
  // Takes in more files of the start level where that makes no file of the
  // output level join.
  void GrowStartLevel();

  bool IsBusy() const;  // a file is being compacted
  uint64_t Bytes() const;
  uint64_t StartBytes() const;
  bool HasOutputLevelFiles() const;  // or files of a level on the way there
  bool MergesIntoOutputLevel() const { return !files_.back().empty(); }
  size_t StartFileCount() const;

  std::unique_ptr<Compaction> Finish(CompactionReason reason) const;

 private:
  struct Bounds {
    Slice begin;
    Slice end;
    VersionStorage::KeyRange range() const { return {&begin, &end}; }
  };
  std::vector<FileRef> SpanFiles(int level, const FileSpan& span) const;
  Bounds BoundsOf(const std::vector<std::vector<FileRef>>& levels) const;
  std::vector<std::vector<FileRef>> LowerLevels(
      const std::vector<FileRef>& start) const;
  std::vector<FileRef> WiderStart(const Bounds& bounds) const;
  bool IsTrivialMove(const Compaction& compaction) const;
  void PlaceYoung(Compaction* compaction) const;
  void FindGrandparents(const Bounds& bounds, Compaction* compaction) const;
  void ChooseCodec(Compaction* compaction) const;

  const CompactionPicker::Input& input_;
  const VersionStorage& storage_;
  const int start_level_;
  const int output_level_;
  FileSpan span_;
  // By distance from the start level; the last is the output level, unless
  // that is the start level itself.
  std::vector<std::vector<FileRef>> files_;
  std::vector<FileSpan> demanded_;  // likewise
};

// Is half of what `files`, of the level above the last, hold old enough for the
// last level? Rewriting them for less would be repeated over and over.
bool HoldsEnoughOldData(const CompactionPicker::Input& input,
                        const std::vector<FileRef>& files);
// Is `level` where data wait until they are old enough for the last level?
bool IsYoungLevel(const CompactionPicker::Input& input, int level);

// Where a new file of `level` goes: data that change more often to earlier
// paths, as long as these have room by their target sizes.
uint32_t OutputPathId(const ImmutableCFOptions& cf,
                      const MutableCFOptions& options, int level);

}  // namespace ROCKSDB_NAMESPACE
