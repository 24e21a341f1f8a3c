#include "db/write/ingest_rate.h"

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void IngestRate::Note(uint64_t bytes, uint64_t now_micros, bool counts) {
  const uint64_t last = last_micros_;
  last_micros_ = now_micros;
  if (!counts || last == 0 || now_micros <= last) return;
  const uint64_t micros = now_micros - last;
  constexpr uint64_t kMicrosPerSecond = 1'000'000;
  INVARIANT(bytes <= UINT64_MAX / kMicrosPerSecond);
  const uint64_t seen = bytes * kMicrosPerSecond / micros;
  // A third of what is seen: a pause of the writers is forgotten in a few
  // memtables.
  bytes_per_second_ =
      bytes_per_second_ == 0 ? seen : (bytes_per_second_ * 2 + seen) / 3;
}

}  // namespace ROCKSDB_NAMESPACE
