// Whether an exception that this thread throws now becomes the status of a job:
// of a flush or a compaction.
//
// A callback whose call has no status, such as that of a comparator, may throw
// where this is so. Elsewhere the exception would end the process.
//
// Threads  Each thread has its own.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

namespace caught_exceptions_internal {

inline thread_local constinit int scope_count = 0;

}  // namespace caught_exceptions_internal

// Stands within the `try` of a job.
class CaughtExceptionsScope {
 public:
  CaughtExceptionsScope() { ++caught_exceptions_internal::scope_count; }
  ~CaughtExceptionsScope() { --caught_exceptions_internal::scope_count; }
  CaughtExceptionsScope(const CaughtExceptionsScope&) = delete;
  CaughtExceptionsScope& operator=(const CaughtExceptionsScope&) = delete;
};

inline bool ExceptionsAreCaught() {
  return caught_exceptions_internal::scope_count > 0;
}

}  // namespace ROCKSDB_NAMESPACE
