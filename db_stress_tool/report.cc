#include "db_stress_tool/report.h"

#include <cstdio>

#include "db_stress_tool/stress_file_system.h"

namespace ROCKSDB_NAMESPACE::stress {

void Report::Fail(const std::string& what) {
  std::lock_guard<std::mutex> lock(mutex_);
  // One error often brings more; the first few are enough.
  if (counts_["failures"]++ < 5) {
    fprintf(stderr, "Verification failed: %s\n", what.c_str());
    fflush(stderr);
  }
  failed_ = true;
}

bool Report::Check(const Status& status, const char* call) {
  if (status.ok()) {
    Count(call);
    return true;
  }
  if (status.IsNotSupported()) {
    Count((std::string(call) + ": not supported").c_str());
  } else if (IsInjected(status)) {
    Count((std::string(call) + ": injected error").c_str());
  } else {
    Fail(std::string(call) + ": " + status.ToString());
  }
  return false;
}

bool Report::CheckContended(const Status& status, const char* call) {
  if (status.IsBusy() || status.IsAborted() || status.IsIncomplete() ||
      status.IsTryAgain()) {
    Count((std::string(call) + ": refused").c_str());
    return false;
  }
  return Check(status, call);
}

void Report::Count(const char* what) {
  std::lock_guard<std::mutex> lock(mutex_);
  ++counts_[what];
}

std::string Report::Counts() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::string text;
  for (const auto& [what, count] : counts_) {
    text += "  " + what + ": " + std::to_string(count) + "\n";
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::stress
