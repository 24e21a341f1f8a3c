#include "db/intake/direct_blobs.h"

#include <algorithm>
#include <string>
#include <utility>

#include "db/family/column_family.h"
#include "db/jobs/job_contexts.h"
#include "db/outputs/memtable_blobs.h"
#include "db/registry/family_registry.h"
#include "db/semantics/value_separator.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/write_hooks.h"
#include "memtable/memtable.h"
#include "options/user_code.h"
#include "rocksdb/blob_file_partition_strategy.h"
#include "util/invariant.h"
#include "util/value/blob_index.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool IsLarge(const MutableCFOptions& options, const Slice& value) {
  return !value.empty() && value.size() >= options.min_blob_size;
}

// Deltas are no values, and what a section has is logged by itself.
bool IsPlain(const WriteThread::Writer& writer) {
  return !writer.is_refused &&
         (writer.hooks == nullptr || writer.hooks->section == nullptr) &&
         !writer.batch->HasMerge() &&
         !WriteBatchInternal::HasWalTermination(*writer.batch);
}

Status AddReplaced(const BatchEntry& entry, ValueType type, const Slice& value,
                   WriteBatch* to) {
  BatchEntry replaced = entry;
  replaced.type = type;
  replaced.value = value;
  return WriteBatchInternal::AddEntry(to, replaced);
}

// What stands for the entries from here on has checksums of its own.
Status CheckProtection(const WriteBatch& batch,
                       const std::vector<uint64_t>& protection) {
  std::vector<uint64_t> now;
  Status s = WriteBatchInternal::Checksums(batch, &now);
  if (!s.ok() || now == protection) return s;
  return Status::Corruption("write batch", "checksum mismatch of an update");
}

}  // namespace

DirectBlobs::Target* DirectBlobs::TargetOf(uint32_t id, Targets* targets) {
  const auto known = targets->find(id);
  if (known != targets->end()) return &known->second;
  Target& target = (*targets)[id];
  MutexLock lock(context_.mutex);
  const FamilyRef family = context_.families->Find(id);
  if (family == nullptr) return &target;  // The insertion tells.
  target.cfd = family->cfd.get();
  target.options = target.cfd->options();
  target.is_direct = target.cfd->ioptions().enable_blob_direct_write &&
                     ValueSeparator::Separates(*target.options, /*level=*/0) &&
                     target.cfd->mem()->options().in_place_callback == nullptr;
  return &target;
}

MemTableBlobs* DirectBlobs::BlobsOf(Target* target) {
  if (target->blobs != nullptr) return target->blobs;
  MemTable* const memtable = target->cfd->mem().get();
  target->blobs = MemTableBlobs::Of(*memtable);
  if (target->blobs != nullptr) return target->blobs;
  JobContext job;
  {
    MutexLock lock(context_.mutex);
    const FamilyRef family = context_.families->Find(target->cfd->id());
    INVARIANT(family != nullptr);
    job = context_.jobs->Make(family.get());
  }
  // MemTableBlobs keeps only those parts of `job` that outlive the family.
  auto made = std::make_shared<MemTableBlobs>(job);
  target->blobs = made.get();
  MutexLock lock(&live_mutex_);
  std::erase_if(live_, [](const auto& one) { return one.expired(); });
  live_.push_back(made);
  memtable->Attach(std::move(made));
  return target->blobs;
}

std::vector<std::shared_ptr<MemTableBlobs>> DirectBlobs::Live() const {
  std::vector<std::shared_ptr<MemTableBlobs>> live;
  MutexLock lock(&live_mutex_);
  for (const auto& one : live_) {
    if (auto blobs = one.lock()) live.push_back(std::move(blobs));
  }
  return live;
}

Status DirectBlobs::Sync() {
  for (const auto& blobs : Live()) {
    if (Status s = blobs->Sync(); !s.ok()) return s;
  }
  return Status::OK();
}

std::vector<UnlistedBlobFile> DirectBlobs::Unlisted() const {
  context_.mutex->AssertHeld();
  std::vector<UnlistedBlobFile> files;
  for (const auto& blobs : Live()) blobs->ListUnlisted(&files);
  return files;
}

bool DirectBlobs::HasUnlisted() const {
  if (!is_on()) return false;
  MutexLock lock(context_.mutex);
  return !Unlisted().empty();
}

Status DirectBlobs::Store(WriteThread::Group* group) {
  INVARIANT(group != nullptr);
  stored_.clear();
  Targets targets;
  Status s;
  group->ForEach([&](WriteThread::Writer* w) {
    if (s.ok() && IsPlain(*w)) s = StoreOne(w, &targets);
  });
  for (auto& [id, target] : targets) {
    if (target.blobs == nullptr) continue;
    Status flushed = target.blobs->Flush();
    if (s.ok()) s = std::move(flushed);
  }
  // Whatever older groups have left unsynced, too: the log will be durable as
  // a whole.
  if (s.ok() && group->needs_sync) s = Sync();
  if (!s.ok()) {
    group->ForEach([](WriteThread::Writer* w) { w->stored = nullptr; });
  }
  return s;
}

Status DirectBlobs::StoreOne(WriteThread::Writer* writer, Targets* targets) {
  bool has_large = false;
  Status s = HasLarge(*writer->batch, targets, &has_large);
  if (!s.ok() || !has_large) return s;
  const std::vector<uint64_t>* const protection =
      WriteBatchInternal::Protection(*writer->batch);
  if (protection != nullptr) s = CheckProtection(*writer->batch, *protection);
  WriteBatch& to = stored_.emplace_back();
  BatchReader reader(writer->batch->Data());
  BatchEntry entry;
  while (s.ok() && !reader.AtEnd()) {
    s = reader.Next(&entry);
    if (s.ok()) s = StoreEntry(entry, targets, &to);
  }
  if (!s.ok()) return s;
  INVARIANT(to.Count() == writer->batch->Count());
  if (protection != nullptr) s = WriteBatchInternal::AddProtection(&to);
  if (s.ok()) writer->stored = &to;
  return s;
}

Status DirectBlobs::HasLarge(const WriteBatch& batch, Targets* targets,
                             bool* result) {
  BatchReader reader(batch.Data());
  BatchEntry entry;
  while (!reader.AtEnd()) {
    Status s = reader.Next(&entry);
    if (!s.ok()) return s;
    if (entry.type == kTypeLogData) continue;
    if (!IsDataEntry(entry.type)) {
      *result = false;  // A section of a transaction.
      return s;
    }
    if (entry.type != kTypeValue && entry.type != kTypeWideColumnEntity) {
      continue;
    }
    const Target& target = *TargetOf(entry.column_family_id, targets);
    if (!target.is_direct) continue;
    if (entry.type == kTypeWideColumnEntity) {
      s = CheckEntity(entry, target, result);
      if (!s.ok()) return s;
    } else if (IsLarge(*target.options, entry.value)) {
      *result = true;
    }
  }
  return Status::OK();
}

Status DirectBlobs::CheckEntity(const BatchEntry& entry, const Target& target,
                                bool* has_large) const {
  if (RefersToBlobs(entry.value)) {
    return Status::NotSupported(
        "enable_blob_direct_write",
        "an entity that is written refers to blobs already");
  }
  if (!IsLarge(*target.options, entry.value)) return Status::OK();
  WideColumns columns;
  Slice entity = entry.value;
  Status s = DecodeWideColumns(entity, &columns);
  if (!s.ok()) return s;
  *has_large = *has_large ||
               std::any_of(columns.begin(), columns.end(),
                           [&target](const WideColumn& column) {
                             return IsLarge(*target.options, column.value());
                           });
  return s;
}

Status DirectBlobs::StoreEntry(const BatchEntry& entry, Targets* targets,
                               WriteBatch* to) {
  const bool is_value = entry.type == kTypeValue;
  if (!is_value && entry.type != kTypeWideColumnEntity) {
    return WriteBatchInternal::AddEntry(to, entry);
  }
  Target* const target = TargetOf(entry.column_family_id, targets);
  if (!target->is_direct || !IsLarge(*target->options, entry.value)) {
    return WriteBatchInternal::AddEntry(to, entry);
  }
  return is_value ? StoreValue(entry, target, to)
                  : StoreEntity(entry, target, to);
}

template <class Value>
Status DirectBlobs::Partition(const Target& target, const Slice& key,
                              const Value& value, uint32_t* partition) {
  const ImmutableCFOptions& options = target.cfd->ioptions();
  const uint32_t count = std::max(options.blob_direct_write_partitions, 1u);
  BlobFilePartitionStrategy* const strategy =
      options.blob_direct_write_partition_strategy.get();
  if (strategy == nullptr) {
    *partition = next_partition_++ % count;
    return Status::OK();
  }
  return CallUserCode("BlobFilePartitionStrategy", [&] {
    *partition =
        strategy->SelectPartition(count, target.cfd->id(), key, value) % count;
    return Status::OK();
  });
}

Status DirectBlobs::Put(Target* target, uint32_t partition, const Slice& key,
                        const Slice& value, std::string* reference) {
  BlobIndex index;
  bool is_added = false;
  Status s = BlobsOf(target)->Add(*target->options,
                                  {.family = *target->cfd->blobs(),
                                   .partition = partition,
                                   .user_key = key,
                                   .value = value},
                                  &index, &is_added);
  reference->clear();
  if (s.ok() && is_added) index.EncodeTo(reference);
  return s;
}

Status DirectBlobs::StoreValue(const BatchEntry& entry, Target* target,
                               WriteBatch* to) {
  uint32_t partition = 0;
  Status s = Partition(*target, entry.key, entry.value, &partition);
  std::string reference;
  if (s.ok()) s = Put(target, partition, entry.key, entry.value, &reference);
  if (!s.ok()) return s;
  return reference.empty() ? WriteBatchInternal::AddEntry(to, entry)
                           : AddReplaced(entry, kTypeBlobIndex, reference, to);
}

// All columns of an entity go to one partition.
Status DirectBlobs::StoreEntity(const BatchEntry& entry, Target* target,
                                WriteBatch* to) {
  StoredColumns stored;
  Status s = DecodeStoredColumns(entry.value, &stored);
  uint32_t partition = 0;
  if (s.ok()) s = Partition(*target, entry.key, stored.columns, &partition);
  std::vector<std::string> references(stored.columns.size());
  for (size_t i = 0; s.ok() && i < references.size(); ++i) {
    Slice& value = stored.columns[i].value();
    if (!IsLarge(*target->options, value)) continue;
    s = Put(target, partition, entry.key, value, &references[i]);
    if (!s.ok() || references[i].empty()) continue;
    value = references[i];
    stored.is_reference[i] = true;
  }
  std::string entity;
  if (s.ok()) s = EncodeStoredColumns(stored, &entity);
  return s.ok() ? AddReplaced(entry, kTypeWideColumnEntity, entity, to) : s;
}

}  // namespace ROCKSDB_NAMESPACE
