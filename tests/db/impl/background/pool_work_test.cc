// The second table of "Compaction Stats": what the threads of each pool have
// done for a family.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/sst_file_writer.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Words = std::vector<std::string>;

// Words of a row: its name, files, size and unit, then a figure for each of the
// columns from Score on.
constexpr size_t kFiles = 1, kWrite = 8, kSeconds = 15, kCount = 17,
                 kKeysIn = 19, kWordCount = 23;

class PoolWorkTest : public DbFixture {
 protected:
  PoolWorkTest() {
    options_.disable_auto_compactions = true;
    options_.level_compaction_dynamic_level_bytes = false;
  }
  ~PoolWorkTest() override {
    if (bottom_threads_ < 0) return;
    options_.env->SetBackgroundThreads(bottom_threads_, Env::Priority::BOTTOM);
  }
  void GiveBottomAThread() {
    bottom_threads_ = options_.env->GetBackgroundThreads(Env::Priority::BOTTOM);
    options_.env->SetBackgroundThreads(1, Env::Priority::BOTTOM);
  }
  void AddFile() {
    for (int i = 0; i < 1000; ++i) {
      ASSERT_OK(Put("key" + std::to_string(1000 + i), std::string(1000, 'v')));
    }
    ASSERT_OK(Flush());
  }
  std::string Text(const std::string& property) {
    std::string text;
    EXPECT_TRUE(db_->GetProperty(property, &text));
    return text;
  }
  // By name, those below the heading that begins with `first_word`.
  std::map<std::string, Words> Rows(const std::string& text,
                                    const std::string& first_word) {
    std::map<std::string, Words> rows;
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line) && line.rfind(first_word + " ", 0) != 0) {
    }
    EXPECT_TRUE(lines.good()) << first_word << " is not in " << text;
    const size_t heading = line.size();
    std::getline(lines, line);
    EXPECT_EQ(line, std::string(heading + 1, '-'));
    while (std::getline(lines, line) && !line.empty()) {
      std::istringstream stream(line);
      Words words;
      for (std::string word; stream >> word;) words.push_back(word);
      EXPECT_EQ(words.size(), kWordCount) << line;
      rows[words[0]] = words;
    }
    return rows;
  }
  std::map<std::string, Words> Pools() {
    return Rows(Text("rocksdb.stats"), "Priority");
  }
  std::string Names() {
    std::string names;
    for (const auto& [name, words] : Pools()) names += name + " ";
    return names;
  }

 private:
  int bottom_threads_ = -1;  // before; -1: as it is
};

TEST_F(PoolWorkTest, EachPoolHasWhatItsThreadsDid) {
  Open();
  EXPECT_EQ(Names(), "");
  AddFile();
  EXPECT_EQ(Names(), "High ") << "flushes";
  AddFile();
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Names(), "High Low ") << "and compactions";
  EXPECT_EQ(Pools()["High"][kCount], "2");
  EXPECT_EQ(Pools()["Low"][kCount], "1");
  EXPECT_EQ(Pools()["High"][kKeysIn], "2000");
  EXPECT_EQ(Pools()["Low"][kKeysIn], "2000");
  EXPECT_EQ(Pools()["Low"][kFiles], "0/0") << "files belong to no pool";
  // What a caller's own thread does.
  AddFile();
  ASSERT_OK(db_->CompactFiles(CompactionOptions(), TableNames(), 1));
  EXPECT_EQ(Names(), "High Low User ");
  EXPECT_EQ(Pools()["User"][kCount], "1");
  ASSERT_OK(db_->ResetStats());
  EXPECT_EQ(Names(), "");
}

TEST_F(PoolWorkTest, TheRowsAddUpToThatOfAllLevels) {
  Open();
  for (int i = 0; i < 3; ++i) AddFile();
  ASSERT_OK(CompactAll());
  ASSERT_OK(db_->CompactFiles(CompactionOptions(), TableNames(), 2));
  const std::string text = Text("rocksdb.cfstats-no-file-histogram");
  const Words sum = Rows(text, "Level").at("Sum");
  int count = 0;
  double seconds = 0, written = 0;
  for (const auto& [name, words] : Rows(text, "Priority")) {
    count += std::stoi(words[kCount]);
    seconds += std::stod(words[kSeconds]);
    written += std::stod(words[kWrite]);
  }
  EXPECT_EQ(std::to_string(count), sum[kCount]);
  EXPECT_EQ(count, 5);
  // Each is rounded.
  EXPECT_NEAR(seconds, std::stod(sum[kSeconds]), 0.02);
  EXPECT_NEAR(written, std::stod(sum[kWrite]), 0.2);
}

TEST_F(PoolWorkTest, TheBottomPoolHasCompactionsToTheLastLevel) {
  GiveBottomAThread();
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 2;
  Open();
  for (int i = 0; i < 2; ++i) AddFile();
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(Names(), "Bottom High ");
  EXPECT_EQ(Pools()["Bottom"][kKeysIn], "2000");
}

TEST_F(PoolWorkTest, AMovedFileKeepsNoPoolBusy) {
  Open();
  AddFile();
  ASSERT_OK(CompactAll());
  ASSERT_EQ(FilesAt(1), 1);
  EXPECT_EQ(Names(), "High ");
}

TEST_F(PoolWorkTest, WhatAnOpenWritesIsTheCallersOwn) {
  options_.avoid_flush_during_shutdown = true;
  Open();
  ASSERT_OK(Put("a", "1"));
  Reopen();
  ASSERT_EQ(FilesAt(0), 1);
  EXPECT_EQ(Names(), "User ");
  EXPECT_EQ(Pools()["User"][kCount], "1");
  EXPECT_EQ(Rows(Text("rocksdb.stats"), "Level").at("L0")[kCount], "1");
}

// A pool is of the database, its work of a family.
TEST_F(PoolWorkTest, FamiliesHaveTheirOwn) {
  Open();
  ColumnFamilyHandle* second = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(ColumnFamilyOptions(), "second", &second));
  AddFile();
  EXPECT_EQ(Names(), "High ");
  std::string text;
  EXPECT_TRUE(db_->GetProperty(second, "rocksdb.cfstats", &text));
  EXPECT_TRUE(Rows(text, "Priority").empty());
  EXPECT_NE(text.find("** Compaction Stats [second] **\nPriority "),
            std::string::npos);
  ASSERT_OK(db_->DestroyColumnFamilyHandle(second));
}

TEST_F(PoolWorkTest, IngestedFilesHaveLinesOfTheirOwn) {
  Open();
  const auto ingest = [this](const std::string& key, int count) {
    const std::string path = directory_.path() + "/" + key + ".sst";
    SstFileWriter writer(EnvOptions(), options_);
    ASSERT_OK(writer.Open(path));
    for (int i = 0; i < count; ++i) {
      ASSERT_OK(writer.Put(key + std::to_string(1000 + i), "value"));
    }
    ASSERT_OK(writer.Finish());
    ASSERT_OK(db_->IngestExternalFile({path}, IngestExternalFileOptions()));
  };
  ASSERT_OK(Put("b1005", "older"));
  ASSERT_OK(Flush());
  ingest("a", 3);
  EXPECT_NE(Text("rocksdb.stats")
                .find("\nAddFile(GB): cumulative 0.000, interval 0.000\n"
                      "AddFile(Total Files): cumulative 1, interval 1\n"
                      "AddFile(L0 Files): cumulative 0, interval 0\n"
                      "AddFile(Keys): cumulative 3, interval 3\n"),
            std::string::npos);
  ingest("b", 10);  // over what level 0 has
  EXPECT_NE(Text("rocksdb.stats")
                .find("\nAddFile(Total Files): cumulative 2, interval 1\n"
                      "AddFile(L0 Files): cumulative 1, interval 1\n"
                      "AddFile(Keys): cumulative 13, interval 10\n"),
            std::string::npos);
  EXPECT_EQ(Names(), "High ");
}

TEST_F(PoolWorkTest, TablesAreListedAsTheManifestHasThem) {
  Open();
  ASSERT_OK(Put("ka", "1"));
  ASSERT_OK(Delete("kb"));
  ASSERT_OK(Flush());
  const LiveFileMetaData file = Tables().at(0);
  const std::string text = Text("rocksdb.sstables");
  const std::string number = std::to_string(file.file_number);
  EXPECT_NE(text.find(" --- version# "), std::string::npos) << text;
  EXPECT_NE(text.find("\n " + number + ":" + std::to_string(file.size) +
                      "[1 .. 2]['6B61' seq:1, type:1 .. '6B62' seq:2, type:0]"
                      "(0)\n--- level 1 --- version# "),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
