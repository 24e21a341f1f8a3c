// Calls that may change from release to release.
#pragma once

#include "rocksdb/db.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {
namespace experimental {

// DB::SuggestCompactRange() and DB::PromoteL0(), for a family or the default
// one. InvalidArgument if `db` is null.
Status SuggestCompactRange(DB* db, ColumnFamilyHandle* column_family,
                           const Slice* begin, const Slice* end);
Status SuggestCompactRange(DB* db, const Slice* begin, const Slice* end);
Status PromoteL0(DB* db, ColumnFamilyHandle* column_family,
                 int target_level = 1);

}  // namespace experimental
}  // namespace ROCKSDB_NAMESPACE
