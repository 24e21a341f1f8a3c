// Work on the database as a whole, and reports about it.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/metadata.h"
#include "rocksdb/statistics.h"
#include "rocksdb/stats_history.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/caches.h"
#include "tools/db_bench/engine.h"
#include "tools/db_bench/engine_parts.h"
#include "tools/db_bench/format.h"
#include "tools/db_bench/option_flags.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// Compacts all there is, the last level too, but no file twice.
Status Compact(Worker& worker) {
  CompactRangeOptions options;
  options.bottommost_level_compaction =
      BottommostLevelCompaction::kForceOptimized;
  options.max_subcompactions = static_cast<uint32_t>(FLAGS_subcompactions);
  for (const Target& target : worker.targets->All()) {
    Status s =
        target.db->CompactRange(options, target.family, nullptr, nullptr);
    if (!s.ok()) return s;
  }
  worker.stats.Finished(1, Operation::kOther);
  return Status::OK();
}

Status VerifyChecksums(Worker& worker) {
  Status s = worker.db->VerifyChecksum(worker.read_options);
  if (s.ok()) worker.stats.Finished(1, Operation::kOther);
  return s;
}

Status VerifyFileChecksums(Worker& worker) {
  Status s = worker.db->VerifyFileChecksums(worker.read_options);
  if (s.ok()) worker.stats.Finished(1, Operation::kOther);
  return s;
}

Status CompactAll(Database& database) {
  for (const Target& target : database.targets().All()) {
    Status s = target.db->CompactRange(CompactRangeOptions(), target.family,
                                       nullptr, nullptr);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

// The first level below `level` with files; if there is none, the next.
int LevelBelow(const ColumnFamilyMetaData& tree, int level) {
  for (const LevelMetaData& deeper : tree.levels) {
    if (deeper.level > level && !deeper.files.empty()) return deeper.level;
  }
  return level + 1;
}

// Compacts all files of `level` into the next that has any.
Status CompactLevelOf(const Target& target, int level) {
  ColumnFamilyMetaData tree;
  target.db->GetColumnFamilyMetaData(target.family, &tree);
  std::vector<std::string> names;
  for (const LevelMetaData& one : tree.levels) {
    if (one.level != level) continue;
    for (const SstFileMetaData& file : one.files) names.push_back(file.name);
  }
  printf("compact%d: %zu files of level %d\n", level, names.size(), level);
  if (names.empty()) return Status::OK();
  return target.db->CompactFiles(CompactionOptions(), target.family, names,
                                 LevelBelow(tree, level));
}

Status CompactLevel(Database& database, int level) {
  for (const Target& target : database.targets().All()) {
    if (Status s = CompactLevelOf(target, level); !s.ok()) return s;
  }
  return Status::OK();
}

Status CompactLevel0(Database& database) { return CompactLevel(database, 0); }
Status CompactLevel1(Database& database) { return CompactLevel(database, 1); }

Status Flush(Database& database) {
  for (const Target& target : database.targets().All()) {
    Status s = target.db->Flush(FlushOptions(), target.family);
    if (!s.ok()) return s;
  }
  printf("flush memtable\n");
  return Status::OK();
}

Status WaitUntilIdle(Database& database) {
  printf("waitforcompaction(%s): started\n", database.path().c_str());
  fflush(stdout);
  Status s;
  for (const Target& target : database.targets().All()) {
    if (s.ok()) s = WaitForCompaction(target.db);
  }
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

Status PrintCacheEntries(Database& database) {
  return PrintProperty(database, "rocksdb.block-cache-entry-stats");
}

Status ResetStats(Database& database) {
  const auto& statistics = database.options().statistics;
  if (statistics != nullptr) {
    if (Status s = statistics->Reset(); !s.ok()) return s;
  }
  return database.db()->ResetStats();
}

Status PrintMemory(Database& database) {
  for (const char* name :
       {"rocksdb.num-immutable-mem-table", "rocksdb.cur-size-active-mem-table",
        "rocksdb.cur-size-all-mem-tables", "rocksdb.size-all-mem-tables",
        "rocksdb.num-entries-active-mem-table",
        "rocksdb.num-entries-imm-mem-tables",
        "rocksdb.estimate-table-readers-mem", "rocksdb.block-cache-usage",
        "rocksdb.block-cache-pinned-usage"}) {
    uint64_t value = 0;
    if (!database.db()->GetIntProperty(name, &value)) continue;
    printf("%s: %llu\n", name, Printable(value));
  }
  return Status::OK();
}

Status PrintCacheProblems(Database& database) {
  const std::shared_ptr<Cache> cache = BlockCache();
  if (cache == nullptr) {
    return Status::NotSupported("cache_report_problems",
                                "there is no block cache");
  }
  Status s = ReportCacheProblems(cache.get(), database.options().env);
  if (s.ok()) printf("cache_report_problems: on stderr, if any\n");
  return s;
}

Status PrintStatsHistory(Database& database) {
  std::unique_ptr<StatsHistoryIterator> entry;
  Status s = database.db()->GetStatsHistory(0, UINT64_MAX, &entry);
  if (!s.ok()) return s;
  uint64_t count = 0;
  for (; entry->Valid(); entry->Next(), ++count) {
    printf("stats_history: at %llu seconds\n",
           Printable(entry->GetStatsTime()));
    for (const auto& [name, value] : entry->GetStatsMap()) {
      printf("  %s: %llu\n", name.c_str(), Printable(value));
    }
  }
  printf("stats_history: %llu entries\n", Printable(count));
  return entry->status();
}

}  // namespace

std::vector<Benchmark> AdminBenchmarks() {
  constexpr auto kOne = Benchmark::Threads::kOne;
  return {
      {.name = "compact", .run = Compact, .threads = kOne},
      {.name = "verifychecksum", .run = VerifyChecksums, .threads = kOne},
      {.name = "verifyfilechecksums",
       .run = VerifyFileChecksums,
       .threads = kOne},
  };
}

std::vector<Command> AdminCommands() {
  return {
      {.name = "compactall", .run = CompactAll},
      {.name = "compact0", .run = CompactLevel0},
      {.name = "compact1", .run = CompactLevel1},
      {.name = "flush", .run = Flush},
      {.name = "waitforcompaction", .run = WaitUntilIdle},
      {.name = "stats", .run = PrintStats},
      {.name = "levelstats", .run = PrintLevelStats},
      {.name = "sstables", .run = PrintTables},
      {.name = "memstats", .run = PrintMemory},
      {.name = "block_cache_entry_stats", .run = PrintCacheEntries},
      {.name = "cache_report_problems", .run = PrintCacheProblems},
      {.name = "resetstats", .run = ResetStats},
      {.name = "stats_history", .run = PrintStatsHistory},
  };
}

}  // namespace ROCKSDB_NAMESPACE::bench
