// How a database is opened, for each of the ways to open one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/impl/engine_db.h"
#include "rocksdb/db.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// Whoever makes one keeps what it refers to.
struct OpenRequest {
  const DBOptions& options;
  const std::string& name;
  const std::vector<ColumnFamilyDescriptor>& families;
  bool error_if_wal_file_exists = false;  // for a read-only database
  std::string leader = "";  // the directory of the database to be followed
  SectionPolicy section_policy = SectionPolicy::kWriteCommitted;
};

// *dbptr stays null, and *handles empty, if that fails. `handles` may be null.
using MakeKind = std::unique_ptr<EngineDB> (*)(const DBOptions& sanitized,
                                               const OpenRequest& request);
Status OpenAs(MakeKind make, const OpenRequest& request,
              std::vector<ColumnFamilyHandle*>* handles,
              std::unique_ptr<DB>* dbptr);

// Opens a database of the class `Kind`.
template <class Kind>
Status OpenImpl(const OpenRequest& request,
                std::vector<ColumnFamilyHandle*>* handles,
                std::unique_ptr<DB>* dbptr) {
  const MakeKind make = [](const DBOptions& sanitized,
                           const OpenRequest& wanted) {
    return std::unique_ptr<EngineDB>(std::make_unique<Kind>(sanitized, wanted));
  };
  return OpenAs(make, request, handles, dbptr);
}

}  // namespace ROCKSDB_NAMESPACE
