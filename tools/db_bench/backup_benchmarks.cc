// backup and restore: how long a backup takes, and its way back.

#include <gflags/gflags.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/utilities/backup_engine.h"
#include "tools/db_bench/benchmarks.h"

DEFINE_string(backup_dir, "", "Where the benchmark backup puts its backup.");
DEFINE_string(restore_dir, "", "Where the benchmark restore puts the files.");
DEFINE_uint64(backup_rate_limit, 0, "Bytes/s that backup writes. 0: no limit.");
DEFINE_uint64(restore_rate_limit, 0,
              "Bytes/s that restore writes. 0: no limit.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

Status OpenEngine(std::unique_ptr<BackupEngine>* engine) {
  BackupEngineOptions options(FLAGS_backup_dir);
  options.backup_rate_limit = FLAGS_backup_rate_limit;
  options.restore_rate_limit = FLAGS_restore_rate_limit;
  BackupEngine* opened = nullptr;
  const Status s = BackupEngine::Open(options, Env::Default(), &opened);
  engine->reset(opened);
  return s;
}

Status MakeBackup(Worker& worker) {
  std::unique_ptr<BackupEngine> engine;
  Status s = OpenEngine(&engine);
  if (s.ok()) s = engine->CreateNewBackup(worker.db);
  if (s.ok()) worker.stats.Finished(1, Operation::kOther);
  return s;
}

Status RestoreBackup(Worker& worker) {
  std::unique_ptr<BackupEngine> engine;
  Status s = OpenEngine(&engine);
  if (s.ok()) {
    s = engine->RestoreDBFromLatestBackup(FLAGS_restore_dir, FLAGS_restore_dir);
  }
  if (s.ok()) worker.stats.Finished(1, Operation::kOther);
  return s;
}

}  // namespace

std::vector<Benchmark> BackupBenchmarks() {
  constexpr auto kOne = Benchmark::Threads::kOne;
  return {
      {.name = "backup",
       .run = MakeBackup,
       .threads = kOne,
       .needs = Benchmark::Needs::kBackupDirectory},
      {.name = "restore",
       .run = RestoreBackup,
       .threads = kOne,
       .needs = Benchmark::Needs::kBackupDirectory},
  };
}

}  // namespace ROCKSDB_NAMESPACE::bench
