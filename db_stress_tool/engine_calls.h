// Calls that not every engine has, or has alike: looked for when this is
// compiled, here alone. NotSupported where they are missing.
//
// Threads    As the engine says: any.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {
class Comparator;
class SstFileWriter;
class WriteBatch;
class WriteBatchWithIndex;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::stress::engine {

Status EnableFileDeletions(DB* db);
// False: the engine cannot.
bool AbortCompactions(DB* db);
void ResumeCompactions(DB* db);
// The same of one family.
bool AbortCompactions(DB* db, ColumnFamilyHandle* family);
void ResumeCompactions(DB* db, ColumnFamilyHandle* family);
// Lookups whose answers are told of by a callback, and waited for here.
struct AsyncLookup {
  DB* db;
  ReadOptions options;
  ColumnFamilyHandle* family;
};
Status GetAsync(const AsyncLookup& lookup, const Slice& key,
                std::string* value);
Status MultiGetAsync(const AsyncLookup& lookup, const std::vector<Slice>& keys,
                     PinnableSlice* values, Status* statuses);
// In two steps, the first of which writers do not wait for.
struct FilesToIngest {
  ColumnFamilyHandle* family;
  std::vector<std::string> paths;
  IngestExternalFileOptions options;
};
Status PrepareAndCommit(DB* db, const FilesToIngest& files);
// With what was read of the files before.
Status IngestWithInfos(DB* db, const FilesToIngest& files);
// A checkpoint of any kind.
struct CheckpointKind {
  std::string path;
  uint64_t log_size_for_flush = 0;
  std::vector<ColumnFamilyHandle*> families;  // empty: all
  bool has_engine = false;
  int engine_threads = 1;
  bool links = true;
};
Status MakeCheckpoint(DB* db, const CheckpointKind& kind);
// Blocks are found by the index that `family` has beside the built-in one.
Status ReadByOwnIndex(const ColumnFamilyOptions& family, ReadOptions* options);
// Blocks that iterators read lie in memory of the tool's.
Status SetBlockBuffers(ReadOptions* options);
// Begins a table file in which large values lie beside the data blocks, or an
// ordinary one where the engine or its options do not allow that.
Status OpenWithEmbeddedBlobs(SstFileWriter* writer, const std::string& path);
// The ranges that an iterator will be sought to, so that it can fetch ahead.
struct ScanRanges {
  std::vector<std::pair<std::string, std::string>> bounds;  // [from, to)
  bool goes_back = false;
  bool is_async = false;
  uint64_t max_all_bytes = 0;  // fetched ahead by all scans; 0: no limit
};
Status PrepareScan(const ScanRanges& ranges, Iterator* iterator);
// ReadOptions that newer engines have.
void SetAutoReadahead(bool is_on, ReadOptions* options);
void SetUnprepared(bool is_on, ReadOptions* options);
void SetAutoRefresh(bool is_on, ReadOptions* options);
// Fetches the value that the iterator stands at, if it was put off.
bool PrepareValue(Iterator* iterator);
void SetMultiGetForIo(bool is_on, ReadOptions* options);
// GetSortedWalFiles() and GetCurrentWalFile().
Status ListLogs(DB* db);
Status AskCurrentLog(DB* db);
Status LockLog(DB* db);
Status IngestBatch(DB* db, const WriteOptions& options,
                   const std::shared_ptr<WriteBatchWithIndex>& batch);
Status UnlockLog(DB* db);
// An instance that follows the database `name`, and has its own files at
// `path`.
struct Instance {
  DBOptions options;
  std::string name;
  std::string path;
  std::vector<ColumnFamilyDescriptor> families;
};
Status OpenSecondary(const Instance& instance,
                     std::vector<ColumnFamilyHandle*>* handles,
                     std::unique_ptr<DB>* db);
// One that looks for news only when it is told to, and whose attempts follow
// each other at once.
Status OpenFollower(const Instance& instance,
                    std::vector<ColumnFamilyHandle*>* handles,
                    std::unique_ptr<DB>* db);
// The order of keys with timestamps of eight bytes; null if there is none.
const Comparator* TimestampComparator();
// Whether timestamps are kept in files.
bool KeepsTimestamps(const Options& options);
// A put that was made by the user, or elsewhere, at this Unix time.
struct TimedValue {
  Slice value;
  uint64_t unix_seconds;
};
Status AddTimedPut(WriteBatch* batch, ColumnFamilyHandle* family,
                   const Slice& key, const TimedValue& value);
// use_direct_io_for_compaction_reads, of a database that is open.
Status SetDirectCompactionReads(DB* db, bool is_on);

}  // namespace ROCKSDB_NAMESPACE::stress::engine
