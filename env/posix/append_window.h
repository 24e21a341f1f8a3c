// The end of a growing file, mapped: appends are copied there, which takes a
// tenth of the time of a write(2) of a hundred bytes. The kernel has them all
// the same once a call returns, and keeps them when the process dies.
//
//   file    | data ...       |  zeros ...     |  space that Allocate() reserved
//                            ^ appends        ^ end of the window and the file
//
// Contract   A store that the file system cannot take is a signal, not an
//            error. So space is reserved before it is mapped, on file systems
//            alone that keep to it (see IsSure()), and pages are made ready for
//            stores by a call, which can fail, before there are any. The kernel
//            protects a page again when it writes it back: so that counts for
//            kReadyMillis alone. A file system that writes a page back and then
//            goes out of service, both within that time, is not provided for.
//            Whoever reads the file meanwhile, or after a crash, finds zeros
//            behind the data. A process that dies leaves either all of an
//            append or, in its first 16 bytes, zeros; who reads while it is
//            under way may meet a part of it. The owner cuts the file when it
//            is closed.
// Threads    One at a time, but for NoteSynced().
// Errors     None: where there is no window, the file is written by calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class AppendWindow {
 public:
  static constexpr size_t kBytes = size_t{1} << 20;
  // Larger appends cost less by a call than by the faults of their pages; and
  // so do small ones between such.
  static constexpr size_t kMostAppended = size_t{2} << 10;
  static constexpr int kSmallInARow = 16;
  static constexpr uint64_t kReadyMillis = 20;

  // Milliseconds of a clock that goes on evenly.
  using Clock = uint64_t (*)();
  // The system's coarse one costs a few nanoseconds.
  static uint64_t CoarseMillis();

  // `fd` is open for reading and writing, and stays open as long as this.
  explicit AppendWindow(int fd, Clock now_millis = &CoarseMillis)
      : fd_(fd), now_millis_(now_millis) {}
  ~AppendWindow() { Unmap(); }
  AppendWindow(const AppendWindow&) = delete;
  AppendWindow& operator=(const AppendWindow&) = delete;

  // Whether the file system of the file takes stores wherever it has reserved
  // space.
  static bool IsSure(int fd);

  // False: nothing was written, and a call has to.
  bool Append(const Slice& data, uint64_t offset) {
    // relaxed: it asks for a call more, and no data depend on it.
    const bool is_ready = offset >= ready_begin_ &&
                          offset + data.size() <= ready_end_ &&
                          now_millis_() < ready_until_millis_ &&
                          !was_synced_.load(std::memory_order_relaxed);
    if (!is_ready && !MakeReady(data, offset)) [[unlikely]] {
      return false;
    }
    Copy(data, base_ + (offset - offset_));
    return true;
  }
  // What the device has is protected against stores.
  void NoteSynced() { was_synced_.store(true, std::memory_order_relaxed); }
  // Before the file is cut or closed.
  void Unmap();

 private:
  bool MakeReady(const Slice& data, uint64_t offset);
  bool Map(uint64_t offset);
  static void Copy(const Slice& data, char* out);

  const int fd_;
  const Clock now_millis_;
  bool has_failed_ = false;
  int small_in_a_row_ = kSmallInARow;
  char* base_ = nullptr;
  uint64_t offset_ = 0;  // where the window begins in the file
  // Where stores may go.
  uint64_t ready_begin_ = 0;
  uint64_t ready_end_ = 0;
  uint64_t ready_until_millis_ = 0;
  std::atomic<bool> was_synced_{false};
};

}  // namespace ROCKSDB_NAMESPACE
