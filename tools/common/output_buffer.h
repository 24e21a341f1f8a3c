// Standard output of programs that print a lot.
//
// Threads  Before anything was printed.
#pragma once

#include <unistd.h>

#include <cstdio>

namespace tools {

// The library of C would hand four KiB at a time to the system. A terminal
// still gets each line when it is there.
inline void TakeLargeOutputBuffer() {
  constexpr size_t kBytes = 256 << 10;
  if (isatty(STDOUT_FILENO) != 0) return;
  // Where it is refused, the small buffer stays.
  static_cast<void>(std::setvbuf(stdout, nullptr, _IOFBF, kBytes));
}

}  // namespace tools
