// Memtables whose entries are in a MemTableRep of the application's: what it
// is asked and when, and what becomes of what it throws.
#include "memtable/application_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "memtable/memtable.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/write_buffer_manager.h"
#include "tests/memtable/set_rep.h"
#include "tests/testing/untouched_bytes.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// What a lookup is shown of a key, and what went wrong.
struct OwnRepSink {
  std::string key;
  std::string values;
  Status failure;
  void NoteTombstone(SequenceNumber) {}
  bool Add(const ParsedInternalKey& version, const Slice& value, void*) {
    if (version.user_key != Slice(key)) return false;
    values += value.ToString() + " ";
    return true;
  }
  void NoteCorruption(const Status& s) { failure = s; }
  bool IsDecided() const { return !failure.ok(); }
};

class ApplicationStoreTest : public ::testing::Test {
 protected:
  ApplicationStoreTest() { Remake(); }

  void Remake(bool is_concurrent = false) {
    memtable_.reset();
    factory_ = std::make_shared<SetRepFactory>(log_, is_concurrent);
    options_.rep_factory = factory_.get();
    memtable_ = std::make_unique<MemTable>(options_);
  }
  Status Add(SequenceNumber sequence, const std::string& key,
             const std::string& value = "v") {
    return memtable_->Add(sequence, kTypeValue, key, value);
  }
  OwnRepSink Get(const std::string& key) {
    OwnRepSink sink;
    sink.key = key;
    memtable_->Get(LookupKey(key, kMaxSequenceNumber), kMaxSequenceNumber,
                   &sink);
    return sink;
  }
  // User keys in order; the status if there is one.
  std::string Keys() {
    const auto it = memtable_->NewIterator();
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += ExtractUserKey(it->key()).ToString() + " ";
    }
    return it->status().ok() ? text : it->status().ToString();
  }

  const std::shared_ptr<SetRepLog> log_ = std::make_shared<SetRepLog>();
  std::shared_ptr<SetRepFactory> factory_;
  MemTableOptions options_;
  std::unique_ptr<MemTable> memtable_;
};

TEST(LengthPrefixed, IsWhatStandsBehindItsLength) {
  EXPECT_EQ("", GetLengthPrefixedSlice("\0x").ToString());
  EXPECT_EQ("ab", GetLengthPrefixedSlice("\2abc").ToString());
  const std::string long_one = "\x80\x01" + std::string(128, 'x') + "y";
  EXPECT_EQ(std::string(128, 'x'),
            GetLengthPrefixedSlice(long_one.data()).ToString());
}

TEST_F(ApplicationStoreTest, HasTheEntries) {
  options_.family_id = 7;
  Remake();
  EXPECT_EQ(7u, log_->family_id);
  ASSERT_TRUE(Add(1, "b", "old").ok());
  ASSERT_TRUE(Add(2, "a").ok());
  ASSERT_TRUE(Add(3, "b", "new").ok());
  EXPECT_EQ(3, log_->inserts);
  EXPECT_EQ(0, log_->concurrent_inserts);
  EXPECT_EQ("new old ", Get("b").values);
  EXPECT_EQ("", Get("c").values);
  EXPECT_EQ(2, log_->gets);
  EXPECT_EQ("a b b ", Keys());
  EXPECT_FALSE(memtable_->HasLiveCursors());
  EXPECT_TRUE(Add(3, "b", "again").IsTryAgain());
  EXPECT_EQ(3u, memtable_->entry_count());
}

// Range tombstones are not its business.
TEST_F(ApplicationStoreTest, RangeTombstonesStayOutside) {
  ASSERT_TRUE(Add(1, "b").ok());
  ASSERT_TRUE(memtable_->Add(2, kTypeRangeDeletion, "a", "c").ok());
  EXPECT_EQ(1, log_->inserts);
  EXPECT_TRUE(memtable_->tombstones().IsAny());
  EXPECT_EQ("b ", Keys());
}

TEST_F(ApplicationStoreTest, ConcurrentInsertsWhereItSaysSo) {
  Remake(/*is_concurrent=*/true);
  ASSERT_TRUE(Add(1, "a").ok());
  EXPECT_EQ(1, log_->concurrent_inserts);
  EXPECT_EQ(1, log_->batches);
  Remake(/*is_concurrent=*/false);
  ASSERT_TRUE(Add(1, "a").ok());
  EXPECT_EQ(1, log_->concurrent_inserts);
  EXPECT_EQ(1, log_->batches);
}

TEST_F(ApplicationStoreTest, HintsAreSharedByAPrefix) {
  options_.hint_extractor.reset(NewFixedPrefixTransform(1));
  Remake();
  for (const char* key : {"a1", "b1", "a2", "b2", "a3"}) {
    ASSERT_TRUE(Add(1, key).ok());
  }
  EXPECT_EQ(3, log_->hinted_inserts);
}

// Under the lock that seals it nothing of the application is called.
TEST_F(ApplicationStoreTest, IsToldBeforeTheNextRead) {
  ASSERT_TRUE(Add(1, "a").ok());
  memtable_->MarkImmutable();
  EXPECT_EQ(0, log_->read_only);
  EXPECT_EQ("v ", Get("a").values);
  EXPECT_EQ(1, log_->read_only);
  EXPECT_EQ(0, log_->flushed);
  memtable_->MarkFlushed();
  EXPECT_EQ("a ", Keys());
  EXPECT_EQ("a ", Keys());
  EXPECT_EQ(1, log_->flushed);
  EXPECT_EQ(1, log_->read_only);

  Remake();
  memtable_->MarkImmutable();
  memtable_->MarkFlushed();
  memtable_.reset();
  EXPECT_EQ(2, log_->flushed);
  EXPECT_EQ(2, log_->read_only);
  EXPECT_EQ(log_->made, log_->destroyed);
}

TEST_F(ApplicationStoreTest, ItsMemoryCounts) {
  WriteBufferManager manager(1 << 20);
  options_.write_buffer_manager = &manager;
  options_.write_buffer_size = 200 * SetRep::kBytesPerKey;
  Remake();
  const size_t empty = memtable_->ApproximateMemoryUsage();
  const size_t charged = manager.memory_usage();
  int count = 0;
  while (!memtable_->ShouldFlush()) {
    ASSERT_TRUE(Add(1, std::to_string(1000 + count), "").ok());
    ASSERT_LT(++count, 200);
  }
  EXPECT_GE(memtable_->ApproximateMemoryUsage() - empty,
            count * SetRep::kBytesPerKey);
  EXPECT_GE(manager.memory_usage() - charged, count * SetRep::kBytesPerKey);
  memtable_.reset();
  EXPECT_EQ(0u, manager.memory_usage());
}

TEST_F(ApplicationStoreTest, EstimatesAreItsOwn) {
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(Add(1, std::to_string(100 + i)).ok());
  }
  const InternalKey begin("105", kMaxSequenceNumber, kValueTypeForSeek);
  const InternalKey end("110", kMaxSequenceNumber, kValueTypeForSeek);
  EXPECT_EQ(
      5u,
      memtable_->ApproximateStats(begin.Encode(), end.Encode()).entry_count);
}

// --- What goes wrong --------------------------------------------------------

TEST_F(ApplicationStoreTest, WithoutARepItIsATree) {
  const int made = log_->made;
  for (std::atomic<bool>* fault :
       {&log_->making_throws, &log_->makes_nothing, &log_->lacks_snapshots}) {
    *fault = true;
    Remake();
    *fault = false;
    EXPECT_TRUE(memtable_->HasLiveCursors());
    ASSERT_TRUE(Add(1, "a").ok());
    EXPECT_EQ("v ", Get("a").values);
    EXPECT_EQ("a ", Keys());
  }
  memtable_.reset();
  EXPECT_EQ(made + 1, log_->made);
  EXPECT_EQ(log_->made, log_->destroyed);
}

TEST_F(ApplicationStoreTest, AnInsertThatThrowsIsAborted) {
  log_->inserts_throw = true;
  const Status s = Add(1, "a");
  EXPECT_TRUE(s.IsAborted()) << s.ToString();
  EXPECT_NE(std::string::npos, s.ToString().find("test.SetRep"));
  EXPECT_NE(std::string::npos, s.ToString().find("no room in the set"));
  EXPECT_EQ(0u, memtable_->entry_count());
  log_->inserts_throw = false;
  ASSERT_TRUE(Add(1, "a").ok());
}

TEST_F(ApplicationStoreTest, AReadThatThrowsIsAborted) {
  ASSERT_TRUE(Add(1, "a").ok());
  log_->reads_throw = true;
  EXPECT_TRUE(Get("a").failure.IsAborted());
  EXPECT_NE(std::string::npos, Keys().find("the set is shy")) << Keys();
  log_->reads_throw = false;
  EXPECT_EQ("v ", Get("a").values);
  EXPECT_EQ("a ", Keys());
}

// Has no room, and notes how much it was asked for.
class FullRep final : public MemTableRep {
 public:
  explicit FullRep(size_t* asked) : MemTableRep(nullptr), asked_(*asked) {}
  KeyHandle Allocate(size_t len, char** buf) override {
    asked_ = len;
    *buf = nullptr;
    return nullptr;
  }
  void Insert(KeyHandle) override { ADD_FAILURE(); }
  bool Contains(const char*) const override { return false; }
  size_t ApproximateMemoryUsage() override { return 0; }
  Iterator* GetIterator(Arena*) override { return nullptr; }

 private:
  size_t& asked_;
};

class FullRepFactory final : public MemTableRepFactory {
 public:
  using MemTableRepFactory::CreateMemTableRep;
  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator&, Allocator*,
                                 const SliceTransform*, Logger*) override {
    return std::make_unique<FullRep>(&asked).release();
  }
  const char* Name() const override { return "test.FullRep"; }

  size_t asked = 0;
};

// Cut to 32 bits, the size would be a few bytes, into which 4 GiB are copied.
TEST(MemTableEntrySizes, KeyAndValueTogetherMayHaveMoreThan4GiB) {
  FullRepFactory factory;
  MemTableOptions options;
  options.rep_factory = &factory;
  MemTable memtable(options);
  const UntouchedBytes bytes;
  EXPECT_TRUE(
      memtable.Add(1, kTypeValue, "k", bytes.OfSize(UINT32_MAX)).IsAborted());
  EXPECT_GT(factory.asked, size_t{UINT32_MAX} + 1 + kInternalKeyTrailerBytes);
  EXPECT_TRUE(memtable
                  .Add(1, kTypeValue, bytes.OfSize(size_t{3} << 30),
                       bytes.OfSize(size_t{2} << 30))
                  .IsAborted());
  EXPECT_GT(factory.asked, size_t{5} << 30);
  EXPECT_TRUE(memtable.empty());
}

// What takes one insert at a time is not asked for more.
TEST_F(ApplicationStoreTest, DefaultsOfARep) {
  class Bare final : public MemTableRep {
   public:
    Bare() : MemTableRep(nullptr) {}
    void Insert(KeyHandle handle) override {
      inserted.push_back(static_cast<const char*>(handle));
    }
    bool Contains(const char*) const override { return false; }
    size_t ApproximateMemoryUsage() override { return 0; }
    Iterator* GetIterator(Arena*) override { return nullptr; }
    std::vector<const char*> inserted;
  };
  Bare bare;
  MemTableRep& rep = bare;
  char entry[] = "e";
  void* hint = nullptr;
  EXPECT_TRUE(rep.InsertKey(entry));
  EXPECT_TRUE(rep.InsertKeyWithHint(entry, &hint));
  EXPECT_EQ(2u, bare.inserted.size());
  EXPECT_THROW(rep.InsertConcurrently(entry), std::logic_error);
  EXPECT_THROW((void)rep.InsertKeyConcurrently(entry), std::logic_error);
  EXPECT_THROW((void)rep.InsertKeyWithHintConcurrently(entry, &hint),
               std::logic_error);
  EXPECT_TRUE(rep.GetAndValidate(LookupKey("k", 1), nullptr, nullptr, false,
                                 false, nullptr)
                  .IsNotSupported());
  EXPECT_TRUE(rep.MultiGet(0, nullptr, nullptr, nullptr, false,
                           /*detect_key_out_of_order=*/true)
                  .IsNotSupported());
  EXPECT_TRUE(rep.IsMergeOperatorSupported());
  EXPECT_TRUE(rep.IsSnapshotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
