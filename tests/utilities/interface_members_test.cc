// Members of the interface that programs ask of whole databases and tables.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/listener.h"
#include "rocksdb/metadata.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/utilities/object_registry.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class InterfaceMembersTest : public DbFixture {};

TEST_F(InterfaceMembersTest, BlobFilesAreDescribed) {
  options_.enable_blob_files = true;
  options_.disable_auto_compactions = true;
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Open();
  ASSERT_OK(Put("a", std::string(1000, 'a')));
  ASSERT_OK(Put("b", std::string(2000, 'b')));
  ASSERT_OK(Flush());
  ASSERT_OK(Delete("a"));
  ASSERT_OK(CompactAll(true));
  ColumnFamilyMetaData family;
  db_->GetColumnFamilyMetaData(&family);
  ASSERT_EQ(1u, family.blob_files.size());
  const BlobMetaData& blob = family.blob_files.front();
  EXPECT_EQ(path_, blob.blob_file_path);
  EXPECT_EQ('/', blob.blob_file_name.front());
  uint64_t size = 0;
  ASSERT_OK(options_.env->GetFileSize(path_ + blob.blob_file_name, &size));
  EXPECT_EQ(size, blob.blob_file_size);
  EXPECT_EQ(2u, blob.total_blob_count);
  EXPECT_EQ(1u, blob.garbage_blob_count);
  EXPECT_GT(blob.garbage_blob_bytes, 1000u);
  EXPECT_LT(blob.garbage_blob_bytes, blob.total_blob_bytes);
  EXPECT_EQ("FileChecksumCrc32c", blob.checksum_method);
  EXPECT_EQ(4u, blob.checksum_value.size());
}

TEST_F(InterfaceMembersTest, ListenersAreToldOfTheEnd) {
  class EndListener final : public EventListener {
   public:
    void OnDBShutdownBegin(DB* db) override {
      ++count;
      std::string value;
      last_read = db->Get(ReadOptions(), "k", &value);
    }
    int count = 0;
    Status last_read = Status::NotFound();
  };
  const auto listener = std::make_shared<EndListener>();
  options_.listeners = {listener};
  Open();
  ASSERT_OK(Put("k", "v"));
  ASSERT_OK(db_->Close());
  EXPECT_EQ(1, listener->count);
  EXPECT_OK(listener->last_read);
  db_.reset();
  EXPECT_EQ(1, listener->count);
}

TEST_F(InterfaceMembersTest, FilesAreDeletedInRanges) {
  options_.disable_auto_compactions = true;
  Open();
  for (const char* key : {"a", "c", "e"}) {
    ASSERT_OK(Put(std::string(key) + "1", "v"));
    ASSERT_OK(Put(std::string(key) + "2", "v"));
    ASSERT_OK(Flush());
    ASSERT_OK(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  }
  // One file for each of the last two.
  std::vector<RangeOpt> ranges;
  ranges.emplace_back("e", nullptr);
  ranges.emplace_back(nullptr, "0");
  const size_t before = Tables().size();
  ASSERT_OK(
      DeleteFilesInRanges(db_.get(), nullptr, ranges.data(), ranges.size()));
  EXPECT_EQ(before > 1 ? before - 1 : before, Tables().size());
  EXPECT_EQ("v", Get("a1"));
}

TEST_F(InterfaceMembersTest, CacheFiguresHaveTheNamesThatAreToldOf) {
  BlockBasedTableOptions table;
  table.block_cache = NewLRUCache(1 << 20);
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  ASSERT_OK(Put("k", "v"));
  ASSERT_OK(Flush());
  ASSERT_EQ("v", Get("k"));
  std::map<std::string, std::string> figures;
  ASSERT_TRUE(
      db_->GetMapProperty(DB::Properties::kBlockCacheEntryStats, &figures));
  using Keys = BlockCacheEntryStatsMapKeys;
  EXPECT_EQ(std::to_string(1 << 20), figures[Keys::CacheCapacityBytes()]);
  EXPECT_TRUE(figures.contains(Keys::CacheId()));
  EXPECT_TRUE(figures.contains(Keys::LastCollectionDurationSeconds()));
  EXPECT_TRUE(figures.contains(Keys::LastCollectionAgeSeconds()));
  for (uint32_t i = 0; i < kNumCacheEntryRoles; ++i) {
    const auto role = static_cast<CacheEntryRole>(i);
    EXPECT_TRUE(figures.contains(Keys::EntryCount(role)));
    EXPECT_TRUE(figures.contains(Keys::UsedBytes(role)));
    EXPECT_TRUE(figures.contains(Keys::UsedPercent(role)));
  }
}

TEST_F(InterfaceMembersTest, KeysOfTables) {
  const std::string path = directory_.File("t.sst");
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.Open(path));
  for (int i = 100; i < 200; ++i) {
    ASSERT_OK(writer.Put("key" + std::to_string(i), std::to_string(i)));
  }
  ASSERT_OK(writer.Finish());
  SstFileReader reader(options_);
  PinnableSlice pinned;
  std::string value = "kept";
  EXPECT_TRUE(reader.Get(ReadOptions(), "key150", &value).IsInvalidArgument());
  ASSERT_OK(reader.Open(path));
  EXPECT_TRUE(
      SstFileWriter::CreatedBySstFileWriter(*reader.GetTableProperties()));
  EXPECT_FALSE(SstFileWriter::CreatedBySstFileWriter(TableProperties()));
  EXPECT_TRUE(reader.Get(ReadOptions(), "key999", &value).IsNotFound());
  EXPECT_EQ("kept", value);
  ASSERT_OK(reader.Get(ReadOptions(), "key150", &value));
  EXPECT_EQ("150", value);
  ASSERT_OK(reader.Get(ReadOptions(), "key151", &pinned));
  EXPECT_EQ("151", pinned);
  std::vector<PinnableSlice> values;
  const std::vector<Status> statuses =
      reader.MultiGet(ReadOptions(), {"key199", "absent", "key100"}, &values);
  ASSERT_EQ(3u, statuses.size());
  EXPECT_OK(statuses[0]);
  EXPECT_TRUE(statuses[1].IsNotFound());
  EXPECT_OK(statuses[2]);
  EXPECT_EQ("199", values[0]);
  EXPECT_EQ("100", values[2]);
  const std::unique_ptr<Iterator> it = reader.NewTableIterator();
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  ParsedEntryInfo entry;
  ASSERT_OK(reader.ParseTableIteratorKey(it->key(), &entry));
  EXPECT_EQ("key100", entry.user_key);
  EXPECT_EQ(kEntryPut, entry.type);
  EXPECT_TRUE(
      reader.ParseTableIteratorKey("short", &entry).IsInvalidArgument());
  EXPECT_TRUE(
      reader.ParseTableIteratorKey(it->key(), nullptr).IsInvalidArgument());
  const ReadOptions read;
  EXPECT_OK(VerifySstFileChecksum(options_, EnvOptions(), read, path, 7));
}

TEST_F(InterfaceMembersTest, PartitionersByText) {
  std::shared_ptr<SstPartitionerFactory> factory;
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  ASSERT_OK(SstPartitionerFactory::CreateFromString(
      config, "{id=SstPartitionerFixedPrefixFactory;length=2}", &factory));
  ASSERT_NE(nullptr, factory);
  const std::unique_ptr<SstPartitioner> partitioner =
      factory->CreatePartitioner(SstPartitioner::Context());
  EXPECT_EQ(kRequired,
            partitioner->ShouldPartition(PartitionerRequest("ab1", "ac1", 0)));
  EXPECT_EQ(kNotRequired,
            partitioner->ShouldPartition(PartitionerRequest("ab1", "ab2", 0)));
  EXPECT_FALSE(partitioner->CanDoTrivialMove("ab", "ac"));
  EXPECT_EQ("length=2;", factory->ToString(config));
  EXPECT_TRUE(SstPartitionerFactory::CreateFromString(
                  config, "SstPartitionerFixedPrefixFactory:3", &factory)
                  .IsNotSupported());
  EXPECT_TRUE(
      SstPartitionerFactory::CreateFromString(
          config, "{id=SstPartitionerFixedPrefixFactory;length=x}", &factory)
          .IsInvalidArgument());
}

TEST_F(InterfaceMembersTest, LogsAndIngestionsAndScans) {
  std::shared_ptr<Logger> logger;
  ASSERT_OK(CreateLoggerFromOptions(path_, options_, &logger));
  EXPECT_OK(options_.env->FileExists(path_ + "/LOG"));
  logger.reset();
  Open();
  IngestExternalFileArg arg;
  arg.column_family = db_->DefaultColumnFamily();
  arg.external_files = {directory_.File("none.sst")};
  arg.atomic_replace_range = RangeOpt("b", "a");
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsInvalidArgument());
  IngestExternalFileOptions ingestion;
  EXPECT_TRUE(ingestion == arg.options);
  ingestion.fill_cache = false;
  EXPECT_FALSE(ingestion == arg.options);
  ingestion = IngestExternalFileOptions();
  ingestion.prefetch_lmax_index_and_filter_blocks = false;
  EXPECT_FALSE(ingestion == arg.options);

  MultiScanArgs scans(BytewiseComparator());
  scans.insert("a", "b");
  EXPECT_TRUE(scans.HasBoundedScanRanges());
  scans.insert("c");
  EXPECT_FALSE(scans.HasBoundedScanRanges());
  const MultiScanArgs& constant = scans;
  const std::vector<ScanOptions>* const ranges = constant;
  EXPECT_EQ(2u, ranges->size());
  static_cast<std::vector<ScanOptions>*>(scans)->pop_back();
  EXPECT_EQ(1u, scans.size());
  EXPECT_EQ(64ull << 30, TraceOptions().max_trace_file_size);
  EXPECT_EQ("rocksdb.plain.table.encoding.type",
            PlainTablePropertyNames::kEncodingType);
  EXPECT_EQ("rocksdb.cuckoo.hash.num", CuckooTablePropertyNames::kNumHashFunc);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
