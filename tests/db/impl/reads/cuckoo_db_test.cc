// A database of cuckoo tables works as any other and refuses what the format
// cannot hold; an adaptive factory reads every format; stock RocksDB and we
// read each other's.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/shell.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class CuckooDbTest : public DbFixture {
 protected:
  CuckooDbTest() {
    options_.allow_mmap_reads = true;
    options_.write_buffer_size = 64 << 10;
    options_.level0_file_num_compaction_trigger = 3;
    options_.table_factory.reset(NewCuckooTableFactory());
  }
  static std::string Key(uint64_t i) {
    char text[16];
    snprintf(text, sizeof text, "key%05d", static_cast<int>(i));
    return text;
  }
  static std::string Value(uint64_t i) {
    char text[16];
    snprintf(text, sizeof text, "value%05d", static_cast<int>(i));
    return text;
  }
  void Work(uint32_t seed) {
    Random64 random(seed);
    for (int i = 0; i < 3000; ++i) {
      const std::string key = Key(random.Uniform(400));
      if (random.Uniform(4) == 0) {
        ASSERT_OK(Delete(key));
        model_.erase(key);
      } else {
        model_[key] = Value(random.Uniform(99999));
        ASSERT_OK(Put(key, model_[key]));
      }
      if (random.Uniform(500) == 0) ASSERT_OK(Flush());
      if (random.Uniform(1000) == 0) ASSERT_OK(CompactAll());
    }
  }
  void Check() {
    std::string expected, backward;
    for (const auto& [key, value] : model_) {
      expected += key + "=" + value + " ";
      backward = key + "=" + value + " " + backward;
    }
    EXPECT_EQ(Scan(), expected);
    EXPECT_EQ(ScanBackward(), backward);
    for (int i = 0; i < 400; ++i) {
      const auto found = model_.find(Key(i));
      EXPECT_EQ(Get(Key(i)),
                found != model_.end() ? found->second : "NOT_FOUND");
    }
    ASSERT_OK(db_->VerifyChecksum());
  }

  std::map<std::string, std::string> model_;
};

TEST_F(CuckooDbTest, WorksAsAnyOther) {
  Open();
  ASSERT_NO_FATAL_FAILURE(Work(1));
  ASSERT_NO_FATAL_FAILURE(Check());
  ASSERT_OK(Flush());
  Reopen();
  ASSERT_NO_FATAL_FAILURE(Check());
  ASSERT_OK(CompactAll(/*force=*/true));
  ASSERT_NO_FATAL_FAILURE(Check());
  // Without sequences in the last level, and with others on top.
  ASSERT_NO_FATAL_FAILURE(Work(2));
  ASSERT_OK(Flush());
  ASSERT_NO_FATAL_FAILURE(Check());
}

// Nothing is dropped: the flush fails, and what it was to write stays readable.
TEST_F(CuckooDbTest, WhatHasNoPlaceFailsTheFlush) {
  Open();
  ASSERT_OK(Put("key1", "one"));
  ASSERT_OK(Put("key2", "three"));
  const Status s = Flush();
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_NE(s.ToString().find("all values have to be the same size"),
            std::string::npos)
      << s.ToString();
  EXPECT_EQ(Get("key1"), "one");
  EXPECT_EQ(Get("key2"), "three");
  // A format that has a place for them is all it takes.
  options_.table_factory.reset(NewAdaptiveTableFactory());
  Reopen();
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("key1"), "one");
  EXPECT_EQ(Get("key2"), "three");
}

TEST_F(CuckooDbTest, AVersionThatASnapshotNeedsFailsTheFlush) {
  Open();
  ASSERT_OK(Put("key1", "one"));
  const Snapshot* const snapshot = db_->GetSnapshot();
  ASSERT_OK(Put("key1", "two"));
  const Status s = Flush();
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_NE(s.ToString().find("Same key is being inserted again."),
            std::string::npos);
  EXPECT_EQ(Get("key1", snapshot), "one");
  EXPECT_EQ(Get("key1"), "two");
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(CuckooDbTest, SnapshotsSeeNoNewerEntry) {
  Open();
  ASSERT_OK(Put("key1", "one"));
  ASSERT_OK(Flush());
  const Snapshot* const snapshot = db_->GetSnapshot();
  ASSERT_OK(Put("key1", "two"));
  ASSERT_OK(Put("key2", "new"));
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("key1", snapshot), "one");
  EXPECT_EQ(Get("key2", snapshot), "NOT_FOUND");
  EXPECT_EQ(Get("key1"), "two");
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(CuckooDbTest, WhatTheyCannotDoIsRefused) {
  Open();
  ASSERT_OK(Put("a", "1"));
  EXPECT_TRUE(
      db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "a", "b")
          .IsNotSupported());
  ASSERT_OK(Flush());
  db_.reset();
  // Read without a mapping.
  options_.allow_mmap_reads = false;
  const Status s = TryOpen();
  EXPECT_TRUE(!s.ok() ||
              Get("a").find("File is not mmaped") != std::string::npos)
      << s.ToString();
  db_.reset();
  options_.allow_mmap_reads = true;
  CuckooTableOptions table;
  table.hash_table_ratio = 0.0;
  options_.table_factory.reset(NewCuckooTableFactory(table));
  EXPECT_TRUE(TryOpen().IsInvalidArgument());
}

TEST_F(CuckooDbTest, FilesThatAreWrittenOutside) {
  const std::string path = directory_.File("outside.sst");
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.Open(path));
  for (int i = 0; i < 50; ++i) ASSERT_OK(writer.Put(Key(i), Value(i)));
  EXPECT_TRUE(writer.Put(Key(50), "short").IsNotSupported());
  ASSERT_FALSE(writer.Finish().ok());

  SstFileWriter again(EnvOptions(), options_);
  ASSERT_OK(again.Open(path));
  for (int i = 0; i < 50; ++i) ASSERT_OK(again.Put(Key(i), Value(i)));
  ASSERT_OK(again.Finish());
  SstFileReader reader(options_);
  ASSERT_OK(reader.Open(path));
  const std::unique_ptr<Iterator> it(reader.NewIterator(ReadOptions()));
  int count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next(), ++count) {
    EXPECT_EQ(it->key(), Slice(Key(count)));
    EXPECT_EQ(it->value(), Slice(Value(count)));
  }
  EXPECT_EQ(count, 50);
  Open();
  EXPECT_FALSE(
      db_->IngestExternalFile({path}, IngestExternalFileOptions()).ok());
}

TEST_F(CuckooDbTest, OptionsAreKnownByName) {
  std::shared_ptr<TableFactory> factory;
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  ASSERT_OK(TableFactory::CreateFromString(
      config, "{id=CuckooTable;hash_table_ratio=0.5}", &factory));
  EXPECT_EQ(factory->GetOptions<CuckooTableOptions>()->hash_table_ratio, 0.5);
  for (const bool is_lenient : {false, true}) {
    config.ignore_unsupported_options = is_lenient;
    const Status s = TableFactory::CreateFromString(
        config, "{id=CuckooTable;hash_table_ratio=0.5;zz=1}", &factory);
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
    EXPECT_NE(s.ToString().find("zz"), std::string::npos);
  }
  config.ignore_unsupported_options = false;
  EXPECT_FALSE(
      TableFactory::CreateFromString(config, "AdaptiveTableFactory", &factory)
          .ok());
  CuckooTableOptions table;
  table.max_search_depth = 7;
  options_.table_factory.reset(NewCuckooTableFactory(table));
  Open();
  db_.reset();
  DBOptions db;
  std::vector<ColumnFamilyDescriptor> families;
  ASSERT_OK(LoadLatestOptions(config, path_, &db, &families));
  const auto* loaded =
      families[0].options.table_factory->GetOptions<CuckooTableOptions>();
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->max_search_depth, 7u);
}

// --- Several formats in one database

TEST_F(CuckooDbTest, AnAdaptiveFactoryReadsEveryFormat) {
  options_.disable_auto_compactions = true;
  options_.prefix_extractor.reset(NewFixedPrefixTransform(6));
  std::string expected;
  for (const auto make : {+[] { return NewBlockBasedTableFactory(); },
                          +[] { return NewPlainTableFactory(); },
                          +[] { return NewCuckooTableFactory(); }}) {
    const std::shared_ptr<TableFactory> writes(make());
    options_.table_factory.reset(NewAdaptiveTableFactory(writes));
    EXPECT_STREQ(options_.table_factory->Name(), "AdaptiveTableFactory");
    Reopen();
    const std::string key = std::string("file-") + writes->Name();
    ASSERT_OK(Put(key, "v"));
    ASSERT_OK(Flush());
  }
  EXPECT_EQ(FilesAt(0), 3);
  const std::unique_ptr<TableFactory> copy = options_.table_factory->Clone();
  EXPECT_STREQ(copy->Name(), "AdaptiveTableFactory");
  EXPECT_NE(copy->GetPrintableOptions().find("hash_table_ratio"),
            std::string::npos);
  for (int round = 0; round < 2; ++round) {
    ReadOptions read;
    read.total_order_seek = true;
    EXPECT_EQ(Scan(read),
              "file-BlockBasedTable=v file-CuckooTable=v file-PlainTable=v ");
    EXPECT_EQ(Get("file-CuckooTable"), "v");
    // One file of another format, which has a place for all keys.
    options_.table_factory.reset(NewAdaptiveTableFactory());
    Reopen();
    ASSERT_OK(CompactAll(/*force=*/true));
  }
  options_.table_factory.reset(NewBlockBasedTableFactory());
  Reopen();
  EXPECT_EQ(Get("file-PlainTable"), "v");
}

TEST_F(CuckooDbTest, AnAdaptiveFactoryRefusesOtherFiles) {
  options_.table_factory.reset(NewAdaptiveTableFactory());
  const std::string path = directory_.File("other.sst");
  for (const std::string& bytes :
       {std::string("short"), std::string(100, 'x')}) {
    ASSERT_OK(WriteStringToFile(Env::Default(), bytes, path));
    SstFileReader reader(options_);
    const Status s = reader.Open(path);
    EXPECT_FALSE(s.ok());
    if (bytes.size() == 100) {
      EXPECT_TRUE(s.IsNotSupported());
      EXPECT_NE(s.ToString().find("Unidentified table format"),
                std::string::npos);
    }
  }
}

// --- Beside RocksDB

TEST_F(CuckooDbTest, ReadsWhatStockWrote) {
  if (!HasProgram("db_bench")) GTEST_SKIP() << "stock db_bench is not here";
  int status = 0;
  const std::string theirs = directory_.File("theirs");
  const std::string output = RunShell(
      "db_bench --benchmarks=filluniquerandom --num=2000 --use_cuckoo_table=1 "
      "--mmap_read=1 --key_size=16 --value_size=20 --cuckoo_hash_ratio=0.8 "
      "--compression_type=none --write_buffer_size=65536 --db=" +
          theirs,
      &status);
  ASSERT_EQ(status, 0) << output;
  options_.create_if_missing = false;
  ASSERT_OK(DB::OpenForReadOnly(options_, theirs, &db_));
  int count = 0;
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  for (it->SeekToFirst(); it->Valid(); it->Next(), ++count) {
    std::string value;
    ASSERT_OK(db_->Get(ReadOptions(), it->key(), &value));
    EXPECT_EQ(value.size(), 20u);
  }
  ASSERT_OK(it->status());
  EXPECT_EQ(count, 2000);
  ASSERT_OK(db_->VerifyChecksum());
}

TEST_F(CuckooDbTest, StockReadsWhatWeWrote) {
  if (!HasProgram("ldb")) GTEST_SKIP() << "stock ldb is not here";
  Open();
  ASSERT_NO_FATAL_FAILURE(Work(5));
  ASSERT_OK(CompactAll());
  ASSERT_OK(db_->Close());
  db_.reset();
  std::string expected;
  for (const auto& [key, value] : model_) {
    expected += key + " : " + value + "\n";
  }
  const std::string ldb =
      "ldb --db=" + path_ + " --try_load_options --ignore_unknown_options ";
  int status = 0;
  EXPECT_EQ(RunShell(ldb + "scan", &status), expected);
  EXPECT_EQ(status, 0);
  const auto& [key, value] = *model_.begin();
  EXPECT_EQ(RunShell(ldb + "get " + key, &status), value + "\n");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
