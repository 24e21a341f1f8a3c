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

DEFINE_int64(max_scan_distance, 0,
             "Iterators of seeks are bounded so many keys from what they seek, "
             "in their direction. 0: they are not.");
DEFINE_bool(seek_missing_prefix, false,
            "Seek keys whose prefix no key has. Needs --prefix_size above 8.");
DEFINE_int32(seek_nexts_to_delete, 0,
             "Entries behind those read after each seek that are deleted.");
DEFINE_bool(use_multiscan, true,
            "multiscan and multiscanrandom tell the engine of all ranges at "
            "once; else an iterator reads one after the other.");

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

namespace {

// One seek after another, as the flags shape them.
class Seeker {
 public:
  explicit Seeker(Worker& worker)
      : worker_(worker),
        key_(worker.MakeKeyBuffer()),
        bound_(worker.MakeKeyBuffer()),
        options_(worker.read_options) {
    options_.tailing = FLAGS_use_tailing_iterator;
    // A tailing iterator is made to be kept, but keeps its bound, too.
    is_kept_ = options_.tailing && FLAGS_max_scan_distance == 0 &&
               worker.targets->All().size() == 1;
  }

  // Each seek has an iterator of its own, as a range query of an application
  // has, unless it is one to be kept.
  Status SeekOne(bool* is_found) {
    const uint64_t number = worker_.random.Below(worker_.KeyCount());
    const Target target = worker_.At(number);
    if (cursor_ == nullptr || !is_kept_) {
      SetBound(number);
      cursor_.reset();
      cursor_ = std::make_unique<Cursor>(worker_, target, options_);
    }
    name_ = key_.Make(number).ToString();
    if (FLAGS_seek_missing_prefix) {
      // Behind the number a key is filled up with zeros.
      name_[static_cast<size_t>(FLAGS_prefix_size) - 1] = '1';
    }
    Iterator* const entry = cursor_->get();
    FLAGS_reverse_iterator ? entry->SeekForPrev(name_) : entry->Seek(name_);
    *is_found = entry->Valid() && entry->key() == name_;
    worker_.stats.AddBytes(ReadEntries(entry));
    if (Status s = DeleteEntries(target, entry); !s.ok()) return s;
    return entry->status();
  }

 private:
  void SetBound(uint64_t number) {
    if (FLAGS_max_scan_distance == 0) return;
    const auto distance = static_cast<uint64_t>(FLAGS_max_scan_distance);
    if (FLAGS_reverse_iterator) {
      bound_name_ = bound_.Make(number - std::min(number, distance)).ToString();
      bound_slice_ = bound_name_;
      options_.iterate_lower_bound = &bound_slice_;
      return;
    }
    const uint64_t last = worker_.KeyCount() - 1;
    bound_name_ = bound_.Make(std::min(number + distance, last)).ToString();
    bound_slice_ = bound_name_;
    options_.iterate_upper_bound =
        number + distance <= last ? &bound_slice_ : nullptr;
  }

  Status DeleteEntries(const Target& target, Iterator* entry) {
    for (int32_t i = 0; i < FLAGS_seek_nexts_to_delete && entry->Valid(); ++i) {
      Status s = worker_.Delete(target, entry->key());
      if (!s.ok()) return s;
      FLAGS_reverse_iterator ? entry->Prev() : entry->Next();
    }
    return Status::OK();
  }

  Worker& worker_;
  KeyBuffer key_;
  KeyBuffer bound_;
  ReadOptions options_;
  bool is_kept_ = false;
  std::string name_;
  std::string bound_name_;
  Slice bound_slice_;
  std::unique_ptr<Cursor> cursor_;
};

}  // namespace

Status SeekRandom(Worker& worker) {
  if (FLAGS_seek_missing_prefix &&
      (FLAGS_prefix_size <= 8 || worker.existing_keys != nullptr)) {
    return Status::InvalidArgument(
        "--seek_missing_prefix",
        "needs --prefix_size above 8, and no --use_existing_keys");
  }
  Seeker seeker(worker);
  Budget budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
  uint64_t found = 0;
  uint64_t total = 0;
  while (budget.Take(1)) {
    bool is_found = false;
    if (Status s = seeker.SeekOne(&is_found); worker.EndsWith(s)) return s;
    found += is_found;
    ++total;
    worker.stats.Finished(1, Operation::kSeek);
    worker.WaitToRead(1);
  }
  worker.stats.SetTally(FoundTallyAndGap(found, total));
  return Status::OK();
}

// One operation makes an iterator, and lets go of it.
Status MakeIterators(Worker& worker) {
  ReadOptions options = worker.read_options;
  options.tailing = FLAGS_use_tailing_iterator;
  Budget budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
  while (budget.Take(1)) {
    const Cursor entry(worker, worker.At(budget.done()), options);
    if (worker.EndsWith(entry->status())) return entry->status();
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
  const Target first = worker.targets->All().front();
  KeyBuffer key = worker.MakeKeyBuffer();
  ValueGenerator values(worker.value_shape, worker.random.Next());
  for (uint64_t i = 0; i < key_count; ++i) {
    Status s = worker.Put(first, key.Make(i), values.Next());
    if (!s.ok()) return s;
  }
  worker.stats.SkipWait();
  const Cursor entry(worker, first, worker.read_options);
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

// What ScanRanges() does, without the engine's help.
Status ReadRangesInTurn(Worker& worker, const Target& target,
                        const ScanOfRanges& scan, ScanCount* count) {
  for (const auto& [from, to] : scan.bounds) {
    const Slice lower(from);
    const Slice upper(to);
    ReadOptions options = worker.read_options;
    options.iterate_lower_bound = &lower;
    options.iterate_upper_bound = &upper;
    const Cursor entry(worker, target, options);
    scan.is_reverse ? entry->SeekToLast() : entry->Seek(lower);
    while (entry->Valid()) {
      ++count->entries;
      count->bytes += entry->key().size() + entry->value().size();
      scan.is_reverse ? entry->Prev() : entry->Next();
    }
    if (!entry->status().ok()) return entry->status();
  }
  return Status::OK();
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
    const Target target = worker.At(starts.front());
    const Status s = FLAGS_use_multiscan
                         ? ScanRanges(target.db, target.family,
                                      worker.ReadsNow(), scan, &read)
                         : ReadRangesInTurn(worker, target, scan, &read);
    if (worker.EndsWith(s)) return s;
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
  return {{.name = "seekrandom", .run = SeekRandom},
          {.name = "newiterator", .run = MakeIterators},
          {.name = "fillseekseq",
           .run = FillThenSeek,
           .database = Benchmark::Database::kFresh,
           .threads = Benchmark::Threads::kOne},
          {.name = "multiscan", .run = ScanSeveralRanges},
          {.name = "multiscanrandom", .run = ScanRandomRanges}};
}

}  // namespace ROCKSDB_NAMESPACE::bench
