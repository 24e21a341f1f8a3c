#include "tools/db_bench/csv_reporter.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "tools/db_bench/format.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr char kHeader[] = "secs_elapsed,interval_qps\n";
constexpr char kHeaderWithLatencies[] =
    "secs_elapsed,interval_qps,p50_micros,p99_micros,p99_9_micros,"
    "max_micros\n";

}  // namespace

Status CsvReporter::Open(const Settings& settings,
                         std::unique_ptr<CsvReporter>* result) {
  File file(fopen(settings.path.c_str(), "w"));
  const char* header = settings.has_latencies ? kHeaderWithLatencies : kHeader;
  if (file == nullptr || fputs(header, file.get()) < 0 ||
      fflush(file.get()) != 0) {
    return Status::IOError("--report_file=" + settings.path, strerror(errno));
  }
  *result = std::make_unique<CsvReporter>(std::move(file), settings);
  return Status::OK();
}

CsvReporter::CsvReporter(File file, const Settings& settings)
    : file_(std::move(file)), settings_(settings), thread_([this] { Run(); }) {}

CsvReporter::~CsvReporter() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    is_stopping_ = true;
  }
  stopping_.notify_all();
  thread_.join();
}

void CsvReporter::AddTimes(const Histogram& micros) {
  std::lock_guard<std::mutex> lock(times_mutex_);
  times_.Merge(micros);
}

// The columns of the interval that ends now.
std::string CsvReporter::TakeLatencies() {
  Histogram times;
  {
    std::lock_guard<std::mutex> lock(times_mutex_);
    std::swap(times, times_);
  }
  return Format(",%.2f,%.2f,%.2f,%.0f", times.Percentile(50.0),
                times.Percentile(99.0), times.Percentile(99.9),
                times.Percentile(100.0));
}

void CsvReporter::Run() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  const int64_t interval = settings_.interval_seconds;
  for (int64_t elapsed = interval;; elapsed += interval) {
    const Clock::time_point end = start + std::chrono::seconds(elapsed);
    const bool is_last =
        stopping_.wait_until(lock, end, [this] { return is_stopping_; });
    if (!WriteLine(elapsed) || is_last) return;
  }
}

bool CsvReporter::WriteLine(int64_t elapsed_seconds) {
  const uint64_t total = operations_.load(std::memory_order_relaxed);
  const uint64_t interval = static_cast<uint64_t>(settings_.interval_seconds);
  const uint64_t rate = (total - reported_ + interval / 2) / interval;
  reported_ = total;
  std::string line = Format(
      "%lld,%llu", static_cast<long long>(elapsed_seconds), Printable(rate));
  if (settings_.has_latencies) line += TakeLatencies();
  line += '\n';
  if (fputs(line.c_str(), file_.get()) >= 0 && fflush(file_.get()) == 0) {
    return true;
  }
  fprintf(stderr, "report file: %s: no more reports\n", strerror(errno));
  return false;
}

}  // namespace ROCKSDB_NAMESPACE::bench
