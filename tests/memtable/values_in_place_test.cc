// Updates in place replace only a plain value on top that has room, and no
// reader sees half a value.
#include "memtable/values_in_place.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "memtable/memtable.h"
#include "rocksdb/convenience.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"
#include "util/coding.h"
#include "util/key/entry_checksum.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// The newest visible version of a key.
struct Newest {
  std::string key;
  bool is_found = false;
  SequenceNumber tombstone = 0;
  SequenceNumber sequence = 0;
  ValueType type = kTypeMaxValid;
  std::string value;

  void NoteTombstone(SequenceNumber newest) { tombstone = newest; }
  bool Add(const ParsedInternalKey& version, const Slice& found, void*) {
    if (version.user_key != Slice(key)) return false;
    is_found = true;
    sequence = version.sequence;
    type = version.type;
    value = found.ToString();
    return false;
  }
  void NoteCorruption(const Status& s) { ADD_FAILURE() << s.ToString(); }
  bool IsDecided() const { return is_found; }
};

// An entry of its own.
std::string EntryOf(const std::string& internal_key, const std::string& value) {
  std::string entry;
  PutLengthPrefixedSlice(&entry, internal_key);
  PutLengthPrefixedSlice(&entry, value);
  return entry;
}

TEST(ValuesInPlaceTest, OnlyWhatFitsIsWritten) {
  const std::string key = "key" + std::string(kInternalKeyTrailerBytes, '\1');
  std::string entry = EntryOf(key, std::string(130, 'a')) + "|";
  const Slice stored(entry.data() + 1, key.size());
  ValuesInPlace values(0);  // One lock at least.
  EXPECT_GT(values.memory_bytes(), 0u);
  std::string seen;
  EXPECT_FALSE(values.Overwrite(stored, std::string(131, 'b')));
  values.Read(stored, &seen);
  EXPECT_EQ(seen, std::string(130, 'a'));
  // As long; shorter, with a shorter length too; nothing.
  for (const size_t size : {130u, 127u, 1u, 0u}) {
    EXPECT_TRUE(values.Overwrite(stored, std::string(size, 'b'))) << size;
    values.Read(stored, &seen);
    EXPECT_EQ(seen, std::string(size, 'b'));
    EXPECT_EQ(stored, Slice(key));
  }
  EXPECT_FALSE(values.Overwrite(stored, "b"));
  EXPECT_EQ(entry.back(), '|');
}

class InPlaceMemTableTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const Status s = MemTableRepFactory::CreateFromString(
        ConfigOptions(), GetParam(), &factory_);
    ASSERT_TRUE(s.ok()) << s.ToString();
    MemTableOptions options;
    options.rep_factory = factory_.get();
    options.prefix_extractor.reset(NewFixedPrefixTransform(1));
    options.in_place_locks = 3;
    memtable_ = std::make_unique<MemTable>(options);
  }
  bool Overwrite(SequenceNumber sequence, const std::string& key,
                 const std::string& value) {
    return memtable_->Overwrite({sequence, kTypeValue, key, value});
  }
  void Add(SequenceNumber sequence, ValueType type, const std::string& key,
           const std::string& value) {
    const Status s = memtable_->Add(sequence, type, key, value);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  Newest Get(const std::string& key) {
    Newest newest;
    newest.key = key;
    memtable_->Get(LookupKey(key, kMaxSequenceNumber), kMaxSequenceNumber,
                   &newest);
    return newest;
  }

  std::shared_ptr<MemTableRepFactory> factory_;
  std::unique_ptr<MemTable> memtable_;
};

TEST_P(InPlaceMemTableTest, ThePlainValueOnTopIsReplaced) {
  EXPECT_FALSE(Overwrite(1, "k", "first"));  // There is none.
  Add(1, kTypeValue, "k", "first");
  Add(2, kTypeValue, "kk", "other");
  EXPECT_TRUE(Overwrite(3, "k", "2nd"));
  EXPECT_EQ(memtable_->entry_count(), 2u);
  EXPECT_EQ(Get("k").value, "2nd");
  EXPECT_EQ(Get("k").sequence, 1u);
  EXPECT_EQ(Get("kk").value, "other");
  EXPECT_FALSE(Overwrite(4, "k", "longer"));
  Add(4, kTypeValue, "k", "longer");
  EXPECT_TRUE(Overwrite(5, "k", "LONGER"));
  EXPECT_EQ(Get("k").value, "LONGER");
  EXPECT_EQ(Get("k").sequence, 4u);
}

TEST_P(InPlaceMemTableTest, OtherVersionsAreLeftAlone) {
  Add(1, kTypeValue, "k", "value");
  for (const ValueType type :
       {kTypeDeletion, kTypeSingleDeletion, kTypeMerge, kTypeWideColumnEntity,
        kTypeValuePreferredSeqno}) {
    SCOPED_TRACE(type);
    const auto sequence = static_cast<SequenceNumber>(10 + type);
    Add(sequence, type, "k", "longlong");
    EXPECT_FALSE(Overwrite(sequence + 1, "k", "v"));
    EXPECT_EQ(Get("k").type, type);
    EXPECT_FALSE(memtable_->Overwrite({sequence + 1, type, "k", "v"}));
    // On top of the next one it would fit.
    Add(sequence + 200, kTypeValue, "k", "value");
    EXPECT_TRUE(Overwrite(sequence + 201, "k", "v"));
    SetUp();
    Add(1, kTypeValue, "k", "value");
  }
}

TEST_P(InPlaceMemTableTest, ARangeTombstoneIsNotPassedBy) {
  Add(1, kTypeValue, "k", "value");
  Add(2, kTypeRangeDeletion, "a", "z");
  EXPECT_FALSE(Overwrite(3, "k", "v"));
  Add(3, kTypeValue, "k", "v");
  EXPECT_TRUE(Overwrite(4, "k", "w"));
  EXPECT_EQ(Get("k").sequence, 3u);
  EXPECT_EQ(Get("k").value, "w");
  EXPECT_EQ(Get("k").tombstone, 2u);
}

TEST_P(InPlaceMemTableTest, DamagedUpdatesAreNotWritten) {
  Add(1, kTypeValue, "k", "value");
  const uint64_t right = KeyValueChecksum("k", "v");
  const uint64_t wrong = right + 1;
  EXPECT_FALSE(memtable_->Overwrite({2, kTypeValue, "k", "v", &wrong}));
  EXPECT_EQ(Get("k").value, "value");
  EXPECT_TRUE(memtable_->Overwrite({2, kTypeValue, "k", "v", &right}));
  EXPECT_EQ(Get("k").value, "v");
}

TEST_P(InPlaceMemTableTest, AnIteratorsValueStaysWhileItStands) {
  Add(1, kTypeValue, "k1", "aaaa");
  Add(2, kTypeValue, "k2", "bbbb");
  const auto it = memtable_->NewIterator();
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_FALSE(it->IsValuePinned());
  const Slice value = it->value();
  EXPECT_TRUE(Overwrite(3, "k1", "xx"));
  EXPECT_TRUE(Overwrite(4, "k2", "yyyy"));
  EXPECT_EQ(value, "aaaa");
  EXPECT_EQ(it->value(), "aaaa");
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), "yyyy");
  it->Prev();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value(), "xx");
}

TEST_P(InPlaceMemTableTest, NobodySeesHalfAValue) {
  const std::vector<std::string> keys = {"k1", "k2", "k3", "k4", "k5"};
  SequenceNumber sequence = 0;
  for (const auto& key : keys) {
    Add(++sequence, kTypeValue, key, std::string(300, 'b'));
  }
  std::atomic<bool> is_over{false};
  std::atomic<int> torn{0};
  // 300 odd letters, or 299 even ones.
  const auto look = [&torn](const std::string& value) {
    if (value.empty() || value.find_first_not_of(value[0]) != value.npos ||
        value.size() != (value[0] - 'a') % 2 + 299u) {
      ++torn;
    }
  };
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (!is_over.load()) {
        for (const auto& key : keys) look(Get(key).value);
        const auto it = memtable_->NewIterator();
        for (it->SeekToFirst(); it->Valid(); it->Next()) {
          look(it->value().ToString());
        }
      }
    });
  }
  for (int round = 0; round < 500; ++round) {
    const char letter = static_cast<char>('a' + 2 * (round % 10));
    for (const auto& key : keys) {
      EXPECT_TRUE(Overwrite(++sequence, key, std::string(299, letter)));
    }
  }
  is_over = true;
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(memtable_->entry_count(), keys.size());
  EXPECT_EQ(torn.load(), 0);
}

INSTANTIATE_TEST_SUITE_P(Reps, InPlaceMemTableTest,
                         ::testing::Values("skip_list", "vector", "prefix_hash",
                                           "hash_linkedlist"));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
