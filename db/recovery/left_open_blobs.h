// Blob files that logs refer to and no manifest names: RocksDB's
// enable_blob_direct_write has values in files before the log has the
// references to them, and gives such a file its end only at a flush. After a
// crash they are all that is left of those values.
//
// Each that a replay comes across gets its end, behind the last record that is
// whole, and is taken up by the edit that the replay logs. Those that nothing
// refers to are left-over files.
//
// Threads    The one that replays.
// Ownership  Borrows what it is given.
// Errors     Those of reading and writing; Corruption for one whose header is
//            no blob file's, or another family's.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "options/db_options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class MemTable;
class VersionEdit;

class LeftOpenBlobs {
 public:
  explicit LeftOpenBlobs(const ImmutableDBOptions* db) : db_(db) {}
  LeftOpenBlobs(const LeftOpenBlobs&) = delete;
  LeftOpenBlobs& operator=(const LeftOpenBlobs&) = delete;

  // Looks for blob files of the family that its version does not have.
  Status Find(ColumnFamilyData* cfd);
  // What the memtable refers to becomes part of the edit.
  Status TakeUp(ColumnFamilyData* cfd, const MemTable& memtable,
                VersionEdit* edit);

 private:
  Status TakeUpOne(const ColumnFamilyData& cfd, const std::string& path,
                   uint64_t number, VersionEdit* edit);

  const ImmutableDBOptions* const db_;
  // Paths by number, by family.
  std::map<uint32_t, std::map<uint64_t, std::string>> found_;
};

}  // namespace ROCKSDB_NAMESPACE
