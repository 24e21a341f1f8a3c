// Which logs an opening misses. The cases of
// tests/testdata/opening/present_logs.txt are
//
//   check OPTIONS       manifest: logs are verified by it; all: that there are
//   NUMBER=BYTES ..     any; tracked:NUMBER=BYTES,..: what the manifest has;
//                       least:N: the smallest that it needs; last:N: sequence
//
// where the body has the logs that are there.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "db/recovery/wal_replay.h"
#include "env/mem_file_system.h"
#include "file/file_util.h"
#include "file/filename.h"
#include "options/db_options.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::map<uint64_t, uint64_t> LogSizesOf(const std::string& text,
                                        char separator) {
  std::map<uint64_t, uint64_t> sizes;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, separator);) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    sizes[std::stoull(word)] = std::stoull(word.substr(equals + 1));
  }
  return sizes;
}

std::string RunLogCheck(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "check");
  const auto fs = std::make_shared<MemFileSystem>();
  EXPECT_TRUE(fs->CreateDirIfMissing("/logs", IOOptions(), nullptr).ok());
  std::vector<uint64_t> present;
  for (const auto& [number, size] : LogSizesOf(c.body, ' ')) {
    present.push_back(number);
    EXPECT_TRUE(CreateFile(fs.get(), LogFileName("/logs", number),
                           std::string(size, 'x'), FileDurability::kBuffered)
                    .ok());
  }
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  DBOptions options;
  options.env = env.get();
  options.track_and_verify_wals_in_manifest = command.HasWord("manifest");
  options.track_and_verify_wals = command.HasWord("all");
  const auto synced = LogSizesOf(command.Text("tracked", ""), ',');
  const Status s =
      CheckLogsPresent(ImmutableDBOptions(options), "/logs",
                       {.synced_sizes = synced,
                        .min_to_keep = command.Number("least", 0),
                        .last_sequence = command.Number("last", 0)},
                       present);
  return s.ToString() + "\n";
}

TEST(CheckLogsPresentTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("opening/present_logs.txt", RunLogCheck), 18u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
