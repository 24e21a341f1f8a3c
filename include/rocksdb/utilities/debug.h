// What a database stores for its keys, old versions and deletions included.
//
// Threads  Every call from any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

// One stored entry.
struct KeyVersion {
  KeyVersion() = default;
  KeyVersion(const std::string& _user_key, const std::string& _value,
             SequenceNumber _sequence, int _type)
      : user_key(_user_key), value(_value), sequence(_sequence), type(_type) {}

  // The name of the type: "TypeValue", "TypeDeletion", and so on; "Invalid" for
  // a number that is none.
  std::string GetTypeName() const;

  // With its timestamp, where the family has timestamps.
  std::string user_key;
  // The value as it is stored: for one in a blob file, the reference to it.
  std::string value;
  SequenceNumber sequence = 0;
  // The last byte of internal keys.
  int type = 0;
};

// Replaces *key_versions by the entries of the keys in [begin_key, end_key],
// both included; no key: from the first, to the last. They come by key, and the
// newest of each first. Range tombstones are not among them, and hide nothing.
//
// Limit   It ends after max_num_ikeys entries; 0 is as 1.
// Keys    Without timestamps.
// Errors  InvalidArgument for null pointers; NotSupported for a DB of another
//         library. *key_versions is then as before.
Status GetAllKeyVersions(DB* db, OptSlice begin_key, OptSlice end_key,
                         size_t max_num_ikeys,
                         std::vector<KeyVersion>* key_versions);
Status GetAllKeyVersions(DB* db, ColumnFamilyHandle* cfh, OptSlice begin_key,
                         OptSlice end_key, size_t max_num_ikeys,
                         std::vector<KeyVersion>* key_versions);

}  // namespace ROCKSDB_NAMESPACE
