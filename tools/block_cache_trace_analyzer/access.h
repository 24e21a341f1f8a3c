// The accesses of a trace of the block cache, and groups of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "monitoring/trace/block_cache_trace_text.h"
#include "rocksdb/status.h"
#include "rocksdb/table_reader_caller.h"
#include "rocksdb/trace_record.h"

namespace tools {

using ROCKSDB_NAMESPACE::BlockAccessText;
using ROCKSDB_NAMESPACE::TableReaderCaller;
using ROCKSDB_NAMESPACE::TraceType;

inline constexpr uint64_t kMicrosPerSecond = 1'000'000;

inline double PercentOf(uint64_t part, uint64_t whole) {
  return whole == 0
             ? 0
             : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

const char* NameOfBlockType(TraceType type);
const char* NameOfCaller(TableReaderCaller caller);
bool IsCallerName(const std::string& name);
// Does a user wait for it?
bool IsUserAccess(const BlockAccessText& access);

// All accesses, in order. A trace may end within a record; Corruption: it is no
// such trace, or a record cannot be read.
ROCKSDB_NAMESPACE::Status ReadAccesses(const std::string& path, bool is_text,
                                       std::vector<BlockAccessText>* accesses);
ROCKSDB_NAMESPACE::Status WriteAccesses(
    const std::vector<BlockAccessText>& accesses, const std::string& path);

// When the first of the accesses began, and when the last one did. Threads
// record accesses as they are done with them: neither need be at an end of the
// list. Zeros: there are none.
struct TimeSpan {
  uint64_t first_micros = 0;
  uint64_t last_micros = 0;
};
TimeSpan SpanOf(const std::vector<BlockAccessText>& accesses);

// A label such as "cf_level": accesses with the same family and level are one
// group. Parts: block, cf, sst, level, bt (type of block), caller, all.
class Grouping {
 public:
  // `label` is one.
  explicit Grouping(const std::string& label);
  static bool IsLabel(const std::string& label);

  const std::string& label() const { return label_; }
  std::string GroupOf(const BlockAccessText& access) const;

 private:
  const std::string label_;
  std::vector<std::string> parts_;
};

}  // namespace tools
