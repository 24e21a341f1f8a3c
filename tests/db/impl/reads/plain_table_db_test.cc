// A database of plain tables works as any other, refuses by name what the
// format cannot do, and reads stock RocksDB's, as stock reads ours.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/shell.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class PlainTableDbTest : public DbFixture {
 protected:
  PlainTableDbTest() {
    options_.allow_mmap_reads = true;
    options_.write_buffer_size = 64 << 10;
    options_.level0_file_num_compaction_trigger = 2;
    Use({});
  }
  void Use(const PlainTableOptions& table) {
    options_.table_factory.reset(NewPlainTableFactory(table));
  }
  static std::string Key(uint64_t i) {
    char text[16];
    snprintf(text, sizeof(text), "key%05d", static_cast<int>(i));
    return text;
  }
  // Random puts, deletions, flushes and compactions beside a map.
  void Work(uint32_t seed) {
    Random64 random(seed);
    for (int i = 0; i < 3000; ++i) {
      const std::string key = Key(random.Uniform(400));
      if (random.Uniform(4) == 0) {
        ASSERT_OK(Delete(key));
        model_.erase(key);
      } else {
        model_[key] = std::string(random.Uniform(200), 'v') + key;
        ASSERT_OK(Put(key, model_[key]));
      }
      if (random.Uniform(500) == 0) ASSERT_OK(Flush());
      if (random.Uniform(1000) == 0) ASSERT_OK(CompactAll());
    }
  }
  void Check() {
    ReadOptions read;
    read.total_order_seek = true;
    std::map<std::string, std::string> found;
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      found[it->key().ToString()] = it->value().ToString();
    }
    ASSERT_OK(it->status());
    EXPECT_EQ(found, model_);
    size_t count = 0;
    for (it->SeekToLast(); it->Valid(); it->Prev()) ++count;
    EXPECT_EQ(count, model_.size());
    for (int i = 0; i < 400; ++i) {
      const auto expected = model_.find(Key(i));
      EXPECT_EQ(Get(Key(i)),
                expected != model_.end() ? expected->second : "NOT_FOUND");
    }
    ASSERT_OK(db_->VerifyChecksum());
  }

  std::map<std::string, std::string> model_;
};

TEST_F(PlainTableDbTest, WorksAsAnyOther) {
  for (const EncodingType encoding : {kPlain, kPrefix}) {
    for (const bool has_prefixes : {false, true}) {
      db_.reset();
      ASSERT_OK(DestroyDB(path_, options_));
      model_.clear();
      PlainTableOptions table;
      table.encoding_type = encoding;
      table.store_index_in_file = has_prefixes == (encoding == kPlain);
      Use(table);
      options_.prefix_extractor.reset(has_prefixes ? NewFixedPrefixTransform(6)
                                                   : nullptr);
      Open();
      ASSERT_NO_FATAL_FAILURE(Work(7 + encoding));
      ASSERT_NO_FATAL_FAILURE(Check());
      Reopen();
      ASSERT_NO_FATAL_FAILURE(Check());
      ASSERT_OK(CompactAll(/*force=*/true));
      ASSERT_NO_FATAL_FAILURE(Check());
    }
  }
}

TEST_F(PlainTableDbTest, TheOptionsFileKnowsThem) {
  PlainTableOptions table;
  table.encoding_type = kPrefix;
  table.index_sparseness = 5;
  Use(table);
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  db_.reset();
  ConfigOptions config;
  DBOptions db;
  std::vector<ColumnFamilyDescriptor> families;
  ASSERT_OK(LoadLatestOptions(config, path_, &db, &families));
  const auto* loaded =
      families[0].options.table_factory->GetOptions<PlainTableOptions>();
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->encoding_type, kPrefix);
  EXPECT_EQ(loaded->index_sparseness, 5u);
  ASSERT_OK(CheckOptionsCompatibility(config, path_, db, families));
  options_.table_factory = families[0].options.table_factory;
  Open();
  EXPECT_EQ(Get("a"), "1");
}

// Rows that are not mapped are in memory; of direct files, too.
TEST_F(PlainTableDbTest, RowsThatAreNotMapped) {
  options_.allow_mmap_reads = false;
  for (const bool is_direct : {false, true}) {
    options_.use_direct_reads = is_direct;
    Open();
    Work(is_direct ? 2 : 1);
    Check();
    ASSERT_OK(Flush());
    db_.reset();
  }
  Open();
  Check();
}

TEST_F(PlainTableDbTest, WhatTheyCannotDoIsRefusedByName) {
  Open();
  ASSERT_OK(Put("a", "1"));
  Status s =
      db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "a", "b");
  EXPECT_TRUE(s.IsNotSupported());
  WriteBatch batch;
  ASSERT_OK(batch.Put("c", "2"));
  ASSERT_OK(batch.DeleteRange("a", "b"));
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsNotSupported());
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Get("c"), "NOT_FOUND");
  SstFileWriter writer(EnvOptions(), options_);
  s = writer.Open(path_ + "/outside.sst");
  if (s.ok()) s = writer.Put("k", "v");
  if (s.ok()) s = writer.Finish();
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("a"), "1");
}

TEST_F(PlainTableDbTest, ReadsWhatStockWrote) {
  if (!HasProgram("db_bench")) GTEST_SKIP() << "stock db_bench is not here";
  int status = 0;
  const std::string theirs = directory_.File("theirs");
  const std::string output = RunShell(
      "db_bench --benchmarks=filluniquerandom --num=2000 --use_plain_table=1 "
      "--mmap_read=1 --prefix_size=8 --key_size=16 --value_size=20 "
      "--compression_type=none --write_buffer_size=65536 --db=" +
          theirs,
      &status);
  ASSERT_EQ(status, 0) << output;
  options_.prefix_extractor.reset(NewFixedPrefixTransform(8));
  options_.create_if_missing = false;
  ASSERT_OK(DB::OpenForReadOnly(options_, theirs, &db_));
  ReadOptions read;
  read.total_order_seek = true;
  int count = 0;
  const std::unique_ptr<Iterator> it(db_->NewIterator(read));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    std::string value;
    ASSERT_OK(db_->Get(ReadOptions(), it->key(), &value));
    EXPECT_EQ(value.size(), 20u);
    ++count;
  }
  ASSERT_OK(it->status());
  EXPECT_EQ(count, 2000);
}

// By ldb; stock sst_dump reads no plain table, not even stock's.
TEST_F(PlainTableDbTest, StockReadsWhatWeWrote) {
  if (!HasProgram("ldb")) GTEST_SKIP() << "stock ldb is not here";
  for (const EncodingType encoding : {kPlain, kPrefix}) {
    for (const uint32_t length : {kPlainTableVariableLength, uint32_t{8}}) {
      SCOPED_TRACE(std::to_string(encoding) + " " + std::to_string(length));
      PlainTableOptions table;
      table.store_index_in_file = length == 8;
      table.encoding_type = encoding;
      table.user_key_len = length;
      Use(table);
      options_.prefix_extractor.reset(NewFixedPrefixTransform(6));
      db_.reset();
      ASSERT_OK(DestroyDB(path_, options_));
      model_.clear();
      Open();
      ASSERT_NO_FATAL_FAILURE(Work(3 + length));
      ASSERT_OK(CompactAll());
      ASSERT_OK(db_->Close());
      db_.reset();
      int status = 0;
      const std::string output =
          RunShell("ldb --db=" + path_ +
                       " --try_load_options --ignore_unknown_options scan",
                   &status);
      ASSERT_EQ(status, 0) << output;
      std::string expected;
      for (const auto& [key, value] : model_) {
        expected += key + " : " + value + "\n";
      }
      EXPECT_EQ(output, expected);
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
