// Obsolete logs that are kept for a while, for GetUpdatesSince(): by age
// (WAL_ttl_seconds) and by size (WAL_size_limit_MB), in archive/ below the log
// directory.
//
// Threads    Safe for concurrent use.
// Errors     A log that cannot be moved stays where it is; one that cannot be
//            deleted is tried again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "options/db_options.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class PeriodicTask;

class WalArchive {
 public:
  // How a log is deleted.
  using Deleter =
      std::function<Status(const std::string& path, uint64_t size_bytes)>;

  WalArchive(const ImmutableDBOptions* db, std::string wal_dir,
             Deleter deleter);
  ~WalArchive();

  // Either limit is set: obsolete logs are kept.
  bool is_on() const {
    return db_->WAL_ttl_seconds > 0 || db_->WAL_size_limit_MB > 0;
  }
  // Moves a log that nothing needs any more here.
  Status Take(uint64_t number) EXCLUDES(mutex_);
  // Deletes what is beyond the limits; also done every ten minutes, or twice
  // in the age limit, from Start() until Stop().
  void Prune() EXCLUDES(mutex_);
  void Start();
  void Stop();

 private:
  struct Kept {
    uint64_t number = 0;
    uint64_t size_bytes = 0;
    uint64_t age_seconds = 0;
  };
  // Oldest first.
  std::vector<Kept> List() const REQUIRES(mutex_);
  void Delete(const Kept& kept) const REQUIRES(mutex_);

  const ImmutableDBOptions* const db_;
  const std::string wal_dir_;
  const Deleter deleter_;
  Mutex mutex_;  // One move or pruning at a time.
  const std::unique_ptr<PeriodicTask> pruning_;
};

}  // namespace ROCKSDB_NAMESPACE
