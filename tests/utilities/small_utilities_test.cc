// What programs ask beside a database: memory, logs, internal keys, options of
// LevelDB.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/cache.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/utilities/info_log_finder.h"
#include "rocksdb/utilities/leveldb_options.h"
#include "rocksdb/utilities/memory_util.h"
#include "rocksdb/utilities/types_util.h"
#include "tests/db/impl/db_fixture.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class SmallUtilitiesTest : public DbFixture {};

using Usage = std::map<MemoryUtil::UsageType, uint64_t>;

TEST_F(SmallUtilitiesTest, MemoryIsSummedByType) {
  Open();
  ASSERT_OK(Put("k", std::string(100000, 'v')));
  const std::shared_ptr<Cache> cache = NewLRUCache(1 << 20);
  ASSERT_OK(cache->Insert("entry", nullptr, &kNoopCacheItemHelper, 1000));
  Usage usage;
  const std::unordered_set<const Cache*> caches{nullptr, cache.get()};
  ASSERT_OK(MemoryUtil::GetApproximateMemoryUsageByType(
      std::vector<DB*>{db_.get()}, caches, &usage));
  EXPECT_EQ(cache->GetUsage(), usage[MemoryUtil::kCacheTotal]);
  EXPECT_GT(usage[MemoryUtil::kMemTableTotal], 100000u);
  EXPECT_GT(usage[MemoryUtil::kMemTableUnFlushed], 100000u);
  EXPECT_TRUE(usage.contains(MemoryUtil::kTableReadersTotal));

  // The same database twice counts twice.
  Usage twice;
  ASSERT_OK(MemoryUtil::GetApproximateMemoryUsageByType(
      std::vector<DB*>{db_.get(), db_.get(), nullptr}, {}, &twice));
  EXPECT_EQ(2 * usage[MemoryUtil::kMemTableTotal],
            twice[MemoryUtil::kMemTableTotal]);
  EXPECT_FALSE(twice.contains(MemoryUtil::kCacheTotal));
}

TEST_F(SmallUtilitiesTest, MemoryOfNothingHasNoEntries) {
  Usage usage{{MemoryUtil::kCacheTotal, 7}};
  ASSERT_OK(MemoryUtil::GetApproximateMemoryUsageByType(
      std::vector<std::unique_ptr<DB>>(), {}, &usage));
  EXPECT_TRUE(usage.empty());
  EXPECT_TRUE(MemoryUtil::GetApproximateMemoryUsageByType(std::vector<DB*>(),
                                                          {}, nullptr)
                  .IsInvalidArgument());
}

TEST_F(SmallUtilitiesTest, InfoLogsOfTheDirectory) {
  Open();
  Reopen();
  std::vector<std::string> names{"kept"};
  ASSERT_OK(GetInfoLogList(db_.get(), &names));
  EXPECT_EQ("kept", names.front());
  ASSERT_EQ(3u, names.size()) << "the present LOG and the one before";
  EXPECT_EQ(1, std::count(names.begin(), names.end(), "LOG"));
  EXPECT_EQ(
      1, std::count_if(names.begin(), names.end(), [](const std::string& name) {
        return name.starts_with("LOG.old.");
      }));
  EXPECT_TRUE(GetInfoLogList(nullptr, &names).IsInvalidArgument());
  EXPECT_TRUE(GetInfoLogList(db_.get(), nullptr).IsInvalidArgument());
  EXPECT_EQ(3u, names.size());
}

TEST_F(SmallUtilitiesTest, InfoLogsOfAnotherDirectory) {
  options_.db_log_dir = directory_.path() + "/logs";
  Open();
  std::vector<std::string> names;
  ASSERT_OK(GetInfoLogList(db_.get(), &names));
  ASSERT_EQ(1u, names.size());
  EXPECT_TRUE(names.front().ends_with("_db_LOG")) << names.front();
}

std::string Trailer(uint64_t sequence, int type) {
  std::string bytes;
  PutFixed64(&bytes, sequence << 8 | static_cast<uint64_t>(type));
  return bytes;
}

TEST_F(SmallUtilitiesTest, InternalKeysForSeeks) {
  std::string key;
  ASSERT_OK(GetInternalKeyForSeek("k", BytewiseComparator(), &key));
  EXPECT_EQ("k" + Trailer((uint64_t{1} << 56) - 1, 0x18), key);
  ASSERT_OK(GetInternalKeyForSeekForPrev("k", BytewiseComparator(), &key));
  EXPECT_EQ("k" + Trailer(0, 0), key);
  const Comparator* timed = BytewiseComparatorWithU64Ts();
  ASSERT_OK(GetInternalKeyForSeek("k", timed, &key));
  EXPECT_EQ(
      "k" + std::string(8, '\xff') + Trailer((uint64_t{1} << 56) - 1, 0x18),
      key);
  ASSERT_OK(GetInternalKeyForSeekForPrev("k", timed, &key));
  EXPECT_EQ("k" + std::string(8, '\0') + Trailer(0, 0), key);

  key = "as before";
  EXPECT_TRUE(GetInternalKeyForSeek("k", nullptr, &key).IsInvalidArgument());
  EXPECT_TRUE(
      GetInternalKeyForSeekForPrev("k", nullptr, &key).IsInvalidArgument());
  EXPECT_TRUE(GetInternalKeyForSeek("k", BytewiseComparator(), nullptr)
                  .IsInvalidArgument());
  EXPECT_EQ("as before", key);
}

TEST_F(SmallUtilitiesTest, InternalKeysAreTakenApart) {
  ParsedEntryInfo entry;
  const std::string key = "key" + Trailer(77, 7);
  ASSERT_OK(ParseEntry(key, BytewiseComparator(), &entry));
  EXPECT_EQ("key", entry.user_key);
  EXPECT_EQ("", entry.timestamp);
  EXPECT_EQ(77u, entry.sequence);
  EXPECT_EQ(kEntrySingleDelete, entry.type);

  const std::string timed = "key12345678" + Trailer(5, 0x16);
  ASSERT_OK(ParseEntry(timed, BytewiseComparatorWithU64Ts(), &entry));
  EXPECT_EQ("key", entry.user_key);
  EXPECT_EQ("12345678", entry.timestamp);
  EXPECT_EQ(kEntryWideColumnEntity, entry.type);

  for (const auto& [bytes, comparator] :
       std::vector<std::pair<std::string, const Comparator*>>{
           {"short", BytewiseComparator()},
           {key, nullptr},
           {key, BytewiseComparatorWithU64Ts()},
           {"key" + Trailer(1, 0x99), BytewiseComparator()}}) {
    EXPECT_TRUE(ParseEntry(bytes, comparator, &entry).IsInvalidArgument());
  }
  EXPECT_TRUE(
      ParseEntry(key, BytewiseComparator(), nullptr).IsInvalidArgument());
}

// They are what iterators over all of a table's entries show and take.
TEST_F(SmallUtilitiesTest, InternalKeysOfATable) {
  const std::string path = directory_.File("t.sst");
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.Open(path));
  ASSERT_OK(writer.Put("a", "1"));
  ASSERT_OK(writer.Delete("b"));
  ASSERT_OK(writer.Merge("c", "3"));
  ASSERT_OK(writer.Finish());
  SstFileReader reader(options_);
  ASSERT_OK(reader.Open(path));
  const std::unique_ptr<Iterator> it = reader.NewTableIterator();
  std::string target;
  ASSERT_OK(GetInternalKeyForSeek("b", BytewiseComparator(), &target));
  it->Seek(target);
  ASSERT_TRUE(it->Valid());
  ParsedEntryInfo entry;
  ASSERT_OK(ParseEntry(it->key(), BytewiseComparator(), &entry));
  EXPECT_EQ("b", entry.user_key);
  EXPECT_EQ(kEntryDelete, entry.type);
  ASSERT_OK(GetInternalKeyForSeekForPrev("b", BytewiseComparator(), &target));
  it->SeekForPrev(target);
  ASSERT_TRUE(it->Valid());
  ASSERT_OK(ParseEntry(it->key(), BytewiseComparator(), &entry));
  EXPECT_EQ("b", entry.user_key);
}

TEST_F(SmallUtilitiesTest, LevelDbOptionsHaveItsDefaults) {
  const LevelDBOptions old;
  const Options options = ConvertOptions(old);
  EXPECT_EQ(BytewiseComparator(), options.comparator);
  EXPECT_FALSE(options.create_if_missing);
  EXPECT_FALSE(options.error_if_exists);
  EXPECT_FALSE(options.paranoid_checks);
  EXPECT_EQ(Env::Default(), options.env);
  EXPECT_EQ(nullptr, options.info_log);
  EXPECT_EQ(4u << 20, options.write_buffer_size);
  EXPECT_EQ(1000, options.max_open_files);
  EXPECT_EQ(kSnappyCompression, options.compression);
  const auto* table =
      options.table_factory->GetOptions<BlockBasedTableOptions>();
  ASSERT_NE(nullptr, table);
  EXPECT_EQ(4096u, table->block_size);
  EXPECT_EQ(16, table->block_restart_interval);
  EXPECT_EQ(nullptr, table->filter_policy);
}

TEST_F(SmallUtilitiesTest, LevelDbOptionsAreTakenOver) {
  class CountingLogger final : public Logger {
   public:
    explicit CountingLogger(int* deleted) : deleted_(deleted) {}
    ~CountingLogger() override { ++*deleted_; }
    using Logger::Logv;
    void Logv(const char*, va_list) override {}

   private:
    int* const deleted_;
  };
  int deleted = 0;
  {
    LevelDBOptions old;
    old.comparator = ReverseBytewiseComparator();
    old.create_if_missing = true;
    old.error_if_exists = true;
    old.paranoid_checks = true;
    old.info_log = std::make_unique<CountingLogger>(&deleted).release();
    old.write_buffer_size = 1 << 20;
    old.max_open_files = 77;
    old.block_size = 1000;
    old.block_restart_interval = 3;
    old.compression = kNoCompression;
    old.filter_policy = NewBloomFilterPolicy(10);
    options_ = ConvertOptions(old);
    const auto* table =
        options_.table_factory->GetOptions<BlockBasedTableOptions>();
    EXPECT_EQ(old.filter_policy, table->filter_policy.get());
    EXPECT_EQ(1000u, table->block_size);
    EXPECT_EQ(3, table->block_restart_interval);
    EXPECT_EQ(old.info_log, options_.info_log.get());
  }
  EXPECT_EQ(77, options_.max_open_files);
  EXPECT_TRUE(options_.paranoid_checks);
  EXPECT_TRUE(options_.error_if_exists);
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Put("b", "2"));
  EXPECT_EQ("b=2 a=1 ", Scan());
  db_.reset();
  EXPECT_EQ(0, deleted);
  options_ = Options();
  EXPECT_EQ(1, deleted);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
