// What librocksdb exports under C names, against RocksDB's list.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "rocksdb/c.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Names = std::set<std::string>;

const std::string kSource = BASALT_SOURCE_DIR;

// The function names in a list of prototypes.
Names NamesIn(const std::string& path) {
  Names names;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t open = line.find('(');
    if (open == std::string::npos) continue;
    const size_t space = line.rfind(' ', open);
    names.insert(line.substr(space + 1, open - space - 1));
  }
  return names;
}

// The function names that the header declares.
Names NamesInHeader() {
  std::ifstream file(kSource + "/include/rocksdb/c.h");
  std::stringstream text;
  text << file.rdbuf();
  const std::string header = text.str();
  const std::regex declaration(
      R"(extern ROCKSDB_LIBRARY_API[^;(]*?\b(rocksdb_\w+)\()");
  Names names;
  for (std::sregex_iterator at(header.begin(), header.end(), declaration), end;
       at != end; ++at) {
    names.insert((*at)[1]);
  }
  return names;
}

// The C names that the shared library exports.
Names Exported() {
  const std::string command =
      "nm -D --defined-only " BASALT_BINARY_DIR "/lib/librocksdb.so";
  Names names;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"),
                                                   pclose);
  char line[4096];
  while (fgets(line, sizeof(line), pipe.get()) != nullptr) {
    std::istringstream fields(line);
    std::string address, kind, name;
    fields >> address >> kind >> name;
    if (kind == "T" && name.starts_with("rocksdb_")) names.insert(name);
  }
  return names;
}

Names Without(const Names& all, const Names& less) {
  Names rest;
  std::set_difference(all.begin(), all.end(), less.begin(), less.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

std::string Joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += name + " ";
  return text;
}

}  // namespace

TEST(ExportedSymbolsTest, HeaderHasAllOfRocksDB) {
  const Names wanted = NamesIn(kSource + "/tests/testdata/c/functions.txt");
  ASSERT_EQ(wanted.size(), 1749u);
  EXPECT_EQ(Joined(Without(wanted, NamesInHeader())), "");
}

TEST(ExportedSymbolsTest, WhatIsOursIsAnOption) {
  const Names wanted = NamesIn(kSource + "/tests/testdata/c/functions.txt");
  const Names own = Without(NamesInHeader(), wanted);
  EXPECT_TRUE(own.contains("rocksdb_options_set_compaction_read_access"));
  for (const std::string& name : own) {
    EXPECT_TRUE(name.starts_with("rocksdb_options_set_") ||
                name.starts_with("rocksdb_options_get_"))
        << name;
  }
}

TEST(ExportedSymbolsTest, LibraryExportsTheHeader) {
  if (!std::filesystem::exists(BASALT_BINARY_DIR "/lib/librocksdb.so")) {
    GTEST_SKIP() << "no shared library is built";
  }
  const Names exported = Exported();
  const Names declared = NamesInHeader();
  EXPECT_EQ(Joined(Without(declared, exported)), "");
  EXPECT_EQ(Joined(Without(exported, declared)), "");
}

}  // namespace ROCKSDB_NAMESPACE
