#include "rocksdb/utilities/ldb_cmd_execute_result.h"

namespace ROCKSDB_NAMESPACE {

std::string LDBCommandExecuteResult::ToString() {
  switch (state_) {
    case EXEC_FAILED:
      return "Failed: " + message_;
    case EXEC_NOT_STARTED:
      return "Not started: " + message_;
    case EXEC_SUCCEED:
      break;
  }
  return message_;
}

void LDBCommandExecuteResult::Reset() {
  state_ = EXEC_NOT_STARTED;
  message_.clear();
}

LDBCommandExecuteResult LDBCommandExecuteResult::Succeed(std::string msg) {
  return LDBCommandExecuteResult(EXEC_SUCCEED, msg);
}

LDBCommandExecuteResult LDBCommandExecuteResult::Failed(std::string msg) {
  return LDBCommandExecuteResult(EXEC_FAILED, msg);
}

}  // namespace ROCKSDB_NAMESPACE
