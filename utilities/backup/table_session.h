// Which session of a database wrote a table file: part of its name among the
// files of backups.
//
// Threads  Pure functions.
// Errors   Corruption, naming the file, for a table that cannot be read.
#pragma once

#include <string>

#include "utilities/backup/file_transfer.h"

namespace ROCKSDB_NAMESPACE {

// From the properties of the table; empty if they do not tell. Reads a few KiB
// at the end of the file.
IOStatus ReadTableSession(const TransferSource& table, RateLimiter* limiter,
                          std::string* session_id);

}  // namespace ROCKSDB_NAMESPACE
