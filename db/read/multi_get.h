// Many keys of one column family, looked up together: memtables, level 0 file
// by file, then level by level. In each level all filters are asked first, the
// blocks that are not in memory are fetched together, and then searched.
//
// Threads  Any thread.
// Errors   In each key's status: what fails one key spoils no other.
#pragma once

#include <cstddef>
#include <string>

#include "db/read/point_read.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class PinnableSlice;
class PinnableWideColumns;
struct StoredAnswer;

struct BatchedKey {
  Slice user_key;
  // One of the two, reset.
  PinnableSlice* value = nullptr;
  PinnableWideColumns* columns = nullptr;
  StoredAnswer* stored = nullptr;    // if not null, `value` is its bytes
  std::string* timestamp = nullptr;  // see PointAnswer
  Status* status = nullptr;
};

// `keys` are in ascending order; duplicates are allowed. Every status is set.
// Once the values make more than options.value_size_soft_limit bytes, the keys
// that are not answered yet get Aborted; *value_bytes carries the sum on.
void MultiGetFromSuperVersion(const PointRead& read, BatchedKey* keys,
                              size_t count, uint64_t* value_bytes);

}  // namespace ROCKSDB_NAMESPACE
