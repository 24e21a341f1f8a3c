#include "tests/testing/script.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

namespace ROCKSDB_NAMESPACE {

namespace {

std::vector<ScriptCase> ReadScript(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<ScriptCase> cases;
  ScriptCase now;
  enum { kBefore, kBody, kExpected } part = kBefore;
  const auto finish = [&] {
    if (part == kExpected) cases.push_back(std::move(now));
    if (part == kExpected) now = ScriptCase();
    part = part == kExpected ? kBefore : part;
  };
  for (std::string line; std::getline(file, line);) {
    if (line.empty() && part != kBody) {
      if (part == kBefore) now.comment += "\n";
      finish();
    } else if (part == kBefore && line[0] == '#') {
      now.comment += line + "\n";
    } else if (part == kBefore) {
      now.command = line;
      part = kBody;
    } else if (part == kBody && line == "----") {
      part = kExpected;
    } else {
      (part == kBody ? now.body : now.expected) += line + "\n";
    }
  }
  finish();
  EXPECT_EQ(part, kBefore) << path;
  return cases;
}

std::string Render(const std::vector<ScriptCase>& cases) {
  std::string text;
  for (const ScriptCase& c : cases) {
    text +=
        c.comment + c.command + "\n" + c.body + "----\n" + c.expected + "\n";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

size_t RunScripts(const std::string& folder,
                  const std::function<std::string(const ScriptCase&)>& run) {
  const std::filesystem::path directory =
      std::filesystem::path(BASALT_SOURCE_DIR) / "tests/testdata" / folder;
  const bool rewrites = std::getenv("BASALT_REWRITE") != nullptr;
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    SCOPED_TRACE(entry.path().filename());
    std::vector<ScriptCase> cases = ReadScript(entry.path());
    for (ScriptCase& c : cases) {
      SCOPED_TRACE(c.command + "\n" + c.body);
      ++count;
      const std::string seen = run(c);
      if (rewrites) {
        c.expected = seen;
      } else {
        EXPECT_EQ(seen, c.expected);
      }
    }
    if (rewrites) std::ofstream(entry.path()) << Render(cases);
  }
  return count;
}

}  // namespace ROCKSDB_NAMESPACE
