// What a file system may know beyond the interface of all: whether a file is
// open.
//
// Whoever cuts a file short takes bytes from those that still read it, in this
// process or another: a secondary instance reads on from files that its primary
// has deleted. A file system that can tell implements this beside FileSystem;
// where it does not, nobody knows.
//
// Threads  Any.
#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class FileHolders {
 public:
  virtual ~FileHolders() = default;

  // True only if no handle and no mapping of the file exists, anywhere. It is
  // true until somebody opens the file by one of its names.
  virtual bool IsClosedEverywhere(const std::string& path) const = 0;
};

}  // namespace ROCKSDB_NAMESPACE
