#include "tools/db_bench/stats.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/thread_status.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/format.h"

DEFINE_uint64(slow_usecs, 1000000,
              "Tell of operations that take so many microseconds, where "
              "operations are timed.");
DEFINE_bool(show_table_properties, false,
            "With --stats_per_interval: print what each level's tables have "
            "in common, too.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr double kBytesPerMebibyte = 1048576.0;

// How often an interval in seconds is checked, in operations.
constexpr uint64_t kOperationsPerClockLook = 1000;

// Often enough for intervals of seconds, and seldom enough for the reporter's
// lock to cost nothing.
constexpr std::chrono::milliseconds kHandOverInterval(10);

// 100, 200 ... 1000, 1500 ... 5000, 6000 ... 10000, 15000 ...: about as often
// as a reader can follow.
uint64_t NextProgressCount(uint64_t count) {
  uint64_t unit = 1000;
  while (count >= unit * 10 && unit < 100000) unit *= 10;
  if (count < 1000) return count + 100;
  if (count < unit * 5) return count + unit / 2;
  return count + unit;
}

uint64_t FirstReport() {
  if (FLAGS_stats_interval > 0) return FLAGS_stats_interval;
  if (FLAGS_stats_interval_seconds > 0) return kOperationsPerClockLook;
  return FLAGS_progress_reports ? 100 : UINT64_MAX;
}

double Seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

// One line for each thread that the engine knows.
std::string ThreadStatusText(Env* env) {
  std::vector<ThreadStatus> threads;
  const Status s = env->GetThreadList(&threads);
  if (!s.ok()) return s.ToString() + "\n";
  std::string text =
      Format("%20s %-11s %-12s %-20s %12s %-30s %-10s %s\n", "ThreadID", "Type",
             "Family", "Operation", "Elapsed", "Stage", "State", "Properties");
  for (const ThreadStatus& thread : threads) {
    text += Format(
        "%20llu %-11s %-12s %-20s %12s %-30s %-10s",
        Printable(thread.thread_id),
        ThreadStatus::GetThreadTypeName(thread.thread_type).c_str(),
        thread.cf_name.c_str(),
        ThreadStatus::GetOperationName(thread.operation_type).c_str(),
        ThreadStatus::MicrosToString(thread.op_elapsed_micros).c_str(),
        ThreadStatus::GetOperationStageName(thread.operation_stage).c_str(),
        ThreadStatus::GetStateName(thread.state_type).c_str());
    for (const auto& [name, value] : ThreadStatus::InterpretOperationProperties(
             thread.operation_type, thread.op_properties)) {
      text += Format(" %s=%llu", name.c_str(), Printable(value));
    }
    text += "\n";
  }
  return text;
}

void PrintTableProperties(DB* db) {
  for (int level = 0; level < db->NumberLevels(); ++level) {
    std::string text;
    const std::string name =
        "rocksdb.aggregated-table-properties-at-level" + std::to_string(level);
    if (!db->GetProperty(name, &text) || text.find("# entries=0") == 0) {
      continue;
    }
    fprintf(stderr, "Level[%d]: %s\n", level, text.c_str());
  }
}

std::string TimeOfDay() {
  const time_t now = time(nullptr);
  struct tm parts;
  localtime_r(&now, &parts);
  char text[32];
  strftime(text, sizeof(text), "%Y/%m/%d-%H:%M:%S", &parts);
  return text;
}

}  // namespace

const char* NameOf(Operation operation) {
  switch (operation) {
    case Operation::kRead:
      return "read";
    case Operation::kWrite:
      return "write";
    case Operation::kDelete:
      return "delete";
    case Operation::kMultiScan:
      return "multiscan";
    case Operation::kSeek:
      return "seek";
    case Operation::kMerge:
      return "merge";
    case Operation::kUpdate:
      return "update";
    case Operation::kCompress:
      return "compress";
    case Operation::kUncompress:
      return "uncompress";
    case Operation::kCrc:
      return "crc";
    case Operation::kHash:
      return "hash";
    case Operation::kOther:
      return "op";
  }
  return "op";
}

Stats::Stats(const Context& context)
    : context_(context),
      has_histogram_(FLAGS_histogram),
      reports_latencies_(context.reporter != nullptr &&
                         context.reporter->has_latencies()),
      times_operations_(has_histogram_ || reports_latencies_ ||
                        WasSet("slow_usecs")) {}

void Stats::Start() {
  next_report_ = FirstReport();
  start_ = Clock::now();
  finish_ = last_operation_ = last_report_ = last_hand_over_ = start_;
}

void Stats::Stop() {
  finish_ = Clock::now();
  if (reports_latencies_) HandOverTimes(finish_);
  thread_seconds_ = Seconds(finish_ - start_);
}

void Stats::RecordTime(Operation operation) {
  const Clock::time_point now = Clock::now();
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(
      now - last_operation_);
  last_operation_ = now;
  const auto count = static_cast<uint64_t>(micros.count());
  if (has_histogram_) histograms_[operation].Add(count);
  if (count >= FLAGS_slow_usecs && FLAGS_stats_interval == 0) {
    fprintf(stderr, "long op: %llu micros%30s\r", Printable(count), "");
  }
  if (!reports_latencies_) return;
  new_times_.Add(count);
  if (now - last_hand_over_ >= kHandOverInterval) HandOverTimes(now);
}

void Stats::HandOverTimes(Clock::time_point now) {
  context_.reporter->AddTimes(new_times_);
  new_times_ = Histogram();
  last_hand_over_ = now;
}

void Stats::ReportProgress() {
  if (FLAGS_stats_interval > 0) {
    next_report_ += FLAGS_stats_interval;
    ReportInterval();
  } else if (FLAGS_stats_interval_seconds > 0) {
    next_report_ += kOperationsPerClockLook;
    if (Seconds(Clock::now() - last_report_) >=
        static_cast<double>(FLAGS_stats_interval_seconds)) {
      ReportInterval();
    }
  } else {
    next_report_ = NextProgressCount(operations_);
    fprintf(stderr, "... finished %llu ops%30s\r", Printable(operations_), "");
  }
}

void Stats::ReportInterval() {
  const Clock::time_point now = Clock::now();
  const double interval = Seconds(now - last_report_);
  const double total = Seconds(now - start_);
  const uint64_t count = operations_ - reported_;
  fprintf(stderr,
          "%s  ... thread %d: (%llu,%llu) ops and (%.1f,%.1f) ops/second in "
          "(%.6f,%.6f) seconds\n",
          TimeOfDay().c_str(), context_.thread_index, Printable(count),
          Printable(operations_), static_cast<double>(count) / interval,
          static_cast<double>(operations_) / total, interval, total);
  last_report_ = now;
  reported_ = operations_;
  if (context_.thread_index != 0 || context_.db == nullptr) return;
  std::string text;
  if (FLAGS_stats_per_interval > 0 &&
      context_.db->GetProperty("rocksdb.stats", &text)) {
    fprintf(stderr, "%s\n", text.c_str());
  }
  if (FLAGS_stats_per_interval > 0 && FLAGS_show_table_properties) {
    PrintTableProperties(context_.db);
  }
  if (FLAGS_thread_status_per_interval > 0) {
    fprintf(stderr, "%s", ThreadStatusText(context_.db->GetEnv()).c_str());
  }
}

void Stats::Merge(const Stats& other) {
  operations_ += other.operations_;
  bytes_ += other.bytes_;
  tolerated_errors_ += other.tolerated_errors_;
  thread_seconds_ += other.thread_seconds_;
  start_ = std::min(start_, other.start_);
  finish_ = std::max(finish_, other.finish_);
  tally_.first += other.tally_.first;
  tally_.second += other.tally_.second;
  if (message_.empty()) message_ = other.message_;
  for (const auto& [operation, histogram] : other.histograms_) {
    histograms_[operation].Merge(histogram);
  }
}

double Stats::ElapsedSeconds() const { return Seconds(finish_ - start_); }

double Stats::OperationsPerSecond() const {
  const double elapsed = ElapsedSeconds();
  return elapsed > 0.0 ? static_cast<double>(operations_) / elapsed : 0.0;
}

double Stats::MegabytesPerSecond() const {
  const double elapsed = ElapsedSeconds();
  return elapsed > 0.0
             ? static_cast<double>(bytes_) / kBytesPerMebibyte / elapsed
             : 0.0;
}

double Stats::SecondsPerOperation() const {
  return thread_seconds_ /
         static_cast<double>(std::max<uint64_t>(1, operations_));
}

// What follows the count of operations: rate, tally, message.
std::string Stats::Details() const {
  std::string text;
  if (has_bytes()) text = Format(" %6.1f MB/s", MegabytesPerSecond());
  if (tally_.before[0] != '\0') {
    text += Format(" %s%llu%s%llu%s", tally_.before, Printable(tally_.first),
                   tally_.between, Printable(tally_.second), tally_.after);
  }
  if (tolerated_errors_ != 0) {
    text += Format(" (%llu I/O errors)", Printable(tolerated_errors_));
  }
  if (!message_.empty()) text += " " + message_;
  return text;
}

void Stats::Print(const std::string& name) const {
  printf(
      "%-12s : %11.3f micros/op %lld ops/sec %.3f seconds %llu operations;"
      "%s\n",
      name.c_str(), SecondsPerOperation() * 1e6,
      static_cast<long long>(OperationsPerSecond()), ElapsedSeconds(),
      Printable(operations_), Details().c_str());
  for (const auto& [operation, histogram] : histograms_) {
    printf("Microseconds per %s:\n%s\n", NameOf(operation),
           histogram.ToString().c_str());
  }
  fflush(stdout);
}

}  // namespace ROCKSDB_NAMESPACE::bench
