// Calls that may change from release to release.
#pragma once

#include <string>

#include "rocksdb/db.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
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

// Checksums of the table and blob files that the manifest which CURRENT names
// lists, into `checksum_list`, in place of what was there; the database may be
// open or not, and no file is read but that. What a file that was made without
// a checksum has is that of no function, kUnknownFileChecksumFuncName.
// InvalidArgument: null. NotFound, Corruption: there is no manifest, or it
// makes no sense; then the list is empty.
Status GetFileChecksumsFromCurrentManifest(FileSystem* fs,
                                           const std::string& dbname,
                                           FileChecksumList* checksum_list);

}  // namespace experimental
}  // namespace ROCKSDB_NAMESPACE
