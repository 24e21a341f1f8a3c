// Room on the device for a database, as its SstFileManager sees it; with none,
// there is room for all.
//
// Threads    Any. It has no state of its own.
// Ownership  Borrows the options, whose manager it asks.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class FamilyRegistry;
class SstFileManagerImpl;
struct Compaction;
struct ImmutableDBOptions;

class SpaceReserve {
 public:
  SpaceReserve(const ImmutableDBOptions* db, std::string db_name);

  // NotSupported: the manager is an application's own.
  Status Check() const;
  // Once, when the database opens: what is there.
  void Track(Mutex* mutex, const FamilyRegistry* families) const
      EXCLUDES(mutex);
  // May nothing be written any more?
  bool IsLimitReached() const;

  // What a compaction needs at most.
  static uint64_t RoomFor(const Compaction& compaction);
  // False: the compaction must not run. Else Release() follows it.
  [[nodiscard]] bool Reserve(uint64_t bytes) const;
  void Release(uint64_t bytes) const;

  // Is it worth waiting until this passes, and is it too soon?
  bool MayGetRoom(const Status& status) const;
  bool LacksRoom() const;

 private:
  SstFileManagerImpl* Manager() const;  // null: none

  const ImmutableDBOptions* const db_;
  const std::string db_name_;
};

}  // namespace ROCKSDB_NAMESPACE
