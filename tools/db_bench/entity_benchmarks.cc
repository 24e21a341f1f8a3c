// Lookups of wide-column entities. A plain value is one, of one column.

#include <string>
#include <vector>

#include "rocksdb/wide_columns.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/newer_calls.h"
#include "tools/db_bench/read_numbers.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

Budget EntityBudget() {
  return Budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
}

uint64_t BytesOf(const PinnableWideColumns& entity) {
  uint64_t bytes = 0;
  for (const WideColumn& column : entity.columns()) {
    bytes += column.name().size() + column.value().size();
  }
  return bytes;
}

Status ReadRandomEntities(Worker& worker) {
  KeyBuffer key = worker.MakeKeyBuffer();
  ReadNumbers numbers(worker);
  Budget budget = EntityBudget();
  uint64_t found = 0;
  uint64_t total = 0;
  PinnableWideColumns entity;
  while (budget.Take(1)) {
    const uint64_t number = numbers.Draw();
    const Slice name = key.Make(number);
    const Target target = worker.At(number);
    entity.Reset();
    Status s =
        target.db->GetEntity(worker.ReadsNow(), target.family, name, &entity);
    if (worker.EndsWith(s)) return s;
    if (s.ok()) worker.stats.AddBytes(name.size() + BytesOf(entity));
    found += s.ok();
    ++total;
    worker.stats.Finished(1, Operation::kRead);
    worker.WaitToRead(1);
  }
  worker.stats.SetTally(FoundTally(found, total));
  return Status::OK();
}

Status MultiReadEntities(Worker& worker) {
  const auto batch_size = static_cast<size_t>(FLAGS_batch_size);
  KeyBuffer key = worker.MakeKeyBuffer();
  ReadNumbers numbers(worker);
  Budget budget = EntityBudget();
  uint64_t found = 0;
  uint64_t total = 0;
  std::vector<std::string> names(batch_size);
  std::vector<Slice> keys(batch_size);
  std::vector<PinnableWideColumns> entities(batch_size);
  std::vector<Status> statuses(batch_size);
  while (budget.Take(batch_size)) {
    Target target;
    for (size_t i = 0; i < batch_size; ++i) {
      const uint64_t number = numbers.Draw();
      if (i == 0) target = worker.At(number);
      names[i] = key.Make(number).ToString();
      keys[i] = names[i];
      entities[i].Reset();
    }
    Status s =
        MultiGetEntities(target, worker.ReadsNow(), keys, &entities, &statuses);
    if (!s.ok()) return s;
    for (size_t i = 0; i < batch_size; ++i) {
      if (worker.EndsWith(statuses[i])) return statuses[i];
      if (!statuses[i].ok()) continue;
      ++found;
      worker.stats.AddBytes(keys[i].size() + BytesOf(entities[i]));
    }
    total += batch_size;
    worker.stats.Finished(batch_size, Operation::kRead);
    worker.WaitToRead(batch_size);
  }
  worker.stats.SetTally(FoundTally(found, total));
  return Status::OK();
}

}  // namespace

std::vector<Benchmark> EntityBenchmarks() {
  return {
      {.name = "readrandomentity", .run = ReadRandomEntities},
      {.name = "multireadentity", .run = MultiReadEntities},
  };
}

}  // namespace ROCKSDB_NAMESPACE::bench
