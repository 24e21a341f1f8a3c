// Lock files: one holder at a time, over all processes and inside this one.
//
// The system's record locks do not tell threads of one process apart, and all
// locks of a file go when any descriptor of it is closed. So this process
// keeps a table of the lock files it holds, by device and inode (one file may
// have several names), and never opens a file that is in it.
//
// Threads    Safe for concurrent use.
// Ownership  AcquireLockFile's result is freed by ReleaseLockFile.
// Errors     IOError that says who holds the lock.

#pragma once

#include <memory>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/io_status.h"

namespace ROCKSDB_NAMESPACE {

IOStatus AcquireLockFile(const std::string& path, FileLock** lock);
IOStatus ReleaseLockFile(FileLock* lock);

}  // namespace ROCKSDB_NAMESPACE
