// Reads the logs that a database still needs, and says where they cannot be
// read. Applies nothing.
//
// Threads  One.
// Errors   Of the file system; damage is a result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/file_system.h"
#include "rocksdb/status.h"
#include "tools/ldb/doctor/health.h"

namespace ROCKSDB_NAMESPACE {

struct LogExamination {
  FileSystem* fs = nullptr;
  std::string wal_dir;
  std::vector<uint64_t> numbers;  // ascending, those that are needed
};

Status ExamineLogs(const LogExamination& request, LogHealth* health);

}  // namespace ROCKSDB_NAMESPACE
