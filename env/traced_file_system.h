// A file system that tells an I/O tracer what is asked of it and of its files.
//
// Every database has one in front of the file system that it was given, so that
// a trace that begins later knows of files that were opened before. What a file
// has beyond the interface of all (write-back, asynchronous writes, what is in
// the page cache) its traced form has, too.
//
// Cost       No trace runs: one more virtual call and a predictable branch for
//            an operation on a file.
// Threads    As the file system below.
// Ownership  Shares the file system below and the tracer; its files share the
//            tracer, and may outlive it.
#pragma once

#include <memory>

#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

class IoTracer;

std::shared_ptr<FileSystem> NewTracedFileSystem(
    const std::shared_ptr<FileSystem>& target,
    const std::shared_ptr<IoTracer>& tracer);

}  // namespace ROCKSDB_NAMESPACE
