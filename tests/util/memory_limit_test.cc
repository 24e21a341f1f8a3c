// The memory that a process may use, and what of it is free, is the least of
// its control groups' limits, of both versions.
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

TEST_F(MemoryLimitTest, WhatIsFreeIsTheLeastOnTheWay) {
  const auto free = [this] {
    return FreeMemoryOfGroups(directory_.File("groups"), directory_.path());
  };
  EXPECT_EQ(free(), UINT64_MAX);
  Write("groups", "0::/a/b");
  Write("a/b/memory.max", "max");
  Write("a/b/memory.current", "700");
  EXPECT_EQ(free(), UINT64_MAX) << "no limit, nothing that could be used up";
  Write("a/memory.max", "1000");
  Write("a/memory.current", "900");
  EXPECT_EQ(free(), 100u);
  Write("a/b/memory.max", "750");
  EXPECT_EQ(free(), 50u);
  Write("a/memory.current", "1001");
  EXPECT_EQ(free(), 0u) << "over the limit for a moment";
}

TEST_F(MemoryLimitTest, AGroupThatDoesNotSayWhatItUsesHasNothingLeft) {
  Write("groups", "4:memory:/a");
  Write("memory/a/memory.limit_in_bytes", "4096");
  const auto free = [this] {
    return FreeMemoryOfGroups(directory_.File("groups"), directory_.path());
  };
  EXPECT_EQ(free(), 0u);
  Write("memory/a/memory.usage_in_bytes", "96");
  EXPECT_EQ(free(), 4000u);
}

TEST_F(MemoryLimitTest, TheProcessHasOne) {
  EXPECT_GT(MemoryLimitOfProcess(), 1u << 20);
  EXPECT_LT(MemoryLimitOfProcess(), UINT64_MAX);
  EXPECT_LE(FreeMemoryOfProcess(), MemoryLimitOfProcess());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
