// What a batch and its options are refused for before it takes its turn.
//
// Threads    NoteFamily() by who makes a family, as the leader of all writes.
//            The others any.
// Ownership  Borrows what it is given.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "db/wal/write_batch_internal.h"
#include "db/write/batch_check.h"
#include "rocksdb/options.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class VersionSet;
struct ImmutableDBOptions;

class WriteChecks {
 public:
  // `mutex`: the DB mutex.
  WriteChecks(Mutex* mutex, VersionSet* versions)
      : mutex_(mutex), versions_(versions) {}
  WriteChecks(const WriteChecks&) = delete;
  WriteChecks& operator=(const WriteChecks&) = delete;

  // Whatever the database is.
  static Status CheckForm(const ImmutableDBOptions& db,
                          const WriteOptions& options,
                          const WriteBatch& batch) {
    const bool is_plain = WriteBatchInternal::IsChecked(batch) &&
                          !options.sync && !options.disableWAL &&
                          options.rate_limiter_priority == Env::IO_TOTAL;
    return is_plain ? Status::OK() : CheckUnusual(db, options, batch);
  }
  // Whether the families take its updates.
  Status Check(const WriteOptions& options, const WriteBatch& batch) const
      EXCLUDES(mutex_);
  // The same, of updates that may get their timestamps later.
  Status CheckUpdates(const WriteBatch& batch) const EXCLUDES(mutex_);
  // Checksums of each update, from here to the memtable. What the caller has
  // changed by mistake since it was added is noticed before it harms others.
  static Status Protect(const WriteOptions& options, WriteBatch* batch) {
    if (options.protection_bytes_per_key == 0 &&
        batch->GetProtectionBytesPerKey() == 0) {
      return Status::OK();
    }
    return AddOrVerifyChecksums(options, batch);
  }

  // There is a family, or one more: the default one first.
  void NoteFamily(const ColumnFamilyData* cfd);

 private:
  static Status CheckUnusual(const ImmutableDBOptions& db,
                             const WriteOptions& options,
                             const WriteBatch& batch);
  static Status CheckPriority(const ImmutableDBOptions& db,
                              const WriteOptions& options);
  static Status AddOrVerifyChecksums(const WriteOptions& options,
                                     WriteBatch* batch);
  std::optional<FamilyRules> RulesOf(uint32_t family_id, bool has_ranges) const
      EXCLUDES(mutex_);

  Mutex* const mutex_;
  VersionSet* const versions_;
  const ColumnFamilyData* default_ = nullptr;
  std::atomic<bool> has_timestamps_{false};  // some family's keys
  std::atomic<bool> lacks_merges_{false};  // some family has no merge operator
  std::atomic<bool> refuses_writes_{false};  // some family's data are tables
};

}  // namespace ROCKSDB_NAMESPACE
