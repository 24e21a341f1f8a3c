// What reads have those do who write.
//
// Threads    Those of the reads, without the DB mutex, but for what is marked
//            (mutex).
#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class MemTable;
struct RangeTombstone;
struct SuperVersion;

class ReadWriters {
 public:
  virtual ~ReadWriters() = default;
  // The active memtable hides so much that it is better flushed.
  virtual void FlushSoon(uint32_t family, MemTable* memtable) = 0;
  // Every key of the range is dead in `state` (db/read/deletion_run.h).
  virtual void HideRange(ColumnFamilyData* cfd, const SuperVersion& state,
                         const RangeTombstone& dead) = 0;
  // What it kept may go. (mutex)
  virtual void OldestSnapshotGone() = 0;
};

}  // namespace ROCKSDB_NAMESPACE
