// ManagedDB: dropping whole table files of a key range, without rewriting any.
#include <vector>

#include "db/impl/engine_db.h"
#include "db/impl/managed_db.h"
#include "db/intake/changes.h"
#include "db/jobs/file_drop.h"
#include "db/registry/family_handle.h"
#include "rocksdb/convenience.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status ManagedDB::DeleteFilesInRanges(ColumnFamilyHandle* handle,
                                      const RangePtr* ranges, size_t n,
                                      bool include_end) {
  if (Status s = CheckHandle(handle); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  return on_demand_->file_drop()->Drop(FamilyOf(handle), ranges, n,
                                       include_end);
}

Status DeleteFilesInRange(DB* db, ColumnFamilyHandle* column_family,
                          const Slice* begin, const Slice* end,
                          bool include_end) {
  const RangePtr range(begin, end);
  return DeleteFilesInRanges(db, column_family, &range, 1, include_end);
}

Status DeleteFilesInRanges(DB* db, ColumnFamilyHandle* column_family,
                           const RangePtr* ranges, size_t n, bool include_end) {
  INVARIANT(db != nullptr);
  return static_cast<EngineDB*>(db->GetRootDB())
      ->DeleteFilesInRanges(
          column_family != nullptr ? column_family : db->DefaultColumnFamily(),
          ranges, n, include_end);
}

Status DeleteFilesInRanges(DB* db, ColumnFamilyHandle* column_family,
                           const RangeOpt* ranges, size_t n, bool include_end) {
  std::vector<RangePtr> pointers;
  pointers.reserve(n);
  for (size_t i = 0; i < n; ++i) {
    pointers.emplace_back(ranges[i].start.AsPtr(), ranges[i].limit.AsPtr());
  }
  return DeleteFilesInRanges(db, column_family, pointers.data(), n,
                             include_end);
}

}  // namespace ROCKSDB_NAMESPACE
