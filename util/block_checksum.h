#pragma once

// The checksum in the trailer of a table block, over the stored payload and
// the compression type byte behind it.
//
// Threads  Any.

#include <cstddef>
#include <cstdint>

#include "rocksdb/checksum_type.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// 0 for kNoChecksum. `type` must be one that IsKnownChecksumType() accepts.
uint32_t BlockChecksum(ChecksumType type, const char* payload, size_t n,
                       char type_byte);

// For values read from a footer.
bool IsKnownChecksumType(uint8_t value);

// What is added to the checksum of the block at `offset` since
// format_version 6, so that a block in a wrong place does not verify.
inline uint32_t ChecksumModifier(uint32_t base_context_checksum,
                                 uint64_t offset) {
  if (base_context_checksum == 0) return 0;
  return base_context_checksum ^
         (static_cast<uint32_t>(offset) + static_cast<uint32_t>(offset >> 32));
}

}  // namespace ROCKSDB_NAMESPACE
