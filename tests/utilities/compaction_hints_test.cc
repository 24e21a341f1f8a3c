// What users tell compaction: deletions that are worth it, borders of files,
// suggestions and promotions.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/experimental.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/utilities/table_properties_collectors.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

bool NeedsCompaction(CompactOnDeletionCollectorFactory* factory,
                     const std::string& entries, uint64_t file_bytes = 1000) {
  const std::unique_ptr<TablePropertiesCollector> collector(
      factory->CreateTablePropertiesCollector({}));
  for (const char c : entries) {
    const Status s = collector->AddUserKey(
        "key", "", c == 'd' ? kEntryDelete : kEntryPut, 1, file_bytes);
    EXPECT_TRUE(s.ok());
  }
  UserCollectedProperties none;
  EXPECT_TRUE(collector->Finish(&none).ok());
  EXPECT_TRUE(none.empty());
  return collector->NeedCompact();
}

TEST(CompactOnDeletionTest, DeletionsCloseToEachOtherMarkAFile) {
  auto factory = NewCompactOnDeletionCollectorFactory(4, 3);
  EXPECT_TRUE(NeedsCompaction(factory.get(), "ppdddpp"));
  EXPECT_TRUE(NeedsCompaction(factory.get(), "pddpdp"));
  EXPECT_FALSE(NeedsCompaction(factory.get(), "pddppdpdppdp"));
  EXPECT_FALSE(NeedsCompaction(factory.get(), ""));
  factory->SetDeletionTrigger(2);
  EXPECT_TRUE(NeedsCompaction(factory.get(), "pddpp"));
  factory->SetDeletionTrigger(0);
  EXPECT_FALSE(NeedsCompaction(factory.get(), "dddddd"));
  EXPECT_NE(factory->ToString().find("Deletion trigger = 0"),
            std::string::npos);
}

TEST(CompactOnDeletionTest, AShareOfDeletionsMarksAFile) {
  auto factory = NewCompactOnDeletionCollectorFactory(0, 0, 0.5, 500);
  EXPECT_TRUE(NeedsCompaction(factory.get(), "pdpd"));
  EXPECT_FALSE(NeedsCompaction(factory.get(), "pdpdp"));
  EXPECT_FALSE(NeedsCompaction(factory.get(), "dddd", 499)) << "too small";
  factory->SetDeletionRatio(1.5);
  EXPECT_FALSE(NeedsCompaction(factory.get(), "dddd"));
}

TEST(CompactOnDeletionTest, WhatCountsAndWhatIsSaid) {
  // Two deletions within 128 entries.
  auto factory = NewCompactOnDeletionCollectorFactory(128, 2, 0);
  EXPECT_TRUE(
      NeedsCompaction(factory.get(), "d" + std::string(120, 'p') + "d"));
  EXPECT_FALSE(
      NeedsCompaction(factory.get(), "d" + std::string(130, 'p') + "d"));
  EXPECT_EQ(
      "CompactOnDeletionCollector (Sliding window size = 128 Deletion "
      "trigger = 2 Deletion ratio = 0)",
      factory->ToString());
  // Single deletions and those of a timestamp are deletions too.
  for (const EntryType type :
       {kEntrySingleDelete, kEntryDeleteWithTimestamp, kEntryDelete}) {
    const std::unique_ptr<TablePropertiesCollector> collector(
        factory->CreateTablePropertiesCollector({}));
    for (SequenceNumber sequence = 1; sequence <= 2; ++sequence) {
      EXPECT_TRUE(collector->AddUserKey("k", "", type, sequence, 1000).ok());
    }
    UserCollectedProperties none;
    EXPECT_TRUE(collector->Finish(&none).ok());
    EXPECT_TRUE(collector->NeedCompact()) << type;
  }
  // Without a window there is none to fill; below the size nothing counts.
  EXPECT_FALSE(NeedsCompaction(
      NewCompactOnDeletionCollectorFactory(0, 2, 0).get(), "dddd"));
  EXPECT_FALSE(NeedsCompaction(
      NewCompactOnDeletionCollectorFactory(128, 2, 0, 2000).get(), "dddd"));
}

class CompactionHintsTest : public ::testing::Test {
 protected:
  CompactionHintsTest() : directory_("hints") {
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.num_levels = 4;
    options_.level_compaction_dynamic_level_bytes = false;
  }
  void Open() {
    db_.reset();
    const Status s = DB::Open(options_, directory_.path() + "/db", &db_);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  void Put(const std::string& key) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, "v").ok());
  }
  void Flush() { ASSERT_TRUE(db_->Flush(FlushOptions()).ok()); }
  void Wait() {
    ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  }
  Status CompactAll() {
    return db_->CompactRange(CompactRangeOptions(), nullptr, nullptr);
  }
  std::set<std::string> FileNames() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    std::set<std::string> names;
    for (const LiveFileMetaData& file : files) names.insert(file.name);
    return names;
  }
  // The number of files of each level, "0031".
  std::string Shape() {
    std::string text;
    for (int level = 0; level < options_.num_levels; ++level) {
      std::string count;
      EXPECT_TRUE(db_->GetProperty(
          "rocksdb.num-files-at-level" + std::to_string(level), &count));
      text += count;
    }
    return text;
  }

  const TempDir directory_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(CompactionHintsTest, DeletionsThatAreMarkedGoAway) {
  for (const CompactionStyle style :
       {kCompactionStyleLevel, kCompactionStyleUniversal}) {
    SCOPED_TRACE(static_cast<int>(style));
    db_.reset();
    ASSERT_TRUE(DestroyDB(directory_.path() + "/db", options_).ok());
    options_.compaction_style = style;
    options_.table_properties_collector_factories = {
        NewCompactOnDeletionCollectorFactory(10, 5)};
    Open();
    for (int i = 0; i < 50; ++i) Put("key" + std::to_string(i));
    Flush();
    ASSERT_TRUE(CompactAll().ok());
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(db_->Delete(WriteOptions(), "key" + std::to_string(i)).ok());
    }
    Put("zebra");
    Flush();
    Wait();
    TablePropertiesCollection all;
    ASSERT_TRUE(db_->GetPropertiesOfAllTables(&all).ok());
    uint64_t deletions = 0;
    for (const auto& one : all) deletions += one.second->num_deletions;
    EXPECT_EQ(deletions, 0u) << Shape();
    std::string value;
    EXPECT_TRUE(db_->Get(ReadOptions(), "zebra", &value).ok());
    EXPECT_TRUE(db_->Get(ReadOptions(), "key7", &value).IsNotFound());
  }
}

// Ends files where the first letter changes.
class ByFirstLetter final : public SstPartitioner {
 public:
  const char* Name() const override { return "ByFirstLetter"; }
  PartitionerResult ShouldPartition(
      const PartitionerRequest& request) override {
    return (*request.prev_user_key)[0] == (*request.current_user_key)[0]
               ? kNotRequired
               : kRequired;
  }
  bool CanDoTrivialMove(const Slice&, const Slice&) override { return true; }
};

class ByFirstLetterFactory final : public SstPartitionerFactory {
 public:
  const char* Name() const override { return "ByFirstLetterFactory"; }
  std::unique_ptr<SstPartitioner> CreatePartitioner(
      const SstPartitioner::Context& context) const override {
    EXPECT_EQ(context.output_level, 1);
    EXPECT_TRUE(context.is_manual_compaction);
    EXPECT_EQ(context.smallest_user_key, Slice("a1"));
    EXPECT_EQ(context.largest_user_key, Slice("c2"));
    return std::make_unique<ByFirstLetter>();
  }
};

TEST_F(CompactionHintsTest, APartitionerEndsFilesAtPrefixes) {
  options_.sst_partitioner_factory = std::make_shared<ByFirstLetterFactory>();
  Open();
  for (const char* key : {"a1", "a2", "b1", "c1", "c2"}) Put(key);
  Flush();
  Put("b2");
  Flush();
  ASSERT_TRUE(CompactAll().ok());
  EXPECT_EQ(Shape(), "0300");
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  for (const LiveFileMetaData& file : files) {
    EXPECT_EQ(file.smallestkey[0], file.largestkey[0]);
  }
}

TEST_F(CompactionHintsTest, SuggestedFilesAreCompacted) {
  Open();
  Put("a");
  Put("m");
  Flush();
  CompactRangeOptions deep;
  deep.change_level = true;
  deep.target_level = 3;
  ASSERT_TRUE(db_->CompactRange(deep, nullptr, nullptr).ok());
  Put("b");
  Flush();
  Wait();
  EXPECT_EQ(Shape(), "1001");
  const Slice begin("x"), end("z");
  ASSERT_TRUE(experimental::SuggestCompactRange(db_.get(), &begin, &end).ok());
  Wait();
  EXPECT_EQ(Shape(), "1001") << "nothing in the range";
  ASSERT_TRUE(
      experimental::SuggestCompactRange(db_.get(), nullptr, nullptr).ok());
  Wait();
  EXPECT_EQ(Shape()[0], '0');
  EXPECT_TRUE(experimental::SuggestCompactRange(nullptr, nullptr, nullptr)
                  .IsInvalidArgument());
}

TEST_F(CompactionHintsTest, PromotesFilesThatDoNotOverlap) {
  Open();
  auto* family = db_->DefaultColumnFamily();
  for (const char* key : {"c", "a", "b"}) {
    Put(key);
    Flush();
  }
  EXPECT_EQ(Shape(), "3000");
  for (const int wrong : {-1, 0, 4}) {
    EXPECT_TRUE(
        experimental::PromoteL0(db_.get(), family, wrong).IsInvalidArgument());
  }
  const Status promoted = experimental::PromoteL0(db_.get(), family, 2);
  ASSERT_TRUE(promoted.ok()) << promoted.ToString();
  EXPECT_EQ(Shape(), "0030");
  Put("a");
  Flush();
  EXPECT_TRUE(experimental::PromoteL0(db_.get(), family, 2).IsInvalidArgument())
      << "the level has files";
  Put("a");
  Flush();
  EXPECT_TRUE(experimental::PromoteL0(db_.get(), family, 1).IsInvalidArgument())
      << "the files overlap";
  Open();
  std::string value;
  for (const char* key : {"a", "b", "c"}) {
    EXPECT_TRUE(db_->Get(ReadOptions(), key, &value).ok()) << key;
  }
}

TEST_F(CompactionHintsTest, FixedPrefixesEndFiles) {
  options_.sst_partitioner_factory = NewSstPartitionerFixedPrefixFactory(2);
  Open();
  for (const char* key : {"a", "aa1", "aa2", "ab1", "b"}) Put(key);
  Flush();
  Put("ab2");
  Flush();
  ASSERT_TRUE(CompactAll().ok());
  EXPECT_EQ(Shape(), "0400") << "a, aa1 to aa2, ab1 to ab2, b";
}

// Lets files move by a rule of the test's, which may look at the database.
class MoveRule final : public SstPartitionerFactory {
 public:
  using Rule = std::function<bool(const Slice& smallest, const Slice& largest)>;
  explicit MoveRule(Rule rule) : rule_(std::move(rule)) {}
  const char* Name() const override { return "MoveRule"; }
  std::unique_ptr<SstPartitioner> CreatePartitioner(
      const SstPartitioner::Context& context) const override {
    EXPECT_GT(context.output_level, 0);
    EXPECT_LE(context.smallest_user_key.compare(context.largest_user_key), 0);
    return std::make_unique<Partitioner>(&rule_);
  }

 private:
  class Partitioner final : public SstPartitioner {
   public:
    explicit Partitioner(const Rule* rule) : rule_(rule) {}
    const char* Name() const override { return "MoveRule"; }
    PartitionerResult ShouldPartition(const PartitionerRequest&) override {
      return kNotRequired;
    }
    bool CanDoTrivialMove(const Slice& smallest,
                          const Slice& largest) override {
      return (*rule_)(smallest, largest);
    }

   private:
    const Rule* const rule_;
  };
  const Rule rule_;
};

TEST_F(CompactionHintsTest, APartitionerSaysWhichFilesMove) {
  std::string asked;
  bool may_move = true;
  options_.sst_partitioner_factory = std::make_shared<MoveRule>(
      [&](const Slice& smallest, const Slice& largest) {
        asked += smallest.ToString() + "-" + largest.ToString() + " ";
        // No lock is held that this needs.
        EXPECT_EQ(Shape(), "2000");
        return may_move;
      });
  for (const bool may : {true, false}) {
    SCOPED_TRACE(may);
    may_move = may;
    asked.clear();
    ASSERT_TRUE(DestroyDB(directory_.path() + "/db", options_).ok());
    Open();
    for (const char* key : {"a", "c"}) Put(key);
    Flush();
    for (const char* key : {"d", "f"}) Put(key);
    Flush();
    const std::set<std::string> before = FileNames();
    ASSERT_TRUE(CompactAll().ok());
    EXPECT_EQ(Shape(), may ? "0200" : "0100");
    EXPECT_EQ(FileNames() == before, may);
    EXPECT_EQ(asked, may ? "d-f a-c " : "d-f ") << "one no is enough";
    std::string value;
    for (const char* key : {"a", "c", "d", "f"}) {
      EXPECT_TRUE(db_->Get(ReadOptions(), key, &value).ok()) << key;
    }
    db_.reset();
  }
}

// Each on its own: those of one prefix move, the other is made two.
TEST_F(CompactionHintsTest, AutomaticCompactionsAskForEachFile) {
  options_.sst_partitioner_factory = NewSstPartitionerFixedPrefixFactory(1);
  options_.level0_file_num_compaction_trigger = 1;
  Open();
  for (const char* keys : {"aa", "bc", "dd"}) {
    Put(keys + std::string("1"));
    Put(keys + 1 + std::string("2"));
    Flush();
    Wait();
  }
  EXPECT_EQ(Shape(), "0400");
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  for (const LiveFileMetaData& file : files) {
    EXPECT_EQ(file.smallestkey[0], file.largestkey[0]);
  }
}

class ThrowingFactory final : public SstPartitionerFactory {
 public:
  const char* Name() const override { return "Throwing"; }
  std::unique_ptr<SstPartitioner> CreatePartitioner(
      const SstPartitioner::Context&) const override {
    throw std::runtime_error("no partitioner today");
  }
};

TEST_F(CompactionHintsTest, APartitionerThatThrowsFailsTheCompactionAlone) {
  options_.sst_partitioner_factory = std::make_shared<ThrowingFactory>();
  Open();
  Put("a");
  Flush();
  const Status s = CompactAll();
  EXPECT_TRUE(s.IsAborted()) << s.ToString();
  EXPECT_NE(s.ToString().find("no partitioner today"), std::string::npos);
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "a", &value).ok());
}

TEST_F(CompactionHintsTest, APartitionerThatThrowsWhenAskedForAMove) {
  bool throws = true;
  options_.sst_partitioner_factory =
      std::make_shared<MoveRule>([&](const Slice&, const Slice&) {
        if (throws) throw std::runtime_error("no moves today");
        return true;
      });
  Open();
  Put("a");
  Flush();
  const std::set<std::string> before = FileNames();
  const Status s = CompactAll();
  EXPECT_TRUE(s.IsAborted()) << s.ToString();
  EXPECT_NE(s.ToString().find("no moves today"), std::string::npos);
  EXPECT_EQ(Shape(), "1000");
  throws = false;
  ASSERT_TRUE(db_->Resume().ok());
  ASSERT_TRUE(CompactAll().ok());
  EXPECT_EQ(Shape(), "0100");
  EXPECT_EQ(FileNames(), before);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
