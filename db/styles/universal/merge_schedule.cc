#include "db/styles/universal/merge_schedule.h"

#include <algorithm>
#include <cassert>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// C(top, count) for a real `top` >= count.
double Binomial(double top, size_t count) {
  double value = 1;
  for (size_t i = 0; i < count; ++i) {
    value *= (top - static_cast<double>(i)) / static_cast<double>(i + 1);
  }
  return value;
}

// The `top` with C(top, count) = value; `count` if the value is less than 1.
double BinomialTop(double value, size_t count) {
  INVARIANT(count >= 1);
  auto low = static_cast<double>(count);
  if (value <= 1) return low;
  double high = low * 2;
  while (Binomial(high, count) < value) high *= 2;
  constexpr int kSteps = 50;  // about as many as a double's mantissa has bits
  for (int step = 0; step < kSteps; ++step) {
    const double middle = (low + high) / 2;
    (Binomial(middle, count) < value ? low : high) = middle;
  }
  assert(low <= high);
  return low;
}

// How much newer data the run in slot `slot` (the oldest has the greatest)
// waits for. In a full schedule a run holds C(top, slot) flushes, all newer
// ones C(top, slot - 1), and their merge C(top + 1, slot).
double AwaitedUnits(double run_units, size_t slot) {
  const double top = BinomialTop(run_units, slot);
  return std::max(1.0, run_units) * static_cast<double>(slot) /
         (top - static_cast<double>(slot) + 1);
}

}  // namespace

int AutomaticRunLimit(const RunGeometry& geometry) {
  INVARIANT(geometry.write_buffer_bytes > 0);
  const auto largest = static_cast<double>(geometry.largest_run_bytes);
  const double factor = 1 + geometry.size_ratio_percent / 100.0;
  auto newer = static_cast<double>(geometry.write_buffer_bytes);
  int count = 1;
  if (largest <= newer) return count;
  // The sum at least doubles: this ends soon.
  while (newer * factor < largest) {
    newer += newer * factor;
    ++count;
  }
  return count + 1;
}

size_t BinomialMergeWidth(const std::vector<uint64_t>& newer_runs, size_t slots,
                          uint64_t unit_bytes) {
  INVARIANT(unit_bytes > 0);
  const size_t count = newer_runs.size();
  size_t width = std::min<size_t>(2, count);
  const auto unit = static_cast<double>(unit_bytes);
  // Flushes differ a little in size. A run that misses its merge for want of a
  // few bytes keeps its slot until the next one, which costs far more than a
  // merge that comes half a flush early.
  constexpr double kToleratedUnits = 0.5;
  double newer_units = 0;
  for (size_t i = 0; i < count; ++i) {
    const size_t older = count - 1 - i;
    const double run_units = static_cast<double>(newer_runs[i]) / unit;
    if (i > 0 && slots > older) {
      const double awaited = AwaitedUnits(run_units, slots - older);
      if (newer_units + kToleratedUnits >= awaited) width = i + 1;
    } else if (i > 0) {
      width = i + 1;  // more runs than slots: it has none
    }
    newer_units += run_units;
  }
  assert(width <= count);
  return width;
}

}  // namespace ROCKSDB_NAMESPACE
