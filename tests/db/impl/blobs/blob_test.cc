// Values in blob files: written by flushes and compactions, read by every kind
// of read, kept by reopening, and gone when nothing refers to them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/listener.h"
#include "rocksdb/wide_columns.h"
#include "tests/db/impl/blob_fixture.h"
#include "tests/testing/shell.h"
#include "util/builtin_merge_operators.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class BlobTest : public BlobFixture {};

TEST_F(BlobTest, LargeValuesGoToABlobFileAndSmallOnesDoNot) {
  Open();
  ASSERT_OK(Put("large", std::string(100, 'x')));
  ASSERT_OK(Put("small", std::string(99, 'y')));
  ASSERT_OK(Put("empty", ""));
  ASSERT_OK(Flush());
  EXPECT_EQ(BlobCount(), 1u);
  ASSERT_EQ(BlobPaths().size(), 1u);
  // Header, one record of a key of five bytes, footer.
  EXPECT_EQ(std::filesystem::file_size(BlobPaths()[0]),
            30 + 32 + 5 + 100 + 32u);
  EXPECT_EQ(IntProperty("live-blob-file-size"), 199u);
  EXPECT_EQ(IntProperty("total-blob-file-size"), 199u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Get("large"), std::string(100, 'x'));
    EXPECT_EQ(Get("small"), std::string(99, 'y'));
    EXPECT_EQ(Get("empty"), "");
    Reopen();
  }
}

TEST_F(BlobTest, EveryReadSeesTheValue) {
  Open();
  WriteFile(1);
  WriteFile(2, 100, 3);
  for (int i = 0; i < 100; ++i) {
    const std::string expected = Value(i, i % 3 == 0 ? 2 : 1);
    EXPECT_EQ(Get(Key(i)), expected);
    PinnableWideColumns columns;
    ASSERT_OK(db_->GetEntity(ReadOptions(), db_->DefaultColumnFamily(), Key(i),
                             &columns));
    ASSERT_EQ(columns.columns().size(), 1u);
    EXPECT_EQ(columns.columns()[0].value(), expected);
  }
  std::vector<std::string> names{Key(3), Key(4), "absent", Key(99)};
  const std::vector<Slice> keys(names.begin(), names.end());
  std::vector<std::string> values;
  const std::vector<Status> statuses =
      db_->MultiGet(ReadOptions(), keys, &values);
  EXPECT_EQ(values[0], Value(3, 2));
  EXPECT_EQ(values[1], Value(4, 1));
  EXPECT_TRUE(statuses[2].IsNotFound());
  EXPECT_EQ(values[3], Value(99, 2));
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  int i = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next(), ++i) {
    EXPECT_EQ(it->value(), Value(i, i % 3 == 0 ? 2 : 1));
  }
  EXPECT_EQ(i, 100);
  for (it->SeekToLast(); it->Valid(); it->Prev()) {
    --i;
    EXPECT_EQ(it->value(), Value(i, i % 3 == 0 ? 2 : 1));
    EXPECT_EQ(it->columns()[0].value(), it->value());
  }
  EXPECT_EQ(i, 0);
}

TEST_F(BlobTest, AnIteratorFetchesValuesWhenItIsAsked) {
  Open();
  WriteFile(1, 10);
  ASSERT_OK(Put(Key(4), "in place"));
  ReadOptions options;
  options.allow_unprepared_value = true;
  const std::unique_ptr<Iterator> it(db_->NewIterator(options));
  const uint64_t before = Ticker(BLOB_DB_BLOB_FILE_BYTES_READ);
  int i = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next(), ++i) {
    EXPECT_EQ(it->key(), Key(i));
  }
  EXPECT_EQ(i, 10);
  EXPECT_EQ(Ticker(BLOB_DB_BLOB_FILE_BYTES_READ), before);
  it->Seek(Key(4));
  ASSERT_TRUE(it->PrepareValue());
  EXPECT_EQ(it->value(), "in place");
  it->Seek(Key(5));
  EXPECT_TRUE(it->value().empty());
  ASSERT_TRUE(it->PrepareValue());
  EXPECT_EQ(it->value(), Value(5));
  EXPECT_EQ(it->columns()[0].value(), Value(5));
  ASSERT_TRUE(it->PrepareValue());
  EXPECT_GT(Ticker(BLOB_DB_BLOB_FILE_BYTES_READ), before);
}

TEST_F(BlobTest, MergesApplyToBlobs) {
  options_.merge_operator = NewStringAppendOperator(",");
  Open();
  WriteFile(1, 10);
  ASSERT_OK(db_->Merge(WriteOptions(), Key(3), "one"));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->Merge(WriteOptions(), Key(3), "two"));
  const std::string merged = Value(3) + ",one,two";
  EXPECT_EQ(Get(Key(3)), merged);
  EXPECT_NE(Scan().find(Key(3) + "=" + merged + " "), std::string::npos);
  EXPECT_NE(ScanBackward().find(Key(3) + "=" + merged + " "),
            std::string::npos);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Get(Key(3)), merged);
  EXPECT_EQ(Get(Key(4)), Value(4));
  // The merged value is a blob of its own; the old one is garbage.
  EXPECT_EQ(BlobCount(), 2u);
  EXPECT_EQ(Garbage(), 32 + Key(3).size() + Value(3).size());
}

TEST_F(BlobTest, AFileEndsWhereItIsFull) {
  options_.blob_file_size = 2000;
  Open();
  WriteFile(1);
  const uint64_t count = BlobCount();
  EXPECT_GT(count, 10u);
  for (const std::string& path : BlobPaths()) {
    EXPECT_LE(std::filesystem::file_size(path), 2000u + 400 + 32);
  }
  Reopen();
  EXPECT_EQ(BlobCount(), count);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Get(Key(i)), Value(i));
}

TEST_F(BlobTest, EveryCodec) {
  for (const CompressionType codec :
       {kSnappyCompression, kZlibCompression, kBZip2Compression,
        kLZ4Compression, kLZ4HCCompression, kZSTD}) {
    if (!CompressionTypeSupported(codec)) continue;
    SCOPED_TRACE(CompressionTypeToString(codec));
    db_.reset();
    std::filesystem::remove_all(path_);
    options_.blob_compression_type = codec;
    options_.min_blob_size = 1;
    Open();
    WriteFile(1);
    // Also where it makes them larger.
    ASSERT_OK(Put("tiny", "t"));
    ASSERT_OK(Flush());
    EXPECT_LT(IntProperty("live-blob-file-size"), 100 * 300u);
    EXPECT_EQ(BlobCount(), 2u);
    Reopen();
    for (int i = 0; i < 100; ++i) ASSERT_EQ(Get(Key(i)), Value(i));
    EXPECT_EQ(Get("tiny"), "t");
    ASSERT_OK(CompactAll(true));
    for (int i = 0; i < 100; ++i) ASSERT_EQ(Get(Key(i)), Value(i));
    EXPECT_EQ(Get("tiny"), "t");
  }
}

// The option may change while the database is open: what is there stays where
// it is until it is compacted.
TEST_F(BlobTest, CompactionSeparatesWhatAFlushDidNot) {
  options_.enable_blob_files = false;
  Open();
  WriteFile(1);
  EXPECT_EQ(BlobCount(), 0u);
  ASSERT_OK(db_->SetOptions({{"enable_blob_files", "true"}}));
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(BlobCount(), 1u);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(Get(Key(i)), Value(i));
  EXPECT_EQ(Garbage(), 0u);
}

TEST_F(BlobTest, TheStartingLevelCounts) {
  options_.blob_file_starting_level = 1;
  options_.level_compaction_dynamic_level_bytes = false;
  Open();
  WriteFile(1);
  WriteFile(2, 100, 2);
  EXPECT_EQ(BlobCount(), 0u);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(FilesAt(0), 0);
  EXPECT_EQ(BlobCount(), 1u);
  EXPECT_EQ(Get(Key(2)), Value(2, 2));
}

TEST_F(BlobTest, AFileGoesWithItsLastReference) {
  Open();
  WriteFile(1);
  WriteFile(2);
  EXPECT_EQ(BlobPaths().size(), 2u);
  const std::vector<uint64_t> before = BlobNumbers();
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(BlobNumbers(), std::vector<uint64_t>{before[1]});
  // The iterator may still want a value of the first.
  EXPECT_EQ(BlobPaths().size(), 2u);
  EXPECT_GT(IntProperty("total-blob-file-size"),
            IntProperty("live-blob-file-size"));
  it->SeekToFirst();
  EXPECT_EQ(it->value(), Value(0, 2));
  it.reset();
  // The compaction's own thread holds the old version for a while, too.
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  EXPECT_EQ(IntProperty("total-blob-file-size"),
            IntProperty("live-blob-file-size"));
  db_.reset();
  EXPECT_EQ(BlobPaths().size(), 1u);
  Open();
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(Delete(Key(i)));
  }
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(BlobCount(), 0u);
  db_.reset();
  EXPECT_TRUE(BlobPaths().empty());
}

TEST_F(BlobTest, OrphansGoWhenTheDatabaseIsOpened) {
  Open();
  WriteFile(1);
  db_.reset();
  ASSERT_EQ(BlobPaths().size(), 1u);
  const std::string live = BlobPaths()[0];
  const std::string orphan = path_ + "/000777.blob";
  std::filesystem::copy_file(live, orphan);
  Open();
  EXPECT_EQ(BlobPaths(), std::vector<std::string>{live});
  EXPECT_EQ(Get(Key(5)), Value(5));
}

TEST_F(BlobTest, AMissingOrCutFileIsCorruptionAtOpen) {
  Open();
  WriteFile(1);
  db_.reset();
  const std::string path = BlobPaths()[0];
  const std::string bytes = ReadBytes(path);
  std::filesystem::remove(path);
  Status s = TryOpen();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find(path), std::string::npos) << s.ToString();
  options_.paranoid_checks = false;
  Open();
  EXPECT_NE(Get(Key(1)).find("Corruption"), std::string::npos) << Get(Key(1));
  EXPECT_NE(Get(Key(1)).find(path), std::string::npos) << Get(Key(1));
  EXPECT_NE(Scan().find("Corruption"), std::string::npos);
  db_.reset();
  options_.paranoid_checks = true;
  WriteBytes(path, bytes.substr(0, bytes.size() - 1));
  s = TryOpen();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  WriteBytes(path, bytes);
  Open();
  EXPECT_EQ(Get(Key(1)), Value(1));
}

// Whatever bit is wrong: the right value, or Corruption, and no crash.
TEST_F(BlobTest, EveryFlippedByteIsSeenOrHarmless) {
  options_.min_blob_size = 10;
  for (const CompressionType codec : {kNoCompression, kZSTD}) {
    if (!CompressionTypeSupported(codec)) continue;
    db_.reset();
    std::filesystem::remove_all(path_);
    options_.blob_compression_type = codec;
    Open();
    for (int i = 0; i < 4; ++i) {
      ASSERT_OK(Put("k" + std::to_string(i), std::string(40, 'a' + char(i))));
    }
    ASSERT_OK(Flush());
    db_.reset();
    const std::string path = BlobPaths()[0];
    const std::string bytes = ReadBytes(path);
    int seen = 0;
    for (size_t at = 0; at < bytes.size(); ++at) {
      std::string damaged = bytes;
      damaged[at] ^= static_cast<char>(1 << (at % 8));
      WriteBytes(path, damaged);
      ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
      bool is_seen = false;
      for (int i = 0; i < 4; ++i) {
        const std::string value = Get("k" + std::to_string(i));
        if (value == std::string(40, 'a' + char(i))) continue;
        is_seen = true;
        EXPECT_EQ(value.rfind("Corruption", 0), 0u) << at << ": " << value;
        EXPECT_NE(value.find(path), std::string::npos) << at << ": " << value;
      }
      EXPECT_EQ(Scan().rfind("Corruption", 0) == 0, is_seen) << at;
      if (is_seen) ++seen;
      db_.reset();
    }
    // All of the file is covered by a sum, or compared.
    EXPECT_EQ(seen, static_cast<int>(bytes.size()));
  }
}

TEST_F(BlobTest, DamageIsSeenWhereChecksumsAreVerified) {
  Open();
  ASSERT_OK(Put("k", std::string(300, 'v')));
  ASSERT_OK(Flush());
  db_.reset();
  const std::string path = BlobPaths()[0];
  std::string bytes = ReadBytes(path);
  const size_t at = bytes.find("vvv");
  ASSERT_NE(at, std::string::npos);
  bytes[at] = 'V';
  WriteBytes(path, bytes);
  Open();
  ReadOptions read;
  for (const bool verifies : {true, false}) {
    read.verify_checksums = verifies;
    std::vector<std::string> found(2);
    const Slice key = "k";
    PinnableSlice value;
    found[0] = db_->Get(read, "k", &found[0]).ToString() + " " + found[0];
    Status s;
    db_->MultiGet(read, db_->DefaultColumnFamily(), 1, &key, &value, &s);
    found[1] = s.ToString() + " " + value.ToString();
    found.push_back(Scan(read));
    for (const std::string& text : found) {
      EXPECT_EQ(text.find("Corruption") != std::string::npos, verifies) << text;
      EXPECT_EQ(text.find("V" + std::string(299, 'v')) != std::string::npos,
                !verifies)
          << text;
    }
  }
}

TEST_F(BlobTest, TheCacheServesWhatWasReadOrJustWritten) {
  options_.blob_cache = NewLRUCache(1 << 20);
  Open();
  WriteFile(1);
  EXPECT_EQ(IntProperty("blob-cache-capacity"), uint64_t{1} << 20);
  EXPECT_EQ(IntProperty("blob-cache-usage"), 0u);
  ReadOptions no_io;
  no_io.read_tier = kBlockCacheTier;
  std::string value;
  Status s = db_->Get(no_io, Key(7), &value);
  EXPECT_TRUE(s.IsIncomplete()) << s.ToString();
  EXPECT_EQ(Get(Key(7)), Value(7));
  EXPECT_EQ(Ticker(BLOB_DB_CACHE_ADD), 1u);
  ASSERT_OK(db_->Get(no_io, Key(7), &value));
  EXPECT_EQ(value, Value(7));
  EXPECT_EQ(Ticker(BLOB_DB_CACHE_HIT), 1u);
  EXPECT_GT(IntProperty("blob-cache-usage"), 300u);
  ReadOptions no_fill;
  no_fill.fill_cache = false;
  ASSERT_OK(db_->Get(no_fill, Key(8), &value));
  EXPECT_EQ(Ticker(BLOB_DB_CACHE_ADD), 1u);
  {
    PinnableSlice pinned;
    ASSERT_OK(
        db_->Get(ReadOptions(), db_->DefaultColumnFamily(), Key(7), &pinned));
    EXPECT_GT(IntProperty("blob-cache-pinned-usage"), 300u);
  }
  EXPECT_EQ(IntProperty("blob-cache-pinned-usage"), 0u);
  ASSERT_OK(db_->SetOptions({{"prepopulate_blob_cache", "kFlushOnly"}}));
  WriteFile(2, 10);
  EXPECT_EQ(Ticker(BLOB_DB_CACHE_ADD), 11u);
  const uint64_t read = Ticker(BLOB_DB_BLOB_FILE_BYTES_READ);
  EXPECT_EQ(Get(Key(9)), Value(9, 2));
  EXPECT_EQ(Ticker(BLOB_DB_BLOB_FILE_BYTES_READ), read);
}

// --- the application's filter

class NamedFilter : public CompactionFilter {
 public:
  const char* Name() const override { return "NamedFilter"; }
};

TEST_F(BlobTest, AFilterSeesBlobsByKeyAndByValue) {
  class Filter : public NamedFilter {
   public:
    Decision FilterBlobByKey(int, const Slice& key, std::string* new_value,
                             std::string*) const override {
      if (key == Key(1)) return Decision::kRemove;
      if (key == Key(2)) return Decision::kKeep;
      if (key == Key(3)) {
        *new_value = "by key";
        return Decision::kChangeValue;
      }
      return Decision::kUndetermined;
    }
    Decision FilterV2(int, const Slice& key, ValueType type, const Slice& value,
                      std::string* new_value, std::string*) const override {
      EXPECT_EQ(type, ValueType::kValue);
      EXPECT_TRUE(key == Key(0) || key.compare(Key(4)) >= 0);
      if (value == Value(5)) return Decision::kRemove;
      if (value == Value(6)) {
        *new_value = Value(6, 7);
        return Decision::kChangeValue;
      }
      return Decision::kKeep;
    }
  };
  const Filter filter;
  options_.compaction_filter = &filter;
  Open();
  WriteFile(1, 8);
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Get(Key(0)), Value(0));
  EXPECT_EQ(Get(Key(1)), "NOT_FOUND");
  EXPECT_EQ(Get(Key(2)), Value(2));
  EXPECT_EQ(Get(Key(3)), "by key");
  EXPECT_EQ(Get(Key(5)), "NOT_FOUND");
  EXPECT_EQ(Get(Key(6)), Value(6, 7));
  EXPECT_EQ(Get(Key(7)), Value(7));
  EXPECT_EQ(BlobCount(), 2u);
  EXPECT_GT(Garbage(), 4 * 300u);
  db_.reset();  // The filter goes.
}

// --- what observers see

TEST_F(BlobTest, ListenersHearOfBlobFiles) {
  struct Listener : EventListener {
    void OnBlobFileCreationStarted(
        const BlobFileCreationBriefInfo& info) override {
      started.push_back(info.file_path);
    }
    void OnBlobFileCreated(const BlobFileCreationInfo& info) override {
      EXPECT_TRUE(info.status.ok());
      EXPECT_EQ(info.total_blob_count, 100u);
      created.push_back(info);
    }
    void OnBlobFileDeleted(const BlobFileDeletionInfo& info) override {
      EXPECT_TRUE(info.status.ok());
      deleted.push_back(info.file_path);
    }
    void OnFlushCompleted(DB*, const FlushJobInfo& info) override {
      EXPECT_EQ(info.blob_file_addition_infos.size(), 1u);
      EXPECT_EQ(info.oldest_blob_file_number,
                info.blob_file_addition_infos[0].blob_file_number);
    }
    void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
      garbage += info.blob_file_garbage_infos.size();
      additions += info.blob_file_addition_infos.size();
      if (!info.output_file_infos.empty()) {
        EXPECT_NE(info.output_file_infos[0].oldest_blob_file_number, 0u);
      }
    }
    std::vector<std::string> started, deleted;
    std::vector<BlobFileCreationInfo> created;
    size_t garbage = 0, additions = 0;
  };
  const auto listener = std::make_shared<Listener>();
  options_.listeners.push_back(listener);
  Open();
  WriteFile(1);
  WriteFile(2);
  const std::vector<std::string> paths = BlobPaths();
  EXPECT_EQ(listener->started, paths);
  ASSERT_EQ(listener->created.size(), 2u);
  EXPECT_EQ(listener->created[1].file_path, paths[1]);
  EXPECT_EQ(listener->created[1].reason, BlobFileCreationReason::kFlush);
  ASSERT_OK(CompactAll(true));
  db_.reset();
  EXPECT_EQ(listener->deleted, std::vector<std::string>{paths[0]});
  EXPECT_EQ(listener->garbage, 1u);
  EXPECT_EQ(listener->additions, 0u);
}

TEST_F(BlobTest, FiguresAndLists) {
  Open();
  WriteFile(1);
  ASSERT_OK(CompactAll());
  WriteFile(2, 100, 2);
  std::string text;
  ASSERT_TRUE(db_->GetProperty("rocksdb.blob-stats", &text));
  EXPECT_EQ(text.find("Number of blob files: 2\n"), 0u) << text;
  ColumnFamilyMetaData metadata;
  db_->GetColumnFamilyMetaData(&metadata);
  EXPECT_EQ(metadata.blob_file_count, 2u);
  ASSERT_EQ(metadata.blob_files.size(), 2u);
  EXPECT_EQ(metadata.blob_file_size, IntProperty("live-blob-file-size"));
  std::vector<LiveFileMetaData> tables;
  db_->GetLiveFilesMetaData(&tables);
  ASSERT_EQ(tables.size(), 2u);
  for (const LiveFileMetaData& table : tables) {
    EXPECT_NE(table.oldest_blob_file_number, 0u);
  }
  std::vector<std::string> files;
  uint64_t manifest_size = 0;
  ASSERT_OK(db_->GetLiveFiles(files, &manifest_size, false));
  for (const std::string& path : BlobPaths()) {
    const std::string name =
        "/" + std::filesystem::path(path).filename().string();
    EXPECT_EQ(std::count(files.begin(), files.end(), name), 1) << name;
  }
  const std::string first = Key(0), last = Key(1000);
  const Range all(first, last);
  uint64_t tables_only = 0, with_blobs = 0, blobs_only = 0;
  SizeApproximationOptions options;
  ASSERT_OK(db_->GetApproximateSizes(options, db_->DefaultColumnFamily(), &all,
                                     1, &tables_only));
  options.include_blob_files = true;
  ASSERT_OK(db_->GetApproximateSizes(options, db_->DefaultColumnFamily(), &all,
                                     1, &with_blobs));
  options.include_files = false;
  ASSERT_OK(db_->GetApproximateSizes(options, db_->DefaultColumnFamily(), &all,
                                     1, &blobs_only));
  EXPECT_EQ(with_blobs, tables_only + blobs_only);
  EXPECT_EQ(blobs_only, metadata.blob_file_size);
}

TEST_F(BlobTest, FamiliesHaveTheirOwn) {
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_OK(
      db_->CreateColumnFamily(ColumnFamilyOptions(options_), "other", &other));
  for (int i = 0; i < 20; ++i) {
    ASSERT_OK(db_->Put(WriteOptions(), other, Key(i), Value(i, 9)));
  }
  ASSERT_OK(db_->Flush(FlushOptions(), other));
  WriteFile(1, 20);
  std::string value;
  ASSERT_OK(db_->Get(ReadOptions(), other, Key(3), &value));
  EXPECT_EQ(value, Value(3, 9));
  EXPECT_EQ(Get(Key(3)), Value(3));
  EXPECT_EQ(BlobPaths().size(), 2u);
  ASSERT_OK(db_->DropColumnFamily(other));
  ASSERT_OK(db_->DestroyColumnFamilyHandle(other));
  db_.reset();
  Open();
  EXPECT_EQ(BlobPaths().size(), 1u);
  EXPECT_EQ(Get(Key(3)), Value(3));
}

// The log's data go to blob files when the database is opened, too.
TEST_F(BlobTest, RecoverySeparatesValues) {
  Open();
  for (int i = 0; i < 50; ++i) ASSERT_OK(Put(Key(i), Value(i)));
  db_.reset();
  EXPECT_TRUE(BlobPaths().empty());
  Open();
  EXPECT_EQ(BlobCount(), 1u);
  for (int i = 0; i < 50; ++i) ASSERT_EQ(Get(Key(i)), Value(i));
  Reopen();
  EXPECT_EQ(BlobCount(), 1u);
  for (int i = 0; i < 50; ++i) ASSERT_EQ(Get(Key(i)), Value(i));
}

// --- the programs of others

TEST_F(BlobTest, StockToolsReadWhatWeWrite) {
  if (!HasProgram("ldb")) GTEST_SKIP() << "ldb is not installed";
  BlockBasedTableOptions table;
  table.format_version = 5;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 1;
  for (const CompressionType codec :
       {kNoCompression, kSnappyCompression, kLZ4Compression, kZSTD}) {
    if (!CompressionTypeSupported(codec)) continue;
    db_.reset();
    std::filesystem::remove_all(path_);
    options_.blob_compression_type = codec;
    options_.blob_file_size = 4000;
    Open();
    WriteFile(1);
    WriteFile(2, 100, 2);
    ASSERT_OK(CompactAll(true));
    WriteFile(3, 100, 3);
    ASSERT_GE(BlobCount(), 2u);
    db_.reset();
    int status = 0;
    const std::string ldb = "ldb --ignore_unknown_options --db=" + path_;
    const std::string output = RunShell(ldb + " scan", &status);
    EXPECT_EQ(status, 0) << output;
    for (int i = 0; i < 100; ++i) {
      const std::string value = Value(i, i % 3 == 0 ? 3 : i % 2 == 0 ? 2 : 1);
      EXPECT_NE(output.find(value), std::string::npos) << i;
    }
    const std::string files = RunShell(ldb + " dump_live_files", &status);
    EXPECT_EQ(status, 0) << files;
    for (const std::string& path : BlobPaths()) {
      const std::string name = std::filesystem::path(path).filename().string();
      EXPECT_NE(files.find(name), std::string::npos) << name;
    }
    const std::string consistent = RunShell(ldb + " checkconsistency", &status);
    EXPECT_EQ(status, 0) << consistent;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
