// Entries in any order that become sorted files: against an ordered map, used
// by another database, and what is refused.
#include "rocksdb/utilities/sorted_run_builder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/sst_file_reader.h"
#include "tests/testing/temp_dir.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class SortedRunBuilderTest : public ::testing::Test {
 protected:
  SortedRunBuilderTest() : directory_("sorted_run") {
    options_.temp_dir = directory_.path() + "/run";
    options_.write_buffer_size = 64 << 10;
    options_.target_file_size_bytes = 32 << 10;
  }

  void Create() {
    builder_.reset();
    const Status s = SortedRunBuilder::Create(options_, &builder_);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  // Many overwrite others.
  void AddRandom(uint64_t seed) {
    Random64 random(seed);
    for (int i = 0; i < 4000; ++i) {
      const std::string key = std::to_string(random.Uniform(3000));
      const std::string value = random.RandomString(30) + std::to_string(i);
      ASSERT_TRUE(builder_->Add(key, value).ok());
      model_[key] = value;
    }
  }
  std::string IteratorText() {
    const std::unique_ptr<Iterator> it(builder_->NewIterator(ReadOptions()));
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + "=" + it->value().ToString() + "\n";
    }
    return it->status().ok() ? text : it->status().ToString();
  }
  std::string FilesText() {
    std::string text;
    for (const std::string& file : builder_->GetOutputFiles()) {
      Options options;
      if (options_.comparator != nullptr) {
        options.comparator = options_.comparator;
      }
      SstFileReader reader(options);
      const Status s = reader.Open(file);
      if (!s.ok()) return s.ToString();
      const std::unique_ptr<Iterator> it(reader.NewIterator(ReadOptions()));
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        text += it->key().ToString() + "=" + it->value().ToString() + "\n";
      }
    }
    return text;
  }
  std::string ModelText() const {
    std::string text;
    for (const auto& [key, value] : model_) text += key + "=" + value + "\n";
    return text;
  }

  const TempDir directory_;
  SortedRunBuilderOptions options_;
  std::unique_ptr<SortedRunBuilder> builder_;
  std::map<std::string, std::string> model_;
};

TEST_F(SortedRunBuilderTest, SortsWhatComes) {
  Create();
  ASSERT_NO_FATAL_FAILURE(AddRandom(301));
  EXPECT_EQ(4000u, builder_->GetNumEntries());
  EXPECT_GT(builder_->GetDataSize(), 4000u * 30);
  ASSERT_TRUE(builder_->Finish().ok());
  EXPECT_EQ(model_.size(), builder_->GetNumEntries());
  EXPECT_GT(builder_->GetOutputFiles().size(), 1u);
  EXPECT_EQ(ModelText(), IteratorText());
  EXPECT_EQ(ModelText(), FilesText());
  ASSERT_TRUE(builder_->Cleanup().ok());
  EXPECT_TRUE(builder_->GetOutputFiles().empty());
  EXPECT_FALSE(std::filesystem::exists(options_.temp_dir));
  EXPECT_TRUE(builder_->Cleanup().ok());
}

TEST_F(SortedRunBuilderTest, AnotherDatabaseTakesTheFiles) {
  Create();
  ASSERT_NO_FATAL_FAILURE(AddRandom(302));
  ASSERT_TRUE(builder_->Finish().ok());
  Options options;
  options.create_if_missing = true;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, directory_.path() + "/db", &db).ok());
  IngestExternalFileOptions ingest;
  ingest.allow_db_generated_files = true;
  ingest.snapshot_consistency = false;
  const Status s = db->IngestExternalFile(builder_->GetOutputFiles(), ingest);
  ASSERT_TRUE(s.ok()) << s.ToString();
  builder_.reset();
  const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  std::string text;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    text += it->key().ToString() + "=" + it->value().ToString() + "\n";
  }
  EXPECT_EQ(ModelText(), text);
}

TEST_F(SortedRunBuilderTest, BatchesHaveTheirDeletions) {
  Create();
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("b", "1").ok());
  ASSERT_TRUE(batch.Put("a", "2").ok());
  ASSERT_TRUE(batch.Delete("b").ok());
  ASSERT_TRUE(builder_->AddBatch(&batch).ok());
  EXPECT_EQ(3u, builder_->GetNumEntries());
  ASSERT_TRUE(builder_->Finish().ok());
  EXPECT_EQ(1u, builder_->GetNumEntries());
  EXPECT_EQ("a=2\n", IteratorText());
}

TEST_F(SortedRunBuilderTest, FromManyThreads) {
  Create();
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 500; ++i) {
        const std::string key = std::to_string(i) + "." + std::to_string(t);
        EXPECT_TRUE(builder_->Add(key, "v").ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(builder_->Finish().ok());
  EXPECT_EQ(1500u, builder_->GetNumEntries());
}

TEST_F(SortedRunBuilderTest, KeysInAnotherOrder) {
  options_.comparator = ReverseBytewiseComparator();
  Create();
  for (const char* key : {"b", "c", "a"}) {
    ASSERT_TRUE(builder_->Add(key, "v").ok());
  }
  ASSERT_TRUE(builder_->Finish().ok());
  EXPECT_EQ("c=v\nb=v\na=v\n", IteratorText());
  EXPECT_EQ("c=v\nb=v\na=v\n", FilesText());
}

TEST_F(SortedRunBuilderTest, OfNothing) {
  Create();
  ASSERT_TRUE(builder_->Finish().ok());
  EXPECT_TRUE(builder_->GetOutputFiles().empty());
  EXPECT_EQ("", IteratorText());
  EXPECT_EQ(0u, builder_->GetNumEntries());
}

TEST_F(SortedRunBuilderTest, FilesMayBeKept) {
  options_.keep_temp_db = true;
  Create();
  ASSERT_TRUE(builder_->Add("a", "1").ok());
  ASSERT_TRUE(builder_->Finish().ok());
  const std::string file = builder_->GetOutputFiles().at(0);
  builder_.reset();
  EXPECT_TRUE(std::filesystem::exists(file));
  const Status s = SortedRunBuilder::Create(options_, &builder_);
  EXPECT_TRUE(s.IsInvalidArgument()) << "a database is there";
  EXPECT_EQ(nullptr, builder_);
}

TEST_F(SortedRunBuilderTest, CallsOutOfTurn) {
  Create();
  EXPECT_NE(std::string::npos, IteratorText().find("Invalid argument"));
  EXPECT_TRUE(builder_->AddBatch(nullptr).IsInvalidArgument());
  ASSERT_TRUE(builder_->Finish().ok());
  EXPECT_TRUE(builder_->Finish().IsInvalidArgument());
  EXPECT_TRUE(builder_->Add("a", "1").IsInvalidArgument());
  WriteBatch batch;
  EXPECT_TRUE(builder_->AddBatch(&batch).IsInvalidArgument());
  ASSERT_TRUE(builder_->Cleanup().ok());
  EXPECT_NE(std::string::npos, IteratorText().find("Invalid argument"));
  EXPECT_TRUE(builder_->Finish().IsInvalidArgument());
}

TEST_F(SortedRunBuilderTest, OptionsThatAreRefused) {
  std::unique_ptr<SortedRunBuilder> builder;
  options_.max_compaction_threads = 0;
  EXPECT_TRUE(SortedRunBuilder::Create(options_, &builder).IsInvalidArgument());
  options_.max_compaction_threads = 1;
  options_.temp_dir.clear();
  EXPECT_TRUE(SortedRunBuilder::Create(options_, &builder).IsInvalidArgument());
  options_.temp_dir = "/proc/there/is/none";
  EXPECT_FALSE(SortedRunBuilder::Create(options_, &builder).ok());
  EXPECT_EQ(nullptr, builder);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
