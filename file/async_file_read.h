// One read of a file that goes on while its thread does something else.
//
// The histograms of reads, the listeners and the governor hear of it as of an
// ordinary read, from the start to the end of Wait(); of one that is aborted
// they do not.
//
// Threads    One at a time; another thread may wait than the one that started.
// Ownership  Borrows file, file system and buffer. The destructor, as Abort(),
//            waits until nobody writes into the buffer any more.
// Errors     Wait() answers what the read would have, with the file's name.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "file/random_access_file_reader.h"
#include "file/read_watch.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"

namespace ROCKSDB_NAMESPACE {

class HandedRead;

class AsyncFileRead {
 public:
  AsyncFileRead() = default;
  ~AsyncFileRead() { Abort(); }
  AsyncFileRead(const AsyncFileRead&) = delete;
  AsyncFileRead& operator=(const AsyncFileRead&) = delete;

  // Is such a read of `file`, which is of `fs`, answered later than at once, by
  // the file system or the file's helpers?
  static bool IsLate(const RandomAccessFileReader& file, FileSystem* fs);

  // Whom a read belongs to. `fs` is the file's; without asynchronous reads of
  // its own the file's helpers make them.
  struct Source {
    const RandomAccessFileReader* file = nullptr;
    FileSystem* fs = nullptr;
    Statistics* statistics = nullptr;
  };
  // Asks for `n` bytes at `offset`, both aligned for a direct file, into
  // `buffer`. False: the file takes no such read, and nothing is in flight.
  bool Start(const Source& source, const IOOptions& options, uint64_t offset,
             size_t n, char* buffer);

  bool is_in_flight() const { return is_in_flight_; }

  // Waits for the bytes; they may be fewer than asked for where the file ends,
  // and lie in the buffer or in memory of the file.
  IOStatus Wait(Slice* result);

  // Forgets the read.
  void Abort();

 private:
  IOStatus Ask(const IOOptions& options);
  static void OnDone(FSReadRequest& answer, void* self);
  // OK: the answer is there, with its own status.
  IOStatus AwaitAnswer();
  void Free();

  Source source_;
  FSReadRequest request_;
  std::optional<ReadWatch> watch_;      // while it is in flight
  std::shared_ptr<HandedRead> handed_;  // null: the file system reads
  void* handle_ = nullptr;
  IOHandleDeleter deleter_;
  bool is_in_flight_ = false;
  bool has_answer_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
