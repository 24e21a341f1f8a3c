// An iterator of a batch over a database keeps to bounds and prefix as one of
// the database does once the batch has been written: on random walks. Two that
// are told are in testdata/batches/over_database.txt.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice_transform.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/db/impl/db_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class BatchLimitsTest : public DbFixture {
 protected:
  BatchLimitsTest() {
    options_.prefix_extractor.reset(NewFixedPrefixTransform(2));
  }

  static std::string At(const Iterator& it) {
    if (!it.Valid()) return it.status().ok() ? "-" : it.status().ToString();
    return it.key().ToString() + "=" + it.value().ToString();
  }
  std::unique_ptr<Iterator> Over(WriteBatchWithIndex* batch,
                                 const ReadOptions& read) {
    return std::unique_ptr<Iterator>(batch->NewIteratorWithBase(
        db_->DefaultColumnFamily(), db_->NewIterator(read), &read));
  }
  std::string RandomKey() {
    return {static_cast<char>('a' + random_.Uniform(2)),
            static_cast<char>('a' + random_.Uniform(3)),
            static_cast<char>('0' + random_.Uniform(6))};
  }
  void FillRandomly(WriteBatchWithIndex* batch) {
    for (int i = 0; i < 12; ++i) ASSERT_OK(Put(RandomKey(), "base"));
    for (int i = 0; i < 12; ++i) {
      const std::string key = RandomKey();
      if (random_.Uniform(3) == 0) {
        ASSERT_OK(batch->Delete(key));
      } else {
        ASSERT_OK(batch->Put(key, "batch"));
      }
    }
  }
  // Where random seeks and steps lead, as the numbers in `script` say.
  static std::string Walk(Iterator* it,
                          const std::vector<std::string>& script) {
    std::string text;
    for (const std::string& step : script) {
      const std::string target = step.substr(1);
      if (step[0] == 's') {
        it->Seek(target);
      } else if (step[0] == 'p') {
        it->SeekForPrev(target);
      } else if (it->Valid()) {
        step[0] == '>' ? it->Next() : it->Prev();
      }
      text += step + ":" + At(*it) + " ";
    }
    return text;
  }
  std::vector<std::string> RandomScript() {
    std::vector<std::string> script;
    for (int i = 0; i < 40; ++i) {
      const uint64_t kind = i == 0 ? 0 : random_.Uniform(10);
      if (kind < 2) {
        script.push_back((kind == 0 ? "s" : "p") + RandomKey());
      } else {
        script.emplace_back(kind < 6 ? ">" : "<");
      }
    }
    return script;
  }

  Random64 random_{17};
};

TEST_F(BatchLimitsTest, WalksAsIfTheBatchWereWritten) {
  for (int round = 0; round < 160; ++round) {
    SCOPED_TRACE(round);
    Reopen();
    WriteBatchWithIndex batch(BytewiseComparator(), 0, round % 4 < 2);
    ASSERT_NO_FATAL_FAILURE(FillRandomly(&batch));
    std::string lower = RandomKey(), upper = RandomKey();
    if (upper < lower) lower.swap(upper);
    const Slice lower_bound = lower, upper_bound = upper;
    ReadOptions read;
    read.prefix_same_as_start = round % 2 == 0;
    read.total_order_seek = !read.prefix_same_as_start;
    if (random_.Uniform(2) == 0) read.iterate_lower_bound = &lower_bound;
    if (random_.Uniform(2) == 0) read.iterate_upper_bound = &upper_bound;
    const std::vector<std::string> script = RandomScript();
    std::unique_ptr<Iterator> it = Over(&batch, read);
    const std::string over = Walk(it.get(), script);
    ASSERT_OK(db_->Write(WriteOptions(), batch.GetWriteBatch()));
    it.reset(db_->NewIterator(read));
    ASSERT_EQ(over, Walk(it.get(), script));
    it.reset();
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// Where the database has nothing up to the batch's key, its cursor begins anew,
// and does not ask filters for the prefix of that key.
TEST_F(BatchLimitsTest, ATurnForwardComesToEveryPrefix) {
  BlockBasedTableOptions table;
  table.filter_policy.reset(NewBloomFilterPolicy(20));
  table.whole_key_filtering = false;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("bb1", "base"));
  ASSERT_OK(Put("cc1", "base"));
  ASSERT_OK(Flush());
  WriteBatchWithIndex batch;
  ASSERT_OK(batch.Put("aa1", "batch"));
  const std::unique_ptr<Iterator> it = Over(&batch, ReadOptions());
  EXPECT_EQ(Walk(it.get(), {"paa2", ">", ">", ">"}),
            "paa2:aa1=batch >:bb1=base >:cc1=base >:- ");
}

// The database's cursor keeps to a prefix of which the batch is not told.
TEST_F(BatchLimitsTest, ATurnForwardComesBackToThePrefixOfTheBase) {
  ASSERT_NO_FATAL_FAILURE(Open());
  for (const char* key : {"aa1", "bb3", "bb4", "cc1"}) {
    ASSERT_OK(Put(key, "base"));
  }
  WriteBatchWithIndex batch;
  ASSERT_OK(batch.Put("bb2", "batch"));
  ReadOptions read;
  read.prefix_same_as_start = true;
  const std::unique_ptr<Iterator> it(batch.NewIteratorWithBase(
      db_->DefaultColumnFamily(), db_->NewIterator(read)));
  EXPECT_EQ(Walk(it.get(), {"pbb2", ">", ">", ">"}),
            "pbb2:bb2=batch >:bb3=base >:bb4=base >:- ");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
