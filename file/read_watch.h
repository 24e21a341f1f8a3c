// Tells the histograms of times, the listeners and the governor of a read of a
// file.
//
// A read that goes on while its thread does something else is paused from its
// start to the wait for it, so that what the thread does meanwhile is not taken
// for the device.
//
// Threads    One at a time; another may Resume() than the one that paused.
// Ownership  Borrows the context.
#pragma once

#include <atomic>
#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "file/file_io_context.h"
#include "file/io_governor.h"
#include "util/device_reads.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// Tells the governor how long some reads take.
class UserReadTimer {
 public:
  explicit UserReadTimer(IoGovernor* governor)
      : governor_(governor != nullptr && IoGovernor::WantsUserRead()
                      ? governor
                      : nullptr) {
    if (governor_ == nullptr) return;
    device_reads_ = DeviceReadsOfThread();
    start_ = Clock::now();
  }
  ~UserReadTimer() { Finish(); }
  UserReadTimer(const UserReadTimer&) = delete;
  UserReadTimer& operator=(const UserReadTimer&) = delete;

  void Pause() {
    assert(!is_overlapped_);
    is_overlapped_ = true;
    if (governor_ == nullptr) return;
    has_moved_ = DeviceReadsOfThread() != device_reads_;
  }
  void Resume() {
    if (governor_ == nullptr || !is_overlapped_) return;
    device_reads_ = DeviceReadsOfThread();
    resumed_ = Clock::now();
    assert(resumed_ >= start_);
  }
  void Finish() {
    if (governor_ == nullptr) return;
    const Clock::time_point now = Clock::now();
    has_moved_ = has_moved_ || DeviceReadsOfThread() != device_reads_;
    if (is_overlapped_) {
      TellOverlapped(now);
    } else {
      Tell(Micros(start_, now));
    }
    governor_ = nullptr;
  }
  void Cancel() { governor_ = nullptr; }

 private:
  using Clock = std::chrono::steady_clock;
  // A kernel that keeps no account leaves the time as a sign.
  static constexpr uint64_t kDeviceReadMicros = 25;

  static uint64_t Micros(Clock::time_point from, Clock::time_point to) {
    assert(from <= to);
    return static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(to - from)
            .count());
  }
  void Tell(uint64_t micros) const {
    static std::atomic<bool> has_account{false};
    if (has_moved_) has_account.store(true, std::memory_order_relaxed);
    const bool is_from_device = has_account.load(std::memory_order_relaxed)
                                    ? has_moved_
                                    : micros >= kDeviceReadMicros;
    governor_->NoteUserRead(micros, is_from_device);
  }
  // The kernel may have read on a thread of its own, in no account of ours; but
  // what is in memory is there at once. A thread that did not wait cannot tell
  // when the device was done.
  void TellOverlapped(Clock::time_point now) const {
    INVARIANT(resumed_ >= start_);
    const bool had_to_wait = Micros(resumed_, now) >= kDeviceReadMicros;
    governor_->NoteUserRead(had_to_wait ? Micros(start_, now) : 0,
                            has_moved_ || had_to_wait);
  }

  IoGovernor* governor_;  // null: this read is not told
  uint64_t device_reads_ = 0;
  bool has_moved_ = false;
  bool is_overlapped_ = false;
  Clock::time_point start_;
  Clock::time_point resumed_;
};

class ReadWatch {
 public:
  ReadWatch(const FileIoContext& context, const IOOptions& options)
      : timer_(context, options),
        operation_(context, FileOperationType::kRead),
        user_timer_(context.governor) {}
  ReadWatch(const ReadWatch&) = delete;
  ReadWatch& operator=(const ReadWatch&) = delete;

  // Tells the listeners of one place that was read; a read of several places
  // tells of each. The histograms and the governor are told when this ends.
  void Finish(const std::string& path, uint64_t offset, size_t length,
              const Status& status) const {
    operation_.Finish(path, offset, length, status);
  }

  // The read goes on without its thread, or was done at once.
  enum class Answer { kLater, kThere };
  void NoteStarted(Answer answer) {
    if (answer == Answer::kThere) return user_timer_.Finish();
    user_timer_.Pause();
  }
  // The thread waits for the read.
  void NoteWait() { user_timer_.Resume(); }

  // Nobody is told.
  void Cancel() {
    timer_.Cancel();
    user_timer_.Cancel();
  }

 private:
  ReadTimer timer_;
  const FileOperation operation_;
  UserReadTimer user_timer_;
};

}  // namespace ROCKSDB_NAMESPACE
