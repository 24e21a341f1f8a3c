// External files of ours are read and ingested by the stock tools, and theirs
// by us; and files that RocksDB's SstFileWriter wrote (golden vectors). Where
// the tools or the vectors are absent, a test says so and passes.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "rocksdb/sst_file_reader.h"
#include "rocksdb/wide_columns.h"
#include "tests/db/impl/ingest_fixture.h"
#include "tests/testing/golden.h"
#include "tests/testing/shell.h"

namespace ROCKSDB_NAMESPACE {
namespace {

bool HasTools() { return HasProgram("sst_dump") && HasProgram("ldb"); }

class IngestStockTest : public IngestFixture {
 protected:
  IngestStockTest() {
    BlockBasedTableOptions table;
    table.format_version = 5;  // The newest that the tools know.
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  std::string Run(const std::string& command) {
    int status = 0;
    std::string output = RunShell(command, &status);
    EXPECT_EQ(status, 0) << command << "\n" << output;
    return output;
  }
};

TEST_F(IngestStockTest, TheirToolsTakeOurFiles) {
  if (!HasTools()) GTEST_SKIP() << "no sst_dump or ldb";
  const std::string path = Make([](SstFileWriter* writer) {
    EXPECT_OK(writer->Put("apple", "red"));
    EXPECT_OK(writer->Delete("banana"));
    EXPECT_OK(writer->Put("cherry", "dark"));
    EXPECT_OK(writer->DeleteRange("d", "f"));
  });
  const std::string dump =
      Run("sst_dump --command=scan --show_properties --file=" + path);
  EXPECT_NE(dump.find("'apple' seq:0, type:1 => red"), std::string::npos)
      << dump;
  EXPECT_NE(dump.find("SST Writer"), std::string::npos) << dump;
  Run("sst_dump --command=verify --file=" + path);
  const std::string theirs = directory_.path() + "/theirs";
  Run("ldb --db=" + theirs + " --create_if_missing put banana yellow");
  Run("ldb --db=" + theirs + " put eggplant black");
  Run("ldb --db=" + theirs + " ingest_extern_sst " + path);
  EXPECT_EQ(Run("ldb --db=" + theirs + " scan"),
            "apple : red\ncherry : dark\n");
}

TEST_F(IngestStockTest, WeTakeTheirFiles) {
  if (!HasTools()) GTEST_SKIP() << "no sst_dump or ldb";
  const std::string path = directory_.path() + "/theirs.sst";
  Run("printf 'a ==> 1\\nb ==> 2\\n' | ldb --db=" + directory_.path() +
      "/theirs --create_if_missing write_extern_sst " + path);
  Open();
  ASSERT_OK(Put("b", "old"));
  ASSERT_OK(Ingest({path}));
  EXPECT_EQ(Scan(), "a=1 b=2 ");
}

// And a database into which we have ingested, theirs.
TEST_F(IngestStockTest, TheyReadADatabaseWithOurIngestedFiles) {
  if (!HasTools()) GTEST_SKIP() << "no sst_dump or ldb";
  Open();
  ASSERT_OK(Put("k01", "old"));
  ASSERT_OK(Put("k09", "old"));
  ASSERT_OK(Ingest({MakeKeys(1, 2, "first"), MakeKeys(2, 3, "second"),
                    Make([](SstFileWriter* writer) {
                      EXPECT_OK(writer->DeleteRange("k08", "k10"));
                    })}));
  ASSERT_OK(Ingest({MakeKeys(5, 5, "alone")}));
  const std::string expected = Scan();
  EXPECT_EQ(expected, "k01=first k02=second k03=second k05=alone ");
  ASSERT_OK(db_->Close());
  db_.reset();
  EXPECT_EQ(Run("ldb --ignore_unknown_options --db=" + path_ + " scan"),
            "k01 : first\nk02 : second\nk03 : second\nk05 : alone\n");
}

TEST_F(IngestStockTest, GoldenExternalFiles) {
  const std::filesystem::path vectors =
      std::filesystem::path(BASALT_SOURCE_DIR) / "../shared/spec/vectors/sst";
  int found = 0;
  for (const char* name : {"r783_v5_external.sst", "r119_v7_external.sst"}) {
    const std::string path = vectors / name;
    if (!Exists(path)) continue;
    ++found;
    SstFileReader reader(options_);
    ASSERT_OK(reader.Open(path));
    EXPECT_OK(reader.VerifyChecksum());
    EXPECT_OK(reader.VerifyNumEntries(ReadOptions()));
    std::filesystem::remove_all(path_);
    Open();
    for (const char* key : {"banana", "cat", "date", "fig"}) {
      ASSERT_OK(Put(key, "old"));
    }
    ASSERT_OK(Ingest({path}));
    EXPECT_EQ(Scan(), "apple=red apply=green fig=old ") << name;
    Reopen();
    EXPECT_EQ(Scan(), "apple=red apply=green fig=old ") << name;
    ASSERT_OK(CompactAll(true));
    EXPECT_EQ(Scan(), "apple=red apply=green fig=old ") << name;
    db_.reset();
  }
  if (found == 0) GTEST_SKIP() << "no vectors at " << vectors;
}

// Large values beside the data blocks, which a compaction takes inside.
TEST_F(IngestStockTest, AGoldenFileWithEmbeddedBlobs) {
  const std::string path =
      std::filesystem::path(BASALT_SOURCE_DIR) /
      "../shared/spec/vectors/sst/r119_v7_embedded_blob.sst";
  if (!Exists(path)) GTEST_SKIP() << "no " << path;
  SstFileReader reader(options_);
  ASSERT_OK(reader.Open(path));
  EXPECT_OK(reader.VerifyChecksum());
  const std::string big = "0123456789abcdef0123456789abcdef";
  options_.row_cache = NewLRUCache(1 << 20);
  for (const bool separates : {false, true}) {
    options_.enable_blob_files = separates;
    options_.min_blob_size = 20;
    Open();
    ASSERT_OK(Ingest({path}));
    const auto check = [&] {
      for (int i = 0; i < 2; ++i) EXPECT_EQ(Get("big"), big);
      EXPECT_EQ(Scan(), "big=" + big + " ent=dflt small=x ");
      const std::vector<Slice> keys = {"big", "ent", "small"};
      std::vector<PinnableWideColumns> columns(3);
      std::vector<Status> statuses(3);
      db_->MultiGetEntity(ReadOptions(), db_->DefaultColumnFamily(), 3,
                          keys.data(), columns.data(), statuses.data());
      for (const Status& s : statuses) EXPECT_OK(s);
      const std::string second(24, 'A');
      EXPECT_EQ(columns[0].columns(), WideColumns({{"", big}}));
      EXPECT_EQ(columns[1].columns(),
                WideColumns({{"", "dflt"}, {"c1", second}, {"c2", "v2"}}));
      std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
      it->SeekForPrev("c");
      ASSERT_TRUE(it->Valid());
      EXPECT_EQ(it->value(), big);
    };
    check();
    EXPECT_OK(db_->VerifyChecksum());
    ASSERT_OK(CompactAll(true));
    check();
    uint64_t blob_files = 0;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb.num-blob-files", &blob_files));
    EXPECT_EQ(blob_files, separates ? 1u : 0u);
    Reopen();
    check();
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
