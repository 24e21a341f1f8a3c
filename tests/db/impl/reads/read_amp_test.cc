// read_amp_bytes_per_bit: what is loaded, and what of it is used.

#include "rocksdb/statistics.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ReadAmpTest : public DbFixture {
 protected:
  static constexpr int kKeys = 200;

  ReadAmpTest() {
    options_.statistics = CreateDBStatistics();
    table_.block_size = 4096;
    table_.read_amp_bytes_per_bit = 16;
  }
  void Start() {
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    Open();
    for (int i = 0; i < kKeys; ++i) {
      ASSERT_OK(Put(Key(i), std::string(100, 'v')));
    }
    ASSERT_OK(Flush());
  }
  static std::string Key(int i) { return "key" + std::to_string(1000 + i); }
  uint64_t Useful() const {
    return options_.statistics->getTickerCount(READ_AMP_ESTIMATE_USEFUL_BYTES);
  }
  uint64_t Total() const {
    return options_.statistics->getTickerCount(READ_AMP_TOTAL_READ_BYTES);
  }

  BlockBasedTableOptions table_;
};

TEST_F(ReadAmpTest, OneKeyOfABlockIsAPartOfIt) {
  for (const bool separates : {false, true}) {
    table_.separate_key_value_in_data_block = separates;
    path_ += "-next";
    Start();
    const uint64_t useful = Useful();
    const uint64_t total = Total();
    EXPECT_EQ(Get(Key(7)), std::string(100, 'v'));
    EXPECT_GT(Total() - total, 3000u);
    EXPECT_GE(Useful() - useful, 100u);
    EXPECT_LE(Useful() - useful, 200u);
    // The same again is nothing new.
    const uint64_t before = Useful();
    EXPECT_EQ(Get(Key(7)), std::string(100, 'v'));
    EXPECT_EQ(Useful(), before);
  }
}

TEST_F(ReadAmpTest, AScanUsesWhatItLoads) {
  Start();
  const std::string all = Scan();
  EXPECT_GT(Total(), 20000u);
  EXPECT_LE(Useful(), Total());
  // All but restart points and trailers.
  EXPECT_GT(Useful(), Total() * 9 / 10);
  const uint64_t useful = Useful();
  EXPECT_EQ(Scan(), all);
  EXPECT_EQ(Useful(), useful);
}

TEST_F(ReadAmpTest, ASeekUsesOneEntry) {
  Start();
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->Seek(Key(50));
  ASSERT_TRUE(it->Valid());
  EXPECT_LT(Useful(), 300u);
}

TEST_F(ReadAmpTest, OffCountsNothing) {
  table_.read_amp_bytes_per_bit = 0;
  Start();
  Scan();
  EXPECT_EQ(Total(), 0u);
  EXPECT_EQ(Useful(), 0u);
  ASSERT_OK(db_->SetOptions(
      {{"block_based_table_factory", "{read_amp_bytes_per_bit=32;}"}}));
  ASSERT_OK(Put("new", "file"));
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("new"), "file");
  EXPECT_GT(Total(), 0u);
  EXPECT_GT(Useful(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
