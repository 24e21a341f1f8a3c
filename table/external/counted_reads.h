// A file system whose files of random access are read through the engine's
// readers, so that what others read of it counts in statistics, and listeners
// hear of it.
//
// Threads    As the file system below.
// Ownership  Shares the file system below; its files may outlive it.
// Errors     Those of the file system below, with the name of the file.
#pragma once

#include <memory>

#include "file/file_io_context.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

std::shared_ptr<FileSystem> CountReads(
    const std::shared_ptr<FileSystem>& target, const FileIoContext& context);

}  // namespace ROCKSDB_NAMESPACE
