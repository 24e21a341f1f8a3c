// How the options of a database say that bulk work gets at table files: runs
// option_scripts/file_access.txt.
//
//   access                each line of options, "-" is none: what both kinds
//                         come to, what the engine goes by until a file system
//                         has been asked, and how far compactions read ahead
//                         where that is left open
//   write                 what of them an option text would say
//   OPTIONS               "a=1;b=2"; one answer a line
#include "options/file_access.h"

#include <gtest/gtest.h>

#include <string>

#include "options/db_options.h"
#include "options/enum_names.h"
#include "options/sanitize.h"
#include "rocksdb/convenience.h"
#include "tests/options/option_lines.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string NameOf(FileAccess access) {
  for (const auto& [name, value] : EnumNames<FileAccess>()) {
    if (value == access) return std::string(name);
  }
  return "an access without a name";
}

std::string AccessOf(const DBOptions& options) {
  DBOptions without_size = options;
  without_size.compaction_readahead_size = 0;
  const DBOptions used = SanitizeDBOptions("/db", without_size);
  const MutableDBOptions now(used);
  return "reads " + NameOf(CompactionReadAccess(options)) + ", writes " +
         NameOf(CompactionWriteAccess(options)) + "; at first " +
         NameOf(now.read_access) + ", " + NameOf(now.write_access) +
         "; reads ahead " + std::to_string(used.compaction_readahead_size);
}

// What an option text says of the two accesses where they are not the defaults;
// "-" if both are.
std::string WrittenAccess(const DBOptions& options) {
  std::string text;
  EXPECT_TRUE(GetStringFromDBOptions(ConfigOptions(), options, &text).ok());
  DBOptions again;
  EXPECT_TRUE(
      GetDBOptionsFromString(ConfigOptions(), DBOptions(), text, &again).ok());
  EXPECT_EQ(OptionDifference(options, again), "-");
  std::string answer;
  for (const char* name :
       {"compaction_read_access=", "compaction_write_access="}) {
    const size_t at = text.find(name);
    if (at == std::string::npos) continue;
    answer += text.substr(at, text.find(';', at) + 1 - at);
  }
  return answer.empty() ? "-" : answer;
}

std::string RunAccessCase(const ScriptCase& c) {
  EXPECT_TRUE(c.command == "access" || c.command == "write") << c.command;
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    DBOptions options;
    const Status s = GetDBOptionsFromString(ConfigOptions(), DBOptions(),
                                            line == "-" ? "" : line, &options);
    if (!s.ok()) {
      answers += s.ToString();
    } else {
      answers +=
          c.command == "access" ? AccessOf(options) : WrittenAccess(options);
    }
    answers += "\n";
  }
  return answers;
}

TEST(FileAccess, WhatTheOptionsComeTo) {
  EXPECT_GE(RunScript("option_scripts/file_access.txt", RunAccessCase), 6u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
