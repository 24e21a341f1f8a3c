// ManagedDB: user-defined timestamps, beyond what writes and reads do with
// them.
#include <algorithm>

#include "db/family/column_family.h"
#include "db/impl/managed_db.h"
#include "db/intake/changes.h"
#include "db/intake/family_changes.h"
#include "db/registry/family_handle.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

Status ManagedDB::IncreaseFullHistoryTsLow(ColumnFamilyHandle* family,
                                           std::string ts_low) {
  if (family == nullptr) family = DefaultColumnFamily();
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  return on_demand_->families()->RaiseHistory(FamilyOf(family), ts_low);
}

}  // namespace ROCKSDB_NAMESPACE
