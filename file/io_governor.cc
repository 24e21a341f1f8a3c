#include "file/io_governor.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

#include "env/job_threads.h"
#include "file/aligned_buffer.h"
#include "file/io_pace.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kWindowMicros = 100'000;
constexpr uint64_t kIdleDelayMicros = 2'000;
constexpr size_t kCapStep = 64 << 10;
// Until one is measured: 512 KiB in 0.3 ms, a common solid-state device.
constexpr double kAssumedBandwidth = 1.75e9;
// In each window.
constexpr double kBandwidthDecay = 0.98;
// No device takes so long; what is in flight then is held by a thread that
// does something else.
constexpr uint64_t kStuckMicros = 1'000'000;
// Each class that waits gets this part of the bytes.
constexpr uint64_t kFloorPart = 10;
constexpr size_t kPageBytes = 4096;
static_assert(IoGovernor::kMinRequestBytes * 2 <= IoGovernor::kMinCapBytes);

// An application's clock may go back.
uint64_t Distance(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

size_t IndexOf(IoClass io_class) {
  const auto index = static_cast<size_t>(io_class);
  assert(index < kIoClassCount);
  return index;
}

}  // namespace

const char* IoClassName(IoClass io_class) {
  static constexpr const char* kNames[] = {"flush", "level-0", "deep",
                                           "maintenance"};
  static_assert(std::size(kNames) == kIoClassCount);
  return kNames[IndexOf(io_class)];
}

IoGovernor::IoGovernor(SystemClock* clock)
    : clock_(clock != nullptr ? clock : SystemClock::Default().get()),
      user_reads_(clock_),
      busy_cap_(0),
      bandwidth_(kAssumedBandwidth) {
  MutexLock lock(&mutex_);
  CombineLimits();
}

IoGovernor::~IoGovernor() {
  INVARIANT(in_flight_.load() == 0);
  INVARIANT(urgent_members_.load() == 0);
}

std::shared_ptr<IoGovernor> IoGovernor::Of(const FileSystem* fs) {
  INVARIANT(fs != nullptr);
  struct Registry {
    Mutex mutex;
    std::unordered_map<const FileSystem*, std::weak_ptr<IoGovernor>> all
        GUARDED_BY(mutex);
  };
  // Never destroyed: databases held by statics may outlive any static of ours.
  static Registry& registry = *std::make_unique<Registry>().release();
  MutexLock lock(&registry.mutex);
  std::erase_if(registry.all,
                [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<IoGovernor>& known = registry.all[fs];
  std::shared_ptr<IoGovernor> governor = known.lock();
  if (governor == nullptr) {
    governor = std::make_shared<IoGovernor>();
    known = governor;
  }
  return governor;
}

// ---- Limits ----

void IoGovernor::Join(const IoLimits& limits) {
  MutexLock lock(&mutex_);
  members_.push_back(limits);
  CombineLimits();
}

void IoGovernor::Leave(const IoLimits& limits) {
  MutexLock lock(&mutex_);
  const auto it = std::find(members_.begin(), members_.end(), limits);
  INVARIANT(it != members_.end());
  members_.erase(it);
  CombineLimits();
}

void IoGovernor::CombineLimits() {
  const auto smaller = [](uint64_t a, uint64_t b) {
    return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
  };
  limits_ = IoLimits{.target_delay_micros = 0};
  for (const IoLimits& member : members_) {
    if (member.target_delay_micros == 0) continue;
    limits_.target_delay_micros =
        smaller(limits_.target_delay_micros, member.target_delay_micros);
    limits_.max_bytes_in_flight =
        smaller(limits_.max_bytes_in_flight, member.max_bytes_in_flight);
  }
  busy_cap_ = LimitFor(limits_.target_delay_micros);
  changed_.SignalAll();
}

// What the device moves in `delay_micros`, within bounds.
size_t IoGovernor::LimitFor(uint64_t delay_micros) const {
  const double bytes = bandwidth_ * 1e-6 * static_cast<double>(delay_micros);
  // Within bounds first: a long delay would overflow.
  auto cap = static_cast<size_t>(
      std::clamp(bytes, double{kMinCapBytes}, double{kMaxCapBytes}));
  if (limits_.max_bytes_in_flight > 0) {
    cap = std::min<size_t>(
        cap, std::max<uint64_t>(limits_.max_bytes_in_flight, kMinRequestBytes));
  }
  return AlignDown(cap, kPageBytes);
}

uint64_t IoGovernor::NowMicros() const { return MonotonicMicros(clock_); }

size_t IoGovernor::CapFor(IoClass io_class) const {
  const bool may_hurry = io_class <= IoClass::kLevel0 && is_urgent();
  if (may_hurry || !users_read()) return LimitFor(kIdleDelayMicros);
  return busy_cap_;
}

bool IoGovernor::IsWaitedFor(IoClass io_class) const {
  const size_t index = IndexOf(io_class);
  assert(turn_[index] <= next_turn_[index]);
  return turn_[index] < next_turn_[index];
}

// Another class waits and comes first: a higher one, unless this one is still
// short of its part, or a lower one that is. Of those that wait, there is
// always one that need not yield: the lowest that is short, else the highest.
bool IoGovernor::MustYield(IoClass io_class) const {
  const auto has_its_part = [this](size_t index) {
    mutex_.AssertHeld();
    return window_bytes_[index] * kFloorPart >= window_total_;
  };
  const size_t own = IndexOf(io_class);
  for (size_t i = 0; i < kIoClassCount; ++i) {
    if (i == own || !IsWaitedFor(static_cast<IoClass>(i))) continue;
    if (i < own ? has_its_part(own) : !has_its_part(i)) return true;
  }
  return false;
}

// ---- Admission ----

size_t IoGovernor::RequestFor(const Wanted& wanted, size_t cap) const {
  const size_t most = std::clamp(AlignDown(cap / 2, kPageBytes),
                                 kMinRequestBytes, kMaxRequestBytes);
  if (wanted.bytes <= most) return wanted.bytes;
  return std::max(AlignDown(most, wanted.alignment), wanted.alignment);
}

void IoGovernor::NoteAdmitted(IoClass io_class, size_t bytes) {
  const size_t index = IndexOf(io_class);
  in_flight_.fetch_add(bytes, std::memory_order_relaxed);
  classes_[index].bytes_in_flight += bytes;
  classes_[index].requests += 1;
  classes_[index].bytes += bytes;
  window_bytes_[index] += bytes;
  window_total_ += bytes;
}

size_t IoGovernor::AdmitLocked(const Wanted& wanted) {
  INVARIANT(wanted.bytes > 0 && wanted.alignment > 0);
  size_t granted = wanted.bytes;
  if (limits_.target_delay_micros > 0) {
    const uint64_t now = NowMicros();
    // Before this one counts: a window without requests shows how users fare
    // alone.
    Adapt(now);
    const size_t cap = CapFor(wanted.io_class);
    granted = RequestFor(wanted, cap);
    const size_t in_flight = in_flight_.load(std::memory_order_relaxed);
    if (in_flight > 0 && in_flight + granted > cap) return 0;
    if (MustYield(wanted.io_class)) return 0;
    last_change_micros_ = now;
  }
  NoteAdmitted(wanted.io_class, granted);
  return granted;
}

size_t IoGovernor::TryAdmit(IoClass io_class, size_t wanted, size_t alignment) {
  MutexLock lock(&mutex_);
  if (IsWaitedFor(io_class)) return 0;
  return AdmitLocked({io_class, wanted, alignment});
}

size_t IoGovernor::Admit(IoClass io_class, size_t wanted, size_t alignment) {
  const Wanted all{io_class, wanted, alignment};
  MutexLock lock(&mutex_);
  size_t granted = IsWaitedFor(io_class) ? 0 : AdmitLocked(all);
  if (granted > 0) return granted;
  const size_t index = IndexOf(io_class);
  const uint64_t start = NowMicros();
  const uint64_t turn = next_turn_[index]++;
  last_change_micros_ = std::max(last_change_micros_, start);
  while (granted == 0) {
    // A class that keeps to its part goes on when the window ends, which
    // nobody signals.
    changed_.WaitFor(kWindowMicros);
    if (turn != turn_[index]) continue;
    granted = AdmitLocked(all);
    const uint64_t now = NowMicros();
    if (granted == 0 && Distance(now, last_change_micros_) >= kStuckMicros) {
      granted = RequestFor(all, CapFor(io_class));
      last_change_micros_ = now;
      NoteAdmitted(io_class, granted);
    }
  }
  ++turn_[index];
  classes_[index].wait_micros += Distance(NowMicros(), start);
  changed_.SignalAll();
  return granted;
}

void IoGovernor::Finish(IoClass io_class, size_t bytes,
                        uint64_t device_micros) {
  MutexLock lock(&mutex_);
  IoGovernorStats::Class& own = classes_[IndexOf(io_class)];
  const size_t in_flight = in_flight_.load(std::memory_order_relaxed);
  INVARIANT(own.bytes_in_flight >= bytes);
  INVARIANT(in_flight >= bytes);
  if (device_micros > 0) {
    LearnBandwidth(in_flight, device_micros);
    own.device_micros += device_micros;
  }
  own.bytes_in_flight -= bytes;
  in_flight_.store(in_flight - bytes, std::memory_order_relaxed);
  last_change_micros_ = NowMicros();
  Adapt(last_change_micros_);
  for (size_t i = 0; i < kIoClassCount; ++i) {
    if (!IsWaitedFor(static_cast<IoClass>(i))) continue;
    changed_.SignalAll();
    break;
  }
}

// ---- Learning ----

// While the request was on the device, so was what else is in flight.
void IoGovernor::LearnBandwidth(size_t bytes_in_flight,
                                uint64_t device_micros) {
  assert(device_micros > 0);
  // Pages that the kernel holds are no measure of a device.
  constexpr double kMost = static_cast<double>(kMaxCapBytes) * 1e6 /
                           static_cast<double>(kIdleDelayMicros);
  const double seen = std::min(static_cast<double>(bytes_in_flight) * 1e6 /
                                   static_cast<double>(device_micros),
                               kMost);
  window_bandwidth_ = std::max(window_bandwidth_, seen);
  bandwidth_ = std::max(bandwidth_, seen);
}

void IoGovernor::Adapt(uint64_t now_micros) {
  if (Distance(now_micros, window_start_micros_) < kWindowMicros) return;
  const bool was_idle = window_total_ == 0;
  window_start_micros_ = now_micros;
  window_bytes_.fill(0);
  window_total_ = 0;
  if (window_bandwidth_ > 0) {
    bandwidth_ = std::max(window_bandwidth_, bandwidth_ * kBandwidthDecay);
    window_bandwidth_ = 0;
  }
  const bool users_suffer = user_reads_.EndWindow(was_idle);
  busy_cap_ = users_suffer
                  ? std::max<size_t>(AlignDown(busy_cap_ / 4 * 3, kPageBytes),
                                     kMinCapBytes)
                  : busy_cap_ + kCapStep;
  busy_cap_ = std::min(busy_cap_, LimitFor(limits_.target_delay_micros));
}

IoGovernorStats IoGovernor::Stats() const {
  MutexLock lock(&mutex_);
  IoGovernorStats stats;
  stats.cap_bytes = CapFor(IoClass::kDeep);
  stats.request_bytes = std::clamp(AlignDown(stats.cap_bytes / 2, kPageBytes),
                                   kMinRequestBytes, kMaxRequestBytes);
  stats.bandwidth_bytes_per_second = static_cast<uint64_t>(bandwidth_);
  const UserReads::Micros users = user_reads_.Times();
  stats.user_read_idle_micros = users.quiet;
  stats.user_read_p95_micros = users.p95;
  stats.classes = classes_;
  for (size_t i = 0; i < kIoClassCount; ++i) {
    stats.classes[i].waiting = next_turn_[i] - turn_[i];
  }
  return stats;
}

// ---- Membership ----

GovernorMembership::GovernorMembership(const FileSystem* fs,
                                       const IoLimits& limits)
    : governor_(IoGovernor::Of(fs)),
      limits_(limits),
      deep_pace_(std::make_unique<IoPace>()),
      job_threads_(std::make_unique<JobThreads>()) {
  governor_->Join(limits_);
}

GovernorMembership::~GovernorMembership() {
  SetUrgent(false);
  governor_->Leave(limits_);
}

void GovernorMembership::SetUrgent(bool is_urgent) const {
  job_threads_->SetUrgent(is_urgent);
  // A database that is not governed must not raise the cap of those that are.
  if (governor() == nullptr) return;
  if (is_urgent_.exchange(is_urgent) == is_urgent) return;
  governor_->ChangeUrgent(is_urgent ? 1 : -1);
}

}  // namespace ROCKSDB_NAMESPACE
