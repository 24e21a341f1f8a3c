// How much of a database's files the page cache holds, found from outside: by
// the manifest and by what the kernel counts. Brings no page in, takes no lock,
// changes nothing.
//
// Threads  One.
// Errors   The manifest cannot be read. A file that went meanwhile is left out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

enum class ResidentKind { kTable, kBlobFile, kLog };

struct ResidentFile {
  std::string path;
  std::string family;  // empty for logs
  ResidentKind kind = ResidentKind::kTable;
  int level = 0;  // 0 for all but tables
  uint64_t size_bytes = 0;
  uint64_t cached_bytes = 0;
  uint64_t dirty_bytes = 0;
  // Pushed out not long ago: a read now would be a refault. With what is cached
  // it is the part that was wanted of late, the heat.
  uint64_t lately_gone_bytes = 0;
};

struct ResidencyRequest {
  std::string db_path;
  std::string wal_dir;
  // The paths in DBOptions::db_paths; empty: db_path alone.
  std::vector<std::string> data_paths;
  Env* env = nullptr;
};

// Finds the files, sorted by kind, level and path.
Status FindResidentFiles(const ResidencyRequest& request,
                         std::vector<ResidentFile>* files);

}  // namespace ROCKSDB_NAMESPACE
