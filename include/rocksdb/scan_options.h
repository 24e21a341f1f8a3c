#pragma once

// What a scan of several ranges reads, and how it fetches it ahead.
//
// Threads    Plain values.
// Lifetime   Keys are not copied: they must live until DB::NewMultiScan() or
//            Iterator::Prepare() returns, which copy them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

class IODispatcher;

// A range of user keys [start, limit), whose ends may be open.
struct RangeOpt {
  OptSlice start;
  OptSlice limit;

  RangeOpt() = default;
  RangeOpt(const OptSlice& from, const OptSlice& to) : start(from), limit(to) {}
};

// One range of a scan.
struct ScanOptions {
  ScanOptions() = default;
  explicit ScanOptions(const Slice& start) : range(start, OptSlice()) {}
  ScanOptions(const Slice& start, const Slice& limit) : range(start, limit) {}

  // [start, limit). The start must be there.
  RangeOpt range;

  // For table formats of others; those of the engine have no use for it.
  std::optional<std::unordered_map<std::string, std::string>> property_bag;
};

// The ranges of a scan, in the order of their keys, none overlapping; with
// `reverse` also in the opposite order. Each begins before its limit. One range
// alone may have no limit: the ordinary read-ahead serves it then.
class MultiScanArgs {
 public:
  // The ranges are in the order of the family that is scanned.
  MultiScanArgs() = default;
  // Only for families with this comparator, by name.
  explicit MultiScanArgs(const Comparator* comparator)
      : comparator_(comparator) {}

  void insert(const Slice& start) { ranges_.emplace_back(start); }
  void insert(const Slice& start, const Slice& limit) {
    ranges_.emplace_back(start, limit);
  }
  void insert(
      const Slice& start,
      const std::optional<std::unordered_map<std::string, std::string>>& bag) {
    insert(start);
    ranges_.back().property_bag = bag;
  }
  void insert(
      const Slice& start, const Slice& limit,
      const std::optional<std::unordered_map<std::string, std::string>>& bag) {
    insert(start, limit);
    ranges_.back().property_bag = bag;
  }

  // Gives the list of its ranges.
  operator std::vector<ScanOptions>*() { return &ranges_; }
  operator const std::vector<ScanOptions>*() const { return &ranges_; }

  // Does each range have a limit?
  bool HasBoundedScanRanges() const {
    for (const ScanOptions& scan : ranges_) {
      if (!scan.range.limit.has_value()) return false;
    }
    return true;
  }

  size_t size() const { return ranges_.size(); }
  bool empty() const { return ranges_.empty(); }
  void reserve(size_t count) { ranges_.reserve(count); }
  void clear() { ranges_.clear(); }
  const std::vector<ScanOptions>& GetScanRanges() const { return ranges_; }
  // Null: whatever the family has.
  const Comparator* GetComparator() const { return comparator_; }

  // All but the ranges.
  void CopyConfigFrom(const MultiScanArgs& other) {
    io_coalesce_threshold = other.io_coalesce_threshold;
    max_prefetch_size = other.max_prefetch_size;
    use_async_io = other.use_async_io;
    reverse = other.reverse;
    io_dispatcher = other.io_dispatcher;
  }

  // Blocks of a file are fetched by one read if no more than so many bytes
  // that nobody wants lie between them.
  uint64_t io_coalesce_threshold = 16 << 10;

  // Bytes of a file that may be in memory, fetched ahead; the rest is fetched
  // as the scan goes on. 0: 64 MiB. All files together get no more than 64 MiB,
  // but for what is needed at once.
  uint64_t max_prefetch_size = 0;

  // The fetching goes on while the scan does, where the file system can.
  bool use_async_io = false;

  // Each range is read from its limit down to its start.
  bool reverse = false;

  // Limits what is fetched ahead over all scans that have the same one
  // (rocksdb/io_dispatcher.h). Null: each scan has its own limits alone.
  std::shared_ptr<IODispatcher> io_dispatcher = nullptr;

 private:
  const Comparator* comparator_ = nullptr;
  std::vector<ScanOptions> ranges_;
};

}  // namespace ROCKSDB_NAMESPACE
