// A file of which some bytes may be in the page cache, and can be taken from
// there without asking the device, and without bringing anything in.
//
// Found by dynamic_cast: of a wrapper that does not pass it on, nothing is
// known to be there.
//
// Threads  Safe for concurrent use.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class ResidentPages {
 public:
  virtual ~ResidentPages() = default;

  // Copies [offset, offset + n) to `out`, if the page cache has all of it.
  // False: it has not, or nobody can tell; `out` may hold anything.
  virtual bool ReadResident(uint64_t offset, size_t n, char* out) const = 0;
};

}  // namespace ROCKSDB_NAMESPACE
