// The database that is read and written: its parts put together, opened and
// closed.
//
// Threads    See README.md beside this file for the order of locks.
#pragma once

#include <memory>
#include <string>

#include "db/impl/managed_db.h"
#include "db/intake/intake.h"
#include "db/lookup/read_writers.h"

namespace ROCKSDB_NAMESPACE {

struct OpenRequest;

class PrimaryDB final : public ManagedDB,
                        private BackgroundWork,
                        private ReadWriters {
 public:
  PrimaryDB(const DBOptions& sanitized, const OpenRequest& request);
  ~PrimaryDB() override;

  Status Resume() override;
  void FlushAndCancelBackgroundWork(bool wait) override;

 private:
  // --- opening
  Status PrepareDirectories() override;
  Status MakeParts() override;
  Status ReadLogs() override;
  Status BeginWork() override;
  bool IsReadOnly() const override { return false; }
  bool OpensTablesLater() const override {
    return base_.options.open_files_async;
  }
  JobErrors* errors() override;
  void MakeReads();
  void MakeChanges();
  void MakeTransactions();
  Intake::Surroundings Surroundings();
  Intake::Neighbours Neighbours();
  Intake::Lines Lines();
  Status RecoverLogs() REQUIRES(base_.mutex);
  Status CreateMissingFamilies() REQUIRES(base_.mutex);
  Status SetUpPersistentStats() EXCLUDES(base_.mutex);

  // --- closing
  Status CheckClosable() override;
  Status Shut() override;
  Status FlushUnlogged();
  void StopWork() override;
  void LogCleanEnd() EXCLUDES(base_.mutex);
  Status VerifyManifest() EXCLUDES(base_.mutex);

  // --- what parts below call, in one line each
  void FlushInBackground() override;
  void CompactInBackground() override;
  void CompactToBottomInBackground() override;
  void FlushSoon(uint32_t family, MemTable* memtable) override;
  void HideRange(ColumnFamilyData* cfd, const SuperVersion& state,
                 const RangeTombstone& dead) override EXCLUDES(base_.mutex);
  void OldestSnapshotGone() override;
};

}  // namespace ROCKSDB_NAMESPACE
