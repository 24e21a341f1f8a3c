// Memtables to one level-0 table file: the work that a flush and a recovery
// share.
//
// Threads  Takes no lock; the memtables must be sealed.
// Errors   The files are gone if the call fails.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "db/outputs/job_context.h"
#include "db/tables/file_meta.h"
#include "memtable/memtable.h"
#include "options/cf_options.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE {

class BlobFlow;
class VersionStorage;
struct MutableCFOptions;

struct Level0Request {
  const JobContext* job = nullptr;
  const MutableCFOptions* options = nullptr;
  std::vector<const MemTable*> memtables;  // oldest first
  // Where blobs are that they refer to, beside those that are not listed yet.
  const VersionStorage* storage = nullptr;
  // Is told of the blobs that they refer to and the table does; may be null.
  BlobFlow* blob_flow = nullptr;
  TableFileCreationReason reason = TableFileCreationReason::kFlush;
  uint64_t file_number = 0;  // 0: a new one
  uint64_t epoch_number = kUnknownEpoch;
  int base_level = 1;  // the version's; the choice of codec depends on it
};

struct Level0Result {
  FileRef file;  // null: nothing was left to write
  std::shared_ptr<const TableProperties> properties;
  std::vector<BlobFileAddition> blob_files;
  uint64_t memtable_bytes = 0;  // keys and values, as they were added
  uint64_t live_bytes = 0;      // what is left of them
  uint64_t payload_bytes = 0;   // keys and values, or references, in the table
};

// Writes, syncs the files and their directory. *result is untouched on failure.
Status WriteLevel0(const Level0Request& request, Level0Result* result);

// Deletes what WriteLevel0() made and no version will list: I/O, so without
// the DB mutex.
void DiscardLevel0(const JobContext& job, const Level0Result& result);

}  // namespace ROCKSDB_NAMESPACE
