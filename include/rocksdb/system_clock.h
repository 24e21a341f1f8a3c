// SystemClock: time as the engine sees it; tests put their own in its place.
//
// Threads  Safe for concurrent use.

#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/port_defs.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

namespace port {
class CondVar;
}
struct ConfigOptions;

class SystemClock : public Customizable {
 public:
  ~SystemClock() override = default;

  static const char* Type() { return "SystemClock"; }
  static const char* kDefaultName() { return "DefaultClock"; }
  const char* Name() const override = 0;

  // The clock named by `value`; an unknown name is NotSupported.
  static Status CreateFromString(const ConfigOptions& options,
                                 const std::string& value,
                                 std::shared_ptr<SystemClock>* result);

  // The clock of this operating system.
  static const std::shared_ptr<SystemClock>& Default();

  // Microseconds since 1970.
  virtual uint64_t NowMicros() = 0;

  // Nanoseconds since some fixed point; for measuring spans of time.
  virtual uint64_t NowNanos() { return NowMicros() * 1000; }

  // Processor time of the calling thread; 0 if not known.
  virtual uint64_t CPUMicros() { return 0; }
  virtual uint64_t CPUNanos() { return CPUMicros() * 1000; }

  virtual void SleepForMicroseconds(int micros) = 0;

  // For clocks that had it overridden: this engine does not call it, and has no
  // such type. False.
  virtual bool TimedWait(port::CondVar* /*cv*/,
                         std::chrono::microseconds /*deadline*/) {
    return false;
  }

  // Seconds since 1970.
  virtual Status GetCurrentTime(int64_t* unix_time) = 0;

  // Local date and time, for people.
  virtual std::string TimeToString(uint64_t time) = 0;
};

// Forwards to another clock.
class SystemClockWrapper : public SystemClock {
 public:
  explicit SystemClockWrapper(const std::shared_ptr<SystemClock>& target)
      : target_(target) {}

  uint64_t NowMicros() override { return target_->NowMicros(); }
  uint64_t NowNanos() override { return target_->NowNanos(); }
  uint64_t CPUMicros() override { return target_->CPUMicros(); }
  uint64_t CPUNanos() override { return target_->CPUNanos(); }
  void SleepForMicroseconds(int micros) override {
    target_->SleepForMicroseconds(micros);
  }
  bool TimedWait(port::CondVar* cv,
                 std::chrono::microseconds deadline) override {
    return target_->TimedWait(cv, deadline);
  }
  Status GetCurrentTime(int64_t* unix_time) override {
    return target_->GetCurrentTime(unix_time);
  }
  std::string TimeToString(uint64_t time) override {
    return target_->TimeToString(time);
  }
  // Without a target, SystemClock::Default().
  Status PrepareOptions(const ConfigOptions& options) override;
  std::string SerializeOptions(const ConfigOptions& config_options,
                               const std::string& header) const override;
  const Customizable* Inner() const override { return target_.get(); }

 protected:
  std::shared_ptr<SystemClock> target_;
};

}  // namespace ROCKSDB_NAMESPACE
