// Point lookups through a SuperVersion: memtable, sealed memtables, level 0
// newest first, then the one file of each deeper level that can hold the key.
//
// Cost     No lock and no allocation on a hit in a pinned table's cached block.
// Threads  Any thread.
#pragma once

#include "db/version/super_version.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class Logger;
class PinnableWideColumns;
class PointLookup;
class Statistics;
class SystemClock;

struct PointRead {
  const ReadOptions* options = nullptr;
  const SuperVersion* super_version = nullptr;
  SequenceNumber snapshot = kMaxSequenceNumber;
  Statistics* statistics = nullptr;
  Logger* logger = nullptr;
  SystemClock* clock = nullptr;
};

// One key: its value goes to the one of `value` and `columns` that is not null.
Status GetOne(const PointRead& read, const Slice& user_key,
              PinnableSlice* value, PinnableWideColumns* columns);

// Walks the tree until `lookup` is decided; the answer is lookup->Finish().
Status GetFromSuperVersion(const PointRead& read, const LookupKey& key,
                           PointLookup* lookup);

struct BatchedKey {
  Slice user_key;
  PinnableSlice* value = nullptr;
  Status* status = nullptr;
};
// Many keys of one family, in ascending order of user key (duplicates are
// allowed): level by level, file by file. Every status is set.
void MultiGetFromSuperVersion(const PointRead& read, BatchedKey* keys,
                              size_t count);

}  // namespace ROCKSDB_NAMESPACE
