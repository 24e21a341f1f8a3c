// A database with a time to live hides its timestamps from every read and drops
// what has expired in compactions only.
#include "rocksdb/utilities/db_ttl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "env/composite_env.h"
#include "rocksdb/attribute_groups.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/convenience.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/mock_clock.h"
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

TEST_F(DbTtlTest, ValuesAreStoredWithTheirTime) {
  OpenTtl(0);
  ASSERT_OK(Put("k", "A"));
  EXPECT_EQ(GetOf(base(), "k"), Stored("A", kStart));
  EXPECT_EQ(Get("k"), "A");
  PinnableSlice pinned;
  ASSERT_OK(
      ttl_->Get(ReadOptions(), ttl_->DefaultColumnFamily(), "k", &pinned));
  EXPECT_EQ(pinned.ToString(), "A");
  std::string timestamp;
  EXPECT_TRUE(ttl_->Get(ReadOptions(), ttl_->DefaultColumnFamily(), "k",
                        &pinned, &timestamp)
                  .IsNotSupported());
}

TEST_F(DbTtlTest, ValuesThatHaveNone) {
  OpenTtl(0);
  const uint64_t first = 1368146402;
  ASSERT_OK(base()->Put(WriteOptions(), "short", "ab"));
  ASSERT_OK(base()->Put(WriteOptions(), "zero", Stored("x", 0)));
  ASSERT_OK(base()->Put(WriteOptions(), "before", Stored("x", first - 1)));
  ASSERT_OK(base()->Put(WriteOptions(), "first", Stored("x", first)));
  EXPECT_EQ(Get("short"),
            "Corruption: Error: value's length less than timestamp's\n");
  EXPECT_EQ(Get("zero"),
            "Corruption: Error: Timestamp < ttl feature release time!\n");
  EXPECT_NE(Get("before"), "x");
  EXPECT_EQ(Get("first"), "x");
  std::string value;
  EXPECT_FALSE(ttl_->KeyMayExist(ReadOptions(), "short", &value));
  const std::vector<Slice> keys{"first", "short", "none"};
  std::vector<std::string> values;
  const std::vector<Status> statuses =
      ttl_->MultiGet(ReadOptions(), keys, &values);
  EXPECT_OK(statuses[0]);
  EXPECT_EQ(values[0], "x");
  EXPECT_TRUE(statuses[1].IsCorruption());
  EXPECT_TRUE(statuses[2].IsNotFound());
  // They end an iteration, with an error.
  const std::unique_ptr<Iterator> it(ttl_->NewIterator(ReadOptions()));
  it->Seek("first");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), "x");
  it->Next();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsCorruption());
  it->Seek("first");
  EXPECT_TRUE(it->Valid());
  EXPECT_OK(it->status());
}

TEST_F(DbTtlTest, CompactionsDropWhatIsTooOld) {
  OpenTtl(10);
  ASSERT_OK(Put("k", "v"));
  ASSERT_OK(ttl_->Flush(FlushOptions()));
  Wait(10);
  ASSERT_OK(Compact());
  EXPECT_EQ(Get("k"), "v") << "at that very moment it is still young";
  Wait(1);
  EXPECT_EQ(Get("k"), "v") << "reads hide nothing";
  ASSERT_OK(Compact());
  EXPECT_EQ(Get("k"), "NOT_FOUND");
}

TEST_F(DbTtlTest, ForEver) {
  for (const int32_t ttl : {0, -1}) {
    OpenTtl(ttl);
    ASSERT_OK(Put("k", "v"));
    Wait(uint64_t{10} * 365 * 24 * 3600);
    ASSERT_OK(Compact());
    EXPECT_EQ(Get("k"), "v");
  }
}

TEST_F(DbTtlTest, BeyondTheYear2038) {
  clock_->SetNowMicros(uint64_t{2208988800} * 1000000);  // 2040
  OpenTtl(100);
  ASSERT_OK(Put("k", "v"));
  EXPECT_EQ(Get("k"), "v");
  Wait(100);
  ASSERT_OK(Compact());
  EXPECT_EQ(Get("k"), "v");
  Wait(1);
  ASSERT_OK(Compact());
  EXPECT_EQ(Get("k"), "NOT_FOUND");
}

TEST_F(DbTtlTest, FamiliesWithTimesOfTheirOwn) {
  EXPECT_EQ(TryOpenFamilies({"default", "a"}, {1}).ToString(),
            "Invalid argument: ttls size has to be the same as number of "
            "column families");
  ASSERT_OK(TryOpenFamilies({"default", "a", "b"}, {10, 20, 0}));
  for (ColumnFamilyHandle* handle : handles_) {
    ASSERT_OK(ttl_->Put(WriteOptions(), handle, "k", "v"));
  }
  ColumnFamilyHandle* later = nullptr;
  ASSERT_OK(ttl_->CreateColumnFamilyWithTtl(ColumnFamilyOptions(options_), "c",
                                            &later, 30));
  handles_.push_back(later);
  ASSERT_OK(
      ttl_->CreateColumnFamily(ColumnFamilyOptions(options_), "d", &later));
  handles_.push_back(later);
  ASSERT_OK(ttl_->Put(WriteOptions(), handles_[3], "k", "v"));
  std::vector<int32_t> ttls;
  for (ColumnFamilyHandle* handle : handles_) {
    int32_t ttl = -7;
    EXPECT_OK(ttl_->GetTtl(handle, &ttl));
    ttls.push_back(ttl);
  }
  EXPECT_EQ(ttls, (std::vector<int32_t>{10, 20, 0, 30, 0}));
  int32_t ttl = 0;
  EXPECT_TRUE(ttl_->GetTtl(nullptr, &ttl).IsInvalidArgument());
  EXPECT_TRUE(ttl_->GetTtl(handles_[0], nullptr).IsInvalidArgument());
  Wait(21);
  std::string found;
  for (size_t i = 0; i < 4; ++i) {
    ASSERT_OK(Compact(handles_[i]));
    found += GetOf(ttl_.get(), "k", handles_[i]) + " ";
  }
  EXPECT_EQ(found, "NOT_FOUND NOT_FOUND v v ");
}

TEST_F(DbTtlTest, ReadOnly) {
  ASSERT_OK(TryOpenFamilies({"default", "a", "b"}, {10, 20, 0}));
  for (ColumnFamilyHandle* handle : handles_) {
    ASSERT_OK(ttl_->Put(WriteOptions(), handle, "k", "v"));
  }
  ASSERT_OK(TryOpenFamilies({"default", "a", "b"}, {10, 20, 0}, true));
  for (ColumnFamilyHandle* handle : handles_) {
    EXPECT_EQ(GetOf(ttl_.get(), "k", handle), "v");
  }
  EXPECT_TRUE(Put("k", "v").IsNotSupported());
  EXPECT_TRUE(Compact().IsNotSupported());
}

TEST_F(DbTtlTest, ALongerLifeThatBeginsLater) {
  OpenTtl(1);
  ASSERT_OK(Put("k", "v"));
  Wait(2);
  ttl_->SetTtl(ttl_->DefaultColumnFamily(), 100);
  ASSERT_OK(Compact());
  EXPECT_EQ(Get("k"), "v");
  ttl_->SetTtl(1);
  int32_t ttl = 0;
  ASSERT_OK(ttl_->GetTtl(ttl_->DefaultColumnFamily(), &ttl));
  EXPECT_EQ(ttl, 1);
  ASSERT_OK(Compact());
  EXPECT_EQ(Get("k"), "NOT_FOUND");
}

TEST_F(DbTtlTest, Merging) {
  options_.merge_operator = NewStringAppendOperator(",");
  OpenTtl(10);
  ASSERT_OK(ttl_->Merge(WriteOptions(), "k", "a"));
  Wait(3);
  ASSERT_OK(ttl_->Merge(WriteOptions(), "k", "b"));
  EXPECT_EQ(Get("k"), "a,b");
  std::vector<PinnableSlice> operands(3);
  GetMergeOperandsOptions wanted;
  wanted.expected_max_number_of_operands = 3;
  int count = 0;
  ASSERT_OK(ttl_->GetMergeOperands(ReadOptions(), ttl_->DefaultColumnFamily(),
                                   "k", operands.data(), &wanted, &count));
  ASSERT_EQ(count, 2);
  EXPECT_EQ(operands[0], "a");
  EXPECT_EQ(operands[1], "b");
  Wait(20);
  // Operands do not grow old; what they come to begins anew.
  ASSERT_OK(ttl_->Flush(FlushOptions()));
  ASSERT_OK(Compact());
  EXPECT_EQ(Get("k"), "a,b");
  EXPECT_EQ(GetOf(base(), "k"), Stored("a,b", kStart + 23));
  Wait(11);
  ASSERT_OK(Compact());
  EXPECT_EQ(Get("k"), "NOT_FOUND");
  // Upon a value that has no time.
  ASSERT_OK(base()->Put(WriteOptions(), "k", "x"));
  ASSERT_OK(ttl_->Merge(WriteOptions(), "k", "a"));
  EXPECT_NE(Get("k").find("Corruption"), std::string::npos);
}

TEST_F(DbTtlTest, Batches) {
  options_.merge_operator = NewStringAppendOperator(",");
  OpenTtl(0);
  for (const char* key : {"a", "b", "c", "d"}) ASSERT_OK(Put(key, "old"));
  WriteBatch batch(0, 0, /*protection_bytes_per_key=*/8, 0);
  ASSERT_OK(batch.Put("new", "1"));
  ASSERT_OK(batch.Merge("new", "2"));
  ASSERT_OK(batch.SingleDelete("a"));
  ASSERT_OK(batch.Delete("b"));
  ASSERT_OK(batch.DeleteRange("c", "d"));
  ASSERT_OK(batch.PutLogData("for logs"));
  ASSERT_OK(ttl_->Write(WriteOptions(), &batch));
  std::string found;
  for (const char* key : {"a", "b", "c", "d", "new"}) {
    found += Get(key) + " ";
  }
  EXPECT_EQ(found, "NOT_FOUND NOT_FOUND NOT_FOUND old 1,2 ");
  EXPECT_EQ(batch.Count(), 5u) << "the caller's batch is as it was";
  WriteBatch entity;
  ASSERT_OK(entity.Put("unwritten", "1"));
  ASSERT_OK(entity.PutEntity(ttl_->DefaultColumnFamily(), "e",
                             {{kDefaultWideColumnName, "v"}}));
  const Status s = ttl_->Write(WriteOptions(), &entity);
  EXPECT_EQ(s.ToString(), "Not implemented: PutEntityCF not implemented");
  EXPECT_EQ(Get("unwritten"), "NOT_FOUND");
  EXPECT_TRUE(ttl_->Write(WriteOptions(), nullptr).IsInvalidArgument());
}

TEST_F(DbTtlTest, BatchesOfFamilies) {
  ASSERT_OK(TryOpenFamilies({"default", "a"}, {0, 0}));
  ASSERT_OK(ttl_->Put(WriteOptions(), handles_[1], "gone", "v"));
  WriteBatch batch;
  ASSERT_OK(batch.Put(handles_[1], "k", "v"));
  ASSERT_OK(batch.SingleDelete(handles_[1], "gone"));
  ASSERT_OK(ttl_->Write(WriteOptions(), &batch));
  EXPECT_EQ(GetOf(ttl_.get(), "k", handles_[1]), "v");
  EXPECT_EQ(GetOf(ttl_.get(), "gone", handles_[1]), "NOT_FOUND");
  EXPECT_EQ(Get("k"), "NOT_FOUND");
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

TEST_F(DbTtlTest, ValuesWithoutATimeSurviveCompactions) {
  OpenTtl(10);
  ASSERT_OK(base()->Put(WriteOptions(), "short", "ab"));
  ASSERT_OK(base()->Put(WriteOptions(), "plain", "a plain value"));
  Wait(1000);
  ASSERT_OK(ttl_->Flush(FlushOptions()));
  ASSERT_OK(Compact());
  EXPECT_EQ(GetOf(base(), "short"), "ab");
}

TEST_F(DbTtlTest, BlobValues) {
  options_.enable_blob_files = true;
  OpenTtl(10);
  ASSERT_OK(Put("k", "v"));
  ASSERT_OK(ttl_->Flush(FlushOptions()));
  EXPECT_EQ(Get("k"), "v");
  Wait(11);
  ASSERT_OK(Compact());
  EXPECT_EQ(Get("k"), "NOT_FOUND");
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

// It is nowhere but in the object: the next one has its own.
TEST_F(DbTtlTest, ATimeToLiveIsGivenAtEachOpen) {
  OpenTtl(10);
  ASSERT_OK(Put("k", "v"));
  ttl_->SetTtl(1);
  OpenTtl(10);
  int32_t ttl = 0;
  ASSERT_OK(ttl_->GetTtl(ttl_->DefaultColumnFamily(), &ttl));
  EXPECT_EQ(ttl, 10);
  Wait(5);
  ASSERT_OK(Compact());
  EXPECT_EQ(Get("k"), "v");
  OpenTtl(1);
  ASSERT_OK(Compact());
  EXPECT_EQ(Get("k"), "NOT_FOUND");
}

// Nothing of a batch with what has no place for a time is written.
TEST_F(DbTtlTest, EntriesThatBringTimesOfTheirOwnAreRefused) {
  OpenTtl(0);
  WriteBatch batch;
  ASSERT_OK(batch.Put("before", "1"));
  ASSERT_OK(batch.TimedPut(ttl_->DefaultColumnFamily(), "k", "v", 100));
  const Status s = ttl_->Write(WriteOptions(), &batch);
  EXPECT_TRUE(s.IsInvalidArgument() || s.IsNotSupported()) << s.ToString();
  EXPECT_EQ(Get("before"), "NOT_FOUND");
  EXPECT_EQ(Get("k"), "NOT_FOUND");
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
