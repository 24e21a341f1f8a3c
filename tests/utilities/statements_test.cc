// tests/testdata/utilities/statements.txt tells which test holds which
// statement: each of them has one that there is, or a reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// The names of all tests in the sources, as Suite.Test.
std::set<std::string> AllTests() {
  static const std::regex form(R"(\nTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\))");
  std::set<std::string> tests;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::string(BASALT_SOURCE_DIR) + "/tests")) {
    if (!entry.path().string().ends_with("_test.cc")) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator it(text.begin(), text.end(), form), end;
         it != end; ++it) {
      tests.insert(it->str(1) + "." + it->str(2));
    }
  }
  return tests;
}

TEST(StatementsTest, EachHasATestOrAReason) {
  const std::set<std::string> tests = AllTests();
  ASSERT_GT(tests.size(), 1000u);
  std::ifstream in(std::string(BASALT_SOURCE_DIR) +
                   "/tests/testdata/utilities/statements.txt");
  size_t statements = 0;
  std::set<std::string> seen;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with("#")) continue;
    ++statements;
    const size_t bar = line.find(" | ");
    ASSERT_NE(bar, std::string::npos) << line;
    EXPECT_TRUE(seen.insert(line.substr(0, bar)).second) << line;
    std::string rest = line.substr(bar + 3);
    if (rest.starts_with("- ")) continue;
    for (size_t begin = 0; begin < rest.size();) {
      const size_t end = std::min(rest.find(", ", begin), rest.size());
      const std::string name = rest.substr(begin, end - begin);
      EXPECT_TRUE(tests.contains(name)) << name << " of: " << line;
      begin = end + 2;
    }
  }
  EXPECT_GT(statements, 100u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
