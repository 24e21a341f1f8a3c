// Makes a family that the manifest has one of the open database: with its
// directories, its picker and what is kept for it, visible to reads.
//
// Threads    Attach() under the DB mutex; while the database is opened, or by
//            the leader of all writes. OpenDirectories() any.
// Ownership  Borrows what it is given.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/family/column_family.h"
#include "rocksdb/file_system.h"
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

  // One for each path of a family, in order; missing directories are created.
  // All are null where nothing is written.
  using Directories = std::vector<std::unique_ptr<FSDirectory>>;
  // Opens the directories of a new family before the manifest names it: after
  // that, nothing may fail any more.
  Status OpenDirectories(const ColumnFamilyOptions& sanitized,
                         Directories* directories) const;
  void Attach(const ColumnFamilyRef& cfd, Directories directories);
  // A family that the manifest has had before.
  Status Attach(const ColumnFamilyRef& cfd);

 private:
  bool Writes() const { return context_.logs != nullptr; }
  Status Open(const std::vector<std::string>& paths,
              Directories* directories) const;

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
