// A file system that tells watchers what is done to its files.
//
// Counting, slowing down and failing are watchers, so that one wrapper serves
// all of them. Reads of tables and logs are told, whichever call does them.
//
// Threads    Watchers are called from all threads, at once.
// Ownership  The file system and its files share the watchers.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/file_system.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

// What has no bytes to be told of.
enum class FileCall {
  kDelete,
  kRename,
  kFlush,
  kSync,
  kFsync,
  kClose,
  kDirectoryOpen,
  kDirectoryFsync,
  kDirectoryClose,
};
inline constexpr size_t kFileCalls = 9;

class FileWatcher {
 public:
  virtual ~FileWatcher() = default;

  virtual void OnCall(FileCall /*call*/) {}

  virtual void OnOpen(const std::string& /*file*/) {}
  virtual void OnCreate(const std::string& /*file*/,
                        Temperature /*temperature*/) {}
  virtual void OnDelete(const std::string& /*file*/) {}
  // Before a read at random of `bytes`: what it ends with unless it is OK.
  virtual IOStatus OnRead(const std::string& /*file*/, uint64_t /*bytes*/) {
    return IOStatus::OK();
  }
  // Before `bytes` are read in order, as of a log.
  virtual void OnSequentialRead(uint64_t /*bytes*/) {}
  virtual void OnWrite(const std::string& /*file*/, uint64_t /*bytes*/) {}
};

using FileWatchers = std::vector<std::shared_ptr<FileWatcher>>;

std::shared_ptr<FileSystem> NewWatchedFileSystem(
    const std::shared_ptr<FileSystem>& base, const FileWatchers& watchers);

}  // namespace ROCKSDB_NAMESPACE::bench
