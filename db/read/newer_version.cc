#include "db/read/newer_version.h"

#include <algorithm>
#include <cassert>

#include "db/family/column_family.h"
#include "db/read/point_read.h"
#include "db/read/shared_by_lookups.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// One key on its way down, place by place. Every place is asked by a lookup of
// its own, which begins with the newest version there.
class NewerWalk {
 public:
  NewerWalk(const PointRead& read, const LookupKey& key, SequenceNumber since,
            NewerVersion* found)
      : read_(read), key_(key), since_(since), found_(found), shared_(read) {}

  Status Run(bool wants_timestamp) {
    wants_timestamp_ = wants_timestamp;
    Status s = Walk();
    if (!s.ok() || found_->exists || tombstone_ <= since_) return s;
    s = WasThere(&found_->exists);
    if (found_->exists) found_->sequence = tombstone_;
    return s;
  }

 private:
  Status Walk() {
    if (InMemory()) return Status::OK();
    const VersionStorage& storage = read_.super_version->current->storage();
    if (!wants_timestamp_ && storage.LargestSequence() <= since_) {
      return Status::OK();
    }
    Status s = Level0(storage);
    const int last = storage.LastNonEmptyLevel();
    for (int level = 1; level <= last && s.ok() && !is_done_; ++level) {
      s = Level(storage, level);
    }
    return s;
  }

  bool InMemory() {
    const SuperVersion& state = *read_.super_version;
    if (InMemTable(*state.mem)) return true;
    for (size_t i = 0; i < state.imm->size(); ++i) {
      if (IsYoungEnough(i == 0 ? *state.mem : *(*state.imm)[i - 1])) break;
      if (InMemTable(*(*state.imm)[i])) return true;
    }
    return false;
  }

  // Nothing in memory that is older than `mem` can be newer than the moment.
  bool IsYoungEnough(const MemTable& mem) const {
    return !wants_timestamp_ && mem.options().earliest_sequence != 0 &&
           mem.options().earliest_sequence <= since_;
  }

  bool InMemTable(const MemTable& mem) {
    if (mem.empty()) return false;
    PointLookup lookup = NewLookup();
    mem.Get(key_, kMaxSequenceNumber, &lookup);
    return Take(lookup);
  }

  Status Level0(const VersionStorage& storage) {
    const InternalKeyComparator& order = storage.order();
    const Slice user_key = key_.user_key();
    for (const FileRef& file : storage.level0()) {
      if (order.CompareUserKeys(user_key, file->smallest.user_key()) < 0 ||
          order.CompareUserKeys(user_key, file->largest.user_key()) > 0) {
        continue;
      }
      if (Status s = InFile(*file, 0); !s.ok() || is_done_) return s;
    }
    return Status::OK();
  }

  Status Level(const VersionStorage& storage, int level) {
    const LevelFiles& files = storage.level(level);
    const InternalKeyComparator& order = storage.order();
    for (size_t i = files.FirstEndingAtOrAfter(key_.internal_key());
         i < files.size(); ++i) {
      const FileMeta& file = *files.at(i);
      if (order.CompareUserKeys(file.smallest.user_key(), key_.user_key()) >
          0) {
        break;
      }
      if (Status s = InFile(file, level); !s.ok() || is_done_) return s;
    }
    return Status::OK();
  }

  Status InFile(const FileMeta& file, int level) {
    if (!wants_timestamp_ && file.largest_sequence <= since_) {
      return Status::OK();
    }
    PointLookup lookup = NewLookup();
    const SuperVersion& state = *read_.super_version;
    Status s =
        state.cfd->tables()->Get(*read_.options, {&file, level}, *state.options,
                                 key_.internal_key(), &lookup);
    if (s.ok() && lookup.state() == PointLookup::State::kCorrupt) {
      return lookup.Finish();
    }
    if (s.ok()) Take(lookup);
    return s;
  }

  PointLookup NewLookup() {
    PointLookup lookup(shared_.context(), key_.user_key(), nullptr, nullptr);
    if (wants_timestamp_) lookup.ReportTimestamp(&found_->timestamp);
    return lookup;
  }

  // True: older places do not matter.
  bool Take(const PointLookup& lookup) {
    const bool has_version = lookup.state() != PointLookup::State::kNotFound;
    tombstone_ = std::max(tombstone_, lookup.tombstone());
    SequenceNumber sequence = has_version ? lookup.found_sequence() : 0;
    // With timestamps a tombstone counts whatever lies below it.
    if (wants_timestamp_) sequence = std::max(sequence, tombstone_);
    if (sequence > since_ && !found_->exists) {
      found_->exists = true;
      found_->sequence = std::max(sequence, tombstone_);
    }
    is_done_ = wants_timestamp_ ? has_version : found_->exists;
    return is_done_;
  }

  // A tombstone over a key that was not there then has changed nothing. An
  // iterator makes such ones of deletions that it has passed, see DeletionRun:
  // nobody has written them.
  Status WasThere(bool* was_there) const {
    PointRead then = read_;
    then.snapshot = since_;
    const LookupKey key(key_.user_key(), since_);
    PointLookup lookup(shared_.context(), key.user_key(), nullptr, nullptr);
    Status s = GetFromSuperVersion(then, key, &lookup);
    if (s.ok() && lookup.state() == PointLookup::State::kCorrupt) {
      return lookup.Finish();
    }
    *was_there = lookup.state() == PointLookup::State::kFound ||
                 lookup.state() == PointLookup::State::kMerge;
    return s;
  }

  const PointRead& read_;
  const LookupKey& key_;
  const SequenceNumber since_;
  NewerVersion* const found_;
  SharedByLookups shared_;
  bool wants_timestamp_ = false;
  bool is_done_ = false;
  SequenceNumber tombstone_ = 0;  // the newest over the key
};

}  // namespace

Status FindNewerVersion(const PointRead& read, const Slice& user_key,
                        SequenceNumber since, NewerVersion* found) {
  INVARIANT(read.super_version != nullptr);
  INVARIANT(found != nullptr);
  assert(read.options != nullptr && read.options->snapshot == nullptr);
  *found = {};
  const size_t timestamp_size =
      read.super_version->cfd->order().timestamp_size();
  std::string newest;
  AppendMaxTimestamp(&newest, timestamp_size);
  const LookupKey key(user_key, kMaxSequenceNumber, newest);
  return NewerWalk(read, key, since, found).Run(timestamp_size > 0);
}

}  // namespace ROCKSDB_NAMESPACE
