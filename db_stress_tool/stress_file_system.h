// A file system for db_stress that dies, fails and forgets on purpose.
//
// It kills the process at changes of files, chosen by chance, name of the call
// and path; makes calls fail at given rates; and can keep what is not synced in
// the process's own memory, so that it dies with it as in a power failure.
// Nothing in the engine knows of it: it is a FileSystem like any other.
//
// Threads    Any. Rates change between operations.
// Ownership  Shares the file system that it wraps.
// Errors     Those of the wrapped one; injected ones are IOErrors for which
//            IsInjected() holds.

#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::stress {

// For each kind of call: one in so many fails. 0: none.
struct FaultRates {
  int64_t read = 0;
  int64_t write = 0;
  int64_t metadata_read = 0;
  int64_t metadata_write = 0;

  bool any() const { return read + write + metadata_read + metadata_write > 0; }
};

// While one lives, calls of this thread do not fail on purpose.
class WithoutFaults {
 public:
  WithoutFaults();
  ~WithoutFaults();
  WithoutFaults(const WithoutFaults&) = delete;
  WithoutFaults& operator=(const WithoutFaults&) = delete;
};

// Whether an error is, or follows from, an injected one.
bool IsInjected(const Status& status);
// From now on every I/O error counts as an injected one: remote storage has
// errors of its own.
void TolerateAllIOErrors(bool is_on);

class HeldBytes;

class StressFileSystem : public FileSystemWrapper {
 public:
  struct Settings {
    uint64_t seed = 0;
    // One in so many changes of a file kills the process. 0: none.
    int64_t kill_one_in = 0;
    std::vector<std::string> kill_excludes = {};
    std::string kill_path_contains = {};
    bool loses_unsynced = false;
    bool spares_logs = false;
    // Direct files are buffered ones below that insist on alignment.
    bool mocks_direct_io = false;
    // Whether injected faults can be retried: 1: all, 2: none, 3: some.
    int64_t severity = 1;
  };

  StressFileSystem(const std::shared_ptr<FileSystem>& base,
                   const Settings& settings);
  ~StressFileSystem() override;

  static const char* kClassName() { return "StressFileSystem"; }
  const char* Name() const override { return kClassName(); }

  void SetRates(const FaultRates& rates);

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
  IOStatus NewDirectory(const std::string& name, const IOOptions& options,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext* dbg) override;
  IOStatus FileExists(const std::string& fname, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus GetChildren(const std::string& dir, const IOOptions& options,
                       std::vector<std::string>* result,
                       IODebugContext* dbg) override;
  IOStatus DeleteFile(const std::string& fname, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus RenameFile(const std::string& src, const std::string& dst,
                      const IOOptions& options, IODebugContext* dbg) override;
  IOStatus LinkFile(const std::string& src, const std::string& dst,
                    const IOOptions& options, IODebugContext* dbg) override;
  IOStatus GetFileSize(const std::string& fname, const IOOptions& options,
                       uint64_t* file_size, IODebugContext* dbg) override;

  // ---- For the files that it opened ----

  enum class CallKind { kRead, kWrite, kMetadataRead, kMetadataWrite };
  // Before a call: may kill, or answer the error that the call is to give.
  IOStatus Enter(CallKind kind, const char* call, const std::string& path);
  // After a change.
  void Leave(const char* call, const std::string& path) {
    MaybeKill(call, path);
  }
  void MaybeKill(const char* call, const std::string& path);
  // Null: nothing of the file is held.
  std::shared_ptr<HeldBytes> HeldOf(const std::string& path);

 private:
  // The options to open a file of the base with: if direct I/O is mocked, they
  // do not ask for it.
  FileOptions Below(const FileOptions& options) const;
  bool IsMocked(bool is_direct) const {
    return is_direct && settings_.mocks_direct_io;
  }
  IOStatus WrapWritable(const std::string& path, const FileOptions& options,
                        IOStatus status,
                        std::unique_ptr<FSWritableFile>* result);
  // Writes the bytes that are held in memory for the file at `path` to it.
  IOStatus WriteDown(const std::string& path);
  bool IsFaultDue(CallKind kind, const std::string& path);

  const Settings settings_;
  std::atomic<int64_t> rates_[4]{};
  std::mutex mutex_;
  // By path; guarded by mutex_.
  std::map<std::string, std::shared_ptr<HeldBytes>> held_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
