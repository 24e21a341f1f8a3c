// GetAllKeyVersions() lists every version in its bounds, deletions and blob
// references included.
#include "rocksdb/utilities/debug.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/db/impl/db_fixture.h"
#include "util/builtin_merge_operators.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class DebugTest : public DbFixture {
 protected:
  // key:value:type, in order.
  std::string Versions(OptSlice begin, OptSlice end, size_t limit = 1000) {
    std::vector<KeyVersion> versions;
    const Status s = GetAllKeyVersions(db_.get(), begin, end, limit, &versions);
    if (!s.ok()) return s.ToString();
    std::string text;
    for (const KeyVersion& version : versions) {
      text += version.user_key + ":" + version.value + ":" +
              version.GetTypeName() + " ";
    }
    return text;
  }
};

TEST_F(DebugTest, BothEndsAreIncluded) {
  Open();
  for (const char* key : {"a", "b", "c", "d", "e"}) {
    ASSERT_OK(Put(key, "1"));
  }
  const std::string all =
      "a:1:TypeValue b:1:TypeValue c:1:TypeValue d:1:TypeValue "
      "e:1:TypeValue ";
  for (int flushed = 0; flushed < 2; ++flushed) {
    EXPECT_EQ("b:1:TypeValue c:1:TypeValue d:1:TypeValue ", Versions("b", "d"));
    EXPECT_EQ("d:1:TypeValue e:1:TypeValue ", Versions("d", nullptr));
    EXPECT_EQ("a:1:TypeValue ", Versions(nullptr, "a"));
    EXPECT_EQ(all, Versions(nullptr, nullptr));
    EXPECT_EQ("", Versions("", ""));
    EXPECT_EQ("b:1:TypeValue ", Versions("b", nullptr, 1));
    EXPECT_EQ("b:1:TypeValue ", Versions("b", nullptr, 0));
    ASSERT_OK(Flush());
  }
}

TEST_F(DebugTest, OldVersionsAndDeletionsAreThere) {
  options_.merge_operator = NewStringAppendOperator();
  options_.disable_auto_compactions = true;
  Open();
  ASSERT_OK(Put("c", "old"));
  const Snapshot* snapshot = db_->GetSnapshot();
  ASSERT_OK(Flush());
  ASSERT_OK(Put("c", "new"));
  ASSERT_OK(Delete("b"));
  ASSERT_OK(db_->Merge(WriteOptions(), "d", "m"));
  ASSERT_OK(db_->SingleDelete(WriteOptions(), "e"));
  // Neither shown nor obeyed; that the flush does not obey it, the second
  // snapshot sees to.
  const Snapshot* second = db_->GetSnapshot();
  ASSERT_OK(
      db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "a", "z"));
  const std::string all =
      "b::TypeDeletion c:new:TypeValue c:old:TypeValue d:m:TypeMerge "
      "e::TypeSingleDeletion ";
  EXPECT_EQ(all, Versions(nullptr, nullptr));
  ASSERT_OK(Flush());
  EXPECT_EQ(all, Versions(nullptr, nullptr));
  std::vector<KeyVersion> versions;
  ASSERT_OK(GetAllKeyVersions(db_.get(), "c", "c", 10, &versions));
  ASSERT_EQ(2u, versions.size());
  EXPECT_EQ(1u, versions[1].sequence);
  EXPECT_EQ(2u, versions[0].sequence);
  EXPECT_EQ(1, versions[0].type);
  db_->ReleaseSnapshot(snapshot);
  db_->ReleaseSnapshot(second);
}

TEST_F(DebugTest, ReferencesToBlobsAreNotFollowed) {
  options_.enable_blob_files = true;
  Open();
  ASSERT_OK(Put("k", std::string(100, 'v')));
  ASSERT_OK(Flush());
  std::vector<KeyVersion> versions;
  ASSERT_OK(GetAllKeyVersions(db_.get(), nullptr, nullptr, 10, &versions));
  ASSERT_EQ(1u, versions.size());
  EXPECT_EQ("TypeBlobIndex", versions[0].GetTypeName());
  EXPECT_LT(versions[0].value.size(), 100u);
}

TEST_F(DebugTest, OtherFamiliesAndTimestamps) {
  Open();
  ColumnFamilyOptions timed;
  timed.comparator = BytewiseComparatorWithU64Ts();
  ColumnFamilyHandle* handle = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(timed, "timed", &handle));
  for (const char* ts : {"\1\0\0\0\0\0\0\0", "\2\0\0\0\0\0\0\0"}) {
    ASSERT_OK(db_->Put(WriteOptions(), handle, "k", Slice(ts, 8), "v"));
  }
  std::vector<KeyVersion> versions;
  ASSERT_OK(GetAllKeyVersions(db_.get(), handle, "k", "k", 10, &versions));
  ASSERT_EQ(2u, versions.size());
  EXPECT_EQ(std::string("k\2\0\0\0\0\0\0\0", 9), versions[0].user_key);
  EXPECT_EQ(std::string("k\1\0\0\0\0\0\0\0", 9), versions[1].user_key);
  ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
}

TEST_F(DebugTest, BadArguments) {
  Open();
  std::vector<KeyVersion> versions(3);
  EXPECT_TRUE(GetAllKeyVersions(nullptr, nullptr, nullptr, 1, &versions)
                  .IsInvalidArgument());
  EXPECT_TRUE(
      GetAllKeyVersions(db_.get(), nullptr, nullptr, nullptr, 1, &versions)
          .IsInvalidArgument());
  EXPECT_TRUE(GetAllKeyVersions(db_.get(), nullptr, nullptr, 1, nullptr)
                  .IsInvalidArgument());
  EXPECT_EQ(3u, versions.size());
  KeyVersion odd("k", "v", 1, 0x7f);
  EXPECT_EQ("Invalid", odd.GetTypeName());
}

TEST_F(DebugTest, FailedReadsAreTold) {
  const auto fs =
      std::make_shared<FaultInjectionFileSystem>(FileSystem::Default(), 17);
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  options_.env = env.get();
  BlockBasedTableOptions table;
  table.no_block_cache = true;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  ASSERT_OK(Put("k", "v"));
  ASSERT_OK(Flush());
  ASSERT_EQ("k:v:TypeValue ", Versions(nullptr, nullptr));
  fs->Deactivate();
  std::vector<KeyVersion> versions(3);
  EXPECT_FALSE(
      GetAllKeyVersions(db_.get(), nullptr, nullptr, 10, &versions).ok());
  EXPECT_EQ(3u, versions.size());
  fs->Heal();
  db_.reset();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
