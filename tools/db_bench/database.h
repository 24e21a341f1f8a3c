// The database under test: destroyed, created and opened as benchmarks ask.
//
// Threads    Confined to the main thread; db() and existing_keys() may be
//            used by benchmark threads while one is open.
// Ownership  Owns the open database, and closes it.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/openings.h"

namespace ROCKSDB_NAMESPACE::bench {

class Database {
 public:
  Database(const Options& options, const Openings& openings)
      : options_(options), openings_(openings) {}

  // Finds the directory and opens it; without --use_existing_db, empty.
  Status Open();

  // Destroys the database and opens an empty one.
  Status Renew();

  // Waits for nothing: what runs in the background is stopped.
  Status Close();

  DB* db() const { return db_.get(); }
  const std::string& path() const { return path_; }
  const Options& options() const { return options_; }

  // With --use_existing_keys, the keys in the database; else null.
  const std::vector<std::string>* existing_keys() const {
    return existing_keys_.empty() ? nullptr : &existing_keys_;
  }

 private:
  Status FindPath();
  Status OpenAtPath();
  Status ReadExistingKeys();

  const Options options_;
  const Openings openings_;
  std::string path_;
  std::unique_ptr<DB> db_;
  std::vector<std::string> existing_keys_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
