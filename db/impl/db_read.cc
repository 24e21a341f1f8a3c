// ReadingDB: reads, which the port takes.
#include <cassert>

#include "db/impl/reading_db.h"
#include "db/lookup/many_keys.h"
#include "db/lookup/read_port.h"
#include "db/registry/family_handle.h"

namespace ROCKSDB_NAMESPACE {

ReadingDB::ReadingDB(const DBOptions& sanitized, const std::string& name,
                     const std::string& manifest_directory)
    : base_(sanitized, name, manifest_directory) {}

ReadingDB::~ReadingDB() = default;

Status ReadingDB::CheckHandle(ColumnFamilyHandle* family) const {
  return CheckFamilyHandle(this, family);
}

Status ReadingDB::Get(const ReadOptions& options, ColumnFamilyHandle* family,
                      const Slice& key, PinnableSlice* value) {
  return reads_->Get(options, family, key, value, nullptr);
}

Status ReadingDB::Get(const ReadOptions& options, ColumnFamilyHandle* family,
                      const Slice& key, PinnableSlice* value,
                      std::string* timestamp) {
  return reads_->Get(options, family, key, value, timestamp);
}

Status ReadingDB::VisitEntries(ColumnFamilyHandle* family,
                               const EntryRange& range,
                               const VisitEntry& visit) {
  return reads_->VisitEntries(family, range, visit);
}

Status ReadingDB::GetEntity(const ReadOptions& options,
                            ColumnFamilyHandle* family, const Slice& key,
                            PinnableWideColumns* columns) {
  return reads_->GetEntity(options, family, key, columns);
}

Status ReadingDB::GetEntity(const ReadOptions& options, const Slice& key,
                            PinnableAttributeGroups* result) {
  return reads_->GetEntity(options, key, result);
}

Status ReadingDB::GetEntityLazy(const ReadOptions& options,
                                ColumnFamilyHandle* family, const Slice& key,
                                LazyWideColumns* result) {
  return reads_->GetEntityLazy(options, family, key, result);
}

Status ReadingDB::GetMergeOperands(const ReadOptions& options,
                                   ColumnFamilyHandle* family, const Slice& key,
                                   PinnableSlice* merge_operands,
                                   GetMergeOperandsOptions* operands_options,
                                   int* number_of_operands) {
  return reads_->GetMergeOperands(options, family, key, merge_operands,
                                  operands_options, number_of_operands);
}

void ReadingDB::MultiGet(const ReadOptions& options, ColumnFamilyHandle* family,
                         size_t num_keys, const Slice* keys,
                         PinnableSlice* values, Status* statuses,
                         bool sorted_input) {
  std::vector<ColumnFamilyHandle*> families(num_keys, family);
  MultiGet(options, num_keys, families.data(), keys, values, statuses,
           sorted_input);
}

void ReadingDB::MultiGet(const ReadOptions& options, size_t num_keys,
                         ColumnFamilyHandle** families, const Slice* keys,
                         PinnableSlice* values, Status* statuses,
                         bool sorted_input) {
  MultiGet(options, num_keys, families, keys, values, nullptr, statuses,
           sorted_input);
}

void ReadingDB::MultiGet(const ReadOptions& options, size_t num_keys,
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

void ReadingDB::MultiGetEntity(const ReadOptions& options,
                               ColumnFamilyHandle* family, size_t num_keys,
                               const Slice* keys, PinnableWideColumns* results,
                               Status* statuses, bool sorted_input) {
  std::vector<ColumnFamilyHandle*> families(num_keys, family);
  MultiGetEntity(options, num_keys, families.data(), keys, results, statuses,
                 sorted_input);
}

void ReadingDB::MultiGetEntity(const ReadOptions& options, size_t num_keys,
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

void ReadingDB::MultiGetEntity(const ReadOptions& options, size_t num_keys,
                               const Slice* keys,
                               PinnableAttributeGroups* results) {
  reads_->GetMany(options, num_keys, keys, results);
}

void ReadingDB::MultiGetEntityLazy(const ReadOptions& options,
                                   ColumnFamilyHandle* family, size_t num_keys,
                                   const Slice* keys,
                                   LazyWideColumnsBatch* result,
                                   Status* statuses, bool sorted_input) {
  std::vector<ColumnFamilyHandle*> families(num_keys, family);
  ReadPort::ManyKeys many;
  many.count = num_keys;
  many.families = families.data();
  many.keys = keys;
  many.statuses = statuses;
  many.is_sorted = sorted_input;
  reads_->GetManyLazy(options, &many, result);
}

Iterator* ReadingDB::NewIterator(const ReadOptions& options,
                                 ColumnFamilyHandle* family) {
  return reads_->NewIterator(options, family);
}

Status ReadingDB::NewIterators(const ReadOptions& options,
                               const std::vector<ColumnFamilyHandle*>& families,
                               std::vector<Iterator*>* iterators) {
  return reads_->NewIterators(options, families, iterators);
}

std::unique_ptr<Iterator> ReadingDB::NewCoalescingIterator(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& families) {
  return reads_->NewCoalescingIterator(options, families);
}

std::unique_ptr<AttributeGroupIterator> ReadingDB::NewAttributeGroupIterator(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& families) {
  return reads_->NewAttributeGroupIterator(options, families);
}

const Snapshot* ReadingDB::GetSnapshot() { return reads_->GetSnapshot(); }

void ReadingDB::ReleaseSnapshot(const Snapshot* snapshot) {
  reads_->ReleaseSnapshot(snapshot);
}

}  // namespace ROCKSDB_NAMESPACE
