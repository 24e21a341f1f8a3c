// The backups of one directory, and which of its files they need.
//
// Threads  Load() reads on threads of its own; the rest serves one thread at a
//          time, or any number that only read.
// Errors   A backup that is damaged is none; any other failure is an error.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/utilities/backup_engine.h"
#include "utilities/backup/backup_description.h"

namespace ROCKSDB_NAMESPACE {

class RateLimiter;

struct Backup {
  BackupID id = 0;
  // Sizes are known.
  BackupDescription description;
  // OK, or what is wrong with it.
  IOStatus status;
  // All paths that it names, as far as they can be read.
  std::vector<std::string> needs;

  uint64_t TotalBytes() const;
};

class BackupCatalog {
 public:
  BackupCatalog(std::shared_ptr<FileSystem> fs, std::string root,
                Logger* info_log)
      : fs_(std::move(fs)), root_(std::move(root)), info_log_(info_log) {}

  // Reads the newest `max_valid` valid backups, and what is found on the way.
  // So many threads read, or more where there is much to read. `limiter` may be
  // null.
  IOStatus Load(size_t max_valid, int thread_count, RateLimiter* limiter);

  const std::shared_ptr<FileSystem>& fs() const { return fs_; }
  const std::string& root() const { return root_; }
  std::string PathOf(const std::string& relative) const {
    return root_ + "/" + relative;
  }
  std::string MetaPathOf(BackupID id) const;

  // By ascending id, damaged ones included.
  const std::map<BackupID, Backup>& all() const { return backups_; }
  const Backup* Find(BackupID id) const;
  // Null if there is none.
  const Backup* NewestValid() const;
  // The largest that was ever seen here.
  BackupID largest_id() const { return largest_id_; }

  // A shared file that a valid backup has; null if none does.
  const BackupFile* FindShared(const std::string& path) const;
  // Does any backup need it, damaged ones included?
  bool IsNeeded(const std::string& path) const {
    return needed_.count(path) > 0;
  }

  void Add(Backup backup);
  void Remove(BackupID id);

 private:
  using Sizes = std::map<std::string, uint64_t>;

  IOStatus ListIds(std::vector<BackupID>* newest_first) const;
  // Adds the files of a directory; one that is not there has none.
  IOStatus ListSizes(const std::string& directory, Sizes* sizes) const;
  IOStatus LoadOne(BackupID id, const Sizes& shared, RateLimiter* limiter,
                   std::unique_ptr<Backup>* result) const;
  IOStatus FindFiles(const Sizes& sizes, Backup* backup) const;

  const std::shared_ptr<FileSystem> fs_;
  const std::string root_;
  Logger* const info_log_;  // may be null
  std::map<BackupID, Backup> backups_;
  // How many backups name the path, and of valid ones the file.
  std::map<std::string, size_t> needed_;
  struct SharedFile {
    BackupFile file;
    size_t count = 0;
  };
  std::map<std::string, SharedFile> shared_;
  BackupID largest_id_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
