// The OPTIONS files of a database: each change of options or families writes a
// new one, beside which one older is kept.
//
// Threads    Marked (mutex): under the DB mutex, given back around I/O. Changes
//            come one at a time, but files may be written side by side.
// Ownership  Borrows what it is given.
#pragma once

#include <cstdint>
#include <string>

#include "options/db_options.h"
#include "rocksdb/file_system.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ObsoleteFiles;
class VersionSet;

class OptionsFiles {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string db_name;
    Mutex* mutex = nullptr;
    VersionSet* versions = nullptr;
    ObsoleteFiles* obsolete = nullptr;
    FSDirectory* directory = nullptr;
  };
  explicit OptionsFiles(Context context);
  OptionsFiles(const OptionsFiles&) = delete;
  OptionsFiles& operator=(const OptionsFiles&) = delete;

  // What is in force now. With kRemoved the ones that are too old go. (mutex)
  enum class Old { kKept, kRemoved };
  Status Write(const MutableDBOptions& now, Old old);
  // The newest that was written as a whole; 0: none yet. (mutex)
  uint64_t current() const {
    mutex_->AssertHeld();
    return current_;
  }
  // But those that are needed while `current` is the newest that anybody has
  // been told of. Without the mutex.
  void RemoveOld(uint64_t current);

 private:
  const Context context_;
  Mutex* const mutex_;
  uint64_t current_ GUARDED_BY(mutex_) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
