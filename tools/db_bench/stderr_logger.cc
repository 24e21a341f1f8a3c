#include "tools/db_bench/stderr_logger.h"

#include <cstdarg>
#include <cstdio>

namespace ROCKSDB_NAMESPACE::bench {

namespace {

class StderrLogger final : public Logger {
 public:
  using Logger::Logv;

  // One call to stderr for each line, so that those of two threads do not mix.
  __attribute__((format(printf, 2, 0))) void Logv(const char* format,
                                                  va_list arguments) override {
    va_list again;
    va_copy(again, arguments);
    const int size = vsnprintf(nullptr, 0, format, again);
    va_end(again);
    if (size < 0) return;
    std::string line(static_cast<size_t>(size) + 1, '\0');
    vsnprintf(line.data(), line.size(), format, arguments);
    line.back() = '\n';
    fputs(line.c_str(), stderr);
  }
};

}  // namespace

std::shared_ptr<Logger> NewStderrLogger() {
  return std::make_shared<StderrLogger>();
}

}  // namespace ROCKSDB_NAMESPACE::bench
