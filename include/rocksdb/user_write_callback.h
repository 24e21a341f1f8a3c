#pragma once

// Tells an application how far a write has come (DB::WriteWithCallback).
//
// Threads  Called from the writing thread or from that of another writer that
//          writes for it; must be short, and must not write itself.

#include <cstdarg>
#include <cstdio>
#include <iosfwd>
#include <tuple>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class UserWriteCallback {
 public:
  virtual ~UserWriteCallback() = default;

  // The write has its place in the order of writes.
  virtual void OnWriteEnqueued() = 0;
  // It is in the write-ahead log. Not called for a write past the log, or one
  // that fails before.
  virtual void OnWalWriteFinish() = 0;
};

}  // namespace ROCKSDB_NAMESPACE
