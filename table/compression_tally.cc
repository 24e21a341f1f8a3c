#include "table/compression_tally.h"

#include <cassert>

#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"

namespace ROCKSDB_NAMESPACE {

void CountCompression(Statistics* statistics, size_t raw_size,
                      const BlockCompressor::Stored& stored) {
  assert(stored.payload.size() <= raw_size);
  if (statistics == nullptr) return;
  if (stored.is_bypassed) {
    RecordTick(statistics, NUMBER_BLOCK_COMPRESSION_BYPASSED);
    RecordTick(statistics, BYTES_COMPRESSION_BYPASSED, raw_size);
  } else if (stored.type == kNoCompression) {
    RecordTick(statistics, NUMBER_BLOCK_COMPRESSION_REJECTED);
    RecordTick(statistics, BYTES_COMPRESSION_REJECTED, raw_size);
  } else if (stored.is_reused) {
    RecordTick(statistics, NUMBER_BLOCK_COMPRESSION_REUSED);
    RecordTick(statistics, BYTES_COMPRESSION_REUSED, raw_size);
  } else {
    RecordTick(statistics, NUMBER_BLOCK_COMPRESSED);
    RecordTick(statistics, BYTES_COMPRESSED_FROM, raw_size);
    RecordTick(statistics, BYTES_COMPRESSED_TO, stored.payload.size());
  }
}

CompressionWatch::CompressionWatch(const BlockCompressor& compressor,
                                   Statistics* statistics)
    : statistics_(statistics) {
  const bool is_timed =
      compressor.is_enabled() && statistics != nullptr &&
      statistics->get_stats_level() > StatsLevel::kExceptDetailedTimers;
  if (is_timed) start_ = PerfNowNanos();
}

CompressionWatch::~CompressionWatch() {
  if (start_ == 0) return;
  RecordInHistogram(statistics_, COMPRESSION_TIMES_NANOS,
                    PerfNowNanos() - start_);
}

}  // namespace ROCKSDB_NAMESPACE
