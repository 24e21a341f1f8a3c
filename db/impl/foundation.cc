#include "db/impl/foundation.h"

#include <utility>

#include "db/observe/database_stats.h"
#include "db/observe/mutex_times.h"
#include "env/session_id.h"
#include "env/traced_file_system.h"
#include "file/io_governor.h"
#include "monitoring/trace/block_cache_tracer.h"
#include "monitoring/trace/io_tracer.h"
#include "monitoring/trace/query_tracer.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

IoLimits GovernedLimits(const ImmutableDBOptions& options) {
  return {.target_delay_micros = options.background_io_target_delay_micros,
          .max_bytes_in_flight = options.background_io_max_bytes_in_flight};
}

MutexTimes::Tracking TrackingOf(const ImmutableDBOptions& options) {
  return options.enable_thread_tracking ? MutexTimes::Tracking::kOn
                                        : MutexTimes::Tracking::kOff;
}

}  // namespace

Foundation::Foundation(const DBOptions& sanitized, std::string db_name,
                       const std::string& manifest_directory)
    : name(std::move(db_name)),
      source(manifest_directory.empty() ? name : manifest_directory),
      options(sanitized),
      wal_dir(options.wal_dir.empty() ? source : options.wal_dir),
      session_id(NewSessionId()),
      file_options(sanitized),
      io_governor(std::make_unique<const GovernorMembership>(
          options.fs, GovernedLimits(options))),
      mutex_times(std::make_unique<MutexTimes>(options.clock, options.stats,
                                               TrackingOf(options))),
      mutex(mutex_times.get()),
      changes(&mutex),
      current(&mutex, sanitized),
      errors(options.paranoid_checks),
      counts(std::make_unique<DatabaseStats>(options.clock->NowMicros())),
      tracer(std::make_unique<QueryTracer>(options.clock)),
      block_tracer(std::make_unique<BlockCacheTracer>(options.clock)),
      io_tracer(std::make_shared<IoTracer>(options.clock)),
      traced_files(
          NewTracedFileSystem(options.env->GetFileSystem(), io_tracer)) {
  INVARIANT(options.env != nullptr);
  INVARIANT(options.fs != nullptr);
  options.block_tracer = block_tracer.get();
  options.fs = traced_files.get();
  if (options.use_adaptive_mutex) mutex.SpinFirst();
}

Foundation::~Foundation() = default;

}  // namespace ROCKSDB_NAMESPACE
