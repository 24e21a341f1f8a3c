#include "table/index_encoder.h"

#include <cassert>

#include "table/block.h"
#include "util/coding.h"
#include "util/invariant.h"

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

std::vector<Slice> IndexEncoder::RestartKeys(const Slice& finished) const {
  BlockLayout layout;
  const char* const problem = layout.Parse(finished);
  INVARIANT(problem == nullptr);
  std::vector<Slice> keys;
  if (layout.entries_end == 0) return keys;
  const char* const limit = layout.data + layout.entries_end;
  for (uint32_t i = 0; i < layout.restart_count; ++i) {
    uint32_t shared = 0;
    uint32_t size = 0;
    uint32_t value_size = 0;
    const char* p = layout.data + layout.RestartOffset(i);
    p = GetVarint32Ptr(p, limit, &shared);
    if (p != nullptr) p = GetVarint32Ptr(p, limit, &size);
    if (p != nullptr && !has_delta_values_) {
      p = GetVarint32Ptr(p, limit, &value_size);
    }
    INVARIANT(p != nullptr && shared == 0);
    keys.emplace_back(p, size);
  }
  return keys;
}

}  // namespace ROCKSDB_NAMESPACE
