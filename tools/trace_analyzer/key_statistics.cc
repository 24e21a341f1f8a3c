#include "tools/trace_analyzer/key_statistics.h"

#include <algorithm>
#include <cmath>

namespace tools {

double SizeDistribution::Average() const {
  double sum = 0;
  for (const auto& [bytes, count] : counts_) {
    sum += static_cast<double>(bytes) * static_cast<double>(count);
  }
  return empty() ? 0 : sum / static_cast<double>(count_);
}

uint64_t SizeDistribution::Median() const {
  uint64_t below = 0;
  for (const auto& [bytes, count] : counts_) {
    below += count;
    if (below * 2 >= count_) return bytes;
  }
  return 0;
}

double SizeDistribution::Deviation() const {
  const double average = Average();
  double squares = 0;
  for (const auto& [bytes, count] : counts_) {
    const double off = static_cast<double>(bytes) - average;
    squares += off * off * static_cast<double>(count);
  }
  return empty() ? 0 : std::sqrt(squares / static_cast<double>(count_));
}

uint64_t SecondCounts::Peak() const {
  uint64_t peak = 0;
  for (const auto& [second, count] : counts_) peak = std::max(peak, count);
  return peak;
}

double SecondCounts::Average() const {
  if (counts_.empty()) return 0;
  uint64_t sum = 0;
  for (const auto& [second, count] : counts_) sum += count;
  const uint64_t seconds = counts_.rbegin()->first - counts_.begin()->first + 1;
  return static_cast<double>(sum) / static_cast<double>(seconds);
}

void TypeStatistics::Add(const Operation& operation) {
  ++operations_;
  KeyStatistics& key = keys_[operation.key];
  if (key.count == 0) key_sizes_.Add(operation.key.size());
  ++key.count;
  if (operation.value_bytes > 0) ++key.with_value;
  key.value_bytes = operation.value_bytes;
  value_sizes_.Add(operation.value_bytes);
  const size_t seconds = seconds_.counts().size();
  seconds_.Add(operation.time_micros);
  if (seconds_.counts().size() != seconds) unique_keys_.emplace_back();
  unique_keys_.back() = {.operations = operations_, .keys = keys_.size()};
}

std::vector<std::pair<std::string, uint64_t>> TypeStatistics::TopKeys(
    uint64_t most) const {
  std::vector<std::pair<std::string, uint64_t>> all;
  for (const auto& [key, statistics] : keys_) {
    all.emplace_back(key, statistics.count);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.second > b.second;
  });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace tools
