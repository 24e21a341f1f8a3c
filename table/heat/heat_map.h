// How much users read each part of a table file lately: one counter for each
// cell of 64 KiB, raised by one in eight of the reads of its blocks, whether
// they were in the cache or not, and halved every minute. In level 0, where
// neighbours lie far apart in the order of keys, cells have 4 KiB.
//
// Costs a byte for each cell and a few instructions a read.
//
// Threads  Note() and at() from any thread; counts may be lost to races, which
//          is in the nature of a sample.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class SystemClock;

class HeatMap {
 public:
  static constexpr size_t kCellBytes = 64 << 10;
  static constexpr size_t kLevel0CellBytes = 4 << 10;
  static constexpr uint8_t kMaxHeat = 15;
  static constexpr uint32_t kSampling = 8;
  static constexpr uint64_t kHalfLifeMicros = 60'000'000;

  HeatMap(uint64_t file_bytes, int level, SystemClock* clock);
  HeatMap(const HeatMap&) = delete;
  HeatMap& operator=(const HeatMap&) = delete;

  // A user reads the block at `offset`.
  void Note(uint64_t offset) {
    // By chance, so that no rhythm of the reader hides a file.
    thread_local uint32_t chance = 1;
    chance = chance * 1664525u + 1013904223u;
    if (chance >= UINT32_MAX / kSampling) [[likely]]
      return;
    Count(offset);
  }
  // One read that the sample holds.
  void Count(uint64_t offset);
  // Raises the cell at `offset` to `heat`.
  void Raise(uint64_t offset, uint8_t heat);

  uint8_t at(uint64_t offset) const {
    return cells_[CellOf(offset)].load(std::memory_order_relaxed);
  }
  // The sum of a district, the MiB that `offset` is in: it tells sooner than a
  // cell whether users read there at all.
  static constexpr uint64_t kDistrictBytes = 1 << 20;
  uint32_t OfDistrict(uint64_t offset) const;

  // True: no cell was ever raised.
  bool is_cold() const { return is_cold_.load(std::memory_order_relaxed); }
  // Halves all as often as time asks for.
  void Age();

  uint64_t CellOf(uint64_t offset) const { return offset >> cell_bits_; }
  size_t memory_bytes() const { return sizeof(*this) + cell_count_; }

 private:
  uint64_t NowPeriods() const;
  void SetCell(uint64_t cell, uint8_t heat);

  SystemClock* const clock_;
  const int cell_bits_;
  const size_t cell_count_;
  const std::unique_ptr<std::atomic<uint8_t>[]> cells_;
  std::atomic<bool> is_cold_{true};
  // In half-lives, when all was halved last.
  std::atomic<uint64_t> aged_to_;
};

}  // namespace ROCKSDB_NAMESPACE
