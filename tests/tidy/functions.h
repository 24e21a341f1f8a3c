// The functions of a source file: where they are, how long, how many
// parameters.
//
// Found by braces and parentheses, without a compiler: good enough to count
// lines and commas in code of our own style, and quick enough for every build.
//
// Threads    A pure function.
// Errors     Cannot fail; code in an unforeseen shape may be missed.

#pragma once

#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "tests/tidy/source_file.h"

namespace ROCKSDB_NAMESPACE::tidy {

struct Function {
  std::string name;
  int first_line = 0;
  int last_line = 0;  // Where the body ends, or the declaration.
  int parameter_count = 0;
  bool is_definition = false;
  bool is_override = false;  // Its shape is not its own choice.

  int LineCount() const { return last_line - first_line + 1; }
};

// In the order in which they end. Lambdas and local classes belong to the
// function around them.
std::vector<Function> FindFunctions(const SourceFile& file);

}  // namespace ROCKSDB_NAMESPACE::tidy
