// MultiGet in all its forms: every answer is that of Get().

#include "rocksdb/attribute_groups.h"
#include "rocksdb/cache.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/read_ways.h"
#include "util/builtin_merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class MultiGetTest : public FamiliesFixture,
                     public ::testing::WithParamInterface<ReadWay> {
 protected:
  static constexpr int kKeys = 3000;

  MultiGetTest() {
    options_.use_direct_reads = GetParam().is_direct;
    options_.statistics = CreateDBStatistics();
    options_.disable_auto_compactions = true;
    options_.compression = kNoCompression;
    options_.target_file_size_base = 64 << 10;
    options_.merge_operator = NewStringAppendOperator(",");
    BlockBasedTableOptions table;
    table.block_size = 1024;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    table.block_cache = cache_ = NewLRUCache(8 << 20);
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    read_.async_io = GetParam().is_async;
  }

  // Keys in two levels, level 0 and the memtable, some deleted or merged.
  void Fill() {
    ASSERT_NO_FATAL_FAILURE(Open());
    for (int i = 0; i < kKeys; ++i) {
      ASSERT_OK(Put(ScannedKey(i), "old" + std::string(100, 'x')));
    }
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(/*force=*/true));
    for (int i = 0; i < kKeys; i += 7) ASSERT_OK(Put(ScannedKey(i), "level 0"));
    for (int i = 0; i < kKeys; i += 31) ASSERT_OK(Delete(ScannedKey(i)));
    ASSERT_OK(
        db_->DeleteRange(WriteOptions(), ScannedKey(500), ScannedKey(600)));
    ASSERT_OK(Flush());
    for (int i = 0; i < kKeys; i += 11) {
      ASSERT_OK(db_->Merge(WriteOptions(), ScannedKey(i), "merged"));
    }
    ASSERT_GT(FilesAt(6), 3);
    cache_->EraseUnRefEntries();
  }

  // Looks `names` up together, and compares with Get().
  void ExpectAsGet(const std::vector<std::string>& names) {
    const std::vector<Slice> keys(names.begin(), names.end());
    std::vector<PinnableSlice> values(names.size());
    std::vector<Status> statuses(names.size());
    db_->MultiGet(read_, db_->DefaultColumnFamily(), names.size(), keys.data(),
                  values.data(), statuses.data());
    std::vector<PinnableWideColumns> columns(names.size());
    std::vector<Status> entity_statuses(names.size());
    db_->MultiGetEntity(read_, db_->DefaultColumnFamily(), names.size(),
                        keys.data(), columns.data(), entity_statuses.data());
    for (size_t i = 0; i < names.size(); ++i) {
      std::string value;
      const Status s = db_->Get(ReadOptions(), names[i], &value);
      ASSERT_EQ(s.code(), statuses[i].code()) << names[i];
      ASSERT_EQ(s.code(), entity_statuses[i].code()) << names[i];
      if (!s.ok()) continue;
      ASSERT_EQ(values[i].ToString(), value) << names[i];
      ASSERT_EQ(columns[i].columns().size(), 1u);
      ASSERT_EQ(columns[i].columns()[0].value().ToString(), value);
    }
  }

  std::shared_ptr<Cache> cache_;
  ReadOptions read_;
};

INSTANTIATE_TEST_SUITE_P(Ways, MultiGetTest, EveryReadWay(), NameOf);

TEST_P(MultiGetTest, AnswersAsGetDoes) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  Random64 random(17);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> names;
    for (int i = 0; i < 150; ++i) {
      names.push_back(
          ScannedKey(static_cast<int>(random.Uniform(kKeys + 100))) +
          (random.OneIn(10) ? "none" : ""));
    }
    cache_->EraseUnRefEntries();
    ASSERT_NO_FATAL_FAILURE(ExpectAsGet(names));
  }
}

TEST_P(MultiGetTest, DuplicatesAllGetTheAnswer) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) names.push_back(ScannedKey(1000 + i % 4));
  ASSERT_NO_FATAL_FAILURE(ExpectAsGet(names));
  read_.fill_cache = false;
  cache_->EraseUnRefEntries();
  ASSERT_NO_FATAL_FAILURE(ExpectAsGet(names));
}

TEST_P(MultiGetTest, ABlockIsReadOnceForAllItsKeys) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  std::vector<std::string> names;
  for (int i = 1001; i < 1005; ++i) names.push_back(ScannedKey(i));
  ASSERT_NO_FATAL_FAILURE(ExpectAsGet(names));
  cache_->EraseUnRefEntries();
  const uint64_t before = Ticker(BLOCK_CACHE_DATA_ADD);
  const std::vector<Slice> keys(names.begin(), names.end());
  std::vector<PinnableSlice> values(names.size());
  std::vector<Status> statuses(names.size());
  db_->MultiGet(read_, db_->DefaultColumnFamily(), keys.size(), keys.data(),
                values.data(), statuses.data(), /*sorted_input=*/true);
  EXPECT_LE(Ticker(BLOCK_CACHE_DATA_ADD) - before, 3u);
  HistogramData batches;
  options_.statistics->histogramData(MULTIGET_IO_BATCH_SIZE, &batches);
  EXPECT_GT(batches.count, 0u);
}

TEST_P(MultiGetTest, ADamagedBlockSpoilsItsKeysAlone) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(CompactAll(/*force=*/true));
  db_.reset();
  const std::string path = FilesOf(path_, kTableFile).front();
  // A byte of a block near the beginning.
  WriteBytes(path, Damaged(ReadBytes(path), {Harm::kFlip, -1500}));
  ASSERT_NO_FATAL_FAILURE(Open());
  std::vector<std::string> names;
  for (int i = 1; i < 250; ++i) names.push_back(ScannedKey(i));
  ASSERT_NO_FATAL_FAILURE(ExpectAsGet(names));
  const std::vector<Slice> keys(names.begin(), names.end());
  std::vector<std::string> values;
  cache_->EraseUnRefEntries();
  int corrupt = 0, found = 0;
  for (const Status& s : db_->MultiGet(read_, keys, &values)) {
    corrupt += s.IsCorruption() ? 1 : 0;
    found += s.ok() ? 1 : 0;
  }
  EXPECT_GT(corrupt, 0);
  EXPECT_LT(corrupt, 20);
  EXPECT_GT(found, 200);
}

TEST_P(MultiGetTest, AFileThatCannotBeOpenedSpoilsItsKeysAlone) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(CompactAll(/*force=*/true));
  db_.reset();
  const std::string path = FilesOf(path_, kTableFile).front();
  // The damage is in the footer, which opening the database does not read.
  WriteBytes(path, Damaged(ReadBytes(path), {Harm::kFlip, 1}));
  options_.skip_stats_update_on_db_open = true;
  options_.max_open_files = 20;
  ASSERT_NO_FATAL_FAILURE(Open());
  std::vector<std::string> names;
  for (int i = 1; i < kKeys; i += 20) names.push_back(ScannedKey(i));
  ASSERT_NO_FATAL_FAILURE(ExpectAsGet(names));
  const std::vector<Slice> keys(names.begin(), names.end());
  std::vector<std::string> values;
  int corrupt = 0, found = 0;
  for (const Status& s : db_->MultiGet(read_, keys, &values)) {
    corrupt += s.IsCorruption() ? 1 : 0;
    found += s.ok() ? 1 : 0;
  }
  EXPECT_GT(corrupt, 0);
  EXPECT_GT(found, 0);
}

TEST_P(MultiGetTest, WithoutIoTheKeysInMemoryAreAnswered) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  EXPECT_EQ(Get(ScannedKey(1002)), "old" + std::string(100, 'x'));
  ASSERT_OK(Put(ScannedKey(5000), "fresh"));
  read_.read_tier = kBlockCacheTier;
  const std::vector<std::string> names = {ScannedKey(1002), ScannedKey(2222),
                                          ScannedKey(5000)};
  const std::vector<Slice> keys(names.begin(), names.end());
  std::vector<std::string> values;
  const std::vector<Status> statuses = db_->MultiGet(read_, keys, &values);
  EXPECT_OK(statuses[0]);
  EXPECT_TRUE(statuses[1].IsIncomplete()) << statuses[1].ToString();
  EXPECT_OK(statuses[2]);
  EXPECT_EQ(values[2], "fresh");
}

TEST_P(MultiGetTest, TheSoftLimitAbortsWhatIsLeft) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  std::vector<std::string> names;
  for (int i = 2003; i < 2009; ++i) names.push_back(ScannedKey(i));
  ASSERT_OK(Put(names[5], std::string(103, 'm')));
  const std::vector<Slice> keys(names.begin(), names.end());
  std::vector<std::string> values;
  read_.value_size_soft_limit = 250;
  std::vector<Status> statuses = db_->MultiGet(read_, keys, &values);
  int found = 0;
  for (const Status& s : statuses) {
    EXPECT_TRUE(s.ok() || s.IsAborted()) << s.ToString();
    found += s.ok() ? 1 : 0;
  }
  EXPECT_EQ(found, 3);
  // The key in memory came first.
  EXPECT_OK(statuses[5]);
  read_.value_size_soft_limit = 0;
  statuses = db_->MultiGet(read_, keys, &values);
  EXPECT_OK(statuses[5]);
  EXPECT_TRUE(statuses[0].IsAborted());
}

// Six keys of values of 100 bytes, of which three fit.
class SoftLimitTest : public MultiGetTest {
 protected:
  static constexpr size_t kCount = 6;

  void Fill() {
    options_.create_missing_column_families = true;
    ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
    for (size_t i = 0; i < kCount; ++i) {
      names_.push_back(ScannedKey(static_cast<int>(i)));
      same_.push_back(handles_[0]);
      spread_.push_back(handles_[i % 2]);
      for (ColumnFamilyHandle* family : handles_) {
        ASSERT_OK(
            db_->Put(WriteOptions(), family, names_[i], std::string(100, 'v')));
      }
    }
    ASSERT_OK(db_->Flush(FlushOptions(), handles_));
    keys_.assign(names_.begin(), names_.end());
    read_.value_size_soft_limit = 250;
  }
  // `sizes`: of what each key got.
  static void ExpectThree(const char* what, const std::vector<Status>& statuses,
                          const std::vector<size_t>& sizes) {
    SCOPED_TRACE(what);
    ASSERT_EQ(statuses.size(), kCount);
    size_t found = 0;
    for (size_t i = 0; i < kCount; ++i) {
      const Status& s = statuses[i];
      EXPECT_TRUE(s.ok() || s.IsAborted()) << s.ToString();
      EXPECT_EQ(sizes[i] > 0, s.ok());
      found += s.ok() ? 1 : 0;
    }
    EXPECT_EQ(found, 3u);
  }
  template <typename Values, typename SizeOf>
  static std::vector<size_t> SizesOf(const Values& values, SizeOf size_of) {
    std::vector<size_t> sizes;
    for (const auto& value : values) sizes.push_back(size_of(value));
    return sizes;
  }
  void CheckVectors(const char* what, const std::vector<Status>& statuses) {
    ExpectThree(what, statuses,
                SizesOf(values_, [](const auto& v) { return v.size(); }));
  }
  void CheckArrays(std::vector<ColumnFamilyHandle*>* families) {
    std::vector<Status> statuses(kCount);
    std::vector<PinnableSlice> values(kCount);
    const auto size = [](const auto& v) { return v.size(); };
    db_->MultiGet(read_, kCount, families->data(), keys_.data(), values.data(),
                  statuses.data());
    ExpectThree("an array", statuses, SizesOf(values, size));
    std::vector<std::string> times(kCount);
    db_->MultiGet(read_, kCount, families->data(), keys_.data(), values.data(),
                  times.data(), statuses.data());
    ExpectThree("with timestamps", statuses, SizesOf(values, size));
    std::vector<PinnableWideColumns> columns(kCount);
    db_->MultiGetEntity(read_, kCount, families->data(), keys_.data(),
                        columns.data(), statuses.data());
    ExpectThree("entities", statuses, SizesOf(columns, [](const auto& one) {
                  return one.columns().size();
                }));
  }

  std::vector<std::string> names_, values_, timestamps_;
  std::vector<Slice> keys_;
  std::vector<ColumnFamilyHandle*> same_, spread_;
};

INSTANTIATE_TEST_SUITE_P(Ways, SoftLimitTest, EveryReadWay(), NameOf);

TEST_P(SoftLimitTest, HoldsInEveryForm) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  CheckVectors("values", db_->MultiGet(read_, keys_, &values_));
  CheckVectors("with timestamps",
               db_->MultiGet(read_, keys_, &values_, &timestamps_));
  CheckVectors("of families", db_->MultiGet(read_, spread_, keys_, &values_));
  CheckVectors("of families, with timestamps",
               db_->MultiGet(read_, spread_, keys_, &values_, &timestamps_));
  CheckArrays(&same_);
  CheckArrays(&spread_);
  std::vector<Status> statuses(kCount);
  std::vector<PinnableSlice> values(kCount);
  db_->MultiGet(read_, handles_[1], kCount, keys_.data(), values.data(),
                statuses.data(), /*sorted_input=*/true);
  ExpectThree("a sorted array", statuses,
              SizesOf(values, [](const auto& v) { return v.size(); }));
  std::vector<PinnableAttributeGroups> groups(kCount / 2);
  for (PinnableAttributeGroups& of_key : groups) {
    for (ColumnFamilyHandle* family : handles_) of_key.emplace_back(family);
  }
  db_->MultiGetEntity(read_, groups.size(), keys_.data(), groups.data());
  std::vector<size_t> sizes;
  for (size_t i = 0; i < kCount; ++i) {
    statuses[i] = groups[i / 2][i % 2].status();
    sizes.push_back(groups[i / 2][i % 2].columns().size());
  }
  ExpectThree("attribute groups", statuses, sizes);
}

TEST_P(MultiGetTest, FamiliesAreSeenAtOneMoment) {
  options_.create_missing_column_families = true;
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one", "two"}));
  for (size_t family = 0; family < 3; ++family) {
    for (int i = 0; i < 50; ++i) {
      ASSERT_OK(PutIn(family, ScannedKey(i), std::to_string(family * 100 + i)));
    }
    if (family != 1) ASSERT_OK(db_->Flush(FlushOptions(), handles_[family]));
  }
  std::vector<std::string> names;
  std::vector<ColumnFamilyHandle*> families;
  for (int i = 0; i < 90; ++i) {
    names.push_back(ScannedKey((i * 37) % 60));
    families.push_back(handles_[i % 3]);
  }
  const std::vector<Slice> keys(names.begin(), names.end());
  std::vector<std::string> values;
  const std::vector<Status> statuses =
      db_->MultiGet(read_, families, keys, &values);
  for (int i = 0; i < 90; ++i) {
    const std::string expected = GetFrom(i % 3, names[i]);
    EXPECT_EQ(statuses[i].ok() ? values[i] : "NOT_FOUND", expected);
  }
}

TEST_P(MultiGetTest, ADeadlineInThePastIsSaid) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  read_.deadline = std::chrono::microseconds(1);
  std::string value;
  EXPECT_TRUE(db_->Get(read_, ScannedKey(1), &value).IsTimedOut());
  std::vector<std::string> values;
  EXPECT_TRUE(db_->MultiGet(read_, {ScannedKey(1)}, &values)[0].IsTimedOut());
  const std::unique_ptr<Iterator> it(db_->NewIterator(read_));
  it->SeekToFirst();
  EXPECT_TRUE(it->status().IsTimedOut()) << it->status().ToString();
  // One that is far off changes nothing, nor does a limit of each read.
  read_.deadline = std::chrono::microseconds(int64_t{1} << 60);
  read_.io_timeout = std::chrono::seconds(1000);
  EXPECT_OK(db_->Get(read_, ScannedKey(1), &value));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
