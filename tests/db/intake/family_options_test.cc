// What FamilyChanges changes of families that are there: their options, and
// how far back their history goes.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "db/intake/family_changes.h"
#include "rocksdb/comparator.h"
#include "tests/db/intake/changing_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Lines = std::vector<std::string>;

class ToldStalls final : public EventListener {
 public:
  void OnStallConditionsChanged(const WriteStallInfo& info) override {
    told.push_back(info.cf_name);
  }
  Lines told;
};

class FamilyOptionsTest : public ::testing::Test {
 protected:
  using Values = std::unordered_map<std::string, std::string>;

  FamilyOptionsTest() { world_.f.db_options.listeners.push_back(listener_); }

  void Open() {
    world_.Open();
    default_ = world_.default_family;
    before_ = BufferSizeOf(default_);
  }
  Status Set(const Values& options) {
    return world_.family_changes->SetOptions({{default_, &options}});
  }
  // Of what reads go by.
  static size_t BufferSizeOf(ColumnFamilyData* cfd) {
    SuperVersion* const state = cfd->AcquireReferenced();
    const size_t size = state->options->write_buffer_size;
    ColumnFamilyData::Release(state);
    return size;
  }
  // Nothing has changed, and no file says that it has.
  void ExpectAsBefore() {
    EXPECT_EQ(default_->options()->write_buffer_size, before_);
    EXPECT_EQ(BufferSizeOf(default_), before_);
    EXPECT_EQ(world_.CurrentOptionsFile(), 0u);
  }

  const std::shared_ptr<ToldStalls> listener_ = std::make_shared<ToldStalls>();
  ChangingWorld world_;
  ColumnFamilyData* default_ = nullptr;
  size_t before_ = 0;
};

TEST_F(FamilyOptionsTest, AChangeIsInForceAndInTheOptionsFile) {
  Open();
  ASSERT_TRUE(Set({{"write_buffer_size", "123456"}}).ok());
  EXPECT_EQ(BufferSizeOf(default_), 123456u);
  EXPECT_TRUE(world_.OptionsFileSays("write_buffer_size=123456"));
}

TEST_F(FamilyOptionsTest, ValuesAreBroughtIntoTheirRange) {
  Open();
  ASSERT_TRUE(Set({{"max_write_buffer_number", "1"}}).ok());
  EXPECT_EQ(default_->options()->max_write_buffer_number, 2);
}

TEST_F(FamilyOptionsTest, NoFileIsWrittenWhereNothingChanges) {
  Open();
  EXPECT_TRUE(Set({{"write_buffer_size", std::to_string(before_)}}).ok());
  EXPECT_TRUE(Set({}).IsInvalidArgument());
  ExpectAsBefore();
}

TEST_F(FamilyOptionsTest, UnknownAndUnfitValuesChangeNothing) {
  Open();
  const Values good{{"write_buffer_size", "123456"}};
  for (const auto& [name, value] :
       Values{{"no_such_option", "1"},
              {"num_levels", "3"},  // It cannot be changed while open.
              {"max_write_buffer_number", "many"},
              {"block_protection_bytes_per_key", "3"}}) {
    Values options = good;
    options[name] = value;
    EXPECT_FALSE(Set(options).ok()) << name;
  }
  ExpectAsBefore();
}

TEST_F(FamilyOptionsTest, AllChangeOrNone) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  const Values good{{"write_buffer_size", "123456"}};
  const Values bad{{"write_buffer_size", "little"}};
  EXPECT_FALSE(
      world_.family_changes->SetOptions({{default_, &good}, {other, &bad}})
          .ok());
  ExpectAsBefore();
  EXPECT_TRUE(
      world_.family_changes->SetOptions({{default_, &good}, {other, &good}})
          .ok());
  EXPECT_EQ(BufferSizeOf(other), 123456u);
  const ColumnFamilyRef held = other->shared_from_this();
  world_.Drop(other);
  const Values next{{"write_buffer_size", "234567"}};
  EXPECT_TRUE(
      world_.family_changes->SetOptions({{default_, &next}, {other, &next}})
          .IsColumnFamilyDropped());
  EXPECT_EQ(BufferSizeOf(default_), 123456u);
}

TEST_F(FamilyOptionsTest, WhatNoFileSaysIsInForceAllTheSame) {
  Open();
  world_.FailNext(".dbtmp");
  EXPECT_TRUE(Set({{"write_buffer_size", "123456"}}).IsIOError());
  EXPECT_EQ(BufferSizeOf(default_), 123456u);
  EXPECT_EQ(world_.CurrentOptionsFile(), 0u);
}

TEST_F(FamilyOptionsTest, WhoeverLocksTheLogDoesNotWait) {
  Open();
  world_.LockLog();
  EXPECT_TRUE(Set({{"write_buffer_size", "123456"}}).ok());
  ASSERT_TRUE(world_.wal_lock.GiveBack().ok());
}

// --- what a change has done

TEST_F(FamilyOptionsTest, CompactionsThatItMakesDueBegin) {
  Open();
  ASSERT_TRUE(world_.stored.Flush("a@1=v").ok());
  EXPECT_EQ(world_.env.job_count(), 0u);
  ASSERT_TRUE(Set({{"level0_file_num_compaction_trigger", "1"}}).ok());
  ASSERT_EQ(world_.env.job_count(), 1u);
  world_.env.RunNext();
}

TEST_F(FamilyOptionsTest, SealedMemtablesThatNeedNotWaitAnyMoreAreFlushed) {
  world_.f.family.min_write_buffer_number_to_merge = 3;
  Open();
  world_.Insert(default_, "a");
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.memtables->SealOlder({default_}).ok());
    world_.flushes->Queue(default_, FlushReason::kWriteBufferFull);
    EXPECT_FALSE(default_->schedule.queued_for_flush);
  }
  ASSERT_TRUE(Set({{"max_write_buffer_number", "2"}}).ok());
  ASSERT_EQ(world_.env.job_count(), 1u);
  world_.env.RunNext();
  EXPECT_EQ(world_.Tables(), "L0 [a@1=v]");
}

TEST_F(FamilyOptionsTest, ListenersAreToldOfAStallThatItBrings) {
  world_.f.family.level0_file_num_compaction_trigger = 1;
  Open();
  ASSERT_TRUE(world_.stored.Flush("a@1=v").ok());
  ASSERT_TRUE(Set({{"level0_slowdown_writes_trigger", "1"}}).ok());
  world_.env.RunNext();
  EXPECT_EQ(world_.controller.condition(), WriteStallCondition::kDelayed);
  EXPECT_EQ(listener_->told, Lines{"default"});
}

TEST_F(FamilyOptionsTest, AgesAreKeptAsLongAsSomeFamilyAsksForThem) {
  Open();
  ASSERT_TRUE(Set({{"preserve_internal_time_seconds", "1000000"}}).ok());
  EXPECT_TRUE(world_.KnowsAges());
  ASSERT_TRUE(Set({{"preserve_internal_time_seconds", "0"}}).ok());
  EXPECT_FALSE(world_.KnowsAges());
}

// --- history

class FamilyHistoryTest : public FamilyOptionsTest {
 protected:
  FamilyHistoryTest() {
    world_.f.family.comparator = BytewiseComparatorWithU64Ts();
    world_.f.family.merge_operator = nullptr;
  }
  Status Raise(ColumnFamilyData* cfd, const std::string& low) {
    return world_.family_changes->RaiseHistory(cfd, low);
  }
  static std::string LowOf(ColumnFamilyData* cfd) {
    SuperVersion* const state = cfd->AcquireReferenced();
    std::string low = state->full_history_ts_low;
    ColumnFamilyData::Release(state);
    return low;
  }
  uint64_t ManifestBytes() const {
    return world_.versions()->manifest()->size_bytes();
  }
  // Timestamps are little-endian.
  const std::string old_ = std::string("\5\0\0\0\0\0\0\0", 8);
  const std::string new_ = std::string("\7\0\0\0\0\0\0\0", 8);
};

TEST_F(FamilyHistoryTest, ItsEndIsRaisedAndNeverLowered) {
  Open();
  ASSERT_TRUE(Raise(default_, old_).ok());
  EXPECT_EQ(LowOf(default_), old_);
  ASSERT_TRUE(Raise(default_, new_).ok());
  EXPECT_EQ(LowOf(default_), new_);
  EXPECT_TRUE(Raise(default_, old_).IsInvalidArgument());
  const uint64_t bytes = ManifestBytes();
  EXPECT_TRUE(Raise(default_, new_).ok());
  EXPECT_EQ(ManifestBytes(), bytes);  // Nothing is to be said.
  EXPECT_EQ(LowOf(default_), new_);
}

TEST_F(FamilyHistoryTest, ItIsOfFamiliesWithTimestampsAndOfTheirSize) {
  Open();
  EXPECT_TRUE(Raise(default_, "short").IsInvalidArgument());
  EXPECT_EQ(LowOf(default_), "");
  ColumnFamilyOptions plain = world_.f.family;
  plain.comparator = BytewiseComparator();
  ColumnFamilyData* const without = world_.Add("without", plain);
  EXPECT_TRUE(Raise(without, old_).IsInvalidArgument());
  EXPECT_TRUE(Raise(without, "").IsInvalidArgument());
  ColumnFamilyData* const gone = world_.Add("gone");
  const ColumnFamilyRef held = gone->shared_from_this();
  world_.Drop(gone);
  EXPECT_TRUE(Raise(gone, old_).IsColumnFamilyDropped());
  EXPECT_TRUE(world_.told.empty());
}

// A flush leaves the timestamps out: they wait for it until they are history.
TEST_F(FamilyHistoryTest, WhatHasBecomeHistoryIsFlushed) {
  world_.f.family.persist_user_defined_timestamps = false;
  Open();
  ASSERT_TRUE(Raise(default_, old_).ok());
  world_.Insert(default_, "a" + old_);
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.memtables->SealOlder({default_}).ok());
    world_.flushes->Queue(default_, FlushReason::kWriteBufferFull);
    EXPECT_FALSE(default_->schedule.queued_for_flush);
  }
  ASSERT_TRUE(Raise(default_, new_).ok());
  ASSERT_EQ(world_.env.job_count(), 1u);
  world_.env.RunNext();
  EXPECT_EQ(world_.stored.FilesInVersion().size(), 1u);
}

TEST_F(FamilyHistoryTest, WhatTheManifestDoesNotSayIsNotInForce) {
  Open();
  world_.FailNext("MANIFEST");
  EXPECT_TRUE(Raise(default_, old_).IsIOError());
  EXPECT_EQ(LowOf(default_), "");
  ASSERT_EQ(world_.told.size(), 1u);
  EXPECT_EQ(world_.told[0].reason, BackgroundErrorReason::kManifestWrite);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
