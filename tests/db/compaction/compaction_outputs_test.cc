// Where a compaction ends one output file and begins the next, by the files of
// the level below. Runs tests/testdata/compaction/outputs.txt:
//
//   cut OPTIONS           the outputs, by their keys
//   below KEYS KEYS       a file of these keys each, below the outputs
//   keys KEYS             those that are compacted
//
// OPTIONs: overlap:N.N (the most that one output may pass, in files below),
// named (a user names the size for this compaction).
//
// Keys are single letters, each with a value of kEntryBytes, so that files may
// be thought of in entries: a full one has twelve.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/db/compaction/job_world.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Outputs look at their size after each of these.
constexpr uint64_t kEntryBytes = 5000;
// Half an entry is spare for what is not entries.
constexpr uint64_t kTargetBytes = 11 * kEntryBytes + kEntryBytes / 2;

class CutScript {
 public:
  explicit CutScript(const ScriptCase& c) : command_(c.command) {
    EXPECT_EQ(command_.verb(), "cut");
    for (const std::string& line : LinesOf(c.body)) {
      std::istringstream words(line);
      std::string kind;
      words >> kind;
      for (std::string keys; words >> keys;) {
        (kind == "below" ? below_ : keys_).push_back(keys);
      }
    }
    if (command_.HasWord("named")) {
      world_.max_output_bytes = kTargetBytes;
    } else {
      world_.f.family.target_file_size_base = kTargetBytes;
    }
    world_.Create();
  }
  ~CutScript() { world_.Close(); }
  CutScript(const CutScript&) = delete;
  CutScript& operator=(const CutScript&) = delete;

  std::string Run() {
    for (const std::string& keys : below_) Compact(keys, 3);
    if (command_.Has("overlap")) {
      const double files = std::stod(command_.Text("overlap", ""));
      const std::vector<FileRef> below = world_.Files(3);
      world_.max_overlap_bytes = static_cast<uint64_t>(
          files * static_cast<double>(below.front()->size_bytes));
    }
    EXPECT_EQ(keys_.size(), 1u);
    Compact(keys_.at(0), 1);
    std::string text;
    for (const FileRef& file : world_.Files(1)) {
      text += text.empty() ? "" : " ";
      for (const TextEntry& e : world_.Entries(file)) text += e.user_key;
    }
    return text;
  }

 private:
  // A file at level 0 with these keys, and down with it.
  void Compact(const std::string& keys, int level) {
    std::vector<TextEntry> entries;
    for (const char key : keys) {
      entries.push_back({std::string(1, key), ++sequence_, kTypeValue,
                         std::string(kEntryBytes, 'v')});
    }
    Status s = world_.Flush(entries);
    if (s.ok()) s = world_.Compact(0, level);
    EXPECT_TRUE(s.ok()) << s.ToString();
  }

  const ScriptWords command_;
  std::vector<std::string> below_, keys_;
  JobWorld world_;
  SequenceNumber sequence_ = 0;
};

TEST(CompactionOutputsTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) { return CutScript(c).Run(); };
  EXPECT_GE(RunScript("compaction/outputs.txt", run), 27u)
      << "cases went missing";
}

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
