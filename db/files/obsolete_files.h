// Finds the files that nothing needs any more, and deletes them.
//
// Table files report themselves when the last version that lists them goes
// (ObsoleteFileSink). WALs and manifests are handed in by the owner. What was
// left over, by a crash or since it could not be removed, is found by a scan of
// the directories, at open and every so often after jobs. How files are
// deleted, at once or in steps, is FileDeleter's.
//
// Threads    Any thread, under its own lock; deletes without any lock held.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "db/tables/file_meta.h"
#include "file/filename.h"
#include "options/db_options.h"
#include "util/invariant.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class FileDeleter;
class IoGovernor;
class PendingOutputs;

class ObsoleteFiles final : public ObsoleteFileSink {
 public:
  // Called once the name of a file is gone, or could not be removed.
  using OnDeleted = std::function<void(const std::string& path, FileType type,
                                       uint64_t number, const Status& status)>;

  // Called with each table that nobody reads any more, before it is deleted:
  // what memory holds of it goes. Also while deletions are disabled.
  using Forget = std::function<void(UnreferencedTable table)>;
  struct Callbacks {
    OnDeleted on_deleted;
    Forget forget;
    // A file waits that no PurgeAtEnd of its thread will purge. Under whatever
    // locks the caller has that let go of it.
    std::function<void()> on_unattended;
  };

  // Whoever lets go of the last reference to a file may hold locks, and not
  // know that it was the last. So what goes while one of these lives, by its
  // thread, is purged when it ends; what goes without one, by the owner, as
  // soon as it can.
  //
  // Threads  One. It ends where files may be deleted.
  class PurgeAtEnd {
   public:
    explicit PurgeAtEnd(ObsoleteFiles* files);
    ~PurgeAtEnd();
    PurgeAtEnd(const PurgeAtEnd&) = delete;
    PurgeAtEnd& operator=(const PurgeAtEnd&) = delete;

    // The one that this thread has for `files`; null: none.
    static PurgeAtEnd* Of(const ObsoleteFiles* files);
    void NoteWork() { has_work_ = true; }

   private:
    ObsoleteFiles* const files_;
    PurgeAtEnd* const outer_;  // the thread's enclosing one, of any database
    bool has_work_ = false;
  };

  // `governor`: of its deletions; null: they go at once.
  ObsoleteFiles(const ImmutableDBOptions* db,
                std::shared_ptr<IoGovernor> governor, Callbacks callbacks);
  ~ObsoleteFiles() override;

  // Until Arm(), and after Disarm(), table files that go are left alone: the
  // database is being opened or closed, and nothing is obsolete. Nothing is
  // deleted before Arm(), which is called once.
  void Arm();
  void Disarm();

  void OnReferenced(uint64_t number) override;
  void OnUnreferenced(UnreferencedTable table) override;
  void OnBlobUnreferenced(const std::string& path, uint64_t number,
                          uint64_t size_bytes) override;
  // Logs are handed to `keep` instead of being deleted.
  void SetLogKeeper(std::function<Status(uint64_t number)> keep);

  void Add(std::string path, FileType type, uint64_t number);

  // --- the scan
  // False: deletions are disabled, another thread scans, or the last scan began
  // less than the period ago; 0: none is too early. Else EndScan() follows.
  bool BeginScan(uint64_t period_micros);
  void EndScan();
  struct LeftOver {
    std::string path;
    FileType type = kTempFile;
    uint64_t number = 0;
  };
  // But those that some object still stands for, and those that wait or are
  // being deleted already. One that has gone since it was found goes unnoticed.
  void AddLeftOvers(std::vector<LeftOver> found);
  PendingOutputs* pending_outputs() { return pending_outputs_.get(); }

  bool HasWork() const;
  uint64_t waiting_bytes() const;
  // The smallest number of a table file that is kept only because deletions
  // are disabled; UINT64_MAX: none.
  uint64_t MinKeptTable() const;

  // Nested: while disabled, files wait. None goes any more once this has
  // returned: it waits for a file that another thread is deleting.
  void DisableDeletions();
  // False if deletions are still disabled.
  bool EnableDeletions();
  int disabled_count() const;

  // Deletes what waits: afterwards its names are gone.
  void Purge();
  // Deletes a table or blob file that never was one of those above.
  Status DeleteData(const std::string& path, uint64_t size_bytes);
  // Deletes a file that is none of those above.
  Status DeleteOne(const std::string& path, uint64_t size_bytes);
  // Takes up what an earlier process was still deleting in the directory.
  void AdoptTrash(const std::string& directory);
  // Until what Purge() has put off is deleted. What waits for the rate of an
  // SstFileManager is not waited for. False: that takes longer than `micros`.
  bool WaitForTrash(uint64_t micros);
  // The same, without sparing the device any longer: nobody reads.
  void FinishTrash();

 private:
  struct Waiting {
    std::string path;
    FileType type = kTableFile;
    uint64_t number = 0;
    uint64_t size_bytes = 0;
    bool is_left_over = false;
  };
  // No two files of a type have one number.
  using Name = std::pair<FileType, uint64_t>;

  void Tell(const Waiting& file, const Status& status) const;
  Status Delete(const Waiting& file);
  bool BeginDeletion(Waiting* file) EXCLUDES(mutex_);
  void EndDeletion(const Waiting& file) EXCLUDES(mutex_);
  void Release(uint64_t number) REQUIRES(mutex_);
  void NoteLetGo() EXCLUDES(mutex_);
  void AddUnknown(std::vector<LeftOver> found) EXCLUDES(mutex_);
  void ForgetUnread() EXCLUDES(mutex_);

  const ImmutableDBOptions* const db_;
  const std::shared_ptr<IoGovernor> governor_;
  const Callbacks callbacks_;
  std::unique_ptr<FileDeleter> deleter_;  // null: not armed yet
  mutable Mutex mutex_;
  std::function<Status(uint64_t)> keep_log_ GUARDED_BY(mutex_);
  std::vector<Waiting> waiting_ GUARDED_BY(mutex_);
  // Taken by a Purge(): the file is being deleted, or is one of the next.
  std::multiset<Name> going_ GUARDED_BY(mutex_);
  // The threads that are deleting a file just now.
  std::multiset<std::thread::id> deleting_ GUARDED_BY(mutex_);
  CondVar deleted_{&mutex_};
  // Numbers of tables and blob files, one for each object that stands for a
  // file, whether or not a version lists it. A file has two objects while a
  // secondary catches up, or if memtables and a version refer to its blobs.
  std::unordered_multiset<uint64_t> referenced_ GUARDED_BY(mutex_);
  // Unlisted tables whose readers or blocks may still be in memory.
  std::vector<UnreferencedTable> unread_ GUARDED_BY(mutex_);
  bool armed_ GUARDED_BY(mutex_) = false;
  int disabled_ GUARDED_BY(mutex_) = 0;
  bool is_scanning_ GUARDED_BY(mutex_) = false;
  uint64_t last_scan_micros_ GUARDED_BY(mutex_) = 0;  // by a monotonic clock
  const std::unique_ptr<PendingOutputs> pending_outputs_;
};

}  // namespace ROCKSDB_NAMESPACE
