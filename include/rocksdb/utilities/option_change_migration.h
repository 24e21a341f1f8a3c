// Prepares a closed database for options of another shape: compaction style,
// number of levels.
#pragma once

#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// Moves the files of the database in `dbname`, which last ran with `old_opts`,
// to levels that `new_opts` know. Nothing is read or written where the old
// shape fits already; else all data may be compacted once. A FIFO database is
// opened then, and left as it is unless it has files of an earlier style below
// the levels that the new shape has.
//
// Families  The default one alone; a database with others is refused.
// Errors    Those of DB::Open() with `old_opts` and of CompactRange(); the
//           database stays usable with the old options.
// Threads   The database must not be open.
Status OptionChangeMigration(const std::string& dbname, const Options& old_opts,
                             const Options& new_opts);

// The same for all families of a database, each to the shape of the new
// descriptor of its name.
//
// Errors  InvalidArgument: the two lists do not name the same families.
Status OptionChangeMigration(
    const std::string& dbname, const DBOptions& old_db_opts,
    const std::vector<ColumnFamilyDescriptor>& old_cf_descs,
    const DBOptions& new_db_opts,
    const std::vector<ColumnFamilyDescriptor>& new_cf_descs);

}  // namespace ROCKSDB_NAMESPACE
