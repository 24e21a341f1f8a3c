// Benchmarks that only write: fill*, overwrite, delete*.

#include <algorithm>
#include <string>
#include <vector>

#include "rocksdb/write_batch.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/range_deletions.h"
#include "tools/db_bench/sine_rate.h"

DEFINE_int64(deletes, -1,
             "Deletions of each thread of the delete benchmarks. Negative: "
             "--num.");
DEFINE_double(overwrite_probability, 0.0,
              "Chance that a write of filluniquerandom overwrites a key that "
              "it wrote not long ago, from 0 to 1.");
DEFINE_uint32(overwrite_window_size, 1,
              "Keys that it wrote last, of which it takes one then.");
DEFINE_bool(sine_write_rate, false,
            "Writers of a fill share so many bytes a second as a sine says: "
            "--sine_a and its kin.");
DEFINE_uint64(sine_write_rate_interval_milliseconds, 10000,
              "How often that rate is set anew.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr uint64_t kFillBatchSize = 1000;

struct Fill {
  KeyOrder::Kind order = KeyOrder::Kind::kSequential;
  uint64_t batch_size = 1;
  bool is_synced = false;
  double skew = 0;
  uint32_t value_bytes = 0;     // 0: as the flags say
  uint64_t part_of_writes = 1;  // one in so many of what the flags say
  // The fill writes to the first hot families, makes the next ones, writes to
  // those, and so on. Only for a fresh database.
  bool makes_families = false;
};

// Only random order has no natural end, so only it runs by --duration.
Budget BudgetOf(KeyOrder::Kind order, uint64_t key_count, uint64_t writes) {
  if (order == KeyOrder::Kind::kRandom) {
    return Budget(writes, Budget::Limit::kOperationsOrDuration);
  }
  if (order == KeyOrder::Kind::kUniqueRandom) {
    return Budget(std::min(writes, key_count), Budget::Limit::kOperations);
  }
  return Budget(writes, Budget::Limit::kOperations);
}

// The numbers that filluniquerandom wrote last, to be overwritten.
class RecentNumbers {
 public:
  RecentNumbers(double probability, size_t window)
      : probability_(probability), numbers_(probability > 0 ? window : 0) {}

  // `fresh` is the next number of the order, unless an old one takes its turn.
  template <typename DrawFresh>
  uint64_t Next(Random* random, DrawFresh draw_fresh) {
    if (numbers_.empty()) return draw_fresh();
    const uint64_t known = std::min<uint64_t>(written_, numbers_.size());
    if (known > 0 && random->Fraction() < probability_) {
      return numbers_[random->Below(known)];
    }
    const uint64_t fresh = draw_fresh();
    numbers_[written_++ % numbers_.size()] = fresh;
    return fresh;
  }

 private:
  const double probability_;
  std::vector<uint64_t> numbers_;
  uint64_t written_ = 0;
};

// The order in which a thread writes to one of several databases.
struct OrderOfDatabase {
  KeyOrder numbers;
  RecentNumbers recent;
};

class Filler {
 public:
  Filler(Worker& worker, const Fill& fill)
      : worker_(worker),
        fill_(fill),
        options_(worker.write_options),
        key_(worker.MakeKeyBuffer()),
        values_(worker.value_shape, worker.random.Next()),
        deletions_(worker),
        rate_(FLAGS_sine_write_rate,
              FLAGS_sine_write_rate_interval_milliseconds) {
    options_.sync = options_.sync || fill.is_synced;
    const bool overwrites = fill.order == KeyOrder::Kind::kUniqueRandom;
    for (size_t i = 0; i < worker.targets->database_count(); ++i) {
      orders_.push_back(OrderOfDatabase{
          KeyOrder(fill.order, worker.KeyCount(), &worker.random, fill.skew),
          RecentNumbers(overwrites ? FLAGS_overwrite_probability : 0,
                        FLAGS_overwrite_window_size)});
    }
  }

  // All of one stage: so many entries to each database.
  Status Run() {
    const uint64_t writes = std::max<uint64_t>(
        static_cast<uint64_t>(WriteCount()) / fill_.part_of_writes, 1);
    Budget budget = BudgetOf(fill_.order, worker_.KeyCount() * orders_.size(),
                             writes * orders_.size());
    for (size_t database = 0; budget.Take(fill_.batch_size);) {
      if (Status s = WriteBatchTo(database); !s.ok()) return s;
      if (++database == orders_.size()) database = 0;
    }
    return Status::OK();
  }

 private:
  Status WriteBatchTo(size_t database) {
    OrderOfDatabase& order = orders_[database];
    batch_.Clear();
    uint64_t bytes = 0;
    Target target;
    for (uint64_t i = 0; i < fill_.batch_size; ++i) {
      const uint64_t number = order.recent.Next(
          &worker_.random, [&] { return order.numbers.Next(); });
      target = orders_.size() == 1 ? worker_.At(number)
                                   : worker_.targets->PickIn(database, number);
      const Slice name = key_.Make(number);
      const Slice value = fill_.value_bytes > 0
                              ? values_.Next(fill_.value_bytes)
                              : values_.Next();
      bytes += name.size() + value.size();
      if (Status s = Put(target.family, name, value); !s.ok()) return s;
    }
    rate_.Follow(&worker_.shared->write_pacer, /*noise=*/0, &worker_.random);
    worker_.shared->write_pacer.Wait(bytes);
    if (Status s = worker_.Write(target.db, options_, &batch_); !s.ok()) {
      return s;
    }
    worker_.stats.AddBytes(bytes);
    worker_.stats.Finished(fill_.batch_size, Operation::kWrite);
    return deletions_.After(fill_.batch_size);
  }

  Status Put(ColumnFamilyHandle* family, const Slice& key, const Slice& value) {
    return has_one_family_ ? batch_.Put(key, value)
                           : batch_.Put(family, key, value);
  }

  Worker& worker_;
  const Fill fill_;
  const bool has_one_family_ = FamilyCount() == 1;
  WriteOptions options_;
  KeyBuffer key_;
  ValueGenerator values_;
  RangeDeletions deletions_;
  SineRate rate_;
  std::vector<OrderOfDatabase> orders_;
  WriteBatch batch_ = worker_.MakeBatch();
};

Status RunFill(Worker& worker, const Fill& fill) {
  if (FLAGS_overwrite_probability < 0 || FLAGS_overwrite_probability > 1) {
    return Status::InvalidArgument("--overwrite_probability",
                                   "must be from 0 to 1");
  }
  const size_t stages =
      fill.makes_families
          ? (FamilyCount() + FamiliesAtFirst() - 1) / FamiliesAtFirst()
          : 1;
  Filler filler(worker, fill);
  for (size_t stage = 0; stage < stages; ++stage) {
    Status s = stage == 0 ? Status::OK()
                          : worker.targets->MakeFamilies(
                                stage, *worker.shared->options);
    if (s.ok()) s = filler.Run();
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status RunDelete(Worker& worker, KeyOrder::Kind kind) {
  const uint64_t batch_size = static_cast<uint64_t>(FLAGS_batch_size);
  const uint64_t deletes =
      static_cast<uint64_t>(FLAGS_deletes < 0 ? FLAGS_num : FLAGS_deletes);
  KeyOrder order(kind, worker.KeyCount(), &worker.random);
  KeyBuffer key = worker.MakeKeyBuffer();
  Budget budget = BudgetOf(kind, worker.KeyCount(), deletes);
  WriteBatch batch = worker.MakeBatch();
  while (budget.Take(batch_size)) {
    batch.Clear();
    const size_t database =
        worker.random.Below(worker.targets->database_count());
    Target target;
    for (uint64_t i = 0; i < batch_size; ++i) {
      const uint64_t number = order.Next();
      target = worker.targets->PickIn(database, number);
      Status s = batch.Delete(target.family, key.Make(number));
      if (!s.ok()) return s;
    }
    Status s = worker.Write(target.db, worker.write_options, &batch);
    if (!s.ok()) return s;
    worker.stats.Finished(batch_size, Operation::kDelete);
  }
  return Status::OK();
}

Fill InOrder(KeyOrder::Kind order) {
  return {.order = order,
          .batch_size = static_cast<uint64_t>(FLAGS_batch_size),
          .makes_families = true};
}

Status FillSequential(Worker& worker) {
  return RunFill(worker, InOrder(KeyOrder::Kind::kSequential));
}

Status FillRandom(Worker& worker) {
  return RunFill(worker, InOrder(KeyOrder::Kind::kRandom));
}

Status Overwrite(Worker& worker) {
  Fill fill = InOrder(KeyOrder::Kind::kRandom);
  fill.skew = FLAGS_overwrite_skew;
  fill.makes_families = false;
  return RunFill(worker, fill);
}

Status FillUniqueRandom(Worker& worker) {
  return RunFill(worker, InOrder(KeyOrder::Kind::kUniqueRandom));
}

Status FillBatch(Worker& worker) {
  return RunFill(worker, {.order = KeyOrder::Kind::kSequential,
                          .batch_size = kFillBatchSize,
                          .makes_families = true});
}

Status FillSync(Worker& worker) {
  Fill fill = InOrder(KeyOrder::Kind::kRandom);
  fill.is_synced = true;
  return RunFill(worker, fill);
}

Status Fill100K(Worker& worker) {
  Fill fill;
  fill.order = KeyOrder::Kind::kRandom;
  fill.value_bytes = 100 * 1000;
  fill.part_of_writes = 1000;
  fill.makes_families = true;
  return RunFill(worker, fill);
}

Status DeleteSequential(Worker& worker) {
  return RunDelete(worker, KeyOrder::Kind::kSequential);
}

Status DeleteRandom(Worker& worker) {
  return RunDelete(worker, KeyOrder::Kind::kRandom);
}

}  // namespace

std::vector<Benchmark> FillBenchmarks() {
  constexpr auto kFresh = Benchmark::Database::kFresh;
  return {
      {.name = "fillseq", .run = FillSequential, .database = kFresh},
      {.name = "fillbatch", .run = FillBatch, .database = kFresh},
      {.name = "fillrandom", .run = FillRandom, .database = kFresh},
      {.name = "filluniquerandom",
       .run = FillUniqueRandom,
       .database = kFresh,
       .threads = Benchmark::Threads::kOne},
      {.name = "fillsync", .run = FillSync, .database = kFresh},
      {.name = "fill100K", .run = Fill100K, .database = kFresh},
      {.name = "overwrite", .run = Overwrite},
      {.name = "deleteseq", .run = DeleteSequential},
      {.name = "deleterandom", .run = DeleteRandom},
  };
}

}  // namespace ROCKSDB_NAMESPACE::bench
