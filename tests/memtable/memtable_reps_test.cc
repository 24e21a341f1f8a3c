// The structures that a memtable can be, against an ordered map, and with many
// writers and readers at once.
#include <gtest/gtest.h>

#include <atomic>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "memtable/entry_store.h"
#include "memtable/memtable.h"
#include "rocksdb/convenience.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"
#include "tests/memtable/set_rep.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Maker = std::shared_ptr<MemTableRepFactory> (*)();

struct Kind {
  const char* name;
  Maker make;
  size_t prefix_bytes;
};

std::shared_ptr<MemTableRepFactory> SkipList() {
  return std::make_shared<SkipListFactory>();
}
std::shared_ptr<MemTableRepFactory> Vector() {
  return std::make_shared<VectorRepFactory>(10);
}
std::shared_ptr<MemTableRepFactory> HashSkipList() {
  return std::shared_ptr<MemTableRepFactory>(NewHashSkipListRepFactory(7));
}
// Lists that become trees in the course of the test.
std::shared_ptr<MemTableRepFactory> HashLinkList() {
  return std::shared_ptr<MemTableRepFactory>(
      NewHashLinkListRepFactory(5, 0, 0, false, /*threshold_use_skiplist=*/6));
}

// The public classes, by way of a factory that passes on to them.
std::shared_ptr<MemTableRepFactory> Passing(MemTableRepFactory* inner) {
  return std::make_shared<PassingFactory>(
      std::unique_ptr<MemTableRepFactory>(inner));
}
std::shared_ptr<MemTableRepFactory> PublicSkipList() {
  return Passing(std::make_unique<SkipListFactory>().release());
}
std::shared_ptr<MemTableRepFactory> PublicVector() {
  return Passing(std::make_unique<VectorRepFactory>(10).release());
}
std::shared_ptr<MemTableRepFactory> PublicBuckets() {
  return Passing(NewHashSkipListRepFactory(7));
}
std::shared_ptr<MemTableRepFactory> PublicLists() {
  return Passing(NewHashLinkListRepFactory(5));
}
std::shared_ptr<MemTableRepFactory> OwnSet() {
  return std::make_shared<SetRepFactory>(std::make_shared<SetRepLog>(),
                                         /*is_concurrent=*/true);
}

struct KeyLess {
  InternalKeyComparator order;
  bool operator()(const std::string& a, const std::string& b) const {
    return order.Compare(a, b) < 0;
  }
};
using RepModel = std::map<std::string, std::string, KeyLess>;

std::string MemKeyOf(const std::string& user_key, SequenceNumber sequence) {
  return InternalKey(user_key, sequence, kTypeValue).Encode().ToString();
}

// The versions of a key that a lookup is shown.
struct RepSink {
  std::string key;
  std::vector<std::string> values;
  void NoteTombstone(SequenceNumber) {}
  bool Add(const ParsedInternalKey& version, const Slice& value, void*) {
    if (version.user_key != Slice(key)) return false;
    values.push_back(value.ToString());
    return true;
  }
  void NoteCorruption(const Status& s) { ADD_FAILURE() << s.ToString(); }
  bool IsDecided() const { return false; }
};

class MemTableRepsTest : public ::testing::TestWithParam<Kind> {
 protected:
  MemTableRepsTest() : factory_(GetParam().make()) {
    MemTableOptions options;
    options.rep_factory = factory_.get();
    options.prefix_extractor.reset(
        NewFixedPrefixTransform(GetParam().prefix_bytes));
    memtable_ = std::make_unique<MemTable>(options);
  }

  static std::string Value(const std::string& user_key,
                           SequenceNumber sequence) {
    return user_key + "@" + std::to_string(sequence);
  }
  std::string RandomKey() {
    return std::string(1 + random_.Uniform(3),
                       static_cast<char>('a' + random_.Uniform(6))) +
           std::to_string(random_.Uniform(5));
  }
  void Add(SequenceNumber sequence) {
    const std::string key = RandomKey();
    const std::string value = Value(key, sequence);
    ASSERT_TRUE(memtable_->Add(sequence, kTypeValue, key, value).ok());
    model_[MemKeyOf(key, sequence)] = value;
  }
  void CheckLookup(SequenceNumber last) {
    RepSink sink;
    sink.key = RandomKey();
    const SequenceNumber at = random_.Uniform(last + 2);
    memtable_->Get(LookupKey(sink.key, at), at, &sink);
    std::vector<std::string> wanted;
    for (auto it = model_.lower_bound(MemKeyOf(sink.key, at));
         it != model_.end() && ExtractUserKey(it->first) == Slice(sink.key);
         ++it) {
      wanted.push_back(it->second);
    }
    ASSERT_EQ(sink.values, wanted);
  }
  // A walk that turns about at random.
  void CheckWalk(SequenceNumber last) {
    const auto it = memtable_->NewIterator();
    auto place = model_.end();
    for (int i = 0; i < 30; ++i) {
      const std::string target =
          MemKeyOf(RandomKey(), random_.Uniform(last + 2));
      switch (place != model_.end() ? random_.Uniform(8) : random_.Uniform(4)) {
        case 0:
          it->SeekToFirst();
          place = model_.begin();
          break;
        case 1:
          it->SeekToLast();
          place = Before(model_.end());
          break;
        case 2:
          it->Seek(target);
          place = model_.lower_bound(target);
          break;
        case 3:
          it->SeekForPrev(target);
          place = Before(model_.upper_bound(target));
          break;
        case 4:
        case 5:
          it->Prev();
          place = Before(place);
          break;
        default:
          it->Next();
          ++place;
      }
      ASSERT_EQ(it->Valid(), place != model_.end());
      if (!it->Valid()) continue;
      ASSERT_EQ(it->key().ToString(), place->first);
      ASSERT_EQ(it->value().ToString(), place->second);
    }
  }
  RepModel::iterator Before(RepModel::iterator place) {
    return place == model_.begin() ? model_.end() : std::prev(place);
  }

  Random64 random_{7};
  RepModel model_;
  const std::shared_ptr<MemTableRepFactory> factory_;
  std::unique_ptr<MemTable> memtable_;
};

TEST_P(MemTableRepsTest, LikeAnOrderedMap) {
  CheckWalk(0);
  for (SequenceNumber sequence = 1; sequence <= 1500; ++sequence) {
    SCOPED_TRACE(sequence);
    Add(sequence);
    if (sequence % 7 == 0) CheckLookup(sequence);
    if (sequence % 50 == 0) CheckWalk(sequence);
  }
  const auto it = memtable_->NewIterator();
  auto place = model_.begin();
  for (it->SeekToFirst(); it->Valid(); it->Next(), ++place) {
    ASSERT_EQ(it->key().ToString(), place->first);
  }
  EXPECT_TRUE(place == model_.end());
  const std::string middle = std::next(model_.begin(), 500)->first;
  const auto stats = memtable_->ApproximateStats(model_.begin()->first, middle);
  EXPECT_NEAR(static_cast<double>(stats.entry_count), 500, 200);
}

// Readers see whatever was there when they began.
TEST_P(MemTableRepsTest, WritersAndReadersAtOnce) {
  constexpr int kWriters = 3;
  constexpr int kEntries = 1500;
  std::atomic<int> done[kWriters] = {};
  std::vector<std::thread> threads;
  const auto key_of = [](int writer, int i) {
    return std::to_string(i % 50) + "." + std::to_string(writer);
  };
  for (int w = 0; w < kWriters; ++w) {
    threads.emplace_back([&, w] {
      MemTable::Delta delta;
      for (int i = 0; i < kEntries; ++i) {
        const SequenceNumber sequence = 1 + i * kWriters + w;
        EXPECT_TRUE(
            memtable_
                ->Add({sequence, kTypeValue, key_of(w, i), std::to_string(i)},
                      &delta)
                .ok());
        done[w].store(i + 1);
      }
      memtable_->Count(delta);
    });
  }
  threads.emplace_back([&] {
    for (int round = 0; round < 60; ++round) {
      const int w = round % kWriters;
      const int before = done[w].load();
      if (before == 0) continue;
      RepSink sink;
      sink.key = key_of(w, before - 1);
      memtable_->Get(LookupKey(sink.key, kMaxSequenceNumber),
                     kMaxSequenceNumber, &sink);
      ASSERT_FALSE(sink.values.empty());
      EXPECT_GE(std::stoi(sink.values.front()), before - 1);
      const auto it = memtable_->NewIterator();
      std::string previous;
      int count = 0;
      for (it->SeekToFirst(); it->Valid(); it->Next(), ++count) {
        const std::string key = it->key().ToString();
        if (count > 0) {
          ASSERT_LT(InternalKeyComparator().Compare(previous, key), 0);
        }
        previous = key;
      }
      EXPECT_GE(count, before);
    }
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(memtable_->entry_count(), uint64_t{kWriters} * kEntries);
}

// Without prefixes there are no buckets; reads and cursors work all the same.
TEST_P(MemTableRepsTest, WithoutAPrefixExtractor) {
  const bool is_hash = std::string(factory_->Name()).starts_with("Hash");
  EXPECT_EQ(LacksPrefixes(factory_.get(), nullptr), is_hash);
  MemTableOptions options;
  options.rep_factory = factory_.get();
  memtable_ = std::make_unique<MemTable>(options);
  for (SequenceNumber sequence = 1; sequence <= 100; ++sequence) Add(sequence);
  for (int i = 0; i < 50; ++i) CheckLookup(100);
  CheckWalk(100);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, MemTableRepsTest,
    ::testing::Values(Kind{"SkipList", &SkipList, 1},
                      Kind{"Vector", &Vector, 1},
                      Kind{"HashSkipList", &HashSkipList, 1},
                      Kind{"HashLinkList", &HashLinkList, 1},
                      // Most keys are too short to have a prefix.
                      Kind{"ShortKeys", &HashLinkList, 4},
                      Kind{"PublicSkipList", &PublicSkipList, 1},
                      Kind{"PublicVector", &PublicVector, 1},
                      Kind{"PublicBuckets", &PublicBuckets, 1},
                      Kind{"PublicLists", &PublicLists, 4},
                      Kind{"OwnSet", &OwnSet, 1}),
    [](const auto& info) { return info.param.name; });

TEST(MemTableFactories, Names) {
  for (const char* id :
       {"prefix_hash", "prefix_hash:17", "HashSkipListRepFactory",
        "hash_linkedlist", "hash_linkedlist:17", "HashLinkListRepFactory:3",
        "vector", "vector:100", "skip_list:4"}) {
    SCOPED_TRACE(id);
    std::shared_ptr<MemTableRepFactory> factory, again;
    ASSERT_TRUE(
        MemTableRepFactory::CreateFromString(ConfigOptions(), id, &factory)
            .ok());
    ASSERT_TRUE(MemTableRepFactory::CreateFromString(ConfigOptions(),
                                                     factory->GetId(), &again)
                    .ok());
    EXPECT_EQ(again->GetId(), factory->GetId());
    EXPECT_STREQ(again->Name(), factory->Name());
  }
  std::shared_ptr<MemTableRepFactory> factory;
  for (const char* id :
       {"prefix_hash:", "prefix_hash:x", "prefix_hash:0", "hash_linkedlist:-1",
        "{id=VectorRepFactory;count=x;}", "{id=SkipListFactory;lookahead=x;}",
        "{id=VectorRepFactory;lookahead=1;}",
        "{id=HashSkipListRepFactory;bucket_count=0;}",
        "{id=HashSkipListRepFactory;threshold=1;}",
        "{id=HashLinkListRepFactory;threshold=4294967296;}"}) {
    EXPECT_TRUE(
        MemTableRepFactory::CreateFromString(ConfigOptions(), id, &factory)
            .IsInvalidArgument())
        << id;
  }
}

// RocksDB's OPTIONS files have them so.
TEST(MemTableFactories, Options) {
  const std::pair<const char*, const char*> ids[] = {
      {"{id=SkipListFactory;lookahead=6;}", "SkipListFactory:6"},
      {"{id=VectorRepFactory;count=0;}", "VectorRepFactory"},
      {"{id=VectorRepFactory;count=5;}", "VectorRepFactory:5"},
      {"{id=HashSkipListRepFactory;branching_factor=4;skiplist_height=4;"
       "bucket_count=10;}",
       "HashSkipListRepFactory:10"},
      {"{id=HashLinkListRepFactory;log_when_flash=true;logging_threshold=4096;"
       "huge_page_size=0;threshold=256;bucket_count=10;}",
       "HashLinkListRepFactory:10"}};
  for (const auto& [text, id] : ids) {
    std::shared_ptr<MemTableRepFactory> factory;
    ASSERT_TRUE(
        MemTableRepFactory::CreateFromString(ConfigOptions(), text, &factory)
            .ok())
        << text;
    EXPECT_EQ(factory->GetId(), id);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
