// Threads that do operations, and the clock by which each of them is due.
//
// Without a rate an operation begins where the one before ended. With one, each
// thread has a time table, and an operation's latency counts from when it was
// due: what waits because the one before took long has waited, as a client has.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/c_bench/database.h"
#include "tools/c_bench/histogram.h"
#include "tools/c_bench/random.h"

namespace c_bench {

// Nanoseconds of the monotonic clock.
uint64_t NowNanos();
void SleepUntilNanos(uint64_t when);

// How the operations of a benchmark end and how they are paced.
struct Pace {
  int64_t operations = -1;  // For each thread; negative: no limit.
  int64_t seconds = 0;      // 0: no limit.
  double per_second = 0;    // For all threads together; 0: as fast as they can.
  bool is_timed = false;    // Each operation's latency is measured.
};

// One thread's share of a benchmark. Confined to that thread while it runs.
class Worker {
 public:
  Worker(int id, int count, const Pace& pace, uint64_t seed,
         const std::atomic<bool>* is_over);

  // Operations are due from `start_nanos` on.
  void Start(uint64_t start_nanos);
  // Waits until the next operation is due. False: there is none.
  bool Next();
  // An operation has ended: it found so many of the keys that it looked for.
  void Done(uint64_t sought, uint64_t found, uint64_t bytes);
  void End();

  int id() const { return id_; }
  Random& random() { return random_; }

  // What it did. `operations` counts keys that were sought or written.
  uint64_t operations = 0;
  uint64_t found = 0;
  uint64_t bytes = 0;
  uint64_t end_nanos = 0;
  Histogram latency;
  Histogram service;  // From the begin of an operation, not when it was due.

 private:
  bool IsLate(uint64_t nanos) const;

  const int id_;
  const Pace pace_;
  const double step_nanos_;  // Between two operations of this thread; 0: none.
  const std::atomic<bool>* is_over_;
  Random random_;
  int64_t turn_ = 0;
  uint64_t start_nanos_ = 0;
  uint64_t due_nanos_ = 0;
  uint64_t begin_nanos_ = 0;
};

// What all workers of a benchmark did.
struct Total {
  uint64_t operations = 0;
  uint64_t found = 0;
  uint64_t bytes = 0;
  double seconds = 0;         // Until the last thread has ended.
  double thread_seconds = 0;  // Added up over all threads.
  Histogram latency;
  Histogram service;
};

// Runs `work` in so many threads, which begin at once; they stop early once
// `is_over`, if it is given, is set.
Total RunWorkers(const Flags& flags, const Pace& pace,
                 const std::function<void(Worker*)>& work,
                 const std::atomic<bool>* is_over = nullptr);

// Prints the line of a benchmark as db_bench has it, and its histogram.
void PrintTotal(const std::string& name, const Total& total, bool is_timed,
                bool is_read);

}  // namespace c_bench
