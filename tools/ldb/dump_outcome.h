// How showing a file has ended.
#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct DumpOutcome {
  std::string failure;   // empty: all of the file was shown
  bool is_told = false;  // the failure stands on standard error already
};

}  // namespace ROCKSDB_NAMESPACE
