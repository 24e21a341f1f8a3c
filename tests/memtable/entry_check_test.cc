// What a memtable finds out about entries that memory has changed.
//
// Runs tests/testdata/memtables/damage.txt, in the words of memtable_script.h.
#include "memtable/entry_check.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "memtable/memtable.h"
#include "rocksdb/comparator.h"
#include "tests/memtable/memtable_script.h"
#include "tests/testing/script.h"
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
  void Make(const MemTableChecks& checks) {
    MemTableOptions options;
    options.checks = checks;
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

  std::unique_ptr<MemTable> memtable_;
};

class ChecksumSizesTest : public EntryCheckTest,
                          public ::testing::WithParamInterface<uint32_t> {};

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

TEST(EntryCheckScriptTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("memtables/damage.txt", MemTableScript::Answers), 17u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
