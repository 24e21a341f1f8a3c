// What the engine does with a WriteBatch beyond its public calls: the header,
// joining the batches of a commit group, checks of batches from a log.
//
// Threads  As WriteBatch.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <vector>

#include "db/wal/write_batch_format.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "rocksdb/write_batch.h"
#include "util/coding.h"
#include "util/invariant.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;

class WriteBatchInternal {
 public:
  static SequenceNumber Sequence(const WriteBatch& batch) {
    INVARIANT(batch.rep_.size() >= kBatchHeaderBytes);
    return DecodeFixed64(batch.rep_.data());
  }
  static void SetSequence(WriteBatch* batch, SequenceNumber sequence) {
    INVARIANT(batch->rep_.size() >= kBatchHeaderBytes);
    assert(sequence <= kMaxSequenceNumber);
    EncodeFixed64(batch->rep_.data(), sequence);
  }
  // 0 for bytes without a header: whoever reads them gets Corruption.
  static uint32_t Count(const WriteBatch& batch) {
    if (batch.rep_.size() < kBatchHeaderBytes) return 0;
    return DecodeFixed32(batch.rep_.data() + kBatchCountOffset);
  }
  static void SetCount(WriteBatch* batch, uint32_t count) {
    INVARIANT(batch->rep_.size() >= kBatchHeaderBytes);
    EncodeFixed32(batch->rep_.data() + kBatchCountOffset, count);
  }

  static Slice Contents(const WriteBatch& batch) { return batch.Data(); }
  static size_t ByteSize(const WriteBatch& batch) {
    return batch.GetDataSize();
  }
  // Takes over a record of a log. Corruption if it is too short for a header.
  static Status SetContents(WriteBatch* batch, const Slice& contents);

  // Which part of a batch is meant.
  enum class Part { kAll, kUpToWalTermination };
  // Adds the entries of `source` behind those of `target`.
  static Status Append(WriteBatch* target, const WriteBatch& source, Part part);
  // The part of `batch` that goes to the log: all of it, unless it has a WAL
  // termination point.
  static bool HasWalTermination(const WriteBatch& batch) {
    return !batch.GetWalTerminationPoint().is_cleared();
  }

  // The checksums of the updates, as they are now.
  static Status Checksums(const WriteBatch& batch,
                          std::vector<uint64_t>* checksums);
  // From now on the batch has them.
  static Status AddProtection(WriteBatch* batch);
  // Null: it has none.
  static const std::vector<uint64_t>* Protection(const WriteBatch& batch) {
    return batch.protection_.get();
  }

  // Adds one entry, as the public calls do. Column family 0 takes the short
  // tag. Also for entries without a public call (blob indexes, markers).
  static Status Add(WriteBatch* batch, ValueType type,
                    uint32_t column_family_id, const SliceParts& key,
                    const SliceParts* value);
  // The same of a call with a handle, null for the default family. Without a
  // timestamp, an entry of a family with timestamps keeps a place for one.
  struct Entry {
    ValueType type;
    ColumnFamilyHandle* column_family;
    const SliceParts& key;
    const SliceParts* value;  // null: it has none
  };
  static Status AddPlain(WriteBatch* batch, const Entry& entry);
  // The same for a key or value in pieces, which `call` was given.
  static Status AddParts(WriteBatch* batch, const Entry& entry,
                         const char* call);
  static Status AddStamped(WriteBatch* batch, const Entry& entry,
                           const Slice& timestamp);
  // Adds what another batch has: an update, or log data.
  static Status AddEntry(WriteBatch* batch, const BatchEntry& entry);
  // A marker without fields: Noop, begin of a prepared section.
  static void AddMarker(WriteBatch* batch, ValueType type);
  // Turns the Noop that stands first into the begin of a prepared section,
  // and ends it.
  static Status MarkEndPrepare(WriteBatch* batch, const Slice& xid,
                               ValueType begin_type);
  static void AddTransactionMarker(WriteBatch* batch, ValueType type,
                                   const Slice& xid);
  static void AddCommitWithTimestamp(WriteBatch* batch, const Slice& xid,
                                     const Slice& timestamp);
  // Writes the timestamp to these places, after which no key lacks one. All
  // entries were read before.
  static void SetTimestamps(WriteBatch* batch, const Slice& timestamp,
                            const std::vector<size_t>& places);

  // Set in the flags of a batch whose bytes were not looked at yet.
  static constexpr uint32_t kFlagsUnknown = uint32_t{1} << 31;
  // Set in the flags of a batch that holds somebody's bytes, until they are
  // found well-formed.
  static constexpr uint32_t kUnchecked = uint32_t{1} << 30;
  // Timestamps that UpdateTimestamps() is to fill in.
  static constexpr uint32_t kNeedsTimestamps = uint32_t{1} << 29;
  // An entry of the default family was added without a handle.
  static constexpr uint32_t kHasNullFamily = uint32_t{1} << 28;

  // Can it be written to a database whose default family has timestamps of
  // that size? Of the other families, the handles have said it.
  static Status CheckTimestamps(const WriteBatch& batch,
                                size_t default_timestamp_size) {
    constexpr uint32_t kSpeakOfTimestamps = kNeedsTimestamps | kHasNullFamily;
    const bool is_plain =
        (ContentFlags(batch) & kSpeakOfTimestamps) == 0 ||
        ((ContentFlags(batch) & kNeedsTimestamps) == 0 &&
         batch.default_cf_timestamp_size_ == default_timestamp_size);
    return is_plain ? Status::OK()
                    : RefuseTimestamps(batch, default_timestamp_size);
  }

  // Whether every entry can be read back, is counted, and is of a kind that
  // may be written: whatever fails here must not reach a log, which could not
  // be replayed. Free for a batch that our own calls have made, or that has
  // passed before.
  static Status Check(const WriteBatch& batch) {
    return IsChecked(batch) ? Status::OK() : CheckBytes(batch);
  }
  // That was seen before.
  static bool IsChecked(const WriteBatch& batch) {
    const uint32_t flags = batch.content_flags_.load(std::memory_order_relaxed);
    return (flags & kUnchecked) == 0;
  }

  // The kinds of entries, one bit each.
  static uint32_t ContentFlags(const WriteBatch& batch) {
    const uint32_t flags = batch.content_flags_.load(std::memory_order_relaxed);
    return (flags & kFlagsUnknown) == 0 ? flags & ~kUnchecked
                                        : FindContentFlags(batch);
  }
  // True if the batch has no entry of any kind.
  static bool IsEmpty(const WriteBatch& batch) {
    return batch.GetDataSize() <= 12;
  }

 private:
  static void Protect(WriteBatch* batch, ValueType type,
                      uint32_t column_family_id, const SliceParts& key,
                      const SliceParts* value);
  static void AddFlag(WriteBatch* batch, uint32_t flag);
  static uint32_t FindContentFlags(const WriteBatch& batch);
  static Status RefuseTimestamps(const WriteBatch& batch,
                                 size_t default_timestamp_size);
  static Status CheckBytes(const WriteBatch& batch);
  static Status AddLonger(WriteBatch* batch, const Entry& entry,
                          const Slice& timestamp);
};

}  // namespace ROCKSDB_NAMESPACE
