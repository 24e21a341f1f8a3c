// What universal compaction costs, simulated and in a real database.
//
//   basalt_simulator_test --simulate "universal levels:7 trigger:5 limit:0"
//                         BASE_MB FLUSH_MB FLUSHES
//
// prints the figures of any policy, to be compared in seconds.
#include "tests/simulator/compaction_simulator.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/statistics.h"
#include "tests/testing/temp_dir.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// 108 write buffers of data, and as much overwritten: nine runs are computed.
constexpr SimulatedLoad kOverwriteOnce{uint64_t{108} << 20, 1 << 20, 108};

struct Policy {
  const char* name;
  const char* options;
  double most;    // write amplification, at most the peer's for the same
  int most_runs;  // 0: not of interest
};

constexpr Policy kPolicies[] = {
    {"limit = trigger 5", "universal levels:7 trigger:5", 4.4, 6},
    {"automatic, trigger 5", "universal levels:7 trigger:5 limit:0", 2.8, 9},
    {"limit = trigger 9", "universal levels:7 trigger:9", 2.8, 10},
    {"limit 9, trigger 5", "universal levels:7 trigger:5 limit:9", 3.75, 10},
    {"similar size, width 3, limit 9",
     "universal levels:7 trigger:5 limit:9 minwidth:3 "
     "style:kCompactionStopStyleSimilarSize",
     3.6, 10},
};

TEST(CompactionSimulatorTest, FiguresOfUniversalCompaction) {
  for (const Policy& policy : kPolicies) {
    SCOPED_TRACE(policy.name);
    const SimulatedCost cost =
        CompactionSimulator(policy.options, kOverwriteOnce).Run();
    std::printf("%-32s %s\n", policy.name, cost.Text().c_str());
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
    const auto fixed =
        CompactionSimulator("universal levels:7 trigger:5", load).Run();
    const auto chosen =
        CompactionSimulator("universal levels:7 trigger:5 limit:0", load).Run();
    EXPECT_LE(chosen.write_amplification, fixed.write_amplification * 1.02);
    EXPECT_LE(chosen.most_space, 4.1) << "three times and what is being merged";
  }
}

// Memtables are full at sizes that differ by a little, which must not cost a
// merge that all of them were to be part of.
TEST(CompactionSimulatorTest, FlushesOfUnequalSizesCostNoMore) {
  const std::string policy = "universal levels:7 trigger:5 limit:0";
  for (const int flushes : {36, 60, 90, 108, 113}) {
    SimulatedLoad load = kOverwriteOnce;
    load.flush_count = flushes;
    const SimulatedCost equal = CompactionSimulator(policy, load).Run();
    for (const double spread : {0.0005, 0.002, 0.01, 0.03}) {
      SCOPED_TRACE(testing::Message() << flushes << " flushes, +-" << spread);
      load.flush_spread = spread;
      const SimulatedCost cost = CompactionSimulator(policy, load).Run();
      EXPECT_NEAR(cost.write_amplification, equal.write_amplification, 0.05);
      EXPECT_LE(cost.most_runs, 9);
    }
  }
}

class RealRun {
 public:
  explicit RealRun(const std::string& policy) : directory_("simulator") {
    options_.create_if_missing = true;
    options_.statistics = CreateDBStatistics();
    options_.compression = kNoCompression;
    options_.compaction_style = kCompactionStyleUniversal;
    options_.num_levels = 7;
    options_.write_buffer_size = 512 << 10;
    options_.level0_file_num_compaction_trigger = 5;
    const Status s = GetColumnFamilyOptionsFromString(ConfigOptions(), options_,
                                                      policy, &options_);
    EXPECT_TRUE(s.ok()) << s.ToString();
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
    Random64 random(301);
    for (int i = 0; i < load.flush_count; ++i) {
      for (uint64_t n = load.flush_bytes / kEntryBytes; n > 0; --n) {
        Put(random.Uniform(keys));
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
  constexpr SimulatedLoad kLoad{uint64_t{108} * (400 << 10), 400 << 10, 108};
  const struct {
    const char* real;
    const char* simulated;
  } kRuns[] = {
      {"compaction_options_universal={max_read_amp=0}",
       "universal levels:7 trigger:5 limit:0"},
      {"compaction_options_universal={max_read_amp=-1}",
       "universal levels:7 trigger:5"},
      {"level0_file_num_compaction_trigger=9", "universal levels:7 trigger:9"},
      {"compaction_options_universal={max_read_amp=9}",
       "universal levels:7 trigger:5 limit:9"},
      {"compaction_options_universal={max_read_amp=9;min_merge_width=3;"
       "stop_style=kCompactionStopStyleSimilarSize}",
       "universal levels:7 trigger:5 limit:9 minwidth:3 "
       "style:kCompactionStopStyleSimilarSize"},
  };
  for (const auto& run : kRuns) {
    SCOPED_TRACE(run.real);
    const SimulatedCost real = RealRun(run.real).Run(kLoad);
    const SimulatedCost simulated =
        CompactionSimulator(run.simulated, kLoad).Run();
    std::printf("%-50s real %.2f, %.1f runs  simulated %.2f, %.1f runs\n",
                run.real, real.write_amplification, real.average_runs,
                simulated.write_amplification, simulated.average_runs);
    EXPECT_NEAR(real.write_amplification, simulated.write_amplification,
                simulated.write_amplification * 0.1);
    EXPECT_NEAR(real.average_runs, simulated.average_runs,
                simulated.average_runs * 0.1);
  }
}

int Simulate(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "--simulate OPTIONS BASE_MB FLUSH_MB FLUSHES\n");
    return 2;
  }
  SimulatedLoad load;
  load.base_bytes = std::stoull(argv[3]) << 20;
  load.flush_bytes = std::stoull(argv[4]) << 20;
  load.flush_count = std::stoi(argv[5]);
  std::printf("%s\n", CompactionSimulator(argv[2], load).Run().Text().c_str());
  return 0;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--simulate") == 0) {
    return ROCKSDB_NAMESPACE::Simulate(argc, argv);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
