// db_sanity_test, db_repl_stress and write_stress, by their command lines, and
// what packages that install the tools try of all of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/version.h"
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

// The test of Homebrew's package checks this, under the names that it installs.
TEST(PackageTest, ProgramsAreKnownByTheirHelp) {
  const TempDir directory("package");
  struct Installed {
    const char* program;
    const char* name;
    const char* text;
    int status;
  };
  for (const Installed& tool : {
           Installed{"sst_dump", "rocksdb_sst_dump",
                     "sst_dump <db_dirs_OR_sst_files...>", 0},
           Installed{"ldb", "rocksdb_ldb", "ldb - RocksDB Tool", 0},
           Installed{"db_sanity_test", "rocksdb_sanity_test",
                     "rocksdb_sanity_test <path>", 1},
           Installed{"db_stress", "rocksdb_stress",
                     "rocksdb_stress [OPTIONS]...", 1},
           Installed{"write_stress", "rocksdb_write_stress",
                     "rocksdb_write_stress [OPTIONS]...", 1},
           Installed{"db_repl_stress", "rocksdb_repl_stress",
                     "rocksdb_repl_stress:", 1},
           Installed{"rocksdb_dump", "rocksdb_dump", "rocksdb_dump:", 1},
           Installed{"rocksdb_undump", "rocksdb_undump", "rocksdb_undump:", 1},
       }) {
    const std::string path = directory.File(tool.name);
    std::filesystem::create_symlink(
        std::string(BASALT_BINARY_DIR) + "/bin/" + tool.program, path);
    const ProgramResult help = RunProgram(path, {"--help"});
    EXPECT_EQ(help.status, tool.status) << tool.name;
    EXPECT_THAT(help.output + help.errors, HasSubstr(tool.text));
  }
}

TEST(PackageTest, ProgramsTellTheirVersion) {
  for (const char* program :
       {"cache_bench", "filter_bench", "point_lock_bench", "write_stress",
        "db_repl_stress", "rocksdb_dump", "rocksdb_undump", "trace_analyzer",
        "block_cache_trace_analyzer", "io_tracer_parser", "db_stress",
        "blob_dump", "db_sanity_test"}) {
    const ProgramResult told = RunProgram(program, {"--version"});
    EXPECT_EQ(0, told.status) << program;
    EXPECT_EQ(
        std::string(program) + " version " + GetRocksVersionAsString() + "\n",
        told.output)
        << told.errors;
  }
}

TEST(PackageTest, EveryCodecPutsAndGets) {
  const TempDir directory("package");
  const std::string db = "--db=" + directory.File("db");
  int count = 0;
  for (const auto& [word, codec] :
       {std::pair("no", kNoCompression),
        std::pair("snappy", kSnappyCompression),
        std::pair("zlib", kZlibCompression),
        std::pair("bzip2", kBZip2Compression),
        std::pair("lz4", kLZ4Compression), std::pair("zstd", kZSTD)}) {
    const auto all = GetSupportedCompressions();
    if (std::find(all.begin(), all.end(), codec) == all.end()) continue;
    const std::string number = std::to_string(++count);
    const ProgramResult put =
        RunProgram("ldb", {"put", db, "--create_if_missing",
                           std::string("--compression_type=") + word,
                           "key-" + number, "value-" + number});
    EXPECT_EQ(put.output, "OK\n") << word << put.errors;
    const ProgramResult get = RunProgram("ldb", {"get", db, "key-" + number});
    EXPECT_EQ(get.output, "value-" + number + "\n") << word << get.errors;
  }
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
