// db_bench can be called by another program, on databases that its hooks open,
// and returns what failed.
#include "rocksdb/db_bench_tool.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class CountingHooks final : public DefaultHooks {
 public:
  using DefaultHooks::Open;
  Status Open(const Options& options, const std::string& name,
              std::unique_ptr<DB>* dbptr) override {
    ++opened;
    if (fails) return Status::Busy("not now");
    return DefaultHooks::Open(options, name, dbptr);
  }
  int opened = 0;
  bool fails = false;
};

int RunBench(std::vector<std::string> arguments, ToolHooks* hooks) {
  arguments.insert(arguments.begin(), "db_bench");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const int argc = static_cast<int>(argv.size()) - 1;
  return hooks != nullptr ? db_bench_tool(argc, argv.data(), *hooks)
                          : db_bench_tool(argc, argv.data());
}

TEST(DbBenchToolTest, RunsOnWhatItsHooksOpen) {
  const TempDir directory("db_bench_tool");
  const std::string path = directory.path() + "/db";
  const std::vector<std::string> arguments = {
      "--benchmarks=fillseq", "--db=" + path, "--num=100",
      "--progress_reports=false", "--compression_type=none"};
  CountingHooks hooks;
  EXPECT_EQ(RunBench(arguments, &hooks), 0);
  EXPECT_GE(hooks.opened, 1);
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(Options(), path, &db).ok());
  const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  int count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
  EXPECT_EQ(count, 100);
}

TEST(DbBenchToolTest, WhatFailsIsItsResult) {
  const TempDir directory("db_bench_tool");
  const std::vector<std::string> arguments = {
      "--benchmarks=fillseq", "--db=" + directory.path() + "/db", "--num=100",
      "--progress_reports=false", "--compression_type=none"};
  CountingHooks hooks;
  hooks.fails = true;
  EXPECT_EQ(RunBench(arguments, &hooks), 1);
  EXPECT_EQ(RunBench({"stray"}, nullptr), 1);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
