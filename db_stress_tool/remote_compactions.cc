#include "db_stress_tool/remote_compactions.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "db_stress_tool/stress_file_system.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::stress {

// The interface of services is another one before.
#if __has_include("rocksdb/attribute_groups.h")

namespace {

using JobStatus = CompactionServiceJobStatus;

CompactionServiceOptionsOverride OverrideOf(const Options& options) {
  CompactionServiceOptionsOverride result;
  result.env = options.env;
  result.file_checksum_gen_factory = options.file_checksum_gen_factory;
  result.comparator = options.comparator;
  result.merge_operator = options.merge_operator;
  result.compaction_filter_factory = options.compaction_filter_factory;
  result.prefix_extractor = options.prefix_extractor;
  result.table_factory = options.table_factory;
  result.sst_partitioner_factory = options.sst_partitioner_factory;
  result.statistics = options.statistics;
  result.table_properties_collector_factories =
      options.table_properties_collector_factories;
  return result;
}

class RemoteCompactions : public CompactionService {
 public:
  RemoteCompactions(const Flags& flags, const Options& options)
      : place_(flags.db + "/.remote"),
        interval_(flags.remote_compaction_worker_interval),
        falls_back_(flags.remote_compaction_failure_fall_back_to_local),
        resumed_one_in_(static_cast<uint64_t>(
            std::max<int64_t>(0, flags.allow_resumption_one_in))),
        random_(static_cast<uint64_t>(flags.seed)),
        override_(OverrideOf(options)) {
    std::error_code error;
    std::filesystem::remove_all(place_, error);
    std::filesystem::create_directories(place_, error);
    for (int64_t i = 0; i < flags.remote_compaction_worker_threads; ++i) {
      workers_.emplace_back([this] { Work(); });
    }
  }
  ~RemoteCompactions() override {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      is_over_ = true;
      changed_.notify_all();
    }
    for (std::thread& worker : workers_) worker.join();
  }
  const char* Name() const override { return "RemoteCompactions"; }

  CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo& info, const std::string& input) override {
    std::lock_guard<std::mutex> lock(mutex_);
    const std::string id = std::to_string(++job_count_);
    jobs_[id] = {info.db_name, input};
    waiting_.push_back(id);
    changed_.notify_all();
    return CompactionServiceScheduleResponse(id, JobStatus::kSuccess);
  }

  JobStatus Wait(const std::string& id, std::string* result) override {
    std::unique_lock<std::mutex> lock(mutex_);
    Job& job = jobs_[id];
    changed_.wait(lock,
                  [&] { return job.is_done || (is_canceled_ && !job.runs); });
    const JobStatus status = job.is_done ? job.status : JobStatus::kAborted;
    *result = std::move(job.result);
    jobs_.erase(id);
    return status;
  }

  void CancelAwaitingJobs() override {
    std::lock_guard<std::mutex> lock(mutex_);
    is_canceled_ = true;
    changed_.notify_all();
  }

  void OnInstallation(const std::string& id, JobStatus /*status*/) override {
    std::error_code error;
    std::filesystem::remove_all(place_ + "/" + id, error);
  }

 private:
  struct Job {
    std::string db_name;
    std::string input;
    bool runs = false;
    bool is_done = false;
    JobStatus status = JobStatus::kSuccess;
    std::string result = {};
  };

  void Work() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      if (interval_.count() > 0) {
        changed_.wait_for(lock, interval_, [&] { return is_over_; });
      } else {
        changed_.wait(lock, [&] { return is_over_ || !waiting_.empty(); });
      }
      if (is_over_) return;
      if (waiting_.empty()) continue;
      const std::string id = waiting_.front();
      waiting_.pop_front();
      const auto found = jobs_.find(id);
      // Nobody waits for it any more.
      if (found == jobs_.end() || is_canceled_) continue;
      Job* const job = &found->second;
      job->runs = true;
      lock.unlock();
      const JobStatus status = Run(id, *job, &job->result);
      lock.lock();
      job->status = status;
      job->is_done = true;
      changed_.notify_all();
    }
  }

  // Whoever waits for a job that runs leaves it alone.
  JobStatus Run(const std::string& id, const Job& job, std::string* result) {
    OpenAndCompactOptions options;
    options.allow_resumption =
        resumed_one_in_ > 0 && Draw(resumed_one_in_) == 0;
    const auto compact = [&] {
      return DB::OpenAndCompact(options, job.db_name, place_ + "/" + id,
                                job.input, result, override_);
    };
    Status s;
    if (options.allow_resumption) {
      // Stopped at a moment of chance; what it has done by then stays.
      std::atomic<bool> is_canceled{false};
      options.canceled = &is_canceled;
      std::thread timer([&is_canceled, wait = Draw(kMostMicrosToCancel)] {
        std::this_thread::sleep_for(std::chrono::microseconds(wait));
        is_canceled = true;
      });
      s = compact();
      timer.join();
      options.canceled = nullptr;
    }
    if (!options.allow_resumption || s.IsIncomplete()) s = compact();
    if (s.ok()) return JobStatus::kSuccess;
    if (!IsInjected(s)) {
      fprintf(stderr, "remote compaction: %s\n", s.ToString().c_str());
    }
    return falls_back_ ? JobStatus::kUseLocal : JobStatus::kFailure;
  }

  uint64_t Draw(uint64_t below) {
    std::lock_guard<std::mutex> lock(mutex_);
    return random_() % below;
  }

  static constexpr uint64_t kMostMicrosToCancel = 50000;

  const std::string place_;
  // Between two looks of a worker; 0: it is woken.
  const std::chrono::milliseconds interval_;
  const bool falls_back_;
  const uint64_t resumed_one_in_;
  std::mt19937_64 random_;
  const CompactionServiceOptionsOverride override_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Job> jobs_;
  std::deque<std::string> waiting_;
  uint64_t job_count_ = 0;
  bool is_canceled_ = false;
  bool is_over_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace

std::shared_ptr<CompactionService> MakeRemoteCompactions(
    const Flags& flags, const Options& options) {
  return std::make_shared<RemoteCompactions>(flags, options);
}

#else

std::shared_ptr<CompactionService> MakeRemoteCompactions(
    const Flags& /*flags*/, const Options& /*options*/) {
  return nullptr;
}

#endif

}  // namespace ROCKSDB_NAMESPACE::stress
