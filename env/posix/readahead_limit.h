// How much the kernel reads ahead for one request, by device.
//
// Threads  Any.

#pragma once

#include <cstddef>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Bytes that one readahead(2) on a file below `path` brings in at most: the
// larger of the device's read-ahead and its largest request. 0 if unknown, as
// for file systems without a block device.
size_t ReadaheadLimit(const std::string& path);

}  // namespace ROCKSDB_NAMESPACE
