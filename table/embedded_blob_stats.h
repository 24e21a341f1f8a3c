// What the properties of a table tell of its embedded blobs (sst-format.md
// 8.9): a table has some exactly if the property is there.
//
//   varint64 count of records | varint64 bytes of their payloads
//
// Threads  A plain value.
#pragma once

#include <cstdint>
#include <string>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

// The first format_version whose readers know them.
inline constexpr uint32_t kFirstEmbeddedBlobVersion = 7;

inline constexpr char kEmbeddedBlobStatsProperty[] =
    "rocksdb.embedded.blob.stats";

struct EmbeddedBlobStats {
  uint64_t count = 0;
  uint64_t payload_bytes = 0;

  std::string Encode() const {
    std::string bytes;
    PutVarint64(&bytes, count);
    PutVarint64(&bytes, payload_bytes);
    return bytes;
  }
};

}  // namespace ROCKSDB_NAMESPACE
