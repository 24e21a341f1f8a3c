// Looks for bytes of a memtable's entries that memory has changed.
//
// An entry may end with a part of its StoredChecksum() (util/key/
// entry_checksum.h), least significant byte first:
//
//   varint32 key length | internal key | varint32 value length | value |
//   0, 1, 2, 4 or 8 bytes of checksum
//
// Errors  Corruption that names the key as it is now, where messages may.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memtable/entry_tree.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// `bytes` of `checksum`, written from `out` on.
void StoreChecksum(uint64_t checksum, size_t bytes, char* out);

// Key and value lie in an entry with a checksum of `checksum_bytes`.
Status VerifyEntry(const Slice& internal_key, const Slice& value,
                   size_t checksum_bytes, KeyText text);

// What stands at `later` may not be before `earlier`.
Status VerifyOrder(const InternalKeyComparator& order, const Slice& earlier,
                   const Slice& later, KeyText text);

// Verifies the entries that a search in the tree compares, so that a damaged
// one does not lead it astray unnoticed.
//
// Threads  One.
class SearchCheck final : public EntryTree::Observer {
 public:
  SearchCheck(size_t checksum_bytes, KeyText text);

  void OnCompared(const char* entry) override;
  // The error of the first damaged entry since the last call; OK: none was.
  Status Take();

 private:
  const size_t checksum_bytes_;
  const KeyText text_;
  Status status_;
};

}  // namespace ROCKSDB_NAMESPACE
