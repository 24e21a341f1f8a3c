#include "db_stress_tool/stress_run.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <thread>

#include "db_stress_tool/database_copies.h"
#include "db_stress_tool/kept_files.h"
#include "db_stress_tool/maintenance.h"
#include "db_stress_tool/table_cut.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

int64_t NowSeconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

KeyLengths LengthsOf(const Flags& flags) {
  const auto max_words = static_cast<size_t>(flags.max_key_len);
  return KeyLengths::Parse(flags.key_len_percent_dist, max_words,
                           static_cast<uint64_t>(flags.key_window_scale_factor))
      .value_or(KeyLengths(max_words));
}

std::unique_ptr<Workload> MakeWorkload(const Context& context) {
  if (context.flags.test_multi_ops_txns) return MakeMultiOpsWorkload(context);
  const bool has_copies =
      context.flags.test_batches_snapshots || context.flags.test_cf_consistency;
  return has_copies ? MakeCopiesWorkload(context) : MakeKeyedWorkload(context);
}

Status DropAndCreate(Database* database, size_t family) {
  return database->RecreateFamily(family);
}

}  // namespace

StressRun::StressRun(const Flags& flags)
    : flags_(flags),
      format_(LengthsOf(flags), static_cast<size_t>(flags.value_size_mult)),
      started_seconds_(NowSeconds()),
      database_(flags) {}

StressRun::~StressRun() = default;

int64_t StressRun::SecondsLeft() const {
  return flags_.duration - (NowSeconds() - started_seconds_);
}

bool StressRun::IsTimeUp() const {
  return flags_.duration > 0 && SecondsLeft() <= 0;
}

Outcome StressRun::DeleteDirectory() {
  std::error_code error;
  std::filesystem::remove_all(flags_.delete_dir_and_exit, error);
  if (!error) return Outcome::kGood;
  report_.Fail("removing " + flags_.delete_dir_and_exit + ": " +
               error.message());
  return Outcome::kWrong;
}

Outcome StressRun::Open() {
  if (flags_.destroy_db_initially || flags_.destroy_db_and_exit) {
    if (!report_.Check(database_.Destroy(), "DestroyDB")) {
      return Outcome::kWrong;
    }
    std::error_code ignored;
    if (!flags_.expected_values_dir.empty()) {
      std::filesystem::remove_all(flags_.expected_values_dir, ignored);
    }
    if (flags_.destroy_db_and_exit) return Outcome::kGood;
  }
  if (!report_.Check(KeptFiles(flags_).Keep(), "keeping files")) {
    return Outcome::kWrong;
  }
  if (!report_.Check(TableCut(flags_).Make(), "taking tables away")) {
    return Outcome::kWrong;
  }
  const Status s = database_.Open();
  if (s.IsNotSupported() || s.IsInvalidArgument()) {
    fprintf(stderr, "refused: %s\n", s.ToString().c_str());
    return Outcome::kRefused;
  }
  if (!s.ok()) report_.Fail("opening: " + s.ToString());
  return report_.failed() ? Outcome::kWrong : Outcome::kGood;
}

void StressRun::Step(Worker* worker) {
  auto share = static_cast<int64_t>(worker->random.Uniform(100));
  using Clock = std::chrono::steady_clock;
  const struct {
    const char* name;
    int64_t percent;
    void (Workload::*run)(Worker*);
  } kinds[] = {
      {"time of lookups", flags_.readpercent, &Workload::Read},
      {"time of prefix scans", flags_.prefixpercent, &Workload::ScanPrefix},
      {"time of walks", flags_.iterpercent, &Workload::Iterate},
      {"time of puts", flags_.writepercent, &Workload::Put},
      {"time of deletions", flags_.delpercent, &Workload::Delete},
      {"time of range deletions", flags_.delrangepercent,
       &Workload::DeleteRange},
      {"time of custom operations", flags_.customopspercent, &Workload::Custom},
  };
  for (const auto& kind : kinds) {
    if (share < kind.percent) {
      const bool is_write = &kind >= &kinds[3];
      if (is_write && flags_.read_only) return;
      const Clock::time_point begin =
          flags_.histogram ? Clock::now() : Clock::time_point();
      (workload_.get()->*kind.run)(worker);
      if (!flags_.histogram) return;
      timings_.Add(kind.name,
                   std::chrono::duration_cast<std::chrono::microseconds>(
                       Clock::now() - begin));
      return;
    }
    share -= kind.percent;
  }
}

void StressRun::Maintain(Worker* worker) {
  for (const MaintenanceOp& op : MaintenanceOps()) {
    if (!worker->random.OneIn(flags_.*op.one_in)) continue;
    op.run(context(), workload_.get(), worker);
  }
  if (worker->random.OneIn(flags_.acquire_snapshot_one_in)) {
    snapshots_->Acquire(worker);
  }
  snapshots_->ReleaseDue(*worker);
  if (worker->index == 0 && database_.transactions() != nullptr) {
    report_.Check(database_.transactions()->TurnOverSnapshots(&worker->random),
                  "CreateTimestampedSnapshot");
  }
  if (worker->index == 0) periodic_->RunDue(worker);
}

void StressRun::Reopen() {
  const Gate::Alone alone(database_.gate());
  if (report_.failed()) return;
  if (!report_.Check(TableCut(flags_).Forget(), "forgetting tables")) return;
  snapshots_->ReleaseAll();
  const uint64_t token = workload_->NoteDurableBegin();
  const bool is_flushed =
      !flags_.disable_wal || !database_.options().avoid_flush_during_shutdown;
  const Status closed = database_.Close();
  // Whatever it says, nothing is open any more.
  if (!report_.CheckContended(closed, "Close") && report_.failed()) return;
  const bool is_kept = closed.ok() && is_flushed;
  if (is_kept) workload_->NoteDurableEnd(Workload::kAllFamilies, token);
  const WithoutFaults no_faults;
  const Status s = database_.Open();
  if (!s.ok()) {
    report_.Fail("reopening: " + s.ToString());
  } else if (!is_kept) {
    workload_->Recover();
  }
}

void StressRun::ClearAFamily(Worker* worker) {
  const Gate::Alone alone(database_.gate());
  if (report_.failed() || database_.family_count() < 2) return;
  snapshots_->ReleaseAll();
  // The default one cannot be dropped.
  const size_t family =
      1 + worker->random.Uniform(database_.family_count() - 1);
  const WithoutFaults no_faults;
  workload_->ClearFamily(family, &DropAndCreate);
}

void StressRun::StepAlone(Worker* worker) {
  if (flags_.read_only) return;
  if (worker->random.OneIn(flags_.clear_column_family_one_in)) {
    ClearAFamily(worker);
  }
  if (worker->random.OneIn(flags_.verify_db_one_in)) {
    const Gate::Alone alone(database_.gate());
    if (!report_.failed()) workload_->Verify();
    report_.Count("verification");
  }
  const int64_t period = flags_.ops_per_thread / (flags_.reopen + 1);
  if (worker->index == 0 && period > 0 && flags_.reopen > 0 &&
      worker->op % period == period - 1) {
    Reopen();
  }
}

void StressRun::WorkOf(Worker* worker) {
  for (; worker->op < flags_.ops_per_thread; ++worker->op) {
    if (report_.failed() || (worker->op % 64 == 0 && IsTimeUp())) return;
    {
      const Gate::Shared inside(database_.gate());
      if (report_.failed()) return;
      Step(worker);
      if (!flags_.read_only) Maintain(worker);
    }
    StepAlone(worker);
    if (flags_.progress_reports && worker->index == 0 &&
        worker->op % 10000 == 9999) {
      fprintf(stderr, "... %lld operations of each thread\n",
              static_cast<long long>(worker->op + 1));
    }
  }
}

void StressRun::Work() {
  const auto count = static_cast<size_t>(flags_.threads);
  std::vector<Worker> workers;
  for (size_t i = 0; i < count; ++i) {
    workers.push_back({i, StressRandom(flags_.seed * 1000003 + i)});
  }
  std::mutex mutex;
  std::condition_variable changed;
  size_t running = count;
  std::vector<std::thread> threads;
  for (Worker& worker : workers) {
    threads.emplace_back([&] {
      WorkOf(&worker);
      std::lock_guard<std::mutex> lock(mutex);
      --running;
      changed.notify_all();
    });
  }
  if (flags_.duration > 0) {
    std::unique_lock<std::mutex> lock(mutex);
    const std::chrono::seconds left(SecondsLeft());
    const bool have_ended =
        changed.wait_for(lock, left, [&running] { return running == 0; });
    // Writers may wait for a compaction that faults never let through.
    if (!have_ended) database_.EndFaults();
  }
  for (std::thread& thread : threads) thread.join();
  snapshots_->ReleaseAll();
}

void StressRun::VerifyAtEnd() {
  if (report_.failed() || flags_.skip_verifydb) return;
  workload_->Verify();
  if (report_.failed()) return;
  const WithoutFaults no_faults;
  Worker worker{0, StressRandom(flags_.seed)};
  CheckInstances(context(), workload_.get(), &worker);
}

Outcome StressRun::Run() {
  if (!flags_.delete_dir_and_exit.empty()) return DeleteDirectory();
  const Outcome opened = Open();
  if (opened != Outcome::kGood || flags_.destroy_db_and_exit) return opened;
  workload_ = MakeWorkload(context());
  snapshots_ = std::make_unique<HeldSnapshots>(context());
  periodic_ = std::make_unique<PeriodicTasks>(context(), workload_.get());
  workload_->Begin();
  if (!report_.failed()) {
    report_.Check(KeptFiles(flags_).Drop(), "removing kept files");
    printf("Verified what was there\n");
  }
  fflush(stdout);
  if (!report_.failed() && !flags_.verification_only) Work();
  VerifyAtEnd();
  const WithoutFaults no_faults;
  const Status closed = database_.Close();
  if (!closed.ok() && !IsInjected(closed)) {
    report_.Fail("closing: " + closed.ToString());
  }
  printf("%s%s", report_.Counts().c_str(), timings_.Text().c_str());
  printf("%s\n",
         report_.failed() ? "Verification failed" : "Verification successful");
  return report_.failed() ? Outcome::kWrong : Outcome::kGood;
}

}  // namespace ROCKSDB_NAMESPACE::stress
