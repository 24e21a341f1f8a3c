// What the engine asks a handle of a column family beside its public calls.
//
// Threads  Any.
#pragma once

#include "rocksdb/column_family.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandleInternal {
 public:
  static bool TakesWrites(const ColumnFamilyHandle& family) {
    return family.TakesWrites();
  }
};

// For an update of a family that has disallow_memtable_writes.
inline Status FamilyTakesNoWrites() {
  return Status::InvalidArgument(
      "This column family has disallow_memtable_writes=true");
}

}  // namespace ROCKSDB_NAMESPACE
