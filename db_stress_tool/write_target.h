// One family to write to, with or without a user-defined timestamp.
//
// Threads    Confined to one.
// Ownership  Borrows the database and the handle.
// Errors     Those of the engine.

#pragma once

#include <string>

#include "rocksdb/db.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::stress {

struct WriteTarget {
  DB* db;
  ColumnFamilyHandle* family;
  WriteOptions options;
  // Empty: without timestamps.
  std::string stamp = {};

  Status Put(const Slice& key, const Slice& value) const {
    return stamp.empty() ? db->Put(options, family, key, value)
                         : db->Put(options, family, key, stamp, value);
  }
  Status Merge(const Slice& key, const Slice& value) const {
    return stamp.empty() ? db->Merge(options, family, key, value)
                         : db->Merge(options, family, key, stamp, value);
  }
  Status Delete(const Slice& key) const {
    return stamp.empty() ? db->Delete(options, family, key)
                         : db->Delete(options, family, key, stamp);
  }
  Status SingleDelete(const Slice& key) const {
    return stamp.empty() ? db->SingleDelete(options, family, key)
                         : db->SingleDelete(options, family, key, stamp);
  }
  Status DeleteRange(const Slice& from, const Slice& to) const {
    return stamp.empty() ? db->DeleteRange(options, family, from, to)
                         : db->DeleteRange(options, family, from, to, stamp);
  }
};

}  // namespace ROCKSDB_NAMESPACE::stress
