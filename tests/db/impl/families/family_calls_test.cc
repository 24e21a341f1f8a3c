// Calls of DB over several families or ranges, and those that tell a callback.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/iostats_context.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/utilities/stackable_db.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using OptionMap = std::unordered_map<std::string, std::string>;

class FamilyCallsTest : public FamiliesFixture {
 protected:
  FamilyCallsTest() { options_.disable_auto_compactions = true; }

  size_t BufferOf(size_t family) {
    return db_->GetOptions(handles_[family]).write_buffer_size;
  }
};

// Else whoever opens the database next would have to name a family that cannot
// be had.
TEST_F(FamilyCallsTest, AFamilyWithoutItsDirectoryIsNotMade) {
  OpenFamilies({"default"});
  ColumnFamilyOptions cold(options_);
  cold.cf_paths.emplace_back(path_ + "/CURRENT/is/a/file", 1 << 20);
  ColumnFamilyHandle* handle = nullptr;
  EXPECT_FALSE(db_->CreateColumnFamily(cold, "cold", &handle).ok());
  EXPECT_EQ(handle, nullptr);
  ASSERT_OK(TryOpenFamilies({"default"}));
  CloseFamilies();
  options_.create_missing_column_families = true;
  EXPECT_FALSE(
      DB::Open(DBOptions(options_), path_,
               {{"default", ColumnFamilyOptions(options_)}, {"cold", cold}},
               &handles_, &db_)
          .ok());
  ASSERT_OK(TryOpenFamilies({"default"}));
}

TEST_F(FamilyCallsTest, OptionsOfSeveralFamiliesChangeTogether) {
  OpenFamilies({"default"});
  ASSERT_NO_FATAL_FAILURE(CreateFamily("one"));
  ASSERT_NO_FATAL_FAILURE(CreateFamily("two"));
  const size_t before = BufferOf(0);
  const OptionMap small{{"write_buffer_size", "131072"}};
  ASSERT_OK(db_->SetOptions({handles_[1], handles_[2]}, small));
  EXPECT_EQ(BufferOf(0), before);
  EXPECT_EQ(BufferOf(1), 131072u);
  EXPECT_EQ(BufferOf(2), 131072u);

  const OptionMap large{{"write_buffer_size", "262144"}};
  const OptionMap wrong{{"write_buffer_size", "no number"}};
  std::unordered_map<ColumnFamilyHandle*, OptionMap> inputs{
      {handles_[0], large}, {handles_[1], large}, {handles_[2], wrong}};
  EXPECT_TRUE(db_->SetOptions(inputs).IsInvalidArgument());
  EXPECT_EQ(BufferOf(0), before);
  EXPECT_EQ(BufferOf(1), 131072u);
  inputs[handles_[2]] = small;
  ASSERT_OK(db_->SetOptions(inputs));
  EXPECT_EQ(BufferOf(0), 262144u);
  EXPECT_EQ(BufferOf(1), 262144u);
  EXPECT_EQ(BufferOf(2), 131072u);

  inputs.clear();
  EXPECT_TRUE(db_->SetOptions(inputs).IsInvalidArgument());
  inputs[nullptr] = small;
  EXPECT_TRUE(db_->SetOptions(inputs).IsInvalidArgument());
  // One that is gone.
  ASSERT_OK(db_->DropColumnFamily(handles_[2]));
  EXPECT_TRUE(db_->SetOptions({handles_[1], handles_[2]}, small)
                  .IsColumnFamilyDropped());
  EXPECT_EQ(BufferOf(1), 262144u);
}

TEST_F(FamilyCallsTest, PropertiesOfTablesByRangeAndLevel) {
  options_.num_levels = 3;
  options_.level_compaction_dynamic_level_bytes = false;
  OpenFamilies({"default"});
  for (const std::string key : {"b", "d", "f"}) {
    ASSERT_OK(PutIn(0, key, "v"));
    ASSERT_OK(Flush());
  }
  ColumnFamilyHandle* const family = handles_[0];
  TablePropertiesCollection found;
  const auto count = [&](std::vector<Range> ranges) {
    EXPECT_OK(db_->GetPropertiesOfTablesInRange(family, ranges.data(),
                                                ranges.size(), &found));
    return found.size();
  };
  EXPECT_EQ(count({}), 0u);
  EXPECT_EQ(count({Range("a", "z")}), 3u);
  EXPECT_EQ(count({Range("c", "c")}), 0u);
  EXPECT_EQ(count({Range("d", "d")}), 1u);
  EXPECT_EQ(count({Range("a", "b"), Range("f", "g")}), 2u) << "ends included";
  for (const auto& [path, properties] : found) {
    EXPECT_OK(options_.env->FileExists(path));
    EXPECT_EQ(properties->num_entries, 1u);
  }
  EXPECT_TRUE(db_->GetPropertiesOfTablesInRange(family, nullptr, 1, &found)
                  .IsInvalidArgument());

  std::vector<std::unique_ptr<TablePropertiesCollection>> levels;
  ASSERT_OK(db_->GetPropertiesOfTablesByLevel(family, &levels));
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0]->size(), 3u);
  EXPECT_TRUE(levels[1]->empty());
  ASSERT_OK(CompactAll(/*force=*/true));
  ASSERT_OK(db_->GetPropertiesOfTablesByLevel(family, &levels));
  EXPECT_TRUE(levels[0]->empty());
  ASSERT_EQ(levels[1]->size() + levels[2]->size(), 1u);
  const auto& bottom = levels[1]->empty() ? *levels[2] : *levels[1];
  EXPECT_EQ(bottom.begin()->second->num_entries, 3u);
}

class NotedCallback : public DB::AsyncCallback {
 public:
  explicit NotedCallback(bool wants_stats) : wants_stats_(wants_stats) {}
  bool EnableStats() const override { return wants_stats_; }
  void OnComplete(const PerfContext* perf,
                  const IOStatsContext* iostats) override {
    ++calls;
    EXPECT_EQ(perf != nullptr, wants_stats_);
    EXPECT_EQ(iostats != nullptr, wants_stats_);
    if (perf != nullptr) read_bytes = perf->get_read_bytes;
  }

  int calls = 0;
  uint64_t read_bytes = 0;

 private:
  const bool wants_stats_;
};

TEST_F(FamilyCallsTest, LookUpsThatTellACallback) {
  OpenFamilies({"default"});
  ASSERT_OK(PutIn(0, "a", "12345"));
  ColumnFamilyHandle* const family = handles_[0];
  const ReadOptions read;
  Status s;
  std::string value;
  PinnableSlice pinned;
  NotedCallback plain(false);
  db_->GetAsync(read, "a", &value, s, plain);
  EXPECT_OK(s);
  EXPECT_EQ(value, "12345");
  db_->GetAsync(read, family, "b", &pinned, s, plain);
  EXPECT_TRUE(s.IsNotFound());
  EXPECT_EQ(plain.calls, 2);

  SetPerfLevel(PerfLevel::kEnableCount);
  get_perf_context()->Reset();
  NotedCallback counted(true);
  db_->GetAsync(read, family, "a", &pinned, s, counted);
  EXPECT_EQ(pinned, "12345");
  EXPECT_EQ(counted.read_bytes, 5u);
  SetPerfLevel(PerfLevel::kDisable);

  const Slice keys[] = {"a", "b"};
  ColumnFamilyHandle* families[] = {family, family};
  PinnableSlice values[2];
  Status statuses[2];
  db_->MultiGetAsync(read, 2, families, keys, values, statuses, plain);
  EXPECT_EQ(plain.calls, 3);
  EXPECT_EQ(values[0], "12345");
  EXPECT_TRUE(statuses[1].IsNotFound());
}

TEST_F(FamilyCallsTest, KeysOfStallMaps) {
  using Keys = WriteStallStatsMapKeys;
  OpenFamilies({"default"});
  std::map<std::string, std::string> family, database;
  ASSERT_TRUE(db_->GetMapProperty(DB::Properties::kCFWriteStallStats, &family));
  ASSERT_TRUE(
      db_->GetMapProperty(DB::Properties::kDBWriteStallStats, &database));
  for (const std::string& key :
       {Keys::TotalDelays(), Keys::TotalStops(),
        Keys::CFL0FileCountLimitDelaysWithOngoingCompaction(),
        Keys::CFL0FileCountLimitStopsWithOngoingCompaction(),
        Keys::CauseConditionCount(WriteStallCause::kMemtableLimit,
                                  WriteStallCondition::kStopped),
        Keys::CauseConditionCount(WriteStallCause::kPendingCompactionBytes,
                                  WriteStallCondition::kDelayed)}) {
    EXPECT_EQ(family.count(key), 1u) << key;
  }
  EXPECT_EQ(database.count(Keys::CauseConditionCount(
                WriteStallCause::kWriteBufferManagerLimit,
                WriteStallCondition::kStopped)),
            1u);
  EXPECT_EQ(Keys::CauseConditionCount(WriteStallCause::kWriteBufferManagerLimit,
                                      WriteStallCondition::kDelayed),
            "");
  EXPECT_EQ(Keys::CauseConditionCount(WriteStallCause::kNone,
                                      WriteStallCondition::kStopped),
            "");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
