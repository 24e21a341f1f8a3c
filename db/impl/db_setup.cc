// DBImpl: what it is made of before anything is opened.
#include <algorithm>

#include "db/family/sequence_ages.h"
#include "db/files/file_room.h"
#include "db/files/obsolete_files.h"
#include "db/files/options_files.h"
#include "db/impl/db_impl.h"
#include "db/jobs/compaction_desk.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/compaction_runner.h"
#include "db/jobs/job_contexts.h"
#include "db/jobs/manual_compactions.h"
#include "db/observe/database_stats.h"
#include "db/observe/mutex_times.h"
#include "db/observe/observatory.h"
#include "db/recovery/catch_up.h"
#include "db/wal/wal_archive.h"
#include "db/wal/wal_manager.h"
#include "env/session_id.h"
#include "file/io_governor.h"
#include "file/io_helpers.h"
#include "options/sanitize.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// How many table files stay open for users, unless all do.
size_t OpenFileLimit(int max_open_files) {
  constexpr int kReserve = 10;  // WAL, manifest, LOG and others
  return static_cast<size_t>(std::max(kReserve, max_open_files - kReserve));
}

// Files are counted, not weighed: with what the cache takes for an entry itself
// charged, none would ever find room.
std::shared_ptr<Cache> NewTableCache(const ImmutableDBOptions& options) {
  LRUCacheOptions cache;
  cache.capacity = OpenFileLimit(options.max_open_files);
  cache.num_shard_bits = options.table_cache_numshardbits;
  cache.metadata_charge_policy = kDontChargeCacheMetadata;
  return cache.MakeSharedCache();
}

FileOptions UserFileOptions(const ImmutableDBOptions& options) {
  return FileOptions(options);
}

YieldingWait::Limits YieldLimits(const ImmutableDBOptions& options) {
  if (!options.enable_write_thread_adaptive_yield) {
    return {.longest = std::chrono::microseconds(0)};
  }
  // More than a day is as good as for ever.
  static constexpr uint64_t kMost = uint64_t{100'000} * 1'000'000;
  const auto micros = [](uint64_t count) {
    return std::chrono::microseconds(std::min(count, kMost));
  };
  return {.longest = micros(options.write_thread_max_yield_usec),
          .slow = micros(options.write_thread_slow_yield_usec)};
}

}  // namespace

DBImpl::DBImpl(const DBOptions& sanitized, std::string name, Mode mode,
               const std::string& leader)
    : name_(std::move(name)),
      mode_(mode),
      source_(mode == Mode::kFollower ? leader : name_),
      options_(sanitized),
      io_governor_(std::make_shared<const GovernorMembership>(
          options_.fs,
          IoLimits{
              .target_delay_micros = options_.background_io_target_delay_micros,
              .max_bytes_in_flight =
                  options_.background_io_max_bytes_in_flight})),
      session_id_(NewSessionId()),
      file_options_(UserFileOptions(options_)),
      file_access_(&options_, file_options_,
                   mode == Mode::kReadWrite
                       ? FileAccessChooser::Probing::kByFiles
                       : FileAccessChooser::Probing::kNone),
      space_(&options_, name_),
      mutex_times_(std::make_unique<MutexTimes>(
          options_.clock, options_.stats,
          options_.enable_thread_tracking ? MutexTimes::Tracking::kOn
                                          : MutexTimes::Tracking::kOff)),
      mutex_(mutex_times_.get()),
      changes_(&mutex_),
      states_(&mutex_, options_.stats),
      placing_(&changes_),
      mutable_options_(&mutex_, sanitized),
      database_stats_(
          std::make_shared<DatabaseStats>(options_.clock->NowMicros())),
      ephemeral_(std::make_shared<EphemeralReaders>()),
      pins_readers_(options_.max_open_files == -1),
      table_cache_(NewTableCache(options_)),
      catalog_({.db = &options_,
                .file_options = file_options_,
                .db_name = name_,
                .mutex = &mutex_,
                .families = &families_}),
      wal_dir_(options_.wal_dir.empty() ? source_ : options_.wal_dir),
      write_thread_(options_.max_write_batch_group_size_bytes,
                    YieldLimits(options_)),
      log_only_thread_(options_.max_write_batch_group_size_bytes,
                       YieldLimits(options_)),
      remote_runs_(&options_, &stop_),
      publisher_({.families = &families_,
                  .states = &states_,
                  .stalls = mode == Mode::kReadWrite ? &stalls_ : nullptr,
                  .attention = &attention_}),
      stalls_({.db = &options_,
               .families = &families_,
               .writes = &write_controller_,
               .changes = &changes_,
               .io_governor = io_governor_.get()}),
      errors_(options_.paranoid_checks),
      background_({.env = options_.env,
                   .mutex = &mutex_,
                   .changes = &changes_,
                   .stop = &stop_,
                   .errors = &errors_,
                   .manual = &manual_,
                   .writes = &write_controller_,
                   .work = this}) {
  if (options_.use_adaptive_mutex) mutex_.SpinFirst();
  SetUpObsoleteFiles();
  SetUpWriteMemory();
  read_helpers_ =
      std::make_shared<IoHelpers>(options_.read_io_executor_threads);
  SetUpAutoResume();
  INVARIANT(options_.env != nullptr);
  INVARIANT(options_.fs != nullptr);
  background_.SetLimits(options_);
  stalls_.SetDelayedRate(options_.delayed_write_rate);
  const BackgroundLimits limits = ComputeBackgroundLimits(options_);
  INVARIANT(limits.flushes > 0);
  INVARIANT(limits.compactions > 0);
  if (mode_ == Mode::kReadWrite) {
    options_.env->IncBackgroundThreadsIfNeeded(limits.flushes, Env::HIGH);
    options_.env->IncBackgroundThreadsIfNeeded(limits.compactions, Env::LOW);
  }
}

void DBImpl::SetUpObsoleteFiles() {
  INVARIANT(table_cache_ != nullptr);
  ObsoleteFiles::Callbacks callbacks;
  callbacks.on_deleted = [this](const std::string& path, FileType type,
                                uint64_t /*number*/, const Status& status) {
    if (type == kBlobFile) {
      BlobFileDeletionInfo info;
      info.db_name = name_;
      info.file_path = path;
      info.status = status;
      NotifyListeners([&](EventListener* l) { l->OnBlobFileDeleted(info); });
    }
    if (type != kTableFile) return;
    TableFileDeletionInfo info;
    info.db_name = name_;
    info.file_path = path;
    info.status = status;
    NotifyListeners([&](EventListener* l) { l->OnTableFileDeleted(info); });
  };
  callbacks.forget = [open = table_cache_](UnreferencedTable table) {
    ForgetTable(std::move(table), open.get());
  };
  callbacks.on_unattended = [this] { ScheduleCleanUp(); };
  obsolete_ = std::make_shared<ObsoleteFiles>(
      &options_, io_governor_->shared_governor(), std::move(callbacks));
}

void DBImpl::SetUpJobs() {
  MutexLock lock(&mutex_);
  compactions_ = std::make_unique<CompactionQueue>(
      CompactionQueue::Context{.db = &options_,
                               .mutex = &mutex_,
                               .options = &mutable_options_,
                               .families = &families_,
                               .scheduler = &background_,
                               .snapshots = &reads_->snapshots(),
                               .changes = &changes_,
                               .stop = &stop_,
                               .versions = versions_.get()});
  jobs_ = std::make_unique<JobContexts>(
      JobContexts::Context{.db = &options_,
                           .db_name = name_,
                           .session_id = session_id_,
                           .file_options = file_options_,
                           .mutex = &mutex_,
                           .options = &mutable_options_,
                           .versions = versions_.get(),
                           .directory = db_directory_.get(),
                           .io_governor = io_governor_.get(),
                           .page_cache_room = page_cache_room_.get(),
                           .obsolete = obsolete_.get(),
                           .scheduler = &background_,
                           .snapshots = &reads_->snapshots(),
                           .stop = &stop_,
                           .ages = ages_.get()});
  runner_ = std::make_unique<CompactionRunner>(
      CompactionRunner::Context{.handed_out = this,
                                .db = &options_,
                                .mutex = &mutex_,
                                .scheduler = &background_,
                                .publisher = &publisher_,
                                .queue = compactions_.get(),
                                .jobs = jobs_.get(),
                                .remote = &remote_runs_,
                                .stop = &stop_,
                                .changes = &changes_});
  desk_ = std::make_unique<CompactionDesk>(
      CompactionDesk::Context{.mutex = &mutex_,
                              .options = &mutable_options_,
                              .families = &families_,
                              .scheduler = &background_,
                              .manual = &manual_,
                              .queue = compactions_.get(),
                              .runner = runner_.get(),
                              .ages = ages_.get(),
                              .space = &space_,
                              .stop = &stop_,
                              .changes = &changes_,
                              .errors = this});
  on_request_ = std::make_unique<ManualCompactions>(
      ManualCompactions::Context{.mutex = &mutex_,
                                 .families = &families_,
                                 .scheduler = &background_,
                                 .manual = &manual_,
                                 .placing = &placing_,
                                 .publisher = &publisher_,
                                 .error = &errors_,
                                 .versions = versions_.get(),
                                 .directory = db_directory_.get(),
                                 .queue = compactions_.get(),
                                 .runner = runner_.get(),
                                 .desk = desk_.get(),
                                 .space = &space_,
                                 .stop = &stop_,
                                 .changes = &changes_,
                                 .errors = this});
}

ColumnFamilyData::Context DBImpl::FamilyContext() {
  ColumnFamilyData::Context context;
  context.db = &options_;
  context.mutex = &mutex_;
  context.db_name = name_;
  if (mode_ == Mode::kFollower) context.links_directory = name_;
  context.write_buffer_manager = write_buffer_manager_.get();
  context.tables.file_options = file_options_;
  context.tables.db_session_id = session_id_;
  context.tables.pins_readers = &pins_readers_;
  context.tables.cache = table_cache_;
  context.tables.ephemeral = ephemeral_;
  context.tables.read_helpers = read_helpers_;
  context.tables.governor = io_governor_->governor();
  context.tables.fresh = fresh_.get();
  for (const DbPath& path : options_.db_paths) {
    context.tables.paths.push_back(path.path);
  }
  INVARIANT(!context.tables.paths.empty());
  INVARIANT(context.tables.cache != nullptr);
  return context;
}

// Files that are pinned stay so until they go; files that are opened from now
// on obey the new limit.
void DBImpl::LimitOpenFiles() {
  const int limit = mutable_options_.Get()->max_open_files;
  pins_readers_.store(limit == -1, std::memory_order_relaxed);
  if (limit != -1) table_cache_->SetCapacity(OpenFileLimit(limit));
}

}  // namespace ROCKSDB_NAMESPACE
