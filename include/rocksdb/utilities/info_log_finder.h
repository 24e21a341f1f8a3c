// Finds the information logs of a database.
#pragma once

#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// Appends to *info_log_list the names, without directory, of the LOG that is
// written and of older ones. They are in DBOptions::db_log_dir if that is set,
// else in the directory of the database.
//
// Errors   InvalidArgument for null pointers; those of listing the directory.
// Threads  From any thread.
Status GetInfoLogList(DB* db, std::vector<std::string>* info_log_list);

}  // namespace ROCKSDB_NAMESPACE
