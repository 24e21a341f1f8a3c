#include "table/stored_keys.h"

#include <algorithm>

#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Slice StoredKeys::WithoutOldestTimestamp(const Slice& key) {
  INVARIANT(key.size() >= kInternalKeyTrailerBytes + left_out_bytes_);
  const Slice user_key = ExtractUserKey(key);
  const Slice given = WithoutTimestamp(user_key, left_out_bytes_);
  INVARIANT(std::all_of(given.data() + given.size(),
                        user_key.data() + user_key.size(),
                        [](char byte) { return byte == 0; }));
  buffer_.assign(given.data(), given.size());
  PutFixed64(&buffer_, ExtractTrailer(key));
  return buffer_;
}

}  // namespace ROCKSDB_NAMESPACE
