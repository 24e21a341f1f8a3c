// Blob files that logs refer to and no manifest names: enable_blob_direct_write
// has values in files before the log has the references to them, and gives such
// a file its end only at a flush. After a crash they are all that is left of
// those values.
//
// The log may have come to the device before the file that it refers to. A
// record whose blobs are not whole is treated as one that is not whole itself.
//
// Each that a replay comes across is written anew, up to the last record that
// is whole and with an end, and is taken up by the edit that the replay logs;
// until then its blobs can be read. Those that nothing refers to are left-over
// files.
//
// Threads    The one that replays.
// Ownership  Borrows what it is given.
// Errors     Those of reading and writing; Corruption for one whose header is
//            another family's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "options/db_options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class BlobFlow;
class ColumnFamilyData;
class MemTable;
class VersionEdit;
class WriteBatch;
struct BlobIndex;
struct LostBlob;

class LeftOpenBlobs {
 public:
  explicit LeftOpenBlobs(const ImmutableDBOptions* db);
  ~LeftOpenBlobs();
  LeftOpenBlobs(const LeftOpenBlobs&) = delete;
  LeftOpenBlobs& operator=(const LeftOpenBlobs&) = delete;

  // Looks for blob files of the family that its version does not have.
  Status Find(ColumnFamilyData* cfd);
  // A record of that log which is to be replayed: does it refer to a blob that
  // did not survive? What a family has in tables already is not looked at: its
  // blobs may be gone.
  using FindFamily = std::function<ColumnFamilyData*(uint32_t id)>;
  Status CheckRecord(const WriteBatch& batch, uint64_t log_number,
                     const FindFamily& find_family, LostBlob* lost);
  // What the memtable refers to becomes part of the edit.
  Status TakeUp(ColumnFamilyData* cfd, const MemTable& memtable,
                VersionEdit* edit);
  // Is told of the blobs that tables of the replay refer to.
  BlobFlow* FlowOf(const ColumnFamilyData& cfd);
  // All memtables are in tables: what these do not refer to is garbage.
  void AddGarbage(const ColumnFamilyData& cfd, VersionEdit* edit);

 private:
  struct LeftOpen;
  struct Family;
  Family* Of(const ColumnFamilyData& cfd);
  Status CheckBlob(ColumnFamilyData* cfd, const BlobIndex& blob,
                   LostBlob* lost);
  Status Look(ColumnFamilyData* cfd, LeftOpen* left) const;
  Status TakeUpOne(ColumnFamilyData* cfd, const LeftOpen& left, Family* family,
                   VersionEdit* edit);

  const ImmutableDBOptions* const db_;
  struct Found;
  const std::unique_ptr<Found> found_;
};

}  // namespace ROCKSDB_NAMESPACE
