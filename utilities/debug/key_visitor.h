// Every version of the keys of a range, one after another, as it is stored.
// GetAllKeyVersions() keeps them all in memory; here the caller says when to
// stop, and keeps nothing.
//
// Threads  As a read of the database.
// Errors   NotSupported of a database that is no database of ours; else what
//          reading answers.
#pragma once

#include <functional>

#include "db/read/stored_entries.h"
#include "rocksdb/db.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

// `visit` answers whether to go on. Newer versions of a key come first. With
// its timestamp, where the family has timestamps.
Status VisitKeyVersions(
    DB* db, ColumnFamilyHandle* family, const EntryRange& range,
    const std::function<bool(const ParsedInternalKey&, const Slice&)>& visit);

}  // namespace ROCKSDB_NAMESPACE
