// Blob files whose blobs expire, which databases with a time to live of older
// releases have: the bytes of db/blob/blob_format.h, with times in fields that
// are zero in the engine's own, which reads no others. A dump takes the times
// out and has the rest decoded as usual.
//
// Threads  Free functions over plain arguments.
// Errors   Bytes that are damaged stay as they are; whoever decodes them says
//          so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// The first and the last time of expiry, in seconds since 1970.
struct BlobExpiryRange {
  uint64_t first = 0;
  uint64_t last = 0;
};

// Takes the range out of a header or a footer and leaves zeros. None: nothing
// in the file expires, or the bytes are damaged.
std::optional<BlobExpiryRange> TakeHeaderExpiry(std::string* header);
std::optional<BlobExpiryRange> TakeFooterExpiry(std::string* footer);
// Takes the time out of a record's header and leaves zeros. 0: the record never
// expires, or its header is damaged.
uint64_t TakeRecordExpiry(std::string* record_header);

// "nil", or "(from, to)".
std::string ExpiryText(const std::optional<BlobExpiryRange>& range);

}  // namespace ROCKSDB_NAMESPACE
