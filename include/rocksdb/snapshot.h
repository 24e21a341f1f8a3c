#pragma once

// The state of a database at one moment.

#include <cstdint>
#include <limits>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

class DB;

// Made by DB::GetSnapshot(), given back by DB::ReleaseSnapshot(). Immutable, so
// any thread may use it.
class Snapshot {
 public:
  // Reads with this snapshot see updates up to and including this one.
  virtual SequenceNumber GetSequenceNumber() const = 0;
  // Seconds since 1970 at which it was taken.
  virtual int64_t GetUnixTime() const = 0;
  // The timestamp it stands for; the largest value if it has none.
  virtual uint64_t GetTimestamp() const = 0;

 protected:
  virtual ~Snapshot() = default;
};

// A snapshot that is released when it goes out of scope.
class ManagedSnapshot {
 public:
  explicit ManagedSnapshot(DB* db);
  // Takes over a snapshot of `db`.
  ManagedSnapshot(DB* db, const Snapshot* _snapshot);
  ManagedSnapshot(const ManagedSnapshot&) = delete;
  ManagedSnapshot& operator=(const ManagedSnapshot&) = delete;
  ~ManagedSnapshot();

  const Snapshot* snapshot() { return snapshot_; }

 private:
  DB* db_;
  const Snapshot* snapshot_;
};

}  // namespace ROCKSDB_NAMESPACE
