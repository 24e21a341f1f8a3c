#include "db/recovery/catch_up_thread.h"

#include <system_error>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

CatchUpThread::CatchUpThread(SystemClock* clock, std::function<void()> round)
    : round_(std::move(round)), wait_(clock) {
  INVARIANT(round_ != nullptr);
}

Status CatchUpThread::Start(uint64_t period_micros) {
  INVARIANT(!thread_.joinable());
  INVARIANT(period_micros > 0);
  try {
    thread_ = std::thread([this, period_micros] {
      while (wait_.For(period_micros)) round_();
    });
  } catch (const std::system_error& e) {
    return Status::Aborted("no thread to follow the leader with", e.what());
  }
  return Status::OK();
}

void CatchUpThread::Stop() {
  wait_.Stop();
  if (thread_.joinable()) thread_.join();
}

}  // namespace ROCKSDB_NAMESPACE
