// Every table file of the golden databases is opened, verified and scanned in
// both directions.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "tests/table/table_fixture.h"
#include "tests/testing/golden.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace fs = std::filesystem;

void CheckFile(const fs::path& path) {
  SCOPED_TRACE(path.string());
  std::ifstream in(path, std::ios::binary);
  std::stringstream stream;
  stream << in.rdbuf();
  const std::string bytes = stream.str();
  TableFixture fixture;
  const std::string database = path.parent_path().filename().string();
  if (database.ends_with("_reverse")) {
    fixture.family.comparator = ReverseBytewiseComparator();
  }
  if (database.ends_with("_udt")) {
    fixture.family.comparator = BytewiseComparatorWithU64Ts();
  }
  fixture.family.prefix_extractor.reset(NewFixedPrefixTransform(12));
  fixture.table.filter_policy.reset(NewBloomFilterPolicy(10));
  std::unique_ptr<TableReader> reader;
  Status s = fixture.Open(bytes, &reader);
  ASSERT_TRUE(s.ok()) << s.ToString();
  s = reader->VerifyChecksum(ReadOptions(), nullptr);
  if (s.IsNotSupported()) GTEST_SKIP() << s.ToString();
  ASSERT_TRUE(s.ok()) << s.ToString();
  ReadOptions read;
  read.total_order_seek = true;
  const auto iterator = reader->NewIterator({.read_options = &read});
  const KeyValues content = ScanForward(iterator.get());
  if (iterator->status().IsNotSupported()) {
    GTEST_SKIP() << iterator->status().ToString();  // A codec left out.
  }
  ASSERT_TRUE(iterator->status().ok()) << iterator->status().ToString();
  const auto p = reader->properties();
  EXPECT_EQ(content.size() + p->num_range_deletions, p->num_entries);
  EXPECT_EQ(ScanBackward(iterator.get()), content);
  for (size_t i = 0; i < content.size(); i += 17) {
    iterator->Seek(content[i].first);
    ASSERT_TRUE(iterator->Valid());
    EXPECT_EQ(iterator->key(), Slice(content[i].first));
    // The filter lets present keys pass.
    EXPECT_NE(fixture.Get(*reader, ExtractUserKey(content[i].first).ToString(),
                          ExtractSequence(content[i].first)),
              "none");
  }
}

TEST(GoldenFiles, AllAreRead) {
  const TempDir directory("golden-sst");
  if (UnpackGolden(directory.path()).empty()) {
    GTEST_SKIP() << "the golden databases are not here";
  }
  size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(directory.path())) {
    if (entry.path().extension() != ".sst") continue;
    CheckFile(entry.path());
    if (HasFatalFailure()) return;
    ++files;
  }
  EXPECT_GT(files, 50u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
