// Benchmarks of seeks, with a few entries read after each.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/iterator.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/engine.h"
#include "tools/db_bench/flags.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// Reads up to --seek_nexts entries from where the iterator stands; returns
// how many bytes they have.
uint64_t ReadEntries(Iterator* entry) {
  uint64_t bytes = 0;
  for (int32_t i = 0; i < FLAGS_seek_nexts && entry->Valid(); ++i) {
    bytes += entry->key().size() + entry->value().size();
    FLAGS_reverse_iterator ? entry->Prev() : entry->Next();
  }
  return bytes;
}

}  // namespace

// Each seek has an iterator of its own, as a range query of an application
// has, except that a tailing one is made to be kept.
Status SeekRandom(Worker& worker) {
  ReadOptions options = worker.read_options;
  options.tailing = FLAGS_use_tailing_iterator;
  KeyBuffer key = worker.MakeKeyBuffer();
  const uint64_t key_count = worker.KeyCount();
  Budget budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
  uint64_t found = 0;
  uint64_t total = 0;
  std::unique_ptr<Iterator> entry;
  while (budget.Take(1)) {
    if (entry == nullptr || !options.tailing) {
      entry.reset();
      entry.reset(worker.db->NewIterator(options));
    }
    const Slice name = key.Make(worker.random.Below(key_count));
    FLAGS_reverse_iterator ? entry->SeekForPrev(name) : entry->Seek(name);
    found += entry->Valid() && entry->key() == name;
    ++total;
    worker.stats.AddBytes(ReadEntries(entry.get()));
    if (!entry->status().ok()) return entry->status();
    worker.stats.Finished(1, Operation::kSeek);
    worker.WaitToRead(1);
  }
  worker.stats.SetTally(FoundTally(found, total));
  return Status::OK();
}

// One operation reads --multiscan_size ranges of --seek_nexts keys, but at
// least one, from a random key on; fewer where there are not so many keys.
Status ScanSeveralRanges(Worker& worker) {
  const uint64_t key_count = worker.KeyCount();
  const auto stride = static_cast<uint64_t>(FLAGS_multiscan_stride);
  const uint64_t count =
      std::clamp<uint64_t>(static_cast<uint64_t>(FLAGS_multiscan_size), 1,
                           std::max<uint64_t>(key_count / stride, 1));
  const uint64_t width = std::clamp<uint64_t>(
      static_cast<uint64_t>(FLAGS_seek_nexts), 1, key_count);
  if (width > stride) {
    return Status::InvalidArgument(
        "--multiscan_stride is less than --seek_nexts");
  }
  ScanOfRanges scan;
  scan.coalesce_bytes = FLAGS_multiscan_coalesce_threshold;
  scan.max_prefetch_bytes = FLAGS_multiscan_max_prefetch_size;
  scan.is_async = FLAGS_multiscan_use_async_io;
  scan.is_reverse = FLAGS_reverse_iterator;
  const uint64_t starts = key_count - ((count - 1) * stride + width) + 1;
  KeyBuffer key = worker.MakeKeyBuffer();
  Budget budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
  uint64_t found = 0;
  uint64_t total = 0;
  while (budget.Take(1)) {
    uint64_t from = worker.random.Below(starts);
    scan.bounds.clear();
    for (uint64_t i = 0; i < count; ++i, from += stride) {
      std::string begin = key.Make(from).ToString();
      std::string end = key.Make(from + width - 1).ToString() + '\0';
      scan.bounds.emplace_back(std::move(begin), std::move(end));
    }
    ScanCount read;
    const Status s = ScanRanges(worker.db, worker.read_options, scan, &read);
    if (!s.ok()) return s;
    found += read.entries;
    total += count * width;
    worker.stats.AddBytes(read.bytes);
    worker.stats.Finished(1, Operation::kMultiScan);
    worker.WaitToRead(1);
  }
  worker.stats.SetTally(FoundTally(found, total));
  return Status::OK();
}

std::vector<Benchmark> SeekBenchmarks() {
  std::vector<Benchmark> benchmarks = {
      {.name = "seekrandom", .run = SeekRandom}};
  if (CanScanRanges()) {
    benchmarks.push_back({.name = "multiscan", .run = ScanSeveralRanges});
  }
  return benchmarks;
}

}  // namespace ROCKSDB_NAMESPACE::bench
