// A fresh directory for one test, gone when the test ends.
//
// Tests run side by side, in many processes, so none may use a fixed path.
// The directory lies under $TMPDIR, or /tmp where that is not set.
//
// Threads    Immutable; path() may be called from any thread.
// Ownership  Owns the directory and all that is in it.
// Errors     A directory that cannot be made ends the process: no test that
//            needs one could say anything.

#pragma once

#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class TempDir {
 public:
  // `label` becomes part of the name, for whoever looks at a failed test.
  explicit TempDir(std::string_view label = "test") {
    const char* parent = getenv("TMPDIR");
    path_ = parent != nullptr && *parent != '\0' ? parent : "/tmp";
    path_.append("/basalt-").append(label).append("-XXXXXX");
    if (mkdtemp(path_.data()) == nullptr) {
      perror(path_.c_str());
      abort();
    }
  }

  // A test may take rights away; they are given back, since nothing could be
  // removed without them. With BASALT_KEEP_TEMP_DIRS set, all is kept.
  ~TempDir() {
    if (getenv("BASALT_KEEP_TEMP_DIRS") != nullptr) return;
    std::error_code ignored;
    namespace fs = std::filesystem;
    fs::permissions(path_, fs::perms::owner_all, fs::perm_options::add,
                    ignored);
    for (fs::recursive_directory_iterator entry(path_, ignored), end;
         !ignored && entry != end; entry.increment(ignored)) {
      if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
        fs::permissions(entry->path(), fs::perms::owner_all,
                        fs::perm_options::add, ignored);
      }
    }
    fs::remove_all(path_, ignored);
  }

  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }

  // The path of `name` inside the directory; nothing is created.
  std::string File(std::string_view name) const {
    return path_ + "/" + std::string(name);
  }

 private:
  std::string path_;
};

}  // namespace ROCKSDB_NAMESPACE
