// replay: runs the operations of a trace again, as fast as they were or faster.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record_result.h"
#include "rocksdb/utilities/replayer.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/trace_flags.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

Status Replay(Worker& worker) {
  if (FLAGS_trace_file.empty()) {
    return Status::InvalidArgument("--trace_file", "names no trace to replay");
  }
  std::unique_ptr<TraceReader> reader;
  Status s = NewFileTraceReader(Env::Default(), EnvOptions(), FLAGS_trace_file,
                                &reader);
  if (!s.ok()) return s;
  std::vector<ColumnFamilyHandle*> families;
  for (const Target& target : worker.targets->All()) {
    if (target.db == worker.db) families.push_back(target.family);
  }
  std::unique_ptr<Replayer> replayer;
  s = worker.db->NewDefaultReplayer(families, std::move(reader), &replayer);
  if (s.ok()) s = replayer->Prepare();
  if (!s.ok()) return s;
  std::mutex mutex;  // guards worker.stats and `failed`
  uint64_t failed = 0;
  s = replayer->Replay(
      ReplayOptions(
          static_cast<uint32_t>(std::max(FLAGS_trace_replay_threads, 1)),
          FLAGS_trace_replay_fast_forward),
      [&](Status status, std::unique_ptr<TraceRecordResult>&&) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (!status.ok()) ++failed;
        worker.stats.Finished(1, Operation::kOther);
      });
  if (failed > 0) {
    fprintf(stderr, "replay: %llu operations failed\n",
            static_cast<unsigned long long>(failed));
  }
  return s;
}

}  // namespace

std::vector<Benchmark> TraceBenchmarks() {
  return {{.name = "replay",
           .run = Replay,
           .threads = Benchmark::Threads::kOne,
           .is_traced = false}};
}

}  // namespace ROCKSDB_NAMESPACE::bench
