// What listeners are handed: a database, a family that is about to go. Java has
// it while the listener is told of an event; what a listener keeps is closed
// then.
//
// Threads    Each is made and ended by the thread that tells.
// Ownership  The database stays open as long as it is lent.
#pragma once

#include <memory>

#include "java/jni/database.h"

namespace ROCKSDB_NAMESPACE::jni {

class LentDatabase {
 public:
  // Null: there is none to lend.
  explicit LentDatabase(std::shared_ptr<OpenDatabase> open);
  ~LentDatabase();
  LentDatabase(const LentDatabase&) = delete;
  LentDatabase& operator=(const LentDatabase&) = delete;

  // 0 if there is none.
  Handle get() const { return handle_; }

 private:
  std::shared_ptr<OpenDatabase> open_;
  Handle handle_ = 0;
};

// The time in which a thread lets the engine's handle of a family go. The
// engine's event of it does not say which database the handle is of.
class FamilyRelease {
 public:
  FamilyRelease(const std::shared_ptr<OpenDatabase>& database,
                ColumnFamilyHandle* released);
  ~FamilyRelease();
  FamilyRelease(const FamilyRelease&) = delete;
  FamilyRelease& operator=(const FamilyRelease&) = delete;

  // The database of a handle that this thread is letting go; null if unknown.
  static std::shared_ptr<OpenDatabase> DatabaseOf(ColumnFamilyHandle* handle);

 private:
  const std::shared_ptr<OpenDatabase>& database_;
  ColumnFamilyHandle* released_;
  const FamilyRelease* outer_;
};

// A family whose handle is about to go. It answers name, number and options
// from a copy, and is refused by calls that read or write: these could outlive
// the handle.
class LentFamily {
 public:
  LentFamily(const std::shared_ptr<OpenDatabase>& open,
             ColumnFamilyHandle* going);
  ~LentFamily();
  LentFamily(const LentFamily&) = delete;
  LentFamily& operator=(const LentFamily&) = delete;

  // 0 if there is no database.
  Handle get() const { return handle_; }

 private:
  Handle handle_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::jni
