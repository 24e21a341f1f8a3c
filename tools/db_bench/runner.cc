#include "tools/db_bench/runner.h"

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "rocksdb/iostats_context.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "tools/db_bench/environment.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/operation_options.h"
#include "tools/db_bench/repeated_runs.h"
#include "tools/db_bench/traces.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// Holds threads until all of them have come.
class StartLine {
 public:
  explicit StartLine(int threads) : missing_(threads) {}

  void ArriveAndWait() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (--missing_ == 0) complete_.notify_all();
    complete_.wait(lock, [this] { return missing_ == 0; });
  }

 private:
  std::mutex mutex_;  // Guards missing_.
  std::condition_variable complete_;
  int missing_;
};

// Aligned so that two threads never write to one cache line.
struct alignas(128) Job {
  Status (*run)(Worker& worker) = nullptr;
  bool is_measured = true;
  Worker worker;
  Status status = Status::OK();
};

void RunJob(Job* job, const NumaNodes* nodes, StartLine* start_line) {
  SetPerfLevel(static_cast<PerfLevel>(FLAGS_perf_level));
  get_perf_context()->Reset();
  get_iostats_context()->Reset();
  job->status = nodes->BindThisThread(job->worker.index);
  start_line->ArriveAndWait();
  job->worker.stats.Start();
  if (job->status.ok()) job->status = job->run(job->worker);
  job->worker.stats.Stop();
  if (job->is_measured) --job->worker.shared->measured_threads;
  if (FLAGS_perf_level > static_cast<int32_t>(PerfLevel::kDisable)) {
    job->worker.stats.SetMessage("PERF_CONTEXT:\n" +
                                 get_perf_context()->ToString());
  }
}

Status RunJobs(const NumaNodes& nodes, std::vector<Job>* jobs) {
  StartLine start_line(static_cast<int>(jobs->size()));
  std::vector<std::thread> threads;
  threads.reserve(jobs->size());
  for (Job& job : *jobs) {
    threads.emplace_back(RunJob, &job, &nodes, &start_line);
  }
  for (std::thread& thread : threads) thread.join();
  for (const Job& job : *jobs) {
    if (!job.status.ok()) return job.status;
  }
  return Status::OK();
}

bool HasText(const char* flag) {
  return !gflags::GetCommandLineFlagInfoOrDie(flag).current_value.empty();
}

// What the step cannot run without and has not; null: nothing.
const char* Missing(const Step& step, const Options& options) {
  if (!step.benchmark.has_value()) return nullptr;
  switch (step.benchmark->needs) {
    case Benchmark::Needs::kNothing:
      return nullptr;
    case Benchmark::Needs::kMergeOperator:
      return options.merge_operator != nullptr ? nullptr : "--merge_operator";
    case Benchmark::Needs::kNoCompactions:
      return options.disable_auto_compactions ? nullptr
                                              : "--disable_auto_compactions";
    case Benchmark::Needs::kBackupDirectory:
      if (!HasText("backup_dir")) return "--backup_dir";
      return step.name != "restore" || HasText("restore_dir") ? nullptr
                                                              : "--restore_dir";
    case Benchmark::Needs::kCoroutines:
      return "a build of RocksDB with folly's coroutines; many lookups at "
             "once are multireadrandom";
  }
  return nullptr;
}

Status (*RunOf(Benchmark::Companion companion))(Worker& worker) {
  switch (companion) {
    case Benchmark::Companion::kWriter:
      return WriteInBackground;
    case Benchmark::Companion::kMerger:
      return MergeInBackground;
    case Benchmark::Companion::kScanner:
      return ScanInBackground;
    case Benchmark::Companion::kNone:
      break;
  }
  return nullptr;
}

}  // namespace

Runner::Runner(Database* database, CsvReporter* reporter, uint64_t seed)
    : database_(database), reporter_(reporter), next_seed_(seed) {}

Status Runner::Run(const std::vector<Step>& plan) {
  Status made = NumaNodes::ReadIfAsked(&nodes_);
  if (made.ok()) made = MakeReadOptions(&read_options_);
  if (made.ok()) made = MakeWriteOptions(&write_options_);
  if (!made.ok()) return made;
  for (const Step& step : plan) {
    const char* const missing = Missing(step, database_->options());
    if (WasSet("benchmarks") && missing != nullptr) {
      return Status::InvalidArgument(step.name,
                                     std::string("needs ") + missing);
    }
  }
  for (const Step& step : plan) {
    if (Status s = RunStep(step); !s.ok()) return s;
    fflush(stdout);
  }
  return Status::OK();
}

Status Runner::RunStep(const Step& step) {
  if (step.command.has_value()) return RunCommand(step);
  if (step.benchmark->database == Benchmark::Database::kFresh &&
      FLAGS_use_existing_db) {
    printf("%-12s : skipped (--use_existing_db is true)\n", step.name.c_str());
    return Status::OK();
  }
  // Run() refuses a --benchmarks list with such a step, so this one is from the
  // default list: nobody asked for it.
  const char* const missing = Missing(step, database_->options());
  if (missing != nullptr) {
    printf("%-12s : skipped (needs %s)\n", step.name.c_str(), missing);
    return Status::OK();
  }
  return RunRepeatedly(step);
}

Status Runner::RunCommand(const Step& step) {
  for (int i = 0; i < step.warm_ups + step.runs; ++i) {
    if (Status s = step.command->run(*database_); !s.ok()) return s;
  }
  return Status::OK();
}

Status Runner::RunRepeatedly(const Step& step) {
  const Benchmark& benchmark = *step.benchmark;
  if (benchmark.threads == Benchmark::Threads::kOne && FLAGS_threads > 1) {
    fprintf(stderr, "%s: 1 thread is used\n", step.name.c_str());
  }
  if (benchmark.database != Benchmark::Database::kNone) {
    printf("DB path: [%s]\n", database_->path().c_str());
    fflush(stdout);
  }
  if (step.warm_ups > 0) {
    printf("Warming up benchmark by running %d times\n", step.warm_ups);
  }
  RepeatedRuns runs;
  for (int i = 0; i < step.warm_ups + step.runs; ++i) {
    if (i == step.warm_ups && step.runs > 1) {
      printf("Running benchmark for %d times\n", step.runs);
    }
    Stats total{Stats::Context()};
    if (Status s = RunOnce(benchmark, &total); !s.ok()) return s;
    total.Print(step.name);
    printf("%s", TakeFileReport().c_str());
    if (i >= step.warm_ups) runs.Add(step.name, total);
  }
  runs.PrintFinal(step.name);
  return Status::OK();
}

Status Runner::RunOnce(const Benchmark& benchmark, Stats* total) {
  if (benchmark.database == Benchmark::Database::kFresh) {
    if (Status s = database_->Renew(); !s.ok()) return s;
  }
  SharedState shared(FLAGS_benchmark_write_rate_limit,
                     FLAGS_benchmark_read_rate_limit);
  const int threads =
      benchmark.threads == Benchmark::Threads::kOne ? 1 : FLAGS_threads;
  shared.measured_threads = threads;
  shared.options = &database_->options();
  std::vector<Job> jobs;
  for (int i = 0; i < threads; ++i) {
    jobs.push_back({.run = benchmark.run, .worker = MakeWorker(benchmark, i)});
  }
  if (benchmark.companion != Benchmark::Companion::kNone) {
    jobs.push_back({.run = RunOf(benchmark.companion),
                    .is_measured = false,
                    .worker = MakeWorker(benchmark, threads)});
  }
  for (Job& job : jobs) job.worker.shared = &shared;
  Traces traces(benchmark.is_traced ? jobs[0].worker.db : nullptr);
  Status s = traces.Begin();
  if (!s.ok()) return s;
  s = RunJobs(nodes_, &jobs);
  const Status ended = traces.End();
  if (s.ok()) s = ended;
  *total = jobs[0].worker.stats;
  for (size_t i = 1; i < jobs.size(); ++i) {
    if (jobs[i].is_measured) total->Merge(jobs[i].worker.stats);
  }
  return s;
}

Worker Runner::MakeWorker(const Benchmark& benchmark, int index) {
  Worker worker;
  const bool uses_db = benchmark.database != Benchmark::Database::kNone;
  const bool is_background =
      benchmark.companion != Benchmark::Companion::kNone &&
      index == FLAGS_threads;
  worker.db = uses_db ? database_->db() : nullptr;
  worker.targets = &database_->targets();
  worker.index = index;
  worker.existing_keys = database_->existing_keys();
  worker.value_shape = ValueShape::FromFlags();
  worker.read_options = read_options_;
  worker.write_options = write_options_;
  worker.random = Random(next_seed_++);
  worker.stats = Stats({.thread_index = index,
                        .reporter = is_background ? nullptr : reporter_,
                        .db = worker.db});
  return worker;
}

}  // namespace ROCKSDB_NAMESPACE::bench
