// Calls of engine_calls.h that only newer engines have, all of one release:
// they are there together or not at all.
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "db_stress_tool/engine_calls.h"
#include "rocksdb/utilities/checkpoint.h"
#if __has_include("rocksdb/lazy_wide_columns.h")
#include "rocksdb/lazy_wide_columns.h"
#include "rocksdb/table.h"
#define DB_STRESS_HAS_NEWER_CALLS 1
#endif

namespace ROCKSDB_NAMESPACE::stress::engine {

namespace {

Status MakeOldCheckpoint(DB* db, const CheckpointKind& kind) {
  Checkpoint* raw = nullptr;
  Status s = Checkpoint::Create(db, &raw);
  const std::unique_ptr<Checkpoint> checkpoint(raw);
  return s.ok()
             ? checkpoint->CreateCheckpoint(kind.path, kind.log_size_for_flush)
             : s;
}

}  // namespace

#ifdef DB_STRESS_HAS_NEWER_CALLS

namespace {

// Answers may come from another thread, and before the call returns.
class Answered final : public DB::AsyncCallback {
 public:
  void OnComplete(const PerfContext* /*perf*/,
                  const IOStatsContext* /*io*/) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_there_ = true;
    there_.notify_all();
  }
  void Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    there_.wait(lock, [this] { return is_there_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable there_;
  bool is_there_ = false;
};

// Each block in memory of its own, so that a sanitizer sees who uses it for too
// long.
class BlockBuffers final : public ReadScopedBlockBufferProvider {
 public:
  Status Allocate(size_t size, size_t alignment, Lease* out) override {
    const size_t rounded = (size + alignment - 1) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, rounded);
    if (memory == nullptr) return Status::MemoryLimit("a block's buffer");
    Lease lease;
    lease.data = static_cast<char*>(memory);
    lease.size = rounded;
    lease.cleanup.Allocate();
    lease.cleanup->RegisterCleanup(
        [](void* buffer, void* /*unused*/) { std::free(buffer); }, memory,
        nullptr);
    *out = std::move(lease);
    return Status::OK();
  }
};

}  // namespace

bool AbortCompactions(DB* db, ColumnFamilyHandle* family) {
  db->AbortCompactions(family);
  return true;
}

void ResumeCompactions(DB* db, ColumnFamilyHandle* family) {
  db->ResumeCompactions(family);
}

Status GetAsync(const AsyncLookup& lookup, const Slice& key,
                std::string* value) {
  Status s;
  Answered answered;
  lookup.db->GetAsync(lookup.options, lookup.family, key, value, s, answered);
  answered.Wait();
  return s;
}

Status MultiGetAsync(const AsyncLookup& lookup, const std::vector<Slice>& keys,
                     PinnableSlice* values, Status* statuses) {
  std::vector<ColumnFamilyHandle*> families(keys.size(), lookup.family);
  Answered answered;
  lookup.db->MultiGetAsync(lookup.options, keys.size(), families.data(),
                           keys.data(), values, statuses,
                           /*sorted_input=*/false, answered);
  answered.Wait();
  return Status::OK();
}

Status PrepareAndCommit(DB* db, const FilesToIngest& files) {
  std::unique_ptr<FileIngestionHandle> prepared;
  Status s = db->PrepareFileIngestion(files.family, files.paths, files.options,
                                      &prepared);
  return s.ok() ? db->CommitFileIngestionHandle(std::move(prepared)) : s;
}

Status IngestWithInfos(DB* db, const FilesToIngest& files) {
  IngestExternalFileArg argument;
  argument.column_family = files.family;
  argument.external_files = files.paths;
  argument.options = files.options;
  std::vector<std::shared_ptr<const PreparedFileInfo>> infos(
      files.paths.size());
  for (size_t i = 0; i < infos.size(); ++i) {
    Status s = db->GetPreparedFileInfoForExternalSstIngestion(files.paths[i],
                                                              &infos[i]);
    if (!s.ok()) return s;
    argument.file_infos.push_back(infos[i].get());
  }
  return db->IngestExternalFiles({argument});
}

Status ReadByOwnIndex(const ColumnFamilyOptions& family, ReadOptions* options) {
  const auto* const table =
      family.table_factory->GetOptions<BlockBasedTableOptions>();
  if (table == nullptr || table->user_defined_index_factory == nullptr) {
    return Status::InvalidArgument("tables have no index of their own");
  }
  options->table_index_factory = table->user_defined_index_factory.get();
  return Status::OK();
}

Status MakeCheckpoint(DB* db, const CheckpointKind& kind) {
  if (kind.has_engine) {
    CheckpointEngineOptions options;
    options.max_background_operations = kind.engine_threads;
    options.use_link_file_when_available = kind.links;
    std::unique_ptr<CheckpointEngine> engine;
    Status s = CheckpointEngine::Open(options, &engine);
    if (!s.ok()) return s;
    CreateCheckpointOptions create;
    create.log_size_for_flush = kind.log_size_for_flush;
    create.column_families = kind.families;
    return engine->CreateCheckpoint(db, kind.path, nullptr, create);
  }
  if (kind.families.empty()) return MakeOldCheckpoint(db, kind);
  Checkpoint* raw = nullptr;
  Status s = Checkpoint::Create(db, &raw);
  const std::unique_ptr<Checkpoint> checkpoint(raw);
  return s.ok() ? checkpoint->CreateCheckpoint(kind.path, kind.families,
                                               kind.log_size_for_flush)
                : s;
}

Status SetBlockBuffers(ReadOptions* options) {
  static BlockBuffers buffers;
  options->read_scoped_block_buffer_provider = &buffers;
  return Status::OK();
}

#else

bool AbortCompactions(DB*, ColumnFamilyHandle*) { return false; }

void ResumeCompactions(DB*, ColumnFamilyHandle*) {}

Status GetAsync(const AsyncLookup&, const Slice&, std::string*) {
  return Status::NotSupported("GetAsync");
}

Status MultiGetAsync(const AsyncLookup&, const std::vector<Slice>&,
                     PinnableSlice*, Status*) {
  return Status::NotSupported("MultiGetAsync");
}

Status PrepareAndCommit(DB*, const FilesToIngest&) {
  return Status::NotSupported("PrepareFileIngestion");
}

Status IngestWithInfos(DB*, const FilesToIngest&) {
  return Status::NotSupported("GetPreparedFileInfoForExternalSstIngestion");
}

Status ReadByOwnIndex(const ColumnFamilyOptions&, ReadOptions*) {
  return Status::NotSupported("ReadOptions::table_index_factory");
}

Status MakeCheckpoint(DB* db, const CheckpointKind& kind) {
  return kind.has_engine || !kind.families.empty()
             ? Status::NotSupported("checkpoints of that kind")
             : MakeOldCheckpoint(db, kind);
}

Status SetBlockBuffers(ReadOptions*) {
  return Status::NotSupported("read_scoped_block_buffer_provider");
}

#endif

}  // namespace ROCKSDB_NAMESPACE::stress::engine
