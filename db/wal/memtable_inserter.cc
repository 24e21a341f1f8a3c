#include "db/wal/memtable_inserter.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <vector>

#include "db/wal/column_family_handle_internal.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "memtable/memtable.h"
#include "memtable/values_in_place.h"
#include "util/invariant.h"
#include "util/key/entry_checksum.h"
#include "util/key/entry_limit.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class Inserter {
 public:
  Inserter(const InsertOptions& options, ColumnFamilyMemTables* families,
           InsertResult* result)
      : options_(options), families_(*families), result_(*result) {}
  // What was inserted counts, also before an error.
  ~Inserter() { Leave(); }
  Inserter(const Inserter&) = delete;
  Inserter& operator=(const Inserter&) = delete;

  // `checksum`: the KeyValueChecksum() that the entry has had so far.
  Status Apply(const BatchEntry& entry, const uint64_t* checksum) {
    assert(IsDataEntry(entry.type));
    checksum_ = checksum;
    if (!is_at_family_ || family_id_ != entry.column_family_id) {
      Enter(entry.column_family_id);
    }
    if (entry.type == kTypeRangeDeletion) return ApplyRange(entry);
    if (entry.type == kTypeValuePreferredSeqno) return ApplyTimed(entry);
    return Insert(entry.type, entry.key, entry.value);
  }

 private:
  void Enter(uint32_t family_id) {
    Leave();
    is_at_family_ = true;
    family_id_ = family_id;
    target_ = {};
    hint_.leaf.store(nullptr, std::memory_order_relaxed);  // this thread's
    is_known_ = families_.Find(family_id, &target_);
    assert(!is_known_ || target_.memtable != nullptr);
    timestamp_size_ =
        is_known_ ? target_.memtable->order().timestamp_size() : 0;
    if (is_known_ && options_.is_unlogged) target_.memtable->MarkUnlogged();
  }

  void Leave() {
    MemTable* const memtable = target_.memtable;
    if (memtable == nullptr || delta_.entries == 0) return;
    assert(is_known_);
    memtable->Count(delta_);
    delta_ = {};
    if (memtable->ShouldFlush() && memtable->MarkFlushScheduled()) {
      families_.OnFull(family_id_, memtable);
    }
  }

  Status Insert(ValueType type, const Slice& key, const Slice& value) {
    const SequenceNumber sequence = result_.next_sequence;
    if (!options_.shares_sequence) ++result_.next_sequence;
    if (!is_known_) {
      if (options_.ignore_missing_column_families) return Status::OK();
      return Status::InvalidArgument(
          "Invalid column family specified in write batch",
          "there is none with id " + std::to_string(family_id_));
    }
    if (options_.replayed_log_number != 0 &&
        options_.replayed_log_number < target_.log_number) {
      return Status::OK();
    }
    assert(target_.memtable != nullptr);
    assert(sequence <= kMaxSequenceNumber);
    if (!target_.memtable->options().takes_entries) [[unlikely]] {
      return FamilyTakesNoWrites();
    }
    if (timestamp_size_ != 0) {
      if (key.size() < timestamp_size_) return KeyTooShort();
      if (type == kTypeDeletion) type = kTypeDeletionWithTimestamp;
    }
    if (type == kTypeMerge && HasTooManyMerges(key, sequence)) {
      return InsertResolved({sequence, key, value});
    }
    return Add(sequence, type, key, value);
  }

  Status Add(SequenceNumber sequence, ValueType type, const Slice& key,
             const Slice& value) {
    const MemTable::Update update = {
        .sequence = sequence,
        .type = type,
        .key = key,
        .value = value,
        .checksum = checksum_,
        .hint = options_.keeps_hint ? &hint_ : nullptr};
    const bool is_delta =
        type == kTypeValue &&
        target_.memtable->options().in_place_callback != nullptr;
    if (is_delta) [[unlikely]]
      return AddByCallback(update);
    if (target_.memtable->options().in_place_locks > 0 &&
        target_.memtable->Overwrite(update)) {
      ++result_.overwritten_count;
      return Status::OK();
    }
    return AddEntry(update);
  }

  Status AddEntry(const MemTable::Update& update) {
    Status s = target_.memtable->Add(update, &delta_);
    if (s.ok()) ++result_.inserted_count;
    return s;
  }

  // What is stored is what the callback makes of the key's older value and of
  // the one that is put.
  Status AddByCallback(MemTable::Update update) {
    CallbackAnswer answer;
    bool is_found = false;
    Status s =
        target_.memtable->OverwriteByCallback(update, &is_found, &answer);
    if (s.ok() && is_found && answer.what == UPDATED_INPLACE) {
      ++result_.overwritten_count;
      return s;
    }
    std::string older;
    if (s.ok() && !is_found) s = AskAboutOlder(update, &older, &answer);
    if (!s.ok() || answer.what == UPDATE_FAILED) return s;
    update.value =
        answer.what == UPDATED_INPLACE ? Slice(older) : answer.merged;
    update.checksum = nullptr;  // It covers the delta.
    if (IsTooLarge(update.key, update.value)) {
      return Status::InvalidArgument("inplace_callback",
                                     "key and value are too large");
    }
    return AddEntry(update);
  }

  // Asks the callback about an older value that is not in the memtable: it may
  // change a copy.
  Status AskAboutOlder(const MemTable::Update& update, std::string* older,
                       CallbackAnswer* answer) {
    Status s =
        families_.ReadOlder(family_id_, update.sequence, update.key, older);
    if (!s.ok() && !s.IsNotFound()) return s;
    char* const bytes = s.ok() ? older->data() : nullptr;
    s = AskInPlaceCallback(target_.memtable->options().in_place_callback, bytes,
                           static_cast<uint32_t>(older->size()), update.value,
                           answer);
    if (s.ok() && answer->what == UPDATED_INPLACE) older->resize(answer->size);
    return s;
  }

  // A version with an older timestamp may still be written below: where there
  // are timestamps, operands wait for whoever reads them.
  bool HasTooManyMerges(const Slice& key, SequenceNumber sequence) const {
    const size_t most = target_.memtable->options().max_successive_merges;
    return most > 0 && timestamp_size_ == 0 &&
           options_.replayed_log_number == 0 &&
           target_.memtable->CountMerges(key, sequence, most) == most;
  }

  Status InsertResolved(const ColumnFamilyMemTables::PendingMerge& merge) {
    ValueType type = kTypeMerge;
    std::string value;
    // Where the result is too large for an entry, the operand is stored.
    if (!families_.Resolve(family_id_, merge, &type, &value) ||
        IsTooLarge(merge.key, value)) {
      return Add(merge.sequence, kTypeMerge, merge.key, merge.operand);
    }
    assert(type == kTypeValue || type == kTypeWideColumnEntity);
    checksum_ = nullptr;  // It covers the operand.
    return Add(merge.sequence, type, merge.key, value);
  }

  static bool IsTooLarge(const Slice& key, const Slice& value) {
    return IsEntryTooLarge(key.size() + kInternalKeyTrailerBytes, value.size());
  }
  static Status KeyTooShort() {
    return Status::Corruption("write batch", "a key without its timestamp");
  }

  Status ApplyRange(const BatchEntry& entry) {
    assert(entry.type == kTypeRangeDeletion);
    if (std::min(entry.key.size(), entry.value.size()) < timestamp_size_) {
      return KeyTooShort();
    }
    const int order = is_known_ ? target_.memtable->order().CompareUserKeys(
                                      entry.key, entry.value)
                                : (entry.key == entry.value ? 0 : -1);
    if (order == 0) return Status::OK();  // It takes no sequence.
    if (order > 0) {
      return Status::InvalidArgument("end key comes before start key");
    }
    return Insert(kTypeRangeDeletion, entry.key, entry.value);
  }

  // The time says where the entry may be placed later. Where nobody asks for
  // that, it is as any other of its sequence.
  Status ApplyTimed(const BatchEntry& entry) {
    Slice value = entry.value;
    assert(value.size() >= sizeof(uint64_t));
    if (is_known_ && target_.memtable->options().keeps_write_times) {
      return Insert(kTypeValuePreferredSeqno, entry.key, value);
    }
    value.remove_suffix(sizeof(uint64_t));
    checksum_ = nullptr;  // It covers the time too.
    return Insert(kTypeValue, entry.key, value);
  }

  const InsertOptions& options_;
  ColumnFamilyMemTables& families_;
  InsertResult& result_;

  // The family of the last entry, which the next one mostly shares.
  bool is_at_family_ = false;
  bool is_known_ = false;
  uint32_t family_id_ = 0;
  size_t timestamp_size_ = 0;
  ColumnFamilyMemTables::Target target_;
  MemTable::Delta delta_;
  EntryTree::Hint hint_;
  const uint64_t* checksum_ = nullptr;  // the applied entry's; null: none
};

// The last look at an update before it is in the memtable. What is left of its
// checksum there is the part of key and value.
Status CheckEntry(const BatchEntry& entry,
                  const std::vector<uint64_t>& protection, size_t index,
                  uint64_t* key_value_checksum) {
  if (index < protection.size() &&
      protection[index] == EntryChecksum(entry.type, entry.column_family_id,
                                         entry.key, entry.value)) {
    *key_value_checksum =
        protection[index] - KindChecksum(entry.type, entry.column_family_id);
    return Status::OK();
  }
  return Status::Corruption("write batch", "checksum mismatch of an update");
}

// Markers of transactions. A commit or rollback without its prepared section
// is of a transaction that is in table files already.
Status CheckMarker(ValueType type) {
  assert(!IsDataEntry(type));
  switch (type) {
    case kTypeBeginPrepareXID:
    case kTypeBeginPersistedPrepareXID:
    case kTypeBeginUnprepareXID:
    case kTypeEndPrepareXID:
      return Status::NotSupported(
          "WAL contains prepared transactions. Open with "
          "TransactionDB::Open().");
    default:
      return Status::OK();
  }
}

}  // namespace

Status ColumnFamilyMemTables::ReadOlder(uint32_t /*column_family_id*/,
                                        SequenceNumber /*sequence*/,
                                        const Slice& /*key*/,
                                        std::string* /*value*/) {
  return Status::NotSupported(
      "inplace_callback",
      "the family's older values are not to be had by this write");
}

Status InsertBatch(const WriteBatch& batch, const InsertOptions& options,
                   ColumnFamilyMemTables* families, InsertResult* result) {
  const Slice contents = WriteBatchInternal::Contents(batch);
  INVARIANT(families != nullptr);
  INVARIANT(result != nullptr);
  if (contents.size() < kBatchHeaderBytes) {
    return Status::Corruption("malformed WriteBatch (too small)");
  }
  *result = {.next_sequence = WriteBatchInternal::Sequence(batch)};
  if (result->next_sequence + WriteBatchInternal::Count(batch) >
      kMaxSequenceNumber) {
    return Status::Corruption("write batch", "sequence out of range");
  }
  Inserter inserter(options, families, result);
  BatchReader reader(contents);
  const std::vector<uint64_t>* protection =
      WriteBatchInternal::Protection(batch);
  uint32_t found = 0;
  while (!reader.AtEnd()) {
    BatchEntry entry;
    Status s = reader.Next(&entry);
    if (!s.ok()) return s;
    if (IsDataEntry(entry.type)) {
      // Checked before it is applied: an entry too many has no sequence.
      if (++found > WriteBatchInternal::Count(batch)) break;
      uint64_t checksum = 0;
      if (protection != nullptr) {
        s = CheckEntry(entry, *protection, found - 1, &checksum);
      }
      if (s.ok()) {
        s = inserter.Apply(entry, protection != nullptr ? &checksum : nullptr);
      }
    } else {
      s = CheckMarker(entry.type);
    }
    if (!s.ok()) return s;
  }
  if (found != WriteBatchInternal::Count(batch)) {
    return Status::Corruption("WriteBatch has wrong count");
  }
  assert(result->inserted_count <= found);
  assert(result->next_sequence <= WriteBatchInternal::Sequence(batch) + found);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
