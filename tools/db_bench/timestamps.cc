#include "tools/db_bench/timestamps.h"

#include <atomic>
#include <chrono>

#include "tools/db_bench/flags.h"

DEFINE_bool(read_with_latest_user_timestamp, true,
            "Reads see all that was written; else what was written until some "
            "time since the program began.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

uint64_t MicrosNow() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

struct Stamps {
  const uint64_t first = MicrosNow();
  std::atomic<uint64_t> last{first};
};

Stamps& All() {
  static Stamps stamps;
  return stamps;
}

}  // namespace

bool HasTimestamps() { return FLAGS_user_timestamp_size != 0; }

Timestamp NextStamp() { return Timestamp(All().last.fetch_add(1) + 1); }

Timestamp StampToRead(Random* random) {
  const uint64_t last = All().last.load();
  if (FLAGS_read_with_latest_user_timestamp) return Timestamp(last);
  const uint64_t first = All().first;
  return Timestamp(first + random->Below(last - first + 1));
}

}  // namespace ROCKSDB_NAMESPACE::bench
