// verify_manifest_content_on_close: a manifest that was damaged while the
// database was open costs nothing.
#include <filesystem>
#include <string>

#include "tests/db/impl/damage.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ManifestOnCloseTest : public DbFixture {
 protected:
  ManifestOnCloseTest() {
    options_.verify_manifest_content_on_close = true;
    options_.statistics = CreateDBStatistics();
    options_.avoid_flush_during_shutdown = true;
  }
  std::string Manifest() { return FilesOf(path_, kDescriptorFile).back(); }
  void WriteTables() {
    ASSERT_NO_FATAL_FAILURE(Open());
    for (const char* key : {"a", "b", "c"}) {
      ASSERT_OK(Put(key, "1"));
      ASSERT_OK(Flush());
    }
  }
  Status Close() {
    Status s = db_->Close();
    db_.reset();
    return s;
  }
};

TEST_F(ManifestOnCloseTest, OneThatIsWholeStays) {
  WriteTables();
  const std::string manifest = Manifest();
  const std::string bytes = ReadBytes(manifest);
  ASSERT_OK(Close());
  EXPECT_EQ(Manifest(), manifest);
  // Closing may cut what was reserved behind it.
  EXPECT_EQ(ReadBytes(manifest), bytes);
  EXPECT_EQ(Ticker(MANIFEST_VALIDATION_FAILURE_COUNT), 0u);
}

TEST_F(ManifestOnCloseTest, OneThatIsDamagedIsWrittenAnew) {
  for (const Damage& damage :
       {Damage{Harm::kFlip, 20}, Damage{Harm::kFlip, -30},
        Damage{Harm::kCut, 60}, Damage{Harm::kZero, 60}}) {
    ASSERT_OK(options_.statistics->Reset());
    WriteTables();
    const std::string manifest = Manifest();
    WriteBytes(manifest, Damaged(ReadBytes(manifest), damage));
    ASSERT_OK(Close());
    EXPECT_NE(Manifest(), manifest);
    EXPECT_EQ(Ticker(MANIFEST_VALIDATION_FAILURE_COUNT), 1u);
    ASSERT_NO_FATAL_FAILURE(Open());
    EXPECT_EQ(Scan(), "a=1 b=1 c=1 ");
    ASSERT_OK(Close());
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

TEST_F(ManifestOnCloseTest, OneThatIsGoneIsWrittenAnew) {
  WriteTables();
  std::filesystem::remove(Manifest());
  ASSERT_OK(Close());
  EXPECT_EQ(Ticker(MANIFEST_VALIDATION_FAILURE_COUNT), 1u);
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(Scan(), "a=1 b=1 c=1 ");
}

TEST_F(ManifestOnCloseTest, TheOptionCanBeTurnedOff) {
  WriteTables();
  ASSERT_OK(db_->SetDBOptions({{"verify_manifest_content_on_close", "false"}}));
  const std::string manifest = Manifest();
  WriteBytes(manifest, Damaged(ReadBytes(manifest), {Harm::kFlip, -30}));
  ASSERT_OK(Close());
  EXPECT_EQ(Ticker(MANIFEST_VALIDATION_FAILURE_COUNT), 0u);
  EXPECT_TRUE(TryOpen().IsCorruption());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
