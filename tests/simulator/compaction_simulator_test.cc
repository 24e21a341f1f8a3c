// What universal compaction costs, simulated and in a real database. Runs
// tests/testdata/simulator/costs.txt:
//
//   check POLICY          can it be simulated?
//   cost POLICY           what flushes and compactions write for a byte, and
//                         the most runs and space there are
//   real POLICY           does a real database cost the same, within a tenth?
//                         Where it does not, both are told
//
// A POLICY is options of universal compaction by NAME:VALUE (max_read_amp,
// min_merge_width, stop_style, incremental), trigger:N (5 if absent) and
// family:OPTIONS, as in OPTIONS files. The load: data:N (write buffers of them,
// 108 if absent), flushes:N (as many if absent), spread:N.N, keys:KIND.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/statistics.h"
#include "tests/testing/script.h"
#include "tests/testing/temp_dir.h"
#include "tools/compaction_simulator/simulator.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr char kAutomaticLimit[] =
    "compaction_options_universal={max_read_amp=0}";

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

std::string PolicyOf(const ScriptWords& command) {
  std::string universal;
  for (const char* name :
       {"max_read_amp", "min_merge_width", "stop_style", "incremental"}) {
    if (!command.Has(name)) continue;
    universal += std::string(name) + "=" + command.Text(name, "") + ";";
  }
  std::string policy = command.Text("family", "");
  if (!policy.empty()) policy += ";";
  if (command.Has("trigger")) {
    policy +=
        "level0_file_num_compaction_trigger=" + command.Text("trigger", "") +
        ";";
  }
  return policy + "compaction_options_universal={" + universal + "}";
}

// 108 write buffers of data, and as much overwritten: nine runs are computed.
SimulatedLoad OverwriteOnce() { return {uint64_t{108} << 20, 1 << 20, 108}; }

SimulatedLoad LoadOf(const ScriptWords& command, uint64_t buffer_bytes) {
  SimulatedLoad load;
  const uint64_t buffers = command.Number("data", 108);
  load.base_bytes = buffers * buffer_bytes;
  load.flush_bytes = buffer_bytes;
  load.flush_count = static_cast<int>(command.Number("flushes", buffers));
  load.flush_spread = std::stod(command.Text("spread", "0"));
  const Status s =
      KeyDistribution::KindOf(command.Text("keys", "uniform"), &load.keys.kind);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return load;
}

SimulatedCost Simulated(const std::string& policy, const SimulatedLoad& load) {
  const ColumnFamilyOptions family = Universal(policy);
  EXPECT_TRUE(CompactionSimulator::Check(family).ok());
  return CompactionSimulator(family, load).Run();
}

// Memtables are full at sizes that differ by a little, which must not cost a
// merge that all of them were to be part of.
TEST(CompactionSimulatorTest, FlushesOfUnequalSizesCostNoMore) {
  for (const int flushes : {36, 60, 90, 108, 113}) {
    SimulatedLoad load = OverwriteOnce();
    load.flush_count = flushes;
    const SimulatedCost equal = Simulated(kAutomaticLimit, load);
    for (const double spread : {0.0005, 0.002, 0.01, 0.03}) {
      SCOPED_TRACE(testing::Message() << flushes << " flushes, +-" << spread);
      load.flush_spread = spread;
      const SimulatedCost cost = Simulated(kAutomaticLimit, load);
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

std::string CostOf(const ScriptWords& command) {
  const SimulatedCost cost =
      Simulated(PolicyOf(command), LoadOf(command, 1 << 20));
  EXPECT_GT(cost.write_amplification, 1);
  char text[80];
  std::snprintf(text, sizeof(text), "written:%.2f runs:%d space:%.2f",
                cost.write_amplification, cost.most_runs, cost.most_space);
  return text;
}

std::string CompareWithReal(const ScriptWords& command) {
  const std::string policy = PolicyOf(command);
  // A memtable is full before its data are as large as a write buffer.
  const SimulatedLoad load = LoadOf(command, 400 << 10);
  const SimulatedCost real = RealRun(policy).Run(load);
  const SimulatedCost simulated = Simulated(policy, load);
  const bool agrees =
      std::abs(real.write_amplification - simulated.write_amplification) <=
          simulated.write_amplification * 0.1 &&
      std::abs(real.average_runs - simulated.average_runs) <=
          simulated.average_runs * 0.1;
  if (agrees) return "yes";
  char text[120];
  std::snprintf(text, sizeof(text),
                "real %.2f, %.1f runs  simulated %.2f, %.1f runs",
                real.write_amplification, real.average_runs,
                simulated.write_amplification, simulated.average_runs);
  return text;
}

TEST(CompactionSimulatorTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    const ScriptWords command(c.command);
    if (command.verb() == "cost") return CostOf(command);
    if (command.verb() == "real") return CompareWithReal(command);
    EXPECT_EQ(command.verb(), "check");
    return CompactionSimulator::Check(Universal(PolicyOf(command))).ToString();
  };
  EXPECT_GE(RunScript("simulator/costs.txt", run), 32u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
