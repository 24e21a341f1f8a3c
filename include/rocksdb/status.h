#pragma once

// The outcome of an operation: a code, a finer sub-code, how bad it is for the
// database, and a message.
//
// An OK status costs nothing to make, copy or destroy; only a message
// allocates. Builds of the engine itself define ROCKSDB_CHECK_STATUS, which
// makes the compiler complain about a status that nobody looks at.
//
// Threads  Const calls from any thread; anything else needs one thread.

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

#ifdef ROCKSDB_CHECK_STATUS
#define ROCKSDB_NODISCARD_STATUS [[nodiscard]]
#else
#define ROCKSDB_NODISCARD_STATUS
#endif

namespace ROCKSDB_NAMESPACE {

class ROCKSDB_NODISCARD_STATUS Status {
 public:
  // The values are part of the C interface and of traces.
  enum Code : unsigned char {
    kOk = 0,
    kNotFound = 1,
    kCorruption = 2,
    kNotSupported = 3,
    kInvalidArgument = 4,
    kIOError = 5,
    kMergeInProgress = 6,
    kIncomplete = 7,
    kShutdownInProgress = 8,
    kTimedOut = 9,
    kAborted = 10,
    kBusy = 11,
    kExpired = 12,
    kTryAgain = 13,
    kCompactionTooLarge = 14,
    kColumnFamilyDropped = 15,
    kMaxCode
  };

  enum SubCode : unsigned char {
    kNone = 0,
    kMutexTimeout = 1,
    kLockTimeout = 2,
    kLockLimit = 3,
    kNoSpace = 4,
    kDeadlock = 5,
    kStaleFile = 6,
    kMemoryLimit = 7,
    kSpaceLimit = 8,
    kPathNotFound = 9,
    KMergeOperandsInsufficientCapacity = 10,
    kManualCompactionPaused = 11,
    kOverwritten = 12,
    kTxnNotPrepared = 13,
    kIOFenced = 14,
    kMergeOperatorFailed = 15,
    kMergeOperandThresholdExceeded = 16,
    kPrefetchLimitReached = 17,
    kNotExpectedCodePath = 18,
    kCompactionAborted = 19,
    kMaxSubCode
  };

  // How far a background error reaches. Soft: writes go on. Hard: writes stop
  // until it is cleared. Fatal and unrecoverable: the database must be closed.
  enum Severity : unsigned char {
    kNoError = 0,
    kSoftError = 1,
    kHardError = 2,
    kFatalError = 3,
    kUnrecoverableError = 4,
    kMaxSeverity
  };

  Status() noexcept = default;
  ~Status() = default;
  Status(const Status& s);
  Status& operator=(const Status& s);
  [[gnu::always_inline]] Status(Status&& s) noexcept;
  [[gnu::always_inline]] Status& operator=(Status&& s) noexcept;
  // The same outcome at another severity.
  Status(const Status& s, Severity severity);

  // Two statuses are equal when their codes are; the rest is detail.
  bool operator==(const Status& rhs) const { return code_ == rhs.code_; }
  bool operator!=(const Status& rhs) const { return code_ != rhs.code_; }

  // Says that ignoring this status is meant. It changes nothing.
  void PermitUncheckedError() const {}
  void PermitUncheckedOk() const { AssertOK(); }
  void MustCheck() const {}

  // Ends the process, in builds with assertions, where it is not OK.
  void AssertOK() const { assert(ok()); }

  // Replaces an OK status by `s`; keeps the first error otherwise.
  Status& UpdateIfOk(Status&& s) {
    if (ok()) *this = std::move(s);
    return *this;
  }
  Status& UpdateIfOk(const Status& s) {
    if (ok()) *this = s;
    return *this;
  }

  Code code() const { return code_; }
  SubCode subcode() const { return subcode_; }
  Severity severity() const { return sev_; }
  // The message, or nullptr. It belongs to this object.
  const char* getState() const { return state_.get(); }

  // Copies `s` and puts `delim` and `msg` behind its message.
  static Status CopyAppendMessage(const Status& s, const Slice& delim,
                                  const Slice& msg);

  static Status OK() { return Status(); }
  // Success that replaced an earlier value.
  static Status OkOverwritten() { return Status(kOk, kOverwritten); }
  // Success of a read that applied more merge operands to its key than
  // ReadOptions::merge_operand_count_threshold: a hint to write the value anew,
  // or to compact.
  static Status OkMergeOperandThresholdExceeded() {
    return Status(kOk, kMergeOperandThresholdExceeded);
  }

#define ROCKSDB_STATUS_FACTORY(name, code_value)                              \
  static Status name(const Slice& msg, const Slice& msg2 = Slice()) {         \
    return Status(code_value, msg, msg2);                                     \
  }                                                                           \
  static Status name(SubCode msg = kNone) { return Status(code_value, msg); } \
  static Status name(SubCode subcode_in, const Slice& msg,                    \
                     const Slice& msg2 = Slice()) {                           \
    return Status(code_value, subcode_in, msg, msg2);                         \
  }

  ROCKSDB_STATUS_FACTORY(NotFound, kNotFound)
  ROCKSDB_STATUS_FACTORY(Corruption, kCorruption)
  ROCKSDB_STATUS_FACTORY(NotSupported, kNotSupported)
  ROCKSDB_STATUS_FACTORY(InvalidArgument, kInvalidArgument)
  ROCKSDB_STATUS_FACTORY(IOError, kIOError)
  ROCKSDB_STATUS_FACTORY(MergeInProgress, kMergeInProgress)
  ROCKSDB_STATUS_FACTORY(Incomplete, kIncomplete)
  ROCKSDB_STATUS_FACTORY(ShutdownInProgress, kShutdownInProgress)
  ROCKSDB_STATUS_FACTORY(TimedOut, kTimedOut)
  ROCKSDB_STATUS_FACTORY(Aborted, kAborted)
  ROCKSDB_STATUS_FACTORY(Busy, kBusy)
  ROCKSDB_STATUS_FACTORY(Expired, kExpired)
  ROCKSDB_STATUS_FACTORY(TryAgain, kTryAgain)
  ROCKSDB_STATUS_FACTORY(CompactionTooLarge, kCompactionTooLarge)
  ROCKSDB_STATUS_FACTORY(ColumnFamilyDropped, kColumnFamilyDropped)
#undef ROCKSDB_STATUS_FACTORY

  static Status NoSpace() { return Status(kIOError, kNoSpace); }
  static Status NoSpace(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kIOError, kNoSpace, msg, msg2);
  }
  static Status MemoryLimit() { return Status(kAborted, kMemoryLimit); }
  static Status MemoryLimit(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kAborted, kMemoryLimit, msg, msg2);
  }
  static Status SpaceLimit() { return Status(kIOError, kSpaceLimit); }
  static Status SpaceLimit(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kIOError, kSpaceLimit, msg, msg2);
  }
  static Status PrefetchLimitReached() {
    return Status(kIncomplete, kPrefetchLimitReached);
  }
  static Status PathNotFound() { return Status(kIOError, kPathNotFound); }
  static Status PathNotFound(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kIOError, kPathNotFound, msg, msg2);
  }
  static Status LockLimit() { return Status(kAborted, kLockLimit); }
  static Status LockLimit(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kAborted, kLockLimit, msg, msg2);
  }
  static Status TxnNotPrepared() {
    return Status(kInvalidArgument, kTxnNotPrepared);
  }
  static Status TxnNotPrepared(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kInvalidArgument, kTxnNotPrepared, msg, msg2);
  }

  bool ok() const { return code_ == kOk; }
  bool IsOkOverwritten() const {
    return code_ == kOk && subcode_ == kOverwritten;
  }
  bool IsOkMergeOperandThresholdExceeded() const {
    return code_ == kOk && subcode_ == kMergeOperandThresholdExceeded;
  }
  bool IsNotFound() const { return code_ == kNotFound; }
  bool IsCorruption() const { return code_ == kCorruption; }
  bool IsNotSupported() const { return code_ == kNotSupported; }
  bool IsInvalidArgument() const { return code_ == kInvalidArgument; }
  bool IsIOError() const { return code_ == kIOError; }
  bool IsMergeInProgress() const { return code_ == kMergeInProgress; }
  bool IsIncomplete() const { return code_ == kIncomplete; }
  bool IsShutdownInProgress() const { return code_ == kShutdownInProgress; }
  bool IsTimedOut() const { return code_ == kTimedOut; }
  bool IsAborted() const { return code_ == kAborted; }
  bool IsBusy() const { return code_ == kBusy; }
  bool IsExpired() const { return code_ == kExpired; }
  bool IsTryAgain() const { return code_ == kTryAgain; }
  bool IsCompactionTooLarge() const { return code_ == kCompactionTooLarge; }
  bool IsColumnFamilyDropped() const { return code_ == kColumnFamilyDropped; }

  bool IsLockLimit() const {
    return code_ == kAborted && subcode_ == kLockLimit;
  }
  bool IsDeadlock() const { return code_ == kBusy && subcode_ == kDeadlock; }
  bool IsNoSpace() const { return code_ == kIOError && subcode_ == kNoSpace; }
  bool IsMemoryLimit() const {
    return code_ == kAborted && subcode_ == kMemoryLimit;
  }
  bool IsSpaceLimit() const {
    return code_ == kIOError && subcode_ == kSpaceLimit;
  }
  bool IsPathNotFound() const {
    return (code_ == kIOError || code_ == kNotFound) &&
           subcode_ == kPathNotFound;
  }
  bool IsManualCompactionPaused() const {
    return code_ == kIncomplete && subcode_ == kManualCompactionPaused;
  }
  bool IsCompactionAborted() const {
    return code_ == kIncomplete && subcode_ == kCompactionAborted;
  }
  bool IsTxnNotPrepared() const {
    return code_ == kInvalidArgument && subcode_ == kTxnNotPrepared;
  }
  bool IsIOFenced() const { return code_ == kIOError && subcode_ == kIOFenced; }
  bool IsPrefetchLimitReached() const {
    return code_ == kIncomplete && subcode_ == kPrefetchLimitReached;
  }

  // One line for people: the kind of failure, then the message.
  std::string ToString() const;

 protected:
  explicit Status(Code code_in, SubCode subcode_in = kNone) noexcept
      : code_(code_in), subcode_(subcode_in) {}
  Status(Code code_in, SubCode subcode_in, bool retryable, bool data_loss,
         unsigned char scope) noexcept
      : code_(code_in),
        subcode_(subcode_in),
        retryable_(retryable),
        data_loss_(data_loss),
        scope_(scope) {}
  Status(Code code_in, SubCode subcode_in, const Slice& msg, const Slice& msg2,
         Severity severity_in = kNoError);
  Status(Code code_in, const Slice& msg, const Slice& msg2)
      : Status(code_in, kNone, msg, msg2) {}

  Status(Code code_in, SubCode subcode_in, Severity severity_in,
         const Slice& msg)
      : Status(code_in, subcode_in, msg, Slice(), severity_in) {}

  // Nothing tells checked statuses from others.
  void MarkChecked() const {}

  static std::unique_ptr<const char[]> CopyState(const char* s);
  [[gnu::always_inline]] void TakeFrom(Status* s) noexcept;

  Code code_ = kOk;
  SubCode subcode_ = kNone;
  Severity sev_ = kNoError;
  // The next three have a meaning for IOStatus only (see there), but travel
  // with every copy, so that no layer in between loses them.
  bool retryable_ = false;
  bool data_loss_ = false;
  unsigned char scope_ = 0;
  std::unique_ptr<const char[]> state_;
};

inline Status::Status(const Status& s)
    : code_(s.code_),
      subcode_(s.subcode_),
      sev_(s.sev_),
      retryable_(s.retryable_),
      data_loss_(s.data_loss_),
      scope_(s.scope_) {
  if (s.state_ != nullptr) state_ = CopyState(s.state_.get());
}

inline Status::Status(const Status& s, Severity severity) : Status(s) {
  sev_ = severity;
}

inline Status& Status::operator=(const Status& s) {
  if (this != &s) *this = Status(s);
  return *this;
}

inline Status::Status(Status&& s) noexcept { TakeFrom(&s); }

inline Status& Status::operator=(Status&& s) noexcept {
  if (this != &s) TakeFrom(&s);
  return *this;
}

// All are read before one is written, so that the compiler moves them at once.
inline void Status::TakeFrom(Status* s) noexcept {
  const Code code = s->code_;
  const SubCode subcode = s->subcode_;
  const Severity severity = s->sev_;
  const bool retryable = s->retryable_;
  const bool data_loss = s->data_loss_;
  const unsigned char scope = s->scope_;
  s->code_ = kOk;
  s->subcode_ = kNone;
  s->sev_ = kNoError;
  s->retryable_ = false;
  s->data_loss_ = false;
  s->scope_ = 0;
  code_ = code;
  subcode_ = subcode;
  sev_ = severity;
  retryable_ = retryable;
  data_loss_ = data_loss;
  scope_ = scope;
  state_ = std::move(s->state_);
}

}  // namespace ROCKSDB_NAMESPACE
