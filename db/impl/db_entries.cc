// DBImpl: what is stored, entry by entry.
#include "db/impl/db_impl.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::VisitEntries(ColumnFamilyHandle* family, const EntryRange& range,
                            const VisitEntry& visit) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  SuperVersion* const state = FamilyOf(family)->AcquireReferenced();
  const Status s = VisitStoredEntries(
      *state, range, KeyTextOf(options_.allow_data_in_errors), visit);
  GiveBack(state);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
