// The clock of a POSIX machine.
//
// Threads  Safe for concurrent use.

#pragma once

#include <string>

#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

class PosixClock : public SystemClock {
 public:
  static const char* kClassName() { return "PosixClock"; }
  const char* Name() const override { return kDefaultName(); }

  uint64_t NowMicros() override;
  uint64_t NowNanos() override;
  uint64_t CPUMicros() override;
  uint64_t CPUNanos() override;
  void SleepForMicroseconds(int micros) override;
  Status GetCurrentTime(int64_t* unix_time) override;
  std::string TimeToString(uint64_t time) override;

 protected:
  const char* NickName() const override { return kClassName(); }
};

}  // namespace ROCKSDB_NAMESPACE
