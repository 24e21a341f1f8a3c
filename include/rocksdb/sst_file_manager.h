// Tracks the table files of one or more databases, limits their total size,
// and deletes files slowly.
//
// Threads  Every call from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "rocksdb/file_system.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class Env;
class Logger;
class Statistics;

class SstFileManager {
 public:
  virtual ~SstFileManager() = default;

  // Total size of table files at which writes fail; 0 = no limit.
  virtual void SetMaxAllowedSpaceUsage(uint64_t max_allowed_space) = 0;

  // Space that a compaction must leave free.
  virtual void SetCompactionBufferSize(uint64_t compaction_buffer_size) = 0;

  virtual bool IsMaxAllowedSpaceReached() = 0;
  virtual bool IsMaxAllowedSpaceReachedIncludingCompactions() = 0;

  // Bytes of all tracked files, and each file's.
  virtual uint64_t GetTotalSize() = 0;
  virtual std::unordered_map<std::string, uint64_t> GetTrackedFiles() = 0;

  // Bytes a second of deletion; <= 0 = at once.
  virtual int64_t GetDeleteRateBytesPerSecond() = 0;
  virtual void SetDeleteRateBytesPerSecond(int64_t delete_rate) = 0;

  // Part of trash above which files are deleted at once.
  virtual double GetMaxTrashDBRatio() = 0;
  virtual void SetMaxTrashDBRatio(double ratio) = 0;
  virtual uint64_t GetTotalTrashSize() = 0;

  virtual void SetStatisticsPtr(const std::shared_ptr<Statistics>& stats) = 0;
};

// A manager for files of `env`. Deletion is paced at `rate_bytes_per_sec`
// (0 = at once). The caller owns the result, which is never null: `*status`, if
// given, says whether the trash that is left in `trash_dir` could be listed.
SstFileManager* NewSstFileManager(
    Env* env, std::shared_ptr<Logger> info_log = nullptr,
    std::string trash_dir = "", int64_t rate_bytes_per_sec = 0,
    bool delete_existing_trash = true, Status* status = nullptr,
    double max_trash_db_ratio = 0.25,
    uint64_t bytes_max_delete_chunk = 64 * 1024 * 1024);

SstFileManager* NewSstFileManager(Env* env, std::shared_ptr<FileSystem> fs,
                                  std::shared_ptr<Logger> info_log = nullptr,
                                  const std::string& trash_dir = "",
                                  int64_t rate_bytes_per_sec = 0,
                                  bool delete_existing_trash = true,
                                  Status* status = nullptr,
                                  double max_trash_db_ratio = 0.25,
                                  uint64_t bytes_max_delete_chunk = 64 * 1024 *
                                                                    1024);

}  // namespace ROCKSDB_NAMESPACE
