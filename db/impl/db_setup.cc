// DBImpl: what it is made of before anything is opened.
#include <algorithm>

#include "db/impl/db_impl.h"
#include "db/observe/database_stats.h"
#include "db/observe/mutex_times.h"
#include "db/version/table_cache.h"
#include "env/session_id.h"
#include "file/io_governor.h"
#include "file/io_helpers.h"
#include "monitoring/trace/query_tracer.h"
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
      mutex_times_(std::make_unique<MutexTimes>(
          options_.clock, options_.stats,
          options_.enable_thread_tracking ? MutexTimes::Tracking::kOn
                                          : MutexTimes::Tracking::kOff)),
      mutex_(mutex_times_.get()),
      changes_(&mutex_),
      mutable_options_(&mutex_, sanitized),
      database_stats_(
          std::make_shared<DatabaseStats>(options_.clock->NowMicros())),
      tracer_(std::make_shared<QueryTracer>(options_.clock)),
      ephemeral_(std::make_shared<EphemeralReaders>()),
      pins_readers_(options_.max_open_files == -1),
      table_cache_(NewTableCache(options_)),
      wal_dir_(options_.wal_dir.empty() ? source_ : options_.wal_dir),
      write_thread_(options_.max_write_batch_group_size_bytes,
                    YieldLimits(options_)),
      log_only_thread_(options_.max_write_batch_group_size_bytes,
                       YieldLimits(options_)),
      errors_(options_.paranoid_checks) {
  if (options_.use_adaptive_mutex) mutex_.SpinFirst();
  SetUpFamilies();
  SetUpFiles();
  SetUpBackground();
  SetUpObsoleteFiles();
  read_helpers_ =
      std::make_shared<IoHelpers>(options_.read_io_executor_threads);
  INVARIANT(options_.env != nullptr);
  INVARIANT(options_.fs != nullptr);
  const BackgroundLimits limits = ComputeBackgroundLimits(options_);
  INVARIANT(limits.flushes > 0);
  INVARIANT(limits.compactions > 0);
  if (mode_ == Mode::kReadWrite) {
    options_.env->IncBackgroundThreadsIfNeeded(limits.flushes, Env::HIGH);
    options_.env->IncBackgroundThreadsIfNeeded(limits.compactions, Env::LOW);
  }
}

// Files that are pinned stay so until they go; files that are opened from now
// on obey the new limit.
void DBImpl::LimitOpenFiles() {
  const int limit = mutable_options_.Get()->max_open_files;
  pins_readers_.store(limit == -1, std::memory_order_relaxed);
  if (limit != -1) table_cache_->SetCapacity(OpenFileLimit(limit));
}

}  // namespace ROCKSDB_NAMESPACE
