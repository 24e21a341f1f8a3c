// The rules of style that can be counted, one function each.
//
// Each takes the whole tree and answers with what breaks its rule, as file and
// line, in the order of the files. The limits are those of the project's style
// guide.
//
// Threads    Pure functions.
// Errors     Cannot fail; a rule that finds nothing answers with nothing.

#pragma once

#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "tests/tidy/tree.h"

namespace ROCKSDB_NAMESPACE::tidy {

inline constexpr int kMaxFileLines = 1000;
inline constexpr int kMaxFunctionLines = 70;
inline constexpr int kMaxParameters = 5;
// An alarm for a source that leans on everything; not tight, since a class that
// is made of parts has more headers than one that is not.
inline constexpr int kMaxHeadersReached = 70;
inline constexpr int kMinAssertionsPerThousand = 40;

struct Violation {
  std::string file;
  int line;
  std::string text;

  std::string ToString() const {
    return file + ":" + std::to_string(line) + ": " + text;
  }
};
using Violations = std::vector<Violation>;

// Sizes.
Violations CheckFileLengths(const Tree& tree);
Violations CheckFunctionLengths(const Tree& tree);
// The names of public functions are RocksDB's, with their parameters; so are
// overrides of them, and definitions of them out of their class.
Violations CheckParameterCounts(const Tree& tree);

// Includes.
Violations CheckIncludesExist(const Tree& tree);
Violations CheckFloors(const Tree& tree);
Violations CheckIncludeCycles(const Tree& tree);
Violations CheckHeadersReached(const Tree& tree);
Violations CheckHeaderGuards(const Tree& tree);

// Every C++ file of a folder whose README.md has a table of them is there.
Violations CheckFolderTables(const Tree& tree);

// Back doors.
Violations CheckFriends(const Tree& tree);
Violations CheckTestHooks(const Tree& tree);

// Assertions of db/, table/ and file/, each folder as a whole: an aim that is
// told, not a rule.
Violations CheckAssertionDensity(const Tree& tree);

// Banned things.
Violations CheckTodos(const Tree& tree);
Violations CheckDisabledCode(const Tree& tree);
Violations CheckNakedNew(const Tree& tree);
Violations CheckMachinePaths(const Tree& tree);
Violations CheckSleepsInTests(const Tree& tree);
Violations CheckPlatformConditions(const Tree& tree);

// Comments of C++ files whose first word leaves out what they are about: "Of
// the file" instead of "The file's size".
Violations CheckCommentBeginnings(const Tree& tree);

}  // namespace ROCKSDB_NAMESPACE::tidy
