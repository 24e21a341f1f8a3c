// The lines about a cache that SimCache::StartActivityLogging() asks for.
//
// Threads  Any.
// Errors   The first one ends it, and is remembered until the next start.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "file/writable_file_writer.h"
#include "rocksdb/env.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ActivityLog {
 public:
  ActivityLog() = default;
  ~ActivityLog() { Stop(); }

  Status Start(const std::string& path, Env* env, uint64_t max_bytes);
  void Stop();
  Status status() const;

  void NoteLookup(const Slice& key) {
    if (is_on_.load(std::memory_order_relaxed)) AppendLookup(key);
  }
  void NoteInsertion(const Slice& key, size_t charge) {
    if (is_on_.load(std::memory_order_relaxed)) AppendInsertion(key, charge);
  }

 private:
  void AppendLookup(const Slice& key);
  void AppendInsertion(const Slice& key, size_t charge);
  void AppendLine(const std::string& line);
  void EndLocked(Status s) REQUIRES(mutex_);

  // Relaxed: whether a line that is about to be written comes too late is found
  // out under the mutex.
  std::atomic<bool> is_on_{false};
  mutable Mutex mutex_;
  std::unique_ptr<WritableFileWriter> file_ GUARDED_BY(mutex_);
  uint64_t max_bytes_ GUARDED_BY(mutex_) = 0;
  Status status_ GUARDED_BY(mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
