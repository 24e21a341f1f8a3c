// The last statistics that a database has written to its LOG, and what LOG says
// since then of writes that were held back. Reads the LOG of RocksDB, too.
//
// Threads  Plain values; Feed() of one digest: one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct LogDigest {
  struct Family {
    std::vector<std::string> levels;  // rows of the table, sums included
    std::string header;               // the table's line of column names
    std::vector<std::string> causes;  // "4 level0_slowdown"; not those with 0
    std::string compaction;           // "Interval compaction: ..."
  };

  std::string time;  // when the statistics were written; empty: there are none
  // "Interval writes: ..." and others of the database, as they stand.
  std::vector<std::string> database;
  std::string block_cache;
  std::map<std::string, Family> families;

  // Since those statistics.
  uint64_t stall_count = 0;
  uint64_t stop_count = 0;
  std::string last_stall;  // the line, with its time

  // Takes the next line of LOG.
  void Feed(const std::string& line);

 private:
  enum class Part { kNone, kDatabase, kLevels, kOther };
  void FeedMessage(const std::string& line);
  void FeedStatistics(const std::string& line);
  void FeedCauses(const std::string& line);

  Part part_ = Part::kNone;
  std::string family_;
};

// Lines as people read them.
std::string TextOf(const LogDigest& digest);
// One object.
std::string JsonOf(const LogDigest& digest);

}  // namespace ROCKSDB_NAMESPACE
