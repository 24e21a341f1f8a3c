// Random writes, and scans of random ranges with every way of fetching, beside
// an ordered map.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "rocksdb/multi_scan.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/scale.h"
#include "util/builtin_merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint64_t kScanKeys = 3000;

std::string ScanKeyOf(uint64_t i) {
  char text[16];
  snprintf(text, sizeof(text), "key%05d", static_cast<int>(i));
  return text;
}

struct Less {
  const Comparator* order;
  bool operator()(const std::string& a, const std::string& b) const {
    return order->Compare(a, b) < 0;
  }
};
using State = std::map<std::string, std::string, Less>;

struct Shape {
  const char* name;
  bool is_reversed = false;
  bool is_direct = false;
  bool is_partitioned = false;
  bool has_first_keys = false;
  bool has_cache = true;
  bool is_universal = false;
};

class MultiScanModel : public DbFixture,
                       public ::testing::WithParamInterface<Shape> {
 protected:
  MultiScanModel() : random_(0x5ca9u) {
    const Shape& shape = GetParam();
    if (shape.is_reversed) options_.comparator = ReverseBytewiseComparator();
    options_.use_direct_reads = shape.is_direct;
    options_.merge_operator = NewStringAppendOperator(",");
    options_.write_buffer_size = 64 << 10;
    options_.target_file_size_base = 32 << 10;
    options_.max_bytes_for_level_base = 128 << 10;
    if (shape.is_universal) {
      options_.compaction_style = kCompactionStyleUniversal;
    }
    BlockBasedTableOptions table;
    table.block_size = 512;
    if (shape.has_cache) {
      // Too small for all that there is.
      table.block_cache = NewLRUCache(64 << 10, 0);
    } else {
      table.no_block_cache = true;
    }
    if (shape.is_partitioned) {
      table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
      table.metadata_block_size = 256;
    }
    if (shape.has_first_keys) {
      table.index_type = BlockBasedTableOptions::kBinarySearchWithFirstKey;
    }
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    now_ = std::make_unique<State>(Less{options_.comparator});
  }

  // Write `count` operations to both.
  void Write(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string key = ScanKeyOf(random_.Uniform(kScanKeys));
      const std::string value = random_.RandomString(random_.Uniform(60) + 1);
      switch (random_.Uniform(10)) {
        case 0: {
          ASSERT_OK(Delete(key));
          now_->erase(key);
          break;
        }
        case 1: {
          ASSERT_OK(db_->Merge(WriteOptions(), key, value));
          std::string& old = (*now_)[key];
          old += (old.empty() ? "" : ",") + value;
          break;
        }
        case 2: {
          if (random_.Uniform(8) != 0) break;
          const auto [begin, end] = RandomRange();
          ASSERT_OK(db_->DeleteRange(WriteOptions(), begin, end));
          now_->erase(now_->lower_bound(begin), now_->lower_bound(end));
          break;
        }
        default: {
          ASSERT_OK(Put(key, value));
          (*now_)[key] = value;
        }
      }
    }
  }
  // Keys in the order of the family.
  std::pair<std::string, std::string> RandomRange() {
    const uint64_t first = random_.Uniform(kScanKeys);
    std::string begin = ScanKeyOf(first);
    std::string end = ScanKeyOf(first + 1 + random_.Uniform(100));
    if (GetParam().is_reversed) std::swap(begin, end);
    return {begin, end};
  }

  void Change() {
    switch (random_.Uniform(12)) {
      case 0:
        ASSERT_OK(Flush());
        break;
      case 1:
        ASSERT_OK(CompactAll());
        break;
      case 2:
        if (snapshot_ != nullptr) Release();
        snapshot_ = db_->GetSnapshot();
        then_ = std::make_unique<State>(*now_);
        break;
      case 3:
        Release();
        break;
      default:
        break;
    }
  }
  void Release() {
    if (snapshot_ != nullptr) db_->ReleaseSnapshot(snapshot_);
    snapshot_ = nullptr;
  }

  // Ranges that follow each other, most of them small.
  std::vector<std::pair<std::string, std::string>> RandomRanges() {
    std::set<uint64_t> cuts;
    const uint64_t count = 2 * (1 + random_.Skewed(5));
    while (cuts.size() < count) cuts.insert(random_.Uniform(kScanKeys));
    std::vector<std::string> keys;
    for (const uint64_t cut : cuts) keys.push_back(ScanKeyOf(cut));
    if (GetParam().is_reversed) std::reverse(keys.begin(), keys.end());
    std::vector<std::pair<std::string, std::string>> ranges;
    // Now and then each begins where the one before ends.
    const size_t step = random_.OneIn(3) ? 1 : 2;
    for (size_t i = 0; i + 1 < keys.size(); i += step) {
      ranges.emplace_back(keys[i], keys[i + 1]);
    }
    return ranges;
  }
  void Configure(MultiScanArgs* args) {
    args->use_async_io = random_.OneIn(2);
    args->reverse = random_.OneIn(3);
    args->io_coalesce_threshold = random_.Skewed(16);
    args->max_prefetch_size = random_.OneIn(2) ? 0 : random_.Skewed(15);
  }
  static std::string Expected(
      const State& state,
      const std::vector<std::pair<std::string, std::string>>& ranges,
      bool reverse) {
    std::string text;
    for (const auto& [start, limit] : ranges) {
      std::vector<std::string> entries;
      for (auto it = state.lower_bound(start); it != state.lower_bound(limit);
           ++it) {
        entries.push_back(it->first + "=" + it->second + " ");
      }
      if (reverse) std::reverse(entries.begin(), entries.end());
      for (const std::string& entry : entries) text += entry;
      text += "| ";
    }
    return text;
  }
  void Compare() {
    auto ranges = RandomRanges();
    MultiScanArgs args(random_.OneIn(2) ? options_.comparator : nullptr);
    Configure(&args);
    if (args.reverse && random_.OneIn(2)) {
      std::reverse(ranges.begin(), ranges.end());
    }
    for (const auto& [start, limit] : ranges) args.insert(start, limit);
    ReadOptions read;
    const bool is_old = snapshot_ != nullptr && random_.OneIn(2);
    if (is_old) read.snapshot = snapshot_;
    read.pin_data = random_.OneIn(4);
    read.fill_cache = !random_.OneIn(3);
    read.async_io = random_.OneIn(4);
    std::string text;
    const std::unique_ptr<MultiScan> scans =
        db_->NewMultiScan(read, db_->DefaultColumnFamily(), args);
    for (auto scan : *scans) {
      for (auto entry : scan) {
        text += entry.first.ToString() + "=" + entry.second.ToString() + " ";
      }
      text += "| ";
    }
    ASSERT_EQ(text, Expected(is_old ? *then_ : *now_, ranges, args.reverse));
    ASSERT_NO_FATAL_FAILURE(SeekAnywhere(args, read, is_old ? *then_ : *now_));
  }
  // A prepared iterator answers whatever it is asked.
  void SeekAnywhere(const MultiScanArgs& args, const ReadOptions& read,
                    const State& state) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    it->Prepare(args);
    for (int i = 0; i < 12; ++i) {
      std::string target = ScanKeyOf(random_.Uniform(kScanKeys));
      if (random_.OneIn(2)) {
        const auto& ranges = args.GetScanRanges();
        target = ranges[random_.Uniform(ranges.size())].range.start->ToString();
      }
      it->Seek(target);
      auto expected = state.lower_bound(target);
      for (int step = 0; step < 30; ++step) {
        ASSERT_EQ(it->Valid(), expected != state.end());
        if (!it->Valid()) break;
        ASSERT_EQ(it->key().ToString(), expected->first);
        ASSERT_EQ(it->value().ToString(), expected->second);
        it->Next();
        ++expected;
      }
      ASSERT_OK(it->status());
    }
  }

  Random64 random_;
  std::unique_ptr<State> now_;
  std::unique_ptr<State> then_;
  const Snapshot* snapshot_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(
    Shapes, MultiScanModel,
    ::testing::Values(Shape{.name = "Plain"},
                      Shape{.name = "Reversed", .is_reversed = true},
                      Shape{.name = "Direct", .is_direct = true},
                      Shape{.name = "Partitioned", .is_partitioned = true},
                      Shape{.name = "FirstKeys", .has_first_keys = true},
                      Shape{.name = "NoCache", .has_cache = false},
                      Shape{.name = "Universal", .is_universal = true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(MultiScanModel, AgreesWithAnOrderedMap) {
  ASSERT_NO_FATAL_FAILURE(Open());
  const uint64_t rounds = 60 * TestScale();
  for (uint64_t round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    ASSERT_NO_FATAL_FAILURE(Write(200));
    ASSERT_NO_FATAL_FAILURE(Change());
    for (int i = 0; i < 3; ++i) ASSERT_NO_FATAL_FAILURE(Compare());
  }
  Release();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
