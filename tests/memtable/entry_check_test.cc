// What a memtable finds out about entries that memory has changed.
#include "memtable/entry_check.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "memtable/memtable.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"
#include "util/key/entry_checksum.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int kKeys = 16;

// Leading bytes are equal: beside a key that lacks them, searches compare whole
// keys.
std::string PrefixedKey(int i) { return "a prefix." + std::string(1, 'a' + i); }

struct CheckedSink {
  std::string key;
  std::string value;
  Status corruption;
  void NoteTombstone(SequenceNumber) {}
  void NoteCorruption(Status s) { corruption = std::move(s); }
  bool Add(const ParsedInternalKey& version, const Slice& found, void*) {
    if (version.user_key == Slice(key)) value = found.ToString();
    return false;
  }
  bool IsDecided() const { return !value.empty() || !corruption.ok(); }
};

// Flips a bit of what an entry points to, and back at the end.
class Flip {
 public:
  Flip(const Slice& bytes, size_t index, char mask = 1)
      : byte_(const_cast<char*>(bytes.data()) + index), mask_(mask) {
    *byte_ = static_cast<char>(*byte_ ^ mask_);
  }
  ~Flip() { *byte_ = static_cast<char>(*byte_ ^ mask_); }
  Flip(const Flip&) = delete;
  Flip& operator=(const Flip&) = delete;

 private:
  char* const byte_;
  const char mask_;
};

class EntryCheckTest : public ::testing::Test {
 protected:
  void Make(const MemTableChecks& checks,
            MemTableRepFactory* factory = nullptr) {
    MemTableOptions options;
    options.checks = checks;
    options.rep_factory = factory;
    options.prefix_extractor = prefix_extractor_;
    memtable_ = std::make_unique<MemTable>(options);
    for (int i = 0; i < kKeys; ++i) {
      ASSERT_TRUE(
          memtable_->Add(i + 1, kTypeValue, PrefixedKey(i), "value").ok());
    }
  }
  std::string Get(const std::string& key) {
    CheckedSink sink;
    sink.key = key;
    const LookupKey lookup(key, kMaxSequenceNumber);
    memtable_->Get(lookup, kMaxSequenceNumber, &sink);
    if (!sink.corruption.ok()) return sink.corruption.ToString();
    return sink.value.empty() ? "none" : sink.value;
  }
  std::string Get(int i) { return Get(PrefixedKey(i)); }
  // The internal key and the value, where they lie in the memtable.
  std::pair<Slice, Slice> PlaceOf(int i) {
    const auto it = memtable_->NewIterator();
    it->Seek(Target(i));
    EXPECT_TRUE(it->Valid());
    return {it->key(), it->value()};
  }
  static std::string Target(int i) {
    return InternalKey(PrefixedKey(i), kMaxSequenceNumber, kValueTypeForSeek)
        .Encode()
        .ToString();
  }
  // Entries that a walk shows, and how it ends.
  std::pair<int, Status> Walk() {
    const auto it = memtable_->NewIterator();
    int count = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
    return {count, it->status()};
  }
  std::pair<int, Status> WalkBack() {
    const auto it = memtable_->NewIterator();
    int count = 0;
    for (it->SeekToLast(); it->Valid(); it->Prev()) ++count;
    return {count, it->status()};
  }

  const std::shared_ptr<const SliceTransform> prefix_extractor_{
      NewFixedPrefixTransform(2)};
  std::unique_ptr<MemTable> memtable_;
};

class ChecksumSizesTest : public EntryCheckTest,
                          public ::testing::WithParamInterface<uint32_t> {};

TEST_P(ChecksumSizesTest, AChangedValueIsNoticed) {
  for (const char* name :
       {"skip_list", "vector", "prefix_hash:3", "hash_linkedlist:3"}) {
    SCOPED_TRACE(name);
    std::shared_ptr<MemTableRepFactory> factory;
    ASSERT_TRUE(
        MemTableRepFactory::CreateFromString(ConfigOptions(), name, &factory)
            .ok());
    Make({.checksum_bytes = GetParam()}, factory.get());
    EXPECT_EQ(Walk(), std::make_pair(kKeys, Status::OK()));
    for (int i = 0; i < kKeys; ++i) ASSERT_EQ(Get(i), "value");
    const Slice value = PlaceOf(5).second;
    const Flip flip(value, 2);
    EXPECT_NE(Get(5).find("Corruption: checksum mismatch"), std::string::npos);
    EXPECT_EQ(Get(4), "value");
    EXPECT_EQ(Get(6), "value");
    EXPECT_EQ(Walk().first, 5);
    EXPECT_TRUE(Walk().second.IsCorruption());
    EXPECT_EQ(WalkBack().first, kKeys - 6);
    EXPECT_TRUE(WalkBack().second.IsCorruption());
    // What is not met does not harm.
    const auto it = memtable_->NewIterator();
    it->Seek(Target(5));
    EXPECT_FALSE(it->Valid());
    it->Seek(Target(6));
    EXPECT_TRUE(it->Valid());
    EXPECT_TRUE(it->status().ok());
  }
}

TEST_P(ChecksumSizesTest, AChangedTypeOrSequenceIsNoticed) {
  Make({.checksum_bytes = GetParam()});
  const Slice key = PlaceOf(5).first;
  for (size_t i = 1; i <= kInternalKeyTrailerBytes; ++i) {
    const Flip flip(key, key.size() - i);
    EXPECT_TRUE(Walk().second.IsCorruption()) << i;
  }
  EXPECT_EQ(Walk(), std::make_pair(kKeys, Status::OK()));
}

INSTANTIATE_TEST_SUITE_P(Sizes, ChecksumSizesTest,
                         ::testing::Values(1, 2, 4, 8));

TEST_F(EntryCheckTest, EveryBitOfAnEntry) {
  Make({.checksum_bytes = 8});
  const auto [key, value] = PlaceOf(5);
  for (const Slice& bytes : {key, value, Slice(value.end(), 8)}) {
    for (size_t i = 0; i < bytes.size() * 8; ++i) {
      const Flip flip(bytes, i / 8, static_cast<char>(1 << (i % 8)));
      EXPECT_TRUE(Walk().second.IsCorruption()) << i;
    }
  }
}

TEST_F(EntryCheckTest, WithoutChecksumsNothingIsNoticed) {
  Make({});
  const Flip flip(PlaceOf(5).second, 0);
  EXPECT_EQ(Get(5), "walue");
  EXPECT_EQ(Walk(), std::make_pair(kKeys, Status::OK()));
}

// The key in the middle of the leaf goes to its front, and hides what is
// before it.
TEST_F(EntryCheckTest, SearchesVerifyWhatTheyCompare) {
  constexpr char kToFront = 'i' ^ 'A';
  for (const bool checks_searches : {false, true}) {
    SCOPED_TRACE(checks_searches);
    Make({.checksum_bytes = 8, .searches = checks_searches});
    ASSERT_TRUE(memtable_->Add(50, kTypeValue, "b", "value").ok());
    const Slice key = PlaceOf(8).first;
    ASSERT_EQ(key[9], 'i');
    const Flip flip(key, 9, kToFront);
    const std::string found = Get(2);
    const auto it = memtable_->NewIterator();
    it->Seek(Target(2));
    if (checks_searches) {
      EXPECT_NE(found.find("checksum mismatch"), std::string::npos);
      EXPECT_TRUE(it->status().IsCorruption());
    } else {
      EXPECT_EQ(found, "none");
      EXPECT_TRUE(it->status().ok());
    }
  }
}

TEST_F(EntryCheckTest, EntriesOutOfOrderAreNoticed) {
  constexpr char kToFront = 'i' ^ 'A';
  for (const bool checks_order : {false, true}) {
    SCOPED_TRACE(checks_order);
    Make({.order = checks_order});
    const Flip flip(PlaceOf(8).first, 9, kToFront);
    EXPECT_EQ(Walk().second.IsCorruption(), checks_order);
    // Unchecked, the way back goes round in circles.
    if (checks_order) {
      EXPECT_TRUE(WalkBack().second.IsCorruption());
    }
  }
}

// The leading bytes, of which the tree has a copy, say that the entry is behind
// the target; it is before it.
TEST_F(EntryCheckTest, ASeekThatEndsBeforeItsTargetIsNoticed) {
  const std::string target =
      InternalKey("a z", kMaxSequenceNumber, kValueTypeForSeek)
          .Encode()
          .ToString();
  for (const bool checks_order : {false, true}) {
    SCOPED_TRACE(checks_order);
    Make({.order = checks_order});
    ASSERT_TRUE(memtable_->Add(50, kTypeValue, "b", "value").ok());
    const auto it = memtable_->NewIterator();
    it->Seek(target);
    ASSERT_TRUE(it->Valid());
    const Flip flip(it->key(), 0, 'b' ^ 'A');
    it->Seek(target);
    EXPECT_EQ(it->status().IsCorruption(), checks_order);
    EXPECT_EQ(it->Valid(), !checks_order);
    EXPECT_EQ(Get("a z") == "none", !checks_order);
    it->SeekToFirst();
    EXPECT_TRUE(it->Valid());
    EXPECT_TRUE(it->status().ok());
  }
}

TEST_F(EntryCheckTest, AChecksumFromBeforePassesOver) {
  for (const uint32_t bytes : {0u, 4u}) {
    Make({.checksum_bytes = bytes});
    MemTable::Delta delta;
    const uint64_t right = KeyValueChecksum("key", "value");
    ASSERT_TRUE(
        memtable_->Add({50, kTypeValue, "key", "value", &right}, &delta).ok());
    EXPECT_EQ(Get("key"), "value");
    const uint64_t wrong = right + 1;
    const Status s =
        memtable_->Add({51, kTypeValue, "yek", "value", &wrong}, &delta);
    EXPECT_TRUE(s.IsCorruption());
    EXPECT_EQ(Get("yek"), "none");
    EXPECT_EQ(delta.entries, 1u);
  }
}

// Remembers where the first key lay that it was asked about.
class SpyComparator : public Comparator {
 public:
  const char* Name() const override { return "SpyComparator"; }
  int Compare(const Slice& a, const Slice& b) const override {
    if (first_seen_ == nullptr) first_seen_ = a.data();
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
  void Forget() { first_seen_ = nullptr; }
  const char* first_seen() const { return first_seen_; }

 private:
  mutable const char* first_seen_ = nullptr;
};

TEST_F(EntryCheckTest, RangeTombstonesAreVerifiedOnRequest) {
  SpyComparator spy;
  MemTableOptions options;
  options.order = InternalKeyComparator(&spy);
  options.checks.checksum_bytes = 8;
  MemTable memtable(options);
  EXPECT_TRUE(memtable.tombstones().Verify().ok());
  ASSERT_TRUE(memtable.Add(1, kTypeRangeDeletion, "begin", "end").ok());
  EXPECT_TRUE(memtable.tombstones().Verify().ok());
  // Cutting them looks at the begin first.
  spy.Forget();
  EXPECT_EQ(memtable.tombstones().All()->size(), 1u);
  const Slice begin(spy.first_seen(), 5);
  ASSERT_EQ(begin, "begin");
  const Flip flip(begin, 3);
  EXPECT_TRUE(memtable.tombstones().Verify().IsCorruption());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
