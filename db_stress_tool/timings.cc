#include "db_stress_tool/timings.h"

#include <algorithm>
#include <bit>

namespace ROCKSDB_NAMESPACE::stress {

void Timings::Add(const char* kind, std::chrono::microseconds time) {
  const auto micros = static_cast<uint64_t>(std::max<int64_t>(time.count(), 0));
  std::lock_guard<std::mutex> lock(mutex_);
  Times& times = kinds_[kind];
  ++times.count;
  ++times.counts[static_cast<size_t>(std::bit_width(micros))];
  times.most_micros = std::max(times.most_micros, micros);
}

uint64_t Timings::Bound(const Times& times, uint64_t percent) {
  uint64_t below = 0;
  for (size_t bits = 0; bits < times.counts.size() - 1; ++bits) {
    below += times.counts[bits];
    if (below * 100 >= times.count * percent) return uint64_t{1} << bits;
  }
  return UINT64_MAX;
}

std::string Timings::Text() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::string text;
  for (const auto& [kind, times] : kinds_) {
    text += "  " + kind + ": " + std::to_string(times.count) + ", half below " +
            std::to_string(Bound(times, 50)) + " us, 99 in 100 below " +
            std::to_string(Bound(times, 99)) + " us, most " +
            std::to_string(times.most_micros) + " us\n";
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::stress
