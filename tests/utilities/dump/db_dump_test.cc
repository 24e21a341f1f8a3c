// A database dumped to a file, RocksDB's dumps too, is loaded again as it was,
// and cut or foreign files are refused.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "rocksdb/db_dump_tool.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/vectors.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class DbDumpTest : public DbFixture {
 protected:
  DbDumpTest() : dump_(directory_.File("dump")) {}

  void FillAndClose() {
    Open();
    ASSERT_OK(Put("", "emptykey"));
    ASSERT_OK(Put("a", "1"));
    ASSERT_OK(Put("bb", ""));
    ASSERT_OK(Flush());
    ASSERT_OK(Put(std::string("z\0z", 3), std::string(300, 'q')));
    db_.reset();
  }
  // What is in tables cannot be read any more: a dump fails behind its header.
  void DamageTables() {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().extension() != ".sst") continue;
      std::string bytes = BytesOfFile(entry.path().string());
      bytes[3] = static_cast<char>(bytes[3] ^ 0x40);
      std::ofstream(entry.path(), std::ios::binary) << bytes;
    }
  }
  bool Dump(bool anonymous = false) {
    DumpOptions dump;
    dump.db_path = path_;
    dump.dump_location = dump_;
    dump.anonymous = anonymous;
    return DbDumpTool().Run(dump, options_);
  }
  // Into a fresh database, which is then db_.
  bool Undump(const std::string& bytes, bool compact = false) {
    db_.reset();
    const std::string file = directory_.File("undumped_from");
    std::ofstream(file, std::ios::binary) << bytes;
    return UndumpFile(file, compact);
  }
  bool UndumpFile(const std::string& file, bool compact = false) {
    path_ = directory_.File("undumped" + std::to_string(++count_));
    UndumpOptions undump;
    undump.db_path = path_;
    undump.dump_location = file;
    undump.compact_db = compact;
    Options options = options_;
    options.create_if_missing = false;
    return DbUndumpTool().Run(undump, options);
  }
  std::string Content() {
    options_.create_if_missing = false;
    const Status s = TryOpen();
    const std::string text = s.ok() ? Scan() : s.ToString();
    options_.create_if_missing = true;
    db_.reset();
    return text;
  }

  const std::string dump_;
  const std::string expected_ = "=emptykey a=1 bb= " + std::string("z\0z=", 4) +
                                std::string(300, 'q') + " ";
  int count_ = 0;
};

TEST_F(DbDumpTest, ThereAndBack) {
  FillAndClose();
  ASSERT_TRUE(Dump());
  const std::string bytes = BytesOfFile(dump_);
  EXPECT_EQ(std::string("ROCKDUMP\0\0\0\0\0\0\0\1", 16), bytes.substr(0, 16));
  EXPECT_NE(std::string::npos, bytes.find("{ \"database-path\": \"" + path_ +
                                          "\", \"hostname\": "));
  EXPECT_NE(std::string::npos, bytes.find(", \"creation-time\": "));
  for (const bool compact : {false, true}) {
    ASSERT_TRUE(Undump(bytes, compact));
    EXPECT_EQ(expected_, Content());
  }
}

TEST_F(DbDumpTest, AnonymousDumpsAreTheirContentAlone) {
  FillAndClose();
  ASSERT_TRUE(Dump(true));
  const std::string bytes = BytesOfFile(dump_);
  EXPECT_EQ(std::string("ROCKDUMP\0\0\0\0\0\0\0\1\2\0\0\0{}", 22),
            bytes.substr(0, 22));
  for (const char* name :
       {"utilities/r783_db_anon.dump", "utilities/r119_db_anon.dump"}) {
    const std::string vector = VectorPath(name);
    if (!vector.empty()) {
      EXPECT_EQ(BytesOfFile(vector), bytes);
    }
  }
  ASSERT_TRUE(Undump(bytes));
  EXPECT_EQ(expected_, Content());
}

TEST_F(DbDumpTest, DumpsOfRocksDb) {
  for (const char* name : {"r783_db.dump", "r119_db.dump", "r783_db_anon.dump",
                           "r119_db_anon.dump"}) {
    const std::string vector = VectorPath("utilities/" + std::string(name));
    if (vector.empty()) GTEST_SKIP() << "the vectors are absent";
    ASSERT_TRUE(UndumpFile(vector)) << name;
    EXPECT_EQ(expected_, Content()) << name;
  }
}

TEST_F(DbDumpTest, CutFilesAreRefused) {
  FillAndClose();
  ASSERT_TRUE(Dump(true));
  const std::string bytes = BytesOfFile(dump_);
  // Header and chunk about the dump, then the ends of the pairs.
  const std::vector<size_t> ends{22, 38, 48, 58, bytes.size()};
  for (size_t size = 0; size <= bytes.size(); ++size) {
    if (size > 65 && size + 3 < bytes.size()) continue;
    const bool is_end = std::count(ends.begin(), ends.end(), size) > 0;
    EXPECT_EQ(is_end, Undump(bytes.substr(0, size))) << size;
  }
  // What stood before the cut is there.
  EXPECT_FALSE(Undump(bytes.substr(0, 50)));
  EXPECT_EQ("=emptykey a=1 ", Content());
}

TEST_F(DbDumpTest, OtherFilesAreRefused) {
  const std::string pair("\2\0\0\0{}\1\0\0\0k\1\0\0\0v", 16);
  const std::string good("ROCKDUMP\0\0\0\0\0\0\0\1", 16);
  EXPECT_TRUE(Undump(good + pair));
  EXPECT_EQ("k=v ", Content());
  EXPECT_FALSE(Undump(std::string("ROCKDUMP\0\0\0\0\0\0\0\2", 16) + pair));
  EXPECT_FALSE(Undump(std::string("ROCKDUMB\0\0\0\0\0\0\0\1", 16) + pair));
  // A length of 4 GiB is not asked of memory.
  EXPECT_FALSE(Undump(good + std::string("\xff\xff\xff\xff{}", 6)));
  EXPECT_FALSE(UndumpFile(directory_.File("absent")));
}

TEST_F(DbDumpTest, PathsAreEscaped) {
  path_ += " \"quoted\"";
  FillAndClose();
  ASSERT_TRUE(Dump());
  EXPECT_NE(std::string::npos,
            BytesOfFile(dump_).find("db \\\"quoted\\\"\", \"hostname\""));
}

TEST_F(DbDumpTest, ADatabaseThatIsMissingHasNoDump) {
  EXPECT_FALSE(Dump());
  EXPECT_FALSE(std::filesystem::exists(dump_));
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(DbDumpTest, WhatAFailedDumpHasNotMadeStays) {
  FillAndClose();
  DamageTables();
  EXPECT_FALSE(Dump());
  EXPECT_FALSE(std::filesystem::exists(dump_));
  // What was there is gone, and what was written is no dump.
  std::ofstream(dump_) << "what was there";
  EXPECT_FALSE(Dump());
  EXPECT_TRUE(std::filesystem::exists(dump_));
  EXPECT_EQ("", BytesOfFile(dump_));
  EXPECT_FALSE(UndumpFile(dump_));
  path_ = directory_.File("db");
  for (const char* device : {"/dev/null", "/dev/full"}) {
    std::filesystem::remove(dump_);
    std::filesystem::create_symlink(device, dump_);
    EXPECT_FALSE(Dump()) << device;
    EXPECT_TRUE(std::filesystem::is_symlink(dump_)) << device;
  }
  std::filesystem::remove(dump_);
  ASSERT_EQ(0, mkfifo(dump_.c_str(), 0600));
  const int reader = open(dump_.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_FALSE(Dump());
  EXPECT_TRUE(std::filesystem::is_fifo(dump_));
  close(reader);
}

TEST_F(DbDumpTest, PipesAndDevicesTakeADump) {
  FillAndClose();
  ASSERT_TRUE(Dump(true));
  const std::string bytes = BytesOfFile(dump_);
  std::filesystem::remove(dump_);
  ASSERT_EQ(0, mkfifo(dump_.c_str(), 0600));
  const int reader = open(dump_.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_TRUE(Dump(true));
  std::string piped(bytes.size() + 1, '\0');
  const ssize_t count = read(reader, piped.data(), piped.size());
  close(reader);
  ASSERT_EQ(static_cast<ssize_t>(bytes.size()), count);
  EXPECT_EQ(bytes, piped.substr(0, bytes.size()));
  std::filesystem::remove(dump_);
  std::filesystem::create_symlink("/dev/null", dump_);
  EXPECT_TRUE(Dump());
  std::filesystem::remove(dump_);
  std::filesystem::create_symlink("/dev/full", dump_);
  EXPECT_FALSE(Dump());
  EXPECT_TRUE(std::filesystem::is_symlink(dump_));
}

TEST_F(DbDumpTest, AnyFailedCallFailsTheDump) {
  FillAndClose();
  const auto fs =
      std::make_shared<FaultInjectionFileSystem>(FileSystem::Default(), 17);
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  options_.env = env.get();
  bool failed = true;
  int calls = 0;
  for (uint64_t k = 1; failed; ++k, ++calls) {
    fs->FailCall({.call = k, .scope = FaultScope::kAllCalls});
    const bool ok = Dump();
    failed = fs->failed();
    if (ok) {
      // Whatever failed, the dump is whole.
      fs->ClearFault();
      ASSERT_TRUE(Undump(BytesOfFile(dump_))) << fs->failed_call();
      EXPECT_EQ(expected_, Content()) << fs->failed_call();
      path_ = directory_.File("db");
    }
    std::filesystem::remove(dump_);
    fs->Heal();
    path_ = directory_.path() + "/db";
  }
  EXPECT_GT(calls, 10);
  options_.env = Env::Default();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
