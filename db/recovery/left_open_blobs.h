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
#include <functional>
#include <memory>

#include "options/db_options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class MemTable;
class VersionEdit;
class WriteBatch;
struct BatchEntry;

class LeftOpenBlobs {
 public:
  explicit LeftOpenBlobs(const ImmutableDBOptions* db);
  ~LeftOpenBlobs();
  LeftOpenBlobs(const LeftOpenBlobs&) = delete;
  LeftOpenBlobs& operator=(const LeftOpenBlobs&) = delete;

  // Looks for blob files of the family that its version does not have.
  Status Find(ColumnFamilyData* cfd);
  // A record of that log which is to be replayed. Incomplete: it refers to a
  // blob that did not survive, so that it counts as damaged. What a family has
  // in files already is not looked at: its blobs may be gone.
  using FindFamily = std::function<ColumnFamilyData*(uint32_t id)>;
  Status CheckRecord(const WriteBatch& batch, uint64_t log_number,
                     const FindFamily& find_family);
  // What the memtable refers to becomes part of the edit.
  Status TakeUp(ColumnFamilyData* cfd, const MemTable& memtable,
                VersionEdit* edit);

 private:
  struct LeftOpen;
  struct Found;
  Status CheckEntry(ColumnFamilyData* cfd, const BatchEntry& entry);
  Status Look(const ColumnFamilyData& cfd, LeftOpen* left) const;
  Status TakeUpOne(const ColumnFamilyData& cfd, uint64_t number, LeftOpen* left,
                   VersionEdit* edit);

  const ImmutableDBOptions* const db_;
  const std::unique_ptr<Found> found_;
};

}  // namespace ROCKSDB_NAMESPACE
