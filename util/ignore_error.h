#pragma once

// The one way to drop an error. The reason is read in review.

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

inline void IgnoreError(const Status& status, const char* reason) {
  (void)reason;
  status.PermitUncheckedError();
}

}  // namespace ROCKSDB_NAMESPACE
