// The dynamic options of blob files are in force once they are set: the cases
// of dynamic_family_rows.h for them.
#include <gtest/gtest.h>

#include "tests/db/impl/options/dynamic_family_rows.h"
#include "util/compression.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

using Rows = DynamicFamilyRows;

namespace {

uint64_t BlobProperty(DB* db, const std::string& property) {
  uint64_t value = 0;
  EXPECT_TRUE(db->GetIntProperty(property, &value)) << property;
  return value;
}
uint64_t BlobFilesOf(DB* db) {
  return BlobProperty(db, DB::Properties::kNumBlobFiles);
}
uint64_t BlobBytesOf(DB* db) {
  return BlobProperty(db, DB::Properties::kTotalBlobFileSize);
}
uint64_t GarbageIn(DB* db) {
  return BlobProperty(db, DB::Properties::kLiveBlobFileGarbageSize);
}

// Words of a small language: what a codec's level makes of them differs.
void PutProse(DB* db) {
  Random64 random(1);
  for (int i = 0; i < 20; ++i) {
    std::string text;
    while (text.size() < 20'000) {
      for (uint64_t n = 1 + random.Uniform(6); n > 0; --n) {
        text.push_back(static_cast<char>('a' + random.Skewed(4)));
      }
      text.push_back(' ');
    }
    EXPECT_OK(db->Put(WriteOptions(), std::to_string(i), text));
  }
  EXPECT_OK(db->Flush(FlushOptions()));
}

}  // namespace

void Rows::enable_blob_files() {
  Open();
  WriteFile(1, 1, 10);
  EXPECT_EQ(BlobFilesOf(db_.get()), 0u);
  Set("enable_blob_files", "true");
  WriteFile(2, 1, 10);
  EXPECT_EQ(BlobFilesOf(db_.get()), 1u);
}

void Rows::min_blob_size() {
  options_.enable_blob_files = true;
  Open();
  Set("min_blob_size", "1000");
  WriteFile(1, 1, 10);
  EXPECT_EQ(BlobFilesOf(db_.get()), 0u);
  Set("min_blob_size", "100");
  WriteFile(2, 1, 10);
  EXPECT_EQ(BlobFilesOf(db_.get()), 1u);
}

void Rows::blob_file_size() {
  options_.enable_blob_files = true;
  Open();
  Set("blob_file_size", "10000");
  WriteFile(1);
  EXPECT_GT(BlobFilesOf(db_.get()), 10u);
}

void Rows::blob_compression_type() {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP();
  options_.enable_blob_files = true;
  Open();
  PutProse(db_.get());
  const uint64_t before = BlobBytesOf(db_.get());
  Set("blob_compression_type", "kZSTD");
  PutProse(db_.get());
  EXPECT_LT(BlobBytesOf(db_.get()), before + before * 9 / 10);
}

void Rows::blob_compression_opts() {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP();
  options_.enable_blob_files = true;
  options_.blob_compression_type = kZSTD;
  options_.blob_compression_opts.level = 1;
  Open();
  PutProse(db_.get());
  const uint64_t quickly = BlobBytesOf(db_.get());
  Set("blob_compression_opts", "{level=19}");
  PutProse(db_.get());
  EXPECT_LT(BlobBytesOf(db_.get()) - quickly, quickly);
}

void Rows::blob_file_starting_level() {
  options_.enable_blob_files = true;
  Open();
  Set("blob_file_starting_level", "1");
  WriteFile(1, 1, 10);
  EXPECT_EQ(BlobFilesOf(db_.get()), 0u);
  ASSERT_OK(CompactTo(0, 1));
  EXPECT_EQ(BlobFilesOf(db_.get()), 1u);
}

void Rows::prepopulate_blob_cache() {
  options_.enable_blob_files = true;
  options_.blob_cache = NewLRUCache(4 << 20);
  Open();
  WriteFile(1, 1, 10);
  EXPECT_EQ(Ticker(BLOB_DB_CACHE_ADD), 0u);
  Set("prepopulate_blob_cache", "kFlushOnly");
  WriteFile(2, 1, 10);
  EXPECT_EQ(Ticker(BLOB_DB_CACHE_ADD), 10u);
}

void Rows::enable_blob_garbage_collection() {
  options_.enable_blob_files = true;
  options_.blob_garbage_collection_age_cutoff = 1;
  Open();
  WriteFile(1, 1, 100);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Ticker(BLOB_DB_GC_NUM_KEYS_RELOCATED), 0u);
  Set("enable_blob_garbage_collection", "true");
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Ticker(BLOB_DB_GC_NUM_KEYS_RELOCATED), 100u);
}

void Rows::blob_garbage_collection_age_cutoff() {
  options_.enable_blob_files = true;
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 0;
  Open();
  WriteFile(1, 1, 100);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Ticker(BLOB_DB_GC_NUM_KEYS_RELOCATED), 0u);
  Set("blob_garbage_collection_age_cutoff", "1");
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Ticker(BLOB_DB_GC_NUM_KEYS_RELOCATED), 100u);
}

// Nothing but the garbage calls for a compaction.
void Rows::blob_garbage_collection_force_threshold() {
  options_.enable_blob_files = true;
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 1;
  options_.blob_garbage_collection_force_threshold = 1;
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 100;
  Open();
  WriteFile(1, 1, 100);
  WriteFile(2, 2, 100);
  CompactRangeOptions keep;
  keep.blob_garbage_collection_policy = BlobGarbageCollectionPolicy::kDisable;
  ASSERT_OK(db_->CompactRange(keep, nullptr, nullptr));
  Await();
  ASSERT_GT(GarbageIn(db_.get()), 0u);
  Set("blob_garbage_collection_force_threshold", "0.2");
  Await();
  EXPECT_EQ(GarbageIn(db_.get()), 0u);
}

void Rows::blob_compaction_readahead_size() {
  options_.enable_blob_files = true;
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 1;
  Open();
  WriteFile(1);
  const auto reads_of_blobs = [this] {
    Forget();
    EXPECT_OK(CompactAll(/*force=*/true));
    size_t count = 0;
    for (const ReadRecord& read : recorder_->reads()) {
      count += read.path.ends_with(".blob");
    }
    return count;
  };
  const size_t before = reads_of_blobs();
  Set("blob_compaction_readahead_size", "8192");
  const size_t small = reads_of_blobs();
  Set("blob_compaction_readahead_size", "1048576");
  EXPECT_LT(reads_of_blobs(), small) << before << " by default";
}

}  // namespace ROCKSDB_NAMESPACE
