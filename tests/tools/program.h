// Runs a program that the build has made, and keeps what it printed.
//
// The tests of tools/ drive the programs as users do, by their command line.
//
// Threads    Confined to one thread.
// Errors     A program that is not there fails the test that asked for it.

#pragma once

#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct ProgramResult {
  int status = -1;  // The exit status; -1 if it did not exit.
  std::string output;
  std::string errors;
};

// `name` is a program in the build's bin directory, or the path of another one.
ProgramResult RunProgram(const std::string& name,
                         const std::vector<std::string>& arguments);

// The lines of `text` that contain `part`.
std::vector<std::string> LinesWith(const std::string& text,
                                   const std::string& part);

}  // namespace ROCKSDB_NAMESPACE
