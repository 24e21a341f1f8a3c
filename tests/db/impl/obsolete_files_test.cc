// Files that no version lists any more go from where they lie.
#include <algorithm>

#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ObsoleteFilesTest : public DbFixture {
 protected:
  static int TablesIn(const std::string& path) {
    std::vector<std::string> names;
    EXPECT_OK(Env::Default()->GetChildren(path, &names));
    return static_cast<int>(std::count_if(
        names.begin(), names.end(),
        [](const std::string& name) { return name.ends_with(".sst"); }));
  }
  void WaitForPurge() {
    WaitForCompactOptions options;
    options.wait_for_purge = true;
    ASSERT_OK(db_->WaitForCompact(options));
  }
};

TEST_F(ObsoleteFilesTest, GoFromTheFamilysOwnPaths) {
  options_.cf_paths = {{path_ + ".family", 1 << 30}};
  options_.disable_auto_compactions = true;
  Open();
  for (const char* value : {"1", "2", "3"}) {
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Flush());
  }
  EXPECT_EQ(TablesIn(path_ + ".family"), 3);
  ASSERT_OK(CompactAll());
  WaitForPurge();
  EXPECT_EQ(TablesIn(path_ + ".family"), 1);
  EXPECT_EQ(TablesIn(path_), 0);
  EXPECT_EQ(Get("a"), "3");
}

// A file that an iterator reads stays until it has done.
TEST_F(ObsoleteFilesTest, WaitForTheirReaders) {
  options_.disable_auto_compactions = true;
  Open();
  for (const char* value : {"1", "2"}) {
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Flush());
  }
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  ASSERT_OK(CompactAll());
  WaitForPurge();
  EXPECT_EQ(TablesIn(path_), 3);
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value().ToString(), "2");
  it.reset();
  WaitForPurge();
  EXPECT_EQ(TablesIn(path_), 1);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
