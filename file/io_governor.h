// Decides how many bytes of background I/O the device holds at a time, so that
// a read of a user never waits behind more than the device moves in the target
// delay. Reads of users are counted, never delayed.
//
// In flight  While users read from the device, and not less than one in 200 of
//            their reads: target delay times the device's bandwidth, less
//            while their reads are slow all the same. Otherwise: what the
//            device moves in 2 ms. 128 KiB to 4 MiB.
// Requests   At most 256 KiB and half of that; 64 KiB at least.
// Classes    A higher class goes first, but each that waits gets a tenth of
//            the bytes. Within a class, threads that wait go before new ones.
// Deadlock   A thread that waits here must have nothing in flight that only it
//            can finish: see IoLane, which sends the requests here. A thread
//            that sleeps elsewhere (in a callback of the user) may hold what
//            the device has long finished: where nothing finishes for a second,
//            one that waits is admitted over the cap.
//
// Threads    Safe for concurrent use.
// Ownership  One for each file system, shared by the databases on it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "file/io_class.h"
#include "file/user_reads.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE {

class IoPace;
class JobThreads;

// What a database asks of the governor; where databases differ, the smallest.
struct IoLimits {
  // 0: this database's requests are not governed.
  uint64_t target_delay_micros = 300;
  // 0: by the target delay.
  uint64_t max_bytes_in_flight = 0;
  bool operator==(const IoLimits&) const = default;
};

struct IoGovernorStats {
  size_t cap_bytes = 0;
  size_t request_bytes = 0;
  uint64_t bandwidth_bytes_per_second = 0;
  // How long users' reads from the device take: without background I/O, and
  // lately. 0: none was measured.
  uint64_t user_read_idle_micros = 0;
  uint64_t user_read_p95_micros = 0;
  struct Class {
    size_t bytes_in_flight = 0;
    uint64_t requests = 0;
    uint64_t bytes = 0;
    // Threads that wait for leave now, and all that was waited.
    uint64_t waiting = 0;
    uint64_t wait_micros = 0;
    uint64_t device_micros = 0;
  };
  std::array<Class, kIoClassCount> classes;
};

class IoGovernor {
 public:
  static constexpr size_t kMinCapBytes = 128 << 10;
  static constexpr size_t kMaxCapBytes = 4 << 20;
  static constexpr size_t kMinRequestBytes = 64 << 10;
  static constexpr size_t kMaxRequestBytes = 256 << 10;

  // A null clock: that of the operating system.
  explicit IoGovernor(SystemClock* clock = nullptr);
  ~IoGovernor();
  IoGovernor(const IoGovernor&) = delete;
  IoGovernor& operator=(const IoGovernor&) = delete;

  // The governor of all databases on `fs`.
  static std::shared_ptr<IoGovernor> Of(const FileSystem* fs);

  // The limits hold from Join() to Leave() of the same values.
  void Join(const IoLimits& limits) EXCLUDES(mutex_);
  void Leave(const IoLimits& limits) EXCLUDES(mutex_);

  // How many of `wanted` bytes may be asked of the device now: a multiple of
  // `alignment`, unless it is all. 0: none yet. What was granted is given back
  // by Finish().
  size_t TryAdmit(IoClass io_class, size_t wanted, size_t alignment)
      EXCLUDES(mutex_);
  // The same, but waits for the first bytes.
  size_t Admit(IoClass io_class, size_t wanted, size_t alignment)
      EXCLUDES(mutex_);

  // The request of `bytes` is over. `device_micros`: how long the device had
  // it; 0: not known.
  void Finish(IoClass io_class, size_t bytes, uint64_t device_micros)
      EXCLUDES(mutex_);

  // Should the next read of a user be timed? Cheap.
  static bool WantsUserRead() { return UserReads::WantsRead(); }
  // One that WantsUserRead() chose took so long (0: not known), and came from
  // the device or from memory.
  void NoteUserRead(uint64_t micros, bool is_from_device) {
    user_reads_.Note(
        micros, is_from_device,
        /*is_quiet=*/in_flight_.load(std::memory_order_relaxed) == 0);
  }

  // So many more members have flush and level 0 near a stall. While any has,
  // they may use what the device holds in 2 ms, whatever users read.
  void ChangeUrgent(int member_delta) {
    // relaxed: a moment early or late changes nothing.
    urgent_members_.fetch_add(member_delta, std::memory_order_relaxed);
  }

  bool is_urgent() const {
    return urgent_members_.load(std::memory_order_relaxed) > 0;
  }

  // Do users read from the device, now and not just seldom?
  bool users_read() const { return user_reads_.ReachDevice(); }

  IoGovernorStats Stats() const EXCLUDES(mutex_);

 private:
  void CombineLimits() REQUIRES(mutex_);
  struct Wanted {
    IoClass io_class;
    size_t bytes;
    size_t alignment;
  };
  size_t AdmitLocked(const Wanted& wanted) REQUIRES(mutex_);
  size_t RequestFor(const Wanted& wanted, size_t cap) const;
  void NoteAdmitted(IoClass io_class, size_t bytes) REQUIRES(mutex_);
  bool IsWaitedFor(IoClass io_class) const REQUIRES(mutex_);
  size_t CapFor(IoClass io_class) const REQUIRES(mutex_);
  bool MustYield(IoClass io_class) const REQUIRES(mutex_);
  size_t LimitFor(uint64_t delay_micros) const REQUIRES(mutex_);
  // Every 100 ms.
  void Adapt(uint64_t now_micros) REQUIRES(mutex_);
  void LearnBandwidth(size_t bytes_in_flight, uint64_t device_micros)
      REQUIRES(mutex_);
  uint64_t NowMicros() const;

  SystemClock* const clock_;
  std::atomic<size_t> in_flight_{0};
  std::atomic<int> urgent_members_{0};
  UserReads user_reads_;

  mutable Mutex mutex_;
  CondVar changed_{&mutex_};
  std::vector<IoLimits> members_ GUARDED_BY(mutex_);
  // The members' smallest; a delay of 0: nothing is governed.
  IoLimits limits_ GUARDED_BY(mutex_);
  std::array<IoGovernorStats::Class, kIoClassCount> classes_ GUARDED_BY(mutex_);
  // Those of a class go in the order they came; between the two they wait.
  std::array<uint64_t, kIoClassCount> next_turn_ GUARDED_BY(mutex_){};
  std::array<uint64_t, kIoClassCount> turn_ GUARDED_BY(mutex_){};
  // When a request was last admitted or finished.
  uint64_t last_change_micros_ GUARDED_BY(mutex_) = 0;
  // Admitted since the window began, by class and in all.
  std::array<uint64_t, kIoClassCount> window_bytes_ GUARDED_BY(mutex_){};
  uint64_t window_total_ GUARDED_BY(mutex_) = 0;
  uint64_t window_start_micros_ GUARDED_BY(mutex_) = 0;
  // The cap while users read.
  size_t busy_cap_ GUARDED_BY(mutex_);
  // Bytes per second: the most that was seen, which fades within seconds; and
  // the most of this window. A request that looks slow may have waited for a
  // processor, not for the device.
  double bandwidth_ GUARDED_BY(mutex_);
  double window_bandwidth_ GUARDED_BY(mutex_) = 0;
};

// A database's part in its file system's governor, which ends with it.
//
// Threads  Safe for concurrent use.
class GovernorMembership {
 public:
  GovernorMembership(const FileSystem* fs, const IoLimits& limits);
  ~GovernorMembership();
  GovernorMembership(const GovernorMembership&) = delete;
  GovernorMembership& operator=(const GovernorMembership&) = delete;

  // Null: the limits say that requests are not governed.
  IoGovernor* governor() const {
    return limits_.target_delay_micros > 0 ? governor_.get() : nullptr;
  }
  // The same, for callers that may outlive the database.
  std::shared_ptr<IoGovernor> shared_governor() const {
    return limits_.target_delay_micros > 0 ? governor_ : nullptr;
  }
  // The pace of the database's compactions below level 0.
  IoPace* deep_pace() const { return deep_pace_.get(); }
  // The threads that work for the database.
  JobThreads* job_threads() const { return job_threads_.get(); }

  // Are this database's flush and level 0 near a stall?
  void SetUrgent(bool is_urgent) const;

 private:
  const std::shared_ptr<IoGovernor> governor_;
  const IoLimits limits_;
  const std::unique_ptr<IoPace> deep_pace_;
  const std::unique_ptr<JobThreads> job_threads_;
  mutable std::atomic<bool> is_urgent_{false};
};

}  // namespace ROCKSDB_NAMESPACE
