// Accesses of the block cache as lines of text, with numbers instead of keys:
// the form that is read by people and by simulators of caches.
//
// A line has 21 values with commas between them:
//
//   microseconds, block, type, size, family, name of the family, level, file,
//   caller, not inserted, look-up, key, bytes found, hit, key found, keys in
//   the block, table, sequence, size of the block's key, size of the key,
//   offset of the block
//
// Keys of blocks and of users are numbered as they come, from 1 on; 0: none.
// The table is what the first four bytes of a user's key are as a number,
// highest byte first (SQL engines number their tables there). The offset is 0
// where the block's key does not tell it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct BlockAccessText {
  uint64_t time_micros = 0;
  uint64_t block = 0;
  TraceType type = kBlockTraceDataBlock;
  uint64_t block_bytes = 0;
  uint64_t family = 0;
  std::string family_name;
  uint32_t level = 0;
  uint64_t file = 0;
  TableReaderCaller caller = kUncategorized;
  bool no_insert = false;
  uint64_t lookup = 0;
  uint64_t key = 0;
  uint64_t found_bytes = 0;
  bool is_hit = false;
  bool is_key_found = false;
  uint64_t key_count = 0;
  uint64_t table = 0;
  uint64_t sequence = 0;
  uint64_t block_key_bytes = 0;
  uint64_t key_bytes = 0;
  uint64_t offset = 0;
};

// Without the end of the line.
std::string BlockAccessLine(const BlockAccessText& access);
// Corruption: it is no such line.
Status ParseBlockAccess(std::string_view line, BlockAccessText* access);

// Numbers what the records of one trace speak of.
//
// Threads  Confined to one thread.
class BlockAccessNumbers {
 public:
  BlockAccessText Number(const BlockCacheTraceRecord& record);

 private:
  using Numbers = std::unordered_map<std::string, uint64_t>;
  static uint64_t NumberOf(const std::string& name, Numbers* numbers) {
    return numbers->emplace(name, numbers->size() + 1).first->second;
  }

  Numbers blocks_;
  Numbers keys_;
};

}  // namespace ROCKSDB_NAMESPACE
