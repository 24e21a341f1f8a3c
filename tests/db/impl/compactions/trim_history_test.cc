// DB::OpenAndTrimHistory(): what is left is what was there as of a timestamp.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "util/builtin_merge_operators.h"
#include "util/key/internal_key.h"
#include "util/random.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TrimHistoryTest : public FamiliesFixture {
 protected:
  TrimHistoryTest() {
    options_.comparator = BytewiseComparatorWithU64Ts();
    options_.merge_operator = NewStringAppendOperator(",");
    options_.create_missing_column_families = true;
    options_.disable_auto_compactions = true;
    options_.info_log_level = InfoLogLevel::FATAL_LEVEL;
  }
  ~TrimHistoryTest() override { CloseFamilies(); }

  // "default", "one", and "plain" without timestamps.
  std::vector<ColumnFamilyDescriptor> Families() const {
    const ColumnFamilyOptions stamped(options_);
    ColumnFamilyOptions plain(options_);
    plain.comparator = BytewiseComparator();
    return {{"default", stamped}, {"one", stamped}, {"plain", plain}};
  }
  void OpenAll() {
    CloseFamilies();
    ASSERT_OK(
        DB::Open(DBOptions(options_), path_, Families(), &handles_, &db_));
  }
  Status Trim(const std::string& trim_ts) {
    CloseFamilies();
    return DB::OpenAndTrimHistory(DBOptions(options_), path_, Families(),
                                  &handles_, &db_, trim_ts);
  }

  static std::string KeyOf(uint64_t i) { return "key" + std::to_string(i); }
  void WriteOne(uint64_t ts) {
    ColumnFamilyHandle* const family = handles_[random_.Uniform(2)];
    const uint64_t i = 10 + random_.Uniform(30);
    const WriteOptions write;
    const std::string value = std::to_string(ts) + std::string(80, 'v');
    Status s;
    switch (random_.Uniform(6)) {
      case 0:
        s = db_->Delete(write, family, KeyOf(i), Ts(ts));
        break;
      case 1:
        s = db_->DeleteRange(write, family, KeyOf(i),
                             KeyOf(i + random_.Uniform(5)), Ts(ts));
        break;
      case 2:
        s = db_->Merge(write, family, KeyOf(i), Ts(ts), "m");
        break;
      default:
        s = db_->Put(write, family, KeyOf(i), Ts(ts), value);
    }
    ASSERT_OK(s);
  }
  // Leaves some of it in memory, some in files of several levels.
  void Fill() {
    ASSERT_OK(db_->Put(WriteOptions(), handles_[2], "p", "plain"));
    for (uint64_t ts = 1; ts <= kNewest; ++ts) {
      ASSERT_NO_FATAL_FAILURE(WriteOne(ts));
      if (ts % 60 == 0) ASSERT_OK(db_->Flush(FlushOptions(), handles_));
      if (ts == 250) {
        for (ColumnFamilyHandle* family : handles_) {
          ASSERT_OK(db_->CompactRange(CompactRangeOptions(), family, nullptr,
                                      nullptr));
        }
      }
    }
  }

  // What a scan as of `ts` finds in every family that has timestamps.
  std::string StateAt(uint64_t ts) {
    std::string text;
    for (size_t family = 0; family < 2; ++family) {
      text += ScanText(db_.get(), AsOf(ts).options, handles_[family]) + "| ";
    }
    return text;
  }
  // The states at some timestamps up to `newest`.
  std::string StatesTo(uint64_t newest) {
    std::string text;
    for (uint64_t ts = 0; ts < newest; ts += 7) text += StateAt(ts) + "\n";
    return text + StateAt(newest);
  }
  // How many versions newer than `ts` the families with timestamps hold.
  int VersionsAfter(uint64_t ts) {
    int count = 0;
    for (size_t family = 0; family < 2; ++family) {
      AsOf all(UINT64_MAX);
      const std::unique_ptr<Iterator> it(
          db_->NewIterator(all.From(0).options, handles_[family]));
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        count += TsOf(it->timestamp()) > ts;
      }
      EXPECT_OK(it->status());
    }
    return count;
  }
  std::string Plain() { return GetFrom(2, "p"); }

  static constexpr uint64_t kNewest = 500;
  Random64 random_{301};
};

struct TrimShape {
  const char* name;
  CompactionStyle style = kCompactionStyleLevel;
  int num_levels = 7;
  bool has_blobs = false;
  bool moves = false;  // compactions between levels, unless they must write
  uint32_t max_subcompactions = 1;
  bool is_automatic = false;  // compactions run beside
};

class TrimShapes : public TrimHistoryTest,
                   public ::testing::WithParamInterface<TrimShape> {
 protected:
  TrimShapes() {
    const TrimShape& shape = GetParam();
    options_.compaction_style = shape.style;
    options_.num_levels = shape.num_levels;
    options_.enable_blob_files = shape.has_blobs;
    options_.min_blob_size = 50;
    options_.compaction_options_universal.allow_trivial_move = shape.moves;
    options_.max_subcompactions = shape.max_subcompactions;
    options_.target_file_size_base = 4096;
    if (!shape.is_automatic) return;
    options_.disable_auto_compactions = false;
    options_.level0_file_num_compaction_trigger = 2;
    options_.max_bytes_for_level_base = 8192;
    options_.max_bytes_for_level_multiplier = 2;
  }
};

TEST_P(TrimShapes, WhatIsNewerIsGone) {
  ASSERT_NO_FATAL_FAILURE(OpenAll());
  ASSERT_NO_FATAL_FAILURE(Fill());
  for (const uint64_t trim : {kNewest, uint64_t{411}, uint64_t{97}}) {
    SCOPED_TRACE(trim);
    const std::string states = StatesTo(trim);
    const std::string state = StateAt(trim);
    ASSERT_OK(Trim(Ts(trim)));
    ASSERT_EQ(handles_.size(), 3u);
    EXPECT_EQ(StatesTo(trim), states);
    EXPECT_EQ(StateAt(UINT64_MAX), state);
    EXPECT_EQ(VersionsAfter(trim), 0);
    EXPECT_EQ(Plain(), "plain");
    // And stays so.
    ASSERT_NO_FATAL_FAILURE(OpenAll());
    EXPECT_EQ(StateAt(UINT64_MAX), state);
  }
  // History goes on from there.
  ASSERT_OK(db_->Put(WriteOptions(), handles_[0], "key10", Ts(98), "again"));
  EXPECT_EQ(GetText(db_.get(), AsOf(98).options, "key10"), "again@98");
  ASSERT_OK(Trim(Ts(0)));
  EXPECT_EQ(StateAt(UINT64_MAX), "| | ");
}

// A single file, which a compaction down to an empty level would only move.
TEST_P(TrimShapes, AFileThatWouldBeMoved) {
  ASSERT_NO_FATAL_FAILURE(OpenAll());
  ASSERT_OK(db_->Put(WriteOptions(), handles_[0], "a", Ts(1), "1"));
  ASSERT_OK(db_->Put(WriteOptions(), handles_[0], "a", Ts(9), "9"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  ASSERT_OK(Trim(Ts(5)));
  EXPECT_EQ(GetText(db_.get(), AsOf(9).options, "a"), "1@1");
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, TrimShapes,
    ::testing::Values(TrimShape{.name = "Leveled"},
                      TrimShape{.name = "OneLevel", .num_levels = 1},
                      TrimShape{.name = "Blobs", .has_blobs = true},
                      TrimShape{.name = "Parts", .max_subcompactions = 4},
                      TrimShape{.name = "Automatic", .is_automatic = true},
                      TrimShape{.name = "Universal",
                                .style = kCompactionStyleUniversal},
                      TrimShape{.name = "UniversalAutomatic",
                                .style = kCompactionStyleUniversal,
                                .is_automatic = true},
                      TrimShape{.name = "UniversalMoves",
                                .style = kCompactionStyleUniversal,
                                .moves = true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(TrimHistoryTest, BlobsOfWhatIsGoneAreGarbage) {
  options_.enable_blob_files = true;
  ASSERT_NO_FATAL_FAILURE(OpenAll());
  const std::string value(100, 'v');
  for (const uint64_t ts : {1, 2, 3, 4}) {
    ASSERT_OK(db_->Put(WriteOptions(), handles_[0], "a", Ts(ts), value));
  }
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  ASSERT_OK(Trim(Ts(1)));
  uint64_t garbage_bytes = 0;
  ASSERT_TRUE(db_->GetIntProperty(
      handles_[0], DB::Properties::kLiveBlobFileGarbageSize, &garbage_bytes));
  constexpr size_t kHeaderAndKey = 32 + 9;
  EXPECT_EQ(garbage_bytes, 3 * (kHeaderAndKey + value.size()));
}

TEST_F(TrimHistoryTest, RefusalsLeaveEverything) {
  ASSERT_NO_FATAL_FAILURE(OpenAll());
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(db_->IncreaseFullHistoryTsLow(handles_[1], Ts(100)));
  const std::string state = StateAt(kNewest);
  Status s = Trim("short");
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  s = Trim(Ts(99));
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(s.ToString().find("one"), std::string::npos) << s.ToString();
  const Options whole = options_;
  options_.compaction_style = kCompactionStyleFIFO;
  s = Trim(Ts(200));
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  options_ = whole;
  options_.persist_user_defined_timestamps = false;
  options_.allow_concurrent_memtable_write = false;
  s = Trim(Ts(200));
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_EQ(db_, nullptr);
  EXPECT_TRUE(handles_.empty());
  options_ = whole;
  options_.create_if_missing = false;
  path_ += "-none";
  EXPECT_TRUE(Trim(Ts(200)).IsInvalidArgument());
  path_.resize(path_.size() - 5);
  ASSERT_NO_FATAL_FAILURE(OpenAll());
  EXPECT_EQ(StateAt(kNewest), state);
  ASSERT_OK(Trim(Ts(100)));
}

TEST_F(TrimHistoryTest, AsAPlainPointerAndWithoutHandles) {
  ASSERT_NO_FATAL_FAILURE(OpenAll());
  ASSERT_NO_FATAL_FAILURE(Fill());
  CloseFamilies();
  DB* raw = nullptr;
  ASSERT_OK(DB::OpenAndTrimHistory(DBOptions(options_), path_, Families(),
                                   nullptr, &raw, Ts(3)));
  db_.reset(raw);
  ASSERT_NO_FATAL_FAILURE(OpenAll());
  EXPECT_EQ(VersionsAfter(3), 0);
}

class TrimFaults : public TrimHistoryTest,
                   public ::testing::WithParamInterface<FaultKind> {
 protected:
  TrimFaults() {
    options_.env = env_.get();
    path_ = "/db";
  }
  ~TrimFaults() override { CloseFamilies(); }

  static MemFileSystemOptions InMemory() {
    MemFileSystemOptions options;
    options.implicit_directories = true;
    return options;
  }
  const std::shared_ptr<FaultInjectionFileSystem> fs_ =
      std::make_shared<FaultInjectionFileSystem>(
          std::make_shared<MemFileSystem>(SystemClock::Default(), InMemory()));
  const std::unique_ptr<Env> env_ = NewCompositeEnv(fs_);
};

// Says so, leaves nothing open, and goes on when it is called again.
TEST_P(TrimFaults, EveryCallFailsOnce) {
  int errors = 0;
  bool struck = true;
  for (uint64_t k = 1; struck; k += 1 + k / 40) {
    ASSERT_LT(k, 5000u) << "it never runs through";
    path_ = "/db" + std::to_string(k);
    ASSERT_NO_FATAL_FAILURE(OpenAll());
    ASSERT_NO_FATAL_FAILURE(Fill());
    const std::string states = StatesTo(300);
    CloseFamilies();
    fs_->FailCall(
        {.call = k, .kind = GetParam(), .scope = FaultScope::kAllCalls});
    const Status s = Trim(Ts(300));
    struck = fs_->failed();
    SCOPED_TRACE("call " + std::to_string(k) + ": " + fs_->failed_call() +
                 ": " + s.ToString());
    fs_->ClearFault();
    if (!s.ok()) {
      ++errors;
      ASSERT_EQ(db_, nullptr);
      ASSERT_TRUE(handles_.empty());
      ASSERT_EQ(fs_->open_handles(), 0u);
      ASSERT_OK(Trim(Ts(300)));
    }
    ASSERT_EQ(StatesTo(300), states);
    ASSERT_EQ(VersionsAfter(300), 0);
    CloseFamilies();
    ASSERT_OK(DestroyDB(path_, options_, Families()));
  }
  EXPECT_GT(errors, 5);
}

INSTANTIATE_TEST_SUITE_P(Kinds, TrimFaults,
                         ::testing::Values(FaultKind::kIOError,
                                           FaultKind::kNoSpace),
                         [](const auto& info) {
                           return info.param == FaultKind::kNoSpace ? "NoSpace"
                                                                    : "IOError";
                         });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
