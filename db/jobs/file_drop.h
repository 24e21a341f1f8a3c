// Table files that lie in ranges of keys go as a whole, without a compaction.
//
// Threads    Any, without the DB mutex.
// Ownership  Borrows what it is given.
#pragma once

#include <cstddef>

#include "db/jobs/edit_context.h"
#include "rocksdb/db.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class CleanUp;
class ColumnFamilyData;
class ObsoleteFiles;

class FileDrop {
 public:
  struct Context : EditContext {
    CleanUp* clean_up = nullptr;
    ObsoleteFiles* obsolete = nullptr;
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
