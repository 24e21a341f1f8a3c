#pragma once

// Databases that nobody has open: removed, or salvaged.
//
// Errors     A database that is open is the caller's mistake, and IOError where
//            it is noticed.

#include <string>
#include <vector>

#include "rocksdb/column_family.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// Removes every file of the database at `name`, and the directory if nothing
// else is in it. The database must be closed. A missing one is OK.
Status DestroyDB(const std::string& name, const Options& options,
                 const std::vector<ColumnFamilyDescriptor>& column_families =
                     std::vector<ColumnFamilyDescriptor>());

// Salvages what can be read of a damaged, closed database, so that it opens
// again: makes a new manifest, replays the logs. Where the manifest cannot be
// read, or has lost its end (a table that it does not list has writes that
// neither it nor a log has; or its last record is cut short, and a table that
// it lists is gone), tables are taken for what their properties say, and newer
// versions of a key may be lost or older ones come back, and families without
// tables are not known. Files that are of no use move to lost/ beside them.
//
// Families  Listed ones get the options given, others `unknown_cf_opts`.
//           Without it, one that is found and not listed is InvalidArgument,
//           and the default family must be listed.
// Errors    InvalidArgument for options that do not fit (a comparator), IOError
//           where files cannot be moved or written. It may be run again.
Status RepairDB(const std::string& dbname, const DBOptions& db_options,
                const std::vector<ColumnFamilyDescriptor>& column_families);
Status RepairDB(const std::string& dbname, const DBOptions& db_options,
                const std::vector<ColumnFamilyDescriptor>& column_families,
                const ColumnFamilyOptions& unknown_cf_opts);
// All families get these options.
Status RepairDB(const std::string& dbname, const Options& options);

}  // namespace ROCKSDB_NAMESPACE
