// External files with embedded blobs, written by SstFileWriter: every read
// shows what it shows of a file without, alone and in a database, before and
// after compactions of every kind.
#include <algorithm>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/table.h"
#include "rocksdb/wide_columns.h"
#include "tests/db/impl/ingest_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "util/coding.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Table = BlockBasedTableOptions;

class EmbeddedBlobsTest : public IngestFixture {
 protected:
  static constexpr int kCount = 300;
  static constexpr uint64_t kMinSize = 100;

  static std::string Name(int i) { return "key" + std::to_string(1000 + i); }
  static std::string Large(int i, size_t size = 400) {
    std::string value = std::to_string(i) + ":";
    while (value.size() < size) value += std::to_string(i * 7919 % 1000);
    return value;
  }

  // Writes entries of every kind, with large and with small values.
  static void Fill(SstFileWriter* writer) {
    for (int i = 0; i < kCount; ++i) {
      const std::string key = Name(i);
      const std::string large = Large(i);
      switch (i % 6) {
        case 0:
          EXPECT_OK(writer->Put(key, large));
          break;
        case 1:
          EXPECT_OK(writer->Put(key, "small" + key));
          break;
        case 2:
          EXPECT_OK(writer->PutEntity(key, {{"", large}, {"b", key}}));
          break;
        case 3:
          EXPECT_OK(writer->PutEntity(key, {{"a", key}, {"b", large}}));
          break;
        case 4:
          EXPECT_OK(writer->Merge(key, large));
          break;
        default:
          EXPECT_OK(writer->Delete(key));
      }
    }
    EXPECT_OK(writer->DeleteRange("x", "z"));
  }
  std::string MakeFile(bool embeds, ExternalSstFileInfo* info = nullptr) {
    const std::string path =
        directory_.path() + "/external" + std::to_string(++made_) + ".sst";
    SstFileWriter writer(EnvOptions(), options_);
    SstFileWriterEmbeddedBlobOptions blobs;
    blobs.min_blob_size = kMinSize;
    EXPECT_OK(embeds ? writer.OpenWithEmbeddedBlobs(path, blobs)
                     : writer.Open(path));
    Fill(&writer);
    EXPECT_OK(writer.Finish(info));
    return path;
  }
  static std::string Text(const WideColumns& columns) {
    std::string text;
    for (const WideColumn& column : columns) {
      text += column.name().ToString() + ":" + column.value().ToString() + ",";
    }
    return text;
  }
  static std::string ScanOf(Iterator* it) {
    std::string forward;
    std::vector<std::string> seen;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      forward += it->key().ToString() + "=" + it->value().ToString() + "=" +
                 Text(it->columns()) + "\n";
    }
    EXPECT_OK(it->status());
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      seen.push_back(it->key().ToString() + "=" + it->value().ToString() + "=" +
                     Text(it->columns()) + "\n");
    }
    EXPECT_OK(it->status());
    std::string backward;
    for (auto line = seen.rbegin(); line != seen.rend(); ++line) {
      backward += *line;
    }
    EXPECT_EQ(forward, backward);
    return forward;
  }
  std::string TextOf(const std::string& path) {
    SstFileReader reader(options_);
    EXPECT_OK(reader.Open(path));
    EXPECT_OK(reader.VerifyChecksum());
    EXPECT_OK(reader.VerifyNumEntries(ReadOptions()));
    const std::unique_ptr<Iterator> it(reader.NewIterator(ReadOptions()));
    return ScanOf(it.get());
  }
  // What every read of the database shows.
  std::string DatabaseText(const ReadOptions& read = ReadOptions()) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    std::string text = ScanOf(it.get());
    ColumnFamilyHandle* family = db_->DefaultColumnFamily();
    std::vector<std::string> names;
    for (int i = 0; i < kCount; ++i) names.push_back(Name(i));
    const std::vector<Slice> keys(names.begin(), names.end());
    std::vector<PinnableSlice> values(kCount);
    std::vector<PinnableWideColumns> columns(kCount);
    std::vector<Status> one(kCount), other(kCount);
    db_->MultiGet(read, family, kCount, keys.data(), values.data(), one.data());
    db_->MultiGetEntity(read, family, kCount, keys.data(), columns.data(),
                        other.data());
    for (int i = 0; i < kCount; ++i) {
      std::string value;
      const Status s = db_->Get(read, keys[i], &value);
      EXPECT_EQ(s.ToString(), one[i].ToString());
      EXPECT_EQ(s.ToString(), other[i].ToString());
      EXPECT_EQ(value, values[i]);
      text += s.ToString() + value + Text(columns[i].columns()) + "\n";
      std::vector<PinnableSlice> operands(4);
      GetMergeOperandsOptions limits;
      limits.expected_max_number_of_operands = 4;
      int count = 0;
      EXPECT_EQ(db_->GetMergeOperands(read, family, keys[i], operands.data(),
                                      &limits, &count)
                    .ToString(),
                s.ToString());
      for (int n = 0; n < count; ++n) text += operands[n].ToString() + ";";
    }
    return text;
  }
  void UseTable(const Table& table) {
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  static Table SmallBlocks() {
    Table table;
    table.format_version = 7;
    table.block_size = 512;
    return table;
  }

  struct Kind {
    const char* name;
    std::function<void(Table*, Options*)> set;
  };
  static std::vector<Kind> Kinds();
};

std::vector<EmbeddedBlobsTest::Kind> EmbeddedBlobsTest::Kinds() {
  return {
      {"plain", [](Table*, Options*) {}},
      {"dictionary",
       [](Table*, Options* options) {
         options->compression = kZSTD;
         options->compression_opts.max_dict_bytes = 4096;
         options->compression_opts.parallel_threads = 4;
       }},
      {"partitioned",
       [](Table* table, Options* options) {
         table->index_type = Table::kTwoLevelIndexSearch;
         table->partition_filters = true;
         table->metadata_block_size = 512;
         table->filter_policy.reset(NewBloomFilterPolicy(10));
         table->cache_index_and_filter_blocks = true;
         options->compression = kLZ4Compression;
         options->compression_opts.parallel_threads = 4;
       }},
      {"first keys",
       [](Table* table, Options*) {
         table->index_type = Table::kBinarySearchWithFirstKey;
         table->separate_key_value_in_data_block = true;
         table->checksum = kCRC32c;
       }},
      {"aligned",
       [](Table* table, Options* options) {
         table->block_size = 4096;
         table->block_align = true;
         options->compression = kNoCompression;
       }},
  };
}

TEST_F(EmbeddedBlobsTest, EveryReadShowsWhatIsShownWithoutThem) {
  const Options plain = options_;
  for (const Kind& kind : Kinds()) {
    SCOPED_TRACE(kind.name);
    options_ = plain;
    Table table = SmallBlocks();
    kind.set(&table, &options_);
    UseTable(table);
    ExternalSstFileInfo info;
    const std::string expected_file = MakeFile(false);
    const std::string file = MakeFile(true, &info);
    EXPECT_EQ(info.num_entries, static_cast<uint64_t>(kCount));
    ASSERT_NE(TextOf(file), "");
    EXPECT_EQ(TextOf(file), TextOf(expected_file));
    SstFileReader reader(options_);
    ASSERT_OK(reader.Open(file));
    std::string stats;
    PutVarint64(&stats, kCount / 2);  // Merge operands never go.
    uint64_t bytes = 0;
    for (int i = 0; i < kCount; ++i) {
      if (i % 6 == 0 || i % 6 == 2 || i % 6 == 3) bytes += Large(i).size();
    }
    PutVarint64(&stats, bytes);
    const TableProperties& properties = *reader.GetTableProperties();
    EXPECT_EQ(
        properties.user_collected_properties.at("rocksdb.embedded.blob.stats"),
        stats);
    EXPECT_EQ(properties.index_value_is_delta_encoded, 0u);
    EXPECT_GT(properties.data_size, bytes);
    EXPECT_LT(properties.raw_value_size, bytes);

    Open();
    ASSERT_OK(Ingest({expected_file}));
    const std::string expected = DatabaseText();
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    Open();
    ASSERT_OK(Ingest({file}));
    EXPECT_EQ(DatabaseText(), expected);
    ASSERT_OK(db_->VerifyChecksum());
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// By private direct handles and without, into tables and into blob files.
TEST_F(EmbeddedBlobsTest, CompactionsTakeThemInside) {
  Table table = SmallBlocks();
  UseTable(table);
  const std::string file = MakeFile(true);
  for (int round = 0; round < 4; ++round) {
    SCOPED_TRACE(round);
    options_.use_direct_io_for_compaction_reads = (round & 1) != 0;
    options_.enable_blob_files = (round & 2) != 0;
    options_.min_blob_size = kMinSize;
    Open();
    for (int i = 0; i < kCount; ++i) {
      ASSERT_OK(Put(Name(i), "before" + Name(i)));
    }
    ASSERT_OK(Flush());
    ASSERT_OK(Ingest({file}));
    const Snapshot* snapshot = db_->GetSnapshot();
    ReadOptions past;
    past.snapshot = snapshot;
    const std::string ingested = DatabaseText();
    for (int i = 0; i < kCount; i += 7) {
      ASSERT_OK(db_->Merge(WriteOptions(), Name(i), "more"));
    }
    ASSERT_OK(Flush());
    const std::string merged = DatabaseText();
    EXPECT_NE(merged, ingested);
    ASSERT_OK(CompactAll(true));
    {
      const std::unique_ptr<Iterator> then(db_->NewIterator(past));
      const std::string shown = ScanOf(then.get());
      EXPECT_EQ(ingested.substr(0, shown.size()), shown);
      const std::unique_ptr<Iterator> now(db_->NewIterator(ReadOptions()));
      const std::string all = ScanOf(now.get());
      EXPECT_EQ(merged.substr(0, all.size()), all);
    }
    TablePropertiesCollection all;
    ASSERT_OK(db_->GetPropertiesOfAllTables(&all));
    for (const auto& [name, properties] : all) {
      EXPECT_EQ(properties->user_collected_properties.count(
                    "rocksdb.embedded.blob.stats"),
                0u);
    }
    uint64_t blob_files = 0;
    ASSERT_TRUE(db_->GetIntProperty("rocksdb.num-blob-files", &blob_files));
    EXPECT_EQ(blob_files > 0, options_.enable_blob_files);
    db_->ReleaseSnapshot(snapshot);
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// Targets of every type find what they find in a file without blobs.
TEST_F(EmbeddedBlobsTest, OddTargetsFindTheSame) {
  SstFileReader plain(options_), embedded(options_);
  ASSERT_OK(plain.Open(MakeFile(false)));
  ASSERT_OK(embedded.Open(MakeFile(true)));
  const std::unique_ptr<Iterator> a = plain.NewTableIterator();
  const std::unique_ptr<Iterator> b = embedded.NewTableIterator();
  const auto place = [](const Iterator& it) {
    return it.Valid() ? it.key().ToString(true) + it.value().ToString() : "end";
  };
  for (int i = 0; i < 12; ++i) {
    for (int type = 0; type <= kTypeWideColumnEntity; ++type) {
      const std::string target =
          InternalKey(Name(i), 0, static_cast<ValueType>(type))
              .Encode()
              .ToString();
      SCOPED_TRACE(Name(i) + ", type " + std::to_string(type));
      a->Seek(target), b->Seek(target);
      EXPECT_EQ(place(*a), place(*b));
      a->SeekForPrev(target), b->SeekForPrev(target);
      EXPECT_EQ(place(*a), place(*b));
    }
  }
}

// Blobs never come from memory; what is covered, or only asked for, needs none.
TEST_F(EmbeddedBlobsTest, WhatIsCoveredOrNotWantedIsNotRead) {
  UseTable(SmallBlocks());
  const std::string file = MakeFile(true);
  Open();
  ASSERT_OK(Ingest({file}));
  std::string value;
  ASSERT_OK(db_->Get(ReadOptions(), Name(0), &value));  // its block is cached
  ReadOptions memory;
  memory.read_tier = kBlockCacheTier;
  EXPECT_TRUE(db_->Get(memory, Name(0), &value).IsIncomplete());
  ASSERT_OK(db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(),
                             Name(0), Name(1)));
  EXPECT_TRUE(db_->Get(memory, Name(0), &value).IsNotFound());
  EXPECT_FALSE(db_->KeyMayExist(memory, Name(0), nullptr));
}

TEST_F(EmbeddedBlobsTest, KeysMayHaveTimestamps) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  options_.merge_operator = nullptr;
  UseTable(SmallBlocks());
  const std::string path = directory_.path() + "/external.sst";
  SstFileWriter writer(EnvOptions(), options_);
  SstFileWriterEmbeddedBlobOptions blobs;
  blobs.min_blob_size = kMinSize;
  ASSERT_OK(writer.OpenWithEmbeddedBlobs(path, blobs));
  for (int i = 0; i < 50; ++i) {
    ASSERT_OK(writer.Put(Name(i), Ts(5), Large(i)));
  }
  ASSERT_OK(writer.Finish());
  Open();
  ASSERT_OK(Ingest({path}));
  for (const bool is_compacted : {false, true}) {
    if (is_compacted) ASSERT_OK(CompactAll(true));
    const AsOf now(9);
    const AsOf before(4);
    for (int i = 0; i < 50; ++i) {
      std::string value;
      EXPECT_OK(db_->Get(now.options, Name(i), &value));
      EXPECT_EQ(value, Large(i));
      EXPECT_TRUE(db_->Get(before.options, Name(i), &value).IsNotFound());
    }
  }
}

TEST_F(EmbeddedBlobsTest, WhatHasNoPlaceForThemIsRefused) {
  const std::string path = directory_.path() + "/external.sst";
  const auto open = [&](const SstFileWriterEmbeddedBlobOptions& blobs) {
    SstFileWriter writer(EnvOptions(), options_);
    return writer.OpenWithEmbeddedBlobs(path, blobs);
  };
  Table table = SmallBlocks();
  table.format_version = 6;
  UseTable(table);
  EXPECT_TRUE(open({}).IsInvalidArgument());
  EXPECT_FALSE(Exists(path));
  UseTable(SmallBlocks());
  SstFileWriterEmbeddedBlobOptions compressed;
  compressed.compression_type = kLZ4Compression;
  EXPECT_TRUE(open(compressed).IsNotSupported());
  compressed.compression_type = kNoCompression;
  EXPECT_OK(open(compressed));
  options_.table_factory.reset(NewPlainTableFactory());
  EXPECT_TRUE(open({}).IsNotSupported());
}

// Not a file with them, then.
TEST_F(EmbeddedBlobsTest, WithoutLargeValuesNothingTellsOfThem) {
  UseTable(SmallBlocks());
  const std::string path = directory_.path() + "/external.sst";
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.OpenWithEmbeddedBlobs(path));
  ASSERT_OK(writer.Put("a", std::string(2047, 'a')));
  ASSERT_OK(writer.Put("b", ""));
  ASSERT_OK(writer.Finish());
  SstFileReader reader(options_);
  ASSERT_OK(reader.Open(path));
  EXPECT_EQ(reader.GetTableProperties()->user_collected_properties.count(
                "rocksdb.embedded.blob.stats"),
            0u);
  EXPECT_OK(reader.VerifyChecksum());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
