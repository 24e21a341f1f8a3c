// A file to which several writes may be in flight at once. Of FSWritableFile's
// own calls only PrepareWrite() and Allocate() may run meanwhile.
//
// Found by dynamic_cast: a wrapper that does not pass it on is written to by
// ordinary calls.
//
// Threads    Start() and Finish() by one thread for each write.
// Ownership  The write and its bytes are the caller's until it is finished.
// Errors     In the write's status, with the path, the offset and the length.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class AsyncWritableFile {
 public:
  struct Write {
    // In: whole alignment units.
    Slice data;
    uint64_t offset = 0;
    // Out.
    IOStatus status;
    bool is_finished = false;
    // The file's.
    void* state = nullptr;
  };
  enum class Patience { kNone, kWait };

  virtual ~AsyncWritableFile() = default;

  // False: not now, nothing was started; an ordinary call is to be made.
  virtual bool Start(Write* write) = 0;
  // Takes in the write if it is done, or with kWait once it is.
  virtual bool Finish(Write* write, Patience patience) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
