#include "monitoring/trace/block_cache_tracer.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "rocksdb/system_clock.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE {

BlockCacheTracer::BlockCacheTracer(SystemClock* clock) : clock_(clock) {
  assert(clock_ != nullptr);
}

BlockCacheTracer::~BlockCacheTracer() { End(); }

Status BlockCacheTracer::Start(
    const BlockCacheTraceOptions& options,
    std::unique_ptr<BlockCacheTraceWriter>&& writer) {
  if (writer == nullptr) {
    return Status::InvalidArgument("no writer of a block cache trace");
  }
  MutexLock lock(&mutex_);
  if (writer_ != nullptr) return Status::Busy("a block cache trace runs");
  Status s = writer->WriteHeader();
  if (!s.ok()) return s;
  writer_ = std::move(writer);
  last_lookup_.store(0, std::memory_order_relaxed);
  sampling_frequency_.store(std::max<uint64_t>(options.sampling_frequency, 1),
                            std::memory_order_relaxed);
  is_on_.store(true, std::memory_order_relaxed);
  return s;
}

void BlockCacheTracer::End() {
  std::unique_ptr<BlockCacheTraceWriter> last;
  MutexLock lock(&mutex_);
  is_on_.store(false, std::memory_order_relaxed);
  last = std::move(writer_);
}

bool BlockCacheTracer::Wants(const Slice& block_key) const {
  const uint64_t frequency =
      sampling_frequency_.load(std::memory_order_relaxed);
  assert(frequency > 0);
  return frequency == 1 || FastRange64(Hash64(block_key), frequency) == 0;
}

void BlockCacheTracer::Write(BlockCacheTraceRecord record, const Names& names) {
  record.access_timestamp = clock_->NowMicros();
  MutexLock lock(&mutex_);
  if (writer_ == nullptr || !is_on()) return;
  const Status s = writer_->WriteBlockAccess(
      record, names.block_key, names.family, names.referenced_key);
  if (!s.ok()) is_on_.store(false, std::memory_order_relaxed);
}

}  // namespace ROCKSDB_NAMESPACE
