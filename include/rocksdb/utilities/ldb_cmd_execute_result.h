#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// How far a command of ldb has come, with a text about it.
class LDBCommandExecuteResult {
 public:
  enum State {
    EXEC_NOT_STARTED = 0,
    EXEC_SUCCEED = 1,
    EXEC_FAILED = 2,
  };

  LDBCommandExecuteResult() = default;
  LDBCommandExecuteResult(State state, std::string& msg)
      : state_(state), message_(msg) {}

  // "Failed: <text>", "Not started: <text>", or the text alone on success.
  std::string ToString();
  // Back to "not started", without a text.
  void Reset();

  bool IsSucceed() { return state_ == EXEC_SUCCEED; }
  bool IsNotStarted() { return state_ == EXEC_NOT_STARTED; }
  bool IsFailed() { return state_ == EXEC_FAILED; }

  static LDBCommandExecuteResult Succeed(std::string msg);
  static LDBCommandExecuteResult Failed(std::string msg);

 private:
  State state_ = EXEC_NOT_STARTED;
  std::string message_;
};

}  // namespace ROCKSDB_NAMESPACE
