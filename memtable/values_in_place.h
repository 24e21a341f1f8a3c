// Values of a memtable that are overwritten where they stand.
//
// The entry keeps its place, key and sequence. From the length of the value on
// its bytes may change at any time, but under the lock that its key shares with
// few others: whoever looks at a value has it copied.
//
// Threads  Any; only one of them overwrites.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/advanced_options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/key/internal_iterator.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

// ColumnFamilyOptions::inplace_callback, and what it made of a value and of the
// delta that is put over it.
using InPlaceCallback = UpdateStatus (*)(char* existing_value,
                                         uint32_t* existing_value_size,
                                         Slice delta_value,
                                         std::string* merged_value);
struct CallbackAnswer {
  UpdateStatus what = UPDATE_FAILED;
  std::string merged;  // UPDATED: what is to be stored
  uint32_t size = 0;   // UPDATED_INPLACE: what is left of the value's bytes
};
// Asks about the `old_size` bytes at `old`, which it may change; null: the key
// has no value. Corruption if it says that the value has grown where it stands,
// Aborted if it throws: what is there then is not to be used.
Status AskInPlaceCallback(InPlaceCallback callback, char* old,
                          uint32_t old_size, const Slice& delta,
                          CallbackAnswer* answer);

class ValuesInPlace {
 public:
  explicit ValuesInPlace(size_t lock_count);

  // `internal_key` lies in the entry. False, with nothing changed: `value`
  // has no room there.
  bool Overwrite(const Slice& internal_key, const Slice& value);
  // The same by a callback, which sees the value under its lock. Unless it
  // answers UPDATED_INPLACE nothing has changed.
  Status Update(const Slice& internal_key, InPlaceCallback callback,
                const Slice& delta, CallbackAnswer* answer);
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
