#pragma once

// Traces of the block cache: which blocks are asked for, by whom, and whether
// they are there.

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table_reader_caller.h"
#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record.h"

namespace ROCKSDB_NAMESPACE {

class SystemClock;

// One block that was asked for.
struct BlockCacheTraceRecord {
  // No look-up of a key: they are counted from 1.
  static constexpr uint64_t kReservedGetId = 0;

  uint64_t access_timestamp = 0;  // microseconds since 1970
  std::string block_key;          // in the block cache
  TraceType block_type = TraceType::kTraceMax;
  uint64_t block_size = 0;  // 0: it was not there, and is not put there
  uint64_t cf_id = 0;
  std::string cf_name;
  uint32_t level = 0;
  uint64_t sst_fd_number = 0;
  TableReaderCaller caller = TableReaderCaller::kMaxBlockCacheLookupCaller;
  bool is_cache_hit = false;
  bool no_insert = false;

  // Which look-up of a key asked for the block; unset for other callers.
  uint64_t get_id = kReservedGetId;
  bool get_from_user_specified_snapshot = false;
  std::string referenced_key;  // internal

  // What such a look-up found in the block, if that is a data block.
  uint64_t referenced_data_size = 0;
  uint64_t num_keys_in_block = 0;
  bool referenced_key_exist_in_block = false;

  BlockCacheTraceRecord() = default;
  BlockCacheTraceRecord(uint64_t timestamp, std::string key, TraceType type,
                        uint64_t size, uint64_t family_id,
                        std::string family_name, uint32_t level_number,
                        uint64_t file_number, TableReaderCaller asked_by,
                        bool is_hit, bool is_not_inserted, uint64_t look_up_id,
                        bool has_user_snapshot = false,
                        std::string key_referred_to = "",
                        uint64_t data_size = 0, uint64_t key_count = 0,
                        bool key_exists = false)
      : access_timestamp(timestamp),
        block_key(std::move(key)),
        block_type(type),
        block_size(size),
        cf_id(family_id),
        cf_name(std::move(family_name)),
        level(level_number),
        sst_fd_number(file_number),
        caller(asked_by),
        is_cache_hit(is_hit),
        no_insert(is_not_inserted),
        get_id(look_up_id),
        get_from_user_specified_snapshot(has_user_snapshot),
        referenced_key(std::move(key_referred_to)),
        referenced_data_size(data_size),
        num_keys_in_block(key_count),
        referenced_key_exist_in_block(key_exists) {}
};

struct BlockCacheTraceOptions {
  // One block of so many is traced, always or never. 0 is as 1.
  uint64_t sampling_frequency = 1;
};

struct BlockCacheTraceWriterOptions {
  // Nothing more is written to a trace that is larger.
  uint64_t max_trace_file_size = uint64_t{64} * 1024 * 1024 * 1024;
};

// Threads  Used by one at a time.
class BlockCacheTraceWriter {
 public:
  virtual ~BlockCacheTraceWriter() = default;

  // The three names are given beside the record, whose own are empty then.
  virtual Status WriteBlockAccess(const BlockCacheTraceRecord& record,
                                  const Slice& block_key, const Slice& cf_name,
                                  const Slice& referenced_key) = 0;
  // Comes first, once.
  virtual Status WriteHeader() = 0;
};

// Writes RocksDB's format to `trace_writer`, which it owns and closes at its
// end. `clock` outlives it.
std::unique_ptr<BlockCacheTraceWriter> NewBlockCacheTraceWriter(
    SystemClock* clock, const BlockCacheTraceWriterOptions& trace_options,
    std::unique_ptr<TraceWriter>&& trace_writer);

}  // namespace ROCKSDB_NAMESPACE
