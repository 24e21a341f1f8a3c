// How a program ends whose standard output could not be written, as on a full
// disk: not as if all were well.
//
// Threads  When nothing is printed any more.
#pragma once

#include <cstdio>

namespace tools {

// Writes what is held back. False: some of what was printed so far is lost.
inline bool IsOutputWritten() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

// The status to end with for a program that would end with `status`. What is
// lost is told, once, and is a failure.
inline int ExitStatus(int status, int failure = 1) {
  if (IsOutputWritten()) return status;
  std::fprintf(stderr, "IO error: standard output could not be written\n");
  std::clearerr(stdout);
  return status == 0 ? failure : status;
}

}  // namespace tools
