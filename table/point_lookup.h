// The state of one point lookup as it goes down the tree, newest data first:
// memtable, immutable memtables, level 0, deeper levels. Each place feeds the
// versions of the user key that it holds; the lookup says when it has enough.
// With user-defined timestamps these are all versions as of the one that is
// read at, newer timestamps first.
//
// A value stops it; a deletion stops it; merge operands gather until a value,
// a deletion or the end of the tree gives them a base. A version older than
// the newest range tombstone seen so far counts as a deletion.
//
// Threads    One thread.
// Ownership  The value is pinned by moving the feeder's cleanup into the
//            caller's PinnableSlice, or copied into it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/cleanable.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "table/full_merge.h"
#include "table/merge_operand_list.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class BlobFetcher;
class BlockCacheTracer;
class Comparator;
class Logger;
class LookupRecord;
class PinnableWideColumns;
class Statistics;
class SystemClock;
struct StoredAnswer;

class PointLookup {
 public:
  enum class State : uint8_t {
    kNotFound,  // nothing of the key seen yet
    kFound,
    kDeleted,
    kMerge,  // operands gathered, no base yet
    kCorrupt,
  };

  struct Context {  // Shared by all keys of one call; outlives the lookups.
    const InternalKeyComparator* order = nullptr;
    const MergeOperator* merge_operator = nullptr;
    Logger* logger = nullptr;
    Statistics* statistics = nullptr;
    SystemClock* clock = nullptr;
    // Null: a value in a blob file is NotSupported.
    const BlobFetcher* blobs = nullptr;
    // Not null: what would be merged is gathered there instead.
    MergeOperandList* gather = nullptr;
    // More operands than that in one merge are reported.
    std::optional<size_t> merge_operand_count_threshold = std::nullopt;
    // Versions with larger sequences are passed over: an older timestamp may
    // have been written later.
    SequenceNumber snapshot = kMaxSequenceNumber;
    // The number of the call in a trace of the block cache; 0: none yet.
    mutable uint64_t trace_id = 0;
  };

  // `user_key` is a stored one: with timestamps, that of the read ends it.
  // `value` may be null (existence only) and must be reset by the caller.
  // `columns` takes a wide-column result instead of `value` when not null.
  PointLookup(const Context& context, const Slice& user_key,
              PinnableSlice* value, PinnableWideColumns* columns);

  // Offers one version of some key at or after the wanted one. True: go on
  // feeding (a merge needs more). False: stop: the key is decided, or `key`
  // belongs to another user key. `pin` (may be null) is a cleanable that keeps
  // `value` alive: its cleanups may be taken over.
  bool Add(const ParsedInternalKey& key, const Slice& value, Cleanable* pin);

  // Where the references of the place that feeds next lead to; null: to blob
  // files. What it adds is noted whole.
  void SetEmbedded(const BlobFetcher* blobs) { embedded_ = blobs; }

  // References to blobs are not followed, but for those that are merged:
  // `value` is that of `stored`, which says what it is. Null: they are.
  void KeepStored(StoredAnswer* stored) { stored_ = stored; }

  // Notes in `record` what is added of the key from now on; null: nowhere.
  void RecordTo(LookupRecord* record) { record_ = record; }

  // A place covered by range tombstones reports the newest one over the key
  // that is visible, before it feeds versions.
  void NoteTombstone(SequenceNumber sequence) {
    if (sequence > tombstone_) tombstone_ = sequence;
  }
  SequenceNumber tombstone() const { return tombstone_; }
  // A place cannot tell what it holds of the key: that decides the lookup.
  void NoteCorruption(Status status);
  // *timestamp becomes that of the newest version; untouched if there is none.
  void ReportTimestamp(std::string* timestamp) { timestamp_ = timestamp; }

  // True once nothing older can change the answer.
  bool IsDecided() const {
    return state_ != State::kNotFound && state_ != State::kMerge;
  }
  State state() const { return state_; }
  // The number of the call that it belongs to, in the trace of `tracer`.
  uint64_t TraceId(BlockCacheTracer* tracer) const;
  Slice user_key() const { return user_key_; }
  SequenceNumber found_sequence() const { return found_sequence_; }

  // After the last place: merges what is gathered, and turns the state into
  // the caller's status (OK, NotFound, Corruption, merge failure).
  Status Finish();

 private:
  void AddOperand(const Slice& operand);
  void GatherOperand(const Slice& operand);
  void GatherBase(const Slice& value);
  void AddDeletion();
  void AddPlain(const Slice& value, Cleanable* pin);
  void AddEntity(const Slice& entity, Cleanable* pin);
  void AddEntityOfBlobs(const Slice& stored_key, const Slice& entity);
  void AddBlob(const Slice& stored_key, const Slice& reference);
  void KeepReferences(const ParsedInternalKey& key, const Slice& value,
                      Cleanable* pin);
  bool AddEmbedded(const ParsedInternalKey& key, const Slice& value);
  void MergeOnto(const MergeBase& base);
  bool WantsValue() const {
    return state_ == State::kMerge || value_ != nullptr ||
           columns_ != nullptr || context_.gather != nullptr;
  }
  Status Found() const;
  void Fail(Status status);

  const Context& context_;
  Slice user_key_;
  PinnableSlice* value_;
  PinnableWideColumns* columns_;
  std::string* timestamp_ = nullptr;  // null: nobody asks for it
  SequenceNumber tombstone_ = 0;
  SequenceNumber found_sequence_ = kMaxSequenceNumber;
  State state_ = State::kNotFound;
  LookupRecord* record_ = nullptr;
  StoredAnswer* stored_ = nullptr;
  const BlobFetcher* embedded_ = nullptr;
  std::vector<Slice> operands_;  // newest first
  std::vector<std::unique_ptr<char[]>> operand_bytes_;
  size_t merged_count_ = 0;  // operands that were merged
  Status failure_;
};

}  // namespace ROCKSDB_NAMESPACE
