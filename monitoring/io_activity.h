#pragma once

// What the calling thread does for its database: whose histogram a file read
// goes to where the options of the read do not say.
//
// Threads  Each thread has its own.

#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE {

namespace io_activity_internal {

// Constant-initialised, so that reading it needs no guard.
inline thread_local constinit Env::IOActivity current
    __attribute__((tls_model("initial-exec"))) = Env::IOActivity::kUnknown;

}  // namespace io_activity_internal

// Until the end of the scope. Scopes nest; the innermost one counts.
class IoActivityScope {
 public:
  explicit IoActivityScope(Env::IOActivity activity)
      : before_(io_activity_internal::current) {
    io_activity_internal::current = activity;
  }
  ~IoActivityScope() { io_activity_internal::current = before_; }
  IoActivityScope(const IoActivityScope&) = delete;
  IoActivityScope& operator=(const IoActivityScope&) = delete;

 private:
  const Env::IOActivity before_;
};

// `given`, if it says anything.
inline Env::IOActivity IoActivityOr(Env::IOActivity given) {
  return given != Env::IOActivity::kUnknown ? given
                                            : io_activity_internal::current;
}

}  // namespace ROCKSDB_NAMESPACE
