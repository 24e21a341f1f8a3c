#include "tools/ldb/progress.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace ROCKSDB_NAMESPACE {

namespace {

// Short work shows nothing.
constexpr auto kQuietTime = std::chrono::seconds(1);
constexpr auto kInterval = std::chrono::milliseconds(250);
constexpr size_t kLineWidth = 79;
constexpr uint64_t kStep = 1024;

}  // namespace

Progress::Progress(BesideOutput beside)
    : is_shown_(isatty(STDERR_FILENO) != 0 &&
                (beside == BesideOutput::kNo || isatty(STDOUT_FILENO) == 0)),
      next_(std::chrono::steady_clock::now() + kQuietTime) {}

void Progress::Tell(const std::string& text) {
  if (!is_shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  is_dirty_ = true;
  // To the end of the line nothing is left of the one before.
  std::fprintf(stderr, "\r%s\033[K", text.substr(0, kLineWidth).c_str());
  std::fflush(stderr);
}

void Progress::Count(const char* what) {
  if (++count_ % kStep != 0 || !is_shown_) return;
  Tell(std::to_string(count_) + " " + what);
}

void Progress::Clear() {
  if (!is_dirty_) return;
  is_dirty_ = false;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

ProgressBeside::ProgressBeside(std::function<std::string(uint64_t)> text)
    : text_(std::move(text)) {
  if (progress_.is_shown()) thread_ = std::thread([this] { Run(); });
}

ProgressBeside::ProgressBeside(const char* what)
    : ProgressBeside([what = std::string(what)](uint64_t seconds) {
        return what + ": " + std::to_string(seconds) + " s";
      }) {}

ProgressBeside::~ProgressBeside() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  thread_.join();
}

void ProgressBeside::Run() {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  while (!over_.wait_for(lock, kInterval, [this] { return is_over_; })) {
    const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::steady_clock::now() - start);
    progress_.Tell(text_(static_cast<uint64_t>(elapsed.count())));
  }
}

}  // namespace ROCKSDB_NAMESPACE
