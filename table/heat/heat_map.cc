#include "table/heat/heat_map.h"

#include <algorithm>
#include <bit>

#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A clock is read for one in so many samples of a thread.
constexpr uint32_t kSamplesPerLook = 64;

}  // namespace

HeatMap::HeatMap(uint64_t file_bytes, int level, SystemClock* clock)
    : clock_(clock),
      cell_bits_(std::countr_zero(level == 0 ? kLevel0CellBytes : kCellBytes)),
      cell_count_((file_bytes >> cell_bits_) + 1),
      cells_(std::make_unique<std::atomic<uint8_t>[]>(cell_count_)),
      aged_to_(NowPeriods()) {
  INVARIANT(clock != nullptr);
  assert(CellOf(file_bytes) < cell_count_);
}

uint64_t HeatMap::NowPeriods() const {
  return clock_->NowMicros() / kHalfLifeMicros;
}

void HeatMap::SetCell(uint64_t cell, uint8_t heat) {
  assert(heat <= kMaxHeat);
  cells_[cell].store(heat, std::memory_order_relaxed);
  if (is_cold()) is_cold_.store(false, std::memory_order_relaxed);
}

void HeatMap::Count(uint64_t offset) {
  const uint64_t cell = CellOf(offset);
  assert(cell < cell_count_);
  const uint8_t heat = cells_[cell].load(std::memory_order_relaxed);
  if (heat < kMaxHeat) SetCell(cell, heat + 1);
  thread_local uint32_t samples = 0;
  if (++samples % kSamplesPerLook == 0) Age();
}

void HeatMap::Raise(uint64_t offset, uint8_t heat) {
  const uint64_t cell = CellOf(offset);
  assert(cell < cell_count_);
  assert(heat <= kMaxHeat);
  if (at(offset) < heat) SetCell(cell, heat);
}

uint32_t HeatMap::OfDistrict(uint64_t offset) const {
  const uint64_t begin = offset / kDistrictBytes * kDistrictBytes;
  const uint64_t end =
      std::min<uint64_t>(CellOf(begin + kDistrictBytes), cell_count_);
  uint32_t heat = 0;
  for (uint64_t cell = CellOf(begin); cell < end; ++cell) {
    heat += cells_[cell].load(std::memory_order_relaxed);
  }
  return heat;
}

void HeatMap::Age() {
  const uint64_t now = NowPeriods();
  uint64_t before = aged_to_.load(std::memory_order_relaxed);
  // A clock that was set back: nothing ages until it has caught up.
  if (now <= before) return;
  if (!aged_to_.compare_exchange_strong(before, now,
                                        std::memory_order_relaxed)) {
    return;
  }
  const uint64_t times = std::min<uint64_t>(now - before, 8);
  for (size_t i = 0; i < cell_count_; ++i) {
    const uint8_t heat = cells_[i].load(std::memory_order_relaxed);
    if (heat != 0) {
      cells_[i].store(static_cast<uint8_t>(heat >> times),
                      std::memory_order_relaxed);
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE
