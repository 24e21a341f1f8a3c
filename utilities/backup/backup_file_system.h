// A backup as the directory of a database that can be read: private/<id> with
// the shared files in it, under the names that the database has for them.
//
// Threads   Safe for concurrent use; never changes.
// Errors    What would change a file or a directory is IOError.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

// Name in `directory` -> full path, for all files that lie elsewhere.
using MovedFiles = std::map<std::string, std::string>;

std::shared_ptr<Env> NewBackupEnv(const std::shared_ptr<FileSystem>& fs,
                                  const std::string& directory,
                                  MovedFiles files);

}  // namespace ROCKSDB_NAMESPACE
