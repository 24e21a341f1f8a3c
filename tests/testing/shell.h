// Runs a command line, for tests that ask programs of others.
//
// Threads  Any.
#pragma once

#include <array>
#include <cstdio>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// What the command printed, errors included; *status as pclose() has it.
inline std::string RunShell(const std::string& command, int* status) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    *status = -1;
    return "popen() failed";
  }
  std::string output;
  std::array<char, 4096> buffer;
  while (const size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), n);
  }
  *status = pclose(pipe);
  return output;
}

inline bool HasProgram(const std::string& name) {
  int status = 0;
  RunShell("command -v " + name, &status);
  return status == 0;
}

}  // namespace ROCKSDB_NAMESPACE
