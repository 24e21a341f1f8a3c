// A database with blob files, in a real directory.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/db/impl/damage.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {

class BlobFixture : public DbFixture {
 protected:
  BlobFixture() {
    options_.enable_blob_files = true;
    options_.min_blob_size = 100;
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
  }

  static std::string Key(int i) { return "key" + std::to_string(100000 + i); }
  // Large enough for a blob file.
  static std::string Value(int i, int version = 1) {
    return std::to_string(version) + ":" + std::to_string(i) + ":" +
           std::string(300, static_cast<char>('a' + (i + version) % 26));
  }
  // One level-0 file with every step-th key.
  void WriteFile(int version, int count = 100, int step = 1) {
    for (int i = 0; i < count; i += step) {
      ASSERT_OK(Put(Key(i), Value(i, version)));
    }
    ASSERT_OK(Flush());
  }
  uint64_t IntProperty(const std::string& name) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb." + name, &value)) << name;
    return value;
  }
  uint64_t BlobCount() { return IntProperty("num-blob-files"); }
  uint64_t Garbage() { return IntProperty("live-blob-file-garbage-size"); }
  std::vector<std::string> BlobPaths() { return FilesOf(path_, kBlobFile); }
  std::vector<uint64_t> BlobNumbers() {
    ColumnFamilyMetaData metadata;
    db_->GetColumnFamilyMetaData(&metadata);
    std::vector<uint64_t> numbers;
    for (const BlobMetaData& blob : metadata.blob_files) {
      numbers.push_back(blob.blob_file_number);
    }
    return numbers;
  }
};

}  // namespace ROCKSDB_NAMESPACE
