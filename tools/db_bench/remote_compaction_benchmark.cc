// openandcompact: what a compaction costs that another process runs, by
// DB::OpenAndCompact(); here it is this process that does.

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/options.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/remote_compaction.h"
#if __has_include("rocksdb/compaction_service.h")
#include "rocksdb/compaction_service.h"
#endif

DEFINE_bool(openandcompact_allow_resumption, false,
            "A compaction of openandcompact goes on where a cancelled one "
            "ended.");
DEFINE_bool(
    openandcompact_test_cancel_on_odd, false,
    "Every other compaction of it, from the first on, is cancelled, and "
    "run again.");
DEFINE_uint32(openandcompact_cancel_after_millseconds, 1,
              "Milliseconds after which that happens.");

namespace ROCKSDB_NAMESPACE::bench {

#if __has_include("rocksdb/compaction_service.h")

namespace {

// Sets a flag after a while, unless it is destroyed before.
class DelayedCancel {
 public:
  explicit DelayedCancel(std::atomic<bool>* canceled)
      : thread_([this, canceled] {
          const auto until = std::chrono::steady_clock::now() +
                             std::chrono::milliseconds(
                                 FLAGS_openandcompact_cancel_after_millseconds);
          while (!is_over_ && std::chrono::steady_clock::now() < until) {
            std::this_thread::sleep_for(std::chrono::microseconds(200));
          }
          if (!is_over_) *canceled = true;
        }) {}
  ~DelayedCancel() {
    is_over_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> is_over_{false};
  std::thread thread_;
};

// Runs each job when it is waited for, in the thread that waits.
class OwnService final : public CompactionService {
 public:
  const char* Name() const override { return "db_bench.OwnService"; }

  // From now on, with the options of the database; null: no more.
  void Use(const Options* options) { options_ = options; }
  uint64_t done() const { return done_; }
  uint64_t canceled() const { return canceled_; }

  CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo& info, const std::string& input) override {
    if (options_ == nullptr) {
      return CompactionServiceScheduleResponse(
          CompactionServiceJobStatus::kUseLocal);
    }
    // All that Wait() is to know.
    return {info.db_name + '\n' + std::to_string(++last_) + '\n' + input,
            CompactionServiceJobStatus::kSuccess};
  }

  CompactionServiceJobStatus Wait(const std::string& job,
                                  std::string* result) override {
    const size_t name_end = job.find('\n');
    const size_t number_end = job.find('\n', name_end + 1);
    const std::string name = job.substr(0, name_end);
    const std::string number =
        job.substr(name_end + 1, number_end - name_end - 1);
    const std::string input = job.substr(number_end + 1);
    const std::string directory = name + "_remote_" + number;
    Status s = options_->env->CreateDirIfMissing(directory);
    const bool cancels =
        FLAGS_openandcompact_test_cancel_on_odd && std::stoull(number) % 2 == 1;
    if (s.ok() && cancels) {
      s = Compact(name, directory, input, /*cancels=*/true, result);
      if (!s.ok()) ++canceled_;
      // Cancelled, or as bad as that: once more. Or it was quick enough.
      if (!s.ok()) s = Compact(name, directory, input, false, result);
    } else if (s.ok()) {
      s = Compact(name, directory, input, /*cancels=*/false, result);
    }
    done_ += s.ok();
    if (!s.ok()) fprintf(stderr, "openandcompact: %s\n", s.ToString().c_str());
    return s.ok() ? CompactionServiceJobStatus::kSuccess
                  : CompactionServiceJobStatus::kFailure;
  }

 private:
  Status Compact(const std::string& name, const std::string& directory,
                 const std::string& input, bool cancels, std::string* result) {
    CompactionServiceOptionsOverride override_options;
    override_options.env = options_->env;
    override_options.comparator = options_->comparator;
    override_options.merge_operator = options_->merge_operator;
    override_options.compaction_filter = options_->compaction_filter;
    override_options.prefix_extractor = options_->prefix_extractor;
    override_options.table_factory = options_->table_factory;
    override_options.file_checksum_gen_factory =
        options_->file_checksum_gen_factory;
    override_options.statistics = options_->statistics;
    std::atomic<bool> canceled{false};
    OpenAndCompactOptions options;
    options.canceled = &canceled;
    options.allow_resumption = FLAGS_openandcompact_allow_resumption;
    std::unique_ptr<DelayedCancel> cancel;
    if (cancels) cancel = std::make_unique<DelayedCancel>(&canceled);
    return DB::OpenAndCompact(options, name, directory, input, result,
                              override_options);
  }

  const Options* options_ = nullptr;
  std::atomic<uint64_t> last_{0};
  std::atomic<uint64_t> done_{0};
  std::atomic<uint64_t> canceled_{0};
};

std::shared_ptr<OwnService>& Service() {
  static std::shared_ptr<OwnService> service;
  return service;
}

// One operation is one remote compaction.
Status OpenAndCompact(Worker& worker) {
  OwnService& service = *Service();
  service.Use(worker.shared->options);
  const uint64_t before = service.done();
  const uint64_t canceled = service.canceled();
  CompactRangeOptions options;
  options.bottommost_level_compaction =
      BottommostLevelCompaction::kForceOptimized;
  Status s;
  for (const Target& target : worker.targets->All()) {
    if (!s.ok()) break;
    s = target.db->Flush(FlushOptions(), target.family);
    if (s.ok()) {
      s = target.db->CompactRange(options, target.family, nullptr, nullptr);
    }
  }
  service.Use(nullptr);
  if (!s.ok()) return s;
  worker.stats.Finished(service.done() - before, Operation::kOther);
  worker.stats.SetMessage("(" + std::to_string(service.canceled() - canceled) +
                          " cancelled)");
  return s;
}

}  // namespace

void SetRemoteCompaction(DBOptions* db) {
  if (FLAGS_benchmarks.find("openandcompact") == std::string::npos) return;
  Service() = std::make_shared<OwnService>();
  db->compaction_service = Service();
}

#else

namespace {

Status OpenAndCompact(Worker& /*worker*/) {
  return Status::NotSupported("openandcompact",
                              "the engine's compaction service is another one");
}

}  // namespace

void SetRemoteCompaction(DBOptions* /*db*/) {}

#endif

std::vector<Benchmark> RemoteCompactionBenchmarks() {
  return {{.name = "openandcompact",
           .run = OpenAndCompact,
           .threads = Benchmark::Threads::kOne}};
}

}  // namespace ROCKSDB_NAMESPACE::bench
