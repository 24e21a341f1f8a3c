#include "rocksdb/experimental.h"

namespace ROCKSDB_NAMESPACE {
namespace experimental {

Status SuggestCompactRange(DB* db, ColumnFamilyHandle* column_family,
                           const Slice* begin, const Slice* end) {
  if (db == nullptr) return Status::InvalidArgument("DB is null");
  return db->SuggestCompactRange(column_family, begin, end);
}

Status SuggestCompactRange(DB* db, const Slice* begin, const Slice* end) {
  if (db == nullptr) return Status::InvalidArgument("DB is null");
  return SuggestCompactRange(db, db->DefaultColumnFamily(), begin, end);
}

Status PromoteL0(DB* db, ColumnFamilyHandle* column_family, int target_level) {
  if (db == nullptr) return Status::InvalidArgument("DB is null");
  return db->PromoteL0(column_family, target_level);
}

}  // namespace experimental
}  // namespace ROCKSDB_NAMESPACE
