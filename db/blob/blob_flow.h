// The references to blobs that a compaction reads and those that it writes
// again, by blob file: what is left over has become garbage
// (db-format.md 7.5).
//
// Threads  One thread; a value.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "db/blob/blob_file.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

struct BlobIndex;

class BlobFlow {
 public:
  // Keys have their timestamps, even if files leave them out: records have
  // zeros instead.
  void NoteRead(const Slice& user_key, const BlobIndex& index);
  void NoteWritten(const Slice& user_key, const BlobIndex& index);
  void Add(const BlobFlow& other);

  uint64_t read_count() const;
  // The blobs of `file`, a new file, that no written entry refers to. No less
  // than nothing, if its records have no zeros where its keys had timestamps.
  BlobFileGarbage GarbageOf(const BlobFileAddition& file) const;
  // Sorted by file number. Leaves out files with no fewer references written
  // than read, such as new files.
  std::vector<BlobFileGarbage> Garbage() const;

 private:
  struct File {
    uint64_t read_count = 0, read_bytes = 0;
    uint64_t written_count = 0, written_bytes = 0;
  };

  std::map<uint64_t, File> files_;
};

}  // namespace ROCKSDB_NAMESPACE
