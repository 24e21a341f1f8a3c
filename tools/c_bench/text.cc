#include "tools/c_bench/text.h"

#include <unistd.h>

#include <cstdarg>
#include <cstdio>

namespace c_bench {

std::string Text(const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int size = vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string text(size < 0 ? 0 : static_cast<size_t>(size) + 1, '\0');
  vsnprintf(text.data(), text.size(), format, again);
  va_end(again);
  if (!text.empty()) text.pop_back();
  return text;
}

void Fail(const std::string& what) {
  fflush(stdout);
  fprintf(stderr, "c_bench: %s\n", what.c_str());
  // Threads may be in the engine: nothing of theirs is taken down.
  _exit(1);
}

void Check(char* error, const std::string& what) {
  if (error != nullptr) Fail(what + ": " + error);
}

}  // namespace c_bench
