// The language of database_script.h itself:
// tests/testdata/databases/language.txt.
#include "tests/db/impl/database_script.h"

#include <gtest/gtest.h>

#include "tests/db/impl/script_updates.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(DatabaseScriptTest, EveryCase) {
  EXPECT_GE(RunDatabases("databases/language.txt"), 11u);
}

TEST(DatabaseScriptTest, ACommandOfOneScript) {
  ScriptCase c;
  c.command = "database";
  c.body = "twice ab; twice cd\n";
  const auto twice = [](ScriptDatabase& /*database*/, const ScriptLine& line) {
    return line.rest + line.rest;
  };
  EXPECT_EQ(RunDatabaseCase(c, ScriptDatabase::Defaults(), {{"twice", twice}}),
            "abab\ncdcd\n");
}

TEST(DatabaseScriptTest, ValuesAreTextAndBytes) {
  for (const char* text :
       {"", "a", "v*20", "oldv*100", "v*20w", "\\x00", "a*b", "\\xFFab"}) {
    EXPECT_EQ(TextOfValue(BytesOfValue(text)), text);
  }
  EXPECT_EQ(BytesOfValue("v*3"), "vvv");
  EXPECT_EQ(BytesOfValue("\\x00").size(), 1u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
