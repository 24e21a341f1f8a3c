// Measures an engine through RocksDB's C interface alone, by db_bench's command
// line: the same program, linked with one engine or another, measures both.
//
//   c_bench --db=DIRECTORY --benchmarks=fillrandom,readrandom --histogram
//
// docs/tools/c_bench.md tells what is there and what differs from db_bench.

#include <cstdio>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tools/c_bench/benchmarks.h"
#include "tools/c_bench/database.h"
#include "tools/c_bench/flags.h"
#include "tools/c_bench/scheduling.h"
#include "tools/c_bench/text.h"
#include "tools/c_bench/worker.h"
#include "tools/common/exit_status.h"

namespace c_bench {

namespace {

void Compact(const std::string& name, Database* database) {
  const uint64_t begin = NowNanos();
  for (rocksdb_column_family_handle_t* family : database->families()) {
    rocksdb_compact_range_cf(database->db(), family, nullptr, 0, nullptr, 0);
  }
  Total total;
  total.operations = 1;
  total.seconds = total.thread_seconds =
      static_cast<double>(NowNanos() - begin) / 1e9;
  PrintTotal(name, total, /*is_timed=*/false, /*is_read=*/false);
}

void FlushAll(const std::string& name, Database* database) {
  database->Flush();
  printf("%s(%s): finished\n", name.c_str(), database->path().c_str());
}

void WaitForCompaction(const std::string& name, Database* database) {
  database->WaitForCompaction();
  printf("%s(%s): finished\n", name.c_str(), database->path().c_str());
  fflush(stdout);
}

void PrintProperty(const std::string& name, Database* database) {
  puts(database->TextProperty("rocksdb." + name).c_str());
}

// Closes it and opens it again, which prints how long that takes.
void Reopen(const std::string&, Database* database) {
  database->Close();
  database->Open();
}

constexpr Benchmark kBenchmarks[] = {
    {"fillseq", FillInOrder, true},
    {"fillrandom", FillAtRandom, true},
    {"filluniquerandom", FillEachOnce, true},
    {"fillbatch", FillBatches, true},
    {"fillfiles", FillFiles, true},
    {"overwrite", FillAtRandom},
    {"deleteseq", DeleteInOrder},
    {"prepareingestion", PrepareIngestion, false, true},
    {"readrandom", ReadAtRandom},
    {"multireadrandom", ReadManyAtRandom},
    {"readseq", ReadForwards},
    {"readreverse", ReadBackwards},
    {"seekrandom", SeekAtRandom},
    {"seekfirst", SeekToFirstKey},
    {"readwhilewriting", ReadWhileWriting},
    {"readbeside", ReadBeside},
    {"multireadbeside", ReadManyBeside},
    {"seekbeside", SeekBeside},
    {"idle", StayIdle},
    {"compact", Compact},
    {"flush", FlushAll},
    {"waitforcompaction", WaitForCompaction},
    {"reopen", Reopen},
    {"sstables", PrintProperty},
    {"levelstats", PrintProperty},
    {"stats", PrintProperty},
};

std::vector<const Benchmark*> Chosen(const Flags& flags) {
  std::vector<const Benchmark*> chosen;
  std::istringstream names(flags.Value("benchmarks"));
  for (std::string name; std::getline(names, name, ',');) {
    const Benchmark* benchmark = FindBenchmark(name);
    if (benchmark == nullptr) Fail("there is no benchmark " + name);
    chosen.push_back(benchmark);
  }
  return chosen;
}

}  // namespace

const Benchmark* FindBenchmark(const std::string& name) {
  for (const Benchmark& benchmark : kBenchmarks) {
    if (name == benchmark.name) return &benchmark;
  }
  return nullptr;
}

int Main(int count, char** arguments) {
  Flags flags;
  flags.Parse(count, arguments);
  const auto chosen = Chosen(flags);
  Database database(flags);
  const BackgroundScheduling scheduling(flags);
  for (const Benchmark* benchmark : chosen) {
    if (benchmark->is_fresh) {
      database.OpenFresh();
    } else if (!benchmark->is_without_database) {
      database.Open();
    }
    benchmark->run(benchmark->name, &database);
    fflush(stdout);
  }
  const std::string statistics = database.Statistics();
  if (!statistics.empty()) printf("STATISTICS:\n%s\n", statistics.c_str());
  const Resident resident = ReadResident();
  printf("Resident: %llu KiB, at most %llu KiB\n", Printed(resident.now_kib),
         Printed(resident.peak_kib));
  return 0;
}

}  // namespace c_bench

int main(int count, char** arguments) {
  return tools::ExitStatus(c_bench::Main(count, arguments));
}
