#include "tools/c_bench/worker.h"

#include <errno.h>
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <barrier>
#include <cstdio>
#include <memory>
#include <thread>

#include "tools/c_bench/text.h"

namespace c_bench {

namespace {

constexpr uint64_t kNanosOfSecond = 1'000'000'000;

// A thread that is not timed looks at the clock this often.
constexpr int64_t kTurnsBetweenLooks = 100;

}  // namespace

uint64_t NowNanos() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * kNanosOfSecond + now.tv_nsec;
}

void SleepUntilNanos(uint64_t when) {
  const timespec time = {static_cast<time_t>(when / kNanosOfSecond),
                         static_cast<long>(when % kNanosOfSecond)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) ==
         EINTR) {
  }
}

Worker::Worker(int id, int count, const Pace& pace, uint64_t seed,
               const std::atomic<bool>* is_over)
    : id_(id),
      pace_(pace),
      step_nanos_(pace.per_second > 0 ? count * 1e9 / pace.per_second : 0),
      is_over_(is_over),
      random_(seed + 1000 * static_cast<uint64_t>(id)) {}

void Worker::Start(uint64_t start_nanos) {
  // The kernel may else wake a sleeper 50 us late, to save power.
  if (step_nanos_ > 0) prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  start_nanos_ = begin_nanos_ = start_nanos;
}

bool Worker::IsLate(uint64_t nanos) const {
  if (is_over_ != nullptr && is_over_->load(std::memory_order_relaxed)) {
    return true;  // relaxed: nothing else goes with it.
  }
  return pace_.seconds > 0 &&
         nanos >= start_nanos_ + pace_.seconds * kNanosOfSecond;
}

bool Worker::Next() {
  const int64_t turn = turn_++;
  if (pace_.operations >= 0 && turn == pace_.operations) return false;
  if (step_nanos_ > 0) {
    // Threads take turns: id / count of a step lies between them.
    due_nanos_ = start_nanos_ +
                 static_cast<uint64_t>(step_nanos_ * static_cast<double>(turn));
    if (IsLate(due_nanos_)) return false;
    begin_nanos_ = NowNanos();
    if (begin_nanos_ < due_nanos_) {
      SleepUntilNanos(due_nanos_);
      begin_nanos_ = NowNanos();
    }
    // A thread that cannot keep up must not go on for long.
    return !IsLate(begin_nanos_);
  }
  if (!pace_.is_timed) {
    if (turn % kTurnsBetweenLooks == 0) begin_nanos_ = NowNanos();
  }
  due_nanos_ = begin_nanos_;
  return !IsLate(begin_nanos_);
}

void Worker::Done(uint64_t sought, uint64_t found_keys, uint64_t moved) {
  operations += sought;
  found += found_keys;
  bytes += moved;
  if (!pace_.is_timed && step_nanos_ == 0) return;
  const uint64_t now = NowNanos();
  latency.Add(now - due_nanos_);
  if (step_nanos_ > 0) service.Add(now - begin_nanos_);
  begin_nanos_ = now;
}

void Worker::End() { end_nanos = NowNanos(); }

Total RunWorkers(const Flags& flags, const Pace& pace,
                 const std::function<void(Worker*)>& work,
                 const std::atomic<bool>* is_over) {
  const int count = static_cast<int>(flags.Number("threads"));
  uint64_t seed = static_cast<uint64_t>(flags.Number("seed"));
  if (seed == 0) seed = NowNanos();
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < count; ++i) {
    workers.push_back(std::make_unique<Worker>(i, count, pace, seed, is_over));
  }
  uint64_t start = 0;
  std::barrier ready(count, [&start]() noexcept { start = NowNanos(); });
  const double step = pace.per_second > 0 ? 1e9 / pace.per_second : 0;
  std::vector<std::thread> threads;
  for (const auto& worker : workers) {
    threads.emplace_back([&, mine = worker.get()] {
      ready.arrive_and_wait();
      mine->Start(start + static_cast<uint64_t>(step * mine->id()));
      work(mine);
      mine->End();
    });
  }
  for (std::thread& thread : threads) thread.join();
  Total total;
  for (const auto& worker : workers) {
    total.operations += worker->operations;
    total.found += worker->found;
    total.bytes += worker->bytes;
    const double seconds = static_cast<double>(worker->end_nanos - start) / 1e9;
    total.seconds = std::max(total.seconds, seconds);
    total.thread_seconds += seconds;
    total.latency.Merge(worker->latency);
    total.service.Merge(worker->service);
  }
  return total;
}

void PrintTotal(const std::string& name, const Total& total, bool is_timed,
                bool is_read) {
  const double operations =
      static_cast<double>(std::max<uint64_t>(total.operations, 1));
  const double seconds = std::max(total.seconds, 1e-9);
  std::string line = Text(
      "%-12s : %11.3f micros/op %.0f ops/sec %.3f seconds %llu operations;",
      name.c_str(), total.thread_seconds * 1e6 / operations,
      operations / seconds, seconds, Printed(total.operations));
  if (total.bytes > 0) {
    line += Text("  %.1f MB/s",
                 static_cast<double>(total.bytes) / 1048576.0 / seconds);
  }
  if (is_read) {
    line += Text(" (%llu of %llu found)", Printed(total.found),
                 Printed(total.operations));
  }
  puts(line.c_str());
  if (is_timed && total.latency.count() > 0) {
    printf("Microseconds per operation:\n%s\n",
           total.latency.ToString().c_str());
  }
  if (total.service.count() > 0) {
    printf("From the begin of each: %s\n", total.service.Percentiles().c_str());
  }
  fflush(stdout);
}

}  // namespace c_bench
