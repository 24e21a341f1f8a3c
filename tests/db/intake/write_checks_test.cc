// A write is refused before the log where its options or updates cannot be
// honoured, and damaged batches are noticed.
#include "db/intake/write_checks.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/table.h"
#include "tests/db/intake/intake_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class WriteChecksTest : public ::testing::Test {
 protected:
  void Open() {
    world_.Open();
    checks_.emplace(world_.mutex, world_.versions());
    checks_->NoteFamily(world_.default_family);
  }
  uint32_t Add(const std::string& name, const ColumnFamilyOptions& options) {
    ColumnFamilyData* const cfd = world_.Add(name, options);
    checks_->NoteFamily(cfd);
    return cfd->id();
  }
  ColumnFamilyOptions Plain() const { return world_.f.family; }
  Status Check(const WriteBatch& batch) const {
    return checks_->Check(options_, batch);
  }
  Status CheckForm(const WriteBatch& batch) const {
    return WriteChecks::CheckForm(*world_.f.db, options_, batch);
  }
  // As a handle would add it.
  static WriteBatch BatchOf(uint32_t family_id, ValueType type,
                            const std::string& key, const std::string& value) {
    WriteBatch batch;
    const Slice key_slice(key);
    const Slice value_slice(value);
    const SliceParts value_parts(&value_slice, 1);
    const Status s = WriteBatchInternal::Add(
        &batch, type, family_id, SliceParts(&key_slice, 1), &value_parts);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return batch;
  }
  static WriteBatch PutOf(uint32_t family_id) {
    return BatchOf(family_id, kTypeValue, "k", "v");
  }

  IntakeWorld world_;
  std::optional<WriteChecks> checks_;
  WriteOptions options_;
};

// --- whatever the families are

TEST_F(WriteChecksTest, ASyncNeedsALog) {
  Open();
  const WriteBatch batch = PutOf(0);
  options_.disableWAL = true;
  EXPECT_TRUE(CheckForm(batch).ok());
  options_.sync = true;
  EXPECT_TRUE(CheckForm(batch).IsInvalidArgument());
  options_.disableWAL = false;
  EXPECT_TRUE(CheckForm(batch).ok());
}

TEST_F(WriteChecksTest, APriorityIsTheUsersAndOfALogThatIsFlushedAtOnce) {
  Open();
  const WriteBatch batch = PutOf(0);
  for (const Env::IOPriority priority :
       {Env::IO_LOW, Env::IO_MID, Env::IO_HIGH}) {
    options_.rate_limiter_priority = priority;
    EXPECT_TRUE(CheckForm(batch).IsInvalidArgument()) << priority;
  }
  options_.rate_limiter_priority = Env::IO_USER;
  EXPECT_TRUE(CheckForm(batch).ok());
  options_.disableWAL = true;
  EXPECT_TRUE(CheckForm(batch).IsInvalidArgument());
}

TEST_F(WriteChecksTest, APriorityIsRefusedWhereUsersFlushTheLog) {
  world_.f.db_options.manual_wal_flush = true;
  Open();
  const WriteBatch batch = PutOf(0);
  EXPECT_TRUE(CheckForm(batch).ok());
  options_.rate_limiter_priority = Env::IO_USER;
  EXPECT_TRUE(CheckForm(batch).IsInvalidArgument());
}

// Bytes that no call of ours has put together are read once.
TEST_F(WriteChecksTest, BytesOfOthersAreRead) {
  Open();
  const std::string good = PutOf(0).Data();
  EXPECT_TRUE(CheckForm(WriteBatch(good)).ok());
  EXPECT_TRUE(
      CheckForm(WriteBatch(good.substr(0, good.size() - 1))).IsCorruption());
  EXPECT_TRUE(CheckForm(WriteBatch(std::string("short"))).IsCorruption());
  std::string miscounted = good;
  ++miscounted[kBatchCountOffset];
  EXPECT_TRUE(CheckForm(WriteBatch(miscounted)).IsCorruption());
}

// --- protection bytes

TEST_F(WriteChecksTest, ProtectionIsOfNoneOrEightBytes) {
  Open();
  const WriteBatch batch = PutOf(0);
  EXPECT_TRUE(Check(batch).ok());
  options_.protection_bytes_per_key = 8;
  EXPECT_TRUE(Check(batch).ok());
  for (const size_t bytes : {1u, 4u, 7u, 9u, 16u}) {
    options_.protection_bytes_per_key = bytes;
    EXPECT_TRUE(Check(batch).IsInvalidArgument()) << bytes;
  }
}

TEST_F(WriteChecksTest, ChecksumsComeWithTheWriteThatAsksForThem) {
  WriteBatch batch = PutOf(0);
  ASSERT_TRUE(WriteChecks::Protect(options_, &batch).ok());
  EXPECT_EQ(batch.GetProtectionBytesPerKey(), 0u);
  options_.protection_bytes_per_key = 8;
  ASSERT_TRUE(WriteChecks::Protect(options_, &batch).ok());
  EXPECT_EQ(batch.GetProtectionBytesPerKey(), 8u);
  EXPECT_TRUE(batch.VerifyChecksum().ok());
}

// Whoever has changed the bytes since is told, if the write asks for checksums
// or not.
TEST_F(WriteChecksTest, ChecksumsThatABatchHasAreVerified) {
  WriteBatch batch(0, 0, /*protection_bytes_per_key=*/8, 0);
  ASSERT_TRUE(batch.Put("key", "value").ok());
  EXPECT_TRUE(WriteChecks::Protect(options_, &batch).ok());
  const_cast<char*>(batch.Data().data())[batch.GetDataSize() - 1] ^= 1;
  EXPECT_TRUE(WriteChecks::Protect(options_, &batch).IsCorruption());
  options_.protection_bytes_per_key = 8;
  EXPECT_TRUE(WriteChecks::Protect(options_, &batch).IsCorruption());
}

// --- merges

TEST_F(WriteChecksTest, AMergeNeedsAnOperator) {
  Open();
  ColumnFamilyOptions without = Plain();
  without.merge_operator = nullptr;
  const uint32_t lacking = Add("lacking", without);
  const uint32_t having = Add("having", Plain());
  EXPECT_TRUE(Check(BatchOf(0, kTypeMerge, "k", "v")).ok());
  EXPECT_TRUE(Check(BatchOf(having, kTypeMerge, "k", "v")).ok());
  EXPECT_TRUE(
      Check(BatchOf(lacking, kTypeMerge, "k", "v")).IsInvalidArgument());
  EXPECT_TRUE(Check(PutOf(lacking)).ok());
}

TEST_F(WriteChecksTest, AMergeNeedsAnOperatorOfTheDefaultFamilyToo) {
  world_.f.family.merge_operator = nullptr;
  Open();
  EXPECT_TRUE(Check(BatchOf(0, kTypeMerge, "k", "v")).IsInvalidArgument());
  EXPECT_TRUE(Check(PutOf(0)).ok());
}

// Every update of the batch counts, not only the first.
TEST_F(WriteChecksTest, OneUpdateThatIsRefusedRefusesTheBatch) {
  world_.f.family.merge_operator = nullptr;
  Open();
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("a", "1").ok());
  ASSERT_TRUE(batch.PutLogData("blob").ok());
  EXPECT_TRUE(Check(batch).ok());
  ASSERT_TRUE(batch.Merge("b", "2").ok());
  EXPECT_TRUE(Check(batch).IsInvalidArgument());
}

// --- ranges

TEST_F(WriteChecksTest, ARangeDoesNotEndBeforeItBegins) {
  Open();
  EXPECT_TRUE(Check(BatchOf(0, kTypeRangeDeletion, "a", "b")).ok());
  EXPECT_TRUE(Check(BatchOf(0, kTypeRangeDeletion, "a", "a")).ok());
  EXPECT_TRUE(
      Check(BatchOf(0, kTypeRangeDeletion, "b", "a")).IsInvalidArgument());
}

TEST_F(WriteChecksTest, ARangeIsInTheOrderOfItsFamily) {
  Open();
  ColumnFamilyOptions backwards = Plain();
  backwards.comparator = ReverseBytewiseComparator();
  const uint32_t id = Add("backwards", backwards);
  EXPECT_TRUE(Check(BatchOf(id, kTypeRangeDeletion, "b", "a")).ok());
  EXPECT_TRUE(
      Check(BatchOf(id, kTypeRangeDeletion, "a", "b")).IsInvalidArgument());
}

TEST_F(WriteChecksTest, ARangeNeedsTablesThatStoreOne) {
  Open();
  ColumnFamilyOptions tables = Plain();
  tables.table_factory.reset(NewPlainTableFactory());
  const uint32_t id = Add("plain tables", tables);
  const Status s = Check(BatchOf(id, kTypeRangeDeletion, "a", "b"));
  EXPECT_TRUE(s.IsNotSupported());
  EXPECT_NE(s.ToString().find("plain tables"), std::string::npos);
  EXPECT_TRUE(Check(PutOf(id)).ok());
}

// --- timestamps

TEST_F(WriteChecksTest, AKeyHoldsATimestampWhereItsFamilyHasThem) {
  Open();
  ColumnFamilyOptions stamped = Plain();
  stamped.comparator = BytewiseComparatorWithU64Ts();
  stamped.merge_operator = nullptr;
  const uint32_t id = Add("stamped", stamped);
  const std::string stamp(sizeof(uint64_t), '\1');
  EXPECT_TRUE(Check(BatchOf(id, kTypeValue, stamp, "v")).ok());
  EXPECT_TRUE(
      Check(BatchOf(id, kTypeValue, "7 bytes", "v")).IsInvalidArgument());
  EXPECT_TRUE(
      Check(BatchOf(id, kTypeRangeDeletion, "a" + stamp, "b" + stamp)).ok());
  EXPECT_TRUE(Check(BatchOf(id, kTypeRangeDeletion, "a" + stamp, "b"))
                  .IsInvalidArgument());
  EXPECT_TRUE(Check(PutOf(0)).ok());
}

TEST_F(WriteChecksTest, TheDefaultFamilyTakesABatchMadeForItsTimestamps) {
  world_.f.family.comparator = BytewiseComparatorWithU64Ts();
  world_.f.family.merge_operator = nullptr;
  Open();
  WriteBatch made_for_none;
  ASSERT_TRUE(made_for_none.Put("key that is long enough", "v").ok());
  EXPECT_TRUE(Check(made_for_none).IsInvalidArgument());
  WriteBatch without_stamps(0, 0, 0, /*default_cf_ts_sz=*/8);
  ASSERT_TRUE(without_stamps.Put("key", "v").ok());
  EXPECT_TRUE(Check(without_stamps).IsInvalidArgument());
  ASSERT_TRUE(without_stamps
                  .UpdateTimestamps(std::string(8, '\1'),
                                    [](uint32_t) { return size_t{8}; })
                  .ok());
  EXPECT_TRUE(Check(without_stamps).ok());
}

// --- families

TEST_F(WriteChecksTest, AFamilyWhoseDataAreTablesTakesNoUpdate) {
  Open();
  ColumnFamilyOptions closed = Plain();
  closed.disallow_memtable_writes = true;
  const uint32_t id = Add("closed", closed);
  EXPECT_TRUE(Check(PutOf(id)).IsInvalidArgument());
  EXPECT_TRUE(Check(PutOf(0)).ok());
}

// If there is no such family, the insertion knows whether that is an error.
TEST_F(WriteChecksTest, AFamilyThatIsNotThereRefusesNothing) {
  Open();
  ColumnFamilyOptions closed = Plain();
  closed.disallow_memtable_writes = true;
  ColumnFamilyData* const cfd = world_.Add("closed", closed);
  checks_->NoteFamily(cfd);
  const uint32_t id = cfd->id();
  ASSERT_TRUE(Check(PutOf(id)).IsInvalidArgument());
  world_.Drop(cfd);
  EXPECT_TRUE(Check(PutOf(id)).ok());
  EXPECT_TRUE(Check(BatchOf(77, kTypeRangeDeletion, "b", "a")).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
