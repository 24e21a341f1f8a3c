// What a column family costs that is there and not used: there may be
// thousands.

#include <gtest/gtest.h>
#include <malloc.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {

namespace {

size_t MallocBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Each family has options of its own, and so a block cache of its own.
TEST(IdleFamilies, TakeLittleMemory) {
  if (MallocBytes() == 0) GTEST_SKIP() << "another malloc";
  constexpr size_t kFamilies = 16;
  TempDir dir;
  Options options;
  options.create_if_missing = true;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, dir.path() + "/db", &db).ok());
  std::vector<ColumnFamilyHandle*> handles(kFamilies);
  const size_t before = MallocBytes();
  for (size_t i = 0; i < kFamilies; ++i) {
    ASSERT_TRUE(db->CreateColumnFamily(ColumnFamilyOptions(),
                                       "family" + std::to_string(i),
                                       &handles[i])
                    .ok());
  }
  EXPECT_LT((MallocBytes() - before) / kFamilies, size_t{40} << 10);
  for (ColumnFamilyHandle* handle : handles) {
    EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
  }
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
