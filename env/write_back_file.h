// A file whose dirty pages can be brought to the device range by range, while
// the file is written on.
//
// Found by dynamic_cast: of a wrapper that does not pass it on, write-back can
// only be started, and nobody knows when it is over.
//
// Threads  May run beside appends, and of several threads.
// Errors   With the path. The kernel tells a failure once: every later sync of
//          the file fails, too.
#pragma once

#include <cstdint>

#include "rocksdb/io_status.h"

namespace ROCKSDB_NAMESPACE {

class WriteBackFile {
 public:
  virtual ~WriteBackFile() = default;

  // What is dirty in [offset, offset + n) goes to the device. That alone makes
  // nothing durable: a sync is still due.
  virtual IOStatus StartWriteBack(uint64_t offset, uint64_t n) = 0;
  // Can IsWrittenBack() tell?
  virtual bool TellsWriteBack() const = 0;
  // Is all of it there, or has it failed? Does not wait.
  virtual bool IsWrittenBack(uint64_t offset, uint64_t n) = 0;
  // Waits for it.
  virtual IOStatus FinishWriteBack(uint64_t offset, uint64_t n) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
