// Tells listeners what the background jobs of a database are under, whenever
// that has changed. A part above this room knows it (JobPressure).
//
// Threads    Any, without the DB mutex.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class PressureNotice {
 public:
  virtual ~PressureNotice() = default;
  virtual void TellIfChanged() = 0;
};

}  // namespace ROCKSDB_NAMESPACE
