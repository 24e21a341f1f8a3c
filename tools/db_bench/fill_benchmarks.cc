// Benchmarks that only write: fill*, overwrite, delete*.

#include <algorithm>

#include "rocksdb/write_batch.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"

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
};

// Only random order has no natural end, so only it runs by --duration.
Budget BudgetOf(KeyOrder::Kind order, uint64_t key_count, uint64_t part = 1) {
  const uint64_t writes =
      std::max<uint64_t>(static_cast<uint64_t>(WriteCount()) / part, 1);
  if (order == KeyOrder::Kind::kRandom) {
    return Budget(writes, Budget::Limit::kOperationsOrDuration);
  }
  if (order == KeyOrder::Kind::kUniqueRandom) {
    return Budget(std::min(writes, key_count), Budget::Limit::kOperations);
  }
  return Budget(writes, Budget::Limit::kOperations);
}

Status RunFill(Worker& worker, const Fill& fill) {
  WriteOptions options = worker.write_options;
  options.sync = options.sync || fill.is_synced;
  KeyOrder order(fill.order, worker.KeyCount(), &worker.random, fill.skew);
  KeyBuffer key = worker.MakeKeyBuffer();
  ValueGenerator values(worker.value_shape, worker.random.Next());
  Budget budget = BudgetOf(fill.order, worker.KeyCount(), fill.part_of_writes);
  WriteBatch batch;
  while (budget.Take(fill.batch_size)) {
    batch.Clear();
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < fill.batch_size; ++i) {
      const Slice name = key.Make(order.Next());
      const Slice value =
          fill.value_bytes > 0 ? values.Next(fill.value_bytes) : values.Next();
      bytes += name.size() + value.size();
      if (Status s = batch.Put(name, value); !s.ok()) return s;
    }
    worker.shared->write_pacer.Wait(bytes);
    if (Status s = worker.db->Write(options, &batch); !s.ok()) return s;
    worker.stats.AddBytes(bytes);
    worker.stats.Finished(fill.batch_size, Operation::kWrite);
  }
  return Status::OK();
}

Status RunDelete(Worker& worker, KeyOrder::Kind kind) {
  const uint64_t batch_size = static_cast<uint64_t>(FLAGS_batch_size);
  KeyOrder order(kind, worker.KeyCount(), &worker.random);
  KeyBuffer key = worker.MakeKeyBuffer();
  Budget budget = BudgetOf(kind, worker.KeyCount());
  WriteBatch batch;
  while (budget.Take(batch_size)) {
    batch.Clear();
    for (uint64_t i = 0; i < batch_size; ++i) {
      if (Status s = batch.Delete(key.Make(order.Next())); !s.ok()) return s;
    }
    Status s = worker.db->Write(worker.write_options, &batch);
    if (!s.ok()) return s;
    worker.stats.Finished(batch_size, Operation::kDelete);
  }
  return Status::OK();
}

Fill InOrder(KeyOrder::Kind order) {
  return {.order = order,
          .batch_size = static_cast<uint64_t>(FLAGS_batch_size)};
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
  return RunFill(worker, fill);
}

Status FillUniqueRandom(Worker& worker) {
  return RunFill(worker, InOrder(KeyOrder::Kind::kUniqueRandom));
}

Status FillBatch(Worker& worker) {
  return RunFill(worker, {.order = KeyOrder::Kind::kSequential,
                          .batch_size = kFillBatchSize});
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
