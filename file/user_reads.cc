#include "file/user_reads.h"

#include <algorithm>

#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Users count as reading for so long after a read from the device.
constexpr uint64_t kUserMemoryMicros = 50'000;
// Users that seldom read from the device do not notice it: less than one read
// in so many.
constexpr uint64_t kSeldom = 200;
// One read in so many is timed: after one from the device, one from memory, and
// while there is no background I/O.
constexpr uint32_t kDeviceSampling = 4;
constexpr uint32_t kMemorySampling = 32;
constexpr uint32_t kQuietSampling = 64;
constexpr uint64_t kSlowdownFactor = 4;

}  // namespace

void UserReads::Note(uint64_t micros, bool is_from_device, bool is_quiet) {
  Sampling& own = SamplingOfThread();
  const uint32_t stands_for = own.stands_for;
  own.stands_for = is_from_device ? kDeviceSampling
                   : is_quiet     ? kQuietSampling
                                  : kMemorySampling;
  own.to_skip = own.stands_for - 1;
  reads_.fetch_add(stands_for, std::memory_order_relaxed);
  if (!is_from_device) return;
  device_reads_.fetch_add(stands_for, std::memory_order_relaxed);
  // relaxed: a moment early or late changes nothing.
  last_from_device_micros_.store(MonotonicMicros(clock_),
                                 std::memory_order_relaxed);
  if (micros == 0) return;
  MutexLock lock(&mutex_);
  samples_[sample_count_++ % kSampleCount] = micros;
}

bool UserReads::ReachDevice() const {
  const uint64_t last =
      last_from_device_micros_.load(std::memory_order_relaxed);
  if (last == 0) return false;
  // An application's clock may go back.
  const uint64_t now = MonotonicMicros(clock_);
  const uint64_t since = now > last ? now - last : last - now;
  return since < kUserMemoryMicros &&
         device_reads_.load(std::memory_order_relaxed) * kSeldom >=
             reads_.load(std::memory_order_relaxed);
}

uint64_t UserReads::TakeP95() {
  const size_t count = std::min(sample_count_, kSampleCount);
  sample_count_ = 0;
  if (count == 0) return 0;
  const auto at = samples_.begin() + static_cast<ptrdiff_t>(count * 95 / 100);
  std::nth_element(samples_.begin(), at,
                   samples_.begin() + static_cast<ptrdiff_t>(count));
  return *at;
}

bool UserReads::EndWindow(bool was_quiet) {
  // relaxed: what is noted meanwhile may be lost.
  for (std::atomic<uint64_t>* count : {&reads_, &device_reads_}) {
    count->store(count->load(std::memory_order_relaxed) / 2,
                 std::memory_order_relaxed);
  }
  MutexLock lock(&mutex_);
  const uint64_t p95 = TakeP95();
  if (p95 == 0) return false;
  const uint64_t quiet = times_.quiet;
  times_.p95 = p95;
  if (was_quiet || quiet == 0 || p95 < quiet) {
    times_.quiet = quiet == 0 ? p95 : (quiet * 3 + p95) / 4;
  }
  return quiet > 0 && p95 > kSlowdownFactor * quiet;
}

UserReads::Micros UserReads::Times() const {
  MutexLock lock(&mutex_);
  return times_;
}

}  // namespace ROCKSDB_NAMESPACE
