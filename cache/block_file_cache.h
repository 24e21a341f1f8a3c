// A PersistentCache in files of one directory: blocks are appended to the
// newest file, and the oldest file goes when there is no room.
//
// A file is as large as the next one, so that what is deleted is what was
// inserted first. Which blocks there are is known in memory alone: files that
// an earlier process has left are deleted when the cache is opened.
//
// Threads    Any. One thread of its own writes: a block can be found once it is
//            written. Files are read without a lock.
// Ownership  Owns its files, and deletes them with itself.
// Errors     A block that cannot be written is dropped; one that cannot be
// read,
//            or is damaged, is not found. Both are counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/persistent_cache.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class WritableFileWriter;

class BlockFileCache final : public PersistentCache {
 public:
  struct Options {
    std::shared_ptr<FileSystem> fs;
    std::string directory;
    uint64_t capacity_bytes = 0;
    std::shared_ptr<Logger> logger;  // may be null
    bool writes_directly = false;    // where the file system can
    uint64_t file_bytes = 100 << 20;
    // That wait to be written; what comes when there are more is dropped.
    uint64_t most_waiting_bytes = 1 << 30;
  };
  explicit BlockFileCache(Options options);
  ~BlockFileCache() override;

  // Makes `parent` and the directory, deletes what an earlier process has left.
  // InvalidArgument if there is no room for a file.
  Status Open(const std::string& parent);

  Status Insert(const Slice& key, const char* data, const size_t size) override;
  Status Lookup(const Slice& key, std::unique_ptr<char[]>* data,
                size_t* size) override;
  bool IsCompressed() override { return true; }
  StatsType Stats() override;
  std::string GetPrintableOptions() const override;
  uint64_t NewId() override { return next_id_.fetch_add(1); }

  // Waits until all that was inserted is written, or dropped.
  void AwaitWrites() EXCLUDES(mutex_);

 private:
  struct File;
  struct Place {
    std::shared_ptr<const File> file;
    uint64_t offset = 0;
    size_t size = 0;  // bytes of the record
  };
  struct Waiting {
    std::string key;
    std::string record;
  };
  struct Counts {
    uint64_t hits = 0;
    uint64_t misses = 0;
    uint64_t errors = 0;
    uint64_t dropped = 0;
    uint64_t waited_bytes = 0;
    uint64_t written_bytes = 0;
    uint64_t read_bytes = 0;
    uint64_t write_micros = 0;
    uint64_t hit_micros = 0;
    uint64_t miss_micros = 0;
  };

  Status DeleteLeftOvers();
  void Work() EXCLUDES(mutex_);
  bool TakeWaiting(std::vector<Waiting>* batch) EXCLUDES(mutex_);
  Status Write(const std::vector<Waiting>& batch, std::vector<Place>* places)
      EXCLUDES(mutex_);
  Status BeginFile() EXCLUDES(mutex_);
  void DropOldest() EXCLUDES(mutex_);

  const Options options_;
  std::atomic<uint64_t> next_id_{1};

  mutable Mutex mutex_;
  CondVar changed_{&mutex_};
  std::deque<Waiting> waiting_ GUARDED_BY(mutex_);
  uint64_t waiting_bytes_ GUARDED_BY(mutex_) = 0;
  bool is_writing_ GUARDED_BY(mutex_) = false;
  bool is_ending_ GUARDED_BY(mutex_) = false;
  std::unordered_map<std::string, Place> places_ GUARDED_BY(mutex_);
  Counts counts_ GUARDED_BY(mutex_);

  // Only the writing thread uses files_, writer_ and next_file_.
  std::deque<std::shared_ptr<File>> files_;     // oldest first
  std::unique_ptr<WritableFileWriter> writer_;  // the newest file's, if open
  uint64_t next_file_ = 0;
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE
