#include "db/impl/writer_lines.h"

#include <algorithm>
#include <chrono>

#include "db/impl/foundation.h"

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

WriterLines::WriterLines(Foundation* base)
    : writes_(base->options.max_write_batch_group_size_bytes,
              YieldLimits(base->options)),
      log_only_(base->options.max_write_batch_group_size_bytes,
                YieldLimits(base->options)),
      wal_lock_({.mutex = &base->mutex,
                 .writes = &writes_,
                 .log_only = &log_only_,
                 .changes = &base->changes,
                 .attention = &attention_,
                 .stop = &base->stop}) {}

}  // namespace ROCKSDB_NAMESPACE
