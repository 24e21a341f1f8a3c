// Makes a family that the manifest has one of the open database: with its
// directories, its picker and what is kept for it, visible to reads.
//
// Threads    Under the DB mutex; while the database is opened, or by the leader
//            of all writes.
// Ownership  Borrows what it is given.
#pragma once

#include "db/family/column_family.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class FamilyPublisher;
class FamilyRegistry;
class Intake;
class LogKeeper;
class VersionSet;

class FamilyAttacher {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    VersionSet* versions = nullptr;
    FamilyPublisher* publisher = nullptr;
    // Null, both: nothing is written.
    LogKeeper* logs = nullptr;
    Intake* intake = nullptr;
  };
  explicit FamilyAttacher(const Context& context);
  FamilyAttacher(const FamilyAttacher&) = delete;
  FamilyAttacher& operator=(const FamilyAttacher&) = delete;

  Status Attach(const ColumnFamilyRef& cfd);

 private:
  bool Writes() const { return context_.logs != nullptr; }

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
