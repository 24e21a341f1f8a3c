// Data-driven tests: cases in text files, each with what it is to answer.
//
//   # comment
//   COMMAND
//   BODY                  on one line or more
//   ----
//   EXPECTED              ends at an empty line
//
// Set BASALT_REWRITE=1 to write the expectations anew; the diff is then to be
// read like code.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct ScriptCase {
  std::string comment;  // lines before the command
  std::string command;
  std::string body;
  std::string expected;
};

// Every case of tests/testdata/FOLDER/*.txt answers as expected. Returns how
// many there are.
size_t RunScripts(const std::string& folder,
                  const std::function<std::string(const ScriptCase&)>& run);

}  // namespace ROCKSDB_NAMESPACE
