#include "file/yielding_limiter.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "rocksdb/file_system.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kMicrosPerSecond = 1'000'000;
// A part that took longer waited for something else than the device.
constexpr uint64_t kMostRestMicros = 50'000;

}  // namespace

YieldingLimiter::YieldingLimiter(Count count, SystemClock* clock)
    : RateLimiter(Mode::kReadsOnly), count_(std::move(count)), clock_(clock) {
  INVARIANT(count_ != nullptr && clock_ != nullptr);
}

std::shared_ptr<RateLimiter> YieldingLimiter::Below(const std::string& path,
                                                    Env* env) {
  if (env->GetFileSystem() != FileSystem::Default()) return nullptr;
  const auto counter =
      std::make_shared<DiskReadCounter>(DiskCounterFiles::Of(path));
  return std::make_shared<YieldingLimiter>(
      [counter](DiskReads* reads) { return counter->Read(reads); },
      SystemClock::Default().get());
}

bool YieldingLimiter::IsRateLimited(OpType op_type) {
  if (op_type == OpType::kWrite) return false;
  MutexLock lock(&mutex_);
  const uint64_t now = MonotonicMicros(clock_);
  return now < beside_until_micros_ || IsLookDue(now);
}

bool YieldingLimiter::IsLookDue(uint64_t now) const {
  const uint64_t pause =
      now < beside_until_micros_ ? kBesideMicros : kAloneMicros;
  return !has_looked_ || now >= looked_micros_ + pause;
}

// What others have read is what the device has beyond the process's own, which
// may have read from other devices too.
void YieldingLimiter::Look(uint64_t now) {
  DiskReads reads;
  const bool is_told = count_(&reads);
  if (is_told && has_looked_) {
    const uint64_t all = reads.device_bytes - seen_.device_bytes;
    const uint64_t own = reads.own_bytes - seen_.own_bytes;
    const uint64_t others = all > own ? all - own : 0;
    if (others * kMicrosPerSecond > kSeldomBytes * (now - looked_micros_)) {
      beside_until_micros_ = now + kMemoryMicros;
    }
  }
  has_looked_ = true;
  if (is_told) seen_ = reads;
  looked_micros_ = now;
}

void YieldingLimiter::NotePart(uint64_t now) {
  if (part_bytes_ == 0) return;
  micros_per_byte_[next_part_] = static_cast<double>(now - part_micros_) /
                                 static_cast<double>(part_bytes_);
  next_part_ = (next_part_ + 1) % kPartCount;
}

uint64_t YieldingLimiter::RestMicros() const {
  std::vector<double> known;
  for (const double micros : micros_per_byte_) {
    if (micros > 0) known.push_back(micros);
  }
  if (known.empty()) return 0;
  const auto quick = known.begin() + static_cast<ptrdiff_t>(known.size() / 4);
  std::nth_element(known.begin(), quick, known.end());
  const double rest = *quick * static_cast<double>(part_bytes_) * kRests;
  return static_cast<uint64_t>(std::min<double>(rest, kMostRestMicros));
}

void YieldingLimiter::Request(int64_t bytes, Env::IOPriority /*pri*/,
                              Statistics* /*stats*/) {
  INVARIANT(bytes >= 0);
  uint64_t rest = 0;
  {
    MutexLock lock(&mutex_);
    const uint64_t now = MonotonicMicros(clock_);
    NotePart(now);
    if (IsLookDue(now)) Look(now);
    if (now < beside_until_micros_) rest = RestMicros();
  }
  if (rest > 0) clock_->SleepForMicroseconds(static_cast<int>(rest));
  MutexLock lock(&mutex_);
  // What comes next may be read in another way.
  const uint64_t now = MonotonicMicros(clock_);
  part_bytes_ = now < beside_until_micros_ ? bytes : 0;
  part_micros_ = now;
  all_bytes_ += bytes;
  ++request_count_;
}

int64_t YieldingLimiter::GetTotalBytesThrough(Env::IOPriority /*pri*/) const {
  MutexLock lock(&mutex_);
  return all_bytes_;
}

int64_t YieldingLimiter::GetTotalRequests(Env::IOPriority /*pri*/) const {
  MutexLock lock(&mutex_);
  return request_count_;
}

}  // namespace ROCKSDB_NAMESPACE
