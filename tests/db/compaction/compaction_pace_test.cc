// How fast compactions below level 0 go. Runs
// tests/testdata/compaction/pace.txt:
//
//   deep OPTIONS          what they read and write for each byte from level 0
//   LEVELS                as in level_text.h; OPTIONs as in picker_script.h
//   free OPTIONS          the debt at which nothing is spread any more: base:N,
//                         soft:N (limit)
//   rate OPTIONS          bytes a second: ingest:N, deep:N (bytes for a byte),
//                         debt:N, free:N (1000 if absent), device:N
//                         (1000000000)
#include "db/compaction/compaction_pace.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "tests/db/compaction/picker_script.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kDevice = 1'000'000'000;

std::string RunPaceCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  if (command.verb() == "deep") {
    ScriptedPicker tree(c.command.substr(4), c.body);
    char text[32];
    std::snprintf(text, sizeof(text), "%g",
                  DeepBytesPerIngestedByte(tree.storage()));
    return text;
  }
  if (command.verb() == "free") {
    MutableCFOptions options{ColumnFamilyOptions()};
    options.max_bytes_for_level_base = command.Number("base", 1000);
    options.soft_pending_compaction_bytes_limit = command.Number("soft", 0);
    return std::to_string(DebtToRunFreely(options));
  }
  EXPECT_EQ(command.verb(), "rate");
  CompactionPaceInput input;
  input.ingest_bytes_per_second = command.Number("ingest", 0);
  input.deep_bytes_per_ingested_byte =
      static_cast<double>(command.Number("deep", 0));
  input.debt_bytes = command.Number("debt", 0);
  input.free_running_debt_bytes = command.Number("free", 1000);
  input.device_bytes_per_second = command.Number("device", kDevice);
  const uint64_t rate = DeepCompactionRate(input);
  return rate == 0 ? "as fast as it goes" : std::to_string(rate);
}

TEST(CompactionPaceTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("compaction/pace.txt", RunPaceCase), 36u)
      << "cases went missing";
}

TEST(CompactionPaceTest, ClimbsWithTheDebtWithoutAStep) {
  CompactionPaceInput input;
  input.ingest_bytes_per_second = 1;
  input.deep_bytes_per_ingested_byte = 20;
  input.free_running_debt_bytes = 1000;
  input.device_bytes_per_second = kDevice;
  uint64_t before = DeepCompactionRate(input);
  for (input.debt_bytes = 1; input.debt_bytes < 900; ++input.debt_bytes) {
    const uint64_t now = DeepCompactionRate(input);
    ASSERT_GT(now, before);
    // By what one part more of the rest takes: at most a hundredth more.
    ASSERT_LE(now, before + before / 99);
    before = now;
  }
  EXPECT_GT(before, kDevice * 95 / 100);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
