// atomic_replace_range of an ingestion: what a family has in a range goes in
// the moment in which the files come.
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/listener.h"
#include "tests/db/impl/ingest_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class IngestionCount final : public EventListener {
 public:
  const char* Name() const override { return "IngestionCount"; }
  void OnExternalFileIngested(DB*, const ExternalFileIngestionInfo&) override {
    ++files;
  }
  int files = 0;
};

class ReplacedRangeTest : public IngestFixture {
 protected:
  IngestExternalFileArg Arg(const std::vector<std::string>& files,
                            const RangeOpt& range, size_t family = 0) {
    IngestExternalFileArg arg;
    arg.column_family =
        handles_.empty() ? db_->DefaultColumnFamily() : handles_[family];
    arg.external_files = files;
    arg.atomic_replace_range = range;
    return arg;
  }
  Status Replace(const std::vector<std::string>& files, const RangeOpt& range) {
    return db_->IngestExternalFiles({Arg(files, range)});
  }
  // k10 to k19: in two levels and in memory.
  void FillAll() {
    for (int i = 10; i < 20; ++i) ASSERT_OK(Put(Key(i), "a"));
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll());
    for (int i = 12; i < 16; ++i) ASSERT_OK(Put(Key(i), "b"));
    ASSERT_OK(Flush());
    ASSERT_OK(Put(Key(14), "c"));
  }
  static constexpr const char* kAll =
      "k10=a k11=a k12=b k13=b k14=c k15=b k16=a k17=a k18=a k19=a ";
};

TEST_F(ReplacedRangeTest, AllInItGoesAndTheFilesCome) {
  const auto listener = std::make_shared<IngestionCount>();
  options_.listeners.push_back(listener);
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(FillAll());
  const Snapshot* const before = db_->GetSnapshot();
  ReadOptions old;
  old.snapshot = before;
  const std::unique_ptr<Iterator> open(db_->NewIterator(ReadOptions()));
  ASSERT_OK(Replace({MakeKeys(13, 14, "new"), MakeKeys(16, 16, "new")},
                    RangeOpt(Key(11), Key(18))));
  constexpr const char* kAfter = "k10=a k13=new k14=new k16=new k18=a k19=a ";
  EXPECT_EQ(listener->files, 2);
  EXPECT_EQ(Scan(), kAfter);
  EXPECT_EQ(ScanBackward(), "k19=a k18=a k16=new k14=new k13=new k10=a ");
  EXPECT_EQ(Get(Key(12)), "NOT_FOUND");
  EXPECT_EQ(Get(Key(14)), "new");
  EXPECT_EQ(Scan(old), kAll);
  EXPECT_EQ(Get(Key(12), before), "b");
  std::string seen;
  for (open->SeekToFirst(); open->Valid(); open->Next()) {
    seen += open->key().ToString() + "=" + open->value().ToString() + " ";
  }
  EXPECT_EQ(seen, kAll);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Scan(old), kAll);
  EXPECT_EQ(Scan(), kAfter);
  db_->ReleaseSnapshot(before);
}

TEST_F(ReplacedRangeTest, ItOutlivesTheSession) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(FillAll());
  ASSERT_OK(Replace({MakeKeys(13, 13, "new")}, RangeOpt(Key(11), Key(18))));
  ASSERT_OK(Put(Key(15), "newer"));
  for (int i = 0; i < 2; ++i) {
    ASSERT_NO_FATAL_FAILURE(Reopen());
    EXPECT_EQ(Scan(), "k10=a k13=new k15=newer k18=a k19=a ");
    ASSERT_OK(CompactAll(/*force=*/true));
  }
  EXPECT_OK(db_->VerifyChecksum());
}

// What is covered is deleted without anybody asking for it.
TEST_F(ReplacedRangeTest, WhatIsReplacedGoesFromTheDisk) {
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int i = 10; i < 20; ++i) ASSERT_OK(Put(Key(i), std::string(10000, 'v')));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  ASSERT_OK(Replace({MakeKeys(15, 15, "new")}, RangeOpt()));
  ASSERT_OK(db_->EnableAutoCompaction({db_->DefaultColumnFamily()}));
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  uint64_t bytes = 0;
  for (const LiveFileMetaData& file : Tables()) bytes += file.size;
  EXPECT_LT(bytes, 10000u);
  EXPECT_EQ(Scan(), "k15=new ");
}

TEST_F(ReplacedRangeTest, ItsEndsMayBeOpen) {
  const struct {
    RangeOpt range;
    const char* after;
  } cases[] = {
      {RangeOpt(), "k15=new "},
      {RangeOpt(OptSlice(), "k17"), "k15=new k17=a k18=a k19=a "},
      {RangeOpt("k13", OptSlice()), "k10=a k11=a k12=b k15=new "},
      {RangeOpt("k19", OptSlice()),
       "k10=a k11=a k12=b k13=b k14=c k15=new k16=a k17=a k18=a "},
      {RangeOpt("", "l"), "k15=new "},
  };
  for (const auto& c : cases) {
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_NO_FATAL_FAILURE(FillAll());
    ASSERT_OK(Replace({MakeKeys(15, 15, "new")}, c.range));
    EXPECT_EQ(Scan(), c.after);
    ASSERT_OK(CompactAll(/*force=*/true));
    EXPECT_EQ(Scan(), c.after);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

TEST_F(ReplacedRangeTest, InAnotherOrder) {
  options_.comparator = ReverseBytewiseComparator();
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int i = 10; i < 20; ++i) ASSERT_OK(Put(Key(i), "a"));
  ASSERT_OK(Replace({MakeKeys(15, 15, "new")}, RangeOpt("k17", OptSlice())));
  EXPECT_EQ(Scan(), "k19=a k18=a k15=new ");
  ASSERT_OK(Replace({MakeKeys(11, 11, "new")}, RangeOpt(OptSlice(), "k15")));
  EXPECT_EQ(Scan(), "k15=new k11=new ");
  EXPECT_TRUE(Replace({MakeKeys(11, 11, "new")}, RangeOpt("k11", "k15"))
                  .IsInvalidArgument());
}

// Nothing is to be taken away: the files are as others are.
TEST_F(ReplacedRangeTest, WhereNothingIsNothingIsAdded) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Replace({MakeKeys(13, 13, "new")}, RangeOpt()));
  EXPECT_EQ(Levels(), "0,0,0,1");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 0u);
  ASSERT_OK(Replace({MakeKeys(15, 15, "new")}, RangeOpt("k14", "k17")));
  EXPECT_EQ(Levels(), "0,0,0,2");
  // Until it is: only the range's own is looked at.
  ASSERT_OK(Replace({MakeKeys(16, 16, "new")}, RangeOpt("k15", "k17")));
  EXPECT_EQ(Scan(), "k13=new k16=new ");
}

TEST_F(ReplacedRangeTest, MoreThanOnce) {
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int round = 0; round < 5; ++round) {
    const std::string value = std::to_string(round);
    ASSERT_OK(Put(Key(30 + round), value));
    ASSERT_OK(
        Replace({MakeKeys(round, round + 20, value)}, RangeOpt("k00", "k50")));
    std::string expected;
    for (int i = round; i <= round + 20; ++i) {
      expected += Key(i) + "=" + value + " ";
    }
    EXPECT_EQ(Scan(), expected);
  }
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(db_->NumberLevels(), 4);
  EXPECT_EQ(Get(Key(3)), "NOT_FOUND");
  EXPECT_EQ(Get(Key(4)), "4");
}

TEST_F(ReplacedRangeTest, OfSeveralFamiliesAtOnce) {
  options_.create_missing_column_families = true;
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one", "two"}));
  for (size_t family = 0; family < 3; ++family) {
    for (const char* key : {"k11", "k12", "k13"}) {
      ASSERT_OK(PutIn(family, key, "old"));
    }
  }
  IngestExternalFileArg plain = Arg({MakeKeys(12, 12, "c")}, RangeOpt(), 2);
  plain.atomic_replace_range.reset();
  std::unique_ptr<FileIngestionHandle> handle;
  ASSERT_OK(db_->PrepareFileIngestion(
      {Arg({MakeKeys(12, 12, "a")}, RangeOpt("k12", "k99")),
       Arg({MakeKeys(12, 12, "b")}, RangeOpt(), 1), plain},
      &handle));
  // What is written meanwhile is replaced, too.
  ASSERT_OK(PutIn(0, "k14", "late"));
  std::vector<std::unique_ptr<FileIngestionHandle>> handles;
  handles.push_back(std::move(handle));
  ASSERT_OK(db_->CommitFileIngestionHandles(std::move(handles)));
  EXPECT_EQ(ScanOf(0), "k11=old k12=a ");
  EXPECT_EQ(ScanOf(1), "k12=b ");
  EXPECT_EQ(ScanOf(2), "k11=old k12=c k13=old ");
}

TEST_F(ReplacedRangeTest, WhatItDoesNotGoWith) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(FillAll());
  const std::string file = MakeKeys(15, 15, "new");
  EXPECT_TRUE(Replace({file}, RangeOpt("k15", "k15")).IsInvalidArgument());
  EXPECT_TRUE(Replace({file}, RangeOpt("k16", "k15")).IsInvalidArgument());
  EXPECT_TRUE(Replace({}, RangeOpt()).IsInvalidArgument());
  IngestExternalFileArg arg = Arg({file}, RangeOpt());
  arg.options.ingest_behind = true;
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsInvalidArgument());
  arg.options = IngestExternalFileOptions();
  arg.options.allow_global_seqno = false;
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsInvalidArgument());
  arg.options = IngestExternalFileOptions();
  arg.options.allow_db_generated_files = true;
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsInvalidArgument());
  arg.options = IngestExternalFileOptions();
  arg.options.allow_blocking_flush = false;
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsInvalidArgument());
  arg.options = IngestExternalFileOptions();
  arg.options.fail_if_not_bottommost_level = true;
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsTryAgain());
  EXPECT_EQ(Scan(), kAll);
}

TEST_F(ReplacedRangeTest, KeysWithTimestampsAreRefused) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  options_.merge_operator.reset();
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_TRUE(Replace({"none"}, RangeOpt()).IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
