// A database, opened as the flags say, and what is asked of it as a whole.
//
// Threads    After Open(), what the C interface allows: any thread.
// Errors     End the program.

#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/c.h"
#include "tools/c_bench/flags.h"

namespace c_bench {

class Database {
 public:
  explicit Database(const Flags& flags);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Opens it, if it is not open, and prints how long that took.
  void Open();
  void Close();
  // Opens an empty one; what is there is destroyed.
  void OpenFresh();

  rocksdb_t* db() const { return db_; }
  const rocksdb_options_t* options() const { return options_; }
  const std::string& path() const { return path_; }
  const Flags& flags() const { return flags_; }

  // The family of the key of this number.
  rocksdb_column_family_handle_t* Family(uint64_t key) const {
    return families_[key % families_.size()];
  }
  const std::vector<rocksdb_column_family_handle_t*>& families() const {
    return families_;
  }

  // The sum of a property over the families; 0 where an engine lacks it.
  uint64_t Property(const std::string& name) const;
  std::string TextProperty(const std::string& name) const;

  void Flush() const;
  // Returns once neither a flush nor a compaction runs or is due, or once
  // `is_stopped`, if it is given: what is due in an engine that has been told
  // to stop stays so.
  void WaitForCompaction(const std::atomic<bool>* is_stopped = nullptr) const;
  // The engine's counters as text; empty without --statistics.
  std::string Statistics() const;

 private:
  void OpenFamilies();

  const Flags& flags_;
  const std::string path_;
  rocksdb_options_t* options_ = nullptr;
  rocksdb_ratelimiter_t* limiter_ = nullptr;
  rocksdb_t* db_ = nullptr;
  std::vector<rocksdb_column_family_handle_t*> families_;
};

// Resident memory of this process in KiB, now and at its highest.
struct Resident {
  uint64_t now_kib = 0;
  uint64_t peak_kib = 0;
};
Resident ReadResident();

}  // namespace c_bench
