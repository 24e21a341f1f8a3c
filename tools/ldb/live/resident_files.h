// How much of a database's files the page cache holds, found from outside: by
// the manifest and by what the kernel counts. Brings no page in, takes no lock,
// changes nothing.
//
// Threads  One.
// Errors   The manifest cannot be read. A file that went meanwhile is left out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rocksdb/options.h"
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
  // For a database at `path` with these options.
  ResidencyRequest(const std::string& path, const DBOptions& options,
                   const std::vector<ColumnFamilyDescriptor>& families);

  std::string db_path;
  std::string wal_dir;
  std::vector<DbPath> data_paths;
  // By name, for the families that have paths of their own (cf_paths).
  std::map<std::string, std::vector<DbPath>> family_paths;
  Env* env;
};

// Finds the files, sorted by kind, level and path.
Status FindResidentFiles(const ResidencyRequest& request,
                         std::vector<ResidentFile>* files);

// Whether all tables and blob files that are found lie in the page cache whole;
// false where the manifest cannot be read.
bool IsAllResident(const ResidencyRequest& request);

}  // namespace ROCKSDB_NAMESPACE
