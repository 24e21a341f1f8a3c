// How far the database is that an instance follows: before its owner removes a
// file or a log, or writes over one, it says so in the manifest.
//
// Threads  A value; one thread.
#pragma once

#include <cstdint>
#include <string>

#include "file/filename.h"
#include "rocksdb/file_system.h"
#include "rocksdb/status.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

class PrimaryMark {
 public:
  Status Read(FileSystem* fs, const std::string& db_path) {
    uint64_t number = 0;
    Status s = ReadCurrentFile(fs, db_path, &manifest_, &number);
    if (!s.ok()) return s;
    return fs->GetFileSize(manifest_, IOOptions(), &size_bytes_, nullptr);
  }
  Status CheckUnchanged(FileSystem* fs, const std::string& db_path) const {
    PrimaryMark now;
    Status s = now.Read(fs, db_path);
    if (!s.ok() || now == *this) return s;
    return Status::TryAgain("the primary has changed its files meanwhile");
  }
  bool operator==(const PrimaryMark& other) const = default;

 private:
  std::string manifest_;
  uint64_t size_bytes_ = 0;
};

// Whether what failed with `status` may work with a newer manifest: a file may
// go between the moment that the manifest names it and that it is opened. A
// CURRENT that names a manifest which has just been replaced is Corruption.
inline bool MayHaveMoved(const Status& status) {
  return status.IsNotFound() || status.IsPathNotFound() ||
         status.IsCorruption() || status.IsTryAgain();
}

// Calls `open`, which reads a database in `db_path` that somebody else may be
// writing, again while it fails for what has changed meanwhile. What it fails
// for in the end is damage only if nothing has; else it is IOError.
template <class Open>
Status OpenBesideWriter(FileSystem* fs, const std::string& db_path,
                        const Open& open) {
  constexpr int kTries = 10;
  Status s;
  for (int i = 0; i < kTries; ++i) {
    PrimaryMark before, after;
    // What cannot be read is another mark than what can.
    IgnoreError(before.Read(fs, db_path), "`open` says what is wrong");
    s = open();
    if (!MayHaveMoved(s)) return s;
    IgnoreError(after.Read(fs, db_path), "`open` has said what is wrong");
    if (before == after && !s.IsTryAgain()) return s;
  }
  return Status::IOError(
      db_path, "changes faster than it can be opened: " + s.ToString());
}

}  // namespace ROCKSDB_NAMESPACE
