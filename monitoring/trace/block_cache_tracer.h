// Records which blocks are looked up in the block cache, as long as somebody
// traces it.
//
// Cost       Nobody does: one relaxed load for a lookup of a block.
// Threads    Any. Records are written one at a time, under a lock of its own,
//            so an application's BlockCacheTraceWriter must not use the
//            database.
// Errors     The first one of the writer ends the trace, and nobody else hears
//            of it: lookups go on.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class SystemClock;

class BlockCacheTracer {
 public:
  // `clock` outlives it.
  explicit BlockCacheTracer(SystemClock* clock);
  // Ends a trace that runs.
  ~BlockCacheTracer();
  BlockCacheTracer(const BlockCacheTracer&) = delete;
  BlockCacheTracer& operator=(const BlockCacheTracer&) = delete;

  // Busy: a trace runs. What the header fails with, else.
  Status Start(const BlockCacheTraceOptions& options,
               std::unique_ptr<BlockCacheTraceWriter>&& writer)
      EXCLUDES(mutex_);
  // Nothing happens where none runs.
  void End() EXCLUDES(mutex_);

  // relaxed: what runs beside Start() or End() may be in the trace or not.
  bool is_on() const { return is_on_.load(std::memory_order_relaxed); }
  // The same, for who has no room for this header.
  const std::atomic<bool>* on_switch() const { return &is_on_; }
  // Is the block with that key in the cache one of those that are traced?
  bool Wants(const Slice& block_key) const;
  // Numbers the lookups of keys in a trace, from 1 on.
  uint64_t NextLookupId() {
    return last_lookup_.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  // The access is now. What the record has empty is given beside it.
  struct Names {
    Slice block_key;
    Slice family;
    Slice referenced_key;
  };
  void Write(BlockCacheTraceRecord record, const Names& names) EXCLUDES(mutex_);

 private:
  SystemClock* const clock_;
  std::atomic<bool> is_on_{false};
  // One block of so many is traced.
  std::atomic<uint64_t> sampling_frequency_{1};
  std::atomic<uint64_t> last_lookup_{0};
  Mutex mutex_;
  // null: no trace runs. One that has failed stays until End().
  std::unique_ptr<BlockCacheTraceWriter> writer_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
