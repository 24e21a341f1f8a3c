// Every entry of a super version, whatever reads would make of it: old
// versions, deletions, and what range tombstones cover.
//
// Threads  A plain function; the super version must be held meanwhile.
#pragma once

#include <functional>

#include "db/family/super_version.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

// False ends the visit.
using VisitEntry =
    std::function<bool(const ParsedInternalKey& key, const Slice& value)>;

// The entries with keys in [begin, end], given without timestamps; none: no
// bound. A damaged key ends the visit with Corruption; `key_text`: how messages
// show the key.
struct EntryRange {
  OptSlice begin;
  OptSlice end;
  // How tables are read; bounds, snapshots and timestamps do not count.
  ReadOptions read;
};
Status VisitStoredEntries(const SuperVersion& state, const EntryRange& range,
                          KeyText key_text, const VisitEntry& visit);

}  // namespace ROCKSDB_NAMESPACE
