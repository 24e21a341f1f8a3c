// What a benchmark asks of the database, and of its block cache, written to
// trace files as the flags say.
//
// Threads  Confined to the main thread.

#pragma once

#include "rocksdb/db.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::bench {

class Traces {
 public:
  // `db` may be null: nothing is traced then.
  explicit Traces(DB* db) : db_(db) {}

  // The files are begun anew by each benchmark: the last one's stays.
  Status Begin();
  Status End();

 private:
  DB* const db_;
  bool has_operations_ = false;
  bool has_blocks_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::bench
