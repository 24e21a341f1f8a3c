// Table files that lie in ranges of keys go as a whole, without a compaction.
//
// Threads    Any, without the DB mutex.
// Ownership  Borrows what it is given.
#pragma once

#include <cstddef>

#include "rocksdb/db.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ChangeSignal;
class CleanUp;
class ColumnFamilyData;
class CompactionQueue;
class FSDirectory;
class FamilyPublisher;
class JobErrors;
class ObsoleteFiles;
class VersionSet;

class FileDrop {
 public:
  struct Context {
    Mutex* mutex = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    VersionSet* versions = nullptr;
    FSDirectory* directory = nullptr;  // the manifest's
    CompactionQueue* compactions = nullptr;
    FamilyPublisher* publisher = nullptr;
    CleanUp* clean_up = nullptr;
    ObsoleteFiles* obsolete = nullptr;
    ChangeSignal* changes = nullptr;
    JobErrors* errors = nullptr;
  };
  explicit FileDrop(const Context& context) : context_(context) {}
  FileDrop(const FileDrop&) = delete;
  FileDrop& operator=(const FileDrop&) = delete;

  // Level 0 is left alone: its files lie above each other, and one that goes
  // would bring back what it hides in the next.
  Status Drop(ColumnFamilyData* cfd, const RangePtr* ranges, size_t n,
              bool include_end) EXCLUDES(context_.mutex);

 private:
  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
