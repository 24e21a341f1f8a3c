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
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string db_name;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
  };
  explicit SpaceReserve(Context context);

  // NotSupported: the manager is an application's own.
  Status Check() const;
  // Once, when the database opens: what is there.
  void Track() const EXCLUDES(context_.mutex);
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

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
