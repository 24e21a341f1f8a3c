// randomreplacekeys: a key is deleted and one with the next number takes its
// place, over and over, which leaves tombstones beside what they delete.

#include <cmath>
#include <string>
#include <vector>

#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/format.h"

DEFINE_double(stddev, 2000.0,
              "Standard deviation of the ids that randomreplacekeys draws, in "
              "the midst of --numdistinct.");
DEFINE_bool(use_single_deletes, true,
            "It deletes by SingleDelete, as each key is written once.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// The numbers of the standard normal distribution.
double DrawNormal(Random* random) {
  constexpr double kTwoPi = 6.283185307179586;
  const double u = 1 - random->Fraction();  // never 0
  return std::sqrt(-2 * std::log(u)) * std::cos(kTwoPi * random->Fraction());
}

// The ids of one thread: no two threads delete the same key.
class ReplacedKeys {
 public:
  explicit ReplacedKeys(Worker& worker)
      : worker_(worker),
        key_(static_cast<size_t>(FLAGS_key_size), /*existing=*/nullptr),
        values_(worker.value_shape, worker.random.Next()),
        counters_(static_cast<size_t>(FLAGS_numdistinct)) {}

  Status WriteAll() {
    for (size_t id = 0; id < counters_.size(); ++id) {
      if (Status s = Put(id); !s.ok()) return s;
    }
    return Status::OK();
  }

  Status ReplaceOne() {
    const auto count = static_cast<double>(counters_.size());
    double at = 0;
    do {
      at = count / 2 + FLAGS_stddev * DrawNormal(&worker_.random);
    } while (!(at >= 0 && at < count));
    const auto id = static_cast<size_t>(at);
    const uint64_t number = NumberOf(id);
    const Slice name = key_.Make(number);
    const Target target = worker_.At(number);
    Status s = FLAGS_use_single_deletes ? worker_.SingleDelete(target, name)
                                        : worker_.Delete(target, name);
    if (!s.ok()) return s;
    ++counters_[id];
    return Put(id);
  }

 private:
  // All keys of an id are neighbours, the older first.
  uint64_t NumberOf(size_t id) const {
    constexpr unsigned kCounterBits = 20;
    const uint64_t all_ids = counters_.size();
    const uint64_t own = static_cast<uint64_t>(worker_.index) * all_ids + id;
    return own << kCounterBits | (counters_[id] & ((1u << kCounterBits) - 1));
  }

  Status Put(size_t id) {
    const uint64_t number = NumberOf(id);
    const Slice name = key_.Make(number);
    const Slice value = values_.Next();
    worker_.shared->write_pacer.Wait(name.size() + value.size());
    worker_.stats.AddBytes(name.size() + value.size());
    return worker_.Put(worker_.At(number), name, value);
  }

  Worker& worker_;
  KeyBuffer key_;
  ValueGenerator values_;
  std::vector<uint64_t> counters_;
};

Status RandomReplaceKeys(Worker& worker) {
  if (FLAGS_key_size < 8) {
    return Status::InvalidArgument("--key_size", "must be at least 8");
  }
  if (!(FLAGS_stddev > 0)) {
    return Status::InvalidArgument("--stddev", "must be above 0");
  }
  ReplacedKeys keys(worker);
  if (Status s = keys.WriteAll(); !s.ok()) return s;
  worker.stats.Start();
  Budget budget(static_cast<uint64_t>(WriteCount()),
                Budget::Limit::kOperationsOrDuration);
  while (budget.Take(1)) {
    if (Status s = keys.ReplaceOne(); !s.ok()) return s;
    worker.stats.Finished(1, Operation::kOther);
  }
  worker.stats.SetMessage(
      Format("use single deletes: %d, standard deviation: %f",
             int{FLAGS_use_single_deletes}, FLAGS_stddev));
  return Status::OK();
}

}  // namespace

std::vector<Benchmark> ReplaceBenchmarks() {
  return {{.name = "randomreplacekeys",
           .run = RandomReplaceKeys,
           .database = Benchmark::Database::kFresh}};
}

}  // namespace ROCKSDB_NAMESPACE::bench
