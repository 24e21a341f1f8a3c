// timeseries: the first thread appends rows of many ids, in the order of time;
// the others read the rows of one id each time, or delete those that are old.

#include <algorithm>
#include <string>
#include <vector>

#include "rocksdb/iterator.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/expiry.h"
#include "tools/db_bench/flags.h"

DEFINE_int32(key_id_range, 100000, "Ids that timeseries writes rows of.");
DEFINE_int32(num_deletion_threads, 1,
             "Threads of timeseries, behind the first one, that delete what is "
             "expired, with --expire_style=delete.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// The key of a row.
class RowKey {
 public:
  RowKey()
      : bytes_(std::max(static_cast<size_t>(FLAGS_key_size), kTimedKeyBytes),
               '0') {}

  Slice Make(uint64_t id, uint64_t time) {
    WriteNumber(0, id);
    WriteNumber(kTimedKeyBytes / 2, time);
    return bytes_;
  }

 private:
  void WriteNumber(size_t begin, uint64_t number) {
    for (size_t i = begin + 8; i > begin; --i) {
      bytes_[i - 1] = static_cast<char>(number & 0xff);
      number >>= 8;
    }
  }

  std::string bytes_;
};

uint64_t DrawId(Worker& worker) {
  return worker.random.Below(static_cast<uint64_t>(FLAGS_key_id_range));
}

Status WriteRows(Worker& worker) {
  RowKey key;
  ValueGenerator values(worker.value_shape, worker.random.Next());
  Budget budget(static_cast<uint64_t>(WriteCount()),
                Budget::Limit::kOperationsOrDuration);
  while (budget.Take(1)) {
    const uint64_t id = DrawId(worker);
    const Slice name = key.Make(id, WritingTime().fetch_add(1));
    const Slice value = values.Next();
    worker.shared->write_pacer.Wait(name.size() + value.size());
    Status s = worker.Put(worker.At(id), name, value);
    if (!s.ok()) return s;
    worker.stats.AddBytes(name.size() + value.size());
    worker.stats.Finished(1, Operation::kWrite);
  }
  return Status::OK();
}

// One operation is one id: the rows of [from, to) of it are read, or deleted.
Status VisitRows(Worker& worker, bool is_deleting, uint64_t* rows) {
  const uint64_t id = DrawId(worker);
  const uint64_t oldest = OldestTime();
  RowKey begin_key;
  RowKey end_key;
  const Slice begin = begin_key.Make(id, is_deleting ? 0 : oldest);
  const Slice end =
      is_deleting ? end_key.Make(id, oldest) : end_key.Make(id + 1, 0);
  ReadOptions options = worker.read_options;
  options.iterate_upper_bound = &end;
  const Target target = worker.At(id);
  const Cursor entry(worker, target, options);
  for (entry->Seek(begin); entry->Valid(); entry->Next()) {
    ++*rows;
    worker.stats.AddBytes(entry->key().size() + entry->value().size());
    if (!is_deleting) continue;
    if (Status s = worker.Delete(target, entry->key()); !s.ok()) return s;
  }
  return entry->status();
}

Status ReadOrDeleteRows(Worker& worker, bool is_deleting) {
  Budget budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
  uint64_t rows = 0;
  uint64_t found = 0;
  uint64_t total = 0;
  while (budget.Take(1)) {
    const uint64_t before = rows;
    Status s = VisitRows(worker, is_deleting, &rows);
    if (worker.EndsWith(s)) return s;
    found += rows != before;
    ++total;
    worker.stats.Finished(1,
                          is_deleting ? Operation::kDelete : Operation::kRead);
    worker.WaitToRead(1);
  }
  worker.stats.SetTally(FoundTally(found, total));
  return Status::OK();
}

Status TimeSeries(Worker& worker) {
  if (FLAGS_key_id_range < 1 || FLAGS_num_deletion_threads < 0) {
    return Status::InvalidArgument("--key_id_range, --num_deletion_threads",
                                   "must be at least 1 and 0");
  }
  if (worker.index == 0) return WriteRows(worker);
  return ReadOrDeleteRows(
      worker,
      ExpiresByDeletion() && worker.index <= FLAGS_num_deletion_threads);
}

}  // namespace

std::vector<Benchmark> TimeSeriesBenchmarks() {
  return {{.name = "timeseries",
           .run = TimeSeries,
           .database = Benchmark::Database::kFresh}};
}

}  // namespace ROCKSDB_NAMESPACE::bench
