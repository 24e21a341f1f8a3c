// Work on the database as a whole, and reports about it.

#include <cstdio>
#include <string>

#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/engine.h"
#include "tools/db_bench/option_flags.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// Compacts all there is, the last level too, but no file twice.
Status Compact(Worker& worker) {
  CompactRangeOptions options;
  options.bottommost_level_compaction =
      BottommostLevelCompaction::kForceOptimized;
  options.max_subcompactions = static_cast<uint32_t>(FLAGS_subcompactions);
  Status s = worker.db->CompactRange(options, nullptr, nullptr);
  if (s.ok()) worker.stats.Finished(1, Operation::kOther);
  return s;
}

Status Flush(Database& database) {
  Status s = database.db()->Flush(FlushOptions());
  if (s.ok()) printf("flush memtable\n");
  return s;
}

Status WaitUntilIdle(Database& database) {
  printf("waitforcompaction(%s): started\n", database.path().c_str());
  fflush(stdout);
  Status s = WaitForCompaction(database.db());
  if (s.ok()) {
    printf("waitforcompaction(%s): finished\n", database.path().c_str());
  }
  return s;
}

Status PrintProperty(Database& database, const char* name) {
  std::string text;
  if (!database.db()->GetProperty(name, &text)) {
    return Status::NotSupported(name, "the engine has no such property");
  }
  printf("\n%s\n", text.c_str());
  return Status::OK();
}

Status PrintStats(Database& database) {
  return PrintProperty(database, "rocksdb.stats");
}

Status PrintLevelStats(Database& database) {
  return PrintProperty(database, "rocksdb.levelstats");
}

Status PrintTables(Database& database) {
  return PrintProperty(database, "rocksdb.sstables");
}

}  // namespace

std::vector<Benchmark> AdminBenchmarks() {
  return {
      {.name = "compact", .run = Compact, .threads = Benchmark::Threads::kOne}};
}

std::vector<Command> AdminCommands() {
  return {
      {.name = "flush", .run = Flush},
      {.name = "waitforcompaction", .run = WaitUntilIdle},
      {.name = "stats", .run = PrintStats},
      {.name = "levelstats", .run = PrintLevelStats},
      {.name = "sstables", .run = PrintTables},
  };
}

}  // namespace ROCKSDB_NAMESPACE::bench
