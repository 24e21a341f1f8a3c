// disallow_memtable_writes through the whole engine: a family whose data come
// as whole tables, and nothing else.
#include <memory>
#include <string>
#include <vector>

#include "db/wal/write_batch_internal.h"
#include "rocksdb/convenience.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr const char* kRefusal =
    "Invalid argument: This column family has disallow_memtable_writes=true";

class DisallowMemtableWritesTest : public FamiliesFixture {
 protected:
  // The families "default" and "tables"; whether the second takes writes.
  Status OpenBoth(bool takes_writes) {
    CloseFamilies();
    ColumnFamilyOptions tables(options_);
    tables.disallow_memtable_writes = !takes_writes;
    return DB::Open(DBOptions(options_), path_,
                    {{kDefaultColumnFamilyName, ColumnFamilyOptions(options_)},
                     {"tables", tables}},
                    &handles_, &db_);
  }
  void Create() {
    options_.create_missing_column_families = true;
    ASSERT_OK(OpenBoth(/*takes_writes=*/false));
  }
  std::string MakeTable(const std::string& key, const std::string& value) {
    const std::string path = directory_.path() + "/" + key + ".sst";
    SstFileWriter writer(EnvOptions(), options_);
    EXPECT_OK(writer.Open(path));
    EXPECT_OK(writer.Put(key, value));
    EXPECT_OK(writer.Finish());
    return path;
  }
};

TEST_F(DisallowMemtableWritesTest, EveryUpdateIsRefused) {
  ASSERT_NO_FATAL_FAILURE(Create());
  ColumnFamilyHandle* const tables = handles_[1];
  WriteBatch batch;
  EXPECT_EQ(batch.Put(tables, "k", "v").ToString(), kRefusal);
  EXPECT_EQ(batch.Delete(tables, "k").ToString(), kRefusal);
  EXPECT_EQ(batch.SingleDelete(tables, "k").ToString(), kRefusal);
  EXPECT_EQ(batch.DeleteRange(tables, "a", "b").ToString(), kRefusal);
  EXPECT_EQ(batch.Merge(tables, "k", "v").ToString(), kRefusal);
  EXPECT_EQ(batch.PutEntity(tables, "k", {{"c", "v"}}).ToString(), kRefusal);
  EXPECT_EQ(batch.TimedPut(tables, "k", "v", 1).ToString(), kRefusal);
  EXPECT_EQ(batch.Put(tables, SliceParts(), SliceParts()).ToString(), kRefusal);
  EXPECT_EQ(batch.Count(), 0u);
  EXPECT_EQ(PutIn(1, "k", "v").ToString(), kRefusal);
  EXPECT_EQ(db_->DeleteRange(WriteOptions(), tables, "a", "b").ToString(),
            kRefusal);
  // The others go on.
  ASSERT_OK(PutIn(0, "k", "v"));
  EXPECT_EQ(GetFrom(0, "k"), "v");
  EXPECT_EQ(GetFrom(1, "k"), "NOT_FOUND");
  ASSERT_OK(db_->Flush(FlushOptions(), tables));
}

// A batch that knows of no handles reaches no log, either: the next open would
// find it there.
TEST_F(DisallowMemtableWritesTest, NothingReachesALog) {
  ASSERT_NO_FATAL_FAILURE(Create());
  WriteBatch other;
  ASSERT_OK(other.Put("mine", "1"));
  WriteBatch batch;
  ASSERT_OK(OpenBoth(/*takes_writes=*/true));
  ASSERT_OK(batch.Put(handles_[1], "k", "v"));
  ASSERT_OK(batch.Put("beside", "v"));
  ASSERT_OK(OpenBoth(/*takes_writes=*/false));
  EXPECT_EQ(db_->Write(WriteOptions(), &batch).ToString(), kRefusal);
  ASSERT_OK(db_->Write(WriteOptions(), &other));
  ASSERT_OK(OpenBoth(/*takes_writes=*/false));
  EXPECT_EQ(ScanOf(0), "mine=1 ");
  EXPECT_EQ(ScanOf(1), "");
}

TEST_F(DisallowMemtableWritesTest, TablesGoInAndAreRead) {
  ASSERT_NO_FATAL_FAILURE(Create());
  ASSERT_OK(db_->IngestExternalFile(handles_[1], {MakeTable("a", "1")},
                                    IngestExternalFileOptions()));
  ASSERT_OK(db_->IngestExternalFile(handles_[1], {MakeTable("b", "2")},
                                    IngestExternalFileOptions()));
  EXPECT_EQ(ScanOf(1), "a=1 b=2 ");
  ASSERT_OK(
      db_->CompactRange(CompactRangeOptions(), handles_[1], nullptr, nullptr));
  ASSERT_OK(PutIn(0, "k", "v"));
  ASSERT_OK(OpenBoth(/*takes_writes=*/false));
  EXPECT_EQ(ScanOf(0), "k=v ");
  EXPECT_EQ(ScanOf(1), "a=1 b=2 ");
  // What the options file has is what was set.
  DBOptions db_options;
  std::vector<ColumnFamilyDescriptor> families;
  ASSERT_OK(LoadLatestOptions(ConfigOptions(), path_, &db_options, &families));
  ASSERT_EQ(families.size(), 2u);
  EXPECT_FALSE(families[0].options.disallow_memtable_writes);
  EXPECT_TRUE(families[1].options.disallow_memtable_writes);
}

TEST_F(DisallowMemtableWritesTest, MayChangeFromOpenToOpen) {
  ASSERT_NO_FATAL_FAILURE(Create());
  ASSERT_OK(OpenBoth(/*takes_writes=*/true));
  ASSERT_OK(PutIn(1, "k", "v"));
  // The log still has it: it would be lost.
  EXPECT_EQ(OpenBoth(/*takes_writes=*/false).ToString(), kRefusal);
  ASSERT_OK(OpenBoth(/*takes_writes=*/true));
  EXPECT_EQ(ScanOf(1), "k=v ");
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[1]));
  ASSERT_OK(OpenBoth(/*takes_writes=*/false));
  EXPECT_EQ(ScanOf(1), "k=v ");
  EXPECT_EQ(PutIn(1, "k", "w").ToString(), kRefusal);
  EXPECT_FALSE(
      db_->SetOptions(handles_[1], {{"disallow_memtable_writes", "false"}})
          .ok());
}

TEST_F(DisallowMemtableWritesTest, NotForTheDefaultFamily) {
  ColumnFamilyOptions family;
  ASSERT_OK(GetColumnFamilyOptionsFromString(
      ConfigOptions(), family, "disallow_memtable_writes=true", &family));
  EXPECT_TRUE(family.disallow_memtable_writes);
  options_.disallow_memtable_writes = true;
  EXPECT_EQ(TryOpen().ToString(),
            "Invalid argument: Default column family cannot use "
            "disallow_memtable_writes=true");
  options_.disallow_memtable_writes = false;
  ASSERT_NO_FATAL_FAILURE(Open());
  options_.disallow_memtable_writes = true;
  ASSERT_NO_FATAL_FAILURE(CreateFamily("tables"));
  EXPECT_EQ(PutIn(0, "k", "v").ToString(), kRefusal);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
