// Makes the file of the next log ahead of its need, on a thread of its own, so
// that whoever changes the log does not wait for the file system.
//
// The number of the log is given beforehand, and the next log has that number
// whatever becomes of its file: no log with a larger number comes before it. So
// what a crash leaves is a log that is the newest and empty, as one is that has
// just been begun.
//
// Threads    Start(), number() and Take() by whoever changes logs, Stop() once
//            that is over; files are made without the lock.
// Ownership  A file that was not taken is deleted by Stop().
// Errors     What cannot be made is logged and counted; the caller makes it.
// Counters   WAL_PRECREATE_HIT: a file was there when it was asked for;
//            _WAITED: it had to be waited for, _WAIT_MICROS in all; _MISS:
//            there was none; _FAILED: one could not be made.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "options/db_options.h"
#include "rocksdb/file_system.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class WalPrecreator {
 public:
  explicit WalPrecreator(const ImmutableDBOptions* db);
  ~WalPrecreator();
  WalPrecreator(const WalPrecreator&) = delete;
  WalPrecreator& operator=(const WalPrecreator&) = delete;

  struct Request {
    uint64_t number = 0;
    std::string path;
    FileOptions options;
  };
  // Whatever was asked for before has been taken.
  void Start(Request request) EXCLUDES(mutex_);
  // What the next log is to be called; 0: nothing was asked for.
  uint64_t number() const EXCLUDES(mutex_);
  // The file of log `number`, to be written as `options` say. One that is being
  // made is waited for. Null: it is to be made, or made anew.
  std::unique_ptr<FSWritableFile> Take(uint64_t number,
                                       const FileOptions& options)
      EXCLUDES(mutex_);
  // Afterwards nothing is made, and what is left is deleted.
  void Stop() EXCLUDES(mutex_);

 private:
  enum class State { kIdle, kAsked, kMaking, kDone };

  void Work() EXCLUDES(mutex_);
  void AwaitMaking() REQUIRES(mutex_);

  const ImmutableDBOptions* const db_;
  mutable Mutex mutex_;
  CondVar changed_{&mutex_};
  State state_ GUARDED_BY(mutex_) = State::kIdle;
  Request request_ GUARDED_BY(mutex_);
  std::unique_ptr<FSWritableFile> file_ GUARDED_BY(mutex_);  // null: it failed
  bool is_ending_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE
