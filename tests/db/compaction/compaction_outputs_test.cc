// Where a compaction ends one output file and begins the next, by the files of
// the level below.
//
// Keys are single letters, each with a value of kEntryBytes, so that files may
// be thought of in entries: a full one has twelve.
#include <gtest/gtest.h>

#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/db/compaction/job_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Outputs look at their size after each of these.
constexpr uint64_t kEntryBytes = 5000;
// Half an entry is spare for what is not entries.
constexpr uint64_t kTargetBytes = 11 * kEntryBytes + kEntryBytes / 2;

struct CutCase {
  const char* what;
  const char* below;   // "ab cf": one file of a and b, one of c and f
  const char* keys;    // that are compacted
  const char* expect;  // "abc def": the outputs
  // The most that one output may pass, in files below; 0: any.
  double overlap_in_files = 0;
  // Does a user name the size for this compaction?
  bool is_size_given = false;
};

void PrintTo(const CutCase& c, std::ostream* to) { *to << c.what; }

class CompactionOutputsTest : public ::testing::TestWithParam<CutCase> {
 protected:
  ~CompactionOutputsTest() override { world_.Close(); }

  void Create() {
    if (GetParam().is_size_given) {
      world_.max_output_bytes = kTargetBytes;
    } else {
      world_.f.family.target_file_size_base = kTargetBytes;
    }
    ASSERT_NO_FATAL_FAILURE(world_.Create());
  }
  // A file at level 0 with these keys.
  void Write(const std::string& keys) {
    std::vector<TextEntry> entries;
    for (const char key : keys) {
      entries.push_back({std::string(1, key), ++sequence_, kTypeValue,
                         std::string(kEntryBytes, 'v')});
    }
    ASSERT_TRUE(world_.Flush(entries).ok());
  }
  void Compact(int from, int to) {
    const Status s = world_.Compact(from, to);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  void WriteBelow() {
    std::istringstream files(GetParam().below);
    for (std::string keys; files >> keys;) {
      ASSERT_NO_FATAL_FAILURE(Write(keys));
      ASSERT_NO_FATAL_FAILURE(Compact(0, 3));
    }
  }
  std::string Outputs() {
    std::string text;
    for (const FileRef& file : world_.Files(1)) {
      text += text.empty() ? "" : " ";
      for (const TextEntry& e : world_.Entries(file)) text += e.user_key;
    }
    return text;
  }

  JobWorld world_;
  SequenceNumber sequence_ = 0;
};

TEST_P(CompactionOutputsTest, Cuts) {
  const CutCase& c = GetParam();
  ASSERT_NO_FATAL_FAILURE(Create());
  ASSERT_NO_FATAL_FAILURE(WriteBelow());
  const std::vector<FileRef> below = world_.Files(3);
  if (c.overlap_in_files > 0) {
    world_.max_overlap_bytes = static_cast<uint64_t>(
        c.overlap_in_files * static_cast<double>(below.front()->size_bytes));
  }
  ASSERT_NO_FATAL_FAILURE(Write(c.keys));
  ASSERT_NO_FATAL_FAILURE(Compact(0, 1));
  EXPECT_EQ(Outputs(), c.expect);
}

const CutCase kCutCases[] = {
    {"without files below a file ends when it is full", "",
     "abcdefghijklmnopqrstuvwxyz", "abcdefghijkl mnopqrstuvwx yz"},

    // The bytes of the files below that one output passes.
    {"what is passed may be as much as the limit and no more", "ab cd ef gh",
     "ace", "ac e", 1.5},
    {"a file below that is not passed does not count", "ab cd ef gh", "ab",
     "ab", 0.5},
    {"files below between two keys count, too", "ab cd ef gh", "ai", "a i",
     3.5},
    {"what is passed counts anew for each output", "ab cd ef gh", "acegi",
     "ac eg i", 1.5},
    {"within the limit all is one file", "ab cd ef gh", "aei", "aei", 4.5},

    // A file may grow to twice its size if a border may come.
    {"a file grows within one file below", "az", "abcdefghijklmnopqrstuvwxyz",
     "abcdefghijklmnopqrstuvw xyz"},
    {"it does not once the last file below is passed", "ab",
     "abcdefghijklmnopqrstuvwxyz", "abcdefghijkl mnopqrstuvwx yz"},
    {"a size that a user names is kept", "az", "abcdefghijklmnopqrstuvwxyz",
     "abcdefghijkl mnopqrstuvwx yz", 0, true},

    // Borders, of which the one is taken that is next to the size.
    {"the border before the size is nearer", "ah iz", "abcdefghijklmnop",
     "abcdefgh ijklmnop"},
    {"the border behind the size is nearer", "ag hn oz", "abcdefghijklmnopq",
     "abcdefghijklmn opq"},
    {"a border that is many files away", "ac df gi jl mz", "abcdefghijklmnop",
     "abcdefghijkl mnop"},
    {"a named size is ended early at three quarters", "ai jz",
     "abcdefghijklmnop", "abcdefghi jklmnop", 0, true},
    {"but not before", "ah iz", "abcdefghijklmnop", "abcdefghijkl mnop", 0,
     true},

    // Gaps below.
    {"a quarter of a file is ended before a gap", "ac z", "abcdefgh",
     "abc defgh"},
    {"less than that is not", "ab z", "abcdefgh", "abcdefgh"},
    {"an eighth that lies in a gap is ended before the next file below", "cz",
     "abcdefgh", "ab cdefgh"},
    {"less than that is not ended", "bz", "abcdefgh", "abcdefgh"},
    {"nor is what has come to a file below before", "ab dz", "abcdefgh",
     "abcdefgh"},
};

INSTANTIATE_TEST_SUITE_P(Borders, CompactionOutputsTest,
                         ::testing::ValuesIn(kCutCases));

// Though each is a file's worth, and a border lies between the keys.
TEST(CompactionOutputs, VersionsOfOneKeyStayTogether) {
  JobWorld world;
  world.f.family.target_file_size_base = kEntryBytes / 2;
  ASSERT_NO_FATAL_FAILURE(world.Create());
  world.snapshots = {1, 2, 3};
  const std::string value(kEntryBytes, 'v');
  ASSERT_TRUE(world
                  .Flush({{"a", 1, kTypeValue, value},
                          {"a", 2, kTypeValue, value},
                          {"a", 3, kTypeValue, value},
                          {"b", 4, kTypeValue, value}})
                  .ok());
  ASSERT_TRUE(world.Compact(0, 1).ok());
  const std::vector<FileRef> files = world.Files(1);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(world.Entries(files[0]).size(), 3u);
  EXPECT_EQ(world.Entries(files[1]).size(), 1u);
  world.Close();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
