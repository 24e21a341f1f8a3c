// kvdump: the lines and the digest, of all column families, and its refusals.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class KvdumpTest : public ::testing::Test {
 protected:
  // A database of two families; `value` is that of the second one's key.
  std::string MakeDatabase(const std::string& name, const Slice& value) {
    Options options;
    options.create_if_missing = true;
    const std::string path = dir_.File(name);
    DB* opened = nullptr;
    EXPECT_TRUE(DB::Open(options, path, &opened).ok());
    const std::unique_ptr<DB> db(opened);
    ColumnFamilyHandle* other = nullptr;
    EXPECT_TRUE(db->CreateColumnFamily(options, "other", &other).ok());
    EXPECT_TRUE(db->Put(WriteOptions(), "a", "1").ok());
    EXPECT_TRUE(db->Put(WriteOptions(), "b", "").ok());
    EXPECT_TRUE(
        db->Put(WriteOptions(), other, Slice("\x00\xff", 2), value).ok());
    EXPECT_TRUE(db->DestroyColumnFamilyHandle(other).ok());
    return path;
  }

  const TempDir dir_{"kvdump"};
};

TEST_F(KvdumpTest, PrintsEveryFamilyInHex) {
  const ProgramResult run =
      RunProgram("kvdump", {MakeDatabase("db", Slice("\n\t", 2))});
  EXPECT_EQ(0, run.status) << run.errors;
  EXPECT_EQ("default\t61\t31\ndefault\t62\t\nother\t00FF\t0A09\n", run.output);
}

TEST_F(KvdumpTest, DigestsDifferWhereContentDoes) {
  const auto digest = [&](const std::string& name, const Slice& value) {
    const ProgramResult run =
        RunProgram("kvdump", {"--digest", MakeDatabase(name, value)});
    EXPECT_EQ(0, run.status) << run.errors;
    return run.output;
  };
  const std::string first = digest("first", "x");
  EXPECT_THAT(first, MatchesRegex("default\t2\t[0-9A-F]+\n"
                                  "other\t1\t[0-9A-F]+\n"));
  EXPECT_EQ(first, digest("same", "x"));
  EXPECT_NE(first, digest("different", "y"));
}

TEST_F(KvdumpTest, RefusesWhatItCannotDo) {
  EXPECT_EQ(1, RunProgram("kvdump", {}).status);
  EXPECT_EQ(1, RunProgram("kvdump", {"--nosuch", "x"}).status);
  const ProgramResult missing = RunProgram("kvdump", {dir_.File("none")});
  EXPECT_EQ(1, missing.status);
  EXPECT_THAT(missing.errors, HasSubstr(dir_.File("none")));
  const ProgramResult options =
      RunProgram("kvdump", {"--cf_options=nosuch=1", MakeDatabase("db", "x")});
  EXPECT_EQ(1, options.status);
  EXPECT_THAT(options.errors, HasSubstr("nosuch"));
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
