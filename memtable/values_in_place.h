// Values of a memtable that are overwritten where they stand.
//
// The entry keeps its place, key and sequence. From the length of the value on
// its bytes may change at any time, but under the lock that its key shares with
// few others: whoever looks at a value has it copied.
//
// Threads  Any; only one of them overwrites.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "util/key/internal_iterator.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ValuesInPlace {
 public:
  explicit ValuesInPlace(size_t lock_count);

  // `internal_key` lies in the entry. False, with nothing changed: `value`
  // has no room there.
  bool Overwrite(const Slice& internal_key, const Slice& value);
  void Read(const Slice& internal_key, std::string* value) const;

  size_t memory_bytes() const { return locks_.size() * sizeof(SpinMutex); }

 private:
  SpinMutex* LockOf(const Slice& internal_key) const;

  mutable std::vector<SpinMutex> locks_;
};

// `entries`, whose keys lie in their entries, with values that are copies.
std::unique_ptr<InternalIterator> NewInPlaceIterator(
    std::unique_ptr<InternalIterator> entries, const ValuesInPlace* values);

}  // namespace ROCKSDB_NAMESPACE
