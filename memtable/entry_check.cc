#include "memtable/entry_check.h"

#include <cassert>
#include <utility>

#include "util/coding.h"
#include "util/invariant.h"
#include "util/key/entry_checksum.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool IsChecksumSize(size_t bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

}  // namespace

void StoreChecksum(uint64_t checksum, size_t bytes, char* out) {
  assert(IsChecksumSize(bytes));
  for (size_t i = 0; i < bytes; ++i) {
    out[i] = static_cast<char>(checksum >> (8 * i));
  }
}

Status VerifyEntry(const Slice& internal_key, const Slice& value,
                   size_t checksum_bytes, KeyText text) {
  assert(IsChecksumSize(checksum_bytes));
  if (internal_key.size() < kInternalKeyTrailerBytes) {
    return Status::Corruption("a memtable's entry has too short a key");
  }
  const uint64_t checksum =
      StoredChecksum(KeyValueChecksum(ExtractUserKey(internal_key), value),
                     ExtractSequence(internal_key), ExtractType(internal_key));
  char wanted[sizeof(checksum)];
  StoreChecksum(checksum, checksum_bytes, wanted);
  if (Slice(value.end(), checksum_bytes) == Slice(wanted, checksum_bytes)) {
    return Status::OK();
  }
  return Status::Corruption("checksum mismatch of a memtable's entry",
                            InternalKeyText(internal_key, text));
}

Status VerifyOrder(const InternalKeyComparator& order, const Slice& earlier,
                   const Slice& later, KeyText text) {
  assert(earlier.size() >= kInternalKeyTrailerBytes);
  assert(later.size() >= kInternalKeyTrailerBytes);
  if (order.Compare(earlier, later) <= 0) return Status::OK();
  return Status::Corruption("a memtable's entry is out of order",
                            InternalKeyText(later, text));
}

SearchCheck::SearchCheck(size_t checksum_bytes, KeyText text)
    : checksum_bytes_(checksum_bytes), text_(text) {
  INVARIANT(IsChecksumSize(checksum_bytes_));
}

void SearchCheck::OnCompared(const char* entry) {
  if (!status_.ok()) return;
  status_ = VerifyEntry(EntryTree::KeyOf(entry), EntryTree::ValueOf(entry),
                        checksum_bytes_, text_);
}

Status SearchCheck::Take() { return std::exchange(status_, Status::OK()); }

}  // namespace ROCKSDB_NAMESPACE
