// A file system that fails on purpose, forgets what was not synced, and keeps
// a record of what was asked of it.
//
//   FaultInjectionFileSystem fs(base, seed);
//   fs.FailCall({.call = k, .kind = FaultKind::kNoSpace});
//   RunScenario(&fs);
//   fs.CrashAndHeal();     // Unsynced bytes and names may be gone.
//   Reopen(&fs);
//
// Calls are counted from 1, in the order in which they arrive; a mutating call
// is one that changes a file or a directory, or makes a change durable. The
// same seed and the same calls give the same faults and the same losses.
//
// What a crash may lose: every 4 KiB block written since the last Sync() of
// its file, each by itself, whole or in part; and the creation, removal, link
// or rename of a name since the last Fsync() of its directory, the newest first
// (the oldest count as durable once 64 MiB of removed files are kept). A file
// whose Sync() failed never makes the blocks written before that durable.
// Making a directory, and cutting a file, are durable at once.
//
// Threads    Safe for concurrent use. CrashAndHeal() wants no call in
//            progress; files opened before it answer IOError from then on.
// Ownership  Shares the base. Must outlive its files.
// Errors     Those of the base, and the injected ones; an injected error names
//            the call, its number and the path.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/file_holders.h"
#include "rocksdb/file_system.h"
#include "util/mutex.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

enum class FaultKind {
  kIOError,          // Fails like EIO.
  kNoSpace,          // Fails like ENOSPC.
  kShort,            // Writes half and fails, or reads half and is OK.
  kSyncFailure,      // Fails like EIO; counts syncs only.
  kInvalidArgument,  // Fails like EINVAL; counts reads of direct files only.
};

enum class FaultScope {
  kMutatingCalls,
  kAllCalls,
};

struct Fault {
  // Which call fails. 0: none.
  uint64_t call = 0;
  FaultKind kind = FaultKind::kIOError;
  FaultScope scope = FaultScope::kMutatingCalls;
  // Every later call of the scope fails too, until the fault is cleared.
  bool is_permanent = false;
  bool is_retryable = false;
  // Only paths that contain this text fail, and `call` counts only those.
  std::string path_contains = {};
};

enum class FileKind {
  kSequential,
  kRandomAccess,
  kWritable,
  kRandomRW,
  kDirectory,
  kLock,
};
inline constexpr size_t kFileKindCount = 6;

// One successful open.
struct OpenRecord {
  std::string path;
  FileKind kind;
  FileOptions options;

  bool is_direct_read() const {
    return options.use_direct_reads && kind != FileKind::kWritable &&
           kind != FileKind::kDirectory && kind != FileKind::kLock;
  }
  bool is_direct_write() const {
    return options.use_direct_writes && kind == FileKind::kWritable;
  }
};

// Chance that an unsynced block or name survives a crash.
struct CrashOptions {
  int survival_percent = 0;
};

class FaultFileState;

// A change of names that is not yet durable.
struct NameChange {
  enum class Kind { kCreate, kDelete, kRename, kLink };
  Kind kind;
  // What was created, deleted, renamed or linked.
  std::string path;
  // The other name of kRename and kLink.
  std::string new_path = {};
  // What kDelete took away, and kRename overwrote.
  bool has_victim = false;
  std::string victim_bytes = {};
  std::shared_ptr<FaultFileState> victim_state = nullptr;

  // The name whose directory makes the change durable.
  const std::string& durable_name() const {
    return new_path.empty() ? path : new_path;
  }
};

class FaultInjectionFileSystem : public FileSystemWrapper, public FileHolders {
 public:
  explicit FaultInjectionFileSystem(const std::shared_ptr<FileSystem>& base,
                                    uint64_t seed = 0);
  ~FaultInjectionFileSystem() override;

  static const char* kClassName() { return "FaultInjectionFS"; }
  const char* Name() const override { return kClassName(); }

  // ---- Faults ----

  // Replaces the planned fault and starts counting calls anew.
  void FailCall(const Fault& fault);
  void ClearFault();
  // Has the planned fault struck?
  bool failed() const;
  // What it struck: number, call and path; empty if nothing.
  std::string failed_call() const;
  // Calls of a scope since construction or FailCall().
  uint64_t call_count(FaultScope scope) const;

  // From now on every call fails with `status`, as on a lost device.
  void Deactivate(const IOStatus& status = IOStatus::IOError("deactivated"));
  // Undoes Deactivate() and ClearFault()s.
  void Heal();

  // Opening a path that contains `path_contains` with direct I/O is
  // InvalidArgument.
  void RefuseDirectIo(const std::string& path_contains);
  // Such an open is good, but reads of the file are InvalidArgument.
  void FailDirectReads(const std::string& path_contains);
  // Both answer: direct reads and writes are accepted again.
  void AcceptDirectIo();

  // Logs are written as on disks from now on where the recovery mode allows it:
  // small appends are stores into the mapped end of the file, which is longer
  // than its data by zeros. A store counts as a call but does not fail.
  void MapLogs();

  // ---- Crash ----

  // Loses unsynced data and names; all open files become useless, all locks
  // are given back. Ends with Heal().
  IOStatus CrashAndHeal(const CrashOptions& options = CrashOptions());

  // The same for the contents of files only. No file may be open for writing.
  IOStatus DropUnsyncedData(const CrashOptions& options = CrashOptions());

  // ---- Records ----

  std::vector<OpenRecord> opens() const;
  void ClearOpens();
  // Opens since ClearOpens(), whose path ends in `suffix`, that were direct
  // reads (or writes).
  size_t direct_read_opens(const std::string& suffix = "") const;
  size_t direct_write_opens(const std::string& suffix = "") const;

  // Handles open now.
  size_t open_handles(FileKind kind) const;
  size_t open_handles() const;
  // Most RandomAccess handles that were open for direct reading at a time,
  // and those open now.
  size_t direct_read_handles() const;
  size_t peak_direct_read_handles() const;
  void ResetPeaks();

  // ---- FileSystem ----

  IOStatus NewSequentialFile(const std::string& fname,
                             const FileOptions& file_opts,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* dbg) override;
  IOStatus NewRandomAccessFile(const std::string& fname,
                               const FileOptions& file_opts,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override;
  IOStatus NewWritableFile(const std::string& fname,
                           const FileOptions& file_opts,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override;
  IOStatus ReopenWritableFile(const std::string& fname,
                              const FileOptions& file_opts,
                              std::unique_ptr<FSWritableFile>* result,
                              IODebugContext* dbg) override;
  IOStatus ReuseWritableFile(const std::string& fname,
                             const std::string& old_fname,
                             const FileOptions& file_opts,
                             std::unique_ptr<FSWritableFile>* result,
                             IODebugContext* dbg) override;
  IOStatus NewRandomRWFile(const std::string& fname,
                           const FileOptions& file_opts,
                           std::unique_ptr<FSRandomRWFile>* result,
                           IODebugContext* dbg) override;
  // NotSupported: writes through memory cannot be seen.
  IOStatus NewMemoryMappedFileBuffer(
      const std::string& fname,
      std::unique_ptr<MemoryMappedFileBuffer>* result) override;
  FileOptions OptimizeForLogWrite(const FileOptions& file_options,
                                  const DBOptions& db_options) const override;
  IOStatus NewDirectory(const std::string& name, const IOOptions& options,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext* dbg) override;
  IOStatus FileExists(const std::string& fname, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus GetChildren(const std::string& dir, const IOOptions& options,
                       std::vector<std::string>* result,
                       IODebugContext* dbg) override;
  IOStatus GetChildrenFileAttributes(const std::string& dir,
                                     const IOOptions& options,
                                     std::vector<FileAttributes>* result,
                                     IODebugContext* dbg) override;
  IOStatus DeleteFile(const std::string& fname, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus Truncate(const std::string& fname, size_t size,
                    const IOOptions& options, IODebugContext* dbg) override;
  IOStatus CreateDir(const std::string& dirname, const IOOptions& options,
                     IODebugContext* dbg) override;
  IOStatus CreateDirIfMissing(const std::string& dirname,
                              const IOOptions& options,
                              IODebugContext* dbg) override;
  IOStatus DeleteDir(const std::string& dirname, const IOOptions& options,
                     IODebugContext* dbg) override;
  IOStatus GetFileSize(const std::string& fname, const IOOptions& options,
                       uint64_t* file_size, IODebugContext* dbg) override;
  IOStatus RenameFile(const std::string& src, const std::string& dst,
                      const IOOptions& options, IODebugContext* dbg) override;
  IOStatus LinkFile(const std::string& src, const std::string& dst,
                    const IOOptions& options, IODebugContext* dbg) override;
  IOStatus SyncFile(const std::string& fname, const FileOptions& file_opts,
                    const IOOptions& options, bool use_fsync,
                    IODebugContext* dbg) override;
  IOStatus LockFile(const std::string& fname, const IOOptions& options,
                    FileLock** lock, IODebugContext* dbg) override;
  IOStatus UnlockFile(FileLock* lock, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus NewLogger(const std::string& fname, const IOOptions& options,
                     std::shared_ptr<Logger>* result,
                     IODebugContext* dbg) override;

  // Asks the file system below: a file that is open here is open there.
  bool IsClosedEverywhere(const std::string& path) const override;

  // ---- For the files that this file system opened ----

  // What is to become of a call.
  enum class Verdict { kProceed, kShort, kFail };
  struct Call {
    const char* name;
    const std::string& path;
    FaultScope scope;
    bool is_sync = false;
    bool is_transfer = false;  // Can be cut short.
    bool is_direct_read = false;
  };
  // Counts the call and judges it; `status` is set for kFail and kShort.
  Verdict Judge(const Call& call, IOStatus* status);
  // Judge() for calls that cannot be cut short.
  IOStatus Check(const Call& call);

  // Grows with each crash.
  uint64_t generation() const;
  IOStatus CheckDirectRead(const std::string& path) const;
  void NoteDirectorySynced(const std::string& dir);
  void CountHandle(FileKind kind, bool is_direct_read, int change);

 private:
  using StateRef = std::shared_ptr<FaultFileState>;
  // Handed out instead of the lock of the base, which a crash takes away.
  struct HeldLock : FileLock {
    FileLock* base = nullptr;
  };
  enum class Opening { kCreate, kReopen };

  IOStatus CheckOpen(const char* name, const std::string& path,
                     FaultScope scope, bool is_direct);
  IOStatus CheckMutation(const char* name, const std::string& path);
  IOStatus CheckQuery(const char* name, const std::string& path);
  void RecordOpen(const std::string& path, FileKind kind,
                  const FileOptions& options);
  // The state of the file at `path`; a file not seen before is all durable.
  IOStatus StateOf(const std::string& path, StateRef* state);
  IOStatus OpenWritable(Opening opening, const std::string& path,
                        const FileOptions& options,
                        std::unique_ptr<FSWritableFile>* result);
  bool Exists(const std::string& path);
  bool MapsLogs() const;

  // ---- Names and crashes (fault_crash.cc) ----

  // Remembers what is at `path`, for a change that takes it away.
  IOStatus SaveVictim(const std::string& path, NameChange* change);
  void NoteChange(NameChange&& change);
  // The names that a crash takes, newest first; they are forgotten.
  std::vector<NameChange> PickLostChanges(const CrashOptions& options);
  IOStatus UndoChange(const NameChange& change);
  // What is known of files below a directory goes where the directory goes.
  void FollowDirectory(const std::string& from, const std::string& to)
      REQUIRES(mutex_);
  IOStatus LoseNames(const CrashOptions& options);
  IOStatus LoseData(const CrashOptions& options);
  IOStatus ReplaceFile(const std::string& path, const std::string& bytes);
  void ReleaseLocks();

  mutable Mutex mutex_;
  Random64 random_ GUARDED_BY(mutex_);
  Fault fault_ GUARDED_BY(mutex_);
  uint64_t fault_matches_ GUARDED_BY(mutex_) = 0;
  std::string failed_call_ GUARDED_BY(mutex_);
  std::array<uint64_t, 2> calls_ GUARDED_BY(mutex_){};
  bool is_active_ GUARDED_BY(mutex_) = true;
  bool maps_logs_ GUARDED_BY(mutex_) = false;
  IOStatus inactive_status_ GUARDED_BY(mutex_);
  std::vector<std::string> refused_ GUARDED_BY(mutex_);
  std::vector<std::string> failing_ GUARDED_BY(mutex_);
  std::vector<OpenRecord> opens_ GUARDED_BY(mutex_);
  std::array<size_t, kFileKindCount> handles_ GUARDED_BY(mutex_){};
  size_t direct_read_handles_ GUARDED_BY(mutex_) = 0;
  size_t peak_direct_read_handles_ GUARDED_BY(mutex_) = 0;
  uint64_t generation_ GUARDED_BY(mutex_) = 0;
  std::map<std::string, StateRef> states_ GUARDED_BY(mutex_);
  // Not yet durable, oldest first.
  std::vector<NameChange> changes_ GUARDED_BY(mutex_);
  uint64_t saved_bytes_ GUARDED_BY(mutex_) = 0;
  std::map<FileLock*, std::unique_ptr<HeldLock>> locks_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
