// The dynamic options of memtables, and of reading them, are in force once they
// are set: the cases of dynamic_family_rows.h for them.
#include <gtest/gtest.h>

#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/write_buffer_manager.h"
#include "tests/db/impl/options/dynamic_family_rows.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {

using Rows = DynamicFamilyRows;

namespace {

// What the filter of the active memtable says of a key that is not there.
uint64_t AnswersOfMemtableFilter(DB* db) {
  EXPECT_OK(db->Put(WriteOptions(), "present", "1"));
  EXPECT_OK(db->Flush(FlushOptions()));
  EXPECT_OK(db->Put(WriteOptions(), "present", "1"));
  SetPerfLevel(PerfLevel::kEnableCount);
  get_perf_context()->Reset();
  std::string value;
  EXPECT_TRUE(db->Get(ReadOptions(), "absent", &value).IsNotFound());
  const uint64_t answers = get_perf_context()->bloom_memtable_miss_count;
  SetPerfLevel(PerfLevel::kDisable);
  return answers;
}

// Operands that a merge of the key would start from.
int MergeOperandsOf(DB* db, const std::string& key) {
  constexpr int kMost = 20;
  PinnableSlice values[kMost];
  GetMergeOperandsOptions options;
  options.expected_max_number_of_operands = kMost;
  int count = 0;
  EXPECT_OK(db->GetMergeOperands(ReadOptions(), db->DefaultColumnFamily(), key,
                                 values, &options, &count));
  return count;
}

void DeleteRun(DB* db, int count) {
  for (int i = 0; i < count; ++i) {
    EXPECT_OK(db->Delete(WriteOptions(), "gone" + std::to_string(1000 + i)));
  }
}

void WalkThrough(DB* db) {
  const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
  }
  EXPECT_OK(it->status());
}

}  // namespace

void Rows::write_buffer_size() {
  options_.write_buffer_size = 64 << 20;
  Open();
  Set("write_buffer_size", "65536");
  for (int i = 0; i < 500; ++i) ASSERT_OK(Put(Key(i), Value(i, 1)));
  EXPECT_LT(Number(DB::Properties::kNumEntriesActiveMemTable), 500u);
}

void Rows::max_write_buffer_number() {
  options_.max_write_buffer_number = 6;
  Open();
  ASSERT_OK(db_->PauseBackgroundWork());
  FlushOptions later;
  later.wait = false;
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(Put("key", std::to_string(i)));
    ASSERT_OK(db_->Flush(later));
  }
  ASSERT_EQ(Sealed(), 2u);
  EXPECT_FALSE(IsStopped());
  Set("max_write_buffer_number", "2");
  EXPECT_TRUE(IsStopped());
  Set("max_write_buffer_number", "6");
  EXPECT_FALSE(IsStopped());
  ASSERT_OK(db_->ContinueBackgroundWork());
}

// How many locks there are shows nowhere, but none at all would.
void Rows::inplace_update_num_locks() {
  options_.inplace_update_support = true;
  options_.allow_concurrent_memtable_write = false;
  Open();
  for (const char* count : {"0", "1", "1000"}) {
    Set("inplace_update_num_locks", count);
    ASSERT_NO_FATAL_FAILURE(BeginMemtable());
    ASSERT_OK(Put("key", "1"));
    ASSERT_OK(Put("key", "2"));
    EXPECT_EQ(Get("key"), "2");
    EXPECT_EQ(Number(DB::Properties::kNumEntriesActiveMemTable), 1u);
  }
}

// Keys that are overwritten reach no table.
void Rows::experimental_mempurge_threshold() {
  options_.write_buffer_size = 64 << 10;
  options_.arena_block_size = 4 << 10;
  options_.max_write_buffer_number = 64;  // no writer is near a stall
  Open();
  Set("experimental_mempurge_threshold", "1.0");
  for (int i = 0; i < 5000; ++i) {
    ASSERT_OK(Put(Key(i % 50), std::to_string(i)));
  }
  Await();
  EXPECT_EQ(Tables().size(), 0u);
}

void Rows::memtable_prefix_bloom_size_ratio() {
  options_.memtable_whole_key_filtering = true;
  Open();
  EXPECT_EQ(AnswersOfMemtableFilter(db_.get()), 0u);
  Set("memtable_prefix_bloom_size_ratio", "0.05");
  EXPECT_EQ(AnswersOfMemtableFilter(db_.get()), 1u);
}

void Rows::memtable_whole_key_filtering() {
  options_.memtable_prefix_bloom_size_ratio = 0.05;
  Open();
  EXPECT_EQ(AnswersOfMemtableFilter(db_.get()), 0u);
  Set("memtable_whole_key_filtering", "true");
  EXPECT_EQ(AnswersOfMemtableFilter(db_.get()), 1u);
}

// A block of the arena is a huge page at least, where there are any or not.
void Rows::memtable_huge_page_size() {
  options_.write_buffer_manager = std::make_shared<WriteBufferManager>(1 << 30);
  Open();
  ASSERT_NO_FATAL_FAILURE(FillMemtable());
  EXPECT_LT(options_.write_buffer_manager->memory_usage(), 1u << 20);
  Set("memtable_huge_page_size", "2097152");
  ASSERT_NO_FATAL_FAILURE(FillMemtable());
  EXPECT_GE(options_.write_buffer_manager->memory_usage(), 2u << 20);
}

void Rows::arena_block_size() {
  options_.write_buffer_manager = std::make_shared<WriteBufferManager>(1 << 30);
  Open();
  ASSERT_NO_FATAL_FAILURE(FillMemtable());
  EXPECT_LT(options_.write_buffer_manager->memory_usage(), 1u << 20);
  Set("arena_block_size", "4194304");
  ASSERT_NO_FATAL_FAILURE(FillMemtable());
  EXPECT_GE(options_.write_buffer_manager->memory_usage(), 4u << 20);
}

void Rows::memtable_max_range_deletions() {
  Open();
  Set("memtable_max_range_deletions", "2");
  ASSERT_OK(Put("key", "1"));
  ASSERT_OK(Flush());
  ASSERT_EQ(FilesAt(0), 1);
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(db_->DeleteRange(WriteOptions(), "a" + std::to_string(i), "b"));
  }
  ASSERT_OK(Put("key", "2"));
  Await();
  EXPECT_EQ(FilesAt(0), 2);
}

void Rows::max_successive_merges() {
  options_.merge_operator = NewStringAppendOperator(",");
  Open();
  Set("max_successive_merges", "1");
  ASSERT_NO_FATAL_FAILURE(BeginMemtable());
  for (int i = 0; i < 2; ++i) ASSERT_OK(db_->Merge({}, "key", "1"));
  EXPECT_EQ(MergeOperandsOf(db_.get(), "key"), 1);
}

// Files are read for it, too.
void Rows::strict_max_successive_merges() {
  options_.merge_operator = NewStringAppendOperator(",");
  options_.max_successive_merges = 2;
  for (const bool is_strict : {false, true}) {
    Open();
    Set("strict_max_successive_merges", is_strict ? "true" : "false");
    const std::string key = is_strict ? "strict" : "lenient";
    ASSERT_OK(Put(key, "0"));
    ASSERT_OK(Flush());
    // Nothing of the file is in memory.
    table_.block_cache->EraseUnRefEntries();
    for (int i = 0; i < 3; ++i) ASSERT_OK(db_->Merge({}, key, "1"));
    EXPECT_EQ(MergeOperandsOf(db_.get(), key), is_strict ? 1 : 4);
  }
}

void Rows::max_sequential_skip_in_iterations() {
  options_.max_sequential_skip_in_iterations = 1000;
  Open();
  for (int i = 0; i < 50; ++i) ASSERT_OK(Put("a", std::to_string(i)));
  ASSERT_OK(Put("b", "1"));
  WalkThrough(db_.get());
  EXPECT_EQ(Ticker(NUMBER_OF_RESEEKS_IN_ITERATION), 0u);
  Set("max_sequential_skip_in_iterations", "3");
  WalkThrough(db_.get());
  EXPECT_EQ(Ticker(NUMBER_OF_RESEEKS_IN_ITERATION), 1u);
}

void Rows::memtable_protection_bytes_per_key() {
  Open();
  Set("memtable_protection_bytes_per_key", "4");
  ASSERT_NO_FATAL_FAILURE(BeginMemtable());
  ASSERT_OK(Put("key", "value"));
  Damage("key");
  EXPECT_TRUE(IsCorrupt("key"));
}

// The key in the middle of a leaf goes to its front.
void Rows::paranoid_memory_checks() {
  Open();
  Set("paranoid_memory_checks", "true");
  ASSERT_NO_FATAL_FAILURE(BeginMemtable());
  for (const char end : {'b', 'c', 'i', 'k', 'm'}) {
    ASSERT_OK(Put(std::string("long prefix ") + end, "value"));
  }
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->Seek("long prefix i");
  ASSERT_TRUE(it->Valid());
  // The key stands before its value, with a sequence and a length between.
  char* const value = const_cast<char*>(it->value().data());
  char* const last = value - 1 - 8 - 1;
  ASSERT_EQ(*last, 'i');
  *last = 'A';
  const std::unique_ptr<Iterator> walk(db_->NewIterator(ReadOptions()));
  for (walk->SeekToFirst(); walk->Valid(); walk->Next()) {
  }
  EXPECT_TRUE(walk->status().IsCorruption()) << walk->status().ToString();
  *last = 'i';
}

void Rows::memtable_verify_per_key_checksum_on_seek() {
  options_.memtable_protection_bytes_per_key = 8;
  Open();
  Set("memtable_verify_per_key_checksum_on_seek", "true");
  ASSERT_NO_FATAL_FAILURE(BeginMemtable());
  for (char end = 'a'; end <= 'q'; ++end) {
    ASSERT_OK(Put(std::string("long prefix ") + end, "value"));
  }
  // Beside a key without the prefix, searches compare whole keys.
  ASSERT_OK(Put("z", "value"));
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->Seek("long prefix i");
  ASSERT_TRUE(it->Valid());
  char* const value = const_cast<char*>(it->value().data());
  char* const last = value - 1 - 8 - 1;
  ASSERT_EQ(*last, 'i');
  *last = 'A';
  // The search comes by the damaged key.
  EXPECT_TRUE(IsCorrupt("long prefix c"));
  *last = 'i';
}

void Rows::memtable_op_scan_flush_trigger() {
  Open();
  ASSERT_OK(db_->PauseBackgroundWork());
  DeleteRun(db_.get(), 20);
  WalkThrough(db_.get());
  ASSERT_OK(Put("z", "1"));
  EXPECT_EQ(Sealed(), 0u);
  Set("memtable_op_scan_flush_trigger", "10");
  WalkThrough(db_.get());
  ASSERT_OK(Put("z", "2"));
  EXPECT_EQ(Sealed(), 1u);
  ASSERT_OK(db_->ContinueBackgroundWork());
}

void Rows::memtable_avg_op_scan_flush_trigger() {
  options_.memtable_op_scan_flush_trigger = 50;
  Open();
  ASSERT_OK(db_->PauseBackgroundWork());
  const auto scan = [this] {
    // Three that are hidden before each that is not.
    for (int i = 0; i < 30; ++i) {
      const std::string key = Key(i);
      for (const char* end : {".1", ".2", ".3"}) ASSERT_OK(Delete(key + end));
      ASSERT_OK(Put(key + ".4", "value"));
    }
    WalkThrough(db_.get());
    ASSERT_OK(Put("z", "1"));
  };
  scan();
  EXPECT_EQ(Sealed(), 0u);
  Set("memtable_avg_op_scan_flush_trigger", "3");
  scan();
  EXPECT_EQ(Sealed(), 1u);
  ASSERT_OK(db_->ContinueBackgroundWork());
}

void Rows::min_tombstones_for_range_conversion() {
  Open();
  for (int i = 0; i < 20; ++i) {
    ASSERT_OK(Put("gone" + std::to_string(1000 + i), "1"));
  }
  ASSERT_OK(Put("z", "1"));
  ASSERT_OK(Flush());
  DeleteRun(db_.get(), 10);
  WalkThrough(db_.get());
  EXPECT_EQ(Ticker(READ_PATH_RANGE_TOMBSTONES_INSERTED), 0u);
  Set("min_tombstones_for_range_conversion", "10");
  WalkThrough(db_.get());
  EXPECT_EQ(Ticker(READ_PATH_RANGE_TOMBSTONES_INSERTED), 1u);
}

}  // namespace ROCKSDB_NAMESPACE
