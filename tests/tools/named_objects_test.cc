// Comparators and merge operators of ldb and sst_dump: by name, and from shared
// objects.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const char* const kLibrary =
    "--load_library=" BASALT_BINARY_DIR "/lib/basalt_named_objects.so";

class NamedObjectsTest : public ::testing::Test {
 protected:
  ProgramResult Ldb(std::vector<std::string> words) const {
    words.push_back("--db=" + path_);
    return RunProgram("ldb", words);
  }
  // Keys of one and two letters, in the order of the shared object.
  void Make() const {
    const ProgramResult made =
        Ldb({"batchput", "aa", "1", "c", "2", "b", "3", kLibrary,
             "--comparator=test.ByLength", "--merge_operator=test.Longest",
             "--create_if_missing"});
    ASSERT_EQ("OK\n", made.output) << made.errors;
    ASSERT_EQ(0, Ldb({"compact", kLibrary}).status);
  }
  std::string Table() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().extension() == ".sst") return entry.path();
    }
    ADD_FAILURE() << "there is no table";
    return "";
  }

  const TempDir dir_{"named_objects"};
  const std::string path_ = dir_.File("db");
};

TEST_F(NamedObjectsTest, TheOptionsFileNamesWhatALibraryHas) {
  Make();
  const ProgramResult scan = Ldb({"scan", kLibrary});
  EXPECT_EQ("b ==> 3\nc ==> 2\naa ==> 1\n", scan.output) << scan.errors;
  EXPECT_EQ("c ==> 2\naa ==> 1\n",
            Ldb({"scan", "--from=c", "--to=ab", kLibrary}).output);
}

TEST_F(NamedObjectsTest, WithoutOptionsTheCommandLineNamesThem) {
  Make();
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    if (entry.path().filename().string().starts_with("OPTIONS")) {
      std::filesystem::remove(entry.path());
    }
  }
  EXPECT_EQ(1, Ldb({"scan", kLibrary}).status);
  EXPECT_EQ("b\nc\naa\n",
            Ldb({"scan", "--no_value", kLibrary, "--comparator=test.ByLength"})
                .output);
}

TEST_F(NamedObjectsTest, TablesAreSearchedInTheirOrder) {
  Make();
  const std::string table = Table();
  const ProgramResult known =
      RunProgram("sst_dump", {table, "--command=scan", "--from=c", kLibrary});
  EXPECT_EQ(0, known.status);
  EXPECT_EQ("", known.errors);
  EXPECT_THAT(known.output, HasSubstr("'c' seq:"));
  EXPECT_THAT(known.output, HasSubstr("'aa' seq:"));
  EXPECT_THAT(known.output, Not(HasSubstr("'b' seq:")));
  const ProgramResult unknown = RunProgram("sst_dump", {table});
  EXPECT_THAT(unknown.errors, HasSubstr("test.ByLength"));
}

TEST_F(NamedObjectsTest, WhatNothingHasIsNamed) {
  Make();
  ProgramResult bad = Ldb({"scan", "--comparator=test.ByLength"});
  EXPECT_EQ(1, bad.status);
  EXPECT_THAT(bad.errors, HasSubstr("--comparator=test.ByLength"));
  EXPECT_THAT(bad.errors, HasSubstr("--load_library"));
  bad = Ldb({"scan", kLibrary, "--merge_operator=none"});
  EXPECT_EQ(1, bad.status);
  EXPECT_THAT(bad.errors, HasSubstr("--merge_operator=none"));
}

TEST_F(NamedObjectsTest, WhatCannotBeLoadedIsToldAndNothingIsDone) {
  Make();
  const std::string text = dir_.File("text.so");
  std::ofstream(text) << "no library";
  for (const std::string& file : {text, dir_.File("none.so")}) {
    for (const auto& [program, words] :
         {std::pair("ldb", std::vector<std::string>{"--db=" + path_, "scan"}),
          std::pair("sst_dump", std::vector<std::string>{Table()})}) {
      std::vector<std::string> all = words;
      all.push_back("--load_library=" + file);
      const ProgramResult bad = RunProgram(program, all);
      EXPECT_EQ(1, bad.status) << program;
      EXPECT_EQ("", bad.output) << program;
      EXPECT_THAT(bad.errors, HasSubstr("--load_library=" + file)) << program;
    }
  }
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
