// Deletes files that nobody needs any more, in steps that a device can take
// beside the reads of users.
//
// A file system gives the blocks of a deleted file back in one go, and tells
// the device to discard them: gigabytes of that hold up every read behind
// them. So a large file is cut shorter step by step, and each step is admitted
// by the governor in the lowest class, like a background request. A byte given
// back counts as a sixteenth of a byte moved. While users read from the device,
// no more is given back in a second than the device could move.
//
// At once    Files for which one request's leave is there without waiting, and
//            all where nothing governs and no rate is set.
// Trash      What has to wait is renamed to "<name>.trash": the name that
//            users and other processes know is gone when Delete() returns. A
//            thread of its own deletes it. What a crash leaves is taken up by
//            AdoptTrash().
// Whole      A file that has another name (a checkpoint's link), or is open
//            anywhere (a secondary instance reads it), or of which that is not
//            known, is never cut short: it goes as a whole.
// Rate       An SstFileManager may set one for files: bytes a second, and a
//            part of all files beyond which trash does not wait for it.
//
// Threads    Any; files are touched without the lock. The thread exists while
//            there is trash.
// Ownership  Shares the file system. Trash that is left when this ends stays on
//            disk; FinishNow() leaves none.
// Errors     Of a file that goes at once they are answered; of trash they are
//            logged, and the file stays until it is adopted again.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include "file/io_governor.h"
#include "rocksdb/file_system.h"
#include "rocksdb/info_log.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class FileHolders;
class JobThreads;

struct FileDeleterOptions {
  std::shared_ptr<FileSystem> fs;
  SystemClock* clock = nullptr;
  std::shared_ptr<Logger> logger;          // may be null
  std::shared_ptr<Statistics> statistics;  // may be null
  // <= 0: there is no rate, and the fields below have no effect.
  int64_t bytes_per_second = 0;
  // Trash beyond this part of the bytes of all files, trash included, does not
  // wait for the rate.
  double max_trash_ratio = 0.25;
  // Most bytes to cut off at a time from a file that waits for the rate; 0: no
  // limit but the governor's.
  uint64_t max_chunk_bytes = 64 << 20;
  // The bytes of the files that are not in the trash. Called under a lock of
  // this object; null: 0 bytes.
  std::function<uint64_t()> live_bytes;
};

struct DeadFile {
  std::string path;
  uint64_t size_bytes = 0;  // 0: not known
  // The governor of the database that the file belonged to; null: not governed.
  std::shared_ptr<IoGovernor> governor;
};

class FileDeleter {
 public:
  static constexpr char kTrashSuffix[] = ".trash";
  static bool IsTrash(const std::string& name);
  // So many bytes given back count as one moved.
  static constexpr uint64_t kFreedPerMoved = 16;

  explicit FileDeleter(FileDeleterOptions options);
  ~FileDeleter();
  FileDeleter(const FileDeleter&) = delete;
  FileDeleter& operator=(const FileDeleter&) = delete;

  // OK: the file is deleted, or in the trash.
  Status Delete(const DeadFile& file) EXCLUDES(mutex_);
  // Takes up what an earlier process left in the directory.
  Status AdoptTrash(const std::string& directory,
                    const std::shared_ptr<IoGovernor>& governor)
      EXCLUDES(mutex_);

  int64_t rate() const EXCLUDES(mutex_);
  void SetRate(int64_t bytes_per_second) EXCLUDES(mutex_);
  double max_trash_ratio() const EXCLUDES(mutex_);
  void SetMaxTrashRatio(double ratio) EXCLUDES(mutex_);
  void SetStatistics(std::shared_ptr<Statistics> statistics) EXCLUDES(mutex_);
  uint64_t trash_bytes() const EXCLUDES(mutex_);
  // What is left of each file in the trash.
  std::unordered_map<std::string, uint64_t> TrashFiles() const EXCLUDES(mutex_);

  // Until no trash is left but what waits for its rate. False: that takes
  // longer than `micros`.
  bool WaitForGoverned(uint64_t micros = UINT64_MAX) EXCLUDES(mutex_);
  // Until no trash is left.
  void WaitForEmptyTrash() EXCLUDES(mutex_);
  // Deletes what is in the trash without further waiting; what comes later
  // goes at once.
  void FinishNow() EXCLUDES(mutex_);

 private:
  struct Trash {
    std::string path;
    uint64_t size_bytes = 0;
    std::shared_ptr<IoGovernor> governor;
    // Nobody else has it; asked once, when its name is gone.
    enum class Cut { kUnknown, kAllowed, kForbidden } cut = Cut::kUnknown;
  };
  // Files in their order, and when the next piece may go (0: now), by a clock
  // that nobody sets.
  struct Lane {
    std::deque<Trash> files;
    uint64_t not_before_micros = 0;
  };
  struct Piece {
    uint64_t freed_bytes = 0;
    bool is_gone = false;
  };

  bool WaitsForRate() const REQUIRES(mutex_);
  // False: without leave for all of it. Else *status is that of the deletion.
  bool TryNow(const DeadFile& file, uint64_t size_bytes, Status* status);
  Status DeleteNow(const std::string& path);
  Status MoveToTrash(const std::string& path, std::string* trash_path);
  // What is in the trash already is left where it is.
  void AddLocked(Trash trash, Lane* lane) REQUIRES(mutex_);
  void Work() EXCLUDES(mutex_);
  // The lane that may go on now; null: none may for *wait_micros, unless a
  // signal comes first.
  Lane* NextLane(uint64_t* wait_micros) REQUIRES(mutex_);
  void DeletePieceOf(Lane* lane) REQUIRES(mutex_);
  Piece DeletePiece(Trash* trash, uint64_t max_bytes);
  bool MayCut(const std::string& path) const;
  uint64_t MicrosFor(const Lane& lane, const Trash& trash, uint64_t bytes) const
      REQUIRES(mutex_);
  void Tick(uint32_t ticker) EXCLUDES(mutex_);

  const FileDeleterOptions options_;
  const FileHolders* const holders_;  // null: nobody knows
  mutable Mutex mutex_;
  CondVar changed_{&mutex_};
  int64_t bytes_per_second_ GUARDED_BY(mutex_);
  double max_trash_ratio_ GUARDED_BY(mutex_);
  std::shared_ptr<Statistics> statistics_ GUARDED_BY(mutex_);
  Lane governed_ GUARDED_BY(mutex_);
  Lane paced_ GUARDED_BY(mutex_);
  // The files of both.
  std::unordered_set<std::string> paths_ GUARDED_BY(mutex_);
  uint64_t trash_bytes_ GUARDED_BY(mutex_) = 0;
  uint64_t name_count_ GUARDED_BY(mutex_) = 0;
  bool is_ending_ GUARDED_BY(mutex_) = false;     // the trash stays
  bool is_finishing_ GUARDED_BY(mutex_) = false;  // the trash goes at once
  bool is_working_ GUARDED_BY(mutex_) = false;
  std::thread thread_ GUARDED_BY(mutex_);
  const std::unique_ptr<JobThreads> job_threads_;  // thread_ alone
};

}  // namespace ROCKSDB_NAMESPACE
