#include "table/entry_checksums.h"

#include <algorithm>
#include <cassert>

#include "table/block_cursor.h"
#include "util/coding.h"
#include "util/invariant.h"
#include "util/key/entry_checksum.h"

namespace ROCKSDB_NAMESPACE {

EntryChecksums::EntryChecksums(size_t bytes) : bytes_(bytes) {
  INVARIANT(bytes_ > 0 && bytes_ <= sizeof(uint64_t));
}

std::unique_ptr<const EntryChecksums> EntryChecksums::Make(
    const BlockLayout& layout, const InternalKeyComparator& order, size_t bytes,
    const char** problem) {
  assert(layout.checksums == nullptr);
  auto result = std::make_unique<EntryChecksums>(bytes);
  BlockCursor cursor(&order, KeyRewrite());
  cursor.Reset(&layout);
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    result->Add(cursor.offset(), cursor.key(), cursor.value());
  }
  *problem = cursor.problem();
  if (*problem != nullptr) return nullptr;
  result->Shrink();
  return result;
}

void EntryChecksums::Add(uint32_t offset, const Slice& key,
                         const Slice& value) {
  assert(offsets_.empty() || offsets_.back() < offset);
  offsets_.push_back(offset);
  char checksum[sizeof(uint64_t)];
  EncodeFixed64(checksum, KeyValueChecksum(key, value));
  checksums_.append(checksum, bytes_);
}

void EntryChecksums::Shrink() {
  offsets_.shrink_to_fit();
  checksums_.shrink_to_fit();
}

bool EntryChecksums::Matches(uint32_t offset, const Slice& key,
                             const Slice& value) const {
  const auto found = std::lower_bound(offsets_.begin(), offsets_.end(), offset);
  if (found == offsets_.end() || *found != offset) return false;
  const size_t index = static_cast<size_t>(found - offsets_.begin());
  assert((index + 1) * bytes_ <= checksums_.size());
  char checksum[sizeof(uint64_t)];
  EncodeFixed64(checksum, KeyValueChecksum(key, value));
  return Slice(checksum, bytes_) ==
         Slice(checksums_.data() + index * bytes_, bytes_);
}

size_t EntryChecksums::memory_bytes() const {
  return sizeof(*this) + offsets_.capacity() * sizeof(uint32_t) +
         checksums_.capacity();
}

}  // namespace ROCKSDB_NAMESPACE
