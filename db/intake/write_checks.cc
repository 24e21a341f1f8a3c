#include "db/intake/write_checks.h"

#include <cassert>
#include <string>

#include "db/family/column_family.h"
#include "db/manifest/version_set.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "rocksdb/table.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status WriteChecks::CheckPriority(const ImmutableDBOptions& db,
                                  const WriteOptions& options) {
  if (options.rate_limiter_priority != Env::IO_USER) {
    return Status::InvalidArgument(
        "WriteOptions::rate_limiter_priority only allows Env::IO_TOTAL and "
        "Env::IO_USER due to implementation constraints");
  }
  if (options.disableWAL || db.manual_wal_flush) {
    return Status::InvalidArgument(
        "WriteOptions::rate_limiter_priority currently only supports "
        "rate-limiting automatic WAL flush, which requires "
        "`WriteOptions::disableWAL` and `DBOptions::manual_wal_flush` both set "
        "to false");
  }
  return Status::OK();
}

Status WriteChecks::CheckUnusual(const ImmutableDBOptions& db,
                                 const WriteOptions& options,
                                 const WriteBatch& batch) {
  if (Status s = WriteBatchInternal::Check(batch); !s.ok()) return s;
  assert(batch.GetDataSize() >= kBatchHeaderBytes);
  if (options.sync && options.disableWAL) {
    return Status::InvalidArgument("Sync writes has to enable WAL.");
  }
  if (options.rate_limiter_priority == Env::IO_TOTAL) return Status::OK();
  return CheckPriority(db, options);
}

Status WriteChecks::Check(const WriteOptions& options,
                          const WriteBatch& batch) const {
  if (options.protection_bytes_per_key != 0 &&
      options.protection_bytes_per_key != sizeof(uint64_t)) {
    return Status::InvalidArgument(
        "`WriteOptions::protection_bytes_per_key` must be zero or eight",
        std::to_string(options.protection_bytes_per_key));
  }
  Status s = WriteBatchInternal::CheckTimestamps(
      batch, default_->order().timestamp_size());
  return s.ok() ? CheckUpdates(batch) : s;
}

Status WriteChecks::CheckUpdates(const WriteBatch& batch) const {
  // acquire: pairs with the releases in NoteFamily().
  const bool has_ranges = batch.HasDeleteRange();
  const bool has_rules =
      has_ranges || has_timestamps_.load(std::memory_order_acquire) ||
      refuses_writes_.load(std::memory_order_acquire) ||
      (lacks_merges_.load(std::memory_order_acquire) && batch.HasMerge());
  if (!has_rules) return Status::OK();
  return CheckEntries(
      batch, [=, this](uint32_t id) { return RulesOf(id, has_ranges); });
}

// All rules of the default family are fixed but those of its tables, which only
// range deletions need: other writes look them up without the lock.
std::optional<FamilyRules> WriteChecks::RulesOf(uint32_t family_id,
                                                bool has_ranges) const {
  if (family_id == 0 && !has_ranges) {
    return FamilyRules{
        .order = default_->order(),
        .name = default_->name(),
        .has_merge_operator = default_->ioptions().merge_operator != nullptr,
        .tables_without_ranges = ""};
  }
  MutexLock lock(mutex_);
  const ColumnFamilyData* cfd = versions_->families()->Find(family_id);
  if (cfd == nullptr) return std::nullopt;
  const TableFactory& tables = *cfd->options()->table_factory;
  return FamilyRules{
      .order = cfd->order(),
      .name = cfd->name(),
      .has_merge_operator = cfd->ioptions().merge_operator != nullptr,
      .tables_without_ranges =
          tables.IsDeleteRangeSupported() ? "" : tables.Name(),
      .takes_writes = !cfd->ioptions().disallow_memtable_writes};
}

Status WriteChecks::AddOrVerifyChecksums(const WriteOptions& options,
                                         WriteBatch* batch) {
  if (options.protection_bytes_per_key != 0 &&
      batch->GetProtectionBytesPerKey() == 0) {
    return WriteBatchInternal::AddProtection(batch);
  }
  return batch->VerifyChecksum();
}

void WriteChecks::NoteFamily(const ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  if (cfd->id() == 0) default_ = cfd;
  INVARIANT(default_ != nullptr);
  // release: pairs with the acquire in CheckUpdates(), as below.
  if (cfd->order().timestamp_size() != 0) {
    has_timestamps_.store(true, std::memory_order_release);
  }
  if (cfd->ioptions().merge_operator == nullptr) {
    lacks_merges_.store(true, std::memory_order_release);
  }
  if (cfd->ioptions().disallow_memtable_writes) {
    refuses_writes_.store(true, std::memory_order_release);
  }
}

}  // namespace ROCKSDB_NAMESPACE
