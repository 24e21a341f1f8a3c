// sst_dump and ldb on tables of other formats than block-based.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using ::testing::HasSubstr;

TEST(SstFormatsTest, PlainAndCuckooTablesAreRead) {
  for (const bool is_cuckoo : {false, true}) {
    const TempDir directory("sst_formats");
    Options options;
    options.create_if_missing = true;
    options.allow_mmap_reads = true;
    options.table_factory.reset(is_cuckoo ? NewCuckooTableFactory()
                                          : NewPlainTableFactory());
    std::string table;
    {
      std::unique_ptr<DB> db;
      ASSERT_TRUE(DB::Open(options, directory.File("db"), &db).ok());
      ASSERT_TRUE(db->Put(WriteOptions(), "key1", "one").ok());
      ASSERT_TRUE(db->Put(WriteOptions(), "key2", "two").ok());
      ASSERT_TRUE(db->Delete(WriteOptions(), "key3").ok());
      ASSERT_TRUE(db->Flush(FlushOptions()).ok());
      std::vector<LiveFileMetaData> files;
      db->GetLiveFilesMetaData(&files);
      ASSERT_EQ(files.size(), 1u);
      table = files[0].directory + "/" + files[0].relative_filename;
    }
    ProgramResult run = RunProgram(
        "sst_dump", {"--file=" + table, "--command=scan", "--show_properties"});
    EXPECT_EQ(run.status, 0) << run.errors;
    EXPECT_THAT(run.output,
                HasSubstr(is_cuckoo ? "Sst file format: cuckoo table\n"
                                    : "Sst file format: plain table\n"));
    EXPECT_THAT(run.output, HasSubstr("'key1' seq:1, type:1 => one\n"
                                      "'key2' seq:2, type:1 => two\n"
                                      "'key3' seq:3, type:0 => "));
    EXPECT_THAT(run.output, HasSubstr("# entries: 3\n"));
    run = RunProgram("sst_dump", {"--file=" + table, "--command=verify"});
    EXPECT_EQ(run.status, 0) << run.errors;
    EXPECT_THAT(run.output, HasSubstr("The file is ok"));
    run = RunProgram("ldb", {"dump", "--path=" + table});
    EXPECT_EQ(run.status, 0) << run.errors;
    EXPECT_THAT(run.output,
                HasSubstr(is_cuckoo ? "Sst file format: cuckoo table\n"
                                    : "Sst file format: plain table\n"));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
