#include "monitoring/thread_histogram.h"

#include <algorithm>

#include "monitoring/moment_tries.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Adds to a number that only this thread writes.
template <typename T>
void AddOwned(std::atomic<T>* number, T value) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  number->store(number->load(kRelaxed) + value, kRelaxed);
}

}  // namespace

void ThreadHistogram::BeginChange() {
  changes_.store(changes_.load(kRelaxed) + 1, kRelaxed);
  // release: whoever sees a store after it sees the odd number.
  std::atomic_thread_fence(std::memory_order_release);
}

void ThreadHistogram::EndChange() {
  // release: pairs with the acquire in AddTo().
  changes_.store(changes_.load(kRelaxed) + 1, std::memory_order_release);
}

void ThreadHistogram::StartEpoch(uint64_t epoch) {
  BeginChange();
  run_value_.store(0, kRelaxed);
  run_count_.store(0, kRelaxed);
  min_.store(UINT64_MAX, kRelaxed);
  max_.store(0, kRelaxed);
  sum_.store(0, kRelaxed);
  sum_squares_.store(0, kRelaxed);
  for (auto& bucket : buckets_) bucket.store(0, kRelaxed);
  epoch_.store(epoch, kRelaxed);
  EndChange();
  skipped_ = 0;
  measured_ = 0;
}

void ThreadHistogram::StartRun(uint64_t value) {
  BeginChange();
  EndRun();
  run_value_.store(value, kRelaxed);
  run_count_.store(1, kRelaxed);
  EndChange();
}

void ThreadHistogram::EndRun() {
  const uint64_t count = run_count_.load(kRelaxed);
  if (count == 0) return;
  const uint64_t value = run_value_.load(kRelaxed);
  AddOwned(&buckets_[histogram_buckets::IndexForValue(value)], count);
  if (value < min_.load(kRelaxed)) min_.store(value, kRelaxed);
  if (value > max_.load(kRelaxed)) max_.store(value, kRelaxed);
  AddOwned(&sum_, value * count);
  const auto number = static_cast<double>(value);
  AddOwned(&sum_squares_, number * number * static_cast<double>(count));
}

void ThreadHistogram::DrawSkipped() {
  if (measured_ < kFirstMeasured) {
    ++measured_;
    return;
  }
  // A linear congruence, of which the high bits are the good ones.
  random_ = random_ * 1'664'525 + 1'013'904'223;
  // On the average kOneIn - 1.
  skipped_ =
      static_cast<uint32_t>((uint64_t{random_} * (2 * kOneIn - 1)) >> 32);
}

void ThreadHistogram::CopyTo(HistogramSnapshot* copy) const {
  copy->min = min_.load(kRelaxed);
  copy->max = max_.load(kRelaxed);
  copy->sum = sum_.load(kRelaxed);
  copy->sum_squares = sum_squares_.load(kRelaxed);
  copy->count = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    copy->buckets[i] = buckets_[i].load(kRelaxed);
    copy->count += copy->buckets[i];
  }
  const uint64_t run_count = run_count_.load(kRelaxed);
  if (run_count == 0) return;
  const uint64_t value = run_value_.load(kRelaxed);
  copy->buckets[histogram_buckets::IndexForValue(value)] += run_count;
  copy->count += run_count;
  copy->min = std::min(copy->min, value);
  copy->max = std::max(copy->max, value);
  copy->sum += value * run_count;
  const auto number = static_cast<double>(value);
  copy->sum_squares += number * number * static_cast<double>(run_count);
}

void ThreadHistogram::AddTo(uint64_t wanted_epoch,
                            HistogramSnapshot* total) const {
  HistogramSnapshot copy;
  MomentTries tries;
  while (true) {
    // acquire: pairs with the release in EndChange().
    const uint64_t before = changes_.load(std::memory_order_acquire);
    if (epoch_.load(kRelaxed) != wanted_epoch) return;
    CopyTo(&copy);
    // acquire: pairs with the fence in BeginChange().
    std::atomic_thread_fence(std::memory_order_acquire);
    const uint64_t after = changes_.load(kRelaxed);
    if (before % 2 == 0 && after == before) break;
    // The reader takes what it has: a run may be missing, or be there twice.
    if (!tries.GoOn(after)) break;
  }
  total->Merge(copy);
}

}  // namespace ROCKSDB_NAMESPACE
