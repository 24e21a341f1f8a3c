#include "db/registry/change_signal.h"

#include "monitoring/perf_context_imp.h"

namespace ROCKSDB_NAMESPACE {

// At a level of its own, as all that waits at the mutex.
void ChangeSignal::AwaitForUser() {
  PerfTimer timer(&perf_internal::Context().db_condition_wait_nanos,
                  kEnableTime);
  timer.Start();
  changed_.Wait();
}

void ChangeSignal::AwaitForUser(const std::atomic<bool>* canceled) {
  if (canceled == nullptr) return AwaitForUser();
  constexpr uint64_t kLookMicros = 500'000;
  PerfTimer timer(&perf_internal::Context().db_condition_wait_nanos,
                  kEnableTime);
  timer.Start();
  changed_.WaitFor(kLookMicros);
}

}  // namespace ROCKSDB_NAMESPACE
