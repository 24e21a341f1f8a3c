// db_sanity_test, db_repl_stress and write_stress, by their command lines.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSanityKinds[] = {
    "Basic", "SpecialComparator", "Zlib",       "ZlibVersion2", "LZ4", "LZ4HC",
    "ZSTD",  "PlainTable",        "BloomFilter"};

TEST(SanityProgramTest, CreatesAndVerifiesNineKinds) {
  const TempDir directory("sanity");
  for (const std::string command : {"create", "verify"}) {
    const ProgramResult run =
        RunProgram("db_sanity_test", {directory.path(), command});
    EXPECT_EQ(run.status, 0) << run.errors;
    EXPECT_THAT(run.errors, HasSubstr(command == "create" ? "Creating...\n"
                                                          : "Verifying...\n"));
    for (const std::string kind : kSanityKinds) {
      EXPECT_THAT(run.errors, HasSubstr(kind + " -- OK\n"));
    }
  }
  // One of them is another now.
  ASSERT_TRUE(DestroyDB(directory.File("LZ4"), Options()).ok());
  const ProgramResult run =
      RunProgram("db_sanity_test", {directory.path(), "verify"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.errors, HasSubstr("LZ4 -- FAIL\n"));
  EXPECT_THAT(run.errors, HasSubstr("BloomFilter -- OK\n"));
}

TEST(SanityProgramTest, TellsHowItIsUsed) {
  const ProgramResult help = RunProgram("db_sanity_test", {"--help"});
  EXPECT_EQ(help.status, 1);
  EXPECT_THAT(help.errors, HasSubstr("db_sanity_test <path>"));
  const TempDir directory("sanity");
  EXPECT_EQ(RunProgram("db_sanity_test", {directory.path(), "look"}).status, 1);
}

TEST(ReplicationProgramTest, MissesNoWrite) {
  const ProgramResult run =
      RunProgram("db_repl_stress", {"--num_inserts=3000"});
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.errors, HasSubstr("Refreshing iterator\n"));
  EXPECT_THAT(run.errors, HasSubstr("Successful!\n"));
  EXPECT_EQ(run.output, "");
  const ProgramResult help = RunProgram("db_repl_stress", {"--help"});
  EXPECT_EQ(help.status, 1);
  EXPECT_THAT(help.output, HasSubstr("db_repl_stress:"));
}

TEST(WriteStressProgramTest, IsSilentAndGoesOnWithItsDatabase) {
  const TempDir directory("write_stress");
  const std::string path = directory.File("db");
  for (const std::string destroys : {"true", "false"}) {
    const ProgramResult run = RunProgram(
        "write_stress",
        {"--db=" + path, "--runtime_sec=1", "--iterator_hold_sec=0",
         "--prefix_mutate_period_sec=0.01", "--low_open_files_mode",
         "--delete_obsolete_files_with_fullscan", "--destroy_db=" + destroys});
    EXPECT_EQ(run.status, 0) << run.errors;
    EXPECT_EQ(run.output + run.errors, "");
  }
  const ProgramResult help = RunProgram("write_stress", {"--help"});
  EXPECT_EQ(help.status, 1);
  EXPECT_THAT(help.output, HasSubstr("write_stress [OPTIONS]..."));
  EXPECT_EQ(RunProgram("write_stress", {"--key_size=2"}).status, 1);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
