#pragma once

// What can be written: the calls that a plain WriteBatch, an indexed one and a
// transaction have in common.
//
// Shape    Without a column family, a call goes to the default one.
// Errors   Every call says whether it was recorded. InvalidArgument for a key
//          and a value that together have more than 2^32 - 65545 bytes. A call
//          with timestamp (`ts`) is for families with user-defined timestamps.
// Threads  One thread, unless the class says more.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE {

class AttributeGroup;
class ColumnFamilyHandle;
class WriteBatch;

using AttributeGroups = std::vector<AttributeGroup>;

class WriteBatchBase {
 public:
  virtual ~WriteBatchBase() = default;

  // Sets the value of a key.
  virtual Status Put(ColumnFamilyHandle* column_family, const Slice& key,
                     const Slice& value) = 0;
  virtual Status Put(const Slice& key, const Slice& value) = 0;
  virtual Status Put(ColumnFamilyHandle* column_family, const Slice& key,
                     const Slice& ts, const Slice& value) = 0;
  // Forms whose key and value come in pieces. By default they are joined.
  virtual Status Put(ColumnFamilyHandle* column_family, const SliceParts& key,
                     const SliceParts& value);
  virtual Status Put(const SliceParts& key, const SliceParts& value);

  // Sets a value that is treated as written at `write_unix_time`.
  virtual Status TimedPut(ColumnFamilyHandle* column_family, const Slice& key,
                          const Slice& value, uint64_t write_unix_time) = 0;

  // Sets an entity: columns in any order, names unique.
  virtual Status PutEntity(ColumnFamilyHandle* column_family, const Slice& key,
                           const WideColumns& columns) = 0;
  // Sets an entity whose columns are split over several families.
  virtual Status PutEntity(const Slice& key,
                           const AttributeGroups& attribute_groups) = 0;

  // Adds an operand for the family's merge operator.
  virtual Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
                       const Slice& value) = 0;
  virtual Status Merge(const Slice& key, const Slice& value) = 0;
  virtual Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
                       const Slice& ts, const Slice& value) = 0;
  virtual Status Merge(ColumnFamilyHandle* column_family, const SliceParts& key,
                       const SliceParts& value);
  virtual Status Merge(const SliceParts& key, const SliceParts& value);

  // Removes a key, if it is there.
  virtual Status Delete(ColumnFamilyHandle* column_family,
                        const Slice& key) = 0;
  virtual Status Delete(const Slice& key) = 0;
  virtual Status Delete(ColumnFamilyHandle* column_family, const Slice& key,
                        const Slice& ts) = 0;
  virtual Status Delete(ColumnFamilyHandle* column_family,
                        const SliceParts& key);
  virtual Status Delete(const SliceParts& key);

  // Removes a key that was put exactly once since it was last removed, and
  // never merged; anything else gives an undefined result for this key.
  virtual Status SingleDelete(ColumnFamilyHandle* column_family,
                              const Slice& key) = 0;
  virtual Status SingleDelete(const Slice& key) = 0;
  virtual Status SingleDelete(ColumnFamilyHandle* column_family,
                              const Slice& key, const Slice& ts) = 0;
  virtual Status SingleDelete(ColumnFamilyHandle* column_family,
                              const SliceParts& key);
  virtual Status SingleDelete(const SliceParts& key);

  // Removes all keys in [begin_key, end_key).
  virtual Status DeleteRange(ColumnFamilyHandle* column_family,
                             const Slice& begin_key, const Slice& end_key) = 0;
  virtual Status DeleteRange(const Slice& begin_key, const Slice& end_key) = 0;
  virtual Status DeleteRange(ColumnFamilyHandle* column_family,
                             const Slice& begin_key, const Slice& end_key,
                             const Slice& ts) = 0;
  virtual Status DeleteRange(ColumnFamilyHandle* column_family,
                             const SliceParts& begin_key,
                             const SliceParts& end_key);
  virtual Status DeleteRange(const SliceParts& begin_key,
                             const SliceParts& end_key);

  // Adds bytes that go to the write-ahead log and nowhere else.
  virtual Status PutLogData(const Slice& blob) = 0;

  // Forgets everything that was recorded, save points included.
  virtual void Clear() = 0;

  // The plain batch behind this object.
  virtual WriteBatch* GetWriteBatch() = 0;

  // Remembers the present content, to which RollbackToSavePoint() returns and
  // which PopSavePoint() forgets. They nest; NotFound if there is none.
  virtual void SetSavePoint() = 0;
  virtual Status RollbackToSavePoint() = 0;
  virtual Status PopSavePoint() = 0;

  // Calls that would make the batch larger answer MemoryLimit. 0 = no limit.
  virtual void SetMaxBytes(size_t max_bytes) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
