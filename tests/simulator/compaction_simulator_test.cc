// What universal compaction costs, simulated and in a real database.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/statistics.h"
#include "tests/testing/temp_dir.h"
#include "tools/compaction_simulator/simulator.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// 108 write buffers of data, and as much overwritten: nine runs are computed.
constexpr SimulatedLoad kOverwriteOnce{uint64_t{108} << 20, 1 << 20, 108};

struct Policy {
  const char* options;
  double most;    // write amplification, at most the peer's for the same
  int most_runs;  // 0: not of interest
};

// With a trigger of 5, unless they say otherwise.
constexpr char kLimitIsTrigger[] =
    "compaction_options_universal={max_read_amp=-1}";
constexpr char kAutomatic[] = "compaction_options_universal={max_read_amp=0}";
constexpr char kTrigger9[] = "level0_file_num_compaction_trigger=9";
constexpr char kLimit9[] = "compaction_options_universal={max_read_amp=9}";
constexpr char kSimilarSize[] =
    "compaction_options_universal={max_read_amp=9;min_merge_width=3;"
    "stop_style=kCompactionStopStyleSimilarSize}";

constexpr Policy kPolicies[] = {
    {kLimitIsTrigger, 4.4, 6}, {kAutomatic, 2.8, 9},    {kTrigger9, 2.8, 10},
    {kLimit9, 3.75, 10},       {kSimilarSize, 3.6, 10},
};

ColumnFamilyOptions Universal(const std::string& policy) {
  ColumnFamilyOptions base, family;
  base.compression = kNoCompression;
  base.compaction_style = kCompactionStyleUniversal;
  base.num_levels = 7;
  base.level0_file_num_compaction_trigger = 5;
  const Status s =
      GetColumnFamilyOptionsFromString(ConfigOptions(), base, policy, &family);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return family;
}

SimulatedCost Simulated(const std::string& policy, const SimulatedLoad& load) {
  const ColumnFamilyOptions family = Universal(policy);
  EXPECT_TRUE(CompactionSimulator::Check(family).ok());
  return CompactionSimulator(family, load).Run();
}

TEST(CompactionSimulatorTest, FiguresOfUniversalCompaction) {
  for (const Policy& policy : kPolicies) {
    SCOPED_TRACE(policy.options);
    const SimulatedCost cost = Simulated(policy.options, kOverwriteOnce);
    EXPECT_LE(cost.write_amplification, policy.most);
    EXPECT_LE(cost.most_runs, policy.most_runs);
    EXPECT_GT(cost.write_amplification, 1);
  }
}

// The limit grows with the data, and with it the gain. A few write buffers of
// data leave it at the trigger: nothing to gain there.
TEST(CompactionSimulatorTest, TheAutomaticLimitNeverCostsMore) {
  for (const int buffers : {16, 54, 108, 216, 500}) {
    SCOPED_TRACE(buffers);
    const SimulatedLoad load{static_cast<uint64_t>(buffers) << 20, 1 << 20,
                             3 * buffers};
    const SimulatedCost fixed = Simulated(kLimitIsTrigger, load);
    const SimulatedCost chosen = Simulated(kAutomatic, load);
    EXPECT_LE(chosen.write_amplification, fixed.write_amplification * 1.02);
    EXPECT_LE(chosen.most_space, 4.1) << "three times and what is being merged";
  }
}

// Memtables are full at sizes that differ by a little, which must not cost a
// merge that all of them were to be part of.
TEST(CompactionSimulatorTest, FlushesOfUnequalSizesCostNoMore) {
  for (const int flushes : {36, 60, 90, 108, 113}) {
    SimulatedLoad load = kOverwriteOnce;
    load.flush_count = flushes;
    const SimulatedCost equal = Simulated(kAutomatic, load);
    for (const double spread : {0.0005, 0.002, 0.01, 0.03}) {
      SCOPED_TRACE(testing::Message() << flushes << " flushes, +-" << spread);
      load.flush_spread = spread;
      const SimulatedCost cost = Simulated(kAutomatic, load);
      EXPECT_NEAR(cost.write_amplification, equal.write_amplification, 0.05);
      EXPECT_LE(cost.most_runs, 9);
    }
  }
}

// Keys one by one, as the simulator says that they are drawn.
class DrawnKeys {
 public:
  DrawnKeys(const KeyDistribution::Shape& shape, uint64_t count)
      : shape_(shape), count_(count) {
    if (shape.kind != KeyDistribution::Kind::kZipfian) return;
    double sum = 0;
    for (uint64_t rank = 1; rank <= count; ++rank) {
      sum += std::pow(static_cast<double>(rank), -shape.theta);
      sums_.push_back(sum);
    }
  }
  uint64_t Next() {
    switch (shape_.kind) {
      case KeyDistribution::Kind::kUniform:
        return random_.Uniform(count_);
      case KeyDistribution::Kind::kSequential:
        return next_++ % count_;
      case KeyDistribution::Kind::kZipfian:
        break;
    }
    constexpr uint64_t kSteps = uint64_t{1} << 40;
    const double at = sums_.back() *
                      static_cast<double>(random_.Uniform(kSteps)) /
                      static_cast<double>(kSteps);
    const auto rank = static_cast<uint64_t>(
        std::upper_bound(sums_.begin(), sums_.end(), at) - sums_.begin());
    // Frequent keys do not lie beside each other.
    constexpr uint64_t kPrime = 1'000'003;
    return rank * kPrime % count_;
  }

 private:
  const KeyDistribution::Shape shape_;
  const uint64_t count_;
  std::vector<double> sums_;
  uint64_t next_ = 0;
  Random64 random_{301};
};

class RealRun {
 public:
  explicit RealRun(const std::string& policy) : directory_("simulator") {
    options_.create_if_missing = true;
    options_.statistics = CreateDBStatistics();
    static_cast<ColumnFamilyOptions&>(options_) = Universal(policy);
    options_.write_buffer_size = 512 << 10;
  }

  // Without the figures of space and the most runs.
  SimulatedCost Run(const SimulatedLoad& load) {
    SimulatedCost cost;
    EXPECT_TRUE(DB::Open(options_, directory_.path(), &db_).ok());
    const uint64_t keys = load.base_bytes / kEntryBytes;
    for (uint64_t i = 0; i < keys; ++i) Put(i);
    EXPECT_TRUE(
        db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
    EXPECT_TRUE(options_.statistics->Reset().ok());
    DrawnKeys drawn(load.keys, keys);
    for (int i = 0; i < load.flush_count; ++i) {
      for (uint64_t n = load.flush_bytes / kEntryBytes; n > 0; --n) {
        Put(drawn.Next());
      }
      EXPECT_TRUE(db_->Flush(FlushOptions()).ok());
      EXPECT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
      cost.average_runs += static_cast<double>(RunCount()) / load.flush_count;
    }
    const Statistics& stats = *options_.statistics;
    cost.write_amplification =
        static_cast<double>(stats.getTickerCount(FLUSH_WRITE_BYTES) +
                            stats.getTickerCount(COMPACT_WRITE_BYTES)) /
        (static_cast<double>(load.flush_bytes) * load.flush_count);
    return cost;
  }

 private:
  static constexpr uint64_t kEntryBytes = 1024;

  // What a read may have to look at.
  size_t RunCount() {
    ColumnFamilyMetaData metadata;
    db_->GetColumnFamilyMetaData(&metadata);
    size_t count = metadata.levels.front().files.size();
    for (const LevelMetaData& level : metadata.levels) {
      if (level.level > 0 && !level.files.empty()) ++count;
    }
    return count;
  }
  void Put(uint64_t number) {
    char key[24];
    std::snprintf(key, sizeof(key), "%016llu",
                  static_cast<unsigned long long>(number));
    value_.assign(kEntryBytes - 40, static_cast<char>('a' + number % 26));
    EXPECT_TRUE(db_->Put(WriteOptions(), key, value_).ok());
  }

  const TempDir directory_;
  Options options_;
  std::string value_;
  std::unique_ptr<DB> db_;
};

// A memtable is full before its data are as large as a write buffer.
TEST(CompactionSimulatorTest, AgreesWithARealRun) {
  using Kind = KeyDistribution::Kind;
  SimulatedLoad load{uint64_t{108} * (400 << 10), 400 << 10, 108};
  const struct {
    const char* policy;
    Kind keys;
  } kRuns[] = {
      {kAutomatic, Kind::kUniform},      {kLimitIsTrigger, Kind::kUniform},
      {kTrigger9, Kind::kUniform},       {kLimit9, Kind::kUniform},
      {kSimilarSize, Kind::kUniform},    {kAutomatic, Kind::kZipfian},
      {kLimitIsTrigger, Kind::kZipfian}, {kTrigger9, Kind::kSequential},
  };
  for (const auto& run : kRuns) {
    SCOPED_TRACE(testing::Message()
                 << run.policy << " " << static_cast<int>(run.keys));
    load.keys.kind = run.keys;
    const SimulatedCost real = RealRun(run.policy).Run(load);
    const SimulatedCost simulated = Simulated(run.policy, load);
    std::printf("%-50s real %.2f, %.1f runs  simulated %.2f, %.1f runs\n",
                run.policy, real.write_amplification, real.average_runs,
                simulated.write_amplification, simulated.average_runs);
    EXPECT_NEAR(real.write_amplification, simulated.write_amplification,
                simulated.write_amplification * 0.1);
    EXPECT_NEAR(real.average_runs, simulated.average_runs,
                simulated.average_runs * 0.1);
  }
}

TEST(CompactionSimulatorTest, WhatItCannotTellItRefuses) {
  for (const char* options : {"compaction_style=kCompactionStyleLevel",
                              "compaction_style=kCompactionStyleFIFO",
                              "compaction_options_universal={incremental=true}",
                              "preclude_last_level_data_seconds=60"}) {
    EXPECT_TRUE(CompactionSimulator::Check(Universal(options)).IsNotSupported())
        << options;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
