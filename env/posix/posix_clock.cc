#include "env/posix/posix_clock.h"

#include <errno.h>
#include <time.h>

#include <ctime>
#include <functional>
#include <memory>

#include "monitoring/tick_clock.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

uint64_t NanosOf(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

uint64_t PosixClock::NowMicros() { return NanosOf(CLOCK_REALTIME) / 1000; }
uint64_t PosixClock::NowNanos() { return NanosOf(CLOCK_MONOTONIC); }
uint64_t PosixClock::CPUMicros() { return CPUNanos() / 1000; }
uint64_t PosixClock::CPUNanos() { return NanosOf(CLOCK_THREAD_CPUTIME_ID); }

void PosixClock::SleepForMicroseconds(int micros) {
  if (micros <= 0) return;
  timespec rest{.tv_sec = micros / 1'000'000,
                .tv_nsec = (micros % 1'000'000) * 1000L};
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
  }
}

Status PosixClock::GetCurrentTime(int64_t* unix_time) {
  const time_t now = time(nullptr);
  if (now == static_cast<time_t>(-1)) {
    return Status::IOError("GetCurrentTime", ErrnoString(errno));
  }
  *unix_time = static_cast<int64_t>(now);
  return Status::OK();
}

std::string PosixClock::TimeToString(uint64_t seconds) {
  const time_t time = static_cast<time_t>(seconds);
  tm parts;
  if (localtime_r(&time, &parts) == nullptr) return std::to_string(seconds);
  return StringPrintf("%04d/%02d/%02d-%02d:%02d:%02d ", parts.tm_year + 1900,
                      parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
                      parts.tm_min, parts.tm_sec);
}

const std::shared_ptr<SystemClock>& SystemClock::Default() {
  // Never destroyed: background threads may ask for the time to the end.
  static const std::shared_ptr<SystemClock>& instance = [] {
    auto clock = std::make_unique<std::shared_ptr<SystemClock>>(
        std::make_shared<PosixClock>());
    TickClock::StandFor(clock->get());
    return std::ref(*clock.release());
  }();
  return instance;
}

}  // namespace ROCKSDB_NAMESPACE
