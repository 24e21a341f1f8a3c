// Benchmarks that read while they or a background thread write.

#include <chrono>
#include <cstdio>

#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/format.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

using Write = Status (*)(const Worker& worker, const Slice& key,
                         const Slice& value);

Status PutOne(const Worker& worker, const Slice& key, const Slice& value) {
  return worker.db->Put(worker.write_options, key, value);
}

Status MergeOne(const Worker& worker, const Slice& key, const Slice& value) {
  return worker.db->Merge(worker.write_options, key, value);
}

// The background writer has a key space of its own: readers may be kept to a
// small hot set (--num) while the whole database (--bgwriter_num) is
// rewritten and compacted.
uint64_t BackgroundKeyCount(const Worker& worker) {
  return FLAGS_bgwriter_num > 0 ? static_cast<uint64_t>(FLAGS_bgwriter_num)
                                : worker.KeyCount();
}

void PrintBackground(const char* what, uint64_t writes, double seconds) {
  fprintf(stderr, "background thread: %llu %s in %.3f seconds, %.0f a second\n",
          Printable(writes), what, seconds,
          static_cast<double>(writes) / seconds);
}

Status RunInBackground(Worker& worker, Write write, const char* what) {
  using Clock = std::chrono::steady_clock;
  const uint64_t key_count = BackgroundKeyCount(worker);
  KeyBuffer key(static_cast<size_t>(FLAGS_key_size),
                FLAGS_bgwriter_num > 0 ? nullptr : worker.existing_keys);
  ValueGenerator values(worker.value_shape, worker.random.Next());
  const Clock::time_point start = Clock::now();
  uint64_t writes = 0;
  // Once at least: readers of little may be done before this thread begins.
  do {
    const Slice name = key.Make(worker.random.Below(key_count));
    const Slice value = values.Next();
    worker.shared->write_pacer.Wait(name.size() + value.size());
    if (Status s = write(worker, name, value); !s.ok()) return s;
    ++writes;
  } while (worker.shared->measured_threads.load() > 0);
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  PrintBackground(what, writes, elapsed.count());
  return Status::OK();
}

// Reads a random key and writes it back with another value.
Status UpdateRandom(Worker& worker) {
  KeyBuffer key = worker.MakeKeyBuffer();
  ValueGenerator values(worker.value_shape, worker.random.Next());
  Budget budget(static_cast<uint64_t>(WriteCount()),
                Budget::Limit::kOperationsOrDuration);
  uint64_t found = 0;
  uint64_t updates = 0;
  PinnableSlice old_value;
  while (budget.Take(1)) {
    const Slice name = key.Make(worker.random.Below(worker.KeyCount()));
    old_value.Reset();
    Status s =
        worker.db->Get(worker.read_options, worker.db->DefaultColumnFamily(),
                       name, &old_value);
    if (s.ok()) {
      ++found;
      worker.stats.AddBytes(name.size() + old_value.size());
    } else if (!s.IsNotFound()) {
      return s;
    }
    const Slice value = values.Next();
    worker.shared->write_pacer.Wait(name.size() + value.size());
    s = PutOne(worker, name, value);
    if (!s.ok()) return s;
    ++updates;
    worker.stats.AddBytes(name.size() + value.size());
    worker.stats.Finished(1, Operation::kUpdate);
  }
  worker.stats.SetTally({"( updates:", updates, " found:", found, ")"});
  return Status::OK();
}

}  // namespace

Status WriteInBackground(Worker& worker) {
  return RunInBackground(worker, PutOne, "writes");
}

Status MergeInBackground(Worker& worker) {
  return RunInBackground(worker, MergeOne, "merges");
}

std::vector<Benchmark> MixedBenchmarks() {
  constexpr auto kWriter = Benchmark::Companion::kWriter;
  constexpr auto kMerger = Benchmark::Companion::kMerger;
  return {
      {.name = "readwhilewriting", .run = ReadRandom, .companion = kWriter},
      {.name = "readwhilemerging", .run = ReadRandom, .companion = kMerger},
      {.name = "multireadwhilewriting",
       .run = MultiReadRandom,
       .companion = kWriter},
      {.name = "seekrandomwhilewriting",
       .run = SeekRandom,
       .companion = kWriter},
      {.name = "updaterandom", .run = UpdateRandom},
  };
}

}  // namespace ROCKSDB_NAMESPACE::bench
