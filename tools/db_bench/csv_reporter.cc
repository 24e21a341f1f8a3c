#include "tools/db_bench/csv_reporter.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "tools/db_bench/format.h"

namespace ROCKSDB_NAMESPACE::bench {

Status CsvReporter::Open(const std::string& path, int64_t interval_seconds,
                         std::unique_ptr<CsvReporter>* result) {
  File file(fopen(path.c_str(), "w"));
  if (file == nullptr || fputs("secs_elapsed,interval_qps\n", file.get()) < 0 ||
      fflush(file.get()) != 0) {
    return Status::IOError("--report_file=" + path, strerror(errno));
  }
  *result = std::make_unique<CsvReporter>(std::move(file), interval_seconds);
  return Status::OK();
}

CsvReporter::CsvReporter(File file, int64_t interval_seconds)
    : file_(std::move(file)),
      interval_seconds_(interval_seconds),
      thread_([this] { Run(); }) {}

CsvReporter::~CsvReporter() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    is_stopping_ = true;
  }
  stopping_.notify_all();
  thread_.join();
}

void CsvReporter::Run() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  for (int64_t elapsed = interval_seconds_;; elapsed += interval_seconds_) {
    const Clock::time_point end = start + std::chrono::seconds(elapsed);
    const bool is_last =
        stopping_.wait_until(lock, end, [this] { return is_stopping_; });
    if (!WriteLine(elapsed) || is_last) return;
  }
}

bool CsvReporter::WriteLine(int64_t elapsed_seconds) {
  const uint64_t total = operations_.load(std::memory_order_relaxed);
  const uint64_t interval = static_cast<uint64_t>(interval_seconds_);
  const uint64_t rate = (total - reported_ + interval / 2) / interval;
  reported_ = total;
  const std::string line = Format(
      "%lld,%llu\n", static_cast<long long>(elapsed_seconds), Printable(rate));
  if (fputs(line.c_str(), file_.get()) >= 0 && fflush(file_.get()) == 0) {
    return true;
  }
  fprintf(stderr, "report file: %s: no more reports\n", strerror(errno));
  return false;
}

}  // namespace ROCKSDB_NAMESPACE::bench
