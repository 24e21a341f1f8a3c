#include "db_stress_tool/engine_calls.h"

#include <memory>

#include "rocksdb/comparator.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/write_batch.h"
#if __has_include("rocksdb/multi_scan.h")
#include "rocksdb/io_dispatcher.h"
#include "rocksdb/multi_scan.h"
#endif

namespace ROCKSDB_NAMESPACE::stress::engine {

namespace {

template <typename Engine>
Status EnableDeletions(Engine* engine) {
  if constexpr (requires { engine->EnableFileDeletions(false); }) {
    return engine->EnableFileDeletions(false);
  } else {
    return engine->EnableFileDeletions();
  }
}

template <typename Engine>
bool Abort(Engine* engine) {
  if constexpr (requires { engine->AbortAllCompactions(); }) {
    engine->AbortAllCompactions();
    return true;
  }
  return false;
}

template <typename Engine>
void ResumeAll(Engine* engine) {
  if constexpr (requires { engine->ResumeAllCompactions(); }) {
    engine->ResumeAllCompactions();
  }
}

template <typename Writer>
Status OpenEmbedding(Writer* writer, const std::string& path) {
  if constexpr (requires {
                  writer->OpenWithEmbeddedBlobs(path, {.min_blob_size = 1});
                }) {
    constexpr uint64_t kMinBytes = 32;  // some values have less
    const Status s =
        writer->OpenWithEmbeddedBlobs(path, {.min_blob_size = kMinBytes});
    if (!s.IsNotSupported() && !s.IsInvalidArgument()) return s;
  }
  return writer->Open(path);
}

// What a member function fills, which engines call differently.
template <typename Engine, typename Result>
Result ResultOf(Status (Engine::*call)(Result&));
template <typename Engine, typename Result>
Result ResultOf(Status (Engine::*call)(Result*));

template <typename Options>
void SetAutoReadaheadOf(bool is_on, Options* options) {
  if constexpr (requires { options->auto_readahead_size; }) {
    options->auto_readahead_size = is_on;
  }
}

template <typename Options>
void SetMultiGetForIoOf(bool is_on, Options* options) {
  if constexpr (requires { options->optimize_multiget_for_io; }) {
    options->optimize_multiget_for_io = is_on;
  }
}

template <typename Options>
void SetUnpreparedOf(bool is_on, Options* options) {
  if constexpr (requires { options->allow_unprepared_value; }) {
    options->allow_unprepared_value = is_on;
  }
}

template <typename Options>
void SetAutoRefreshOf(bool is_on, Options* options) {
  if constexpr (requires { options->auto_refresh_iterator_with_snapshot; }) {
    options->auto_refresh_iterator_with_snapshot = is_on;
  }
}

template <typename Engine>
bool Prepare(Engine* iterator) {
  if constexpr (requires { iterator->PrepareValue(); }) {
    return iterator->PrepareValue();
  } else {
    return true;
  }
}

template <typename Engine>
Status Lock(Engine* engine) {
  if constexpr (requires { engine->LockWAL(); }) {
    return engine->LockWAL();
  } else {
    return Status::NotSupported("LockWAL");
  }
}

template <typename Engine>
Status Unlock(Engine* engine) {
  if constexpr (requires { engine->UnlockWAL(); }) {
    return engine->UnlockWAL();
  } else {
    return Status::NotSupported("UnlockWAL");
  }
}

template <typename Options>
bool KeepsTimestampsOf(const Options& options) {
  if constexpr (requires { options.persist_user_defined_timestamps; }) {
    return options.persist_user_defined_timestamps;
  } else {
    return true;
  }
}

template <typename Engine, typename Batch>
Status Ingest(Engine* engine, const WriteOptions& options, const Batch& batch) {
  if constexpr (requires {
                  engine->IngestWriteBatchWithIndex(options, batch);
                }) {
    return engine->IngestWriteBatchWithIndex(options, batch);
  } else {
    return Status::NotSupported("IngestWriteBatchWithIndex");
  }
}

template <typename Batch>
Status AddTimed(Batch* batch, ColumnFamilyHandle* family, const Slice& key,
                const TimedValue& value) {
  if constexpr (requires { batch->TimedPut(family, key, key, uint64_t{0}); }) {
    return batch->TimedPut(family, key, value.value, value.unix_seconds);
  } else {
    return Status::NotSupported("TimedPut");
  }
}

// Engines give back a plain pointer, or one that owns.
template <typename Engine>
Status OpenSecondaryOf(const Instance& f,
                       std::vector<ColumnFamilyHandle*>* handles,
                       std::unique_ptr<Engine>* db) {
  if constexpr (requires {
                  Engine::OpenAsSecondary(f.options, f.name, f.path, f.families,
                                          handles, db);
                }) {
    return Engine::OpenAsSecondary(f.options, f.name, f.path, f.families,
                                   handles, db);
  } else {
    Engine* raw = nullptr;
    Status s = Engine::OpenAsSecondary(f.options, f.name, f.path, f.families,
                                       handles, &raw);
    db->reset(raw);
    return s;
  }
}

template <typename Engine, typename Options>
Status OpenFollowerOf(const Instance& f, Options options,
                      std::vector<ColumnFamilyHandle*>* handles,
                      std::unique_ptr<Engine>* db) {
  if constexpr (requires {
                  Engine::OpenAsFollower(options, f.path, f.name, f.families,
                                         handles, db);
                }) {
    options.follower_refresh_catchup_period_ms = 0;
    // Its leader replaces files all the time.
    options.follower_catchup_retry_wait_ms = 1;
    options.follower_catchup_retry_count = 200;
    return Engine::OpenAsFollower(options, f.path, f.name, f.families, handles,
                                  db);
  } else {
    return Status::NotSupported("OpenAsFollower");
  }
}

template <typename Options>
constexpr bool kHasDirectCompactionReads =
    requires(Options options) { options.use_direct_io_for_compaction_reads; };

}  // namespace

Status OpenWithEmbeddedBlobs(SstFileWriter* writer, const std::string& path) {
  return OpenEmbedding(writer, path);
}

Status EnableFileDeletions(DB* db) { return EnableDeletions(db); }

bool AbortCompactions(DB* db) { return Abort(db); }

void ResumeCompactions(DB* db) { ResumeAll(db); }

Status PrepareScan(const ScanRanges& ranges, Iterator* iterator) {
#if __has_include("rocksdb/multi_scan.h")
  MultiScanArgs args;
  args.reverse = ranges.goes_back;
  args.use_async_io = ranges.is_async;
  if (ranges.max_all_bytes != 0) {
    static const std::shared_ptr<IODispatcher> dispatcher(
        NewIODispatcher({ranges.max_all_bytes}));
    args.io_dispatcher = dispatcher;
  }
  for (const auto& [from, to] : ranges.bounds) args.insert(from, to);
  iterator->Prepare(args);
  return iterator->status();
#else
  (void)ranges;
  (void)iterator;
  return Status::NotSupported("scans of several ranges");
#endif
}

void SetAutoReadahead(bool is_on, ReadOptions* options) {
  SetAutoReadaheadOf(is_on, options);
}

void SetMultiGetForIo(bool is_on, ReadOptions* options) {
  SetMultiGetForIoOf(is_on, options);
}

void SetUnprepared(bool is_on, ReadOptions* options) {
  SetUnpreparedOf(is_on, options);
}

void SetAutoRefresh(bool is_on, ReadOptions* options) {
  SetAutoRefreshOf(is_on, options);
}

bool PrepareValue(Iterator* iterator) { return Prepare(iterator); }

Status ListLogs(DB* db) {
  decltype(ResultOf(&DB::GetSortedWalFiles)) logs;
  return db->GetSortedWalFiles(logs);
}

Status AskCurrentLog(DB* db) {
  decltype(ResultOf(&DB::GetCurrentWalFile)) log;
  return db->GetCurrentWalFile(&log);
}

Status LockLog(DB* db) { return Lock(db); }

Status IngestBatch(DB* db, const WriteOptions& options,
                   const std::shared_ptr<WriteBatchWithIndex>& batch) {
  return Ingest(db, options, batch);
}

Status UnlockLog(DB* db) { return Unlock(db); }

const Comparator* TimestampComparator() {
#if __has_include("rocksdb/attribute_groups.h")
  return BytewiseComparatorWithU64Ts();
#else
  return nullptr;
#endif
}

bool KeepsTimestamps(const Options& options) {
  return KeepsTimestampsOf(options);
}

Status OpenSecondary(const Instance& instance,
                     std::vector<ColumnFamilyHandle*>* handles,
                     std::unique_ptr<DB>* db) {
  return OpenSecondaryOf(instance, handles, db);
}

Status OpenFollower(const Instance& instance,
                    std::vector<ColumnFamilyHandle*>* handles,
                    std::unique_ptr<DB>* db) {
  return OpenFollowerOf(instance, instance.options, handles, db);
}

Status AddTimedPut(WriteBatch* batch, ColumnFamilyHandle* family,
                   const Slice& key, const TimedValue& value) {
  return AddTimed(batch, family, key, value);
}

Status SetDirectCompactionReads(DB* db, bool is_on) {
  if (!kHasDirectCompactionReads<DBOptions>) {
    return Status::NotSupported("use_direct_io_for_compaction_reads");
  }
  return db->SetDBOptions(
      {{"use_direct_io_for_compaction_reads", is_on ? "true" : "false"}});
}

}  // namespace ROCKSDB_NAMESPACE::stress::engine
