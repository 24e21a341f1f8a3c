// A blocking read that is handed to a helper's thread, so that the caller's own
// goes on meanwhile: for file systems without asynchronous reads. A caller that
// waits for it before a helper has begun makes the read itself.
//
// Threads    One that starts it and waits; the helpers see to theirs.
// Ownership  Shared with the helper. Helpers, file and buffer are the caller's,
//            until Wait() or Abort() has returned, one of which must be called.
// Errors     Wait() answers what the read did.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class IoHelpers;

class HandedRead {
  struct PassKey {};  // Only Start() makes one.

 public:
  // What is read, and whereto.
  struct Request {
    FSRandomAccessFile* file = nullptr;
    uint64_t offset = 0;
    size_t length = 0;
    char* buffer = nullptr;
    IOOptions options;
  };
  static std::shared_ptr<HandedRead> Start(IoHelpers* helpers,
                                           const Request& request);
  HandedRead(PassKey, IoHelpers* helpers, const Request& request);
  HandedRead(const HandedRead&) = delete;
  HandedRead& operator=(const HandedRead&) = delete;

  IOStatus Wait(Slice* result);
  // Nobody writes into the buffer any more when it returns.
  void Abort();

 private:
  // The first who asks makes the read, or sees to it that nobody does.
  bool Claim();
  void Read();

  IoHelpers* const helpers_;
  const Request request_;
  std::atomic<bool> is_claimed_{false};
  std::atomic<bool> is_done_{false};
  IOStatus status_;
  Slice result_;
};

}  // namespace ROCKSDB_NAMESPACE
