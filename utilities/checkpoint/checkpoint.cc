#include "rocksdb/utilities/checkpoint.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "rocksdb/db.h"
#include "rocksdb/info_log.h"
#include "rocksdb/rate_limiter.h"
#include "util/invariant.h"
#include "utilities/backup/transfer_pool.h"
#include "utilities/checkpoint/checkpoint_making.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class CheckpointImpl final : public Checkpoint {
 public:
  explicit CheckpointImpl(DB* db) : db_(db) { INVARIANT(db_ != nullptr); }

  Status CreateCheckpoint(const std::string& checkpoint_dir,
                          uint64_t log_size_for_flush,
                          uint64_t* sequence_number_ptr) override {
    return CreateCheckpoint(checkpoint_dir, {}, log_size_for_flush,
                            sequence_number_ptr);
  }
  Status CreateCheckpoint(
      const std::string& checkpoint_dir,
      const std::vector<ColumnFamilyHandle*>& column_families,
      uint64_t log_size_for_flush, uint64_t* sequence_number_ptr) override {
    return MakeCheckpoint(db_,
                          {.directory = checkpoint_dir,
                           .log_size_for_flush = log_size_for_flush,
                           .families = column_families},
                          {}, sequence_number_ptr);
  }
  Status ExportColumnFamily(ColumnFamilyHandle* handle,
                            const std::string& export_dir,
                            ExportImportFilesMetaData** metadata) override {
    return ExportFamily(db_, handle, export_dir, {}, metadata);
  }

 private:
  DB* const db_;
};

constexpr uint64_t kMaxChunkBytes = 64 << 20;

class CheckpointEngineImpl final : public CheckpointEngine {
 public:
  explicit CheckpointEngineImpl(const CheckpointEngineOptions& options)
      : logger_(options.info_log),
        limiter_(LimiterOf(options)),
        pool_(std::max(options.max_background_operations, 1), "rocksdb:ckpt") {
    means_.pool = &pool_;
    means_.limiter = limiter_.get();
    // Whole pages, and no more of them than help.
    means_.chunk_bytes =
        static_cast<size_t>(std::min(options.io_buffer_size, kMaxChunkBytes)) &
        ~size_t{4095};
    means_.may_link = options.use_link_file_when_available;
  }

  IOStatus CreateCheckpoint(DB* source_db, const std::string& destination_dir,
                            uint64_t* sequence_number_ptr,
                            const CreateCheckpointOptions& options) override {
    if (source_db == nullptr) {
      return IOStatus::InvalidArgument("source_db is null");
    }
    LowerPriority(options);
    Status s = MakeCheckpoint(source_db,
                              {.directory = destination_dir,
                               .log_size_for_flush = options.log_size_for_flush,
                               .families = options.column_families},
                              means_, sequence_number_ptr);
    return Told("checkpoint", destination_dir, std::move(s));
  }

  IOStatus ExportColumnFamily(DB* source_db, ColumnFamilyHandle* handle,
                              const std::string& destination_dir,
                              ExportImportFilesMetaData** out_metadata,
                              const CreateCheckpointOptions& options) override {
    if (source_db == nullptr) {
      return IOStatus::InvalidArgument("source_db is null");
    }
    LowerPriority(options);
    Status s =
        ExportFamily(source_db, handle, destination_dir, means_, out_metadata);
    return Told("export", destination_dir, std::move(s));
  }

 private:
  static std::shared_ptr<RateLimiter> LimiterOf(
      const CheckpointEngineOptions& options) {
    if (options.backup_rate_limiter != nullptr) {
      return options.backup_rate_limiter;
    }
    if (options.backup_rate_limit == 0) return nullptr;
    constexpr uint64_t kMaxRate = std::numeric_limits<int64_t>::max();
    return std::shared_ptr<RateLimiter>(NewGenericRateLimiter(
        static_cast<int64_t>(std::min(options.backup_rate_limit, kMaxRate))));
  }
  void LowerPriority(const CreateCheckpointOptions& options) {
    if (options.decrease_background_thread_cpu_priority) {
      pool_.LowerCpuPriority(options.background_thread_cpu_priority);
    }
  }
  IOStatus Told(const char* what, const std::string& directory,
                Status&& s) const {
    if (s.ok()) {
      Info(logger_, "%s %s is there", what, directory.c_str());
    } else {
      Warn(logger_, "%s %s failed: %s", what, directory.c_str(),
           s.ToString().c_str());
    }
    return status_to_io_status(std::move(s));
  }

  Logger* const logger_;  // may be null
  const std::shared_ptr<RateLimiter> limiter_;
  TransferPool pool_;
  CheckpointMeans means_;
};

}  // namespace

Status Checkpoint::Create(DB* db, Checkpoint** checkpoint_ptr) {
  if (db == nullptr || checkpoint_ptr == nullptr) {
    return Status::InvalidArgument("db or checkpoint_ptr is null");
  }
  *checkpoint_ptr = std::make_unique<CheckpointImpl>(db).release();
  return Status::OK();
}

Status Checkpoint::CreateCheckpoint(const std::string& /*checkpoint_dir*/,
                                    uint64_t /*log_size_for_flush*/,
                                    uint64_t* /*sequence_number_ptr*/) {
  return Status::NotSupported("CreateCheckpoint");
}

Status Checkpoint::CreateCheckpoint(
    const std::string& /*checkpoint_dir*/,
    const std::vector<ColumnFamilyHandle*>& /*column_families*/,
    uint64_t /*log_size_for_flush*/, uint64_t* /*sequence_number_ptr*/) {
  return Status::NotSupported("CreateCheckpoint of some column families");
}

Status Checkpoint::ExportColumnFamily(
    ColumnFamilyHandle* /*handle*/, const std::string& /*export_dir*/,
    ExportImportFilesMetaData** /*metadata*/) {
  return Status::NotSupported("ExportColumnFamily");
}

Status CheckpointEngine::Open(
    const CheckpointEngineOptions& options,
    std::unique_ptr<CheckpointEngine>* out_checkpoint_engine) {
  if (out_checkpoint_engine == nullptr) {
    return Status::InvalidArgument("out_checkpoint_engine is null");
  }
  *out_checkpoint_engine = std::make_unique<CheckpointEngineImpl>(options);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
