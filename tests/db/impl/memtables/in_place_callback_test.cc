// inplace_callback through the whole engine: what is put is a delta to what the
// key has, in the memtable or below it, when it is written and when its log is
// replayed.
#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "env/mem_file_system.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/db/impl/db_fixture.h"
#include "util/builtin_merge_operators.h"
#include "util/random.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

MemFileSystemOptions DeltasInMemory() {
  MemFileSystemOptions options;
  options.implicit_directories = true;
  return options;
}

// "fail": no. "grow" and "throw": what no callback may do. Else the delta takes
// the value's place where it fits, and goes behind it, after a '+', where not.
UpdateStatus ShrinkOrAppend(char* existing, uint32_t* existing_size,
                            Slice delta, std::string* merged) {
  if (delta == "fail") return UPDATE_FAILED;
  if (delta == "throw") throw std::runtime_error("delta");
  if (delta == "grow") {
    *existing_size += 1;
    return UPDATED_INPLACE;
  }
  if (existing == nullptr) {
    *merged = "new:" + delta.ToString();
    return UPDATED;
  }
  if (delta.size() <= *existing_size) {
    std::copy(delta.data(), delta.end(), existing);
    *existing_size = static_cast<uint32_t>(delta.size());
    return UPDATED_INPLACE;
  }
  *merged = std::string(existing, *existing_size) + "+" + delta.ToString();
  return UPDATED;
}

std::string AfterDelta(const std::string* older, const std::string& delta) {
  if (older == nullptr) return "new:" + delta;
  return delta.size() <= older->size() ? delta : *older + "+" + delta;
}

UpdateStatus Append(char* existing, uint32_t* existing_size, Slice delta,
                    std::string* merged) {
  if (existing != nullptr) merged->assign(existing, *existing_size);
  merged->append(delta.data(), delta.size());
  return UPDATED;
}

class InPlaceCallbackTest : public DbFixture {
 protected:
  InPlaceCallbackTest() {
    options_.inplace_update_support = true;
    options_.inplace_callback = &ShrinkOrAppend;
    options_.allow_concurrent_memtable_write = false;
    options_.statistics = CreateDBStatistics();
    options_.merge_operator = NewStringAppendOperator(",");
    options_.disable_auto_compactions = true;
  }
  uint64_t Entries() {
    uint64_t count = 0;
    EXPECT_TRUE(
        db_->GetIntProperty(DB::Properties::kNumEntriesActiveMemTable, &count));
    return count;
  }
};

TEST_F(InPlaceCallbackTest, TheCallbackMakesTheValue) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("k", "0123456789"));
  EXPECT_EQ(Get("k"), "new:0123456789");
  ASSERT_OK(Put("k", "xy"));
  EXPECT_EQ(Get("k"), "xy");
  EXPECT_EQ(Entries(), 1u);
  EXPECT_EQ(Ticker(NUMBER_KEYS_UPDATED), 1u);
  ASSERT_OK(Put("k", "longer"));
  EXPECT_EQ(Get("k"), "xy+longer");
  EXPECT_EQ(Entries(), 2u);
  ASSERT_OK(Put("k", "fail"));
  EXPECT_EQ(Get("k"), "xy+longer");
  EXPECT_EQ(Entries(), 2u);
  ASSERT_OK(Put("none", "fail"));
  EXPECT_EQ(Get("none"), "NOT_FOUND");
  EXPECT_EQ(Ticker(NUMBER_KEYS_UPDATED), 1u);
  EXPECT_EQ(Scan(), "k=xy+longer ");
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Scan(), "k=xy+longer ");
}

// A length of two bytes becomes one of one byte.
TEST_F(InPlaceCallbackTest, LengthsShrinkToo) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("k", std::string(300, 'a')));
  ASSERT_OK(Put("k", std::string(200, 'b')));
  ASSERT_OK(Put("k", std::string(127, 'c')));
  EXPECT_EQ(Get("k"), std::string(127, 'c'));
  ASSERT_OK(Put("k", ""));
  EXPECT_EQ(Get("k"), "");
  EXPECT_EQ(Entries(), 1u);
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("k"), "");
}

TEST_F(InPlaceCallbackTest, WhatIsNotInTheMemtableIsRead) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 20;
  ASSERT_NO_FATAL_FAILURE(Open());
  const std::string big(30, 'b');
  ASSERT_OK(Put("blob", big));
  ASSERT_OK(Put("table", "t"));
  ASSERT_OK(Put("deleted", "d"));
  ASSERT_OK(Put("ranged", "r"));
  ASSERT_OK(Flush());
  ASSERT_OK(Delete("deleted"));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "r", "s"));
  ASSERT_OK(db_->Merge(WriteOptions(), "merged", "m"));
  ASSERT_OK(db_->Merge(WriteOptions(), "merged", "n"));
  ASSERT_OK(db_->PutEntity(WriteOptions(), db_->DefaultColumnFamily(), "entity",
                           {{"", "e"}, {"column", "c"}}));
  const uint64_t entries = Entries();
  ASSERT_OK(Put("blob", "4"));
  ASSERT_OK(Put("table", "tt"));
  ASSERT_OK(Put("deleted", "x"));
  ASSERT_OK(Put("ranged", "x"));
  ASSERT_OK(Put("merged", "yyyyyyyy"));
  ASSERT_OK(Put("entity", "ee"));
  // "tt" fits into "new:t".
  const std::string all =
      "blob=4 deleted=new:x entity=e+ee merged=m,n+yyyyyyyy ranged=new:x "
      "table=tt ";
  EXPECT_EQ(Scan(), all);
  EXPECT_EQ(Entries(), entries + 6);
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Scan(), all);
}

// The values that the deltas of a log need are in tables that its own replay
// has written, at last.
TEST_F(InPlaceCallbackTest, ReplaysReadTheirOwnTables) {
  options_.inplace_callback = &Append;
  options_.enable_blob_files = true;
  options_.min_blob_size = 400;
  ASSERT_NO_FATAL_FAILURE(Open());
  std::map<std::string, std::string> model;
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 100; ++i) {
      const std::string key = "k" + std::to_string(i);
      const std::string delta(50, static_cast<char>('a' + (round + i) % 26));
      ASSERT_OK(Put(key, delta));
      model[key] += delta;
    }
    if (round == 1) {
      ASSERT_OK(Flush());
    }
  }
  options_.write_buffer_size = 64 << 10;
  options_.arena_block_size = 4 << 10;
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_GT(FilesAt(0), 3);
  std::string all;
  for (const auto& [key, value] : model) all += key + "=" + value + " ";
  EXPECT_EQ(Scan(), all);
}

TEST_F(InPlaceCallbackTest, OtherInstancesReadTheSame) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("k", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("k", "123456"));
  ASSERT_OK(Put("k", "1234567890123"));
  const std::string value = "new:1+123456+1234567890123";
  EXPECT_EQ(Get("k"), value);
  std::unique_ptr<DB> other;
  ASSERT_OK(
      DB::OpenAsSecondary(options_, path_, directory_.path() + "/2", &other));
  std::string found;
  ASSERT_OK(other->TryCatchUpWithPrimary());
  ASSERT_OK(other->Get(ReadOptions(), "k", &found));
  EXPECT_EQ(found, value);
  ASSERT_OK(Put("k", "now"));
  ASSERT_OK(other->TryCatchUpWithPrimary());
  ASSERT_OK(other->Get(ReadOptions(), "k", &found));
  EXPECT_EQ(found, "now");
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &other));
  ASSERT_OK(other->Get(ReadOptions(), "k", &found));
  EXPECT_EQ(found, "now");
}

TEST_F(InPlaceCallbackTest, BatchesThatSeeNoOlderValuesAreRefused) {
  ASSERT_NO_FATAL_FAILURE(Open());
  auto batch = std::make_shared<WriteBatchWithIndex>(BytewiseComparator(), 0,
                                                     /*overwrite_key=*/true);
  ASSERT_OK(batch->Put("k", "1"));
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  const Status s = db_->IngestWriteBatchWithIndex(unlogged, batch);
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_NE(s.ToString().find("inplace_callback"), std::string::npos);
  EXPECT_EQ(Get("k"), "NOT_FOUND");
  ASSERT_OK(Put("k", "2"));
  EXPECT_EQ(Get("k"), "new:2");
}

// The delta is in the log by then: nothing may be written on top of it.
TEST_F(InPlaceCallbackTest, FaultyCallbacksStopWrites) {
  for (const char* delta : {"grow", "throw"}) {
    SCOPED_TRACE(delta);
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_OK(Put("k", "1"));
    const Status s = Put("k", delta);
    EXPECT_TRUE(delta == std::string("grow") ? s.IsCorruption() : s.IsAborted())
        << s.ToString();
    EXPECT_NE(s.ToString().find("inplace_callback"), std::string::npos);
    EXPECT_EQ(Get("k"), "new:1");
    EXPECT_FALSE(Put("k", "2").ok());
    // Nor does the open go on without it; one that knows better does.
    EXPECT_FALSE(TryOpen().ok());
    options_.inplace_callback = &Append;
    ASSERT_NO_FATAL_FAILURE(Open());
    EXPECT_EQ(Get("k"), std::string("1") + delta);
    options_.inplace_callback = &ShrinkOrAppend;
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

TEST_F(InPlaceCallbackTest, RandomOperationsAgreeWithAMap) {
  ASSERT_NO_FATAL_FAILURE(Open());
  std::map<std::string, std::string> model;
  Random64 random(28);
  for (int i = 0; i < 4000; ++i) {
    const std::string key = "k" + std::to_string(random.Uniform(30));
    std::string delta(random.Uniform(40), static_cast<char>('a' + i % 26));
    const auto found = model.find(key);
    switch (random.Uniform(24)) {
      case 0:
        ASSERT_OK(Delete(key));
        model.erase(key);
        break;
      case 1:
        ASSERT_OK(db_->DeleteRange(WriteOptions(), key, key + "5"));
        model.erase(model.lower_bound(key), model.lower_bound(key + "5"));
        break;
      case 2:
        ASSERT_OK(db_->Merge(WriteOptions(), key, delta));
        model[key] = found == model.end() ? delta : found->second + "," + delta;
        break;
      case 3:
        ASSERT_OK(Put(key, "fail"));
        break;
      case 4:
        if (random.Uniform(8) == 0) {
          ASSERT_OK(Flush());
        }
        break;
      case 5:
        options_.avoid_flush_during_recovery = random.Uniform(2) == 0;
        if (random.Uniform(8) == 0) {
          ASSERT_NO_FATAL_FAILURE(Reopen());
        }
        break;
      default: {
        if (found != model.end() && found->second.size() > 200) delta = "s";
        ASSERT_OK(Put(key, delta));
        model[key] =
            AfterDelta(found == model.end() ? nullptr : &found->second, delta);
      }
    }
    EXPECT_EQ(Get(key), model.contains(key) ? model[key] : "NOT_FOUND");
  }
  std::string all;
  for (const auto& [key, value] : model) all += key + "=" + value + " ";
  EXPECT_EQ(Scan(), all);
}

// One key, to which each write adds a letter; some of it is flushed on the way.
class InPlaceCallbackFaultTest : public ::testing::Test {
 protected:
  static constexpr const char* kPath = "/db";
  static constexpr int kWrites = 12;

  InPlaceCallbackFaultTest()
      : fs_(std::make_shared<FaultInjectionFileSystem>(
            std::make_shared<MemFileSystem>(SystemClock::Default(),
                                            DeltasInMemory()),
            28)),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.inplace_update_support = true;
    options_.inplace_callback = &Append;
    options_.allow_concurrent_memtable_write = false;
    options_.avoid_flush_during_shutdown = true;
    options_.info_log_level = InfoLogLevel::FATAL_LEVEL;
    BlockBasedTableOptions table;
    table.no_block_cache = true;  // Older values are read from files.
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  std::string Value() {
    std::string value;
    const Status s = db_->Get(ReadOptions(), "k", &value);
    return s.ok() || s.IsNotFound() ? value : s.ToString();
  }
  // How many writes were acknowledged.
  int Run() {
    int count = 0;
    WriteOptions synced;
    synced.sync = true;
    while (count < kWrites &&
           db_->Put(synced, "k", std::string(1, static_cast<char>('a' + count)))
               .ok()) {
      ++count;
      if (count % 5 == 0 && !db_->Flush(FlushOptions()).ok()) break;
    }
    return count;
  }

  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

// Each call fails once, the reads of older values among them; then comes a
// crash. Each delta is applied once, and in order.
TEST_F(InPlaceCallbackFaultTest, DeltasApplyOnceWhateverFails) {
  const std::string all = std::string("abcdefghijkl").substr(0, kWrites);
  uint64_t k = 1;
  for (;; ++k) {
    SCOPED_TRACE("call " + std::to_string(k));
    ASSERT_TRUE(DB::Open(options_, kPath, &db_).ok());
    fs_->FailCall({.call = k, .scope = FaultScope::kAllCalls});
    const int count = Run();
    const bool has_failed = fs_->failed();
    ASSERT_OK(fs_->CrashAndHeal());
    fs_->ClearFault();
    db_.reset();
    // The open fails as well, at its first reads, and is made again.
    fs_->FailCall({.call = k % 40 + 1, .scope = FaultScope::kAllCalls});
    if (!DB::Open(options_, kPath, &db_).ok()) {
      fs_->ClearFault();
      const Status s = DB::Open(options_, kPath, &db_);
      ASSERT_TRUE(s.ok()) << s.ToString();
    }
    fs_->ClearFault();
    const std::string value = Value();
    EXPECT_GE(value.size(), static_cast<size_t>(count));
    EXPECT_EQ(value, all.substr(0, value.size()));
    db_.reset();
    ASSERT_TRUE(DestroyDB(kPath, options_).ok());
    if (!has_failed) break;
  }
  EXPECT_GT(k, 40u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
