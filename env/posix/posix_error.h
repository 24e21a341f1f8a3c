// errno as an IOStatus that says what was being done to which file.
//
// Threads  Any.

#pragma once

#include <string>

#include "rocksdb/io_status.h"

namespace ROCKSDB_NAMESPACE {

// `action` begins the message, in the words that RocksDB uses for it: "While
// open a file for random read". ENOENT is PathNotFound, a full disk
// or quota NoSpace, a stale handle StaleFile. Errors that may go away by
// themselves are marked retryable.
IOStatus PosixError(const std::string& action, const std::string& path,
                    int error_number);

// The answer to a direct open or transfer that the file system refuses.
IOStatus DirectIoRefused(const std::string& action, const std::string& path);

}  // namespace ROCKSDB_NAMESPACE
