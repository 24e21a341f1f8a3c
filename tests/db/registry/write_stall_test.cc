// When writers must slow down or stop, and how hard. The cases of
// tests/testdata/families/stalls.txt are
//
//   stall memtables:N files:N bytes:N merged:N OPTION:VALUE ..
//                      of a family with 5 memtables, triggers of 20 and 36
//                      files, and limits of 1000 and 5000 bytes; "merged" are
//                      flushed together
//   near ..            how near the same is to a stall, in percent
//   rate before:N option:N     the rate for each debt of the next line
//   ingest                     the rate behind each BYTES@SECOND; "-":
//                              something delayed them
//
// A stall answers with how near the stop is, and with the words for the LOG.
#include "db/registry/write_stall.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <unordered_map>

#include "db/write/ingest_rate.h"
#include "rocksdb/convenience.h"
#include "tests/testing/script.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

MutableCFOptions StallOptions(const ScriptWords& command) {
  ColumnFamilyOptions options;
  options.max_write_buffer_number = 5;
  options.level0_slowdown_writes_trigger = 20;
  options.level0_stop_writes_trigger = 36;
  options.soft_pending_compaction_bytes_limit = 1000;
  options.hard_pending_compaction_bytes_limit = 5000;
  std::unordered_map<std::string, std::string> texts;
  for (const auto& [name, value] : command.named()) {
    if (name.find('_') != std::string::npos) texts[name] = value;
  }
  const Status s =
      GetColumnFamilyOptionsFromMap(ConfigOptions(), options, texts, &options);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return MutableCFOptions(options);
}

std::string RunStall(const ScriptWords& command) {
  const MutableCFOptions options = StallOptions(command);
  StallInput input;
  input.immutable_memtable_count =
      static_cast<int>(command.Number("memtables", 0));
  input.level0_file_count = static_cast<int>(command.Number("files", 0));
  input.pending_compaction_bytes = command.Number("bytes", 0);
  input.memtables_to_merge = static_cast<int>(command.Number("merged", 1));
  const StallDecision decision = DecideStall(input, options);
  const int percent = StallProximityPercent(input, options);
  if (command.verb() == "near") return std::to_string(percent) + "\n";
  EXPECT_EQ(percent >= 100, decision.condition != WriteStallCondition::kNormal);
  if (decision.condition == WriteStallCondition::kNormal) {
    EXPECT_EQ(decision.cause, WriteStallCause::kNone);
    EXPECT_EQ(decision.debt, 0);
    return "normal\n";
  }
  char debt[32];
  std::snprintf(debt, sizeof(debt), "%.5f", decision.debt);
  const bool is_stopped = decision.condition == WriteStallCondition::kStopped;
  return std::string(is_stopped ? "stopped " : "delayed ") + debt + "\n" +
         StallText(input, options, decision, 777) + "\n";
}

// "16M"
uint64_t BytesOfRate(const std::string& text) {
  return std::stoull(text) << (text.back() == 'M' ? 20 : 0);
}

std::string RunRate(const ScriptWords& command, const std::string& body) {
  const DelayRates rates{
      .before = BytesOfRate(command.Text("before", "0")),
      .delayed_write_rate = BytesOfRate(command.Text("option", "1"))};
  std::istringstream debts(body);
  std::string text;
  for (std::string debt; debts >> debt;) {
    text += (text.empty() ? "" : " ") +
            std::to_string(DelayedWriteRate(rates, std::stod(debt)));
  }
  return text + "\n";
}

std::string RunIngest(const std::string& body) {
  IngestRate rate;
  std::istringstream notes(body);
  std::string text = std::to_string(rate.bytes_per_second());
  for (std::string note; notes >> note;) {
    const uint64_t second = std::stoull(note.substr(note.find('@') + 1));
    rate.Note(std::stoull(note), second * 1'000'000, note.back() != '-');
    text += " " + std::to_string(rate.bytes_per_second());
  }
  return text + "\n";
}

std::string RunStallCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  if (command.verb() == "rate") return RunRate(command, c.body);
  if (command.verb() == "ingest") return RunIngest(c.body);
  EXPECT_TRUE(command.verb() == "stall" || command.verb() == "near");
  return RunStall(command);
}

TEST(WriteStallTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("families/stalls.txt", RunStallCase), 37u)
      << "cases went missing";
}

TEST(WriteStallTest, AHundredPercentIsAStall) {
  Random64 random(3);
  const auto draw = [&random](int most) {
    return static_cast<int>(random.Uniform(static_cast<uint64_t>(most)));
  };
  int stalls = 0;
  for (int i = 0; i < 20000; ++i) {
    ColumnFamilyOptions options;
    options.max_write_buffer_number = 1 + draw(6);
    options.level0_slowdown_writes_trigger = draw(6) - 1;
    options.level0_stop_writes_trigger = draw(8);
    options.soft_pending_compaction_bytes_limit =
        static_cast<uint64_t>(draw(5));
    options.hard_pending_compaction_bytes_limit =
        static_cast<uint64_t>(draw(7));
    options.disable_auto_compactions = draw(4) == 0;
    StallInput input;
    input.immutable_memtable_count = draw(6);
    input.memtables_to_merge = 1 + draw(4);
    input.level0_file_count = draw(6);
    input.pending_compaction_bytes = static_cast<uint64_t>(draw(6));
    const MutableCFOptions limits(options);
    const bool is_stall =
        DecideStall(input, limits).condition != WriteStallCondition::kNormal;
    ASSERT_EQ(StallProximityPercent(input, limits) >= 100, is_stall) << i;
    stalls += is_stall ? 1 : 0;
  }
  EXPECT_GT(stalls, 1000);
  EXPECT_LT(stalls, 19000);
}

TEST(WriteStallTest, TheRateFallsWithoutACliff) {
  const DelayRates rates{.before = 600 << 20, .delayed_write_rate = 16 << 20};
  uint64_t before = DelayedWriteRate(rates, 0);
  for (int i = 1; i <= 1000; ++i) {
    const uint64_t rate = DelayedWriteRate(rates, i / 1000.0);
    EXPECT_LT(rate, before);
    EXPECT_LE(before - rate, 2u << 20) << i;
    before = rate;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
