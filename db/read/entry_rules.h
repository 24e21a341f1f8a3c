// What one entry means to a reader of one moment: is it seen at all, and does
// it stand for a value, for a part of one, or for nothing?
//
// The moment is a sequence, and where keys have timestamps a timestamp, too:
// an entry is seen if neither is newer.
//
// Hot path   An entry of a state without range tombstones costs a comparison
//            of its sequence and a look at its type.
// Lifetime   From Begin() to End() it reads the super version and the options.
// Threads    One thread at a time.
// Errors     Those of reading range tombstones.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>

#include "db/family/super_version.h"
#include "db/read/tombstone_view.h"
#include "rocksdb/comparator.h"
#include "rocksdb/options.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

enum class EntryMeaning : uint8_t {
  kCovered,   // nothing: a range tombstone hides it, and what is older
  kDeletion,  // nothing: it hides what is older
  kOperand,   // a part of a value: it applies to what is older
  kValue,     // all of a value: nothing older counts
  kUnknown,   // the tombstones over it cannot be read
};

class EntryRules {
 public:
  // From now on as of `snapshot`, and of options.timestamp.
  Status Begin(const SuperVersion& state, const ReadOptions& options,
               const InternalKeyComparator& order, SequenceNumber snapshot) {
    order_ = &order;
    timestamp_size_ = order.timestamp_size();
    snapshot_ = snapshot;
    timestamp_ = options.timestamp != nullptr ? *options.timestamp : Slice();
    assert(timestamp_.size() == timestamp_size_ || timestamp_size_ == 0);
    tombstones_.emplace(state, options, snapshot);
    Status s = tombstones_->Init();
    has_tombstones_ = !tombstones_->empty();
    return s;
  }
  void End() { tombstones_.reset(); }
  // A later moment of the same state, which has no range tombstones: then, and
  // only then, the ones known are still all there are.
  void SeeUpTo(SequenceNumber snapshot) {
    assert(!has_tombstones_);
    snapshot_ = snapshot;
  }

  const InternalKeyComparator& order() const { return *order_; }
  size_t timestamp_size() const { return timestamp_size_; }
  SequenceNumber snapshot() const { return snapshot_; }
  // Empty: keys have none.
  const Slice& timestamp() const { return timestamp_; }
  bool has_tombstones() const { return has_tombstones_; }

  bool IsVisible(const ParsedInternalKey& entry) const {
    return entry.sequence <= snapshot_ &&
           (timestamp_size_ == 0 || !IsTooNew(entry.user_key));
  }
  // Is its timestamp newer than the moment?
  bool IsTooNew(const Slice& user_key) const {
    return CompareTimestamp(user_key, timestamp_) > 0;
  }
  int CompareTimestamp(const Slice& user_key, const Slice& timestamp) const {
    return order_->user_comparator()->CompareTimestamp(
        TimestampOf(user_key, timestamp_size_), timestamp);
  }

  // The entry must be visible. *problem is set for kUnknown alone.
  [[gnu::always_inline]] EntryMeaning MeaningOf(const ParsedInternalKey& entry,
                                                Status* problem) {
    assert(IsVisible(entry));
    if (has_tombstones_) {
      bool is_covered = false;
      Status s =
          tombstones_->IsDeleted(entry.user_key, entry.sequence, &is_covered);
      if (!s.ok()) {
        *problem = std::move(s);
        return EntryMeaning::kUnknown;
      }
      if (is_covered) return EntryMeaning::kCovered;
    }
    if (IsPointDeletion(entry.type)) return EntryMeaning::kDeletion;
    return entry.type == kTypeMerge ? EntryMeaning::kOperand
                                    : EntryMeaning::kValue;
  }

  // The key as users give it.
  Slice Given(const Slice& stored) const {
    assert(stored.size() >= timestamp_size_);
    return Slice(stored.data(), stored.size() - timestamp_size_);
  }

 private:
  const InternalKeyComparator* order_ = nullptr;
  size_t timestamp_size_ = 0;
  SequenceNumber snapshot_ = 0;
  Slice timestamp_;
  bool has_tombstones_ = false;
  std::optional<TombstoneView> tombstones_;
};

}  // namespace ROCKSDB_NAMESPACE
