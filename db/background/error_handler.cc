#include "db/background/error_handler.h"

#include "rocksdb/io_status.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// Which of two is worse is asked with <.
static_assert(Status::Severity::kNoError < Status::Severity::kSoftError);
static_assert(Status::Severity::kSoftError < Status::Severity::kHardError);
static_assert(Status::Severity::kHardError < Status::Severity::kFatalError);
static_assert(Status::Severity::kFatalError <
              Status::Severity::kUnrecoverableError);

namespace {

// Nothing has failed: the family or the database has come to its end, or a user
// has stopped the job.
bool IsEnd(const Status& status) {
  return status.ok() || status.IsShutdownInProgress() ||
         status.IsColumnFamilyDropped() || status.IsIncomplete();
}

}  // namespace

Status::Severity ErrorHandler::SeverityOf(const Status& status,
                                          BackgroundErrorReason reason,
                                          bool paranoid_checks) {
  using Severity = Status::Severity;
  if (IsEnd(status)) return Severity::kNoError;
  switch (reason) {
    case BackgroundErrorReason::kCompaction:
    case BackgroundErrorReason::kAsyncFileOpen:
      // The inputs are still there and still good, unless they are what is
      // corrupt.
      if (status.IsCorruption()) {
        return paranoid_checks ? Severity::kUnrecoverableError
                               : Severity::kNoError;
      }
      return status.IsNoSpace() || IsRetryable(status) || !paranoid_checks
                 ? Severity::kSoftError
                 : Severity::kHardError;
    case BackgroundErrorReason::kFlush:
    case BackgroundErrorReason::kFlushNoWAL:
      if (status.IsCorruption()) return Severity::kUnrecoverableError;
      return Severity::kHardError;
    case BackgroundErrorReason::kManifestWrite:
    case BackgroundErrorReason::kManifestWriteNoWAL:
      return Severity::kHardError;
    case BackgroundErrorReason::kWriteCallback:
      // The log: nobody knows which bytes reached it.
      return Severity::kHardError;
    case BackgroundErrorReason::kMemTable:
      // The log holds what the memtables do not.
      return Severity::kFatalError;
    default:
      return Severity::kFatalError;
  }
}

bool ErrorHandler::IsRetryable(const Status& status) {
  return status_to_io_status(Status(status)).GetRetryable();
}

bool ErrorHandler::Set(const Status& status, BackgroundErrorReason reason) {
  if (IsEnd(status)) return false;
  ++count_;
  const Status::Severity severity =
      SeverityOf(status, reason, paranoid_checks_);
  if (severity == Status::Severity::kNoError) return false;
  ++stopping_count_;
  if (!error_.ok() && error_.severity() >= severity) return false;
  INVARIANT(!status.ok());
  error_ = Status(status, severity);
  INVARIANT(!error_.ok());
  INVARIANT(error_.severity() == severity);
  Publish();
  return true;
}

void ErrorHandler::Override(const Status& status) {
  error_ = status;
  Publish();
}

Status ErrorHandler::CanResume() const {
  if (error_.severity() >= Status::Severity::kFatalError) return error_;
  return Status::OK();
}

void ErrorHandler::Clear() {
  error_ = Status::OK();
  Publish();
  INVARIANT(!BlocksWrites());
}

void ErrorHandler::Publish() {
  ++changes_;
  // release: pairs with BlocksWrites().
  blocks_writes_.store(error_.severity() >= Status::Severity::kHardError,
                       std::memory_order_release);
}

}  // namespace ROCKSDB_NAMESPACE
