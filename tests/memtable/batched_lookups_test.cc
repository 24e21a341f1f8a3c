// Many keys looked up in a memtable at a time: as one by one, but in turns.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "memtable/memtable.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string KeyOf(uint64_t i) { return "key" + std::to_string(100000 + i); }

// Takes the `wanted` newest versions of a key.
struct BatchSink {
  std::string key;
  size_t wanted = 1;
  SequenceNumber tombstone = 0;
  std::vector<std::string> values;
  std::string error;

  void NoteTombstone(SequenceNumber sequence) { tombstone = sequence; }
  bool Add(const ParsedInternalKey& version, const Slice& value, void*) {
    if (version.user_key != Slice(key)) return false;
    values.push_back(std::to_string(version.sequence) + "=" + value.ToString());
    return values.size() < wanted;
  }
  void NoteCorruption(const Status& s) { error = s.ToString(); }
  bool IsDecided() const { return values.size() >= wanted; }
};

// Some hundred keys of several versions, sequences from 1 on.
SequenceNumber Fill(MemTable* memtable) {
  SequenceNumber sequence = 0;
  Random64 random(5);
  while (sequence < 2000) {
    ++sequence;
    const std::string key = KeyOf(2 * random.Uniform(400));
    const std::string value = "value" + std::to_string(sequence);
    EXPECT_TRUE(memtable->Add(sequence, kTypeValue, key, value).ok());
  }
  return sequence;
}

// Lookups of keys in any order, some of them twice, half of them absent.
struct Batch {
  Batch(size_t count, SequenceNumber sequence, Random64* random) {
    for (size_t i = 0; i < count; ++i) {
      BatchSink sink;
      sink.key = KeyOf(random->Uniform(900));
      sink.wanted = 1 + random->Uniform(4);
      sinks.push_back(sink);
      keys.push_back(std::make_unique<LookupKey>(sink.key, sequence));
    }
    if (count > 1) sinks.back().wanted = 5;
    for (size_t i = 0; i < count; ++i) {
      wanted.push_back({keys[i].get(), &sinks[i]});
    }
  }

  std::vector<std::unique_ptr<LookupKey>> keys;
  std::vector<BatchSink> sinks;
  std::vector<MemTable::Wanted<BatchSink>> wanted;
};

void ExpectAsOneByOne(const MemTable& memtable, SequenceNumber last) {
  Random64 random(9);
  for (size_t count = 0; count < 100; ++count) {
    const SequenceNumber at = random.OneIn(2) ? last : random.Uniform(last + 1);
    Batch batch(count, at, &random);
    const std::vector<BatchSink> before = batch.sinks;
    memtable.GetTogether(batch.wanted, at);
    for (size_t i = 0; i < count; ++i) {
      BatchSink alone = before[i];
      memtable.Get(*batch.keys[i], at, &alone);
      ASSERT_EQ(batch.sinks[i].values, alone.values) << alone.key;
      ASSERT_EQ(batch.sinks[i].tombstone, alone.tombstone);
      ASSERT_EQ(batch.sinks[i].error, alone.error);
    }
    Batch entries(count, at, &random);
    memtable.GetEntriesTogether(entries.wanted);
    for (const BatchSink& sink : entries.sinks) ASSERT_EQ(sink.tombstone, 0u);
  }
}

class BatchedLookups : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(MemTableRepFactory::CreateFromString(ConfigOptions(),
                                                     GetParam(), &factory_)
                    .ok());
    options_.rep_factory = factory_.get();
    options_.prefix_extractor.reset(NewFixedPrefixTransform(5));
  }

  std::shared_ptr<MemTableRepFactory> factory_;
  MemTableOptions options_;
};

INSTANTIATE_TEST_SUITE_P(Reps, BatchedLookups,
                         testing::Values("skip_list", "vector", "prefix_hash",
                                         "hash_linkedlist"));

TEST_P(BatchedLookups, AnswerAsOneByOne) {
  MemTable memtable(options_);
  ExpectAsOneByOne(memtable, 0);
  const SequenceNumber last = Fill(&memtable);
  ExpectAsOneByOne(memtable, last);
  ASSERT_TRUE(
      memtable.Add(last + 1, kTypeRangeDeletion, KeyOf(100), KeyOf(500)).ok());
  ExpectAsOneByOne(memtable, last + 1);
}

TEST_P(BatchedLookups, AskTheFilterFirst) {
  options_.filter = {.bytes = 1 << 12, .has_whole_keys = true};
  MemTable memtable(options_);
  ExpectAsOneByOne(memtable, Fill(&memtable));
}

TEST_P(BatchedLookups, CheckWhatTheyFind) {
  options_.checks = {.checksum_bytes = 4, .order = true, .searches = true};
  MemTable memtable(options_);
  const SequenceNumber last = Fill(&memtable);
  ExpectAsOneByOne(memtable, last);
  // A value that memory has changed.
  const auto it = memtable.NewIterator();
  it->Seek(LookupKey(KeyOf(200), last).internal_key());
  ASSERT_TRUE(it->Valid());
  const std::string damaged = ExtractUserKey(it->key()).ToString();
  const_cast<char*>(it->value().data())[0] ^= 1;
  const LookupKey key(damaged, last);
  BatchSink sink;
  sink.key = damaged;
  memtable.GetTogether<BatchSink>({{&key, &sink}}, last);
  EXPECT_NE(sink.error, "");
  EXPECT_TRUE(sink.values.empty());
}

TEST(BatchedLookupsTest, ReadValuesThatAreOverwritten) {
  MemTableOptions options;
  options.in_place_locks = 8;
  MemTable memtable(options);
  const SequenceNumber last = Fill(&memtable);
  for (uint64_t i = 0; i < 800; i += 6) {
    ASSERT_TRUE(memtable.Overwrite(
        {.sequence = last, .type = kTypeValue, .key = KeyOf(i), .value = "n"}));
  }
  ExpectAsOneByOne(memtable, last);
  // What may be overwritten while it is looked at is copied first.
  const auto it = memtable.NewIterator();
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  const Slice stored = it->key();
  struct {
    const char* seen = nullptr;
    void NoteTombstone(SequenceNumber) {}
    bool Add(const ParsedInternalKey&, const Slice& value, void*) {
      seen = value.data();
      return false;
    }
    void NoteCorruption(const Status&) {}
    bool IsDecided() const { return seen != nullptr; }
  } lookup;
  const LookupKey key(ExtractUserKey(stored), last);
  memtable.GetTogether<decltype(lookup)>({{&key, &lookup}}, last);
  ASSERT_NE(lookup.seen, nullptr);
  const char* const size_byte = stored.data() + stored.size();
  EXPECT_NE(lookup.seen, size_byte + 1);
}

// Whom each comparison is made for.
class WatchingComparator : public Comparator {
 public:
  const char* Name() const override { return "WatchingComparator"; }
  int Compare(const Slice& a, const Slice& b) const override {
    if (targets.empty() || targets.back() != b) {
      targets.push_back(b.ToString());
    }
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

  mutable std::vector<std::string> targets;
};

// What is asked of `checks`: do searches take turns?
bool TakeTurns(const MemTableChecks& checks) {
  WatchingComparator order;
  MemTableOptions options;
  options.order = InternalKeyComparator(&order);
  options.checks = checks;
  MemTable memtable(options);
  const SequenceNumber last = Fill(&memtable);
  std::vector<MemTable::Wanted<BatchSink>> wanted;
  const LookupKey first(KeyOf(11), last), second(KeyOf(711), last);
  BatchSink sinks[2];
  sinks[0].key = KeyOf(11);
  sinks[1].key = KeyOf(711);
  wanted = {{&first, &sinks[0]}, {&second, &sinks[1]}};
  order.targets.clear();
  memtable.GetTogether(wanted, last);
  const std::set<std::string> keys(order.targets.begin(), order.targets.end());
  EXPECT_GE(keys.size(), 2u);
  return order.targets.size() > keys.size();
}

TEST(BatchedLookupsTest, TakeTurns) {
  EXPECT_TRUE(TakeTurns({}));
  EXPECT_FALSE(TakeTurns({.checksum_bytes = 4}));
}

TEST(BatchedLookupsTest, FindTheEdges) {
  MemTable memtable({});
  SequenceNumber sequence = 0;
  for (uint64_t i = 100; i < 400; ++i) {
    ASSERT_TRUE(memtable.Add(++sequence, kTypeValue, KeyOf(i), "v").ok());
  }
  std::vector<std::unique_ptr<LookupKey>> keys;
  std::vector<BatchSink> sinks(60);
  std::vector<MemTable::Wanted<BatchSink>> wanted;
  for (uint64_t i = 0; i < 60; ++i) {
    // Around the first key and the last one, and the first again.
    const uint64_t n = i < 20 ? 90 + i : (i < 40 ? 370 + i : 50 + i);
    sinks[i].key = KeyOf(n);
    keys.push_back(std::make_unique<LookupKey>(sinks[i].key, sequence));
    wanted.push_back({keys[i].get(), &sinks[i]});
  }
  memtable.GetTogether(wanted, sequence);
  for (const BatchSink& sink : sinks) {
    const bool is_there = sink.key >= KeyOf(100) && sink.key < KeyOf(400);
    EXPECT_EQ(sink.values.size(), is_there ? 1u : 0u) << sink.key;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
