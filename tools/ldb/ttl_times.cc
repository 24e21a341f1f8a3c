#include "tools/ldb/ttl_times.h"

#include <algorithm>
#include <ctime>

#include "tools/ldb/command.h"
#include "tools/ldb/json.h"

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

TimeBuckets::Bucket TimeBuckets::At(int64_t index) const {
  const int64_t begin = times_.begin + index * times_.bucket;
  const auto found = counts_.find(index);
  // The last one ends where the times do.
  return {begin, std::min<int64_t>(begin + times_.bucket, times_.end),
          found == counts_.end() ? 0 : found->second};
}

void TimeBuckets::PrintCounts() const {
  for (int64_t i = 0; i < Count(); ++i) {
    const Bucket bucket = At(i);
    PrintLine("Keys in range " + TimeText(bucket.begin) + " to " +
              TimeText(bucket.end) + " : " + std::to_string(bucket.count));
  }
}

void TimeBuckets::PrintJson() const {
  for (int64_t i = 0; i < Count(); ++i) {
    const Bucket bucket = At(i);
    PrintLine(JsonObject()
                  .AddRaw("begin", std::to_string(bucket.begin))
                  .AddRaw("end", std::to_string(bucket.end))
                  .Add("keys_in_range", bucket.count)
                  .Text());
  }
}

}  // namespace ROCKSDB_NAMESPACE
