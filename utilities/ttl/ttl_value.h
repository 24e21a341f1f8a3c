// A value with the time when it was written: the value, then fixed32 seconds
// since 1970.
//
// Threads  Pure functions; a TtlSetting is safe for concurrent use.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/system_clock.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr size_t kTtlBytes = sizeof(uint32_t);
// 10 May 2013. Nothing was written in this form before: a value with an earlier
// time is of another form.
inline constexpr uint32_t kMinTtlTime = 1368146402;

inline void AppendTtlTime(uint32_t seconds, std::string* value) {
  PutFixed32(value, seconds);
}

// REQUIRES: CheckTtlValue() was OK.
inline uint32_t TtlTimeOf(const Slice& stored) {
  return DecodeFixed32(stored.data() + stored.size() - kTtlBytes);
}
inline Slice WithoutTtlTime(const Slice& stored) {
  return Slice(stored.data(), stored.size() - kTtlBytes);
}

inline Status CheckTtlValue(const Slice& stored) {
  if (stored.size() < kTtlBytes) {
    return Status::Corruption("Error: value's length less than timestamp's\n");
  }
  if (TtlTimeOf(stored) < kMinTtlTime) {
    return Status::Corruption("Error: Timestamp < ttl feature release time!\n");
  }
  return Status::OK();
}

inline Status TtlNow(SystemClock* clock, uint32_t* seconds) {
  int64_t now = 0;
  Status s = clock == nullptr ? Status::NotSupported("no clock")
                              : clock->GetCurrentTime(&now);
  if (s.ok()) *seconds = static_cast<uint32_t>(now);
  return s;
}

// Is its time to live over? Where nobody knows the time, nothing is old.
//
// REQUIRES: CheckTtlValue() was OK.
inline bool IsTtlStale(const Slice& stored, int32_t ttl, SystemClock* clock) {
  uint32_t now = 0;
  if (ttl <= 0 || !TtlNow(clock, &now).ok()) return false;
  return uint64_t{TtlTimeOf(stored)} + static_cast<uint64_t>(ttl) < now;
}

// The time to live of a family, which may change; shared by all that heed it.
using TtlSetting = std::shared_ptr<std::atomic<int32_t>>;

inline TtlSetting NewTtlSetting(int32_t ttl) {
  return std::make_shared<std::atomic<int32_t>>(ttl);
}

}  // namespace ROCKSDB_NAMESPACE
