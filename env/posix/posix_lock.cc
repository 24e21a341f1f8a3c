#include "env/posix/posix_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <map>
#include <thread>
#include <utility>

#include "env/posix/posix_error.h"
#include "env/posix/posix_io.h"
#include "util/invariant.h"
#include "util/mutex.h"
#include "util/no_destructor.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using FileIdentity = std::pair<dev_t, ino_t>;

struct PosixFileLock : FileLock {
  FileDescriptor fd;
  std::string path;
  FileIdentity identity;
};

struct Holder {
  std::string path;
  std::time_t since;
  pid_t thread;
  int fd;
};

struct LockTable {
  Mutex mutex;
  std::map<FileIdentity, Holder> held GUARDED_BY(mutex);
};

// Lives as long as the process: locks may be given back by static destructors.
LockTable& TheLockTable() {
  static NoDestructor<LockTable> table;
  return *table;
}

IOStatus HeldByUs(const std::string& path, const Holder& holder) {
  std::string why = "No locks available";
  if (holder.path != path) why += ": it is held as " + holder.path;
  return IOStatus::IOError("lock hold by current process, acquire time " +
                               std::to_string(holder.since) +
                               " acquiring thread " +
                               std::to_string(holder.thread) + ": " + path,
                           why);
}

IOStatus SetRecordLock(int fd, short type, const std::string& path) {
  struct flock request = {};
  request.l_type = type;
  request.l_whence = SEEK_SET;
  if (fcntl(fd, F_SETLK, &request) == 0) return IOStatus::OK();
  return PosixError("While lock file", path, errno);
}

}  // namespace

IOStatus AcquireLockFile(const std::string& path, FileLock** lock) {
  LockTable& table = TheLockTable();
  // Held throughout, or two threads could both find the table empty.
  MutexLock guard(&table.mutex);
  struct stat info;
  // Where the file was removed since, another one would be made.
  for (const auto& [identity, holder] : table.held) {
    if (holder.path == path && fstat(holder.fd, &info) == 0 &&
        info.st_nlink == 0) {
      return HeldByUs(path, holder);
    }
  }
  if (stat(path.c_str(), &info) == 0) {
    const auto held = table.held.find({info.st_dev, info.st_ino});
    if (held != table.held.end()) return HeldByUs(path, held->second);
  }
  auto result = std::make_unique<PosixFileLock>();
  const OpenRequest request{.action = "while open a file for lock",
                            .flags = O_RDWR | O_CREAT};
  if (IOStatus s = OpenFile(path, request, FileOptions(), &result->fd);
      !s.ok()) {
    return s;
  }
  if (fstat(result->fd.get(), &info) != 0) {
    return PosixError("While identifying the lock file", path, errno);
  }
  if (IOStatus s = SetRecordLock(result->fd.get(), F_WRLCK, path); !s.ok()) {
    return s;
  }
  result->path = path;
  result->identity = {info.st_dev, info.st_ino};
  table.held[result->identity] = {.path = path,
                                  .since = std::time(nullptr),
                                  .thread = gettid(),
                                  .fd = result->fd.get()};
  *lock = result.release();
  return IOStatus::OK();
}

IOStatus ReleaseLockFile(FileLock* lock) {
  LockTable& table = TheLockTable();
  MutexLock guard(&table.mutex);
  // Closed before the next holder comes: whichever handle of a file is closed,
  // the process loses its record locks of that file.
  const std::unique_ptr<PosixFileLock> held(static_cast<PosixFileLock*>(lock));
  const size_t erased = table.held.erase(held->identity);
  INVARIANT(erased == 1);
  return SetRecordLock(held->fd.get(), F_UNLCK, held->path);
}

}  // namespace ROCKSDB_NAMESPACE
