#include "options/dump_names.h"

#include <cstdarg>
#include <set>

#include "rocksdb/info_log.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The loggers' own functions live on a floor above.
[[gnu::format(printf, 2, 3)]] void LogLine(Logger* logger, const char* format,
                                           ...) {
  va_list arguments;
  va_start(arguments, format);
  logger->Logv(InfoLogLevel::INFO_LEVEL, format, arguments);
  va_end(arguments);
}

}  // namespace

void LogNames(Logger* logger, const std::string& title,
              const std::unordered_set<std::string>& names) {
  if (logger == nullptr) return;
  std::string line;
  for (const std::string& name :
       std::set<std::string>(names.begin(), names.end())) {
    line += (line.empty() ? "" : ", ") + name;
  }
  LogLine(logger, "%s: %s", title.c_str(), line.c_str());
}

}  // namespace ROCKSDB_NAMESPACE
