#pragma once

// A part of each day, in UTC: "HH:MM-HH:MM".
//
// Both minutes are part of it; a window that ends before it begins goes on past
// midnight. "" is a window that no time is in.
//
// Threads  A plain value.

#include <cstdint>
#include <string_view>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class DailyWindow {
 public:
  // False, with *result as it was: not such a text, or both times are equal.
  [[nodiscard]] static bool Parse(std::string_view text, DailyWindow* result);

  bool empty() const { return begin_minute_ == end_minute_; }
  bool Contains(uint64_t unix_seconds) const;
  // Until it begins the next time; a day at most, and more than 0. Not for an
  // empty window.
  uint64_t SecondsToBegin(uint64_t unix_seconds) const;

 private:
  static constexpr uint32_t kMinutesPerDay = 24 * 60;

  uint32_t begin_minute_ = 0;
  uint32_t end_minute_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
