// Table and blob files of a database whose manifest is lost: what they are, by
// what stands in them.
//
// Threads  Any; pure functions.
// Errors   InvalidArgument for a comparator other than the options': the
//          caller is wrong. Anything else: the file is of no use.
#pragma once

#include <cstdint>
#include <string>

#include "db/blob/blob_file.h"
#include "db/tables/file_meta.h"
#include "options/cf_options.h"
#include "options/db_options.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// How a table is read.
struct SalvageRequest {
  const ImmutableDBOptions* db = nullptr;
  const ImmutableCFOptions* cf = nullptr;
  const MutableCFOptions* mutable_cf = nullptr;
  FileOptions file_options;
  std::string path;
};

// Which family a table belongs to. One that does not say is the default one's.
struct TableOwner {
  uint32_t family_id = 0;
  std::string family_name = kDefaultColumnFamilyName;
};
Status FindTableOwner(const SalvageRequest& request, TableOwner* owner);

// Reads all entries: what is damaged besides, such as a filter, costs time and
// no data. Fills in all of *meta but its number, path and epoch.
// *is_ingested: its sequence is not that of a write.
Status SalvageTable(const SalvageRequest& request, FileMeta* meta,
                    bool* is_ingested);

// Header and footer of a sealed file. Corruption if it has no footer.
struct SalvagedBlobFile {
  uint32_t family_id = 0;
  BlobFileAddition record;
};
Status SalvageBlobFile(FileSystem* fs, const std::string& path, uint64_t number,
                       SalvagedBlobFile* result);

}  // namespace ROCKSDB_NAMESPACE
