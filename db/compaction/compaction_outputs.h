// The files that one sub-compaction writes: cuts the stream of surviving
// entries into tables, and gives each its range tombstones.
//
// A file ends where it is full, or where it would overlap too much of the
// level below the output; never between two versions of one user key. Where
// there are files below, it ends at a border of one of them, that one at which
// its size is next to what is asked for, so that the next compaction of the
// file rewrites none of them for a few keys. What lies between files below
// becomes a file of its own if it is worth one: that can move down later. Range
// tombstones that cross a cut are cut there too, so each file's tombstones lie
// within its bounds.
//
// Threads    One thread.
// Ownership  The files that were finished are the job's to install or delete.
// Errors     The first one sticks; the unfinished file is gone.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/compaction/compaction.h"
#include "db/outputs/table_output.h"
#include "db/semantics/snapshot_stripes.h"
#include "db/semantics/tombstone_survivors.h"
#include "rocksdb/sst_partitioner.h"

namespace ROCKSDB_NAMESPACE {

class CompactionProgress;
class OlderData;

// What the user has for `compaction`. Null: nothing is partitioned. That is so
// of level 0, too, where every file is a run of its own. May throw.
std::unique_ptr<SstPartitioner> NewPartitioner(const ImmutableCFOptions& cf,
                                               const Compaction& compaction);

class CompactionOutputs {
 public:
  struct Context {
    const Compaction* compaction = nullptr;
    TableOutputRequest file;
    uint64_t max_file_bytes = 0;
    // Files of the level below, at whose bounds it is good to cut. Sorted.
    const std::vector<FileRef>* grandparents = nullptr;
    std::shared_ptr<const FragmentedTombstones> tombstones;  // null: none
    const SnapshotStripes* stripes = nullptr;
    const OlderData* older = nullptr;
    TombstoneRange range;  // the bounds of the sub-compaction
    // Only tombstones with sequences in [first, last] are written.
    SequenceNumber first_tombstone = 0;
    SequenceNumber last_tombstone = kMaxSequenceNumber;
    std::shared_ptr<SstPartitioner> partitioner;  // null: none
    CompactionProgress* progress = nullptr;       // null: nobody asks
  };
  using File = CompactionOutputFile;

  explicit CompactionOutputs(Context context);

  // `key` is internal; `begins_user_key`: no version of its user key was added
  // before; `source`: see TableOutput::Add().
  Status Add(const Slice& key, const Slice& value, bool begins_user_key,
             const WholeBlock* source) {
    const uint64_t entry_bytes = key.size() + value.size();
    if (begins_user_key && MustCutBefore(key, entry_bytes)) [[unlikely]] {
      const Slice border = ExtractUserKey(key);
      if (Status s = Close(border); !s.ok()) return s;
    }
    if (current_ == nullptr) [[unlikely]] {
      if (Status s = OpenFile(key); !s.ok()) return s;
    }
    current_->Add(key, value, source);
    if (context_.partitioner != nullptr) [[unlikely]] {
      const Slice user_key = ExtractUserKey(key);
      last_user_key_.assign(user_key.data(), user_key.size());
    }
    bytes_since_look_ += entry_bytes;
    return Status::OK();
  }
  // After the last entry: the last file, with the tombstones that are left.
  // All files are durable then.
  Status Finish();
  // Finishes those files that are full, for an end that is none: all but the
  // one that entries go to are durable then.
  Status FinishFull();
  // Deletes the files that are not finished.
  void Abandon() {
    current_.reset();
    sealed_.clear();
  }

  const std::vector<File>& files() const { return files_; }
  // The number of files that are finished, or full and yet to be finished.
  size_t ended_count() const { return files_.size() + sealed_.size(); }
  uint64_t dropped_tombstones() const { return dropped_tombstones_; }

 private:
  // Where a key lies, seen from the one before it.
  enum class Border : uint8_t {
    kNone,   // in the same file of the level below, or between the same two
    kEnter,  // in a file, and the one before was between files
    kLeave,  // behind one or more files
  };

  bool MustCutBefore(const Slice& key, uint64_t entry_bytes) {
    if (current_ == nullptr) return false;
    if (context_.partitioner != nullptr && MustPartition(key)) [[unlikely]] {
      return true;
    }
    const Border border = grandparent_ < grandparents().size()
                              ? PassGrandparents(ExtractUserKey(key))
                              : Border::kNone;
    // The size is a virtual call away and moves by blocks.
    const uint64_t ahead = is_upper_bound_ ? entry_bytes : 0;
    if (border == Border::kNone && bytes_since_look_ + ahead < kBytesPerLook)
        [[likely]] {
      return false;
    }
    bytes_since_look_ = 0;
    return IsFull(border) || (is_upper_bound_ && WouldPassBound(entry_bytes));
  }
  const std::vector<FileRef>& grandparents() const {
    return *context_.grandparents;
  }
  bool MustPartition(const Slice& key);
  Border PassGrandparents(const Slice& user_key);
  bool IsFull(Border border);
  bool IsGoodBorder(Border border, uint64_t bytes) const;
  bool WouldPassBound(uint64_t entry_bytes) const;
  Status OpenFile(const Slice& key);
  Status Close(const std::optional<Slice>& border);
  Status JoinOldest();

  static constexpr uint64_t kBytesPerLook = 4096;

  const Context context_;
  const InternalKeyComparator& order_;
  const bool is_upper_bound_;  // what max_file_bytes is
  const bool aligns_;          // a file may grow to reach a border
  std::unique_ptr<TableOutput> current_;
  // Full, and on their way to the device; oldest first.
  std::deque<std::unique_ptr<TableOutput>> sealed_;
  std::vector<File> files_;
  // The user key at which the current file's tombstones begin.
  std::optional<std::string> lower_;
  std::string last_user_key_;  // kept up for the partitioner alone
  uint64_t bytes_since_look_ = 0;
  size_t grandparent_ = 0;            // the first not wholly passed
  bool is_between_ = true;            // the last key is before it, not in it
  bool overlaps_ = false;             // does the file, with any so far?
  uint64_t border_count_ = 0;         // ends that the file has passed
  uint64_t grandparent_overlap_ = 0;  // bytes of those the file has passed
  uint64_t dropped_tombstones_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
