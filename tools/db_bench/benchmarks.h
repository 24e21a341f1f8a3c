// The benchmarks: their names, what they need, and where they are.
//
// A benchmark is a row of a table; its group (fill, read, ...) is a file.
//
// Threads    The tables are immutable. Run() is called by each benchmark
//            thread with a Worker of its own.
// Errors     A benchmark that fails ends the program with its Status.

#pragma once

#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/database.h"
#include "tools/db_bench/worker.h"

namespace ROCKSDB_NAMESPACE::bench {

// Timed: run by --threads threads, one result line.
struct Benchmark {
  enum class Database { kNone, kAsItIs, kFresh };
  // What one more thread, which is not measured, does meanwhile.
  enum class Companion { kNone, kWriter, kMerger, kScanner };
  enum class Threads { kAsAsked, kOne };
  // A flag without which it cannot run.
  enum class Needs {
    kNothing,
    kMergeOperator,
    kNoCompactions,
    kBackupDirectory,
    kCoroutines,
  };

  const char* name;
  Status (*run)(Worker& worker);
  Database database = Database::kAsItIs;
  Companion companion = Companion::kNone;
  Threads threads = Threads::kAsAsked;
  Needs needs = Needs::kNothing;
  bool is_traced = true;  // if --trace_file or another asks for that
};

// Not timed: prints a report, or does something to the database once.
struct Command {
  const char* name;
  Status (*run)(Database& database);
};

std::vector<Benchmark> FillBenchmarks();
std::vector<Benchmark> ReadBenchmarks();
std::vector<Benchmark> SeekBenchmarks();
std::vector<Benchmark> MixedBenchmarks();
std::vector<Benchmark> UpdateBenchmarks();
std::vector<Benchmark> TransactionBenchmarks();
std::vector<Benchmark> MicroBenchmarks();
std::vector<Benchmark> AdminBenchmarks();
std::vector<Benchmark> BackupBenchmarks();
std::vector<Benchmark> TraceBenchmarks();
std::vector<Benchmark> DeterministicBenchmarks();
std::vector<Benchmark> EntityBenchmarks();
std::vector<Benchmark> IngestBenchmarks();
std::vector<Benchmark> MixGraphBenchmarks();
std::vector<Benchmark> RemoteCompactionBenchmarks();
std::vector<Benchmark> ReplaceBenchmarks();
std::vector<Benchmark> SelectiveDeleteBenchmarks();
std::vector<Benchmark> TimeSeriesBenchmarks();
std::vector<Benchmark> VerifyBenchmarks();
std::vector<Command> AdminCommands();

// What the unmeasured thread runs: writes or merges at random keys, or reads
// all there is over and over, until the measured threads have ended.
Status WriteInBackground(Worker& worker);
Status MergeInBackground(Worker& worker);
Status ScanInBackground(Worker& worker);

// Parts that benchmarks of several groups share.
Status ReadRandom(Worker& worker);
Status MultiReadRandom(Worker& worker);
Status SeekRandom(Worker& worker);
Status MakeIterators(Worker& worker);

}  // namespace ROCKSDB_NAMESPACE::bench
