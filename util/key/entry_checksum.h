// Checksums of an update, from a write batch (protection_bytes_per_key) to a
// memtable (memtable_protection_bytes_per_key).
//
// They cover what the update means, not how it is written, and are sums of
// parts: whoever gives an update its sequence exchanges one part, and the key
// and value stay covered by the checksum that the application's thread made.
// They live in memory only.
#pragma once

#include <cstdint>

#include "rocksdb/slice.h"
#include "util/hash.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

// The part of key and value.
inline uint64_t KeyValueChecksum(const Slice& key, const Slice& value) {
  // Odd numbers, so that key and value cannot change places unnoticed.
  constexpr uint64_t kKeyFactor = 0x9e3779b97f4a7c15u;
  constexpr uint64_t kValueFactor = 0xc2b2ae3d27d4eb4fu;
  return Hash64(key) * kKeyFactor + Hash64(value) * kValueFactor;
}

inline uint64_t NumberChecksum(uint64_t number) {
  return Hash64(reinterpret_cast<const char*>(&number), sizeof(number));
}

// The part of kind and family, in a batch.
inline uint64_t KindChecksum(ValueType type, uint32_t column_family_id) {
  return NumberChecksum(uint64_t{column_family_id} << 8 | type);
}

inline uint64_t EntryChecksum(ValueType type, uint32_t column_family_id,
                              const Slice& key, const Slice& value) {
  return KeyValueChecksum(key, value) + KindChecksum(type, column_family_id);
}

// The checksum of a memtable's entry: the part of key and value, plus that of
// sequence and type.
inline uint64_t StoredChecksum(uint64_t key_value, SequenceNumber sequence,
                               ValueType type) {
  constexpr uint64_t kFactor = 0x165667b19e3779f9u;
  return key_value +
         NumberChecksum(PackSequenceAndType(sequence, type)) * kFactor;
}

}  // namespace ROCKSDB_NAMESPACE
