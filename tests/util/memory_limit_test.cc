#include "util/memory_limit.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class MemoryLimitTest : public ::testing::Test {
 protected:
  MemoryLimitTest() : directory_("memory_limit") {}
  void Write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = directory_.File(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }
  uint64_t Limit() {
    return MemoryLimitOfGroups(directory_.File("groups"), directory_.path());
  }
  TempDir directory_;
};

TEST_F(MemoryLimitTest, NoGroupsNoLimit) {
  EXPECT_EQ(Limit(), UINT64_MAX);
  Write("groups", "no colons here");
  EXPECT_EQ(Limit(), UINT64_MAX);
}

TEST_F(MemoryLimitTest, Version2TakesTheSmallestOnTheWay) {
  Write("groups", "0::/a/b");
  Write("a/b/memory.max", "max");
  EXPECT_EQ(Limit(), UINT64_MAX);
  Write("a/memory.max", "1000");
  EXPECT_EQ(Limit(), 1000u);
  Write("a/b/memory.max", "2000");
  EXPECT_EQ(Limit(), 1000u);
  Write("memory.max", "500");
  EXPECT_EQ(Limit(), 500u);
}

TEST_F(MemoryLimitTest, Version1HasAFolderOfItsOwn) {
  Write("groups", "5:cpu,cpuacct:/other\n4:memory:/a");
  Write("memory/a/memory.limit_in_bytes", "4096");
  Write("memory/other/memory.limit_in_bytes", "1");
  EXPECT_EQ(Limit(), 4096u);
}

TEST_F(MemoryLimitTest, TheProcessHasOne) {
  EXPECT_GT(MemoryLimitOfProcess(), 1u << 20);
  EXPECT_LT(MemoryLimitOfProcess(), UINT64_MAX);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
