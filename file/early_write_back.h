// Brings a file that is written through the page cache to the device while it
// grows, so that its sync has little left to do; and, if that is wanted, has
// its pages leave the page cache behind that.
//
// Governed    Files of background jobs. Each request is admitted, and is in
//             flight until the device has it. Steps of `bytes_per_sync`, where
//             that is set, else of one request; Finish() brings all of it out.
// Ungoverned  Write-back is started, in steps of `bytes_per_sync`, and nobody
//             waits for it. 0: only where pages are to leave, in steps of 1
//             MiB.
// The end of the file, 1 MiB, is left out until Finish(), since its pages may
// be written again.
//
// Threads    One: the lane of governed requests is that thread's. Finish()
//            before another thread syncs the file.
// Ownership  Borrows the file. The destructor waits for what is in flight.
// Errors     The first one sticks, and names the file. Pages that stay in the
//            page cache are none.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "file/file_io_context.h"
#include "file/io_lane.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"

namespace ROCKSDB_NAMESPACE {

class EarlyWriteBack {
 public:
  // Null: none for such a file.
  static std::unique_ptr<EarlyWriteBack> Make(FSWritableFile* file,
                                              const std::string& file_name,
                                              const FileOptions& options,
                                              const FileIoContext& context);

  struct Steps {
    // 0: none.
    uint64_t bytes = 0;
    // One is to be with the device before the next is started.
    bool is_strict = false;
  };
  EarlyWriteBack(FSWritableFile* file, std::string file_name,
                 const Steps& steps, const FileIoContext& context);
  ~EarlyWriteBack();
  EarlyWriteBack(const EarlyWriteBack&) = delete;
  EarlyWriteBack& operator=(const EarlyWriteBack&) = delete;

  // The operating system has got `size` bytes of the file.
  IOStatus Advance(uint64_t size);
  // The same, and they are about to be synced, or nothing more will come.
  IOStatus Finish(uint64_t size);
  // What is in flight may not be held while the thread waits elsewhere.
  IOStatus Drain();

  bool is_governed() const { return source_.governor != nullptr; }

 private:
  IOStatus Start(uint64_t end);
  // Admits and starts what is next of [started_, end).
  void StartRequest(uint64_t end);
  void StartUngoverned(uint64_t end);
  // Take in the oldest requests: those that are finished, or all.
  void TakeInDone();
  void TakeInAll();
  void TakeIn(IoRequest* request);
  // Drops clean pages before `end` from the page cache, if the context says so.
  void DropBefore(uint64_t end);

  FSWritableFile* const file_;
  const std::string file_name_;
  const Steps steps_;
  const FileIoContext& context_;
  const IoSource source_;
  // In the order of their offsets; a deque does not move what it holds.
  std::deque<IoRequest> requests_;
  uint64_t started_ = 0;
  uint64_t finished_ = 0;
  uint64_t dropped_ = 0;
  IOStatus status_;
};

}  // namespace ROCKSDB_NAMESPACE
