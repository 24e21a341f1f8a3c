// A checkpoint of some families of a database: which files it does not need,
// and a manifest in which the other families are dropped.
//
// Their tables stay out; logs are whole, and a replay passes over records of
// families that are dropped.
//
// Threads  One.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class DB;
class FileSystem;
class VersionEdit;

class FamilySubset {
 public:
  // InvalidArgument: a handle is null, of another database, or of a family that
  // was dropped.
  static Status Create(DB* db, const std::vector<ColumnFamilyHandle*>& handles,
                       FamilySubset* result);

  // All families: nothing is left out.
  bool is_whole() const { return wanted_.empty(); }

  // Reads the first `size_bytes` of the manifest in `path`. InvalidArgument: a
  // family of the subset does not live there.
  Status ReadManifest(FileSystem* fs, const std::string& path,
                      uint64_t size_bytes);

  // After ReadManifest().
  bool Needs(uint64_t file_number) const {
    return unneeded_.count(file_number) == 0;
  }
  // The families that are left out.
  std::set<std::string> DroppedNames() const;
  // A new manifest, with what was read of the old one and the drops behind it.
  Status WriteManifest(FileSystem* fs, const std::string& path) const;

 private:
  Status Take(const VersionEdit& edit);

  std::set<uint32_t> wanted_;
  std::string manifest_;                  // what was read
  std::map<uint32_t, std::string> live_;  // by the manifest, with their names
  std::map<uint64_t, uint32_t> owners_;   // families of tables and blob files
  std::set<uint64_t> unneeded_;
};

}  // namespace ROCKSDB_NAMESPACE
