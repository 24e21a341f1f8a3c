// fillanddeleteuniquerandom: some of what is written is deleted a while after,
// some stays.

#include <algorithm>
#include <chrono>
#include <deque>
#include <utility>
#include <vector>

#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"

DEFINE_uint64(disposable_entries_batch_size, 0,
              "Entries of fillanddeleteuniquerandom that are written in a row "
              "to be deleted later. 0: all stay, as with filluniquerandom.");
DEFINE_int32(disposable_entries_value_size, 64, "Bytes of their values.");
DEFINE_uint64(disposable_entries_delete_delay, 0,
              "Microseconds from the last of such a row to its deletion, at "
              "least.");
DEFINE_uint64(persistent_entries_batch_size, 0,
              "Entries that stay, written behind each such row.");
DEFINE_int32(persistent_entries_value_size, 64, "Bytes of their values.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// Rows that wait for their deletion, the oldest first.
class DisposedRows {
 public:
  explicit DisposedRows(Worker& worker)
      : worker_(worker), key_(worker.MakeKeyBuffer()) {}

  void Add(std::vector<uint64_t> row) {
    if (row.empty()) return;
    rows_.push_back({Clock::now() + std::chrono::microseconds(
                                        FLAGS_disposable_entries_delete_delay),
                     std::move(row)});
  }

  // Deletes the rows whose time has come; `all`: those whose time has not, too.
  Status Delete(bool all) {
    while (!rows_.empty() && (all || rows_.front().due <= Clock::now())) {
      for (const uint64_t number : rows_.front().numbers) {
        Status s = worker_.Delete(worker_.At(number), key_.Make(number));
        if (!s.ok()) return s;
        worker_.stats.Finished(1, Operation::kDelete);
      }
      rows_.pop_front();
    }
    return Status::OK();
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Row {
    Clock::time_point due;
    std::vector<uint64_t> numbers;
  };

  Worker& worker_;
  KeyBuffer key_;
  std::deque<Row> rows_;
};

Status FillAndDelete(Worker& worker) {
  if (FLAGS_disposable_entries_value_size < 0 ||
      FLAGS_persistent_entries_value_size < 0) {
    return Status::InvalidArgument("--*_entries_value_size",
                                   "must not be negative");
  }
  const uint64_t disposable = FLAGS_disposable_entries_batch_size;
  const uint64_t cycle =
      disposable == 0 ? 1 : disposable + FLAGS_persistent_entries_batch_size;
  const uint64_t count =
      std::min(static_cast<uint64_t>(WriteCount()), worker.KeyCount());
  KeyOrder order(KeyOrder::Kind::kUniqueRandom, worker.KeyCount(),
                 &worker.random);
  KeyBuffer key = worker.MakeKeyBuffer();
  ValueGenerator values(worker.value_shape, worker.random.Next());
  DisposedRows rows(worker);
  std::vector<uint64_t> row;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t number = order.Next();
    const bool is_disposable = i % cycle < disposable;
    Slice value;
    if (disposable == 0) {
      value = values.Next();
    } else {
      value = values.Next(static_cast<uint32_t>(
          is_disposable ? FLAGS_disposable_entries_value_size
                        : FLAGS_persistent_entries_value_size));
    }
    const Slice name = key.Make(number);
    worker.shared->write_pacer.Wait(name.size() + value.size());
    Status s = worker.Put(worker.At(number), name, value);
    if (!s.ok()) return s;
    worker.stats.AddBytes(name.size() + value.size());
    worker.stats.Finished(1, Operation::kWrite);
    if (is_disposable) row.push_back(number);
    if (row.size() == disposable) {
      rows.Add(std::move(row));
      row.clear();
    }
    // What stays is written before what does not is deleted.
    if (i % cycle + 1 != cycle) continue;
    if (s = rows.Delete(/*all=*/false); !s.ok()) return s;
  }
  rows.Add(std::move(row));
  return rows.Delete(/*all=*/true);
}

}  // namespace

std::vector<Benchmark> SelectiveDeleteBenchmarks() {
  return {{.name = "fillanddeleteuniquerandom",
           .run = FillAndDelete,
           .database = Benchmark::Database::kFresh,
           .threads = Benchmark::Threads::kOne}};
}

}  // namespace ROCKSDB_NAMESPACE::bench
