// How large an entry may be.
//
// The engine's formats store the sizes of keys, values and blocks in 32 bits. A
// batch refuses what is larger, and so does each builder of a table, which may
// be given more than a batch had: a merge makes values, too. Both have the same
// limit, for else a memtable could hold an entry that no flush can write.
//
// Threads  Plain functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// Internal key and value together. The rest of a block of the largest size is
// for what stands there beside its only entry.
inline constexpr size_t kMaxEntryBytes = UINT32_MAX - (64 << 10);

// The sizes are those of bytes in memory, so that their sum does not wrap.
inline bool IsEntryTooLarge(size_t internal_key_bytes, size_t value_bytes) {
  return internal_key_bytes + value_bytes > kMaxEntryBytes;
}

inline Status EntryTooLarge(size_t internal_key_bytes, size_t value_bytes) {
  return Status::InvalidArgument(
      "key and value are too large",
      std::to_string(internal_key_bytes) + " and " +
          std::to_string(value_bytes) + " bytes, at most " +
          std::to_string(kMaxEntryBytes) + " together");
}

}  // namespace ROCKSDB_NAMESPACE
