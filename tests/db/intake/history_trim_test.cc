// Trimming a database back to a timestamp removes every newer version from
// memory and all levels, or fails and leaves what there was.
#include "db/intake/history_trim.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "tests/db/impl/timestamp_text.h"
#include "tests/db/intake/compacting_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Whether other compactions were kept out of each that began.
class ExclusiveListener final : public EventListener {
 public:
  explicit ExclusiveListener(CompactingWorld* world) : world_(world) {}
  void OnCompactionBegin(DB*, const CompactionJobInfo& info) override {
    MutexLock lock(world_->mutex);
    begun.push_back(info.cf_name +
                    (world_->manual.HasExclusive() ? " alone" : ""));
  }
  std::vector<std::string> begun;

 private:
  CompactingWorld* const world_;
};

class HistoryPartTest : public ::testing::Test {
 protected:
  HistoryPartTest() {
    world_.f.family.comparator = BytewiseComparatorWithU64Ts();
    world_.f.db_options.listeners.push_back(listener_);
  }
  void Open() {
    world_.Open();
    family_ = world_.default_family;
    trim_ = std::make_unique<HistoryTrim>(
        HistoryTrim::Context{.db = world_.f.db.get(),
                             .mutex = world_.mutex,
                             .families = &world_.families,
                             .flush_requests = world_.requests.get(),
                             .compactions = world_.compactions.on_request.get(),
                             .obsolete = world_.obsolete.get()});
  }
  ColumnFamilyData* AddPlain() {
    ColumnFamilyOptions plain = world_.f.family;
    plain.comparator = BytewiseComparator();
    return world_.Add("plain", plain);
  }
  // "a:1 b:5": keys with their timestamps, which stay in memory.
  void Fill(ColumnFamilyData* cfd, const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      const size_t colon = word.find(':');
      world_.Insert(
          cfd, word.substr(0, colon) + Ts(std::stoull(word.substr(colon + 1))));
    }
  }
  // The same in a table.
  void FillTable(ColumnFamilyData* cfd, const std::string& text) {
    Fill(cfd, text);
    const Status s = world_.WithJobs([&] {
      return world_.requests->Flush(FlushOptions(), {cfd},
                                    FlushReason::kManualFlush);
    });
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  Status Trim(uint64_t timestamp) {
    return world_.WithJobs([&] { return trim_->Trim(Ts(timestamp)); });
  }
  // "L0 a:1 b:5": what each of its tables has.
  std::string Tables(ColumnFamilyData* of) {
    JobWorld& stored = world_.stored;
    ColumnFamilyData* const usual = std::exchange(stored.cfd, of);
    std::string text;
    for (int level = 0; level < world_.f.family.num_levels; ++level) {
      for (const FileRef& file : stored.Files(level)) {
        text += (text.empty() ? "L" : " L") + std::to_string(level);
        for (const TextEntry& e : stored.Entries(file)) {
          const Slice key(e.user_key);
          const size_t length = key.size() - sizeof(uint64_t);
          text += " " + Slice(key.data(), length).ToString() + ":" +
                  std::to_string(TsOf(Slice(key.data() + length, 8)));
        }
      }
    }
    stored.cfd = usual;
    return text;
  }
  std::string Tables() { return Tables(family_); }
  void EndHistoryBefore(ColumnFamilyData* cfd, uint64_t timestamp) {
    MutexLock lock(world_.mutex);
    cfd->set_full_history_ts_low(Ts(timestamp));
  }

  CompactingWorld world_;
  const std::shared_ptr<ExclusiveListener> listener_ =
      std::make_shared<ExclusiveListener>(&world_);
  ColumnFamilyData* family_ = nullptr;
  std::unique_ptr<HistoryTrim> trim_;
};

TEST_F(HistoryPartTest, WhatIsNewerIsLeftOutOfTablesAndMemory) {
  Open();
  ASSERT_NO_FATAL_FAILURE(FillTable(family_, "a:1 a:5 b:7"));
  Fill(family_, "c:2 c:6 a:3");
  const Status s = Trim(5);
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(Tables(), "L1 a:5 a:3 a:1 c:2");
  EXPECT_TRUE(family_->mem()->empty());
  EXPECT_TRUE(family_->imm()->empty());
}

TEST_F(HistoryPartTest, ATableOfTheLastLevelIsWrittenAgain) {
  Open();
  ASSERT_NO_FATAL_FAILURE(FillTable(family_, "a:1 a:5"));
  ASSERT_TRUE(Trim(9).ok());
  {
    MutexLock lock(world_.mutex);
    ASSERT_TRUE(world_.compactions.on_request->MoveToLevel(family_, 1, 3).ok());
  }
  ASSERT_EQ(Tables(), "L3 a:5 a:1");
  // It has nothing to do with what goes there.
  ASSERT_NO_FATAL_FAILURE(FillTable(family_, "c:1 c:7"));
  ASSERT_TRUE(Trim(1).ok());
  EXPECT_EQ(Tables(), "L3 a:1 L3 c:1");
}

TEST_F(HistoryPartTest, NothingIsLeftOfWhatIsNewAltogether) {
  Open();
  ASSERT_NO_FATAL_FAILURE(FillTable(family_, "a:3 b:4"));
  ASSERT_TRUE(Trim(2).ok());
  EXPECT_EQ(Tables(), "");
}

TEST_F(HistoryPartTest, EachFamilyWithTimestampsIsTrimmed) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  Fill(family_, "a:1 a:5");
  Fill(other, "b:2 b:6");
  ASSERT_TRUE(Trim(4).ok());
  EXPECT_EQ(Tables(), "L1 a:1");
  EXPECT_EQ(Tables(other), "L1 b:2");
  // None may take a version past, into a table that is not written again.
  for (const std::string& begun : listener_->begun) {
    EXPECT_TRUE(begun == "default alone" || begun == "other alone") << begun;
  }
  EXPECT_GE(listener_->begun.size(), 2u);
  MutexLock lock(world_.mutex);
  EXPECT_FALSE(world_.manual.HasExclusive());
}

TEST_F(HistoryPartTest, AFamilyWithoutTimestampsStaysAsItIs) {
  Open();
  ColumnFamilyData* const plain = AddPlain();
  ASSERT_NO_FATAL_FAILURE(FillTable(plain, "a:5"));
  Fill(plain, "b:6");
  ASSERT_TRUE(Trim(1).ok());
  EXPECT_EQ(Tables(plain), "L0 a:5");
  EXPECT_EQ(plain->mem()->entry_count(), 1u);
  EXPECT_TRUE(listener_->begun.empty());
}

// --- what is refused

TEST_F(HistoryPartTest, SoOldAStateIsNotKept) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  ASSERT_NO_FATAL_FAILURE(FillTable(family_, "a:5 a:9"));
  ASSERT_NO_FATAL_FAILURE(FillTable(other, "b:6 b:9"));
  Fill(family_, "c:7");
  EndHistoryBefore(other, 6);
  const Status s = Trim(5);
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(s.ToString().find("column family other begins at 6"),
            std::string::npos)
      << s.ToString();
  // Not of those either that could be trimmed.
  EXPECT_EQ(Tables(), "L0 a:9 a:5");
  EXPECT_EQ(family_->mem()->entry_count(), 1u);
  ASSERT_TRUE(Trim(6).ok());
  EXPECT_EQ(Tables(other), "L1 b:6");
}

TEST_F(HistoryPartTest, NothingIsTrimmedWhileNobodyMayCompact) {
  Open();
  ASSERT_NO_FATAL_FAILURE(FillTable(family_, "a:1 a:5"));
  ASSERT_TRUE(world_.stop.DisableManual());
  EXPECT_TRUE(Trim(1).IsManualCompactionPaused());
  EXPECT_EQ(Tables(), "L0 a:5 a:1");
}

// --- what fails on the way

TEST_F(HistoryPartTest, WithoutItsFlushNoTableOfAFamilyIsTrimmed) {
  Open();
  ASSERT_NO_FATAL_FAILURE(FillTable(family_, "a:1 a:5"));
  Fill(family_, "b:2");
  world_.Log("b");
  ASSERT_TRUE(world_.wal_lock.Take([] { return Status::OK(); }).ok());
  EXPECT_TRUE(Trim(1).IsAborted());
  ASSERT_TRUE(world_.wal_lock.GiveBack().ok());
  EXPECT_EQ(Tables(), "L0 a:5 a:1");
  world_.FailNext(".sst");
  EXPECT_TRUE(Trim(1).IsIOError());
  EXPECT_EQ(Tables(), "L0 a:5 a:1");
  EXPECT_EQ(family_->imm()->size(), 1u);
  EXPECT_TRUE(listener_->begun.empty());
}

TEST_F(HistoryPartTest, ACompactionThatFailsLeavesWhatThereWas) {
  Open();
  ColumnFamilyData* const other = world_.Add("other");
  ASSERT_NO_FATAL_FAILURE(FillTable(family_, "a:1 a:5"));
  Fill(other, "b:6");
  for (const char* path : {".sst", "MANIFEST"}) {
    SCOPED_TRACE(path);
    world_.FailNext(path);
    EXPECT_TRUE(Trim(1).IsIOError());
    EXPECT_EQ(Tables(), "L0 a:5 a:1");
    EXPECT_EQ(other->mem()->entry_count(), 1u);  // Its turn never came.
    MutexLock lock(world_.mutex);
    EXPECT_FALSE(world_.manual.HasExclusive());
    EXPECT_FALSE(world_.errors.error().ok());
    world_.errors.Clear();
  }
  ASSERT_TRUE(Trim(1).ok());
  EXPECT_EQ(Tables(), "L1 a:1");
  EXPECT_EQ(Tables(other), "");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
