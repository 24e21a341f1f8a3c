// The files that only a database has which writes: its logs and OPTIONS files,
// which of all its files are needed, and the room its outputs have in the page
// cache.
//
// Threads    As each part says.
// Ownership  Owns the parts, which borrow from each other and from what is
//            given.
#pragma once

#include <memory>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class FamilyRegistry;
class FileParts;
class FileRoom;
class LogKeeper;
class OptionsFiles;
class PageCacheRoom;
class VersionSet;
struct Foundation;

class WrittenFiles {
 public:
  struct Context {
    Foundation* base = nullptr;
    const FamilyRegistry* families = nullptr;  // (mutex)
    const FileParts* files = nullptr;          // the directory is open
    VersionSet* versions = nullptr;
  };
  explicit WrittenFiles(const Context& context);
  ~WrittenFiles();
  WrittenFiles(const WrittenFiles&) = delete;
  WrittenFiles& operator=(const WrittenFiles&) = delete;

  // First of all; what is about files comes with it.
  Status Open();

  PageCacheRoom* page_cache() const { return page_cache_.get(); }
  LogKeeper* logs() const { return logs_.get(); }
  OptionsFiles* options_files() const { return options_files_.get(); }
  FileRoom* room() const { return room_.get(); }

 private:
  const Context context_;
  // In the order in which they are made.
  const std::unique_ptr<PageCacheRoom> page_cache_;
  const std::unique_ptr<LogKeeper> logs_;
  std::unique_ptr<OptionsFiles> options_files_;
  std::unique_ptr<FileRoom> room_;
};

}  // namespace ROCKSDB_NAMESPACE
