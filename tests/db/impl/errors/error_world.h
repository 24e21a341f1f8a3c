// Mistakes that callers make, and the beginning of the error each one gets.
//
// Programs compare these texts, so they begin with the words that RocksDB uses,
// capitals and punctuation included; what the engine adds comes behind them.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/db.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {

// A directory of its own, with options to open a database by.
class ErrorWorld {
 public:
  ErrorWorld() : directory_("errors"), path(directory_.path() + "/db") {
    options.create_if_missing = true;
    options.compression = kNoCompression;
  }
  ~ErrorWorld() { Close(); }

  // A path beside the database.
  std::string File(const std::string& name) const {
    return directory_.path() + "/" + name;
  }
  Status TryOpen() { return TryOpenAt(path); }
  Status TryOpenAt(const std::string& name) {
    Close();
    return DB::Open(options, name, &owner_);
  }
  Status TryOpenFamilies(const std::vector<std::string>& names) {
    Close();
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) {
      families.emplace_back(name, ColumnFamilyOptions(options));
    }
    return DB::Open(DBOptions(options), path, families, &handles, &owner_);
  }
  Status TryOpenFamiliesReadOnly(const std::vector<std::string>& names) {
    Close();
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) {
      families.emplace_back(name, ColumnFamilyOptions(options));
    }
    return DB::OpenForReadOnly(DBOptions(options), path, families, &handles,
                               &owner_);
  }
  // A second time, beside what is open.
  Status TryOpenAgain() {
    std::unique_ptr<DB> second;
    return DB::Open(options, path, &second);
  }
  Status TryOpenReadOnly(const std::string& name) {
    Close();
    return DB::OpenForReadOnly(options, name, &owner_);
  }
  Status TryOpenSecondary(const std::string& name) {
    Close();
    options.max_open_files = -1;
    return DB::OpenAsSecondary(options, name, File("secondary"), &owner_);
  }
  DB* Open() {
    Must(TryOpen());
    return db();
  }
  // A database with `name` beside the default family.
  ColumnFamilyHandle* Family(const std::string& name) {
    if (db() == nullptr) Open();
    ColumnFamilyHandle* handle = nullptr;
    Must(db()->CreateColumnFamily(ColumnFamilyOptions(options), name, &handle));
    handles.push_back(handle);
    return handle;
  }
  ColumnFamilyHandle* DroppedFamily() {
    ColumnFamilyHandle* handle = Family("dropped");
    Must(db()->DropColumnFamily(handle));
    return handle;
  }
  void Close() {
    for (ColumnFamilyHandle* handle : handles) {
      Must(db()->DestroyColumnFamilyHandle(handle));
    }
    handles.clear();
    owner_.reset();
  }
  DB* db() const { return owner_.get(); }
  // What must succeed before the mistake can be made.
  static void Must(const Status& s) { EXPECT_TRUE(s.ok()) << s.ToString(); }

 private:
  TempDir directory_;
  std::unique_ptr<DB> owner_;

 public:
  const std::string path;
  Options options;
  std::vector<ColumnFamilyHandle*> handles;
};

struct Mistake {
  const char* name;
  std::function<Status(ErrorWorld& world)> make;
  // The beginning of the error, with PATH for the directory of the world, up to
  // the end of a word. A '$' at the end allows nothing more.
  const char* text;
};

inline void ExpectErrorTexts(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.name);
    ErrorWorld world;
    const Status s = mistake.make(world);
    const std::string directory =
        world.File("").substr(0, world.File("").size() - 1);
    std::string text = s.ToString();
    for (size_t at = 0; (at = text.find(directory, at)) != std::string::npos;) {
      text.replace(at, directory.size(), "PATH");
    }
    std::string expected = mistake.text;
    const bool is_whole = expected.ends_with('$');
    if (is_whole) expected.pop_back();
    EXPECT_TRUE(text.starts_with(expected)) << text << "\n" << expected;
    if (!text.starts_with(expected)) continue;
    const std::string rest = text.substr(expected.size());
    if (is_whole) {
      EXPECT_EQ(rest, "");
    }
    if (rest.empty()) continue;
    EXPECT_FALSE(isalnum(expected.back()) != 0 && isalnum(rest.front()) != 0)
        << text;
  }
}

}  // namespace ROCKSDB_NAMESPACE
