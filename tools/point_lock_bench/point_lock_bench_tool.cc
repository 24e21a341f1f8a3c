#include "rocksdb/point_lock_bench_tool.h"

#include <cstdio>
#include <memory>
#include <string>

#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/utilities/transaction_db.h"
#include "tools/common/exit_status.h"
#include "tools/point_lock_bench/lock_run.h"
#include "tools/point_lock_bench/settings.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status OpenForLocks(const lock_bench::Settings& settings, Env* env,
                    std::unique_ptr<TransactionDB>* db) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  // What is there already is not ours to destroy.
  options.error_if_exists = true;
  TransactionDBOptions locks;
  locks.num_stripes = settings.stripes;
  locks.transaction_lock_timeout = settings.lock_timeout_ms;
  const std::string path = settings.db.empty() ? "/locks" : settings.db;
  TransactionDB* opened = nullptr;
  const Status s = TransactionDB::Open(options, locks, path, &opened);
  db->reset(opened);
  return s;
}

int RunPointLockBench(int argc, char** argv) {
  lock_bench::Settings settings;
  if (const auto status = lock_bench::ParseSettings(argc, argv, &settings))
    return *status;
  std::unique_ptr<Env> memory;
  if (settings.db.empty()) memory.reset(NewMemEnv(Env::Default()));
  Env* const env = memory != nullptr ? memory.get() : Env::Default();
  std::unique_ptr<TransactionDB> db;
  Status s = OpenForLocks(settings, env, &db);
  if (!s.ok()) {
    std::fprintf(stderr, "%s\n", s.ToString().c_str());
    return 1;
  }
  lock_bench::PrintSettings(settings);
  bool is_right = lock_bench::LockRun(settings, db.get()).Run();
  db.reset();
  if (!settings.db.empty()) {
    s = DestroyDB(settings.db, Options());
    if (!s.ok()) std::fprintf(stderr, "%s\n", s.ToString().c_str());
    is_right = is_right && s.ok();
  }
  return is_right ? 0 : 1;
}

}  // namespace

int point_lock_bench_tool(int argc, char** argv) {
  return tools::ExitStatus(RunPointLockBench(argc, argv));
}

}  // namespace ROCKSDB_NAMESPACE
