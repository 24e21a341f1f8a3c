// ManagedDB: a family is left only the keys of a range.
//
// What is outside gets range tombstones, and a compaction then drops it: inputs
// that a tombstone covers are not even read. The tombstone above the range ends
// at the last key, since an order need not have a largest one.
#include "db/family/column_family.h"
#include "db/impl/managed_db.h"
#include "db/registry/family_handle.h"
#include "rocksdb/iterator.h"

namespace ROCKSDB_NAMESPACE {

Status ManagedDB::DeleteOutside(ColumnFamilyHandle* family, const Slice& begin,
                                const Slice& end) {
  const Comparator& order = *family->GetComparator();
  const WriteOptions write;
  ReadOptions read;
  read.total_order_seek = true;
  const std::unique_ptr<Iterator> it(NewIterator(read, family));
  it->SeekToFirst();
  if (it->Valid() && order.Compare(it->key(), begin) < 0) {
    Status s = DeleteRange(write, family, it->key(), begin);
    if (!s.ok()) return s;
  }
  if (!it->status().ok()) return it->status();
  it->SeekToLast();
  if (it->Valid() && order.Compare(it->key(), end) >= 0) {
    Status s = DeleteRange(write, family, end, it->key());
    if (s.ok()) s = Delete(write, family, it->key());
    if (!s.ok()) return s;
  }
  return it->status();
}

Status ManagedDB::ClipColumnFamily(ColumnFamilyHandle* family,
                                   const Slice& begin_key,
                                   const Slice& end_key) {
  if (family == nullptr) family = DefaultColumnFamily();
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  const Comparator& order = *family->GetComparator();
  if (order.timestamp_size() > 0) {
    return Status::NotSupported(
        "ClipColumnFamily() with user-defined timestamps",
        FamilyOf(family)->name());
  }
  if (order.Compare(begin_key, end_key) >= 0) {
    return Status::InvalidArgument(
        "ClipColumnFamily()", "the end of the range is not behind its begin");
  }
  Status s = DeleteOutside(family, begin_key, end_key);
  CompactRangeOptions compact;
  compact.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  if (s.ok()) s = CompactRange(compact, family, nullptr, &begin_key);
  if (s.ok()) s = CompactRange(compact, family, &end_key, nullptr);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
