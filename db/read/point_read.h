// Point lookups through a SuperVersion: memtable, sealed memtables, level 0
// newest first, then the one file of each deeper level that can hold the key.
//
// Cost     No lock and no allocation on a hit in a pinned table's cached block.
// Threads  Any thread.
#pragma once

#include <string>
#include <vector>

#include "db/family/super_version.h"
#include "memtable/memtable.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class LazyEntity;
class Logger;
class LookupKey;
struct MergeOperandList;
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
  // What the memtables hold would not survive a crash, and only what would is
  // wanted.
  bool skips_memory = false;
};

// The timestamp that is read as of; empty = none.
inline Slice ReadTimestamp(const ReadOptions& options) {
  return options.timestamp != nullptr ? *options.timestamp : Slice();
}

// What a lookup fills in: one of the four, and the timestamp of the version
// that it found, if that is asked for.
struct PointAnswer {
  PinnableSlice* value = nullptr;
  PinnableWideColumns* columns = nullptr;
  MergeOperandList* operands = nullptr;
  LazyEntity* lazy = nullptr;
  std::string* timestamp = nullptr;
};
// `user_key` as users give it; the timestamp of the read is in its options.
Status GetOne(const PointRead& read, const Slice& user_key,
              const PointAnswer& answer);

// Walks the tree until `lookup` is decided; the answer is lookup->Finish().
Status GetFromSuperVersion(const PointRead& read, const LookupKey& key,
                           PointLookup* lookup);

// The parts of it, for those who look up many keys at once. True if the
// memtables decide the lookup.
bool GetFromMemory(const PointRead& read, const LookupKey& key,
                   PointLookup* lookup);
// The same for many keys, none of them decided, with their searches of each
// memtable together. Each is then to be counted by CountMemoryRead().
using LookupsOfMemory = std::vector<MemTable::Wanted<PointLookup>>;
void GetFromMemoryTogether(const PointRead& read, LookupsOfMemory lookups);
void CountMemoryRead(const PointRead& read, bool is_decided);
// A file of `level` held the answer.
void CountFileHit(const PointRead& read, int level);
inline bool SkipsMemory(const PointRead& read) { return read.skips_memory; }

}  // namespace ROCKSDB_NAMESPACE
