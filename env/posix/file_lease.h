// Asks the kernel whether a file is open.
//
// A write lease (fcntl(2), F_SETLEASE) is granted only while nobody else has
// the file open or mapped, in any process. It is taken and given back at once;
// an open of the file in between waits for that moment.
//
// Threads  Any.
#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// False also where the kernel or the file system has no leases, and for files
// of other users.
bool IsOpenNowhere(const std::string& path);

}  // namespace ROCKSDB_NAMESPACE
