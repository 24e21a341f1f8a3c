// An edit of the manifest and the family that it is about.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class VersionEdit;

struct VersionChange {
  ColumnFamilyData* cfd = nullptr;  // null: a database-wide edit
  VersionEdit* edit = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
