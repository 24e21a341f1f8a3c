// Chooses the next compaction of a column family. Pure: looks at a version's
// files and the options, does no I/O, takes no lock, changes nothing but its
// own register of running compactions.
//
// Threads  Every call under the DB mutex.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/compaction/compaction.h"
#include "db/version/version_storage.h"

namespace ROCKSDB_NAMESPACE {

class CompactionPicker {
 public:
  struct Input {
    VersionRef version;
    std::string family_name;  // for messages
    const ImmutableCFOptions* cf = nullptr;
    std::shared_ptr<const MutableCFOptions> options;
    uint32_t max_subcompactions = 1;
    // By level: where round-robin picking goes on; may be null.
    const std::map<int, InternalKey>* cursors = nullptr;
    // Entries with larger sequences are too young for the last level.
    SequenceNumber last_level_up_to = kMaxSequenceNumber;
    // Entries with larger sequences must keep them.
    SequenceNumber zeroes_up_to = kMaxSequenceNumber;
  };

  // A manual compaction: the keys in [begin, end] of one level.
  struct Range {
    int input_level = 0;
    int output_level = 0;
    // Levels down to here that the files would be merged with next are merged
    // with at once, within max_compaction_bytes. No deeper than output_level:
    // none are.
    int deepest_level = 0;
    const Slice* begin = nullptr;  // user keys; null = open
    const Slice* end = nullptr;
    uint32_t output_path_id = 0;
    uint32_t max_subcompactions = 0;        // 0 = as the options say
    uint64_t max_file_number = UINT64_MAX;  // only files older than this
  };

  virtual ~CompactionPicker() = default;

  // True if Pick() may find something: a level wants a compaction, or a file to
  // be rewritten.
  virtual bool NeedsCompaction(const VersionStorage& storage) const;
  // The most urgent compaction that conflicts with no running one; null if
  // there is none.
  virtual std::unique_ptr<Compaction> Pick(const Input& input) = 0;

  // Null with *conflict = true if a running compaction is in the way (try
  // again when it ends), null with false if no file is in the range. When the
  // result covers only the front of the range, *rest is where the rest begins.
  virtual std::unique_ptr<Compaction> PickRange(
      const Input& input, const Range& range, bool* conflict,
      std::optional<InternalKey>* rest);

  // Exactly these files (by number), with what must go along; Status names
  // what is wrong with the request.
  Status PickFiles(const Input& input, const std::vector<uint64_t>& numbers,
                   int output_level, const CompactionOptions& options,
                   std::unique_ptr<Compaction>* result);

  void Register(const Compaction* compaction);
  void Unregister(const Compaction* compaction);
  bool HasRunning() const { return !running_.empty(); }
  // Will a running compaction write into `level` between these user keys, both
  // included?
  bool IsWriting(int level, const Slice& begin, const Slice& end) const;

 protected:
  // A file of `candidate` is being compacted, or both empty level 0, or both
  // change the order of level 0, or a running compaction writes to the same
  // level within its key range.
  bool Conflicts(const Compaction& candidate) const;
  // The last of these alone, for levels below level 0.
  bool WritesWhereOtherDoes(const Compaction& candidate) const;

  std::vector<const Compaction*> running_;
};

// The picker of the family's compaction_style.
std::unique_ptr<CompactionPicker> NewCompactionPicker(
    const ImmutableCFOptions& cf);

// One for each style: NewLeveledPicker() and so on.
#define COMPACTION_STYLE(style, Name, ...) \
  std::unique_ptr<CompactionPicker> New##Name##Picker();
#include "options/compaction_styles.def"

}  // namespace ROCKSDB_NAMESPACE
