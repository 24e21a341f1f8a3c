#include "tools/db_bench/expiry.h"

#include <gflags/gflags.h>

DEFINE_string(expire_style, "none",
              "What takes expired entries of timeseries away: none, "
              "compaction_filter, or delete, by threads of their own.");
DEFINE_uint64(time_range, 100000,
              "Writes of timeseries after which an entry is expired.");

namespace ROCKSDB_NAMESPACE::bench {

std::string CheckExpiryFlags() {
  if (FLAGS_expire_style == "none" || ExpiresByFilter() ||
      ExpiresByDeletion()) {
    return "";
  }
  return "--expire_style=" + FLAGS_expire_style +
         ": must be one of none, compaction_filter, delete";
}

bool ExpiresByFilter() { return FLAGS_expire_style == "compaction_filter"; }

bool ExpiresByDeletion() { return FLAGS_expire_style == "delete"; }

std::atomic<uint64_t>& WritingTime() {
  static std::atomic<uint64_t> time{0};
  return time;
}

uint64_t OldestTime() {
  const uint64_t now = WritingTime().load();
  return now < FLAGS_time_range ? 0 : now - FLAGS_time_range;
}

bool ReadTime(const Slice& key, uint64_t* time) {
  if (key.size() < kTimedKeyBytes) return false;
  *time = 0;
  for (size_t i = kTimedKeyBytes / 2; i < kTimedKeyBytes; ++i) {
    *time = *time << 8 | static_cast<unsigned char>(key[i]);
  }
  return true;
}

namespace {

class DropExpired final : public CompactionFilter {
 public:
  const char* Name() const override { return "ExpiredTimeFilter"; }
  bool Filter(int /*level*/, const Slice& key, const Slice& /*value*/,
              std::string* /*new_value*/, bool* /*changed*/) const override {
    uint64_t time = 0;
    return ReadTime(key, &time) && time < OldestTime();
  }
};

}  // namespace

const CompactionFilter* ExpiryFilter() {
  static const DropExpired filter;
  return &filter;
}

}  // namespace ROCKSDB_NAMESPACE::bench
