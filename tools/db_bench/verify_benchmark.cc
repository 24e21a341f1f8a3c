// verify: the database holds what another one, the truth, holds, and no more.

#include <gflags/gflags.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/iterator.h"
#include "tools/db_bench/benchmarks.h"

DEFINE_string(truth_db, "/dev/shm/truth_db/dbbench",
              "The database that verify compares with.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

Status Differs(const char* what, const Slice& key) {
  return Status::Corruption(what, key.ToString(/*hex=*/true));
}

// Both are walked at once; one operation is one key.
Status CompareWith(Worker& worker, DB* truth) {
  ReadOptions options = worker.read_options;
  options.total_order_seek = true;
  const std::unique_ptr<Iterator> wanted(truth->NewIterator(options));
  const Cursor found(worker, worker.targets->All().front(), options);
  const Comparator* const order =
      worker.db->DefaultColumnFamily()->GetComparator();
  wanted->SeekToFirst();
  found->SeekToFirst();
  for (; wanted->Valid() && found->Valid(); wanted->Next(), found->Next()) {
    const int sign = order->Compare(found->key(), wanted->key());
    if (sign > 0) return Differs("verify: a key is missing", wanted->key());
    if (sign < 0) return Differs("verify: a key is too much", found->key());
    if (found->value() != wanted->value()) {
      return Differs("verify: a value is another one", wanted->key());
    }
    worker.stats.AddBytes(found->key().size() + found->value().size());
    worker.stats.Finished(1, Operation::kRead);
  }
  if (!wanted->status().ok()) return wanted->status();
  if (!found->status().ok()) return found->status();
  if (wanted->Valid()) {
    return Differs("verify: a key is missing", wanted->key());
  }
  if (found->Valid()) return Differs("verify: a key is too much", found->key());
  worker.stats.SetMessage("...Verified");
  return Status::OK();
}

Status Verify(Worker& worker) {
  if (HasTimestamps()) {
    return Status::NotSupported("verify", "keys with timestamps");
  }
  DB* opened = nullptr;
  Options options = *worker.shared->options;
  options.create_if_missing = false;
  Status s = DB::OpenForReadOnly(options, FLAGS_truth_db, &opened);
  if (!s.ok()) {
    return Status::InvalidArgument("--truth_db=" + FLAGS_truth_db,
                                   s.ToString());
  }
  const std::unique_ptr<DB> truth(opened);
  worker.stats.Start();
  return CompareWith(worker, truth.get());
}

}  // namespace

std::vector<Benchmark> VerifyBenchmarks() {
  return {
      {.name = "verify", .run = Verify, .threads = Benchmark::Threads::kOne}};
}

}  // namespace ROCKSDB_NAMESPACE::bench
