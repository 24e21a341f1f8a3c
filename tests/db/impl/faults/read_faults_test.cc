// Every form of reading, in which the k-th call to the file system fails, for
// every k: each part of the answer is right or is an error that is said, and
// the same read is right when it is tried again.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "file/buffer_pool.h"
#include "rocksdb/attribute_groups.h"
#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/lazy_wide_columns.h"
#include "rocksdb/multi_scan.h"
#include "rocksdb/table.h"
#include "tests/db/impl/fault_world.h"
#include "tests/testing/lent_memory.h"
#include "tests/testing/scale.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// The parts of an answer, in order. An error begins with '!': in place of what
// it kept from being read, or of all that would follow.
using Answer = std::vector<std::string>;

struct ReadSetting {
  const char* name;
  bool is_async = false;
  bool is_direct = false;
  bool has_blobs = false;
  // The index and the filter come in parts, as blocks of the cache.
  bool is_partitioned = false;
  // Iterators have blocks in memory of the test.
  bool is_lent = false;
};

class ReadWorld : public FaultWorld {
 public:
  static constexpr int kKeys = 24;

  explicit ReadWorld(const ReadSetting& setting)
      : FaultWorld(1, setting.is_direct, 1), setting_(setting) {
    if (setting.has_blobs) UseBlobs();
    options_.use_direct_reads = setting.is_direct;
    options_.merge_operator = NewStringAppendOperator(",");
    // Tables are opened by whoever reads first.
    options_.skip_stats_update_on_db_open = true;
    options_.max_open_files = 20;
    options_.avoid_flush_during_shutdown = true;
    read_.async_io = setting.is_async;
    if (setting.is_lent) read_.read_scoped_block_buffer_provider = &lent_;
  }

  // Two families, each with a table in the last level and two in level 0.
  Status SetUp() {
    Status s = Open();
    if (s.ok()) s = CreateFamily("b");
    for (ColumnFamilyHandle* family : handles_) {
      if (s.ok()) s = Fill(family);
    }
    return s;
  }
  // With no table open and no block in a cache.
  Status OpenAnew() {
    BlockBasedTableOptions table;
    table.block_size = 256;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    if (setting_.is_partitioned) {
      table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
      table.partition_filters = true;
      table.metadata_block_size = 64;
      table.cache_index_and_filter_blocks = true;
      table.block_cache = NewLRUCache(1 << 20);
    } else {
      table.no_block_cache = true;
    }
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    return Open();
  }
  static std::string KeyOf(int i) { return "key" + std::to_string(100 + i); }
  // Some that are there and some that are not, ascending.
  static std::vector<std::string> SomeKeys() {
    std::vector<std::string> keys;
    for (int i = 0; i < kKeys; i += 4) keys.push_back(KeyOf(i));
    keys.push_back(KeyOf(kKeys + 1));
    return keys;
  }

  uint64_t leases() const { return lent_.outstanding(); }

  ReadOptions read_;

 private:
  static std::string ValueOf(int i, char kind) {
    return std::string(i % 5 == 0 ? 150 : 40, kind) + std::to_string(i);
  }
  Status Fill(ColumnFamilyHandle* family) {
    const WriteOptions write;
    Status s;
    for (int i = 0; i < kKeys && s.ok(); ++i) {
      s = db_->Put(write, family, KeyOf(i), ValueOf(i, 'v'));
    }
    if (s.ok()) s = db_->Flush(FlushOptions(), family);
    if (s.ok()) s = CompactAll(family);
    for (int i = 0; i < kKeys && s.ok(); ++i) {
      if (i % 7 == 0) s = db_->Put(write, family, KeyOf(i), ValueOf(i, 'w'));
      if (i % 11 == 0 && s.ok()) s = db_->Delete(write, family, KeyOf(i));
      if (i % 6 == 0 && s.ok()) {
        s = db_->PutEntity(write, family, KeyOf(i),
                           {{"", ValueOf(i, 'e')}, {"x", "1"}});
      }
    }
    if (s.ok()) s = db_->DeleteRange(write, family, KeyOf(10), KeyOf(13));
    if (s.ok()) s = db_->Flush(FlushOptions(), family);
    for (int i = 0; i < kKeys && s.ok(); i += 4) {
      s = db_->Merge(write, family, KeyOf(i), ValueOf(i, 'm'));
    }
    return s.ok() ? db_->Flush(FlushOptions(), family) : s;
  }

  LentMemory lent_;
  const ReadSetting setting_;
};

std::string ErrorOr(const Status& s, const std::string& text) {
  if (s.IsNotFound()) return "none";
  return s.ok() ? text : "!" + s.ToString();
}
std::string ColumnsText(const WideColumns& columns) {
  std::string text;
  for (const WideColumn& column : columns) {
    text += column.name().ToString() + ":" + column.value().ToString() + ";";
  }
  return text;
}

// ---- Lookups ----

void ReadValues(ReadWorld* world, Answer* answer) {
  for (const std::string& key : ReadWorld::SomeKeys()) {
    std::string value;
    const Status s = world->db_->Get(world->read_, key, &value);
    answer->push_back(ErrorOr(s, value));
  }
}
void ReadEntities(ReadWorld* world, Answer* answer) {
  for (const std::string& key : ReadWorld::SomeKeys()) {
    PinnableWideColumns columns;
    const Status s =
        world->db_->GetEntity(world->read_, world->handles_[1], key, &columns);
    answer->push_back(ErrorOr(s, ColumnsText(columns.columns())));
  }
}
// All columns of an entity, resolved together.
std::string LazyText(const Status& found, LazyWideColumns* columns) {
  if (!found.ok()) return ErrorOr(found, "");
  std::vector<PinnableSlice> values(columns->size());
  std::vector<LazyColumnReadRequest> reads(columns->size());
  for (size_t i = 0; i < reads.size(); ++i) {
    reads[i].column = &(*columns)[i];
    reads[i].result = &values[i];
  }
  const Status s = columns->MultiResolve(reads);
  WideColumns all;
  for (size_t i = 0; i < reads.size(); ++i) {
    all.emplace_back((*columns)[i].name(), values[i]);
  }
  return ErrorOr(s, ColumnsText(all));
}
void ReadLazily(ReadWorld* world, Answer* answer) {
  for (const std::string& key : ReadWorld::SomeKeys()) {
    LazyWideColumns columns;
    const Status s = world->db_->GetEntityLazy(world->read_, world->handles_[1],
                                               key, &columns);
    answer->push_back(LazyText(s, &columns));
  }
}
void ReadManyLazily(ReadWorld* world, Answer* answer) {
  const std::vector<std::string> names = ReadWorld::SomeKeys();
  const std::vector<Slice> keys(names.begin(), names.end());
  LazyWideColumnsBatch batch;
  std::vector<Status> statuses(keys.size());
  world->db_->MultiGetEntityLazy(world->read_, world->handles_[1], keys.size(),
                                 keys.data(), &batch, statuses.data());
  for (size_t i = 0; i < keys.size(); ++i) {
    answer->push_back(LazyText(statuses[i], &batch[i]));
  }
}
void ReadOperands(ReadWorld* world, Answer* answer) {
  for (const std::string& key : ReadWorld::SomeKeys()) {
    PinnableSlice operands[4];
    GetMergeOperandsOptions limit;
    limit.expected_max_number_of_operands = 4;
    int count = 0;
    const Status s = world->db_->GetMergeOperands(
        world->read_, world->handles_[1], key, operands, &limit, &count);
    std::string text;
    for (int i = 0; i < count; ++i) text += operands[i].ToString() + ",";
    answer->push_back(ErrorOr(s, text));
  }
}

// Keys of both families in turn.
struct SpreadKeys {
  explicit SpreadKeys(const ReadWorld& world) {
    for (const std::string& key : ReadWorld::SomeKeys()) {
      for (ColumnFamilyHandle* family : world.handles_) {
        names.push_back(key);
        families.push_back(family);
      }
    }
    keys.assign(names.begin(), names.end());
  }

  std::vector<std::string> names;
  std::vector<Slice> keys;
  std::vector<ColumnFamilyHandle*> families;
};

void ReadManyValues(ReadWorld* world, Answer* answer) {
  const SpreadKeys spread(*world);
  std::vector<std::string> values;
  const std::vector<Status> statuses =
      world->db_->MultiGet(world->read_, spread.families, spread.keys, &values);
  for (size_t i = 0; i < statuses.size(); ++i) {
    answer->push_back(ErrorOr(statuses[i], values[i]));
  }
}
void ReadManyEntities(ReadWorld* world, Answer* answer) {
  SpreadKeys spread(*world);
  const size_t count = spread.keys.size();
  std::vector<PinnableWideColumns> columns(count);
  std::vector<Status> statuses(count);
  world->db_->MultiGetEntity(world->read_, count, spread.families.data(),
                             spread.keys.data(), columns.data(),
                             statuses.data());
  for (size_t i = 0; i < count; ++i) {
    answer->push_back(ErrorOr(statuses[i], ColumnsText(columns[i].columns())));
  }
}
void ReadGroups(ReadWorld* world, Answer* answer) {
  const std::vector<std::string> names = ReadWorld::SomeKeys();
  const std::vector<Slice> keys(names.begin(), names.end());
  std::vector<PinnableAttributeGroups> many(keys.size());
  for (PinnableAttributeGroups& groups : many) {
    for (ColumnFamilyHandle* family : world->handles_) {
      groups.emplace_back(family);
    }
  }
  world->db_->MultiGetEntity(world->read_, keys.size(), keys.data(),
                             many.data());
  for (const PinnableAttributeGroups& groups : many) {
    for (const PinnableAttributeGroup& group : groups) {
      answer->push_back(ErrorOr(group.status(), ColumnsText(group.columns())));
    }
  }
}

// ---- Cursors ----

enum class Way { kForward, kBackward };

std::string Shown(const Iterator& it) {
  return it.key().ToString() + "=" + it.value().ToString() + "/" +
         ColumnsText(it.columns());
}
std::string Shown(const AttributeGroupIterator& it) {
  std::string text = it.key().ToString() + "=";
  for (const IteratorAttributeGroup& group : it.attribute_groups()) {
    text +=
        group.column_family()->GetName() + "/" + ColumnsText(group.columns());
  }
  return text;
}

template <typename Cursor>
void Walk(Way way, Cursor* it, Answer* answer) {
  way == Way::kForward ? it->SeekToFirst() : it->SeekToLast();
  while (it->Valid()) {
    answer->push_back(Shown(*it));
    way == Way::kForward ? it->Next() : it->Prev();
  }
  answer->push_back(ErrorOr(it->status(), "end"));
}

void WalkForward(ReadWorld* world, Answer* answer) {
  const std::unique_ptr<Iterator> it(world->db_->NewIterator(world->read_));
  Walk(Way::kForward, it.get(), answer);
}
void WalkBackward(ReadWorld* world, Answer* answer) {
  const std::unique_ptr<Iterator> it(world->db_->NewIterator(world->read_));
  Walk(Way::kBackward, it.get(), answer);
}
// One cursor, which has to come out of an error.
void SeekAbout(ReadWorld* world, Answer* answer) {
  const std::unique_ptr<Iterator> it(world->db_->NewIterator(world->read_));
  for (int i = 0; i < 2 * ReadWorld::kKeys; i += 7) {
    const std::string target = ReadWorld::KeyOf(i % ReadWorld::kKeys);
    i % 2 == 0 ? it->Seek(target) : it->SeekForPrev(target);
    answer->push_back(it->Valid() ? Shown(*it) : ErrorOr(it->status(), "end"));
  }
}
void WalkUnprepared(ReadWorld* world, Answer* answer) {
  ReadOptions read = world->read_;
  read.allow_unprepared_value = true;
  const std::unique_ptr<Iterator> it(world->db_->NewIterator(read));
  for (it->SeekToFirst(); it->Valid() && it->PrepareValue(); it->Next()) {
    answer->push_back(Shown(*it));
  }
  answer->push_back(ErrorOr(it->status(), "end"));
}
// What is written in between is what is there.
void WalkTailing(ReadWorld* world, Answer* answer) {
  ReadOptions read = world->read_;
  read.tailing = true;
  const std::unique_ptr<Iterator> it(world->db_->NewIterator(read));
  it->SeekToFirst();
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  const Status s =
      world->db_->Put(unlogged, ReadWorld::KeyOf(ReadWorld::kKeys), "tail");
  ASSERT_TRUE(s.ok()) << s.ToString();
  Walk(Way::kForward, it.get(), answer);
}
void WalkOneByOne(ReadWorld* world, Answer* answer) {
  std::vector<Iterator*> made;
  const Status s =
      world->db_->NewIterators(world->read_, world->handles_, &made);
  if (!s.ok()) answer->push_back("!" + s.ToString());
  std::vector<std::unique_ptr<Iterator>> cursors(made.begin(), made.end());
  for (const auto& it : cursors) {
    std::string all;
    for (it->SeekToFirst(); it->Valid(); it->Next()) all += Shown(*it) + " ";
    answer->push_back(ErrorOr(it->status(), all));
  }
}
void WalkCoalescing(ReadWorld* world, Answer* answer) {
  const auto it =
      world->db_->NewCoalescingIterator(world->read_, world->handles_);
  Walk(Way::kForward, it.get(), answer);
}
void WalkCoalescingBackward(ReadWorld* world, Answer* answer) {
  const auto it =
      world->db_->NewCoalescingIterator(world->read_, world->handles_);
  Walk(Way::kBackward, it.get(), answer);
}
void WalkGroups(ReadWorld* world, Answer* answer) {
  const auto it =
      world->db_->NewAttributeGroupIterator(world->read_, world->handles_);
  Walk(Way::kForward, it.get(), answer);
}
void ScanRanges(ReadWorld* world, Answer* answer) {
  MultiScanArgs args(BytewiseComparator());
  args.use_async_io = world->read_.async_io;
  const std::string bounds[] = {ReadWorld::KeyOf(2), ReadWorld::KeyOf(9),
                                ReadWorld::KeyOf(12), ReadWorld::KeyOf(20)};
  args.insert(bounds[0], bounds[1]);
  args.insert(bounds[2], bounds[3]);
  try {
    const auto scans =
        world->db_->NewMultiScan(world->read_, world->handles_[1], args);
    for (auto scan : *scans) {
      for (auto entry : scan) {
        answer->push_back(entry.first.ToString() + "=" +
                          entry.second.ToString());
      }
      answer->push_back("|");
    }
  } catch (const MultiScanException& e) {
    answer->push_back("!" + e.status().ToString());
  }
}

void VerifyAll(ReadWorld* world, Answer* answer) {
  answer->push_back(
      ErrorOr(world->db_->VerifyChecksum(world->read_), "verified"));
}

struct ReadForm {
  const char* name;
  void (*run)(ReadWorld* world, Answer* answer);
};

// What is wrong with an answer; empty if nothing.
std::string WrongIn(const Answer& found, const Answer& expected) {
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].starts_with("!IO error") ||
        found[i].starts_with("!Corruption")) {
      continue;
    }
    if (i < expected.size() && found[i] == expected[i]) continue;
    return "found " + found[i] + ", expected " +
           (i < expected.size() ? expected[i] : "no more");
  }
  if (found.size() < expected.size() &&
      (found.empty() || found.back().front() != '!')) {
    return "it ends before " + expected[found.size()];
  }
  return "";
}
bool HasError(const Answer& answer) {
  return std::any_of(answer.begin(), answer.end(), [](const std::string& part) {
    return part.starts_with("!");
  });
}

class ReadFaults
    : public ::testing::TestWithParam<std::tuple<ReadForm, ReadSetting>> {};

TEST_P(ReadFaults, EveryCallFailsOnce) {
  const auto& [form, setting] = GetParam();
  ReadWorld world(setting);
  Status s = world.SetUp();
  if (s.ok()) s = world.OpenAnew();
  ASSERT_TRUE(s.ok()) << s.ToString();
  Answer expected;
  form.run(&world, &expected);
  ASSERT_FALSE(HasError(expected));
  for (const FaultKind kind : {FaultKind::kIOError, FaultKind::kShort}) {
    int errors = 0;
    bool struck = true;
    // Short reads take turns.
    const uint64_t step = TestShare() * (kind == FaultKind::kShort ? 2 : 1);
    for (uint64_t k = 1; struck; k += step) {
      ASSERT_LT(k, 2000u) << "the read never runs through";
      s = world.OpenAnew();
      ASSERT_TRUE(s.ok()) << s.ToString();
      world.fs_->FailCall(
          {.call = k, .kind = kind, .scope = FaultScope::kAllCalls});
      Answer found, again;
      form.run(&world, &found);
      struck = world.fs_->failed();
      SCOPED_TRACE("call " + std::to_string(k) + ": " +
                   world.fs_->failed_call());
      world.fs_->ClearFault();
      ASSERT_EQ(WrongIn(found, expected), "");
      errors += HasError(found) ? 1 : 0;
      ASSERT_EQ(BufferPool::Default()->LeasedBytes(), 0u);
      ASSERT_EQ(world.leases(), 0u);
      form.run(&world, &again);
      ASSERT_EQ(again, expected);
    }
    EXPECT_GT(errors, 0);
  }
  s = world.Close();
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(world.fs_->open_handles(), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, ReadFaults,
    ::testing::Combine(
        ::testing::Values(
            ReadForm{"Get", &ReadValues}, ReadForm{"GetEntity", &ReadEntities},
            ReadForm{"GetEntityLazy", &ReadLazily},
            ReadForm{"MultiGetEntityLazy", &ReadManyLazily},
            ReadForm{"GetMergeOperands", &ReadOperands},
            ReadForm{"MultiGet", &ReadManyValues},
            ReadForm{"MultiGetEntity", &ReadManyEntities},
            ReadForm{"AttributeGroups", &ReadGroups},
            ReadForm{"Forward", &WalkForward},
            ReadForm{"Backward", &WalkBackward}, ReadForm{"Seeks", &SeekAbout},
            ReadForm{"Unprepared", &WalkUnprepared},
            ReadForm{"Tailing", &WalkTailing},
            ReadForm{"NewIterators", &WalkOneByOne},
            ReadForm{"Coalescing", &WalkCoalescing},
            ReadForm{"CoalescingBackward", &WalkCoalescingBackward},
            ReadForm{"AttributeGroupCursor", &WalkGroups},
            ReadForm{"MultiScan", &ScanRanges},
            ReadForm{"VerifyChecksum", &VerifyAll}),
        ::testing::Values(
            ReadSetting{.name = "Plain"},
            ReadSetting{.name = "Async", .is_async = true},
            ReadSetting{
                .name = "DirectBlobs", .is_direct = true, .has_blobs = true},
            ReadSetting{.name = "Partitioned", .is_partitioned = true},
            ReadSetting{.name = "Lent", .is_direct = true, .is_lent = true})),
    [](const auto& info) {
      return std::string(std::get<0>(info.param).name) +
             std::get<1>(info.param).name;
    });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
