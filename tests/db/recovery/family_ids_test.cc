// The ids of families of which only the names are left. The cases of
// tests/testdata/opening/family_ids.txt are
//
//   ids logged:ID,..      that the logs hold something of
//   families: NAME ..     in the order in which they were made
//   known: NAME=ID ..     what the tables tell
//
// and answer with the ids of others.
#include "db/recovery/family_ids.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::vector<std::string> WordsBehindColon(const std::string& line) {
  std::istringstream input(line.substr(line.find(':') + 1));
  std::vector<std::string> words;
  for (std::string word; input >> word;) words.push_back(word);
  return words;
}

std::string RunFamilyIds(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "ids");
  KnownFamilies known;
  std::istringstream logged(command.Text("logged", ""));
  for (std::string id; std::getline(logged, id, ',');) {
    known.logged.insert(static_cast<uint32_t>(std::stoul(id)));
  }
  for (const std::string& line : LinesOf(c.body)) {
    if (line.starts_with("families:")) {
      known.in_order = WordsBehindColon(line);
      continue;
    }
    EXPECT_TRUE(line.starts_with("known:")) << line;
    for (const std::string& word : WordsBehindColon(line)) {
      const size_t equals = word.find('=');
      known.ids[word.substr(0, equals)] =
          static_cast<uint32_t>(std::stoul(word.substr(equals + 1)));
    }
  }
  std::string text;
  for (const auto& [name, id] : FindFamilyIds(known)) {
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(id);
  }
  return (text.empty() ? "none" : text) + "\n";
}

TEST(FamilyIds, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("opening/family_ids.txt", RunFamilyIds), 19u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
