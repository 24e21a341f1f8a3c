// Which options the engine refuses, and what it makes of the others: runs
// option_scripts/constraints.txt and sanitized.txt.
//
//   check                     what DB::Open() would say of each line
//   check_table FAMILY        and tables alone, in a family with these options
//   use                       what the engine uses instead of what is given
//   threads                   how many of both pools there are
//   OPTIONS                   "a=1;b=2" over the defaults, "-" is none; one
//                             answer a line
//
// What "use" does with the defaults themselves is not repeated.
#include "options/constraints.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>
#include <vector>

#include "options/db_options.h"
#include "options/sanitize.h"
#include "rocksdb/convenience.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "tests/options/option_lines.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

Status OptionsOver(const Options& base, const std::string& text,
                   Options* result) {
  return GetOptionsFromString(ConfigOptions(), base, text == "-" ? "" : text,
                              result);
}

std::string Checked(const std::string& text) {
  Options options;
  Status s = OptionsOver(Options(), text, &options);
  if (s.ok()) s = ValidateDBOptions(options);
  if (s.ok()) s = ValidateColumnFamilyOptions(options, options);
  return s.ToString();
}

std::string CheckedTable(const std::string& text,
                         const ColumnFamilyOptions& family) {
  BlockBasedTableOptions table;
  Status s = GetBlockBasedTableOptionsFromString(
      ConfigOptions(), BlockBasedTableOptions(), text == "-" ? "" : text,
      &table);
  if (s.ok()) s = ValidateBlockBasedTableOptions(table, family);
  return s.ToString();
}

// The options that DB::Open() would use in /db instead of these.
Options SanitizedOptions(const Options& given) {
  const DBOptions db = SanitizeDBOptions("/db", given);
  EXPECT_EQ(db.db_paths.at(0).path, "/db");
  return Options(db,
                 SanitizeColumnFamilyOptions(ImmutableDBOptions(db), given));
}

std::vector<std::string> LinesOfChange(const Options& given,
                                       const Options& used) {
  OptionLines lines;
  lines.Add(static_cast<const DBOptions&>(given), used);
  lines.Add(static_cast<const ColumnFamilyOptions&>(given), used);
  return lines.lines();
}

std::string Used(const std::string& text) {
  Options given;
  const Status s = OptionsOver(Options(), text, &given);
  if (!s.ok()) return s.ToString();
  const Options used = SanitizedOptions(given);
  EXPECT_EQ(OptionDifference(used, SanitizedOptions(used)), "-")
      << "what was made usable once is made again";
  const Options defaults;
  std::vector<std::string> common =
      LinesOfChange(defaults, SanitizedOptions(defaults));
  if (text == "-") common.clear();
  std::string answer;
  for (const std::string& line : LinesOfChange(given, used)) {
    if (std::find(common.begin(), common.end(), line) != common.end()) continue;
    answer += (answer.empty() ? "" : " ") + line;
  }
  return answer.empty() ? "-" : answer;
}

std::string ThreadsOf(const std::string& text) {
  Options options;
  const Status s = OptionsOver(Options(), text, &options);
  if (!s.ok()) return s.ToString();
  const MutableDBOptions now(options);
  const BackgroundLimits limits = ComputeBackgroundLimits(now);
  const BackgroundLimits calm = ComputeBackgroundLimits(now, false);
  EXPECT_EQ(limits.flushes, calm.flushes);
  return std::to_string(limits.flushes) + " flush, " +
         std::to_string(limits.compactions) + " compact, " +
         std::to_string(calm.compactions) + " while nothing is behind";
}

std::string RunConstraintCase(const ScriptCase& c) {
  const size_t space = c.command.find(' ');
  const std::string verb = c.command.substr(0, space);
  ColumnFamilyOptions family;
  if (space != std::string::npos) {
    const Status s = GetColumnFamilyOptionsFromString(
        ConfigOptions(), family, c.command.substr(space + 1), &family);
    EXPECT_TRUE(s.ok()) << s.ToString();
  }
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    if (verb == "check") {
      answers += Checked(line);
    } else if (verb == "check_table") {
      answers += CheckedTable(line, family);
    } else if (verb == "use") {
      answers += Used(line);
    } else {
      EXPECT_EQ(verb, "threads");
      answers += ThreadsOf(line);
    }
    answers += "\n";
  }
  return answers;
}

TEST(ConstraintsTest, WhatIsRefused) {
  EXPECT_GE(RunScript("option_scripts/constraints.txt", RunConstraintCase),
            29u);
}

TEST(SanitizeTest, WhatIsUsed) {
  EXPECT_GE(RunScript("option_scripts/sanitized.txt", RunConstraintCase), 17u);
}

TEST(ConstraintsTest, RolesThatAreChargedToTheCache) {
  const ColumnFamilyOptions cf;
  BlockBasedTableOptions table;
  auto& roles = table.cache_usage_options.options_overrides;
  roles[CacheEntryRole::kFilterConstruction].charged =
      CacheEntryRoleOptions::Decision::kEnabled;
  EXPECT_TRUE(ValidateBlockBasedTableOptions(table, cf).ok());
  table.no_block_cache = true;
  EXPECT_TRUE(ValidateBlockBasedTableOptions(table, cf).IsInvalidArgument());
  table.no_block_cache = false;
  roles[CacheEntryRole::kFileMetadata].charged =
      CacheEntryRoleOptions::Decision::kDisabled;
  EXPECT_TRUE(ValidateBlockBasedTableOptions(table, cf).ok());
  roles[CacheEntryRole::kFileMetadata].charged =
      CacheEntryRoleOptions::Decision::kEnabled;
  EXPECT_TRUE(ValidateBlockBasedTableOptions(table, cf).ok());
  roles[CacheEntryRole::kWriteBuffer].charged =
      CacheEntryRoleOptions::Decision::kEnabled;
  EXPECT_TRUE(ValidateBlockBasedTableOptions(table, cf).IsNotSupported());
}

TEST(ConstraintsTest, NullPointersAreRefused) {
  DBOptions db;
  db.env = nullptr;
  EXPECT_TRUE(ValidateDBOptions(db).IsInvalidArgument());
  db = DBOptions();
  db.listeners = {std::make_shared<EventListener>(), nullptr};
  const Status s = ValidateDBOptions(db);
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(std::string::npos, s.ToString().find("listeners=")) << s.ToString();
  db.listeners.pop_back();
  EXPECT_TRUE(ValidateDBOptions(db).ok());
  ColumnFamilyOptions cf;
  cf.comparator = nullptr;
  EXPECT_TRUE(ValidateColumnFamilyOptions(DBOptions(), cf).IsInvalidArgument());
}

TEST(ConstraintsTest, ThereIsNoSuchCompactionStyle) {
  Options options;
  options.compaction_style = static_cast<CompactionStyle>(9);
  const Status s = ValidateColumnFamilyOptions(options, options);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(s.ToString().find("compaction_style=9"), std::string::npos)
      << s.ToString();
  // What is looked at before the check does nothing by such a style.
  const auto cf =
      SanitizeColumnFamilyOptions(ImmutableDBOptions(DBOptions()), options);
  EXPECT_EQ(0u, cf.periodic_compaction_seconds);
}

TEST(SanitizeTest, OpensNoMoreFilesThanTheProcessMay) {
  struct rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  struct rlimit lower = before;
  lower.rlim_cur = std::min<rlim_t>(before.rlim_cur, 300);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &lower), 0);
  DBOptions source;
  source.max_open_files = 1 << 30;
  EXPECT_EQ(SanitizeDBOptions("/db", source).max_open_files,
            static_cast<int>(lower.rlim_cur));
  source.max_open_files = -1;
  EXPECT_EQ(SanitizeDBOptions("/db", source).max_open_files, -1);
  source.max_open_files = 25;
  EXPECT_EQ(SanitizeDBOptions("/db", source).max_open_files, 25);
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
