// Tailing iterators: each step goes among what has been written until then.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "tests/db/impl/db_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class AddText : public AssociativeMergeOperator {
 public:
  bool Merge(const Slice&, const Slice* existing, const Slice& value,
             std::string* result, Logger*) const override {
    *result =
        (existing != nullptr ? existing->ToString() : "") + value.ToString();
    return true;
  }
  const char* Name() const override { return "AddText"; }
};

class TailingTest : public DbFixture {
 protected:
  std::unique_ptr<Iterator> Tail(ReadOptions read = ReadOptions()) {
    read.tailing = true;
    return std::unique_ptr<Iterator>(db_->NewIterator(read));
  }
  // Where the iterator stands.
  static std::string At(const Iterator& it) {
    if (!it.Valid()) return it.status().ok() ? "-" : it.status().ToString();
    return it.key().ToString() + "=" + it.value().ToString();
  }
  static std::string Next(Iterator* it) {
    if (it->Valid()) it->Next();
    return At(*it);
  }
  static std::string Prev(Iterator* it) {
    if (it->Valid()) it->Prev();
    return At(*it);
  }
};

TEST_F(TailingTest, NextShowsWhatWasWrittenSinceTheSeek) {
  Open();
  ASSERT_OK(Put("k1", "1"));
  const std::unique_ptr<Iterator> it = Tail();
  it->SeekToFirst();
  ASSERT_OK(Put("k2", "2"));
  ASSERT_OK(Put("k3", "3"));
  EXPECT_EQ(Next(it.get()), "k2=2");
  ASSERT_OK(Put("k3", "4"));
  EXPECT_EQ(Next(it.get()), "k3=4");
  EXPECT_EQ(Next(it.get()), "-");
}

TEST_F(TailingTest, NextShowsKeysBetweenTwoOfAFile) {
  Open();
  ASSERT_OK(Put("k1", "1"));
  ASSERT_OK(Put("k5", "5"));
  ASSERT_OK(Flush());
  const std::unique_ptr<Iterator> it = Tail();
  it->SeekToFirst();
  // The memtable was empty when its cursor was positioned.
  ASSERT_OK(Put("k3", "3"));
  EXPECT_EQ(Next(it.get()), "k3=3");
  // Before the one where the memtable's cursor stands.
  ASSERT_OK(Put("k2", "2"));
  ASSERT_OK(Put("k9", "9"));
  ASSERT_OK(Put("k4", "4"));
  EXPECT_EQ(Next(it.get()), "k4=4");
  EXPECT_EQ(Next(it.get()), "k5=5");
  ASSERT_OK(Put("k6", "6"));
  EXPECT_EQ(Next(it.get()), "k6=6");
  EXPECT_EQ(Next(it.get()), "k9=9");
}

TEST_F(TailingTest, PrevShowsThemToo) {
  Open();
  ASSERT_OK(Put("k1", "1"));
  ASSERT_OK(Put("k5", "5"));
  ASSERT_OK(Flush());
  const std::unique_ptr<Iterator> it = Tail();
  it->SeekToLast();
  ASSERT_OK(Put("k3", "3"));
  EXPECT_EQ(Prev(it.get()), "k3=3");
  ASSERT_OK(Put("k2", "2"));
  ASSERT_OK(Put("k4", "4"));
  EXPECT_EQ(Prev(it.get()), "k2=2");
  // Turning.
  ASSERT_OK(Put("k25", "25"));
  EXPECT_EQ(Next(it.get()), "k25=25");
  ASSERT_OK(Put("k24", "24"));
  EXPECT_EQ(Prev(it.get()), "k24=24");
}

TEST_F(TailingTest, StepsOverWhatWasDeletedSince) {
  Open();
  for (const char* key : {"a", "b", "c", "d", "e"}) ASSERT_OK(Put(key, "v"));
  const std::unique_ptr<Iterator> it = Tail();
  it->SeekToFirst();
  ASSERT_OK(Delete("a"));
  ASSERT_OK(Delete("b"));
  EXPECT_EQ(Next(it.get()), "c=v");
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "c", "e"));
  EXPECT_EQ(Next(it.get()), "e=v");
  ASSERT_OK(Delete("e"));
  EXPECT_EQ(Next(it.get()), "-");
}

TEST_F(TailingTest, StepsAcrossFlushesAndCompactions) {
  Open();
  ASSERT_OK(Put("a", "1"));
  const std::unique_ptr<Iterator> it = Tail();
  it->SeekToFirst();
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  EXPECT_EQ(Next(it.get()), "b=2");
  ASSERT_OK(Put("c", "3"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Next(it.get()), "c=3");
  EXPECT_EQ(Prev(it.get()), "b=2");
}

TEST_F(TailingTest, StepsFromAMergedEntry) {
  options_.merge_operator = std::make_shared<AddText>();
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(db_->Merge(WriteOptions(), "a", "2"));
  const std::unique_ptr<Iterator> it = Tail();
  it->SeekToFirst();
  EXPECT_EQ(At(*it), "a=12");
  ASSERT_OK(db_->Merge(WriteOptions(), "a", "3"));
  ASSERT_OK(db_->Merge(WriteOptions(), "b", "4"));
  EXPECT_EQ(Next(it.get()), "b=4");
  ASSERT_OK(db_->Merge(WriteOptions(), "b", "5"));
  EXPECT_EQ(Prev(it.get()), "a=123");
}

TEST_F(TailingTest, StaysInItsLimits) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
  Open();
  ASSERT_OK(Put("a1", "1"));
  ReadOptions read;
  read.prefix_same_as_start = true;
  const std::unique_ptr<Iterator> by_prefix = Tail(read);
  by_prefix->Seek("a1");
  ASSERT_OK(Put("a2", "2"));
  ASSERT_OK(Put("b1", "3"));
  EXPECT_EQ(Next(by_prefix.get()), "a2=2");
  ASSERT_OK(Put("b0", "4"));
  EXPECT_EQ(Next(by_prefix.get()), "-");
  const Slice upper = "b1";
  ReadOptions bound;
  bound.iterate_upper_bound = &upper;
  bound.total_order_seek = true;
  const std::unique_ptr<Iterator> below = Tail(bound);
  below->Seek("b0");
  ASSERT_OK(Put("b01", "5"));
  EXPECT_EQ(Next(below.get()), "b01=5");
  ASSERT_OK(Put("b2", "6"));
  EXPECT_EQ(Next(below.get()), "-");
}

// Other memtables' cursors show what was there when they were positioned.
TEST_F(TailingTest, EveryMemtable) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
  options_.allow_concurrent_memtable_write = false;
  const std::shared_ptr<MemTableRepFactory> factories[] = {
      std::make_shared<VectorRepFactory>(),
      std::shared_ptr<MemTableRepFactory>(NewHashSkipListRepFactory(1000)),
      std::shared_ptr<MemTableRepFactory>(NewHashLinkListRepFactory(1000))};
  for (const auto& factory : factories) {
    SCOPED_TRACE(factory->Name());
    options_.memtable_factory = factory;
    Reopen();
    ASSERT_OK(Put("a", "1"));
    ReadOptions read;
    read.total_order_seek = true;
    std::unique_ptr<Iterator> it = Tail(read);
    it->SeekToFirst();
    ASSERT_OK(Put("b", "2"));
    EXPECT_EQ(Next(it.get()), "b=2");
    EXPECT_EQ(Prev(it.get()), "a=1");
    it.reset();
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// Among random writes, flushes and compactions each step ends where an ordered
// map says.
TEST_F(TailingTest, EveryStepIsOnePlaceInAMap) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    Reopen();
    std::map<std::string, std::string> model;
    std::unique_ptr<Iterator> it = Tail();
    it->SeekToFirst();
    for (int i = 0; i < 400; ++i) {
      const std::string key = std::to_string(random.Uniform(60));
      switch (random.Uniform(12)) {
        case 0:
          ASSERT_OK(Delete(key));
          model.erase(key);
          break;
        case 1: {
          const std::string end = key + "5";
          ASSERT_OK(db_->DeleteRange(WriteOptions(), key, end));
          model.erase(model.lower_bound(key), model.lower_bound(end));
          break;
        }
        case 2:
          if (random.Uniform(5) == 0) ASSERT_OK(Flush());
          break;
        case 3:
          if (random.Uniform(10) == 0) ASSERT_OK(CompactAll());
          break;
        case 4:
        case 5:
        case 6:
          model[key] = std::to_string(i);
          ASSERT_OK(Put(key, model[key]));
          break;
        default: {
          std::string expected = "-";
          auto to = model.end();
          if (!it->Valid()) {
            it->Seek(key);
            to = model.lower_bound(key);
          } else {
            const std::string at = it->key().ToString();
            if (random.Uniform(3) > 0) {
              it->Next();
              to = model.upper_bound(at);
            } else {
              it->Prev();
              to = model.lower_bound(at);
              to = to == model.begin() ? model.end() : std::prev(to);
            }
          }
          if (to != model.end()) expected = to->first + "=" + to->second;
          ASSERT_EQ(At(*it), expected) << "operation " << i;
        }
      }
    }
    it.reset();
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
