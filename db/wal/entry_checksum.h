// The checksum that an update of a write batch carries until it is in a
// memtable (protection_bytes_per_key).
//
// It covers what the update means, not how it is written: kind, family, key
// and value. It lives in memory only.
#pragma once

#include <cstdint>

#include "rocksdb/slice.h"
#include "util/hash.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

inline uint64_t EntryChecksum(ValueType type, uint32_t column_family_id,
                              const Slice& key, const Slice& value) {
  // Odd numbers, so that key and value cannot change places unnoticed.
  constexpr uint64_t kKeyFactor = 0x9e3779b97f4a7c15u;
  constexpr uint64_t kValueFactor = 0xc2b2ae3d27d4eb4fu;
  const uint64_t kind = uint64_t{column_family_id} << 8 | type;
  return Hash64(key) * kKeyFactor + Hash64(value) * kValueFactor +
         Hash64(Slice(reinterpret_cast<const char*>(&kind), sizeof(kind)));
}

}  // namespace ROCKSDB_NAMESPACE
