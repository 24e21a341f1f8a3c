// What a running compaction has read and written, in the tickers
// COMPACT_READ_BYTES and COMPACT_WRITE_BYTES: they grow with every output file,
// so that a rate taken from them does not jump by whole jobs.
//
// An output counts when it is durable, an input when the outputs have passed
// its last key. Whatever is left counts at the end, so the tickers grow by the
// totals of the job; of a failed one, by what it had done.
//
// Threads    Any: sub-compactions run side by side.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "db/compaction/compaction.h"
#include "rocksdb/comparator.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"

namespace ROCKSDB_NAMESPACE {

class CompactionProgress {
 public:
  // `statistics` may be null; all outlive this.
  CompactionProgress(const Compaction* compaction, const Comparator* order,
                     Statistics* statistics);
  CompactionProgress(const CompactionProgress&) = delete;
  CompactionProgress& operator=(const CompactionProgress&) = delete;

  // What the inputs have after the user key `after` (nullopt: from the first
  // on) up to `last` is now in a finished output of `written_bytes`.
  void Advance(const std::optional<Slice>& after, const Slice& last,
               uint64_t written_bytes);
  // An earlier job has done this: what the inputs have up to `last` is in
  // outputs of `written_bytes`. The tickers of this process do not count it.
  void TakeOver(const Slice& last, uint64_t written_bytes);
  // The job is done: what it read and wrote in all.
  void Finish(uint64_t read_bytes, uint64_t written_bytes);

  uint64_t read_bytes() const { return read_bytes_.load(); }
  uint64_t written_bytes() const { return written_bytes_.load(); }

 private:
  uint64_t InputBytes(const std::optional<Slice>& after,
                      const Slice& last) const;

  const Compaction* const compaction_;
  const Comparator* const order_;
  Statistics* const statistics_;
  std::atomic<uint64_t> read_bytes_{0};
  std::atomic<uint64_t> written_bytes_{0};
};

}  // namespace ROCKSDB_NAMESPACE
