#include "rocksdb/utilities/write_batch_with_index.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "db/read/read_timestamp.h"
#include "db/wal/write_batch_format.h"
#include "rocksdb/db.h"
#include "util/invariant.h"
#include "utilities/write_batch_with_index/batch_iterator.h"
#include "utilities/write_batch_with_index/batch_value.h"
#include "utilities/write_batch_with_index/family_index.h"
#include "utilities/write_batch_with_index/merged_iterator.h"

namespace ROCKSDB_NAMESPACE {

namespace {

const char kRangesNotBuilt[] = "DeleteRange unsupported in WriteBatchWithIndex";

}  // namespace

struct WriteBatchWithIndex::Rep {
  Rep(const Comparator* comparator, bool overwrites, WriteBatch plain)
      : default_order(comparator),
        overwrite_key(overwrites),
        batch(std::move(plain)) {
    INVARIANT(default_order != nullptr);
  }

  FamilyIndex* FamilyOf(uint32_t id, const Comparator* order) {
    const auto keeps =
        overwrite_key ? FamilyIndex::Keeps::kNewest : FamilyIndex::Keeps::kAll;
    return &families
                .try_emplace(id, order != nullptr ? order : default_order,
                             &batch, keeps)
                .first->second;
  }
  FamilyIndex* FamilyOf(ColumnFamilyHandle* handle) {
    if (handle == nullptr) return FamilyOf(0, nullptr);
    const Comparator* const order = handle->GetComparator();
    FamilyIndex* const index = FamilyOf(handle->GetID(), order);
    // Calls without a handle, or before Clear(), may have known another order.
    if (order != nullptr && index->entries().empty()) index->SetOrder(order);
    return index;
  }

  // Runs a call that adds to the batch, and indexes what it has added.
  template <class Call>
  Status Add(ColumnFamilyHandle* handle, const Call& call) {
    // Known from here on, with the order of its keys.
    FamilyOf(handle);
    const size_t before = batch.GetDataSize();
    Status s = call(&batch);
    if (s.ok()) s = Index(before, batch.GetDataSize());
    if (!s.ok()) return s;
    if (!indexed.empty() && indexed.back().end == before) {
      indexed.back().end = batch.GetDataSize();
    } else {
      indexed.push_back({before, batch.GetDataSize()});
    }
    return s;
  }

  Status Index(size_t from, size_t end) {
    const size_t size = batch.GetDataSize();
    BatchReader reader(batch.Data(), from);
    while (!reader.AtEnd() && size - reader.remaining_bytes() < end) {
      const size_t offset = size - reader.remaining_bytes();
      BatchEntry entry;
      if (Status s = reader.Next(&entry); !s.ok()) return s;
      if (!IsDataEntry(entry.type) || entry.type == kTypeRangeDeletion) {
        continue;
      }
      FamilyOf(entry.column_family_id, nullptr)->Add(entry, offset);
      ++update_count;
    }
    return Status::OK();
  }

  Status IndexAgain() {
    for (auto& [id, family] : families) family.Clear();
    update_count = 0;
    const size_t size = batch.GetDataSize();
    while (!indexed.empty() && indexed.back().begin >= size) indexed.pop_back();
    // A save point is between two updates.
    if (!indexed.empty()) {
      indexed.back().end = std::min(indexed.back().end, size);
    }
    for (const Span& span : indexed) {
      if (Status s = Index(span.begin, span.end); !s.ok()) return s;
    }
    return Status::OK();
  }

  // Bytes of the batch whose updates are indexed. The others were added to it
  // directly.
  struct Span {
    size_t begin = 0;
    size_t end = 0;
  };

  const Comparator* const default_order;
  const bool overwrite_key;
  WriteBatch batch;
  std::map<uint32_t, FamilyIndex> families;
  std::vector<Span> indexed;                   // ascending
  size_t update_count = 0;                     // updates in `indexed`
  std::unordered_map<uint32_t, CFStat> stats;  // GetCFStats() fills it
};

WriteBatchWithIndex::WriteBatchWithIndex(
    const Comparator* backup_index_comparator, size_t reserved_bytes,
    bool overwrite_key, size_t max_bytes, size_t protection_bytes_per_key)
    : rep_(std::make_unique<Rep>(
          backup_index_comparator, overwrite_key,
          WriteBatch(reserved_bytes, max_bytes, protection_bytes_per_key,
                     backup_index_comparator->timestamp_size()))) {}

WriteBatchWithIndex::~WriteBatchWithIndex() = default;
WriteBatchWithIndex::WriteBatchWithIndex(WriteBatchWithIndex&&) noexcept =
    default;
WriteBatchWithIndex& WriteBatchWithIndex::operator=(
    WriteBatchWithIndex&&) noexcept = default;

// --- Adding

Status WriteBatchWithIndex::Put(ColumnFamilyHandle* column_family,
                                const Slice& key, const Slice& value) {
  return rep_->Add(column_family, [&](WriteBatch* batch) {
    return batch->Put(column_family, key, value);
  });
}

Status WriteBatchWithIndex::Put(const Slice& key, const Slice& value) {
  return Put(nullptr, key, value);
}

Status WriteBatchWithIndex::Put(ColumnFamilyHandle* column_family,
                                const Slice& key, const Slice& ts,
                                const Slice& value) {
  return rep_->Add(column_family, [&](WriteBatch* batch) {
    return batch->Put(column_family, key, ts, value);
  });
}

Status WriteBatchWithIndex::TimedPut(ColumnFamilyHandle* /*column_family*/,
                                     const Slice& /*key*/,
                                     const Slice& /*value*/,
                                     uint64_t /*write_unix_time*/) {
  return Status::NotSupported("TimedPut in WriteBatchWithIndex");
}

Status WriteBatchWithIndex::PutEntity(ColumnFamilyHandle* column_family,
                                      const Slice& key,
                                      const WideColumns& columns) {
  return rep_->Add(column_family, [&](WriteBatch* batch) {
    return batch->PutEntity(column_family, key, columns);
  });
}

Status WriteBatchWithIndex::PutEntity(const Slice& key,
                                      const AttributeGroups& attribute_groups) {
  if (attribute_groups.empty()) {
    return Status::InvalidArgument("an entity needs attribute groups");
  }
  // Their families are to be known, with the order of their keys.
  for (const AttributeGroup& group : attribute_groups) {
    if (group.column_family() != nullptr) {
      rep_->FamilyOf(group.column_family());
    }
  }
  return rep_->Add(attribute_groups.front().column_family(),
                   [&](WriteBatch* batch) {
                     return batch->PutEntity(key, attribute_groups);
                   });
}

Status WriteBatchWithIndex::Merge(ColumnFamilyHandle* column_family,
                                  const Slice& key, const Slice& value) {
  return rep_->Add(column_family, [&](WriteBatch* batch) {
    return batch->Merge(column_family, key, value);
  });
}

Status WriteBatchWithIndex::Merge(const Slice& key, const Slice& value) {
  return Merge(nullptr, key, value);
}

Status WriteBatchWithIndex::Merge(ColumnFamilyHandle* column_family,
                                  const Slice& key, const Slice& ts,
                                  const Slice& value) {
  return rep_->Add(column_family, [&](WriteBatch* batch) {
    return batch->Merge(column_family, key, ts, value);
  });
}

Status WriteBatchWithIndex::Delete(ColumnFamilyHandle* column_family,
                                   const Slice& key) {
  return rep_->Add(column_family, [&](WriteBatch* batch) {
    return batch->Delete(column_family, key);
  });
}

Status WriteBatchWithIndex::Delete(const Slice& key) {
  return Delete(nullptr, key);
}

Status WriteBatchWithIndex::Delete(ColumnFamilyHandle* column_family,
                                   const Slice& key, const Slice& ts) {
  return rep_->Add(column_family, [&](WriteBatch* batch) {
    return batch->Delete(column_family, key, ts);
  });
}

Status WriteBatchWithIndex::SingleDelete(ColumnFamilyHandle* column_family,
                                         const Slice& key) {
  return rep_->Add(column_family, [&](WriteBatch* batch) {
    return batch->SingleDelete(column_family, key);
  });
}

Status WriteBatchWithIndex::SingleDelete(const Slice& key) {
  return SingleDelete(nullptr, key);
}

Status WriteBatchWithIndex::SingleDelete(ColumnFamilyHandle* column_family,
                                         const Slice& key, const Slice& ts) {
  return rep_->Add(column_family, [&](WriteBatch* batch) {
    return batch->SingleDelete(column_family, key, ts);
  });
}

Status WriteBatchWithIndex::DeleteRange(ColumnFamilyHandle* /*column_family*/,
                                        const Slice& /*begin_key*/,
                                        const Slice& /*end_key*/) {
  return Status::NotSupported(kRangesNotBuilt);
}

Status WriteBatchWithIndex::DeleteRange(const Slice& /*begin_key*/,
                                        const Slice& /*end_key*/) {
  return Status::NotSupported(kRangesNotBuilt);
}

Status WriteBatchWithIndex::DeleteRange(ColumnFamilyHandle* /*column_family*/,
                                        const Slice& /*begin_key*/,
                                        const Slice& /*end_key*/,
                                        const Slice& /*ts*/) {
  return Status::NotSupported(kRangesNotBuilt);
}

Status WriteBatchWithIndex::PutLogData(const Slice& blob) {
  return rep_->batch.PutLogData(blob);
}

void WriteBatchWithIndex::Clear() {
  rep_->batch.Clear();
  rep_->indexed.clear();
  rep_->update_count = 0;
  for (auto& [id, family] : rep_->families) family.Clear();
}

WriteBatch* WriteBatchWithIndex::GetWriteBatch() { return &rep_->batch; }

void WriteBatchWithIndex::SetSavePoint() { rep_->batch.SetSavePoint(); }

Status WriteBatchWithIndex::RollbackToSavePoint() {
  Status s = rep_->batch.RollbackToSavePoint();
  // What the index had replaced comes back.
  return s.ok() ? rep_->IndexAgain() : s;
}

Status WriteBatchWithIndex::PopSavePoint() {
  return rep_->batch.PopSavePoint();
}

void WriteBatchWithIndex::SetMaxBytes(size_t max_bytes) {
  rep_->batch.SetMaxBytes(max_bytes);
}

size_t WriteBatchWithIndex::GetDataSize() const {
  return rep_->batch.GetDataSize();
}

bool WriteBatchWithIndex::GetOverwriteKey() const {
  return rep_->overwrite_key;
}

const std::unordered_map<uint32_t, WriteBatchWithIndex::CFStat>&
WriteBatchWithIndex::GetCFStats() const {
  rep_->stats.clear();
  for (const auto& [id, family] : rep_->families) {
    if (family.entries().empty()) continue;
    CFStat& stat = rep_->stats[id];
    stat.entry_count = static_cast<uint32_t>(family.entries().size());
    if (!rep_->overwrite_key) continue;
    for (const IndexEntry& entry : family.entries()) {
      if (family.HasReplacedSingleDelete(entry)) ++stat.overwritten_sd_count;
    }
  }
  return rep_->stats;
}

size_t WriteBatchWithIndex::GetWBWIOpCount() const {
  return rep_->update_count;
}

// --- Cursors

WBWIIterator* WriteBatchWithIndex::NewIterator(
    ColumnFamilyHandle* column_family) {
  return std::make_unique<BatchIterator>(rep_->FamilyOf(column_family))
      .release();
}

WBWIIterator* WriteBatchWithIndex::NewIterator() {
  return NewIterator(nullptr);
}

Iterator* WriteBatchWithIndex::NewIteratorWithBase(
    ColumnFamilyHandle* column_family, Iterator* base_iterator,
    const ReadOptions* opts) {
  if (base_iterator == nullptr) {
    return NewErrorIterator(Status::InvalidArgument("base_iterator is null"));
  }
  std::unique_ptr<Iterator> base(base_iterator);
  MergedIterator::Context context;
  context.index = rep_->FamilyOf(column_family);
  context.family = column_family;
  if (opts != nullptr) {
    context.bounds = {.lower = opts->iterate_lower_bound,
                      .upper = opts->iterate_upper_bound};
    if (opts->prefix_same_as_start && column_family != nullptr) {
      ColumnFamilyDescriptor descriptor;
      if (Status s = column_family->GetDescriptor(&descriptor); !s.ok()) {
        return NewErrorIterator(s);
      }
      context.prefix_extractor = descriptor.options.prefix_extractor;
    }
  }
  return std::make_unique<MergedIterator>(std::move(base), context).release();
}

Iterator* WriteBatchWithIndex::NewIteratorWithBase(Iterator* base_iterator,
                                                   const ReadOptions* opts) {
  return NewIteratorWithBase(nullptr, base_iterator, opts);
}

// --- Reading

namespace {

// For what the batch alone can tell.
Status ValueInBatch(const FamilyIndex& index, ColumnFamilyHandle* family,
                    const Slice& key, BatchValue* value) {
  const BatchAnswer answer = index.Lookup(key);
  if (answer.NeedsMore() && !answer.operands.empty()) {
    return Status::MergeInProgress();
  }
  return value->Set(answer, MergeBase::None(), family, key);
}

// One key of a batch over a database.
struct OverDB {
  DB* db = nullptr;
  const ReadOptions& options;
  ColumnFamilyHandle* family = nullptr;

  // Where the batch has an answer to begin with.
  Status Read(const BatchAnswer& answer, const Slice& key,
              BatchValue* value) const {
    assert(!answer.IsUnknown());
    if (Status s = CheckTimestamp(); !s.ok()) return s;
    if (!answer.NeedsMore()) {
      return value->Set(answer, MergeBase::None(), family, key);
    }
    PinnableWideColumns below;
    Status s = db->GetEntity(options, family, key, &below);
    MergeBase base;
    std::string stored;
    if (s.ok()) s = MakeMergeBase(below.columns(), &stored, &base);
    if (!s.ok() && !s.IsNotFound()) return s;
    return value->Set(answer, base, family, key);
  }

 private:
  // Where the batch alone answers the database is not asked, which would say
  // so.
  Status CheckTimestamp() const {
    if (family == nullptr) return Status::OK();
    return CheckTimestampSize(family->GetName(),
                              family->GetComparator()->timestamp_size(),
                              options.timestamp);
  }
};

// Answers what the batch knows of many keys; the places of the others.
template <class Result>
std::vector<size_t> AnswerFromBatch(const FamilyIndex& index,
                                    const OverDB& over,
                                    const std::vector<Slice>& keys,
                                    Result* results, Status* statuses) {
  std::vector<size_t> left;
  for (size_t i = 0; i < keys.size(); ++i) {
    results[i].Reset();
    const BatchAnswer answer = index.Lookup(keys[i]);
    if (answer.IsUnknown()) {
      left.push_back(i);
      continue;
    }
    BatchValue found;
    statuses[i] = over.Read(answer, keys[i], &found);
    if (statuses[i].ok()) statuses[i] = found.CopyTo(&results[i]);
  }
  return left;
}

// Asks the database, by `call`, for the keys at the places that are left.
template <class Result, class Call>
void AnswerFromDB(const std::vector<Slice>& keys,
                  const std::vector<size_t>& left, const Call& call,
                  Result* results, Status* statuses) {
  if (left.empty()) return;
  std::vector<Slice> left_keys;
  for (const size_t place : left) left_keys.push_back(keys[place]);
  std::vector<Result> left_results(left.size());
  std::vector<Status> left_statuses(left.size());
  call(left_keys, left_results.data(), left_statuses.data());
  for (size_t i = 0; i < left.size(); ++i) {
    results[left[i]] = std::move(left_results[i]);
    statuses[left[i]] = std::move(left_statuses[i]);
  }
}

}  // namespace

Status WriteBatchWithIndex::GetFromBatch(ColumnFamilyHandle* column_family,
                                         const DBOptions& /*options*/,
                                         const Slice& key, std::string* value) {
  BatchValue found;
  Status s =
      ValueInBatch(*rep_->FamilyOf(column_family), column_family, key, &found);
  Slice plain;
  if (s.ok()) s = found.PlainValue(&plain);
  if (s.ok()) value->assign(plain.data(), plain.size());
  return s;
}

Status WriteBatchWithIndex::GetEntityFromBatch(
    ColumnFamilyHandle* column_family, const Slice& key,
    PinnableWideColumns* columns) {
  if (columns == nullptr) return Status::InvalidArgument("columns is null");
  columns->Reset();
  BatchValue found;
  Status s =
      ValueInBatch(*rep_->FamilyOf(column_family), column_family, key, &found);
  return s.ok() ? found.CopyTo(columns) : s;
}

Status WriteBatchWithIndex::GetFromBatchAndDB(DB* db,
                                              const ReadOptions& read_options,
                                              const Slice& key,
                                              std::string* value) {
  return GetFromBatchAndDB(db, read_options, db->DefaultColumnFamily(), key,
                           value);
}

Status WriteBatchWithIndex::GetFromBatchAndDB(DB* db,
                                              const ReadOptions& read_options,
                                              const Slice& key,
                                              PinnableSlice* value) {
  return GetFromBatchAndDB(db, read_options, db->DefaultColumnFamily(), key,
                           value);
}

Status WriteBatchWithIndex::GetFromBatchAndDB(DB* db,
                                              const ReadOptions& read_options,
                                              ColumnFamilyHandle* column_family,
                                              const Slice& key,
                                              std::string* value) {
  PinnableSlice pinned(value);
  Status s = GetFromBatchAndDB(db, read_options, column_family, key, &pinned);
  if (s.ok() && pinned.IsPinned()) value->assign(pinned.data(), pinned.size());
  return s;
}

Status WriteBatchWithIndex::GetFromBatchAndDB(DB* db,
                                              const ReadOptions& read_options,
                                              ColumnFamilyHandle* column_family,
                                              const Slice& key,
                                              PinnableSlice* value) {
  value->Reset();
  const BatchAnswer answer = rep_->FamilyOf(column_family)->Lookup(key);
  if (answer.IsUnknown()) {
    return db->Get(read_options, column_family, key, value);
  }
  BatchValue found;
  const OverDB over{db, read_options, column_family};
  Status s = over.Read(answer, key, &found);
  return s.ok() ? found.CopyTo(value) : s;
}

Status WriteBatchWithIndex::GetEntityFromBatchAndDB(
    DB* db, const ReadOptions& read_options, ColumnFamilyHandle* column_family,
    const Slice& key, PinnableWideColumns* columns) {
  if (columns == nullptr) return Status::InvalidArgument("columns is null");
  columns->Reset();
  const BatchAnswer answer = rep_->FamilyOf(column_family)->Lookup(key);
  if (answer.IsUnknown()) {
    return db->GetEntity(read_options, column_family, key, columns);
  }
  BatchValue found;
  const OverDB over{db, read_options, column_family};
  Status s = over.Read(answer, key, &found);
  return s.ok() ? found.CopyTo(columns) : s;
}

void WriteBatchWithIndex::MultiGetFromBatchAndDB(
    DB* db, const ReadOptions& read_options, ColumnFamilyHandle* column_family,
    size_t num_keys, const Slice* keys, PinnableSlice* values, Status* statuses,
    bool sorted_input) {
  const std::vector<Slice> all(keys, keys + num_keys);
  const auto left =
      AnswerFromBatch(*rep_->FamilyOf(column_family),
                      {db, read_options, column_family}, all, values, statuses);
  const auto ask = [&](const std::vector<Slice>& left_keys,
                       PinnableSlice* results, Status* left_statuses) {
    db->MultiGet(read_options, column_family, left_keys.size(),
                 left_keys.data(), results, left_statuses, sorted_input);
  };
  AnswerFromDB(all, left, ask, values, statuses);
}

void WriteBatchWithIndex::MultiGetEntityFromBatchAndDB(
    DB* db, const ReadOptions& read_options, ColumnFamilyHandle* column_family,
    size_t num_keys, const Slice* keys, PinnableWideColumns* results,
    Status* statuses, bool sorted_input) {
  const std::vector<Slice> all(keys, keys + num_keys);
  const auto left = AnswerFromBatch(*rep_->FamilyOf(column_family),
                                    {db, read_options, column_family}, all,
                                    results, statuses);
  const auto ask = [&](const std::vector<Slice>& left_keys,
                       PinnableWideColumns* left_results,
                       Status* left_statuses) {
    db->MultiGetEntity(read_options, column_family, left_keys.size(),
                       left_keys.data(), left_results, left_statuses,
                       sorted_input);
  };
  AnswerFromDB(all, left, ask, results, statuses);
}

}  // namespace ROCKSDB_NAMESPACE
