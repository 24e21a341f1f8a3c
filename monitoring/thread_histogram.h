#pragma once

// A histogram that one thread writes and others read.
//
// Most values of a thread repeat: sizes, and times of which most are not taken.
// So the last value and how often it came stand apart, and adding it once more
// is one addition; another value has the run before put into its bucket.
//
// Threads  The owner writes with plain stores; AddTo() from any thread, which
//          sees a run on one side only: as one, or in its bucket.

#include <array>
#include <atomic>
#include <cstdint>

#include "monitoring/histogram.h"

namespace ROCKSDB_NAMESPACE {

class ThreadHistogram {
 public:
  ThreadHistogram() = default;
  ThreadHistogram(const ThreadHistogram&) = delete;
  ThreadHistogram& operator=(const ThreadHistogram&) = delete;

  // By the owner.
  bool IsOfEpoch(uint64_t epoch) const {
    return epoch_.load(kRelaxed) == epoch;
  }
  // Empty again.
  void StartEpoch(uint64_t epoch);
  void Add(uint64_t value) {
    if (value == run_value_.load(kRelaxed)) {
      AddLastAgain();
    } else {
      StartRun(value);
    }
  }
  // Counts what was not measured as the last value that was.
  void AddLastAgain() {
    run_count_.store(run_count_.load(kRelaxed) + 1, kRelaxed);
  }
  // Is the next value to be measured? Each of the first ones is, then one of
  // kOneIn, at random, so that no rhythm of the values is met.
  bool IsNextMeasured() {
    if (skipped_ == 0) [[unlikely]] {
      DrawSkipped();
      return true;
    }
    --skipped_;
    return false;
  }
  static constexpr uint32_t kOneIn = 16;
  static constexpr uint32_t kFirstMeasured = 64;

  // By anyone. Nothing, if it is of another epoch.
  void AddTo(uint64_t wanted_epoch, HistogramSnapshot* total) const;

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;

  void StartRun(uint64_t value);
  void EndRun();
  void DrawSkipped();
  // Readers of what is written between the two begin again.
  void BeginChange();
  void EndChange();
  void CopyTo(HistogramSnapshot* copy) const;

  std::atomic<uint64_t> epoch_{0};
  std::atomic<uint64_t> run_value_{0};
  std::atomic<uint64_t> run_count_{0};
  // Odd while a change is made.
  std::atomic<uint64_t> changes_{0};
  // The owner's alone.
  uint32_t skipped_ = 0;
  uint32_t measured_ = 0;  // up to kFirstMeasured
  uint32_t random_ = 1;
  // Without the run.
  std::atomic<uint64_t> min_{UINT64_MAX};
  std::atomic<uint64_t> max_{0};
  std::atomic<uint64_t> sum_{0};
  std::atomic<double> sum_squares_{0};
  std::array<std::atomic<uint64_t>, kHistogramBucketCount> buckets_{};
};

}  // namespace ROCKSDB_NAMESPACE
