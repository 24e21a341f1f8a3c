#include "table/index_encoder.h"

#include <cassert>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

void IndexEncoder::Add(const IndexEntry& entry) {
  assert(entry.first_key == nullptr || entry.first_key->size() > 0);
  value_.clear();
  entry.handle.EncodeTo(&value_);
  if (entry.first_key != nullptr) {
    PutLengthPrefixedSlice(&value_, *entry.first_key);
  }
  if (!has_delta_values_) {
    block_.Add(entry.key, value_);
  } else {
    delta_.clear();
    PutVarsignedint64(&delta_, static_cast<int64_t>(entry.handle.size) -
                                   static_cast<int64_t>(previous_.size));
    if (entry.first_key != nullptr) {
      PutLengthPrefixedSlice(&delta_, *entry.first_key);
    }
    const bool is_adjacent =
        !is_first_ && entry.handle.offset == previous_.end_with_trailer();
    block_.AddIndexEntry(
        entry.key,
        {.value = value_, .delta = delta_, .must_be_full = !is_adjacent});
  }
  previous_ = entry.handle;
  is_first_ = false;
}

}  // namespace ROCKSDB_NAMESPACE
