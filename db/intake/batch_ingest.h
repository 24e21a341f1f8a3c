// A whole batch as memtables of its own.
//
// It is inserted into memtables that nobody sees, which then take the place of
// the active ones, emptied before, and are sealed at once. So a batch that
// fails half-way leaves nothing, and what it holds is flushed by itself.
//
// That of a prepared section is logged by then: the log gets the marker of its
// commit once all of it is in its memtables, and they hold the section's log.
//
// Threads    Any, without the DB mutex.
// Ownership  Borrows what it is given.
#pragma once

#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class FamilyPublisher;
class DirectBlobs;
class FlushDesk;
class GroupLog;
class MemtableSwitch;
class SectionKeeper;
class VersionSet;
class WriteBatch;
class WriteChecks;
class WritePipeline;
class WriteThread;
class WriterStalls;
struct ImmutableDBOptions;
struct InsertOptions;
struct WriteHooks;

class BatchIngest {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    WriteThread* writes = nullptr;
    VersionSet* versions = nullptr;
    const WriteChecks* checks = nullptr;
    WritePipeline* pipeline = nullptr;
    GroupLog* log = nullptr;
    DirectBlobs* direct_blobs = nullptr;
    MemtableSwitch* memtables = nullptr;
    WriterStalls* waits = nullptr;
    FlushDesk* flushes = nullptr;
    SectionKeeper* sections = nullptr;
    FamilyPublisher* publisher = nullptr;
  };
  explicit BatchIngest(const Context& context) : context_(context) {}
  BatchIngest(const BatchIngest&) = delete;
  BatchIngest& operator=(const BatchIngest&) = delete;

  // Its form was checked (WriteChecks::CheckForm()); no log gets it.
  Status Ingest(const WriteOptions& options, WriteBatch* batch)
      EXCLUDES(context_.mutex);
  // Not where values go to blob files before the log has them.
  bool TakesCommits() const;
  // Commits a prepared section: the batch has the marker, which the log gets,
  // and behind it the updates of the section. On an error nothing has changed,
  // unless the log took the marker: then the database stops writing.
  Status Commit(const WriteOptions& options, WriteBatch* batch,
                const WriteHooks& hooks) EXCLUDES(context_.mutex);

 private:
  // `hooks`: null: no log gets it.
  Status Take(const WriteOptions& options, WriteBatch* batch,
              const WriteHooks* hooks) EXCLUDES(context_.mutex);
  Status TakeInTurn(const WriteOptions& options, WriteBatch* batch,
                    const WriteHooks* hooks) EXCLUDES(context_.mutex);
  Status Log(const WriteOptions& options, WriteBatch* batch,
             const WriteHooks& hooks) EXCLUDES(context_.mutex);
  Status FindFamiliesOf(const WriteBatch& batch, const InsertOptions& insert,
                        std::vector<ColumnFamilyData*>* families) const
      REQUIRES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
