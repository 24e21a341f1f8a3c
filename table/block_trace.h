#pragma once

// What a table file tells a trace of the block cache: each lookup of a block,
// by whom, and what of a data block was of use.
//
// Cost       No trace runs: one predictable branch for a lookup of a block.
// Threads    Any number; each has its own requester.
// Ownership  Borrows the tracer, which the database has.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "rocksdb/slice.h"
#include "rocksdb/table_reader_caller.h"

namespace ROCKSDB_NAMESPACE {

class Block;
class BlockCacheTracer;
enum class BlockKind : uint8_t;
struct ReadOptions;
struct TableParts;

// A file's part in the traces of its database.
class BlockTrace {
 public:
  // Nobody ever traces.
  BlockTrace() = default;
  // `tracer` may be null.
  BlockTrace(BlockCacheTracer* tracer, uint64_t file_number);

  // relaxed: what runs beside the beginning or the end of a trace may be in it
  // or not.
  bool is_on() const {
    return is_on_ != nullptr && is_on_->load(std::memory_order_relaxed);
  }
  BlockCacheTracer* tracer() const { return tracer_; }
  uint64_t file_number() const { return file_number_; }

 private:
  BlockCacheTracer* tracer_ = nullptr;
  const std::atomic<bool>* is_on_ = nullptr;  // the tracer's
  uint64_t file_number_ = 0;
};

// On whose behalf the calling thread looks blocks up, where that is more than
// its I/O activity tells.
struct BlockRequester {
  TableReaderCaller caller = kUncategorized;
  // The number of a call that looks keys up (PointLookup::TraceId()); 0: none.
  uint64_t lookup_id = 0;
  bool has_user_snapshot = false;
  // The internal key that is sought; empty: several are, or none.
  Slice sought_key = {};
};

namespace block_trace_internal {

// Constant-initialised, so that reading it needs no guard.
inline thread_local constinit const BlockRequester* current
    __attribute__((tls_model("initial-exec"))) = nullptr;

}  // namespace block_trace_internal

// Until the end of the scope, which `requester` outlives. Scopes nest; the
// innermost one counts.
class BlockRequesterScope {
 public:
  explicit BlockRequesterScope(const BlockRequester& requester)
      : before_(block_trace_internal::current) {
    block_trace_internal::current = &requester;
  }
  ~BlockRequesterScope() { block_trace_internal::current = before_; }
  BlockRequesterScope(const BlockRequesterScope&) = delete;
  BlockRequesterScope& operator=(const BlockRequesterScope&) = delete;

  // Null: nobody in particular.
  static const BlockRequester* Current() {
    return block_trace_internal::current;
  }

 private:
  const BlockRequester* const before_;
};

// A block that was looked up, where it lies in the file.
struct BlockAccess {
  BlockKind kind;
  uint64_t offset = 0;
  size_t bytes = 0;  // in memory; 0: nobody has it
  bool is_hit = false;
};

// Records an access to an index or a filter, or an iterator's to a data block.
void TraceAccess(const TableParts& parts, const ReadOptions& read,
                 const BlockAccess& access);

// Records an access to a data block by a lookup of keys, and whether they are
// in it. `keys` are the internal keys sought; `block` is null if it could not
// be had.
struct SoughtKeys {
  const Slice* keys = nullptr;
  size_t count = 0;
};
void TraceDataAccess(const TableParts& parts, const ReadOptions& read,
                     const BlockAccess& access, const Block* block,
                     const SoughtKeys& sought);

}  // namespace ROCKSDB_NAMESPACE
