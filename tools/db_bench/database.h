// The database under test: destroyed, created and opened as benchmarks ask.
//
// With --num_multi_db there are several, which are treated alike.
//
// Threads    Confined to the main thread; db(), targets() and existing_keys()
//            may be used by benchmark threads while one is open.
// Ownership  Owns the open databases, and closes them.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/following.h"
#include "tools/db_bench/openings.h"
#include "tools/db_bench/targets.h"

namespace ROCKSDB_NAMESPACE::bench {

class Database {
 public:
  Database(const Options& options, const Openings& openings)
      : options_(options), openings_(openings) {}
  // Handles go before their databases.
  ~Database() { targets_.Clear(); }

  // Finds the directory and opens it; without --use_existing_db, empty.
  Status Open();

  // Destroys the databases and opens empty ones.
  Status Renew();

  // Was the last failure that of an open?
  bool failed_to_open() const { return failed_to_open_; }

  // Waits for nothing: what runs in the background is stopped.
  Status Close();

  // The first one, which is the only one most of the time.
  DB* db() const { return dbs_.empty() ? nullptr : dbs_.front().get(); }
  Targets& targets() { return targets_; }
  const std::string& path() const { return path_; }
  const Options& options() const { return options_; }

  // With --use_existing_keys, the keys in the database; else null.
  const std::vector<std::string>* existing_keys() const {
    return existing_keys_.empty() ? nullptr : &existing_keys_;
  }

 private:
  Status FindPath();
  std::vector<std::string> Paths() const;
  Status OpenAll();
  Status OpenOne(const std::string& path);
  Status ReadExistingKeys();

  const Options options_;
  const Openings openings_;
  std::string path_;
  std::vector<std::unique_ptr<DB>> dbs_;
  Targets targets_;
  // Stops before the database is closed that it catches up.
  std::unique_ptr<CatchingUp> catching_up_;
  std::vector<std::string> existing_keys_;
  bool failed_to_open_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::bench
