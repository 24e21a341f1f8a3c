#include "util/daily_window.h"

#include <cassert>

namespace ROCKSDB_NAMESPACE {

namespace {

// `text` is digits, one or two.
bool ParseNumber(std::string_view text, uint32_t* number) {
  if (text.empty() || text.size() > 2) return false;
  *number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    *number = *number * 10 + static_cast<uint32_t>(c - '0');
  }
  return true;
}

bool ParseTime(std::string_view text, uint32_t* minute) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view minutes = text.substr(colon + 1);
  uint32_t h = 0, m = 0;
  if (!ParseNumber(text.substr(0, colon), &h) || minutes.size() != 2 ||
      !ParseNumber(minutes, &m) || h > 23 || m > 59) {
    return false;
  }
  *minute = h * 60 + m;
  return true;
}

}  // namespace

bool DailyWindow::Parse(std::string_view text, DailyWindow* result) {
  DailyWindow window;
  if (!text.empty()) {
    const size_t dash = text.find('-');
    if (dash == std::string_view::npos ||
        !ParseTime(text.substr(0, dash), &window.begin_minute_) ||
        !ParseTime(text.substr(dash + 1), &window.end_minute_) ||
        window.empty()) {
      return false;
    }
  }
  *result = window;
  return true;
}

bool DailyWindow::Contains(uint64_t unix_seconds) const {
  if (empty()) return false;
  const auto minute = static_cast<uint32_t>(unix_seconds / 60 % kMinutesPerDay);
  return begin_minute_ < end_minute_
             ? minute >= begin_minute_ && minute <= end_minute_
             : minute >= begin_minute_ || minute <= end_minute_;
}

uint64_t DailyWindow::SecondsToBegin(uint64_t unix_seconds) const {
  assert(!empty());
  constexpr uint64_t kSecondsPerDay = uint64_t{kMinutesPerDay} * 60;
  const uint64_t now = unix_seconds % kSecondsPerDay;
  const uint64_t begin = uint64_t{begin_minute_} * 60;
  return begin > now ? begin - now : begin + kSecondsPerDay - now;
}

}  // namespace ROCKSDB_NAMESPACE
