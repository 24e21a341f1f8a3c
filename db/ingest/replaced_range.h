// The range of a family that an ingestion replaces (atomic_replace_range), and
// the table that takes away what is in it: range tombstones older than the
// files that come with it, and newer than all else, so that snapshots go on
// seeing what they saw.
//
// Threads  Pure functions; Write() does I/O.
// Errors   Those of the table format, of which some have no range tombstones.
#pragma once

#include <optional>
#include <string>

#include "db/version/version_storage.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ReplacedRange {
 public:
  // Not set: nothing is replaced.
  static std::optional<ReplacedRange> From(
      const std::optional<RangeOpt>& range);

  // InvalidArgument for one that ends before it begins.
  Status Check(const Comparator& order) const;

  // Where keys of it are, by the bounds of tables: an order need not have a
  // smallest or a largest key.
  struct Extent {
    std::string begin;
    std::string end;
    bool includes_end = false;
  };
  // Not set: nowhere.
  std::optional<Extent> ExtentIn(const VersionStorage& storage) const;

 private:
  bool Overlaps(const Comparator& order, const FileMeta& file) const;

  std::optional<std::string> begin_;  // not set: open
  std::optional<std::string> end_;    // exclusive; not set: open
};

// An external file at `path` by which nothing is left in `extent`.
Status WriteClearingTable(const Options& options,
                          const ReplacedRange::Extent& extent,
                          const std::string& path);

}  // namespace ROCKSDB_NAMESPACE
