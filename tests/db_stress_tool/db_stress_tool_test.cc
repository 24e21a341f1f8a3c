// db_stress can be called by another program, and tells it how the run went.
#include "rocksdb/db_stress_tool.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

int RunStress(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "db_stress");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  return db_stress_tool(static_cast<int>(argv.size()) - 1, argv.data());
}

TEST(DbStressToolTest, RunsAndTellsHowItWent) {
  const TempDir directory("db_stress_tool");
  EXPECT_EQ(
      RunStress({"--db=" + directory.path() + "/db",
                 "--expected_values_dir=" + directory.path() + "/expected",
                 "--ops_per_thread=100", "--threads=2", "--max_key=100",
                 "--destroy_db_initially=1"}),
      0);
  EXPECT_EQ(RunStress({"--no_such_flag=1"}), 2);
  EXPECT_EQ(RunStress({"--help"}), 1);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
