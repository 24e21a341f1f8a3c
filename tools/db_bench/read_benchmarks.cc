// Benchmarks that only read, key by key or from one end to the other.

#include <algorithm>
#include <memory>
#include <utility>

#include "rocksdb/iterator.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

Budget ReadBudget() {
  return Budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
}

enum class Direction { kForward, kBackward };

Status Scan(Worker& worker, Direction direction) {
  const std::unique_ptr<Iterator> entry(
      worker.db->NewIterator(worker.read_options));
  const bool is_forward = direction == Direction::kForward;
  is_forward ? entry->SeekToFirst() : entry->SeekToLast();
  Budget budget(static_cast<uint64_t>(ReadCount()), Budget::Limit::kOperations);
  while (entry->Valid() && budget.Take(1)) {
    worker.stats.AddBytes(entry->key().size() + entry->value().size());
    worker.stats.Finished(1, Operation::kRead);
    worker.WaitToRead(1);
    is_forward ? entry->Next() : entry->Prev();
  }
  return entry->status();
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
    const Slice present = key.Make(worker.random.Below(worker.KeyCount()));
    missing.assign(present.data(), present.size());
    missing += '.';
    value.Reset();
    Status s = worker.db->Get(
        worker.read_options, worker.db->DefaultColumnFamily(), missing, &value);
    if (!s.ok() && !s.IsNotFound()) return s;
    found += s.ok();
    ++total;
    worker.stats.Finished(1, Operation::kRead);
    worker.WaitToRead(1);
  }
  worker.stats.SetTally(FoundTally(found, total));
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

  void ReadIntoArrays(const Worker& worker) {
    for (PinnableSlice& value : values_) value.Reset();
    worker.db->MultiGet(worker.read_options, worker.db->DefaultColumnFamily(),
                        keys_.size(), keys_.data(), values_.data(),
                        statuses_.data());
  }

  void ReadIntoStrings(const Worker& worker) {
    statuses_ = worker.db->MultiGet(worker.read_options, keys_, &strings_);
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
  std::vector<PinnableSlice> values_;
  std::vector<std::string> strings_;
  std::vector<Status> statuses_;
};

// Random keys, or one random key and those at --multiread_stride after it.
void DrawKeys(Worker& worker, KeyBuffer& key, MultiReader& reader) {
  const uint64_t count = worker.KeyCount();
  const uint64_t stride = static_cast<uint64_t>(FLAGS_multiread_stride);
  uint64_t number = worker.random.Below(count);
  for (int64_t i = 0; i < FLAGS_batch_size; ++i) {
    reader.SetKey(static_cast<size_t>(i), key.Make(number));
    number =
        stride == 0 ? worker.random.Below(count) : (number + stride) % count;
  }
}

// Reads all there is once, so that the block cache has as much of it as it can.
Status ReadToCache(Worker& worker) {
  ReadOptions options = worker.read_options;
  options.fill_cache = true;
  const std::unique_ptr<Iterator> entry(worker.db->NewIterator(options));
  for (entry->SeekToFirst(); entry->Valid(); entry->Next()) {
    worker.stats.AddBytes(entry->key().size() + entry->value().size());
    worker.stats.Finished(1, Operation::kRead);
    worker.WaitToRead(1);
  }
  return entry->status();
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
    Status s =
        worker.db->Get(options, worker.db->DefaultColumnFamily(), name, &value);
    if (!s.ok() && !s.IsNotFound()) return s;
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
    Status s = worker.db->GetApproximateSizes(
        options, worker.db->DefaultColumnFamily(), &range, 1, &bytes);
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
    worker.db->GetApproximateMemTableStats(
        Range(first.Make(from), last.Make(to)), &entries, &bytes);
    worker.stats.Finished(1, Operation::kOther);
    worker.WaitToRead(1);
  }
  return Status::OK();
}

}  // namespace

Status ReadRandom(Worker& worker) {
  KeyBuffer key = worker.MakeKeyBuffer();
  ColumnFamilyHandle* const family = worker.db->DefaultColumnFamily();
  const uint64_t key_count = worker.KeyCount();
  Budget budget = ReadBudget();
  uint64_t found = 0;
  uint64_t total = 0;
  PinnableSlice value;
  while (budget.Take(1)) {
    const Slice name = key.Make(worker.random.Below(key_count));
    value.Reset();
    Status s = worker.db->Get(worker.read_options, family, name, &value);
    if (s.ok()) {
      ++found;
      worker.stats.AddBytes(name.size() + value.size());
    } else if (!s.IsNotFound()) {
      return s;
    }
    ++total;
    worker.stats.Finished(1, Operation::kRead);
    worker.WaitToRead(1);
  }
  worker.stats.SetTally(FoundTally(found, total));
  return Status::OK();
}

Status MultiReadRandom(Worker& worker) {
  const uint64_t batch_size = static_cast<uint64_t>(FLAGS_batch_size);
  KeyBuffer key = worker.MakeKeyBuffer();
  MultiReader reader(batch_size);
  Budget budget = ReadBudget();
  uint64_t found = 0;
  uint64_t total = 0;
  while (budget.Take(batch_size)) {
    DrawKeys(worker, key, reader);
    if (FLAGS_multiread_batched) {
      reader.ReadIntoArrays(worker);
    } else {
      reader.ReadIntoStrings(worker);
    }
    for (size_t i = 0; i < batch_size; ++i) {
      const Status& s = reader.status(i);
      if (!s.ok() && !s.IsNotFound()) return s;
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
      {.name = "readmissing", .run = ReadMissing},
      {.name = "multireadrandom", .run = MultiReadRandom},
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
