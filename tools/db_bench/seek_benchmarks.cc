// Benchmarks of seeks, with a few entries read after each.

#include <memory>

#include "rocksdb/iterator.h"
#include "tools/db_bench/benchmarks.h"
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

std::vector<Benchmark> SeekBenchmarks() {
  return {{.name = "seekrandom", .run = SeekRandom}};
}

}  // namespace ROCKSDB_NAMESPACE::bench
