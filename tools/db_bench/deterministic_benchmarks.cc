// Fills after which the tree always has the same shape: each level is full, and
// level 0 has as many files as it may without a compaction.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "rocksdb/metadata.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"

DECLARE_int32(num_multi_db);

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// How many keys each level gets, from level 0 on.
struct TreeShape {
  std::vector<uint64_t> levels;
  // In each file of level 0: half of a memtable, which holds more than the
  // bytes of its entries.
  uint64_t keys_a_file = 1;
};

TreeShape ShapeOfTree(const Options& options, uint64_t keys,
                      uint64_t entry_bytes) {
  TreeShape shape;
  shape.levels.resize(static_cast<size_t>(options.num_levels), 0);
  shape.keys_a_file =
      std::max<uint64_t>(options.write_buffer_size / 2 / entry_bytes, 1);
  const auto files = static_cast<uint64_t>(
      std::max(options.level0_file_num_compaction_trigger - 1, 0));
  uint64_t left = keys;
  uint64_t fitting = files * shape.keys_a_file;
  auto room = static_cast<double>(options.max_bytes_for_level_base);
  for (size_t level = 0; level < shape.levels.size() && left > 0; ++level) {
    const bool is_last = level + 1 == shape.levels.size();
    shape.levels[level] = is_last ? left : std::min(left, fitting);
    left -= shape.levels[level];
    fitting = static_cast<uint64_t>(room / static_cast<double>(entry_bytes));
    room *= options.max_bytes_for_level_multiplier;
  }
  return shape;
}

class DeterministicFill {
 public:
  DeterministicFill(Worker& worker, KeyOrder::Kind order)
      : worker_(worker),
        target_(worker.targets->All().front()),
        order_(order, worker.KeyCount(), &worker.random),
        key_(worker.MakeKeyBuffer()),
        values_(worker.value_shape, worker.random.Next()) {}

  // The deepest level first: what is above it is newer.
  Status Run() {
    const Options& options = *worker_.shared->options;
    const TreeShape shape = ShapeOfTree(options, KeyCount(),
                                        static_cast<uint64_t>(FLAGS_key_size) +
                                            worker_.value_shape.AverageSize());
    for (size_t level = shape.levels.size(); level-- > 0;) {
      Status s = WriteFiles(shape.levels[level], shape.keys_a_file);
      if (s.ok() && level > 0 && shape.levels[level] > 0) {
        s = MoveTo(static_cast<int>(level));
      }
      if (!s.ok()) return s;
    }
    return Status::OK();
  }

 private:
  uint64_t KeyCount() const {
    return std::min(static_cast<uint64_t>(WriteCount()), worker_.KeyCount());
  }

  Status WriteFiles(uint64_t count, uint64_t keys_a_file) {
    while (count > 0) {
      const uint64_t keys = std::min(count, keys_a_file);
      Status s = Write(keys);
      if (s.ok()) s = target_.db->Flush(FlushOptions(), target_.family);
      if (!s.ok()) return s;
      count -= keys;
    }
    return Status::OK();
  }

  Status Write(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
      const Slice name = key_.Make(order_.Next());
      const Slice value = values_.Next();
      worker_.shared->write_pacer.Wait(name.size() + value.size());
      if (Status s = worker_.Put(target_, name, value); !s.ok()) return s;
      worker_.stats.AddBytes(name.size() + value.size());
      worker_.stats.Finished(1, Operation::kWrite);
    }
    return Status::OK();
  }

  // Compacts all of level 0 into an empty level.
  Status MoveTo(int level) {
    ColumnFamilyMetaData tree;
    target_.db->GetColumnFamilyMetaData(target_.family, &tree);
    std::vector<std::string> names;
    for (const SstFileMetaData& file : tree.levels.front().files) {
      names.push_back(file.name);
    }
    return target_.db->CompactFiles(CompactionOptions(), target_.family, names,
                                    level);
  }

  Worker& worker_;
  const Target target_;
  KeyOrder order_;
  KeyBuffer key_;
  ValueGenerator values_;
};

Status FillDeterministic(Worker& worker, KeyOrder::Kind order) {
  const Options& options = *worker.shared->options;
  if (!options.disable_auto_compactions) {
    return Status::InvalidArgument("deterministic fills",
                                   "need --disable_auto_compactions");
  }
  if (FLAGS_num_multi_db > 0 || FamilyCount() > 1) {
    return Status::NotSupported("deterministic fills",
                                "of more than one database or family");
  }
  if (options.compaction_style != kCompactionStyleLevel) {
    return Status::NotSupported("deterministic fills",
                                "need --compaction_style=0");
  }
  Status s = DeterministicFill(worker, order).Run();
  std::string text;
  if (s.ok() && worker.db->GetProperty("rocksdb.levelstats", &text)) {
    printf("---------------------- DB LSM ---------------------\n%s\n",
           text.c_str());
  }
  return s;
}

Status FillInOrder(Worker& worker) {
  return FillDeterministic(worker, KeyOrder::Kind::kSequential);
}

Status FillShuffled(Worker& worker) {
  return FillDeterministic(worker, KeyOrder::Kind::kUniqueRandom);
}

}  // namespace

std::vector<Benchmark> DeterministicBenchmarks() {
  constexpr auto kFresh = Benchmark::Database::kFresh;
  constexpr auto kOne = Benchmark::Threads::kOne;
  constexpr auto kFixedTree = Benchmark::Needs::kNoCompactions;
  return {
      {.name = "fillseqdeterministic",
       .run = FillInOrder,
       .database = kFresh,
       .threads = kOne,
       .needs = kFixedTree},
      {.name = "filluniquerandomdeterministic",
       .run = FillShuffled,
       .database = kFresh,
       .threads = kOne,
       .needs = kFixedTree},
  };
}

}  // namespace ROCKSDB_NAMESPACE::bench
