#include "db/read/early_merge.h"

#include <cassert>
#include <utility>

#include "db/read/point_read.h"
#include "db/read/shared_by_lookups.h"
#include "rocksdb/wide_columns.h"
#include "util/invariant.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status Store(const WideColumns& columns, ResolvedMerge* result) {
  ResolvedMerge stored;
  if (columns.size() == 1 && columns.front().name().empty()) {
    stored.value = columns.front().value().ToString();
  } else {
    stored.type = kTypeWideColumnEntity;
    Status s = EncodeWideColumns(columns, &stored.value);
    if (!s.ok()) return s;
  }
  *result = std::move(stored);
  return Status::OK();
}

}  // namespace

Status ResolveMerge(const PointRead& read, const Slice& user_key,
                    const Slice& operand, ResolvedMerge* result) {
  INVARIANT(read.super_version != nullptr && result != nullptr);
  const SharedByLookups shared(read);
  const LookupKey key(user_key, read.snapshot);
  PinnableWideColumns columns;
  PointLookup lookup(shared.context(), key.user_key(), /*value=*/nullptr,
                     &columns);
  // The operand comes first, as if it were in a newer memtable.
  const ParsedInternalKey newest{user_key, read.snapshot, kTypeMerge};
  lookup.Add(newest, operand, /*pin=*/nullptr);
  if (!lookup.IsDecided()) {
    Status s = GetFromSuperVersion(read, key, &lookup);
    if (!s.ok()) return s;
  }
  if (Status s = lookup.Finish(); !s.ok()) return s;
  assert(lookup.state() == PointLookup::State::kFound);
  return Store(columns.columns(), result);
}

}  // namespace ROCKSDB_NAMESPACE
