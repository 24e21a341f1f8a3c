#pragma once

// The Status of a file-system call. It adds what an error means for retrying:
// whether the same call may work later, whether data may be lost, and how much
// of the storage it concerns.

#include <utility>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ROCKSDB_NODISCARD_STATUS IOStatus : public Status {
 public:
  using Code = Status::Code;
  using SubCode = Status::SubCode;

  enum IOErrorScope : unsigned char {
    kIOErrorScopeFileSystem = 0,
    kIOErrorScopeFile = 1,
    kIOErrorScopeRange = 2,
    kIOErrorScopeMax
  };

  IOStatus() noexcept : IOStatus(kOk, kNone) {}
  ~IOStatus() = default;
  IOStatus(const IOStatus&) = default;
  IOStatus& operator=(const IOStatus&) = default;
  [[gnu::always_inline]] IOStatus(IOStatus&&) noexcept = default;
  [[gnu::always_inline]] IOStatus& operator=(IOStatus&&) noexcept = default;

  void SetRetryable(bool retryable) { retryable_ = retryable; }
  void SetDataLoss(bool data_loss) { data_loss_ = data_loss; }
  void SetScope(IOErrorScope scope) {
    scope_ = static_cast<unsigned char>(scope);
  }
  bool GetRetryable() const { return retryable_; }
  bool GetDataLoss() const { return data_loss_; }
  IOErrorScope GetScope() const { return static_cast<IOErrorScope>(scope_); }

  static IOStatus OK() { return IOStatus(); }

#define ROCKSDB_IO_STATUS_FACTORY(name, code_value)                     \
  static IOStatus name(const Slice& msg, const Slice& msg2 = Slice()) { \
    return IOStatus(code_value, kNone, msg, msg2);                      \
  }                                                                     \
  static IOStatus name(SubCode msg = kNone) {                           \
    return IOStatus(code_value, msg);                                   \
  }                                                                     \
  static IOStatus name(SubCode subcode_in, const Slice& msg,            \
                       const Slice& msg2 = Slice()) {                   \
    return IOStatus(code_value, subcode_in, msg, msg2);                 \
  }

  ROCKSDB_IO_STATUS_FACTORY(NotFound, kNotFound)
  ROCKSDB_IO_STATUS_FACTORY(Corruption, kCorruption)
  ROCKSDB_IO_STATUS_FACTORY(NotSupported, kNotSupported)
  ROCKSDB_IO_STATUS_FACTORY(InvalidArgument, kInvalidArgument)
  ROCKSDB_IO_STATUS_FACTORY(IOError, kIOError)
  ROCKSDB_IO_STATUS_FACTORY(Incomplete, kIncomplete)
  ROCKSDB_IO_STATUS_FACTORY(ShutdownInProgress, kShutdownInProgress)
  ROCKSDB_IO_STATUS_FACTORY(TimedOut, kTimedOut)
  ROCKSDB_IO_STATUS_FACTORY(Aborted, kAborted)
  ROCKSDB_IO_STATUS_FACTORY(Busy, kBusy)
  ROCKSDB_IO_STATUS_FACTORY(TryAgain, kTryAgain)
#undef ROCKSDB_IO_STATUS_FACTORY

  static IOStatus NoSpace() { return IOStatus(kIOError, kNoSpace); }
  static IOStatus NoSpace(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kIOError, kNoSpace, msg, msg2);
  }
  static IOStatus PathNotFound() { return IOStatus(kIOError, kPathNotFound); }
  static IOStatus PathNotFound(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kIOError, kPathNotFound, msg, msg2);
  }
  static IOStatus IOFenced() { return IOStatus(kIOError, kIOFenced); }
  static IOStatus IOFenced(const Slice& msg, const Slice& msg2 = Slice()) {
    return IOStatus(kIOError, kIOFenced, msg, msg2);
  }

 private:
  friend IOStatus status_to_io_status(Status&& status);

  explicit IOStatus(Code code_in, SubCode subcode_in = kNone) noexcept
      : Status(code_in, subcode_in) {}
  IOStatus(Code code_in, SubCode subcode_in, const Slice& msg,
           const Slice& msg2)
      : Status(code_in, subcode_in, msg, msg2) {}
};

// The same outcome as an IOStatus: its own extra facts if `status` was made
// from one, the mildest ones otherwise.
inline IOStatus status_to_io_status(Status&& status) {
  IOStatus result;
  static_cast<Status&>(result) = std::move(status);
  return result;
}

}  // namespace ROCKSDB_NAMESPACE
