// Benchmarks that read while a background thread writes, merges or scans.

#include <chrono>
#include <cstdio>
#include <memory>

#include "rocksdb/iterator.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/format.h"
#include "tools/db_bench/sine_rate.h"

DEFINE_bool(finish_after_writes, false,
            "The background writer ends after --writes writes, even if the "
            "readers have not.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

using Write = Status (*)(Worker& worker, const Target& target, const Slice& key,
                         const Slice& value);

Status PutOne(Worker& worker, const Target& target, const Slice& key,
              const Slice& value) {
  return worker.Put(target, key, value);
}

Status MergeOne(Worker& worker, const Target& target, const Slice& key,
                const Slice& value) {
  return worker.Merge(target, key, value);
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
  SineRate rate(FLAGS_sine_write_rate,
                FLAGS_sine_write_rate_interval_milliseconds);
  const uint64_t most_writes = FLAGS_finish_after_writes
                                   ? static_cast<uint64_t>(WriteCount())
                                   : UINT64_MAX;
  // Once at least: readers of little may be done before this thread begins.
  do {
    const uint64_t number = worker.random.Below(key_count);
    const Slice name = key.Make(number);
    const Slice value = values.Next();
    rate.Follow(&worker.shared->write_pacer, /*noise=*/0, &worker.random);
    worker.shared->write_pacer.Wait(name.size() + value.size());
    Status s = write(worker, worker.At(number), name, value);
    if (!s.ok()) return s;
    ++writes;
  } while (worker.shared->measured_threads.load() > 0 && writes < most_writes);
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  PrintBackground(what, writes, elapsed.count());
  return Status::OK();
}

// Reads all there is, from the first key on. It ends in the middle, once the
// measured threads have.
Status ScanAll(Worker& worker, const Target& target, uint64_t* entries) {
  constexpr uint64_t kEntriesBetweenLooks = 256;
  ReadOptions options = worker.read_options;
  options.total_order_seek = true;
  options.prefix_same_as_start = false;
  const Cursor entry(worker, target, options);
  for (entry->SeekToFirst(); entry->Valid(); entry->Next()) {
    if (++*entries % kEntriesBetweenLooks == 0 &&
        worker.shared->measured_threads.load() == 0) {
      break;
    }
  }
  return entry->status();
}

}  // namespace

Status WriteInBackground(Worker& worker) {
  return RunInBackground(worker, PutOne, "writes");
}

Status MergeInBackground(Worker& worker) {
  return RunInBackground(worker, MergeOne, "merges");
}

Status ScanInBackground(Worker& worker) {
  uint64_t entries = 0;
  do {
    for (const Target& target : worker.targets->All()) {
      if (Status s = ScanAll(worker, target, &entries); !s.ok()) return s;
    }
  } while (worker.shared->measured_threads.load() > 0);
  fprintf(stderr, "background thread: %llu entries read\n", Printable(entries));
  return Status::OK();
}

std::vector<Benchmark> MixedBenchmarks() {
  constexpr auto kWriter = Benchmark::Companion::kWriter;
  constexpr auto kMerger = Benchmark::Companion::kMerger;
  constexpr auto kMergeOperator = Benchmark::Needs::kMergeOperator;
  return {
      {.name = "readwhilewriting", .run = ReadRandom, .companion = kWriter},
      {.name = "readwhilemerging",
       .run = ReadRandom,
       .companion = kMerger,
       .needs = kMergeOperator},
      {.name = "readwhilescanning",
       .run = ReadRandom,
       .companion = Benchmark::Companion::kScanner},
      {.name = "multireadwhilewriting",
       .run = MultiReadRandom,
       .companion = kWriter},
      {.name = "seekrandomwhilewriting",
       .run = SeekRandom,
       .companion = kWriter},
      {.name = "seekrandomwhilemerging",
       .run = SeekRandom,
       .companion = kMerger,
       .needs = kMergeOperator},
      {.name = "newiteratorwhilewriting",
       .run = MakeIterators,
       .companion = kWriter},
  };
}

}  // namespace ROCKSDB_NAMESPACE::bench
