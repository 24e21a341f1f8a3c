// Leave of the governor for one background request that is an ordinary call,
// given back at the end of the scope. Requests that overlap go by IoLane.
//
// Threads  One. What its lane has in flight is taken in before it waits; who
//          waits must hold nothing else that only it can give back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "file/io_governor.h"
#include "file/io_lane.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class IoLeave {
 public:
  // Waits for the first bytes. Null: all are granted.
  IoLeave(IoGovernor* governor, IoClass io_class, size_t wanted_bytes)
      : governor_(governor), io_class_(io_class), bytes_(wanted_bytes) {
    INVARIANT(wanted_bytes > 0);
    if (governor_ == nullptr) return;
    IoSource source;
    source.io_class = io_class;
    source.governor = governor;
    bytes_ = IoLane::OfThisThread()->Admit(source, wanted_bytes, 1);
    INVARIANT(bytes_ > 0 && bytes_ <= wanted_bytes);
  }
  // How long the call took is no measure of the device: it may have ended in
  // memory.
  ~IoLeave() {
    if (governor_ != nullptr) governor_->Finish(io_class_, bytes_, 0);
  }
  IoLeave(const IoLeave&) = delete;
  IoLeave& operator=(const IoLeave&) = delete;

  size_t bytes() const { return bytes_; }

 private:
  IoGovernor* const governor_;
  const IoClass io_class_;
  size_t bytes_;
};

}  // namespace ROCKSDB_NAMESPACE
