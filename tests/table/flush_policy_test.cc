// Tables whose data blocks end where a policy says.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/flush_block_policy.h"
#include "tests/table/table_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Notes what it hears, and ends a block before each third entry, and before
// the first.
class ThirdKeyPolicy final : public FlushBlockPolicy {
 public:
  explicit ThirdKeyPolicy(std::string* heard) : heard_(*heard) {}
  bool Update(const Slice& key, const Slice& value) override {
    heard_ += ExtractUserKey(key).ToString() + "=" + value.ToString() + " ";
    return count_++ % 3 == 0;
  }

 private:
  std::string& heard_;
  int count_ = 0;
};

class ThirdKeyFactory final : public FlushBlockPolicyFactory {
 public:
  const char* Name() const override { return "test.ThirdKey"; }
  FlushBlockPolicy* NewFlushBlockPolicy(const BlockBasedTableOptions&,
                                        const BlockBuilder&) const override {
    return std::make_unique<ThirdKeyPolicy>(&heard).release();
  }

  mutable std::string heard;
};

class FlushPolicyTest : public testing::Test {
 protected:
  // How many data blocks the entries make; they are all found.
  uint64_t BlocksOf(const std::vector<TableEntry>& entries) {
    const std::string bytes = fixture_.Build(entries);
    std::unique_ptr<TableReader> reader;
    const Status s = fixture_.Open(bytes, &reader);
    EXPECT_TRUE(s.ok()) << s.ToString();
    if (!s.ok()) return 0;
    const ReadOptions read;
    EXPECT_EQ(ToKeyValues(entries),
              ScanForward(reader->NewIterator({.read_options = &read}).get()));
    return fixture_.built_properties.num_data_blocks;
  }

  TableFixture fixture_;
};

TEST_F(FlushPolicyTest, APolicyOfTheApplication) {
  const auto factory = std::make_shared<ThirdKeyFactory>();
  fixture_.table.flush_block_policy_factory = factory;
  EXPECT_EQ(3u, BlocksOf(NumberedEntries(7)));
  std::string all;
  for (const TableEntry& e : NumberedEntries(7)) {
    all += e.user_key + "=" + e.value + " ";
  }
  EXPECT_EQ(all, factory->heard) << "of every entry, once";
}

// A block ends before what would make it larger than it is to be, if it has
// its share already; else behind that.
TEST_F(FlushPolicyTest, BySizeAndDeviation) {
  const auto blocks_of = [this](size_t value_size, int deviation) {
    std::vector<TableEntry> entries = NumberedEntries(60);
    for (TableEntry& entry : entries) entry.value.assign(value_size, 'v');
    fixture_.table.block_size = 4096;
    fixture_.table.block_size_deviation = deviation;
    return BlocksOf(entries);
  };
  EXPECT_EQ(15u, blocks_of(1300, 0)) << "each ends with the fourth";
  EXPECT_EQ(20u, blocks_of(1300, 10)) << "three are more than nine tenths";
  EXPECT_EQ(12u, blocks_of(850, 10)) << "four are less";
  EXPECT_EQ(15u, blocks_of(850, 25)) << "and more than three quarters";
}

TEST_F(FlushPolicyTest, EveryKeyByName) {
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  const Status s = FlushBlockPolicyFactory::CreateFromString(
      config, "FlushBlockEveryKeyPolicyFactory",
      &fixture_.table.flush_block_policy_factory);
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(10u, BlocksOf(NumberedEntries(10)));
  fixture_.compression = kLZ4Compression;
  fixture_.compression_options.max_dict_bytes = 1024;
  EXPECT_EQ(10u, BlocksOf(NumberedEntries(10)));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
