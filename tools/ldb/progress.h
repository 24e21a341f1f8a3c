// A line on standard error that says how far long work has come, where a
// terminal is there to show it. Nothing is written elsewhere.
//
// Threads  One.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class Progress {
 public:
  // What shows lines all the time needs none of it on the same screen.
  enum class BesideOutput { kNo, kYes };
  explicit Progress(BesideOutput beside = BesideOutput::kNo);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { Clear(); }

  bool is_shown() const { return is_shown_; }

  // Replaces the line, a few times a second at most. Cheap in between: the
  // clock is asked for, and no more.
  void Tell(const std::string& text);
  // For loops over many small steps: counts one, and tells of "<n> <what>" each
  // thousandth time.
  void Count(const char* what);

  // Takes the line away.
  void Clear();

 private:
  const bool is_shown_;
  bool is_dirty_ = false;
  uint64_t count_ = 0;
  std::chrono::steady_clock::time_point next_;
};

// The same beside one call that takes long and says nothing: the line is asked
// for by a thread, from the constructor to the destructor. No thread starts
// where nothing is shown.
//
// Threads  `text` is called in that thread.
class ProgressBeside {
 public:
  // `text` gets the seconds since the beginning.
  explicit ProgressBeside(std::function<std::string(uint64_t)> text);
  // "<what>: <n> s".
  explicit ProgressBeside(const char* what);
  ~ProgressBeside();
  ProgressBeside(const ProgressBeside&) = delete;
  ProgressBeside& operator=(const ProgressBeside&) = delete;

 private:
  void Run();

  const std::function<std::string(uint64_t)> text_;
  Progress progress_;
  std::mutex mutex_;  // guards is_over_
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE
