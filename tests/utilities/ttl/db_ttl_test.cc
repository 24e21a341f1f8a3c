// Values that live for a time: testdata/utilities/ttl.txt, in the language of
// ttl_world.h. Here are filters of the application, cursors, classes as text,
// and what is not supported.
#include "rocksdb/utilities/db_ttl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "env/composite_env.h"
#include "rocksdb/attribute_groups.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/mock_clock.h"
#include "tests/testing/script.h"
#include "tests/testing/script_steps.h"
#include "tests/utilities/ttl/ttl_world.h"
#include "util/builtin_merge_operators.h"
#include "util/coding.h"
#include "utilities/ttl/ttl_compaction_filter.h"
#include "utilities/ttl/ttl_iterator.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr uint64_t kStart = 1600000000;

// A database whose clock stands still until the test moves it.
class DbTtlTest : public DbFixture {
 protected:
  DbTtlTest()
      : clock_(std::make_shared<MockClock>(kStart * 1000000)),
        env_(std::make_unique<CompositeEnvWrapper>(
            Env::Default(), FileSystem::Default(), clock_)) {
    options_.env = env_.get();
    options_.disable_auto_compactions = true;
  }
  ~DbTtlTest() override { CloseTtl(); }

  void CloseTtl() {
    if (ttl_ == nullptr) return;
    for (ColumnFamilyHandle* handle : handles_) {
      EXPECT_OK(ttl_->DestroyColumnFamilyHandle(handle));
    }
    handles_.clear();
    ttl_.reset();
  }
  Status TryOpenTtl(int32_t ttl, bool read_only = false) {
    CloseTtl();
    DBWithTTL* db = nullptr;
    Status s = DBWithTTL::Open(options_, path_, &db, ttl, read_only);
    ttl_.reset(db);
    return s;
  }
  void OpenTtl(int32_t ttl) { ASSERT_OK(TryOpenTtl(ttl)); }
  Status TryOpenFamilies(const std::vector<std::string>& names,
                         const std::vector<int32_t>& ttls,
                         bool read_only = false) {
    CloseTtl();
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) {
      families.emplace_back(name, ColumnFamilyOptions(options_));
    }
    DBOptions db_options(options_);
    db_options.create_missing_column_families = true;
    DBWithTTL* db = nullptr;
    Status s = DBWithTTL::Open(db_options, path_, families, &handles_, &db,
                               ttls, read_only);
    ttl_.reset(db);
    return s;
  }
  DB* base() { return ttl_->GetBaseDB(); }
  void Wait(uint64_t seconds) { clock_->Advance(seconds * 1000000); }
  Status Put(const std::string& key, const std::string& value) {
    return ttl_->Put(WriteOptions(), key, value);
  }
  static std::string GetOf(DB* db, const std::string& key,
                           ColumnFamilyHandle* family = nullptr) {
    std::string value;
    if (family == nullptr) family = db->DefaultColumnFamily();
    const Status s = db->Get(ReadOptions(), family, key, &value);
    if (s.IsNotFound()) return "NOT_FOUND";
    return s.ok() ? value : s.ToString();
  }
  std::string Get(const std::string& key) { return GetOf(ttl_.get(), key); }
  Status Compact(ColumnFamilyHandle* family = nullptr) {
    CompactRangeOptions options;
    options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    if (family == nullptr) family = ttl_->DefaultColumnFamily();
    return ttl_->CompactRange(options, family, nullptr, nullptr);
  }
  static std::string Stored(const std::string& value, uint64_t seconds) {
    std::string stored = value;
    PutFixed32(&stored, static_cast<uint32_t>(seconds));
    return stored;
  }

  const std::shared_ptr<MockClock> clock_;
  const std::unique_ptr<Env> env_;
  std::unique_ptr<DBWithTTL> ttl_;
  std::vector<ColumnFamilyHandle*> handles_;
};

TEST(DbTtlScriptTest, EveryCase) {
  const size_t count = RunScript("utilities/ttl.txt", [](const ScriptCase& c) {
    TtlWorld world((ScriptWords(c.command)));
    return AnswersOfSteps(c,
                          [&](const std::string& who, const ScriptWords& step) {
                            return world.Take(who, step);
                          });
  });
  EXPECT_GE(count, 17u) << "cases went missing";
}

TEST_F(DbTtlTest, NoTimestampsOfKeys) {
  OpenTtl(0);
  ASSERT_OK(Put("k", "A"));
  PinnableSlice pinned;
  std::string timestamp;
  EXPECT_TRUE(ttl_->Get(ReadOptions(), ttl_->DefaultColumnFamily(), "k",
                        &pinned, &timestamp)
                  .IsNotSupported());
}

TEST_F(DbTtlTest, TimesAreAskedForWithAFamily) {
  ASSERT_OK(TryOpenFamilies({"default", "a"}, {10, 20}));
  int32_t ttl = 0;
  EXPECT_TRUE(ttl_->GetTtl(nullptr, &ttl).IsInvalidArgument());
  EXPECT_TRUE(ttl_->GetTtl(handles_[0], nullptr).IsInvalidArgument());
}

TEST_F(DbTtlTest, NoBatchAtAll) {
  OpenTtl(0);
  EXPECT_TRUE(ttl_->Write(WriteOptions(), nullptr).IsInvalidArgument());
}

// The copy with the times must not hide that keys have no timestamps.
TEST_F(DbTtlTest, BatchesNeedTimestampsWhereTheirFamilyHasThem) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  OpenTtl(0);
  ColumnFamilyHandle* const family = ttl_->DefaultColumnFamily();
  WriteBatch waiting;
  ASSERT_OK(waiting.Put(family, "k", "v"));
  EXPECT_TRUE(ttl_->Write(WriteOptions(), &waiting).IsInvalidArgument());
  WriteBatch plain;
  ASSERT_OK(plain.Put("a key longer than a timestamp", "v"));
  EXPECT_TRUE(ttl_->Write(WriteOptions(), &plain).IsInvalidArgument());
  const std::string timestamp(sizeof(uint64_t), '\1');
  WriteBatch stamped;
  ASSERT_OK(stamped.Put(family, "k", timestamp, "v"));
  ASSERT_OK(ttl_->Write(WriteOptions(), &stamped));
  const Slice now(timestamp);
  ReadOptions read;
  read.timestamp = &now;
  std::string value;
  ASSERT_OK(ttl_->Get(read, family, "k", &value));
  EXPECT_EQ(value, "v");
}

TEST_F(DbTtlTest, NoListOfHandles) {
  OpenTtl(0);
  EXPECT_TRUE(ttl_->CreateColumnFamilies({}, nullptr).IsInvalidArgument());
}

// Removes X, changes C, and notes what it is shown.
class NotingFilter final : public CompactionFilter {
 public:
  explicit NotingFilter(std::vector<std::string>* shown) : shown_(shown) {}
  const char* Name() const override { return "NotingFilter"; }
  bool Filter(int, const Slice&, const Slice& value, std::string* new_value,
              bool* value_changed) const override {
    shown_->push_back(value.ToString());
    if (value == "C") {
      *new_value = "changed";
      *value_changed = true;
    }
    return value == "X";
  }
  bool FilterMergeOperand(int, const Slice&,
                          const Slice& value) const override {
    shown_->push_back("operand " + value.ToString());
    return value == "X";
  }

 private:
  std::vector<std::string>* const shown_;
};

class NotingFactory final : public CompactionFilterFactory {
 public:
  explicit NotingFactory(std::vector<std::string>* shown) : shown_(shown) {}
  const char* Name() const override { return "NotingFactory"; }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context&) override {
    return std::make_unique<NotingFilter>(shown_);
  }

 private:
  std::vector<std::string>* const shown_;
};

TEST_F(DbTtlTest, TheApplicationsFilterIsAsked) {
  std::vector<std::string> shown;
  const NotingFilter filter(&shown);
  for (const bool is_plain : {true, false}) {
    CloseTtl();
    ASSERT_OK(DestroyDB(path_, options_));
    shown.clear();
    options_.compaction_filter = is_plain ? &filter : nullptr;
    options_.compaction_filter_factory =
        is_plain ? nullptr : std::make_shared<NotingFactory>(&shown);
    OpenTtl(10);
    ASSERT_OK(Put("old", "old"));
    Wait(11);
    const uint64_t written = clock_->NowMicros() / 1000000;
    ASSERT_OK(Put("c", "C"));
    ASSERT_OK(Put("k", "K"));
    ASSERT_OK(Put("x", "X"));
    ASSERT_OK(ttl_->Flush(FlushOptions()));
    ASSERT_OK(Compact());
    // Once more where a level is rewritten.
    EXPECT_EQ(std::set<std::string>(shown.begin(), shown.end()),
              (std::set<std::string>{"C", "K", "X", "changed"}));
    EXPECT_EQ(Get("c"), "changed");
    EXPECT_EQ(GetOf(base(), "c"), Stored("changed", written));
    EXPECT_EQ(Get("k"), "K");
    EXPECT_EQ(Get("x"), "NOT_FOUND");
    EXPECT_EQ(Get("old"), "NOT_FOUND");
    ttl_->SetTtl(100);
    Wait(50);
    ASSERT_OK(Compact());
    EXPECT_EQ(Get("k"), "K") << "of either kind of filter";
    CloseTtl();
  }
}

// Has the newest form of the call alone.
class NewestFilter final : public CompactionFilter {
 public:
  const char* Name() const override { return "NewestFilter"; }
  bool SupportsFilterV4() const override { return true; }
  Decision FilterV4(int, const Slice&, ValueType, const Slice* value,
                    const WideColumns*, std::string*,
                    std::vector<std::pair<std::string, std::string>>*,
                    std::string*, WideColumnBlobResolver*) const override {
    return value != nullptr && *value == "X" ? Decision::kRemove
                                             : Decision::kKeep;
  }
};

TEST_F(DbTtlTest, AFilterOfTheNewestFormIsAsked) {
  const NewestFilter filter{};
  options_.compaction_filter = &filter;
  OpenTtl(10);
  ASSERT_OK(Put("x", "X"));
  ASSERT_OK(Put("y", "Y"));
  ASSERT_OK(ttl_->Flush(FlushOptions()));
  ASSERT_OK(Compact());
  EXPECT_EQ(Get("x"), "NOT_FOUND");
  EXPECT_EQ(Get("y"), "Y");
  CloseTtl();
}

TEST_F(DbTtlTest, OperandsAreShownToTheFilter) {
  std::vector<std::string> shown;
  const NotingFilter filter(&shown);
  options_.compaction_filter = &filter;
  options_.merge_operator = NewStringAppendOperator(",");
  OpenTtl(10);
  ASSERT_OK(ttl_->Merge(WriteOptions(), "k", "X"));
  ASSERT_OK(ttl_->Flush(FlushOptions()));
  ASSERT_OK(ttl_->Merge(WriteOptions(), "k", "Y"));
  ASSERT_OK(ttl_->Flush(FlushOptions()));
  ASSERT_OK(Compact());
  EXPECT_NE(std::find(shown.begin(), shown.end(), "operand X"), shown.end());
  EXPECT_EQ(Get("k"), "Y");
}

TEST_F(DbTtlTest, ManyMergedOperandsAreReported) {
  options_.merge_operator = NewStringAppendOperator(",");
  OpenTtl(0);
  ASSERT_OK(ttl_->Merge(WriteOptions(), "k", "X"));
  ASSERT_OK(ttl_->Merge(WriteOptions(), "k", "Y"));
  ReadOptions read;
  for (const size_t threshold : {1u, 2u}) {
    read.merge_operand_count_threshold = threshold;
    std::string value;
    const Status s = ttl_->Get(read, "k", &value);
    ASSERT_OK(s);
    EXPECT_EQ(value, "X,Y");
    EXPECT_EQ(s.IsOkMergeOperandThresholdExceeded(), threshold < 2);
    std::vector<std::string> values;
    const std::vector<Status> statuses = ttl_->MultiGet(read, {"k"}, &values);
    ASSERT_OK(statuses[0]);
    EXPECT_EQ(values[0], "X,Y");
    EXPECT_EQ(statuses[0].IsOkMergeOperandThresholdExceeded(), threshold < 2);
  }
}

TEST_F(DbTtlTest, Iterators) {
  ASSERT_OK(TryOpenFamilies({"default", "a"}, {0, 0}));
  for (const char* key : {"a", "b", "c"}) {
    ASSERT_OK(Put(key, std::string("value of ") + key));
    Wait(1);
  }
  ASSERT_OK(ttl_->Put(WriteOptions(), handles_[1], "k", "other"));
  std::vector<Iterator*> made;
  ASSERT_OK(ttl_->NewIterators(ReadOptions(), handles_, &made));
  const std::unique_ptr<Iterator> first(made[0]);
  const std::unique_ptr<Iterator> second(made[1]);
  first->SeekToLast();
  EXPECT_EQ(first->value(), "value of c");
  first->SeekForPrev("bb");
  EXPECT_EQ(first->value(), "value of b");
  first->Prev();
  EXPECT_EQ(first->value(), "value of a");
  ASSERT_EQ(first->columns().size(), 1u);
  EXPECT_EQ(first->columns()[0].value(), "value of a");
  first->Next();
  EXPECT_EQ(static_cast<TtlIterator*>(first.get())->ttl_timestamp(),
            static_cast<int32_t>(kStart + 1));
  second->SeekToFirst();
  EXPECT_EQ(second->value(), "other");
  ASSERT_OK(Put("0", "new"));
  ASSERT_OK(first->Refresh());
  first->SeekToFirst();
  EXPECT_EQ(first->value(), "new");
  std::string property;
  EXPECT_OK(
      first->GetProperty("rocksdb.iterator.super-version-number", &property));
  ReadOptions deferring;
  deferring.allow_unprepared_value = true;
  const std::unique_ptr<Iterator> lazy(
      ttl_->NewIterator(deferring, handles_[1]));
  lazy->SeekToFirst();
  ASSERT_TRUE(lazy->Valid());
  ASSERT_TRUE(lazy->PrepareValue());
  EXPECT_EQ(lazy->value(), "other");
}

TEST_F(DbTtlTest, EveryFormOfReadLeavesTheTimeOut) {
  OpenTtl(0);
  for (const char* key : {"a", "b", "c"}) ASSERT_OK(Put(key, key));
  ASSERT_OK(ttl_->Flush(FlushOptions()));
  std::string value;
  bool is_found = false;
  EXPECT_TRUE(ttl_->KeyMayExist(ReadOptions(), "a", &value, &is_found));
  if (is_found) {
    EXPECT_EQ(value, "a");
  }
  MultiScanArgs ranges;
  ranges.insert(Slice("a"), Slice("b"));
  ranges.insert(Slice("c"), Slice("d"));
  const std::unique_ptr<MultiScan> scans =
      ttl_->NewMultiScan(ReadOptions(), ttl_->DefaultColumnFamily(), ranges);
  std::string found;
  for (auto scan : *scans) {
    for (auto entry : scan) found += entry.second.ToString();
  }
  EXPECT_EQ(found, "ac");
}

TEST_F(DbTtlTest, WhatIsNotSupported) {
  OpenTtl(0);
  ColumnFamilyHandle* family = ttl_->DefaultColumnFamily();
  EXPECT_TRUE(ttl_->PutEntity(WriteOptions(), family, "k",
                              {{kDefaultWideColumnName, "v"}})
                  .IsNotSupported());
  PinnableWideColumns columns;
  EXPECT_TRUE(
      ttl_->GetEntity(ReadOptions(), family, "k", &columns).IsNotSupported());
  const Slice key = "k";
  Status status;
  LazyWideColumns lazy;
  EXPECT_TRUE(
      ttl_->GetEntityLazy(ReadOptions(), family, "k", &lazy).IsNotSupported());
  LazyWideColumnsBatch batch;
  ttl_->MultiGetEntityLazy(ReadOptions(), family, 1, &key, &batch, &status,
                           false);
  EXPECT_TRUE(status.IsNotSupported());
  ttl_->MultiGetEntity(ReadOptions(), family, 1, &key, &columns, &status);
  EXPECT_TRUE(status.IsNotSupported());
  EXPECT_TRUE(ttl_->NewCoalescingIterator(ReadOptions(), {family})
                  ->status()
                  .IsNotSupported());
  EXPECT_TRUE(ttl_->NewAttributeGroupIterator(ReadOptions(), {family})
                  ->status()
                  .IsNotSupported());
}

TEST_F(DbTtlTest, ClassesAsText) {
  const TtlCompactionFilterFactory factory(NewTtlSetting(30), nullptr, nullptr);
  EXPECT_EQ(factory.Name(), std::string("TtlCompactionFilterFactory"));
  std::string text;
  ASSERT_OK(factory.GetOptionString(ConfigOptions(), &text));
  EXPECT_EQ(text, "user_filter_factory=nullptr;ttl=30;");
  // A plain open with the options of the file has filter and operator.
  ConfigOptions config;
  ColumnFamilyOptions made;
  ASSERT_OK(GetColumnFamilyOptionsFromString(
      config, ColumnFamilyOptions(),
      "compaction_filter_factory={id=TtlCompactionFilterFactory;"
      "user_filter_factory=nullptr;ttl=30;};"
      "merge_operator={id=TtlMergeOperator;"
      "user_operator={id=StringAppendOperator;delimiter=,;};}",
      &made));
  ASSERT_NE(made.compaction_filter_factory, nullptr);
  ASSERT_OK(made.compaction_filter_factory->GetOptionString(config, &text));
  EXPECT_EQ(text, "user_filter_factory=nullptr;ttl=30;");
  ASSERT_NE(made.merge_operator, nullptr);
  EXPECT_STREQ(made.merge_operator->Name(), "TtlMergeOperator");
  EXPECT_TRUE(
      made.compaction_filter_factory->ConfigureOption(config, "ttl", "soon")
          .IsInvalidArgument());
}

TEST_F(DbTtlTest, ItsOptionsFileIsRead) {
  options_.merge_operator = NewStringAppendOperator(",");
  OpenTtl(30);
  ASSERT_OK(ttl_->Merge(WriteOptions(), "k", "v"));
  CloseTtl();
  DBOptions db_options;
  std::vector<ColumnFamilyDescriptor> families;
  ASSERT_OK(LoadLatestOptions(ConfigOptions(), path_, &db_options, &families));
  ASSERT_EQ(families.size(), 1u);
  std::string text;
  ASSERT_NE(families[0].options.compaction_filter_factory, nullptr);
  ASSERT_OK(families[0].options.compaction_filter_factory->GetOptionString(
      ConfigOptions(), &text));
  EXPECT_EQ(text, "user_filter_factory=nullptr;ttl=30;");
  ASSERT_NE(families[0].options.merge_operator, nullptr);
  EXPECT_STREQ(families[0].options.merge_operator->Name(), "TtlMergeOperator");
}

TEST_F(DbTtlTest, ClosingWaitsForCompactions) {
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 2;
  std::vector<std::string> shown;
  for (int round = 0; round < 5; ++round) {
    options_.compaction_filter_factory =
        std::make_shared<NotingFactory>(&shown);
    OpenTtl(10);
    for (int i = 0; i < 4; ++i) {
      ASSERT_OK(Put("k" + std::to_string(i), std::string(1000, 'v')));
      ASSERT_OK(ttl_->Flush(FlushOptions()));
    }
    if (round % 2 == 0) EXPECT_OK(ttl_->Close());
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
