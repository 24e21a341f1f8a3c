// Snapshots of the tickers in a column family of the database itself
// (persist_stats_to_disk): each entry is what one ticker counted since the
// snapshot before.
//
//   key      seconds since 1970, ten decimal digits at least; '#'; the ticker
//   value    decimal digits
//   two keys more, behind all others, tell the version of this format, and the
//   oldest one whose readers can read it
//
// Threads    Write() one at a time; the rest any.
// Ownership  Borrows the database, which must outlive iterators too.
// Errors     NotSupported: a later release has written what is there.
//            Corruption: an entry that makes no sense.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/stats_history.h"

namespace ROCKSDB_NAMESPACE {

class PersistentStats {
 public:
  using Counts = std::map<std::string, uint64_t>;

  static constexpr char kFamily[] = "___rocksdb_stats_history___";
  static constexpr int kFormatVersion = 1;
  // The keys of the versions.
  static constexpr char kFormatKey[] = "__persistent_stats_format_version__";
  static constexpr char kCompatibleKey[] =
      "__persistent_stats_compatible_version__";

  static ColumnFamilyOptions FamilyOptions();
  static std::string KeyOf(uint64_t seconds, const Slice& ticker);
  static bool ParseKey(const Slice& key, uint64_t* seconds, Slice* ticker);

  PersistentStats(DB* db, std::unique_ptr<ColumnFamilyHandle> family);

  // Whether what is there can be read.
  Status Check() const;
  // Check(), and the versions of a family that has none yet.
  Status Prepare();
  // What the tickers show now. The first call is where counting begins.
  Status Write(uint64_t now_seconds, const Counts& totals);
  // Over [from, to) seconds, as of now.
  std::unique_ptr<StatsHistoryIterator> NewIterator(uint64_t from,
                                                    uint64_t to) const;

 private:
  DB* const db_;
  const std::unique_ptr<ColumnFamilyHandle> family_;
  bool has_begun_ = false;
  Counts last_totals_;
  uint64_t last_seconds_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
