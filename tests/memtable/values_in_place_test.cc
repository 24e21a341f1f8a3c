// Values that are written over older ones.
//
// Runs tests/testdata/memtables/in_place.txt, in the words of
// memtable_script.h.
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
#include "tests/memtable/memtable_script.h"
#include "tests/testing/script.h"
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
  // A value of the same length fits, then shorter ones, whose stored length
  // takes fewer bytes too, and an empty one.
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

TEST(InPlaceScriptTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("memtables/in_place.txt", MemTableScript::Answers), 14u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
