#include "tools/ldb/ttl_times.h"

#include <ctime>

#include "tools/ldb/command.h"

namespace ROCKSDB_NAMESPACE {

std::string TimeText(int64_t seconds) {
  const std::time_t time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  localtime_r(&time, &parts);
  char text[64];
  const size_t size =
      std::strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &parts);
  return std::string(text, size);
}

void TimeBuckets::PrintCounts() const {
  for (int64_t i = 0; i < Count(); ++i) {
    const int64_t begin = times_.begin + i * times_.bucket;
    const auto found = counts_.find(i);
    PrintLine("Keys in range " + TimeText(begin) + " to " +
              TimeText(begin + times_.bucket) + " : " +
              std::to_string(found == counts_.end() ? 0 : found->second));
  }
}

}  // namespace ROCKSDB_NAMESPACE
