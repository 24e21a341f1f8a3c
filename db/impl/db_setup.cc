// DBImpl: what it is made of before anything is opened.
#include <algorithm>

#include "db/files/open_tables.h"
#include "db/impl/db_impl.h"
#include "db/version/table_cache.h"
#include "file/io_helpers.h"
#include "options/sanitize.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

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
    : base_(sanitized, std::move(name), leader),
      mode_(mode),
      ephemeral_(std::make_shared<EphemeralReaders>()),
      open_tables_(std::make_unique<OpenTables>(base_.options)),
      write_thread_(base_.options.max_write_batch_group_size_bytes,
                    YieldLimits(base_.options)),
      log_only_thread_(base_.options.max_write_batch_group_size_bytes,
                       YieldLimits(base_.options)) {
  SetUpFamilies();
  SetUpFiles();
  SetUpBackground();
  SetUpObsoleteFiles();
  read_helpers_ =
      std::make_shared<IoHelpers>(base_.options.read_io_executor_threads);
  const BackgroundLimits limits = ComputeBackgroundLimits(base_.options);
  INVARIANT(limits.flushes > 0);
  INVARIANT(limits.compactions > 0);
  if (mode_ == Mode::kReadWrite) {
    base_.options.env->IncBackgroundThreadsIfNeeded(limits.flushes, Env::HIGH);
    base_.options.env->IncBackgroundThreadsIfNeeded(limits.compactions,
                                                    Env::LOW);
  }
}

}  // namespace ROCKSDB_NAMESPACE
