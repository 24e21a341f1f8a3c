// Blob files that logs refer to and no manifest names: RocksDB's
// enable_blob_direct_write has values in files before the log has the
// references to them, and gives such a file its end only at a flush. After a
// crash they are all that is left of those values.
//
// The log may have come to the device before the file that it refers to. A
// record whose blobs are not whole is treated as one that is not whole itself.
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
#include <set>
#include <string>

#include "db/blob/unsealed_blob_file.h"
#include "options/db_options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/key/internal_key.h"

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
  // A value of a record that is to be replayed. Incomplete: it refers to a blob
  // that did not survive, so that the record counts as damaged.
  Status CheckWhole(ColumnFamilyData* cfd, ValueType type, const Slice& value);
  // What the memtable refers to becomes part of the edit.
  Status TakeUp(ColumnFamilyData* cfd, const MemTable& memtable,
                VersionEdit* edit);

 private:
  struct LeftOpen {
    std::string path;
    bool is_looked_at = false;
    UnsealedBlobFile::WholePart part;
  };
  Status Look(const ColumnFamilyData& cfd, LeftOpen* left) const;
  Status TakeUpOne(const ColumnFamilyData& cfd, uint64_t number, LeftOpen* left,
                   VersionEdit* edit);

  const ImmutableDBOptions* const db_;
  // By number, by family.
  std::map<uint32_t, std::map<uint64_t, LeftOpen>> found_;
  std::set<uint64_t> taken_up_;
};

}  // namespace ROCKSDB_NAMESPACE
