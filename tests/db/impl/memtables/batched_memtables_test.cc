// memtable_batch_lookup_optimization: answers and counters are those of
// MultiGet without it, and of Get().
#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/comparator.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "tests/db/impl/families_fixture.h"
#include "util/builtin_merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class BatchedMemtablesTest : public FamiliesFixture {
 protected:
  static constexpr uint64_t kKeys = 400;

  BatchedMemtablesTest() {
    options_.create_missing_column_families = true;
    options_.memtable_batch_lookup_optimization = true;
    options_.merge_operator = NewStringAppendOperator(",");
    options_.statistics = CreateDBStatistics();
    options_.disable_auto_compactions = true;
    options_.max_write_buffer_number = 10;
    options_.min_write_buffer_number_to_merge = 8;
  }

  static std::string Key(uint64_t i) {
    return "key" + std::to_string(10000 + i);
  }

  // A write of some kind.
  Status WriteOne(ColumnFamilyHandle* family, int i, Random64* random) {
    const WriteOptions write;
    const std::string key = Key(2 * random->Uniform(kKeys / 2));
    const std::string value = std::to_string(i);
    const uint64_t kind = random->Uniform(8);
    if (kind == 0) return db_->Delete(write, family, key);
    if (kind <= 3) return db_->Merge(write, family, key, value);
    if (kind > 4) return db_->Put(write, family, key, value);
    return db_->PutEntity(write, family, key, {{"", value}, {"a", value}});
  }

  // Old data in a file, then four memtables in each family, all but the last
  // one sealed, with a range tombstone in some.
  void Fill() {
    ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
    Random64 random(31);
    for (ColumnFamilyHandle* family : handles_) {
      for (int i = 0; i < 300; ++i) {
        ASSERT_OK(WriteOne(family, i, &random));
      }
    }
    ASSERT_OK(db_->Flush(FlushOptions(), handles_));
    for (int table = 0; table < 4; ++table) {
      for (ColumnFamilyHandle* family : handles_) {
        for (int i = 0; i < 200; ++i) {
          ASSERT_OK(WriteOne(family, 1000 * (table + 1) + i, &random));
        }
        if (table % 2 == 1) {
          ASSERT_OK(db_->DeleteRange(WriteOptions(), family,
                                     Key(100 + 30 * table), Key(200)));
        }
      }
      if (table == 2) snapshots_.push_back(db_->GetSnapshot());
      if (table == 3) break;
      ASSERT_NO_FATAL_FAILURE(Seal(table + 1));
    }
    snapshots_.push_back(nullptr);
  }
  // What is in memory stays there, and what is written goes elsewhere.
  void Seal(int sealed) {
    for (ColumnFamilyHandle* family : handles_) {
      ASSERT_OK(db_->SetOptions(family, {{"write_buffer_size", "65536"}}));
      const std::string filler(20000, 'f');
      uint64_t count = 0;
      for (int i = 0; count < static_cast<uint64_t>(sealed); ++i) {
        ASSERT_LT(i, 100);
        ASSERT_OK(db_->Put(WriteOptions(), family, "filler", filler));
        ASSERT_TRUE(db_->GetIntProperty(
            family, "rocksdb.num-immutable-mem-table", &count));
      }
    }
  }
  void ReleaseAll() {
    for (const Snapshot* snapshot : snapshots_) {
      if (snapshot != nullptr) db_->ReleaseSnapshot(snapshot);
    }
    snapshots_.clear();
  }

  // Keys of a call: absent ones, duplicates, before the first, behind the last.
  std::vector<std::string> DrawKeys(size_t count, Random64* random) {
    std::vector<std::string> keys = {"a", "z"};
    while (keys.size() < count) {
      keys.push_back(Key(random->Uniform(kKeys + 20)));
      if (random->OneIn(6)) keys.push_back(keys.back());
    }
    return keys;
  }
  std::string TextOf(const Status& s, const Slice& value) {
    return s.ok() ? value.ToString() : s.ToString();
  }
  std::string TextOf(const Status& s, const WideColumns& columns) {
    if (!s.ok()) return s.ToString();
    std::string text;
    for (const WideColumn& column : columns) {
      text += column.name().ToString() + ":" + column.value().ToString() + " ";
    }
    return text;
  }
  std::string One(ColumnFamilyHandle* family, const std::string& key) {
    PinnableSlice value;
    const Status s = db_->Get(read_, family, key, &value);
    return TextOf(s, value);
  }
  std::string OneEntity(ColumnFamilyHandle* family, const std::string& key) {
    PinnableWideColumns columns;
    const Status s = db_->GetEntity(read_, family, key, &columns);
    return TextOf(s, columns.columns());
  }

  void CheckArrays(const std::vector<std::string>& names, bool is_sorted) {
    const std::vector<Slice> keys(names.begin(), names.end());
    const size_t count = keys.size();
    std::vector<PinnableSlice> values(count);
    std::vector<PinnableWideColumns> columns(count);
    std::vector<Status> statuses(count), of_columns(count);
    for (ColumnFamilyHandle* family : handles_) {
      db_->MultiGet(read_, family, count, keys.data(), values.data(),
                    statuses.data(), is_sorted);
      db_->MultiGetEntity(read_, family, count, keys.data(), columns.data(),
                          of_columns.data(), is_sorted);
      for (size_t i = 0; i < count; ++i) {
        ASSERT_EQ(TextOf(statuses[i], values[i]), One(family, names[i]));
        ASSERT_EQ(TextOf(of_columns[i], columns[i].columns()),
                  OneEntity(family, names[i]));
      }
    }
  }
  // With keys of both families.
  void CheckSpread(const std::vector<std::string>& names) {
    const std::vector<Slice> keys(names.begin(), names.end());
    const size_t count = keys.size();
    std::vector<ColumnFamilyHandle*> families;
    for (size_t i = 0; i < count; ++i) families.push_back(handles_[i % 2]);
    std::vector<std::string> texts;
    const std::vector<Status> of_texts =
        db_->MultiGet(read_, families, keys, &texts);
    std::vector<PinnableWideColumns> columns(count);
    std::vector<Status> statuses(count);
    db_->MultiGetEntity(read_, count, families.data(), keys.data(),
                        columns.data(), statuses.data());
    std::vector<PinnableAttributeGroups> groups(count);
    for (PinnableAttributeGroups& of_key : groups) {
      for (ColumnFamilyHandle* family : handles_) of_key.emplace_back(family);
    }
    db_->MultiGetEntity(read_, count, keys.data(), groups.data());
    for (size_t i = 0; i < count; ++i) {
      ASSERT_EQ(TextOf(of_texts[i], texts[i]), One(families[i], names[i]));
      ASSERT_EQ(TextOf(statuses[i], columns[i].columns()),
                OneEntity(families[i], names[i]));
      for (size_t f = 0; f < handles_.size(); ++f) {
        ASSERT_EQ(TextOf(groups[i][f].status(), groups[i][f].columns()),
                  OneEntity(handles_[f], names[i]));
      }
    }
  }
  void CheckAll() {
    Random64 random(17);
    for (const Snapshot* snapshot : snapshots_) {
      read_.snapshot = snapshot;
      for (const size_t count : {2, 3, 40, 200}) {
        std::vector<std::string> names = DrawKeys(count, &random);
        ASSERT_NO_FATAL_FAILURE(CheckArrays(names, /*is_sorted=*/false));
        ASSERT_NO_FATAL_FAILURE(CheckSpread(names));
        std::sort(names.begin(), names.end());
        ASSERT_NO_FATAL_FAILURE(CheckArrays(names, /*is_sorted=*/true));
      }
    }
    read_.snapshot = nullptr;
  }

  ReadOptions read_;
  std::vector<const Snapshot*> snapshots_;
};

TEST_F(BatchedMemtablesTest, EveryFormAnswersAsGet) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_NO_FATAL_FAILURE(CheckAll());
  read_.ignore_range_deletions = true;
  ASSERT_NO_FATAL_FAILURE(CheckAll());
  read_.read_tier = kMemtableTier;
  ASSERT_NO_FATAL_FAILURE(CheckAll());
  ReleaseAll();
}

TEST_F(BatchedMemtablesTest, WithFilters) {
  options_.memtable_prefix_bloom_size_ratio = 0.1;
  options_.memtable_whole_key_filtering = true;
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_NO_FATAL_FAILURE(CheckAll());
  ReleaseAll();
}

TEST_F(BatchedMemtablesTest, WithChecks) {
  options_.memtable_protection_bytes_per_key = 4;
  options_.paranoid_memory_checks = true;
  options_.memtable_verify_per_key_checksum_on_seek = true;
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_NO_FATAL_FAILURE(CheckAll());
  ReleaseAll();
}

TEST_F(BatchedMemtablesTest, WithAnotherOrder) {
  options_.comparator = ReverseBytewiseComparator();
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
  Random64 random(3);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_OK(WriteOne(handles_[i % 2], i, &random));
  }
  std::vector<std::string> names = DrawKeys(200, &random);
  ASSERT_NO_FATAL_FAILURE(CheckArrays(names, /*is_sorted=*/false));
  std::sort(names.rbegin(), names.rend());
  ASSERT_NO_FATAL_FAILURE(CheckArrays(names, /*is_sorted=*/true));
  ASSERT_NO_FATAL_FAILURE(CheckSpread(names));
}

// What a call counts, and its answers: by name.
std::map<std::string, std::string> Answers(DB* db, const ReadOptions& read,
                                           const Statistics& statistics,
                                           const std::vector<Slice>& keys) {
  constexpr Tickers kTickers[] = {MEMTABLE_HIT,
                                  MEMTABLE_MISS,
                                  GET_HIT_L0,
                                  NUMBER_MULTIGET_CALLS,
                                  NUMBER_MULTIGET_KEYS_READ,
                                  NUMBER_MULTIGET_KEYS_FOUND,
                                  NUMBER_MULTIGET_BYTES_READ};
  std::map<std::string, std::string> answers;
  std::map<Tickers, uint64_t> before;
  for (const Tickers ticker : kTickers) {
    before[ticker] = statistics.getTickerCount(ticker);
  }
  SetPerfLevel(kEnableCount);
  get_perf_context()->Reset();
  std::vector<std::string> values;
  const std::vector<Status> statuses = db->MultiGet(read, keys, &values);
  const PerfContext& perf = *get_perf_context();
  answers["filter hits"] = std::to_string(perf.bloom_memtable_hit_count);
  answers["filter misses"] = std::to_string(perf.bloom_memtable_miss_count);
  answers["merges"] = std::to_string(perf.internal_merge_point_lookup_count);
  SetPerfLevel(kDisable);
  for (const Tickers ticker : kTickers) {
    answers["ticker " + std::to_string(ticker)] =
        std::to_string(statistics.getTickerCount(ticker) - before[ticker]);
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    answers[std::to_string(i) + " " + keys[i].ToString()] =
        statuses[i].ok() ? values[i] : statuses[i].ToString();
  }
  return answers;
}

TEST_F(BatchedMemtablesTest, CountersAndLimitsAreThoseOfSeparateLookups) {
  options_.memtable_prefix_bloom_size_ratio = 0.1;
  options_.memtable_whole_key_filtering = true;
  options_.avoid_flush_during_shutdown = true;
  std::vector<std::map<std::string, std::string>> answers[2];
  for (const bool is_on : {false, true}) {
    CloseFamilies();
    ASSERT_OK(DestroyDB(path_, options_));
    options_.memtable_batch_lookup_optimization = is_on;
    ASSERT_NO_FATAL_FAILURE(Fill());
    Random64 random(8);
    const std::vector<std::string> names = DrawKeys(300, &random);
    const std::vector<Slice> keys(names.begin(), names.end());
    for (const uint64_t limit : {~uint64_t{0}, uint64_t{300}, uint64_t{0}}) {
      read_.value_size_soft_limit = limit;
      answers[is_on].push_back(
          Answers(db_.get(), read_, *options_.statistics, keys));
    }
    ReleaseAll();
  }
  for (size_t i = 0; i < answers[true].size(); ++i) {
    ASSERT_EQ(answers[false][i].size(), answers[true][i].size());
    for (const auto& [name, text] : answers[true][i]) {
      EXPECT_EQ(answers[false][i][name], text) << name << ", limit " << i;
    }
  }
  // All three have some of each.
  EXPECT_NE(answers[true][0], answers[true][1]);
  EXPECT_NE(answers[true][1]["ticker " + std::to_string(MEMTABLE_HIT)], "0");
  EXPECT_NE(answers[true][0]["filter misses"], "0");
}

// Whom the comparisons of entries are made for, in order.
class WatchingComparator : public Comparator {
 public:
  const char* Name() const override { return "WatchingComparator"; }
  int Compare(const Slice& a, const Slice& b) const override {
    if (is_on && a.starts_with("stored") && b.starts_with("sought") &&
        (asked.empty() || asked.back() != b)) {
      asked.push_back(b.ToString());
    }
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

  mutable bool is_on = false;
  mutable std::vector<std::string> asked;
};

// Does a MultiGet with these options come back to a key after another one?
bool TakesTurns(const Options& options, const WatchingComparator& order,
                const std::string& path) {
  Options own = options;
  own.comparator = &order;
  EXPECT_OK(DestroyDB(path, own));
  std::unique_ptr<DB> db;
  EXPECT_OK(DB::Open(own, path, &db));
  for (int i = 0; i < 500; ++i) {
    EXPECT_OK(db->Put(WriteOptions(), "stored" + std::to_string(i), "v"));
  }
  const std::vector<Slice> keys = {"sought1", "sought2", "sought3"};
  std::vector<std::string> values;
  order.asked.clear();
  order.is_on = true;
  for (const Status& s : db->MultiGet(ReadOptions(), keys, &values)) {
    EXPECT_TRUE(s.IsNotFound());
  }
  order.is_on = false;
  EXPECT_GE(order.asked.size(), keys.size());
  return order.asked.size() > keys.size();
}

TEST_F(BatchedMemtablesTest, SearchesTakeTurnsIfAsked) {
  const WatchingComparator order;
  EXPECT_TRUE(TakesTurns(options_, order, path_));
  options_.paranoid_memory_checks = true;
  EXPECT_FALSE(TakesTurns(options_, order, path_));
  options_.paranoid_memory_checks = false;
  options_.memtable_factory = std::make_shared<VectorRepFactory>();
  options_.allow_concurrent_memtable_write = false;
  EXPECT_FALSE(TakesTurns(options_, order, path_));
  options_.memtable_factory = std::make_shared<SkipListFactory>();
  options_.memtable_batch_lookup_optimization = false;
  EXPECT_FALSE(TakesTurns(options_, order, path_));
}

// Each batch writes one number to all keys: no read sees two, and none an
// older one than was there before it.
TEST_F(BatchedMemtablesTest, BesideWritersABatchIsSeenAsAWhole) {
  options_.write_buffer_size = 256 << 10;
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
  std::atomic<int> written{-1};
  std::thread writer([&] {
    for (int n = 0; n < 400; ++n) {
      WriteBatch batch;
      for (ColumnFamilyHandle* family : handles_) {
        for (uint64_t i = 0; i < 40; ++i) {
          ASSERT_OK(batch.Put(family, Key(i * 7), std::to_string(n)));
          // Between them, so that nodes are split.
          ASSERT_OK(batch.Put(family, Key(i * 7) + std::to_string(n), "x"));
        }
      }
      ASSERT_OK(db_->Write(WriteOptions(), &batch));
      written.store(n);
    }
  });
  std::vector<std::string> names;
  std::vector<ColumnFamilyHandle*> families;
  for (uint64_t i = 0; i < 80; ++i) {
    names.push_back(Key(i / 2 * 7));
    families.push_back(handles_[i % 2]);
  }
  const std::vector<Slice> keys(names.begin(), names.end());
  for (int before = -1; before < 399 && !HasFailure();) {
    before = written.load();
    if (before < 0) continue;
    std::vector<std::string> values;
    const std::vector<Status> statuses =
        db_->MultiGet(ReadOptions(), families, keys, &values);
    for (const Status& s : statuses) EXPECT_OK(s);
    EXPECT_EQ(std::set<std::string>(values.begin(), values.end()).size(), 1u);
    EXPECT_GE(std::stoi("0" + values[0]), before);
  }
  writer.join();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
