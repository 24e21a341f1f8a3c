// Range tombstones that iterators make of runs of point deletions
// (min_tombstones_for_range_conversion) change no read and spare later ones
// work.
//
//  - from the threshold on, not below it, in both directions, with ends that
//    are known and not; 0 and SetOptions();
//  - later reads skip the run, and do not convert it again, nor does the same
//    iterator;
//  - what others see: snapshots before and after, newer writes into the range,
//    through flushes, compactions and reopenings, with the log and without;
//  - bounds and prefixes end what is covered;
//  - what came meanwhile: another memtable, ingested files that are newer than
//    the view or than the iterator, a batch that is ingested, a full memtable;
//  - where nothing is converted at all: reads that do not see everything, and
//    databases and families that do not allow it;
//  - random operations against a model, and threads.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/listener.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/model_run.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class RangeConversionTest : public DbFixture {
 protected:
  RangeConversionTest() {
    options_.statistics = CreateDBStatistics();
    options_.min_tombstones_for_range_conversion = 4;
    options_.disable_auto_compactions = true;
    options_.merge_operator = NewStringAppendOperator(",");
  }

  static std::string KeyOf(int i) { return "key" + std::to_string(100 + i); }
  void PutKeys(int begin, int end) {
    for (int i = begin; i < end; ++i) {
      ASSERT_OK(Put(KeyOf(i), std::to_string(i)));
    }
  }
  void DeleteKeys(int begin, int end) {
    for (int i = begin; i < end; ++i) ASSERT_OK(Delete(KeyOf(i)));
  }
  // Keys 0 to 20 in a file, of which those are deleted in the memtable.
  void OpenWithRun(int begin, int end) {
    Open();
    PutKeys(0, 20);
    ASSERT_OK(Flush());
    DeleteKeys(begin, end);
  }
  std::unique_ptr<Iterator> NewIterator(
      const ReadOptions& read = ReadOptions()) {
    return std::unique_ptr<Iterator>(db_->NewIterator(read));
  }
  static int Walk(Iterator* it) {
    int count = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
    EXPECT_OK(it->status());
    return count;
  }
  uint64_t Inserted() const {
    return Ticker(READ_PATH_RANGE_TOMBSTONES_INSERTED);
  }
  uint64_t Discarded() const {
    return Ticker(READ_PATH_RANGE_TOMBSTONES_DISCARDED);
  }
  // How many range tombstones all tables hold together.
  uint64_t TombstonesInTables() {
    TablePropertiesCollection tables;
    EXPECT_OK(db_->GetPropertiesOfAllTables(&tables));
    uint64_t count = 0;
    for (const auto& [name, table] : tables) {
      count += table->num_range_deletions;
    }
    return count;
  }
  std::string MakeFile(const std::string& key, const std::string& value) {
    const std::string path = directory_.path() + "/external.sst";
    SstFileWriter writer(EnvOptions(), options_);
    EXPECT_OK(writer.Open(path));
    EXPECT_OK(writer.Put(key, value));
    EXPECT_OK(writer.Finish());
    return path;
  }
  // A read neither adds a tombstone nor tries to.
  void ExpectNone(const ReadOptions& read = ReadOptions()) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
    }
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
    }
    for (it->Seek(KeyOf(0)); it->Valid(); it->Next()) {
    }
    EXPECT_EQ(Inserted(), 0u);
    EXPECT_EQ(Discarded(), 0u);
  }
};

// ---- when

TEST_F(RangeConversionTest, BelowTheThresholdNothingHappens) {
  OpenWithRun(5, 8);
  ExpectNone();
}

TEST_F(RangeConversionTest, AtTheThresholdTheRunIsOneTombstone) {
  OpenWithRun(5, 9);
  const std::string before = Scan();
  EXPECT_EQ(Inserted(), 1u);
  EXPECT_EQ(Scan(), before);
  EXPECT_EQ(ScanBackward().size(), before.size());
  EXPECT_EQ(Inserted(), 1u);
  ASSERT_OK(Flush());
  EXPECT_EQ(TombstonesInTables(), 1u);
  EXPECT_EQ(Scan(), before);
  EXPECT_EQ(Inserted(), 1u);
}

TEST_F(RangeConversionTest, BackwardToo) {
  OpenWithRun(5, 9);
  const std::string before = ScanBackward();
  EXPECT_EQ(Inserted(), 1u);
  EXPECT_EQ(ScanBackward(), before);
  EXPECT_EQ(Scan().size(), before.size());
  EXPECT_EQ(Inserted(), 1u);
}

TEST_F(RangeConversionTest, ALiveKeyParts) {
  OpenWithRun(5, 8);
  DeleteKeys(9, 12);
  ExpectNone();
}

TEST_F(RangeConversionTest, ARunAtTheEndOfAll) {
  OpenWithRun(14, 20);
  const std::string before = Scan();
  EXPECT_EQ(Inserted(), 1u);
  // The last key stays as it is, by itself.
  EXPECT_EQ(Scan(), before);
  EXPECT_EQ(Inserted(), 1u);
  EXPECT_EQ(Get(KeyOf(19)), "NOT_FOUND");
}

TEST_F(RangeConversionTest, ARunAtTheEndBackward) {
  OpenWithRun(14, 20);
  const std::string before = ScanBackward();
  EXPECT_EQ(Inserted(), 1u);
  EXPECT_EQ(ScanBackward(), before);
  EXPECT_EQ(Inserted(), 1u);
}

TEST_F(RangeConversionTest, SeeksConvertAsStepsDo) {
  OpenWithRun(5, 15);
  const auto it = NewIterator();
  it->Seek(KeyOf(8));
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), KeyOf(15));
  EXPECT_EQ(Inserted(), 1u);
  // What it has not come by.
  it->SeekForPrev(KeyOf(9));
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->key(), KeyOf(4));
  EXPECT_EQ(Inserted(), 2u);
}

TEST_F(RangeConversionTest, NoneByDefaultAndAsSetOptionsSays) {
  EXPECT_EQ(Options().min_tombstones_for_range_conversion, 0u);
  options_.min_tombstones_for_range_conversion = 0;
  OpenWithRun(5, 15);
  ExpectNone();
  ASSERT_OK(db_->SetOptions({{"min_tombstones_for_range_conversion", "11"}}));
  ExpectNone();
  ASSERT_OK(db_->SetOptions({{"min_tombstones_for_range_conversion", "10"}}));
  Scan();
  EXPECT_EQ(Inserted(), 1u);
}

// ---- how often

TEST_F(RangeConversionTest, OneIteratorTriesOnce) {
  OpenWithRun(3, 8);
  DeleteKeys(12, 17);
  const auto it = NewIterator();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Walk(it.get()), 10);
  EXPECT_EQ(Inserted(), 2u);
  ASSERT_OK(it->Refresh());
  EXPECT_EQ(Walk(it.get()), 10);
  EXPECT_EQ(Inserted(), 2u);
}

// A new tombstone does not hide a deletion at its own sequence, nor the key at
// which the run ends. These must not make every later read add a tombstone.
TEST_F(RangeConversionTest, ReadsComeToAnEndAtSmallThresholds) {
  for (const uint32_t least : {1, 2, 3}) {
    for (const int last : {14, 20}) {
      options_.min_tombstones_for_range_conversion = least;
      ASSERT_OK(DestroyDB(path_, options_));
      OpenWithRun(12, last);
      const std::string before = Scan();
      const std::string backward = ScanBackward();
      ASSERT_OK(Delete(KeyOf(13)));  // at the sequence of what reads next
      Scan();
      ScanBackward();
      const uint64_t inserted = Inserted();
      for (int i = 0; i < 5; ++i) {
        ASSERT_EQ(Scan(), before);
        ASSERT_EQ(ScanBackward(), backward);
      }
      EXPECT_EQ(Inserted(), inserted) << least << " " << last;
      db_.reset();
    }
  }
}

TEST_F(RangeConversionTest, LaterReadsSkipTheRun) {
  Open();
  PutKeys(0, 200);
  DeleteKeys(10, 190);
  ASSERT_OK(Flush());
  const auto skipped = [this] {
    SetPerfLevel(kEnableCount);
    get_perf_context()->Reset();
    EXPECT_EQ(Walk(NewIterator().get()), 20);
    SetPerfLevel(kDisable);
    return get_perf_context()->internal_delete_skipped_count;
  };
  EXPECT_GE(skipped(), 180u);
  EXPECT_EQ(Inserted(), 1u);
  EXPECT_LT(skipped(), 20u);
}

// ---- what others see

TEST_F(RangeConversionTest, SnapshotsSeeWhatTheySaw) {
  Open();
  PutKeys(0, 20);
  const Snapshot* before = db_->GetSnapshot();
  ReadOptions then;
  then.snapshot = before;
  const std::string all = Scan(then);
  DeleteKeys(5, 15);
  const Snapshot* after = db_->GetSnapshot();
  const std::string rest = Scan();
  EXPECT_EQ(Inserted(), 1u);
  PutKeys(8, 10);
  const std::string now = Scan();
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(Scan(then), all);
    EXPECT_EQ(Get(KeyOf(7), before), "7");
    ReadOptions later;
    later.snapshot = after;
    EXPECT_EQ(Scan(later), rest);
    EXPECT_EQ(Scan(), now);
    if (round == 0) ASSERT_OK(Flush());
    if (round == 1) ASSERT_OK(CompactAll(/*force=*/true));
  }
  db_->ReleaseSnapshot(before);
  db_->ReleaseSnapshot(after);
}

TEST_F(RangeConversionTest, NewerWritesIntoTheRangeStay) {
  OpenWithRun(5, 15);
  Scan();
  EXPECT_EQ(Inserted(), 1u);
  ASSERT_OK(Put(KeyOf(6), "new"));
  ASSERT_OK(db_->Merge(WriteOptions(), KeyOf(9), "merged"));
  ASSERT_OK(Put(KeyOf(9) + "a", "between"));
  const std::string expected = Scan();
  EXPECT_NE(expected.find(KeyOf(6) + "=new"), std::string::npos);
  EXPECT_NE(expected.find(KeyOf(9) + "=merged"), std::string::npos);
  EXPECT_NE(expected.find(KeyOf(9) + "a=between"), std::string::npos);
  ASSERT_OK(Flush());
  EXPECT_EQ(Scan(), expected);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Scan(), expected);
  EXPECT_EQ(TombstonesInTables(), 0u);
  Reopen();
  EXPECT_EQ(Scan(), expected);
  EXPECT_EQ(Get(KeyOf(6)), "new");
}

TEST_F(RangeConversionTest, TheLogDoesNotHaveIt) {
  options_.avoid_flush_during_recovery = true;
  OpenWithRun(5, 15);
  const SequenceNumber last = db_->GetLatestSequenceNumber();
  const std::string expected = Scan();
  EXPECT_EQ(Inserted(), 1u);
  EXPECT_EQ(db_->GetLatestSequenceNumber(), last);
  // From the log alone: the run is there to be converted again.
  Reopen();
  EXPECT_EQ(db_->GetLatestSequenceNumber(), last);
  EXPECT_EQ(Scan(), expected);
  EXPECT_EQ(Inserted(), 2u);
  ASSERT_OK(Put("x", "1"));
  ASSERT_OK(Flush());
  Reopen();
  EXPECT_EQ(Scan(), expected + "x=1 ");
  EXPECT_EQ(Inserted(), 2u);
}

// A memtable that nothing but a tombstone is in.
TEST_F(RangeConversionTest, AllIsInFiles) {
  OpenWithRun(5, 15);
  ASSERT_OK(Flush());
  const std::string expected = Scan();
  EXPECT_EQ(Inserted(), 1u);
  ASSERT_OK(Flush());
  EXPECT_EQ(FilesAt(0), 3);
  EXPECT_EQ(TombstonesInTables(), 1u);
  EXPECT_EQ(Scan(), expected);
  Reopen();
  EXPECT_EQ(Scan(), expected);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Scan(), expected);
  EXPECT_OK(db_->VerifyChecksum());
}

// ---- how far

TEST_F(RangeConversionTest, TheUpperBoundEndsIt) {
  OpenWithRun(5, 15);
  const Slice upper("key110");
  ReadOptions read;
  read.iterate_upper_bound = &upper;
  Walk(NewIterator(read).get());
  EXPECT_EQ(Inserted(), 1u);
  // The rest, to which the tombstone does not reach.
  Scan();
  EXPECT_EQ(Inserted(), 2u);
  EXPECT_EQ(Get(KeyOf(15)), "15");
  EXPECT_EQ(Get(KeyOf(4)), "4");
}

// The range tombstone lets the iterator skip the table up to the bound. What
// the table holds behind the bound is not read, and must not be hidden.
TEST_F(RangeConversionTest, BehindTheBoundNothingIsKnown) {
  Open();
  PutKeys(0, 20);
  ASSERT_OK(Flush());
  DeleteKeys(4, 8);
  ASSERT_OK(db_->DeleteRange(WriteOptions(), KeyOf(8), KeyOf(12)));
  ASSERT_OK(Put(KeyOf(14), "seen"));
  const Slice upper("key112");
  ReadOptions read;
  read.iterate_upper_bound = &upper;
  const auto it = NewIterator(read);
  it->Seek(KeyOf(4));
  EXPECT_FALSE(it->Valid());
  EXPECT_EQ(Inserted(), 1u);
  EXPECT_EQ(Get(KeyOf(12)), "12");
}

// What a filter says has no such prefix is passed over, with all other
// prefixes that it has.
TEST_F(RangeConversionTest, PrefixesThatWerePassedOver) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  table.whole_key_filtering = false;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  ASSERT_OK(Put("b3", "live"));
  ASSERT_OK(Put("c9", "live"));
  ASSERT_OK(Flush());
  for (const char* key : {"a1", "a2", "a3", "b1", "b5", "b6"}) {
    ASSERT_OK(Delete(key));
  }
  ReadOptions by_prefix;
  by_prefix.auto_prefix_mode = false;
  const auto it = NewIterator(by_prefix);
  it->Seek("a1");
  EXPECT_EQ(Inserted() + Discarded(), 0u);
  EXPECT_EQ(Get("b3"), "live");
  ReadOptions total;
  total.total_order_seek = true;
  const auto all = NewIterator(total);
  all->Seek("a1");
  ASSERT_TRUE(all->Valid());
  EXPECT_EQ(all->key(), "b3");
  EXPECT_EQ(Inserted(), 1u);
  EXPECT_EQ(Get("b3"), "live");
}

TEST_F(RangeConversionTest, TooManyInARowIsProgress) {
  OpenWithRun(5, 15);
  ReadOptions read;
  read.max_skippable_internal_keys = 8;  // two of each key
  const auto it = NewIterator(read);
  it->Seek(KeyOf(5));
  EXPECT_TRUE(it->status().IsIncomplete());
  EXPECT_EQ(Inserted(), 1u);
  EXPECT_EQ(Scan().find(KeyOf(5)), std::string::npos);
}

// ---- what came meanwhile

TEST_F(RangeConversionTest, AnotherMemtableIsNotTouched) {
  OpenWithRun(5, 15);
  const auto it = NewIterator();
  ASSERT_OK(Flush());
  ASSERT_OK(Put(KeyOf(7), "new"));
  EXPECT_EQ(Walk(it.get()), 10);
  EXPECT_EQ(Inserted(), 0u);
  EXPECT_EQ(Discarded(), 1u);
  EXPECT_EQ(Walk(NewIterator().get()), 11);
}

// An older memtable or file holds what is newer than the snapshot.
TEST_F(RangeConversionTest, ASnapshotOlderThanTheMemtable) {
  OpenWithRun(5, 15);
  const Snapshot* snapshot = db_->GetSnapshot();
  ASSERT_OK(Put("x", "1"));
  ASSERT_OK(Flush());
  ReadOptions read;
  read.snapshot = snapshot;
  ExpectNone(read);
  db_->ReleaseSnapshot(snapshot);
}

// A tombstone over the ingested file, though older, would hide it once the file
// is in the last level, where its sequence becomes zero.
TEST_F(RangeConversionTest, AFileThatIsNewerThanTheView) {
  for (const bool is_forward : {true, false}) {
    ASSERT_OK(DestroyDB(path_, options_));
    OpenWithRun(2, 18);
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(/*force=*/true));
    for (int i = 2; i < 18; ++i) {
      if (i != 9) ASSERT_OK(Delete(KeyOf(i)));
    }
    ASSERT_OK(Flush());
    const Snapshot* snapshot = db_->GetSnapshot();
    ASSERT_OK(db_->IngestExternalFile({MakeFile(KeyOf(9), "ingested")},
                                      IngestExternalFileOptions()));
    ReadOptions read;
    read.snapshot = snapshot;
    const uint64_t before = Inserted();
    const std::string text = is_forward ? Scan(read) : ScanBackward(read);
    EXPECT_EQ(text.find("ingested"), std::string::npos);
    // One on each side of it.
    EXPECT_EQ(Inserted(), before + 2) << is_forward;
    db_->ReleaseSnapshot(snapshot);
    ASSERT_OK(Put("a", "1"));
    EXPECT_EQ(Get(KeyOf(9)), "ingested");
    // Without the memtable.
    ASSERT_OK(db_->CompactFiles(CompactionOptions(), TableNames(), 6));
    EXPECT_EQ(Get(KeyOf(9)), "ingested");
    EXPECT_NE(Scan().find(KeyOf(9) + "=ingested"), std::string::npos);
    db_.reset();
  }
}

TEST_F(RangeConversionTest, AnOverwrittenKeyParts) {
  OpenWithRun(5, 15);
  const Snapshot* snapshot = db_->GetSnapshot();
  for (const int i : {5, 9, 14}) ASSERT_OK(Put(KeyOf(i), "new"));
  ReadOptions read;
  read.snapshot = snapshot;
  const std::string then = Scan(read);
  // 10 to 13; 6 to 8 are too few.
  EXPECT_EQ(Inserted(), 1u);
  EXPECT_EQ(ScanBackward(read).size(), then.size());
  EXPECT_EQ(Inserted(), 1u);
  EXPECT_EQ(Scan(read), then);
  EXPECT_EQ(Walk(NewIterator().get()), 13);
  db_->ReleaseSnapshot(snapshot);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Walk(NewIterator().get()), 13);
}

// It is there with no sequence at all, as nothing was in its place.
TEST_F(RangeConversionTest, AFileThatIsNewerThanTheIterator) {
  Open();
  DeleteKeys(5, 8);
  DeleteKeys(11, 15);
  PutKeys(15, 20);
  const auto it = NewIterator();
  ASSERT_OK(db_->IngestExternalFile({MakeFile(KeyOf(9), "ingested")},
                                    IngestExternalFileOptions()));
  EXPECT_EQ(Walk(it.get()), 5);
  EXPECT_EQ(Inserted(), 0u);
  EXPECT_EQ(Discarded(), 1u);
  EXPECT_EQ(Get(KeyOf(9)), "ingested");
}

// A file that comes into what is converted finds the tombstone in its way.
TEST_F(RangeConversionTest, AFileIntoTheRange) {
  OpenWithRun(5, 15);
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(/*force=*/true));
  DeleteKeys(5, 15);
  ASSERT_OK(Flush());
  Scan();
  EXPECT_EQ(Inserted(), 1u);
  ASSERT_OK(db_->IngestExternalFile({MakeFile(KeyOf(9) + "a", "ingested")},
                                    IngestExternalFileOptions()));
  EXPECT_EQ(Get(KeyOf(9) + "a"), "ingested");
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Get(KeyOf(9) + "a"), "ingested");
}

// Scans where others have stopped the writes and given the mutex back.
class ScanWhenSealed : public EventListener {
 public:
  void OnMemTableSealed(const MemTableInfo&) override {
    if (scan) scan();
  }
  std::function<void()> scan;
};

TEST_F(RangeConversionTest, ABatchThatComesAsAMemtable) {
  const auto listener = std::make_shared<ScanWhenSealed>();
  options_.listeners = {listener};
  OpenWithRun(5, 15);
  ASSERT_OK(Flush());
  ASSERT_OK(Put("x", "is sealed"));
  int scans = 0;
  listener->scan = [&] {
    if (scans++ > 0) return;
    EXPECT_EQ(Walk(NewIterator().get()), 11);
    EXPECT_EQ(Inserted(), 0u);
    EXPECT_EQ(Discarded(), 1u);
  };
  const auto batch = std::make_shared<WriteBatchWithIndex>(
      BytewiseComparator(), 0, /*overwrite_key=*/true);
  ASSERT_OK(batch->Put(KeyOf(7), "batch"));
  WriteOptions no_log;
  no_log.disableWAL = true;
  ASSERT_OK(db_->IngestWriteBatchWithIndex(no_log, batch));
  EXPECT_GE(scans, 1);
  listener->scan = nullptr;
  EXPECT_EQ(Get(KeyOf(7)), "batch");
  EXPECT_EQ(Walk(NewIterator().get()), 12);
}

TEST_F(RangeConversionTest, AsManyAsTheMemtableMayHold) {
  options_.memtable_max_range_deletions = 2;
  OpenWithRun(2, 7);
  DeleteKeys(12, 17);
  Scan();
  EXPECT_EQ(Inserted(), 1u);
  EXPECT_EQ(Discarded(), 1u);
  // It is not what has the memtable flushed.
  ASSERT_OK(Put("x", "1"));
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(FilesAt(0), 1);
}

// ---- where not

TEST_F(RangeConversionTest, ReadsThatDoNotSeeEverything) {
  OpenWithRun(5, 15);
  ReadOptions read;
  read.tailing = true;
  ExpectNone(read);
  read = ReadOptions();
  read.ignore_range_deletions = true;
  ExpectNone(read);
  read = ReadOptions();
  read.read_tier = kMemtableTier;
  ExpectNone(read);
  read.read_tier = kBlockCacheTier;
  ExpectNone(read);
  read = ReadOptions();
  const std::function<bool(const TableProperties&)> all =
      [](const TableProperties&) { return true; };
  read.table_filter = &all;
  ExpectNone(read);
  // A prepared iterator skips what lies between its ranges, so it adds nothing.
  MultiScanArgs ranges;
  const std::string keys[] = {KeyOf(3), KeyOf(11), KeyOf(12), KeyOf(18)};
  ranges.insert(keys[0], keys[1]);
  ranges.insert(keys[2], keys[3]);
  const auto it = NewIterator();
  it->Prepare(ranges);
  it->Seek(keys[0]);
  while (it->Valid()) it->Next();
  EXPECT_EQ(Inserted() + Discarded(), 0u);
}

TEST_F(RangeConversionTest, DatabasesThatAreOnlyRead) {
  OpenWithRun(5, 15);
  ASSERT_OK(Flush());
  db_.reset();
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
  ExpectNone();
  db_.reset();
  options_.max_open_files = -1;
  ASSERT_OK(DB::OpenAsSecondary(options_, path_, directory_.path() + "/second",
                                &db_));
  ExpectNone();
  db_.reset();
}

TEST_F(RangeConversionTest, WritesThatAreSeenBeforeTheyAreThere) {
  options_.unordered_write = true;
  OpenWithRun(5, 15);
  ExpectNone();
}

TEST_F(RangeConversionTest, ValuesThatChangeInPlace) {
  options_.inplace_update_support = true;
  options_.allow_concurrent_memtable_write = false;
  OpenWithRun(5, 15);
  ExpectNone();
}

// What is ingested there is older than all else, and not deleted.
TEST_F(RangeConversionTest, FilesThatComeBehind) {
  options_.cf_allow_ingest_behind = true;
  options_.compaction_style = kCompactionStyleUniversal;
  options_.num_levels = 4;
  OpenWithRun(5, 15);
  ExpectNone();
  IngestExternalFileOptions behind;
  behind.ingest_behind = true;
  ASSERT_OK(
      db_->IngestExternalFile({MakeFile(KeyOf(9) + "a", "behind")}, behind));
  EXPECT_EQ(Get(KeyOf(9) + "a"), "behind");
}

TEST_F(RangeConversionTest, TablesThatHoldNone) {
  options_.table_factory.reset(NewPlainTableFactory());
  options_.prefix_extractor.reset(NewFixedPrefixTransform(3));
  options_.allow_mmap_reads = true;
  Open();
  PutKeys(0, 20);
  DeleteKeys(5, 15);
  EXPECT_EQ(Walk(NewIterator().get()), 10);
  EXPECT_EQ(Inserted(), 0u);
  EXPECT_EQ(Discarded(), 1u);
  ASSERT_OK(Flush());
}

TEST_F(RangeConversionTest, KeysWithTimestamps) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  options_.merge_operator = nullptr;
  Open();
  const std::string stamp("\1\0\0\0\0\0\0\0", 8);
  for (int i = 0; i < 10; ++i) {
    ASSERT_OK(db_->Put(WriteOptions(), KeyOf(i), stamp, "v"));
  }
  const std::string later("\2\0\0\0\0\0\0\0", 8);
  for (int i = 2; i < 8; ++i) {
    ASSERT_OK(db_->Delete(WriteOptions(), KeyOf(i), later));
  }
  const Slice now(later);
  ReadOptions read;
  read.timestamp = &now;
  ExpectNone(read);
}

// ---- against a model

class RangeConversionModel : public RangeConversionTest,
                             public ::testing::WithParamInterface<uint32_t> {};

TEST_P(RangeConversionModel, EveryReadIsAsInAnOrderedMap) {
  options_.min_tombstones_for_range_conversion = GetParam();
  options_.write_buffer_size = 64 << 10;
  options_.target_file_size_base = 16 << 10;
  options_.max_bytes_for_level_base = 32 << 10;
  options_.level0_file_num_compaction_trigger = 2;
  options_.disable_auto_compactions = false;
  Open();
  Model model, then;
  ModelRun run(db_.get(), GetParam(), &model);
  Random64 random(GetParam() + 100);
  const Snapshot* snapshot = nullptr;
  for (int i = 0; i < 6000; ++i) {
    ASSERT_OK(run.Step());
    // Long runs, too.
    if (random.OneIn(60)) {
      const uint64_t begin = random.Uniform(570);
      for (uint64_t n = begin; n < begin + 30; ++n) {
        const std::string key = "key" + std::to_string(1000 + n);
        if (random.OneIn(8)) continue;
        ASSERT_OK(Delete(key));
        model.erase(key);
      }
    }
    if (random.OneIn(300)) ASSERT_OK(Flush());
    if (random.OneIn(1500)) ASSERT_OK(CompactAll(random.OneIn(2)));
    if (random.OneIn(150)) {
      if (snapshot != nullptr) db_->ReleaseSnapshot(snapshot);
      snapshot = db_->GetSnapshot();
      then = model;
    }
    if (random.OneIn(100)) {
      ASSERT_NO_FATAL_FAILURE(run.CheckOnce(model, ReadOptions()));
    }
    if (snapshot != nullptr && random.OneIn(100)) {
      ReadOptions read;
      read.snapshot = snapshot;
      ASSERT_NO_FATAL_FAILURE(run.CheckOnce(then, read));
    }
  }
  EXPECT_GT(Inserted(), 20u);
  if (snapshot != nullptr) db_->ReleaseSnapshot(snapshot);
  ASSERT_NO_FATAL_FAILURE(run.Check(model, nullptr));
  Reopen();
  ModelRun again(db_.get(), 9, &model);
  ASSERT_NO_FATAL_FAILURE(again.Check(model, nullptr));
  ASSERT_OK(CompactAll(/*force=*/true));
  ASSERT_NO_FATAL_FAILURE(again.Check(model, nullptr));
}

INSTANTIATE_TEST_SUITE_P(Thresholds, RangeConversionModel,
                         ::testing::Values(1, 2, 4));

// ---- threads

// Each writer has keys of its own, in between those of the others.
TEST_F(RangeConversionTest, WritersAndScannersAtTheSameTime) {
  constexpr int kWriters = 3;
  constexpr int kKeys = 300;
  constexpr int kWrites = 6000;
  options_.min_tombstones_for_range_conversion = 2;
  options_.write_buffer_size = 64 << 10;
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 2;
  Open();
  std::vector<std::map<std::string, std::string>> models(kWriters);
  std::atomic<int> writing{kWriters};
  std::vector<std::thread> threads;
  threads.reserve(kWriters + 2);
  for (int w = 0; w < kWriters; ++w) {
    threads.emplace_back([&, w] {
      Random64 random(w + 1);
      // Until a scan has come and converted something, however late.
      for (int i = 0; i < kWrites || Inserted() == 0; ++i) {
        const std::string key =
            KeyOf(static_cast<int>(random.Uniform(kKeys))) + std::to_string(w);
        if (random.OneIn(3)) {
          const std::string value = std::to_string(i) + std::string(20, 'v');
          EXPECT_OK(Put(key, value));
          models[w][key] = value;
        } else {
          EXPECT_OK(Delete(key));
          models[w].erase(key);
        }
      }
      --writing;
    });
  }
  for (const bool is_forward : {true, false}) {
    threads.emplace_back([&, is_forward] {
      while (writing > 0) {
        const Snapshot* snapshot = db_->GetSnapshot();
        ReadOptions read;
        read.snapshot = snapshot;
        const std::string first = is_forward ? Scan(read) : ScanBackward(read);
        EXPECT_EQ(is_forward ? Scan(read) : ScanBackward(read), first);
        db_->ReleaseSnapshot(snapshot);
        const auto it = NewIterator();
        Walk(it.get());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::map<std::string, std::string> model;
  for (const auto& one : models) model.insert(one.begin(), one.end());
  std::string expected;
  for (const auto& [key, value] : model) expected += key + "=" + value + " ";
  EXPECT_EQ(Scan(), expected);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Scan(), expected);
  for (const auto& [key, value] : model) ASSERT_EQ(Get(key), value);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
