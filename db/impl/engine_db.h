// A database of this engine, of any kind: how it is opened and closed, its
// handles, and what is asked of its background work and logs.
//
// What only some kinds have is theirs (UnwritableDB, PrimaryDB): each says in
// its own steps what it makes, in which order, and how it ends that again.
//
// Threads    See README.md beside this file for the order of locks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/impl/background_parts.h"
#include "db/impl/observed_db.h"
#include "db/manifest/version_set.h"
#include "db/observe/observatory.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundControl;
class CleanUp;
class CompactionQueue;
class FamilyAttacher;
class Intake;
class JobErrors;
class LinkedFiles;
class LogKeeper;
class WaitLimit;
class WalManager;

// What opening `path` would say if it were tried.
Status NoSuchFile(const std::string& path);

class EngineDB : public ObservedDB {
 public:
  using Families = std::vector<ColumnFamilyDescriptor>;
  using Handles = std::vector<ColumnFamilyHandle*>;

  EngineDB(const DBOptions& sanitized, const std::string& name,
           const std::string& manifest_directory);
  ~EngineDB() override;

  // Opens; on failure the object is only good for destruction.
  Status Start(const Families& families, Handles* handles);
  Status Close() override;

  // Writes to the LOG which of the caller's options were changed.
  void TellChangedOptions(const DBOptions& given,
                          const Families& families) const;

  ColumnFamilyHandle* DefaultColumnFamily() const override;
  Status GetSortedWalFiles(VectorWalPtr& files) override;
  Status GetUpdatesSince(
      SequenceNumber sequence, std::unique_ptr<TransactionLogIterator>* iter,
      const TransactionLogIterator::ReadOptions& read_options) override;
  Status TryCatchUpWithPrimary() override;
  Status GetCreationTimeOfOldestFile(uint64_t* creation_time) override;

  Status WaitForCompact(const WaitForCompactOptions& options) override;
  Status PauseBackgroundWork() override;
  Status ContinueBackgroundWork() override;
  Status EnableAutoCompaction(
      const std::vector<ColumnFamilyHandle*>& families) override;
  void DisableManualCompaction() override;
  void EnableManualCompaction() override;
  void AbortAllCompactions() override;
  void ResumeAllCompactions() override;
  void AbortCompactions(ColumnFamilyHandle* family) override;
  void ResumeCompactions(ColumnFamilyHandle* family) override;

  // For CancelAllBackgroundWork(): stops compactions and flushes, once what no
  // log holds is flushed, as when the database is closed.
  virtual void FlushAndCancelBackgroundWork(bool wait);
  // For the functions of the same name.
  virtual Status DeleteFilesInRanges(ColumnFamilyHandle* family,
                                     const RangePtr* ranges, size_t n,
                                     bool include_end) = 0;

 protected:
  // The parts of a database that writes and works in the background; all are
  // null in one that does not.
  struct Writers {
    WriteController* controller = nullptr;
    LeaderAttention* attention = nullptr;
    BackgroundWork* work = nullptr;
  };
  // The constructors of the kinds call it.
  void MakeGround(const Writers& writers);
  // Their destructors call it.
  void Leave();

  // --- opening (db_start.cc, db_load.cc): what each kind does of it, in order
  // The directory is there, locked if it has to be, and LOG is open.
  virtual Status PrepareDirectories() = 0;
  // All that stands on the versions.
  virtual Status MakeParts() = 0;
  // What nothing but the logs holds.
  virtual Status ReadLogs() = 0;
  // It is open: what goes on by itself from now on.
  virtual Status BeginWork() = 0;
  virtual bool IsReadOnly() const { return true; }
  virtual bool RecoversWithBestEfforts() const;
  // open_files_async, where it counts.
  virtual bool OpensTablesLater() const { return false; }
  // Where errors of background work go; null: nobody can do anything about it.
  virtual JobErrors* errors() { return nullptr; }

  // --- steps that kinds share
  void OpenInfoLog();
  void MakeVersions(const std::shared_ptr<LinkedFiles>& links);
  // Null, each, where nothing is written: `wal`, `logs` and the others.
  void MakeCleanUp(WalManager* wal);
  void MakeAttacher(LogKeeper* logs, Intake* intake);
  void MakeControl(CompactionQueue* compactions);
  void MakeObservatory(const WriteController* writes, const WalManager* wal);
  // persist_stats_to_disk: the family of the history; null: there is none.
  ColumnFamilyRef FindStatsFamily() EXCLUDES(base_.mutex);
  Status KeepStatsIn(ColumnFamilyRef cfd, Observatory::Snapshots kept)
      EXCLUDES(base_.mutex);

  // --- closing (db_close.cc); each kind lists its steps
  virtual Status CheckClosable() { return Status::OK(); }
  virtual Status Shut() = 0;
  void TellShutdown();
  // Nothing begins any more.
  virtual void StopWork();
  void AwaitWork();
  // Nobody reads any more, and what nobody needs goes.
  void CloseReads();
  Status Release();

  virtual Status ListWals(VectorWalPtr* files) const;
  // Has all families flushed, as soon as it stalls nobody, and does not wait
  // for that: the caller waits for all jobs.
  virtual Status BeginFlushAll(const WaitLimit& limit) = 0;
  ColumnFamilyHandle* NewHandle(ColumnFamilyRef cfd);
  template <class Call>
  void NotifyListeners(const Call& call) {
    for (const auto& listener : base_.options.listeners) call(listener.get());
  }

  std::unique_ptr<BackgroundParts> background_;
  std::unique_ptr<CleanUp> clean_up_;           // null: not opened yet
  std::unique_ptr<FamilyAttacher> attacher_;    // the same
  std::unique_ptr<BackgroundControl> control_;  // the same
  bool opened_ = false;

 private:
  Status ChooseFileAccess(const Families& families) EXCLUDES(base_.mutex);
  Status LoadVersions(const Families& families);
  Status OpenHandles(const Families& families, Handles* handles);
  void ForgetHandle(ColumnFamilyRef cfd);
  void OpenTablesInBackground() EXCLUDES(base_.mutex);

  std::unique_ptr<ColumnFamilyHandle> default_handle_;
};

}  // namespace ROCKSDB_NAMESPACE
