// Benchmarks of seeks, with a few entries read after each.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

// One operation makes an iterator, and lets go of it.
Status MakeIterators(Worker& worker) {
  ReadOptions options = worker.read_options;
  options.tailing = FLAGS_use_tailing_iterator;
  Budget budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
  while (budget.Take(1)) {
    const std::unique_ptr<Iterator> entry(worker.db->NewIterator(options));
    if (!entry->status().ok()) return entry->status();
    worker.stats.Finished(1, Operation::kOther);
    worker.WaitToRead(1);
  }
  return Status::OK();
}

namespace {

// Writes the key space in order, which is not measured, and then seeks each key
// of it by one iterator and steps to the next.
Status FillThenSeek(Worker& worker) {
  const uint64_t key_count = worker.KeyCount();
  KeyBuffer key = worker.MakeKeyBuffer();
  ValueGenerator values(worker.value_shape, worker.random.Next());
  for (uint64_t i = 0; i < key_count; ++i) {
    Status s = worker.db->Put(worker.write_options, key.Make(i), values.Next());
    if (!s.ok()) return s;
  }
  worker.stats.SkipWait();
  const std::unique_ptr<Iterator> entry(
      worker.db->NewIterator(worker.read_options));
  for (uint64_t i = 0; i < key_count; ++i) {
    const Slice name = key.Make(i);
    entry->Seek(name);
    if (!entry->status().ok()) return entry->status();
    if (!entry->Valid() || entry->key() != name) {
      return Status::Corruption("fillseekseq: a key that was written is lost",
                                name.ToString(/*hex=*/true));
    }
    worker.stats.Finished(1, Operation::kSeek);
    entry->Next();
    if (!entry->status().ok()) return entry->status();
    worker.stats.Finished(1, Operation::kSeek);
  }
  return Status::OK();
}

// The ranges of one scan: how many there are, and how many keys each has.
struct RangeShape {
  uint64_t key_count = 0;
  uint64_t ranges = 0;
  uint64_t width = 0;
};

RangeShape ShapeOf(const Worker& worker, uint64_t keys_a_range) {
  RangeShape shape;
  shape.key_count = worker.KeyCount();
  shape.width = std::clamp<uint64_t>(static_cast<uint64_t>(FLAGS_seek_nexts), 1,
                                     shape.key_count);
  shape.ranges = std::clamp<uint64_t>(
      static_cast<uint64_t>(FLAGS_multiscan_size), 1,
      std::max<uint64_t>(shape.key_count / std::max(keys_a_range, shape.width),
                         1));
  return shape;
}

// Draws the first key of each range, in ascending order and so far apart that
// no two ranges have a key in common.
using DrawRanges = void (*)(Random& random, const RangeShape& shape,
                            std::vector<uint64_t>* starts);

// --multiscan_stride keys apart, from a random key on.
void DrawByStride(Random& random, const RangeShape& shape,
                  std::vector<uint64_t>* starts) {
  const auto stride = static_cast<uint64_t>(FLAGS_multiscan_stride);
  const uint64_t spanned = (shape.ranges - 1) * stride + shape.width;
  uint64_t from = random.Below(shape.key_count - spanned + 1);
  for (uint64_t i = 0; i < shape.ranges; ++i, from += stride) {
    starts->push_back(from);
  }
}

// Anywhere: what the ranges leave free is parted at random.
void DrawAnywhere(Random& random, const RangeShape& shape,
                  std::vector<uint64_t>* starts) {
  const uint64_t free = shape.key_count - shape.ranges * shape.width;
  for (uint64_t i = 0; i < shape.ranges; ++i) {
    starts->push_back(random.Below(free + 1));
  }
  std::sort(starts->begin(), starts->end());
  for (uint64_t i = 0; i < shape.ranges; ++i) (*starts)[i] += i * shape.width;
}

ScanOfRanges ScanByFlags() {
  ScanOfRanges scan;
  scan.coalesce_bytes = FLAGS_multiscan_coalesce_threshold;
  scan.max_prefetch_bytes = FLAGS_multiscan_max_prefetch_size;
  scan.max_all_bytes = FLAGS_io_dispatcher_max_prefetch_memory_bytes;
  scan.is_async = FLAGS_multiscan_use_async_io;
  scan.is_reverse = FLAGS_reverse_iterator;
  return scan;
}

// One operation reads all ranges.
Status ScanDrawnRanges(Worker& worker, const RangeShape& shape,
                       DrawRanges draw) {
  ScanOfRanges scan = ScanByFlags();
  KeyBuffer key = worker.MakeKeyBuffer();
  Budget budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
  uint64_t found = 0;
  uint64_t total = 0;
  std::vector<uint64_t> starts;
  while (budget.Take(1)) {
    starts.clear();
    draw(worker.random, shape, &starts);
    scan.bounds.clear();
    for (const uint64_t from : starts) {
      std::string begin = key.Make(from).ToString();
      std::string end = key.Make(from + shape.width - 1).ToString() + '\0';
      scan.bounds.emplace_back(std::move(begin), std::move(end));
    }
    ScanCount read;
    const Status s = ScanRanges(worker.db, worker.read_options, scan, &read);
    if (!s.ok()) return s;
    found += read.entries;
    total += shape.ranges * shape.width;
    worker.stats.AddBytes(read.bytes);
    worker.stats.Finished(1, Operation::kMultiScan);
    worker.WaitToRead(1);
  }
  worker.stats.SetTally(FoundTally(found, total));
  return Status::OK();
}

Status ScanSeveralRanges(Worker& worker) {
  const auto stride = static_cast<uint64_t>(FLAGS_multiscan_stride);
  const RangeShape shape = ShapeOf(worker, stride);
  if (shape.width > stride) {
    return Status::InvalidArgument(
        "--multiscan_stride is less than --seek_nexts");
  }
  return ScanDrawnRanges(worker, shape, DrawByStride);
}

Status ScanRandomRanges(Worker& worker) {
  return ScanDrawnRanges(worker, ShapeOf(worker, 1), DrawAnywhere);
}

}  // namespace

std::vector<Benchmark> SeekBenchmarks() {
  std::vector<Benchmark> benchmarks = {
      {.name = "seekrandom", .run = SeekRandom},
      {.name = "newiterator", .run = MakeIterators},
      {.name = "fillseekseq",
       .run = FillThenSeek,
       .database = Benchmark::Database::kFresh,
       .threads = Benchmark::Threads::kOne}};
  if (CanScanRanges()) {
    benchmarks.push_back({.name = "multiscan", .run = ScanSeveralRanges});
    benchmarks.push_back({.name = "multiscanrandom", .run = ScanRandomRanges});
  }
  return benchmarks;
}

}  // namespace ROCKSDB_NAMESPACE::bench
