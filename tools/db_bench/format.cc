#include "tools/db_bench/format.h"

#include <cstdarg>
#include <cstdio>

namespace ROCKSDB_NAMESPACE::bench {

std::string Format(const char* pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  va_list copy;
  va_copy(copy, arguments);
  const int size = vsnprintf(nullptr, 0, pattern, arguments);
  va_end(arguments);
  std::string text(size < 0 ? 0 : static_cast<size_t>(size), '\0');
  vsnprintf(text.data(), text.size() + 1, pattern, copy);
  va_end(copy);
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::bench
