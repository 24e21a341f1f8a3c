// target_file_size_is_upper_bound: metadata counts, and nothing is larger.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/metadata.h"
#include "tests/db/impl/db_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class FileSizeBoundTest : public DbFixture {
 protected:
  static constexpr uint64_t kTarget = 128 << 10;

  FileSizeBoundTest() {
    options_.target_file_size_base = kTarget;
    options_.target_file_size_is_upper_bound = true;
    options_.disable_auto_compactions = true;
    table_.filter_policy.reset(NewBloomFilterPolicy(10));
    table_.block_size = 512;
  }
  // Sizes of the files, ascending, once `count` entries are compacted.
  std::vector<uint64_t> Sizes(int count, uint64_t max_value_bytes = 200) {
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    db_.reset();
    EXPECT_OK(DestroyDB(path_, options_));
    EXPECT_OK(TryOpen());
    Random64 random(301);
    for (int i = 0; i < count; ++i) {
      EXPECT_OK(Put("some key " + std::to_string(1'000'000 + i),
                    random.RandomBytes(random.Uniform(max_value_bytes))));
    }
    EXPECT_OK(Flush());
    EXPECT_OK(CompactAll(/*force=*/true));
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    std::vector<uint64_t> sizes;
    for (const LiveFileMetaData& file : files) sizes.push_back(file.size);
    std::sort(sizes.begin(), sizes.end());
    EXPECT_FALSE(sizes.empty());
    return sizes;
  }
  void ExpectBounded() {
    const std::vector<uint64_t> sizes = Sizes(10'000);
    EXPECT_LE(sizes.back(), kTarget);
    // Nor much smaller than they might be.
    ASSERT_GT(sizes.size(), 5u);
    EXPECT_GT(sizes[1], kTarget * 3 / 4);
  }

  BlockBasedTableOptions table_;
};

TEST_F(FileSizeBoundTest, MetadataCount) { ExpectBounded(); }

TEST_F(FileSizeBoundTest, WithoutItTheyComeOnTop) {
  options_.target_file_size_is_upper_bound = false;
  EXPECT_GT(Sizes(10'000).back(), kTarget);
}

TEST_F(FileSizeBoundTest, PartitionsAndFirstKeys) {
  table_.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  table_.partition_filters = true;
  ExpectBounded();
  table_.partition_filters = false;
  table_.index_type = BlockBasedTableOptions::kBinarySearchWithFirstKey;
  ExpectBounded();
}

TEST_F(FileSizeBoundTest, LargeValues) {
  for (const uint64_t bytes : {20'000, 300'000}) {
    for (const uint64_t size : Sizes(200, bytes)) {
      EXPECT_LE(size, std::max(kTarget, bytes + (8 << 10)));
    }
  }
}

// Metadata alone fill such a file. There are still not as many as entries.
TEST_F(FileSizeBoundTest, TooSmallABound) {
  options_.target_file_size_base = 2000;
  EXPECT_LT(Sizes(2000, 20).size(), 200u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
