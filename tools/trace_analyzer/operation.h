// One operation on one key, as an analysis sees it: the entries of a batch, and
// the keys of a lookup of many, are operations of their own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record.h"

namespace tools {

enum class OperationType : uint8_t {
  kGet,
  kPut,
  kDelete,
  kSingleDelete,
  kRangeDelete,
  kMerge,
  kIteratorSeek,
  kIteratorSeekForPrev,
  kMultiGet,
  kPutEntity,
};
inline constexpr size_t kOperationTypeCount = 10;

// The type's name in files and reports.
const char* NameOf(OperationType type);
// False: there is no such name.
bool ParseOperationType(const std::string& name, OperationType* type);

struct Operation {
  OperationType type = OperationType::kGet;
  uint32_t family = 0;
  std::string key = {};
  std::string end_key = {};  // the end of a range deletion
  // The size of the value that is written. A trace does not say what lookups of
  // keys find: they count as ten bytes.
  uint64_t value_bytes = 0;
  uint64_t time_micros = 0;
};

// How often users asked, by the kind of call.
struct CallCounts {
  uint64_t gets = 0;
  uint64_t write_batches = 0;
  uint64_t seeks = 0;
  uint64_t seek_for_prevs = 0;
  uint64_t multigets = 0;
  uint64_t total() const {
    return gets + write_batches + seeks + seek_for_prevs + multigets;
  }
};

// Reads a trace of operations from front to back.
//
// Threads  Confined to one thread.
class OperationReader {
 public:
  using Take = std::function<void(const Operation&)>;

  // Corruption: it is no such trace.
  ROCKSDB_NAMESPACE::Status Open(const std::string& path);
  // OK at the end, be it within a record or without the last one. Corruption: a
  // record cannot be read; with `skips_damage` it is passed over.
  ROCKSDB_NAMESPACE::Status ReadAll(bool skips_damage, const Take& take);

  uint64_t start_micros() const { return start_micros_; }
  const CallCounts& calls() const { return calls_; }

 private:
  ROCKSDB_NAMESPACE::Status Handle(const std::string& bytes, const Take& take);

  std::unique_ptr<ROCKSDB_NAMESPACE::TraceReader> reader_;
  uint64_t start_micros_ = 0;
  int version_ = 0;
  CallCounts calls_;
};

}  // namespace tools
