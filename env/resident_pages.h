// A file of which some bytes may be in the page cache, which can be told, and
// taken from there, without asking the device and without bringing anything in.
//
// Found by dynamic_cast: of a wrapper that does not pass it on, nothing is
// known to be there.
//
// Threads  Safe for concurrent use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Which pages of a file are there.
class PageSet {
 public:
  PageSet() = default;
  // has[i]: that page is there.
  PageSet(uint64_t page_bytes, std::vector<bool> has)
      : page_bytes_(page_bytes), has_(std::move(has)) {}

  // All of [offset, offset + n)?
  bool Has(uint64_t offset, uint64_t n) const {
    if (has_.empty() || n == 0) return false;
    const uint64_t last = (offset + n - 1) / page_bytes_;
    if (last >= has_.size()) return false;
    for (uint64_t page = offset / page_bytes_; page <= last; ++page) {
      if (!has_[page]) return false;
    }
    return true;
  }

 private:
  uint64_t page_bytes_ = 1;
  std::vector<bool> has_;  // empty: none
};

class ResidentPages {
 public:
  virtual ~ResidentPages() = default;

  // Copies [offset, offset + n) to `out`, if the page cache has all of it.
  // False: it has not, or nobody can tell; `out` may hold anything.
  virtual bool ReadResident(uint64_t offset, size_t n, char* out) const = 0;

  // None where nobody can tell.
  virtual PageSet FindResident() const = 0;
};

}  // namespace ROCKSDB_NAMESPACE
