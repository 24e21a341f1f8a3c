// Benchmarks that only read, key by key or from one end to the other.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/iterator.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/read_numbers.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

Budget ReadBudget() {
  return Budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
}

enum class Direction { kForward, kBackward };

Status ScanOne(Worker& worker, const Target& target, Direction direction,
               Budget* budget) {
  const Cursor entry(worker, target, worker.read_options);
  const bool is_forward = direction == Direction::kForward;
  is_forward ? entry->SeekToFirst() : entry->SeekToLast();
  while (entry->Valid() && budget->Take(1)) {
    worker.stats.AddBytes(entry->key().size() + entry->value().size());
    worker.stats.Finished(1, Operation::kRead);
    worker.WaitToRead(1);
    is_forward ? entry->Next() : entry->Prev();
  }
  return worker.EndsWith(entry->status()) ? entry->status() : Status::OK();
}

// Scans each family of each database in turn, up to ReadCount() entries in all.
Status Scan(Worker& worker, Direction direction) {
  Budget budget(static_cast<uint64_t>(ReadCount()), Budget::Limit::kOperations);
  for (const Target& target : worker.targets->All()) {
    Status s = ScanOne(worker, target, direction, &budget);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status ReadSequential(Worker& worker) {
  return Scan(worker, Direction::kForward);
}

Status ReadReverse(Worker& worker) {
  return Scan(worker, Direction::kBackward);
}

// A key that is in no database lies between two that may be: it is one of
// those with a byte more.
Status ReadMissing(Worker& worker) {
  KeyBuffer key = worker.MakeKeyBuffer();
  Budget budget = ReadBudget();
  uint64_t found = 0;
  uint64_t total = 0;
  PinnableSlice value;
  std::string missing;
  while (budget.Take(1)) {
    const uint64_t number = worker.random.Below(worker.KeyCount());
    const Slice present = key.Make(number);
    missing.assign(present.data(), present.size());
    missing += '.';
    value.Reset();
    const Target target = worker.At(number);
    Status s =
        target.db->Get(worker.ReadsNow(), target.family, missing, &value);
    if (worker.EndsWith(s)) return s;
    found += s.ok();
    ++total;
    worker.stats.Finished(1, Operation::kRead);
    worker.WaitToRead(1);
  }
  worker.stats.SetTally(FoundTallyAndGap(found, total));
  return Status::OK();
}

// The keys and the answers of one MultiGet, in the form that each of its two
// interfaces takes.
class MultiReader {
 public:
  explicit MultiReader(size_t size)
      : names_(size), keys_(size), values_(size), statuses_(size) {}

  void SetKey(size_t index, const Slice& key) {
    names_[index].assign(key.data(), key.size());
    keys_[index] = names_[index];
  }

  void ReadIntoArrays(Worker& worker, const Target& target) {
    for (PinnableSlice& value : values_) value.Reset();
    target.db->MultiGet(worker.ReadsNow(), target.family, keys_.size(),
                        keys_.data(), values_.data(), statuses_.data());
  }

  void ReadIntoStrings(Worker& worker, const Target& target) {
    families_.assign(keys_.size(), target.family);
    statuses_ =
        target.db->MultiGet(worker.ReadsNow(), families_, keys_, &strings_);
  }

  // The bytes of key `index` and of its value; its status says if it is there.
  const Status& status(size_t index) const { return statuses_[index]; }
  size_t Bytes(size_t index) const {
    return keys_[index].size() +
           (strings_.empty() ? values_[index].size() : strings_[index].size());
  }

 private:
  std::vector<std::string> names_;
  std::vector<Slice> keys_;
  std::vector<ColumnFamilyHandle*> families_;
  std::vector<PinnableSlice> values_;
  std::vector<std::string> strings_;
  std::vector<Status> statuses_;
};

// Random keys, or one random key and those at --multiread_stride after it; all
// from where the first one is.
Target DrawKeys(Worker& worker, ReadNumbers& numbers, KeyBuffer& key,
                MultiReader& reader) {
  const uint64_t count = worker.KeyCount();
  const uint64_t stride = static_cast<uint64_t>(FLAGS_multiread_stride);
  uint64_t number = numbers.Draw();
  const Target target = worker.At(number);
  for (int64_t i = 0; i < FLAGS_batch_size; ++i) {
    reader.SetKey(static_cast<size_t>(i), key.Make(number));
    number = stride == 0 ? numbers.Draw() : (number + stride) % count;
  }
  return target;
}

// Reads all there is once, so that the block cache has as much of it as it can.
Status ReadToCache(Worker& worker) {
  ReadOptions options = worker.read_options;
  options.fill_cache = true;
  for (const Target& target : worker.targets->All()) {
    const Cursor entry(worker, target, options);
    for (entry->SeekToFirst(); entry->Valid(); entry->Next()) {
      worker.stats.AddBytes(entry->key().size() + entry->value().size());
      worker.stats.Finished(1, Operation::kRead);
      worker.WaitToRead(1);
    }
    if (worker.EndsWith(entry->status())) return entry->status();
  }
  return Status::OK();
}

// Looks up each key of the key space once: lookups alone fill the row cache.
Status ReadToRowCache(Worker& worker) {
  KeyBuffer key = worker.MakeKeyBuffer();
  ReadOptions options = worker.read_options;
  options.fill_cache = true;
  uint64_t found = 0;
  PinnableSlice value;
  for (uint64_t i = 0; i < worker.KeyCount(); ++i) {
    const Slice name = key.Make(i);
    value.Reset();
    worker.StampReads(&options);
    const Target target = worker.At(i);
    Status s = target.db->Get(options, target.family, name, &value);
    if (worker.EndsWith(s)) return s;
    found += s.ok();
    if (s.ok()) worker.stats.AddBytes(name.size() + value.size());
    worker.stats.Finished(1, Operation::kRead);
    worker.WaitToRead(1);
  }
  worker.stats.SetTally(FoundTally(found, worker.KeyCount()));
  return Status::OK();
}

// Asks how large the tables' part of a random range of keys is.
Status ApproximateSizes(Worker& worker) {
  KeyBuffer first = worker.MakeKeyBuffer();
  KeyBuffer last = worker.MakeKeyBuffer();
  SizeApproximationOptions options;
  options.include_files = true;
  options.include_memtables = true;
  Budget budget = ReadBudget();
  while (budget.Take(1)) {
    uint64_t from = worker.random.Below(worker.KeyCount());
    uint64_t to = worker.random.Below(worker.KeyCount());
    if (from > to) std::swap(from, to);
    const Range range(first.Make(from), last.Make(to));
    uint64_t bytes = 0;
    const Target target = worker.At(from);
    Status s = target.db->GetApproximateSizes(options, target.family, &range, 1,
                                              &bytes);
    if (!s.ok()) return s;
    worker.stats.Finished(1, Operation::kOther);
    worker.WaitToRead(1);
  }
  return Status::OK();
}

// The same of memtables: how many entries, and how large they are.
Status ApproximateMemTables(Worker& worker) {
  KeyBuffer first = worker.MakeKeyBuffer();
  KeyBuffer last = worker.MakeKeyBuffer();
  Budget budget = ReadBudget();
  while (budget.Take(1)) {
    uint64_t from = worker.random.Below(worker.KeyCount());
    uint64_t to = worker.random.Below(worker.KeyCount());
    if (from > to) std::swap(from, to);
    uint64_t entries = 0;
    uint64_t bytes = 0;
    const Target target = worker.At(from);
    target.db->GetApproximateMemTableStats(
        target.family, Range(first.Make(from), last.Make(to)), &entries,
        &bytes);
    worker.stats.Finished(1, Operation::kOther);
    worker.WaitToRead(1);
  }
  return Status::OK();
}

}  // namespace

namespace {

// So many lookups in a row of keys whose numbers are drawn below a power of
// two, which costs less than any other limit; the keys above --num are missing.
Status ReadRandomFast(Worker& worker) {
  constexpr uint64_t kLookupsEach = 100;
  const uint64_t count = worker.KeyCount();
  uint64_t mask = 1;
  while (mask < count) mask <<= 1;
  --mask;
  KeyBuffer key = worker.MakeKeyBuffer();
  Budget budget = ReadBudget();
  uint64_t found = 0;
  uint64_t total = 0;
  uint64_t missing = 0;
  PinnableSlice value;
  while (budget.Take(kLookupsEach)) {
    for (uint64_t i = 0; i < kLookupsEach; ++i) {
      const uint64_t number = worker.random.Next() & mask;
      // Existing keys have numbers below their count alone.
      const bool is_missing = number >= count;
      const Slice name =
          key.Make(is_missing && worker.existing_keys != nullptr ? 0 : number);
      value.Reset();
      const Target target = worker.At(number);
      Status s = target.db->Get(worker.ReadsNow(), target.family, name, &value);
      if (worker.EndsWith(s)) return s;
      found += s.ok();
      missing += is_missing;
    }
    total += kLookupsEach;
    worker.stats.Finished(kLookupsEach, Operation::kRead);
    worker.WaitToRead(kLookupsEach);
  }
  worker.stats.SetMessage("(" + std::to_string(found) + " of " +
                          std::to_string(total) + " found, issued " +
                          std::to_string(missing) + " non-exist keys)");
  return Status::OK();
}

Status ReadRandomOf(Worker& worker, uint64_t reads) {
  KeyBuffer key = worker.MakeKeyBuffer();
  ReadNumbers numbers(worker);
  Budget budget(reads, Budget::Limit::kOperationsOrDuration);
  uint64_t found = 0;
  uint64_t total = 0;
  PinnableSlice value;
  while (budget.Take(1)) {
    const uint64_t number = numbers.Draw();
    const Slice name = key.Make(number);
    value.Reset();
    const Target target = worker.At(number);
    Status s = target.db->Get(worker.ReadsNow(), target.family, name, &value);
    if (s.ok()) {
      ++found;
      worker.stats.AddBytes(name.size() + value.size());
    } else if (worker.EndsWith(s)) {
      return s;
    }
    ++total;
    worker.stats.Finished(1, Operation::kRead);
    worker.WaitToRead(1);
  }
  worker.stats.SetTally(FoundTallyAndGap(found, total));
  return Status::OK();
}

// A thousandth of the reads, as a look at them.
Status ReadRandomSmall(Worker& worker) {
  return ReadRandomOf(
      worker, std::max<uint64_t>(static_cast<uint64_t>(ReadCount()) / 1000, 1));
}

}  // namespace

Status ReadRandom(Worker& worker) {
  return ReadRandomOf(worker, static_cast<uint64_t>(ReadCount()));
}

Status MultiReadRandom(Worker& worker) {
  const uint64_t batch_size = static_cast<uint64_t>(FLAGS_batch_size);
  KeyBuffer key = worker.MakeKeyBuffer();
  ReadNumbers numbers(worker);
  MultiReader reader(batch_size);
  Budget budget = ReadBudget();
  uint64_t found = 0;
  uint64_t total = 0;
  while (budget.Take(batch_size)) {
    const Target target = DrawKeys(worker, numbers, key, reader);
    if (FLAGS_multiread_batched) {
      reader.ReadIntoArrays(worker, target);
    } else {
      reader.ReadIntoStrings(worker, target);
    }
    for (size_t i = 0; i < batch_size; ++i) {
      const Status& s = reader.status(i);
      if (worker.EndsWith(s)) return s;
      found += s.ok();
      if (s.ok()) worker.stats.AddBytes(reader.Bytes(i));
    }
    total += batch_size;
    worker.stats.Finished(batch_size, Operation::kRead);
    worker.WaitToRead(batch_size);
  }
  worker.stats.SetTally(FoundTally(found, total));
  return Status::OK();
}

std::vector<Benchmark> ReadBenchmarks() {
  return {
      {.name = "readseq", .run = ReadSequential},
      {.name = "readreverse", .run = ReadReverse},
      {.name = "readrandom", .run = ReadRandom},
      {.name = "readrandomsmall", .run = ReadRandomSmall},
      {.name = "readrandomfast", .run = ReadRandomFast},
      {.name = "readmissing", .run = ReadMissing},
      {.name = "multireadrandom", .run = MultiReadRandom},
      {.name = "readrandomcoroutine",
       .run = ReadRandom,
       .needs = Benchmark::Needs::kCoroutines},
      {.name = "multireadrandomcoroutine",
       .run = MultiReadRandom,
       .needs = Benchmark::Needs::kCoroutines},
      {.name = "readtocache",
       .run = ReadToCache,
       .threads = Benchmark::Threads::kOne},
      {.name = "readtorowcache",
       .run = ReadToRowCache,
       .threads = Benchmark::Threads::kOne},
      {.name = "approximatesizerandom", .run = ApproximateSizes},
      {.name = "approximatememtablestats", .run = ApproximateMemTables},
  };
}

}  // namespace ROCKSDB_NAMESPACE::bench
