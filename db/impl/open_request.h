// How a database is opened, for each of the ways to open one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/impl/db_impl.h"
#include "rocksdb/db.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// Whoever makes one keeps what it refers to.
struct OpenRequest {
  const DBOptions& options;
  const std::string& name;
  const std::vector<ColumnFamilyDescriptor>& families;
  DBImpl::Mode mode = DBImpl::Mode::kReadWrite;
  bool error_if_wal_file_exists = false;
  std::string leader = "";  // that mode kFollower follows
};

// *dbptr stays null, and *handles empty, if that fails. `handles` may be null.
Status OpenImpl(const OpenRequest& request,
                std::vector<ColumnFamilyHandle*>* handles,
                std::unique_ptr<DB>* dbptr);

}  // namespace ROCKSDB_NAMESPACE
