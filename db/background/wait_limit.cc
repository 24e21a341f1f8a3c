#include "db/background/wait_limit.h"

#include <algorithm>

#include "db/background/background_scheduler.h"
#include "db/background/stop_signals.h"
#include "db/registry/change_signal.h"

namespace ROCKSDB_NAMESPACE {

uint64_t WaitLimit::LeftMicros() const {
  if (options_.timeout.count() == 0) return UINT64_MAX;
  const auto timeout = static_cast<uint64_t>(options_.timeout.count());
  const auto waited = static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() -
                                                            begin_)
          .count());
  return timeout - std::min(timeout, waited);
}

Status WaitLimit::CheckHeld() const {
  const bool is_held =
      context_.scheduler->IsPaused() || context_.stop->IsAborting();
  return options_.abort_on_pause && is_held ? Status::Aborted() : Status::OK();
}

Status WaitLimit::AwaitChange(uint64_t most_micros) const {
  if (Status s = CheckHeld(); !s.ok()) return s;
  const uint64_t left = LeftMicros();
  if (left == 0) return Status::TimedOut();
  const uint64_t micros = std::min(left, most_micros);
  if (micros == UINT64_MAX) {
    context_.changes->AwaitForUser();
  } else {
    context_.changes->AwaitFor(micros);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
