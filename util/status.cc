#include "rocksdb/status.h"

#include <cstring>

namespace ROCKSDB_NAMESPACE {

namespace {

const char* CodePrefix(Status::Code code) {
  switch (code) {
    case Status::kNotFound:
      return "NotFound: ";
    case Status::kCorruption:
      return "Corruption: ";
    case Status::kNotSupported:
      return "Not implemented: ";
    case Status::kInvalidArgument:
      return "Invalid argument: ";
    case Status::kIOError:
      return "IO error: ";
    case Status::kMergeInProgress:
      return "Merge in progress: ";
    case Status::kIncomplete:
      return "Result incomplete: ";
    case Status::kShutdownInProgress:
      return "Shutdown in progress: ";
    case Status::kTimedOut:
      return "Operation timed out: ";
    case Status::kAborted:
      return "Operation aborted: ";
    case Status::kBusy:
      return "Resource busy: ";
    case Status::kExpired:
      return "Operation expired: ";
    case Status::kTryAgain:
      return "Operation failed. Try again.: ";
    case Status::kCompactionTooLarge:
      return "Compaction too large: ";
    case Status::kColumnFamilyDropped:
      return "Column family dropped: ";
    case Status::kOk:
    case Status::kMaxCode:
      break;
  }
  return "Unknown code: ";
}

// By the value of the sub-code.
constexpr const char* kSubCodeTexts[] = {
    "",
    "Timeout Acquiring Mutex",
    "Timeout waiting to lock key",
    "Failed to acquire lock due to max_num_locks limit",
    "No space left on device",
    "Deadlock",
    "Stale file handle",
    "Memory limit reached",
    "Space limit reached",
    "No such file or directory",
    "Insufficient capacity for merge operands",
    "Manual compaction paused",
    " (overwritten)",
    "Txn not prepared",
    "IO fenced off",
    "Merge operator failed",
    "Number of operands merged exceeded threshold",
    "MultiScan reached file prefetch limit",
    "Not expected code path",
    "All compactions aborted",
};
static_assert(sizeof(kSubCodeTexts) / sizeof(kSubCodeTexts[0]) ==
              Status::kMaxSubCode);

std::unique_ptr<const char[]> CString(const std::string& text) {
  auto copy = std::make_unique<char[]>(text.size() + 1);
  memcpy(copy.get(), text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace

std::unique_ptr<const char[]> Status::CopyState(const char* s) {
  return CString(s);
}

Status::Status(Code code_in, SubCode subcode_in, const Slice& msg,
               const Slice& msg2, Severity severity_in)
    : code_(code_in), subcode_(subcode_in), sev_(severity_in) {
  assert(subcode_in != kMaxSubCode);
  std::string text = msg.ToString();
  if (!msg2.empty()) {
    text += ": ";
    text.append(msg2.data(), msg2.size());
  }
  state_ = CString(text);
}

Status Status::CopyAppendMessage(const Status& s, const Slice& delim,
                                 const Slice& msg) {
  Status result = s;
  std::string text = s.state_ == nullptr ? "" : s.state_.get();
  text.append(delim.data(), delim.size());
  text.append(msg.data(), msg.size());
  result.state_ = CString(text);
  return result;
}

std::string Status::ToString() const {
  if (code_ == kOk) return "OK";
  std::string result = CodePrefix(code_);
  if (code_ >= kMaxCode) {
    result = "Unknown code(" + std::to_string(code_) + "): ";
  }
  if (subcode_ != kNone && subcode_ < kMaxSubCode) {
    result += kSubCodeTexts[subcode_];
    if (state_ != nullptr) result += ": ";
  }
  if (state_ != nullptr) result += state_.get();
  return result;
}

}  // namespace ROCKSDB_NAMESPACE
