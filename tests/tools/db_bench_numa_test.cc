// NUMA nodes as db_bench reads them, and threads that are bound to one.

#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"
#include "tools/db_bench/numa_nodes.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

using Numbers = std::vector<int>;

TEST(NumaNodesTest, ListsOfNumbers) {
  EXPECT_EQ(ParseNumberList(""), Numbers());
  EXPECT_EQ(ParseNumberList("0"), Numbers{0});
  EXPECT_EQ(ParseNumberList("0-3"), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(ParseNumberList("0-1,8,10-11"), (Numbers{0, 1, 8, 10, 11}));
  for (const char* bad : {"a", "1-", "-1", "3-1", "1,", ",1", "1;2", "1-2-3",
                          "99999999999", "0-70000"}) {
    EXPECT_EQ(ParseNumberList(bad), std::nullopt) << bad;
  }
}

// A directory as /sys/devices/system/node is.
class NodeDirectory {
 public:
  void Write(const std::string& name, const std::string& line) {
    const std::filesystem::path path = dir_.File(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << line << "\n";
  }
  Status Read(NumaNodes* nodes) const {
    return NumaNodes::Read(dir_.path(), nodes);
  }

 private:
  const TempDir dir_{"numa"};
};

TEST(NumaNodesTest, NodesWithoutProcessorsAreLeftOut) {
  NodeDirectory directory;
  directory.Write("online", "0-1,4");
  directory.Write("node0/cpulist", "0-1,4-5");
  directory.Write("node1/cpulist", "");
  directory.Write("node4/cpulist", "2-3");
  NumaNodes nodes;
  ASSERT_TRUE(directory.Read(&nodes).ok());
  ASSERT_EQ(nodes.nodes().size(), 2U);
  EXPECT_EQ(nodes.nodes()[0].number, 0);
  EXPECT_EQ(nodes.nodes()[0].processors, (Numbers{0, 1, 4, 5}));
  EXPECT_EQ(nodes.nodes()[1].number, 4);
  EXPECT_EQ(nodes.nodes()[1].processors, (Numbers{2, 3}));
}

TEST(NumaNodesTest, WhatIsNoListOfNodes) {
  NodeDirectory directory;
  NumaNodes nodes;
  EXPECT_TRUE(directory.Read(&nodes).IsNotFound());
  directory.Write("online", "0");
  EXPECT_TRUE(directory.Read(&nodes).IsNotFound());
  directory.Write("node0/cpulist", "");
  EXPECT_TRUE(directory.Read(&nodes).IsNotFound());
  directory.Write("node0/cpulist", "all");
  EXPECT_TRUE(directory.Read(&nodes).IsCorruption());
  EXPECT_TRUE(nodes.nodes().empty());
}

// The processors that the calling thread may run on.
Numbers AllowedProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  Numbers processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) processors.push_back(i);
  }
  return processors;
}

TEST(NumaNodesTest, ThreadsTakeNodesInTurn) {
  // Two nodes with one processor each, which is the same one where the machine
  // has no other.
  const Numbers allowed = AllowedProcessors();
  ASSERT_FALSE(allowed.empty());
  NodeDirectory directory;
  directory.Write("online", "0-1");
  directory.Write("node0/cpulist", std::to_string(allowed.front()));
  directory.Write("node1/cpulist", std::to_string(allowed.back()));
  NumaNodes nodes;
  ASSERT_TRUE(directory.Read(&nodes).ok());
  for (const int index : {0, 1, 7, 4}) {
    std::thread([&] {
      const Status s = nodes.BindThisThread(index);
      // Some containers forbid it, and most machines have no second node.
      EXPECT_TRUE(s.ok() ||
                  s.ToString().find("set_mempolicy") != std::string::npos)
          << s.ToString();
      const int own = index % 2 == 0 ? allowed.front() : allowed.back();
      EXPECT_EQ(AllowedProcessors(), Numbers{own});
    }).join();
  }
  EXPECT_EQ(AllowedProcessors(), allowed) << "other threads stay as they are";
  std::thread([&] {
    EXPECT_TRUE(NumaNodes().BindThisThread(3).ok());
    EXPECT_EQ(AllowedProcessors(), allowed);
  }).join();
}

TEST(NumaNodesTest, ProcessorsThatAreNotThereAreToldOf) {
  NodeDirectory directory;
  directory.Write("online", "0");
  directory.Write("node0/cpulist", "1000");
  NumaNodes nodes;
  ASSERT_TRUE(directory.Read(&nodes).ok());
  std::thread([&] {
    const Status s = nodes.BindThisThread(0);
    EXPECT_TRUE(s.IsIOError());
    EXPECT_NE(s.ToString().find("sched_setaffinity"), std::string::npos)
        << s.ToString();
  }).join();
}

TEST(NumaNodesTest, ABenchmarkRunsBound) {
  const TempDir dir("numa_bench");
  const ProgramResult run = RunProgram(
      "db_bench", {"--enable_numa", "--benchmarks=fillrandom,readrandom",
                   "--num=100", "--threads=3", "--db=" + dir.File("db")});
  NumaNodes nodes;
  const bool is_possible =
      NumaNodes::Read("/sys/devices/system/node", &nodes).ok() &&
      run.errors.find("set_mempolicy") == std::string::npos;
  EXPECT_EQ(run.status == 0, is_possible) << run.output << run.errors;
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::bench
