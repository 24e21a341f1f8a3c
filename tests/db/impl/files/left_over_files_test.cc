// Files that a killed session left, with numbers that no manifest has heard of.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "file/filename.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class LeftOverFilesTest : public FamiliesFixture {
 protected:
  // One table, and what only the log holds.
  void Fill() {
    ASSERT_NO_FATAL_FAILURE(Open());
    for (int i = 0; i < 100; ++i) ASSERT_OK(Put(Key(i), "in the table"));
    ASSERT_OK(Flush());
    for (int i = 100; i < 200; ++i) ASSERT_OK(Put(Key(i), "in the log"));
    db_.reset();
  }
  static std::string Key(int i) { return "key" + std::to_string(1000 + i); }
  static uint64_t NumberOf(const std::string& path) {
    uint64_t number = 0;
    FileType type = kTempFile;
    const std::string name = std::filesystem::path(path).filename();
    EXPECT_TRUE(ParseFileName(name, &number, &type)) << name;
    return number;
  }
  // The largest of all files in a directory.
  static uint64_t Largest(const std::string& directory) {
    uint64_t largest = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      uint64_t number = 0;
      FileType type = kTempFile;
      if (ParseFileName(entry.path().filename(), &number, &type) &&
          type != kInfoLogFile) {
        largest = std::max(largest, number);
      }
    }
    return largest;
  }
  // The table in `directory` is linked under the numbers that come next.
  void OpenBesideLinks(const std::string& directory) {
    const std::string live = FilesOf(directory, kTableFile).front();
    const uint64_t end = Largest(path_) + 20;
    for (uint64_t number = NumberOf(live) + 1; number < end; ++number) {
      std::filesystem::create_hard_link(live, TableFileName(directory, number));
    }
    ASSERT_NO_FATAL_FAILURE(Open());
    ExpectAll();
    EXPECT_EQ(FilesOf(directory, kTableFile).size(), 2u);
  }
  void ExpectAll() {
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(Get(Key(i)), i < 100 ? "in the table" : "in the log") << i;
    }
    EXPECT_OK(db_->VerifyChecksum());
  }
};

// An import or an ingestion by link leaves such a file if it ends before the
// manifest has it.
TEST_F(LeftOverFilesTest, ALinkToALiveTableIsNotWrittenOver) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  OpenBesideLinks(path_);
}

TEST_F(LeftOverFilesTest, NorInAPathOfAFamily) {
  const std::string other = directory_.path() + "/other";
  options_.cf_paths = {DbPath(other, 1 << 30)};
  ASSERT_NO_FATAL_FAILURE(Fill());
  OpenBesideLinks(other);
}

TEST_F(LeftOverFilesTest, ANumberThatNoSessionReachesIsPassedOver) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  const uint64_t largest = Largest(path_);
  const std::string live = FilesOf(path_, kTableFile).front();
  for (const uint64_t number :
       {(uint64_t{1} << 62) - 1, uint64_t{1} << 62, UINT64_MAX - 1}) {
    std::filesystem::copy_file(live, TableFileName(path_, number));
  }
  ASSERT_NO_FATAL_FAILURE(Open());
  ExpectAll();
  EXPECT_LT(Largest(path_), largest + 100);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
