// The tables and blob files of a leader under names of a follower's own: hard
// links in the follower's directory, through which it reads. What the leader
// deletes stays readable as long as some version here lists it.
//
// A file has the name that its number gives it, wherever the leader keeps it.
// The directory holds links only while it is open: closing removes them, and
// opening those of a process that was killed.
//
// Invariant  No name of the leader's is ever made, changed or removed.
// Threads    The calls of ObsoleteFileSink from any thread; the others from one
//            at a time (CatchUp::mutex_, or the thread that opens or
//            closes the database).
// Errors     NotSupported where there can be no hard link, with the reason.
//            NotFound: the leader has removed the file since.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "db/blob/blob_file.h"
#include "db/tables/file_meta.h"
#include "db/version/version_builder.h"
#include "rocksdb/cache.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

struct ImmutableDBOptions;

class LinkedFiles final : public ObsoleteFileSink {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string directory;
    std::shared_ptr<Cache> open_tables;  // the database's cache of readers
  };
  explicit LinkedFiles(Context context);

  // InvalidArgument if `directory` is, or lies in, one of the leader's.
  static Status CheckPlace(FileSystem* fs, const std::string& directory,
                           const std::vector<std::string>& leaders);
  // InvalidArgument if the directory, which is there, belongs to a database, or
  // holds files that no follower can have put there: they would be removed.
  Status CheckDirectory() const;
  // With the directory locked: removes what was left over.
  Status RemoveLeftOvers();
  // Whether `path` can be linked into the directory.
  Status TryToLink(const std::string& path) const;

  // The files of a version in the making. `paths`: where the leader's family
  // has its files.
  Status Keep(const std::vector<DbPath>& paths,
              const std::vector<std::vector<FileRef>>& levels,
              const BlobFileList& blobs);
  // Removes the links that no object stands for. One that cannot be removed is
  // tried again the next time.
  void RemoveUnneeded();
  // Nobody reads any more: removes all links. From now on tables are closed as
  // they go, since their families go too.
  void Close();

  void OnReferenced(uint64_t number) override;
  void OnUnreferenced(UnreferencedTable table) override;
  void OnBlobUnreferenced(const std::string& path, uint64_t number,
                          uint64_t size_bytes) override;

 private:
  Status KeepTable(const std::vector<DbPath>& paths, const FileMeta& file);
  Status KeepBlob(const std::string& directory, uint64_t number);
  Status Link(const std::string& from, const std::string& to) const;
  void Release(uint64_t number) REQUIRES(mutex_);
  void CloseUnread() EXCLUDES(mutex_);
  void Remove(const std::map<uint64_t, std::string>& links);

  const Context context_;
  std::map<uint64_t, std::string> links_;  // paths by number
  mutable Mutex mutex_;
  std::unordered_multiset<uint64_t> referenced_ GUARDED_BY(mutex_);
  // Still open.
  std::vector<UnreferencedTable> unread_ GUARDED_BY(mutex_);
  bool is_closing_ GUARDED_BY(mutex_) = false;
};

}  // namespace ROCKSDB_NAMESPACE
