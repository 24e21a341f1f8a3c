// DBImpl: reads, which the port takes.
#include "db/impl/db_impl.h"
#include "db/jobs/flush_desk.h"
#include "db/lookup/many_keys.h"
#include "db/lookup/read_port.h"
#include "db/recovery/catch_up.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void DBImpl::SetUpReadPort() {
  INVARIANT(reads_ == nullptr);
  const bool writes = mode_ == Mode::kReadWrite;
  reads_ = std::make_shared<ReadPort>(ReadPort::Context{
      .owner = this,
      .db = &base_.options,
      .mutex = &base_.mutex,
      .versions = versions_.get(),
      .obsolete = obsolete_.get(),
      .has_unlogged = flushes_->has_unlogged(),
      .follow_mutex = Follows() ? catch_up_->showing() : nullptr,
      .writers = writes ? this : nullptr,
      .tracer = base_.tracer.get()});
}

Status DBImpl::Get(const ReadOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, PinnableSlice* value) {
  return reads_->Get(options, family, key, value, nullptr);
}

Status DBImpl::Get(const ReadOptions& options, ColumnFamilyHandle* family,
                   const Slice& key, PinnableSlice* value,
                   std::string* timestamp) {
  return reads_->Get(options, family, key, value, timestamp);
}

Status DBImpl::VisitEntries(ColumnFamilyHandle* family, const EntryRange& range,
                            const VisitEntry& visit) {
  return reads_->VisitEntries(family, range, visit);
}

Status DBImpl::GetEntity(const ReadOptions& options, ColumnFamilyHandle* family,
                         const Slice& key, PinnableWideColumns* columns) {
  return reads_->GetEntity(options, family, key, columns);
}

Status DBImpl::GetEntity(const ReadOptions& options, const Slice& key,
                         PinnableAttributeGroups* result) {
  return reads_->GetEntity(options, key, result);
}

Status DBImpl::GetMergeOperands(const ReadOptions& options,
                                ColumnFamilyHandle* family, const Slice& key,
                                PinnableSlice* merge_operands,
                                GetMergeOperandsOptions* operands_options,
                                int* number_of_operands) {
  return reads_->GetMergeOperands(options, family, key, merge_operands,
                                  operands_options, number_of_operands);
}

void DBImpl::MultiGet(const ReadOptions& options, ColumnFamilyHandle* family,
                      size_t num_keys, const Slice* keys, PinnableSlice* values,
                      Status* statuses, bool sorted_input) {
  std::vector<ColumnFamilyHandle*> families(num_keys, family);
  MultiGet(options, num_keys, families.data(), keys, values, statuses,
           sorted_input);
}

void DBImpl::MultiGet(const ReadOptions& options, size_t num_keys,
                      ColumnFamilyHandle** families, const Slice* keys,
                      PinnableSlice* values, Status* statuses,
                      bool sorted_input) {
  MultiGet(options, num_keys, families, keys, values, nullptr, statuses,
           sorted_input);
}

void DBImpl::MultiGet(const ReadOptions& options, size_t num_keys,
                      ColumnFamilyHandle** families, const Slice* keys,
                      PinnableSlice* values, std::string* timestamps,
                      Status* statuses, bool sorted_input) {
  ReadPort::ManyKeys many;
  many.count = num_keys;
  many.families = families;
  many.keys = keys;
  many.values = values;
  many.timestamps = timestamps;
  many.statuses = statuses;
  many.is_sorted = sorted_input;
  reads_->GetMany(options, &many);
}

void DBImpl::MultiGetEntity(const ReadOptions& options,
                            ColumnFamilyHandle* family, size_t num_keys,
                            const Slice* keys, PinnableWideColumns* results,
                            Status* statuses, bool sorted_input) {
  std::vector<ColumnFamilyHandle*> families(num_keys, family);
  MultiGetEntity(options, num_keys, families.data(), keys, results, statuses,
                 sorted_input);
}

void DBImpl::MultiGetEntity(const ReadOptions& options, size_t num_keys,
                            ColumnFamilyHandle** families, const Slice* keys,
                            PinnableWideColumns* results, Status* statuses,
                            bool sorted_input) {
  ReadPort::ManyKeys many;
  many.count = num_keys;
  many.families = families;
  many.keys = keys;
  many.columns = results;
  many.statuses = statuses;
  many.is_sorted = sorted_input;
  assert(num_keys == 0 || results != nullptr);
  reads_->GetMany(options, &many);
}

void DBImpl::MultiGetEntity(const ReadOptions& options, size_t num_keys,
                            const Slice* keys,
                            PinnableAttributeGroups* results) {
  reads_->GetMany(options, num_keys, keys, results);
}

Iterator* DBImpl::NewIterator(const ReadOptions& options,
                              ColumnFamilyHandle* family) {
  return reads_->NewIterator(options, family);
}

Status DBImpl::NewIterators(const ReadOptions& options,
                            const std::vector<ColumnFamilyHandle*>& families,
                            std::vector<Iterator*>* iterators) {
  return reads_->NewIterators(options, families, iterators);
}

std::unique_ptr<Iterator> DBImpl::NewCoalescingIterator(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& families) {
  return reads_->NewCoalescingIterator(options, families);
}

std::unique_ptr<AttributeGroupIterator> DBImpl::NewAttributeGroupIterator(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& families) {
  return reads_->NewAttributeGroupIterator(options, families);
}

const Snapshot* DBImpl::GetSnapshot() { return reads_->GetSnapshot(); }

void DBImpl::ReleaseSnapshot(const Snapshot* snapshot) {
  reads_->ReleaseSnapshot(snapshot);
}

}  // namespace ROCKSDB_NAMESPACE
