#include "db/wal/sub_batches.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr int kCountedEndNoops = 3;

bool BeginsSharedSection(ValueType type) {
  return type == kTypeBeginPersistedPrepareXID ||
         type == kTypeBeginUnprepareXID;
}

bool IsBegin(ValueType type) {
  return type == kTypeBeginPrepareXID || BeginsSharedSection(type);
}

Status MarkersDoNotPairUp() {
  return Status::Corruption("write batch",
                            "markers of a prepared section do not pair up");
}

// Walks over a record and cuts it.
class SubBatchCutter {
 public:
  SubBatchCutter(SequenceNumber first, const CompareKeys& compare,
                 std::vector<SubBatch>* parts)
      : parts_(*parts), sequence_(first), keys_(Less{compare}) {}

  Status Take(const BatchEntry& entry) {
    if (IsDataEntry(entry.type)) return TakeUpdate(entry);
    if (IsBegin(entry.type)) {
      if (!BeginsSharedSection(entry.type) || is_inside_) {
        return MarkersDoNotPairUp();
      }
      is_inside_ = true;
      kind_ = entry.type == kTypeBeginUnprepareXID ? SubBatch::Kind::kUnprepared
                                                   : SubBatch::Kind::kSection;
      is_empty_ = false;
      return Status::OK();
    }
    switch (entry.type) {
      case kTypeLogData:
        is_empty_ = false;
        return Status::OK();
      case kTypeNoop:
        if (!is_empty_) Close();
        return Status::OK();
      case kTypeEndPrepareXID:
        if (!is_inside_) return MarkersDoNotPairUp();
        Close();
        AddMarker(SubBatch::Kind::kEnd, entry.key);
        parts_.back().is_prepared = kind_ == SubBatch::Kind::kSection;
        is_inside_ = false;
        kind_ = SubBatch::Kind::kPlain;
        return Status::OK();
      case kTypeCommitXID:
      case kTypeCommitXIDAndTimestamp:
      case kTypeRollbackXID:
        if (is_inside_) return MarkersDoNotPairUp();
        // Undone values stand before their rollback, in its sub-batch.
        Close();
        AddMarker(entry.type == kTypeRollbackXID ? SubBatch::Kind::kRollback
                                                 : SubBatch::Kind::kCommit,
                  entry.key);
        return Status::OK();
      default:
        return Status::OK();
    }
  }

  Status Finish(SequenceNumber* next) {
    if (is_inside_) return MarkersDoNotPairUp();
    if (!is_empty_) Close();
    *next = sequence_;
    return Status::OK();
  }

 private:
  using FamilyKey = std::pair<uint32_t, Slice>;
  struct Less {
    bool operator()(const FamilyKey& a, const FamilyKey& b) const {
      if (a.first != b.first) return a.first < b.first;
      return compare(a.first, a.second, b.second) < 0;
    }
    CompareKeys compare;
  };

  Status TakeUpdate(const BatchEntry& entry) {
    const FamilyKey key(entry.column_family_id, entry.key);
    if (keys_.contains(key)) Close();
    is_empty_ = false;
    keys_.insert(key);
    return WriteBatchInternal::AddEntry(&updates_, entry);
  }

  void Close() {
    if (updates_.Count() > 0) {
      WriteBatchInternal::SetSequence(&updates_, sequence_);
      SubBatch& part = parts_.emplace_back();
      part.kind = kind_;
      part.updates = std::move(updates_);
    }
    updates_ = WriteBatch();
    keys_.clear();
    is_empty_ = true;
    ++sequence_;
  }

  void AddMarker(SubBatch::Kind kind, const Slice& name) {
    SubBatch& part = parts_.emplace_back();
    part.kind = kind;
    part.name = name;
  }

  std::vector<SubBatch>& parts_;
  SequenceNumber sequence_;
  SubBatch::Kind kind_ = SubBatch::Kind::kPlain;
  bool is_inside_ = false;  // a section has begun
  bool is_empty_ = true;    // the sub-batch has no entry
  WriteBatch updates_;
  std::set<FamilyKey, Less> keys_;  // the keys in the sub-batch
};

}  // namespace

void EndCountedBatch(WriteBatch* batch) {
  for (int i = 0; i < kCountedEndNoops; ++i) {
    WriteBatchInternal::AddMarker(batch, kTypeNoop);
  }
}

Status NumberingOf(const WriteBatch& record, Numbering in_doubt,
                   Numbering* numbering) {
  INVARIANT(numbering != nullptr);
  bool has_shared_section = false;
  bool is_empty = true;
  int spare_noops = 0;  // at the end
  ValueType last = kTypeNoop;
  bool has_entries = false;
  for (BatchReader reader(record.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    last = entry.type;
    has_entries = has_entries || IsDataEntry(last);
    has_shared_section = has_shared_section || BeginsSharedSection(last);
    spare_noops = last == kTypeNoop && is_empty ? spare_noops + 1 : 0;
    is_empty = !IsDataEntry(last) && !IsBegin(last) && last != kTypeLogData;
  }
  *numbering = Numbering::kByEntry;
  if (spare_noops >= kCountedEndNoops - 1) return Status::OK();
  if (has_shared_section) {
    *numbering = Numbering::kBySubBatch;
  } else if (last == kTypeNoop && spare_noops == 0 && has_entries) {
    *numbering = Numbering::kBySubBatch;
  } else if (last == kTypeCommitXID || last == kTypeRollbackXID) {
    *numbering = in_doubt;
  }
  return Status::OK();
}

Status CutIntoSubBatches(const WriteBatch& record, const CompareKeys& compare,
                         std::vector<SubBatch>* parts, SequenceNumber* next) {
  INVARIANT(parts != nullptr && next != nullptr);
  SubBatchCutter cutter(WriteBatchInternal::Sequence(record), compare, parts);
  for (BatchReader reader(record.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    Status s = reader.Next(&entry);
    if (s.ok()) s = cutter.Take(entry);
    if (!s.ok()) return s;
  }
  return cutter.Finish(next);
}

Status FoldUpdates(const WriteBatch& updates, WriteBatch* folded) {
  INVARIANT(folded != nullptr);
  using Key = std::pair<uint32_t, std::string_view>;
  std::vector<BatchEntry> entries;
  std::set<Key> paired;
  for (BatchReader reader(updates.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (IsDataEntry(entry.type)) entries.push_back(entry);
    if (entry.type == kTypeSingleDeletion) {
      paired.emplace(entry.column_family_id, entry.key.ToStringView());
    }
  }
  // From the newest on: below one that is no merge nothing of its key counts.
  std::set<Key> settled;
  std::vector<BatchEntry> kept;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const Key key(entry->column_family_id, entry->key.ToStringView());
    if (entry->type == kTypeRangeDeletion || paired.contains(key)) {
      kept.push_back(*entry);
      continue;
    }
    if (settled.contains(key)) continue;
    kept.push_back(*entry);
    if (entry->type != kTypeMerge) settled.insert(key);
  }
  for (auto entry = kept.rbegin(); entry != kept.rend(); ++entry) {
    if (Status s = WriteBatchInternal::AddEntry(folded, *entry); !s.ok())
      return s;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
