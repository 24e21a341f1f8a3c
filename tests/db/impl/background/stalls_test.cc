// Write stalls: which calls wait, for whom, and what ends the wait.
#include <atomic>
#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "rocksdb/listener.h"
#include "rocksdb/statistics.h"
#include "rocksdb/write_buffer_manager.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// A compaction waits at its beginning as long as it is held.
class Holder : public EventListener {
 public:
  ~Holder() override = default;
  void OnCompactionBegin(DB*, const CompactionJobInfo&) override {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !is_held_; });
  }
  void OnFlushCompleted(DB*, const FlushJobInfo&) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++flushes_;
  }
  void OnMemTableSealed(const MemTableInfo&) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++sealed_;
  }
  void Release() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_held_ = false;
    changed_.notify_all();
  }
  int flushes() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return flushes_;
  }
  int sealed() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return sealed_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_held_ = true;
  int flushes_ = 0;
  int sealed_ = 0;
};

class StallsTest : public FamiliesFixture {
 protected:
  StallsTest() {
    options_.listeners = {holder_};
    options_.level0_file_num_compaction_trigger = 2;
    options_.level0_slowdown_writes_trigger = 3;
    options_.level0_stop_writes_trigger = 5;
    options_.statistics = CreateDBStatistics();
    impatient_.no_slowdown = true;
  }
  ~StallsTest() override { holder_->Release(); }

  uint64_t Number(const std::string& property) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty(property, &value));
    return value;
  }
  void MakeFiles(size_t family, int count) {
    FlushOptions flush;
    flush.allow_write_stall = true;
    for (int i = 0; i < count; ++i) {
      ASSERT_OK(PutIn(family, "k", std::to_string(i)));
      ASSERT_OK(db_->Flush(flush, handles_[family]));
    }
  }
  Status PutNow(const std::string& key) {
    return db_->Put(impatient_, key, "now");
  }

  const std::shared_ptr<Holder> holder_ = std::make_shared<Holder>();
  WriteOptions impatient_;
};

// Nothing that is done for a family which is gone would ever end its stall.
TEST_F(StallsTest, AreGoneWithTheirFamily) {
  OpenFamilies({kDefaultColumnFamilyName});
  for (const int files : {3, 5}) {
    CreateFamily("stalled" + std::to_string(files));
    MakeFiles(handles_.size() - 1, files);
    if (files == 3) {
      EXPECT_GT(Number(DB::Properties::kActualDelayedWriteRate), 0u);
    } else {
      EXPECT_EQ(Number(DB::Properties::kIsWriteStopped), 1u);
      EXPECT_TRUE(PutNow("k").IsIncomplete());
    }
    ASSERT_OK(db_->DropColumnFamily(handles_.back()));
    EXPECT_EQ(Number(DB::Properties::kActualDelayedWriteRate), 0u);
    EXPECT_EQ(Number(DB::Properties::kIsWriteStopped), 0u);
    EXPECT_OK(PutNow("k"));
    EXPECT_OK(Put("l", "1"));
  }
  holder_->Release();
}

// The stalls of the others stay.
TEST_F(StallsTest, OfOtherFamiliesStay) {
  OpenFamilies({kDefaultColumnFamilyName});
  CreateFamily("stalled");
  MakeFiles(0, 5);
  ASSERT_OK(db_->DropColumnFamily(handles_[1]));
  EXPECT_TRUE(PutNow("k").IsIncomplete());
  holder_->Release();
  EXPECT_OK(Put("k", "later"));
}

// Whoever does not want to wait does not wait behind one who does: neither if
// it comes before the other's wait nor after.
TEST_F(StallsTest, NobodyWaitsWhoDoesNotWantTo) {
  for (const bool has_two_queues : {false, true}) {
    SCOPED_TRACE(has_two_queues);
    options_.two_write_queues = has_two_queues;
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    Open();
    ASSERT_OK(db_->LockWAL());
    std::thread patient([this] { EXPECT_OK(Put("patient", "1")); });
    std::vector<std::thread> others;
    for (int i = 0; i < 4; ++i) {
      others.emplace_back([this, i] {
        // Refused whether it leads, stands in line, or comes later.
        for (int n = 0; n < 200; ++n) {
          const Status s = PutNow("k" + std::to_string(i));
          EXPECT_TRUE(s.IsIncomplete()) << s.ToString();
        }
      });
    }
    for (std::thread& other : others) other.join();
    ASSERT_OK(db_->UnlockWAL());
    patient.join();
    EXPECT_EQ(Get("patient"), "1");
    EXPECT_EQ(Get("k0"), "NOT_FOUND");
    EXPECT_OK(PutNow("k0"));
    EXPECT_EQ(Get("k0"), "now");
    EXPECT_EQ(Ticker(WRITE_DONE_BY_OTHER), 0u);
  }
}

// Also the writers of both kinds at once, while locks come and go.
TEST_F(StallsTest, ComeAndGoBesideWriters) {
  Open();
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> written{0}, refused{0};
  std::vector<std::thread> writers;
  for (int t = 0; t < 4; ++t) {
    writers.emplace_back([&, t] {
      WriteOptions options;
      options.no_slowdown = t % 2 == 0;
      for (int i = 0; !stop.load(); ++i) {
        const Status s =
            db_->Put(options, std::to_string(t) + "." + std::to_string(i), "v");
        EXPECT_TRUE(s.ok() || (options.no_slowdown && s.IsIncomplete()))
            << s.ToString();
        ++(s.ok() ? written : refused);
      }
    });
  }
  for (int round = 0; round < 300; ++round) {
    ASSERT_OK(db_->LockWAL());
    const uint64_t before = refused.load();
    while (refused.load() < before + 2) std::this_thread::yield();
    ASSERT_OK(db_->UnlockWAL());
    const uint64_t mark = written.load();
    while (written.load() < mark + 2) std::this_thread::yield();
  }
  stop.store(true);
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(db_->GetLatestSequenceNumber(), written.load());
}

// A delayed group pays for what the group before has written; who is refused
// adds nothing to what is owed.
TEST_F(StallsTest, WhatWasWrittenIsPaidFor) {
  options_.delayed_write_rate = 1;
  OpenFamilies({kDefaultColumnFamilyName});
  MakeFiles(0, 2);
  FlushOptions flush;
  flush.allow_write_stall = true;
  ASSERT_OK(Put("k", "third"));
  ASSERT_OK(db_->Flush(flush));
  ASSERT_GT(Number(DB::Properties::kActualDelayedWriteRate), 0u);
  // At a byte a second it would wait for days, if what it writes itself or
  // what is refused counted.
  for (int i = 0; i < 100; ++i) {
    const Status s = db_->Put(impatient_, "k", std::string(1 << 20, 'x'));
    EXPECT_TRUE(i == 0 || s.IsIncomplete()) << s.ToString();
  }
  holder_->Release();
  EXPECT_OK(Put("k", "last"));
  EXPECT_EQ(Get("k"), "last");
}

// A writer that would wait for days goes on once the rate is another.
TEST_F(StallsTest, ANewRateCountsAtOnce) {
  options_.delayed_write_rate = 1;
  OpenFamilies({kDefaultColumnFamilyName});
  MakeFiles(0, 2);
  FlushOptions flush;
  flush.allow_write_stall = true;
  ASSERT_OK(Put("k", "third"));
  ASSERT_OK(db_->Flush(flush));
  const uint64_t slow = Number(DB::Properties::kActualDelayedWriteRate);
  ASSERT_OK(db_->SetDBOptions({{"delayed_write_rate", "1000000000"}}));
  EXPECT_GT(Number(DB::Properties::kActualDelayedWriteRate), slow + 1000000);
  EXPECT_OK(Put("k", std::string(1 << 20, 'x')));
  EXPECT_OK(Put("k", "last"));
  holder_->Release();
}

// One file more would slow writers down: the flush waits for the compaction,
// and nobody waits for the flush.
TEST_F(StallsTest, AFlushThatMayNotStallWaits) {
  OpenFamilies({kDefaultColumnFamilyName});
  MakeFiles(0, 2);
  ASSERT_OK(Put("k", "new"));
  std::atomic<bool> is_flushed{false};
  std::thread flusher([&] {
    EXPECT_OK(Flush());
    is_flushed = true;
  });
  WriteOptions synced;
  synced.sync = true;
  for (int i = 0; i < 200; ++i) {
    ASSERT_OK(db_->Put(synced, "other", std::to_string(i)));
  }
  EXPECT_FALSE(is_flushed.load());
  EXPECT_EQ(FilesAt(0), 2);
  holder_->Release();
  flusher.join();
  EXPECT_EQ(holder_->flushes(), 3);
  EXPECT_EQ(Get("k"), "new");
}

// A flush must not wait for level 0 to shrink if no compaction is under way:
// nothing would end the wait.
TEST_F(StallsTest, AFlushDoesNotWaitForNothing) {
  options_.compaction_style = kCompactionStyleNone;
  OpenFamilies({kDefaultColumnFamilyName});
  for (int i = 0; i < 4; ++i) {
    ASSERT_OK(Put("k", std::to_string(i)));
    ASSERT_OK(Flush());
  }
  EXPECT_EQ(FilesAt(0), 4);
  EXPECT_EQ(Get("k"), "3");
}

// What is kept after its flush makes room before anybody waits, and what is
// then active is flushed.
TEST_F(StallsTest, KeptMemtablesHoldNobodyUp) {
  options_.disable_auto_compactions = true;
  options_.write_buffer_size = 64 << 20;
  options_.arena_block_size = 64 << 10;
  options_.max_write_buffer_size_to_maintain = 1 << 20;
  options_.write_buffer_manager =
      std::make_shared<WriteBufferManager>(8 << 20, nullptr, true);
  for (const bool is_pinned : {false, true}) {
    SCOPED_TRACE(is_pinned);
    Open();
    ASSERT_OK(Put("a", std::string(1000, 'a')));
    std::unique_ptr<Iterator> pin;
    if (is_pinned) pin.reset(db_->NewIterator(ReadOptions()));
    ASSERT_OK(Flush());
    ASSERT_OK(Put("b", std::string(9 << 20, 'b')));
    ASSERT_OK(Put("c", "1"));  // Waits for the flush of what is active.
    EXPECT_EQ(Get("c"), "1");
    pin.reset();
    db_.reset();
  }
}

TEST_F(StallsTest, FreshTablesHoldNobodyUp) {
  options_.disable_auto_compactions = true;
  options_.arena_block_size = 64 << 10;
  options_.fresh_level0_bytes = 8 << 20;
  options_.use_direct_io_for_compaction_reads = true;
  options_.write_buffer_manager =
      std::make_shared<WriteBufferManager>(8 << 20, nullptr, true);
  Open();
  for (int i = 0; i < 4; ++i) {
    ASSERT_OK(Put("k" + std::to_string(i), std::string(3 << 19, 'a')));
    ASSERT_OK(Flush());
  }
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(Put("l" + std::to_string(i), std::string(1 << 20, 'b')));
  }
  EXPECT_EQ(Get("l2").size(), 1u << 20);
}

// Each cause for which writers of a family are held back.
struct StallCause {
  const char* name;  // how the keys of kCFWriteStallStats begin
  void (*apply)(Options*);
  // Nothing is flushed.
  bool holds_flushes = false;
};

// What is told of stalls, to listeners and in the log.
class StallWatch : public EventListener, public Logger {
 public:
  void OnStallConditionsChanged(const WriteStallInfo& info) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    EXPECT_EQ(info.cf_name, kDefaultColumnFamilyName);
    EXPECT_EQ(info.condition.prev, condition_);
    condition_ = info.condition.cur;
    changed_.notify_all();
  }
  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    char line[1000];
    (void)vsnprintf(line, sizeof(line), format, arguments);
    const std::lock_guard<std::mutex> lock(mutex_);
    log_ += std::string(line) + "\n";
  }
  void Await(WriteStallCondition condition) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return condition_ == condition; });
  }
  bool HasLogged(const std::string& text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return log_.find(text) != std::string::npos;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  WriteStallCondition condition_ = WriteStallCondition::kNormal;
  std::string log_;
};

class StallCausesTest : public StallsTest,
                        public ::testing::WithParamInterface<StallCause> {
 protected:
  StallCausesTest() {
    options_.level0_slowdown_writes_trigger = 100;
    options_.level0_stop_writes_trigger = 100;
    options_.delayed_write_rate = 1 << 30;
    options_.max_write_buffer_number = 100;
    GetParam().apply(&options_);
    options_.listeners.push_back(watch_);
    options_.info_log = watch_;
  }
  // Each time a little worse.
  void WorsenUntil(const std::string& property) {
    FlushOptions flush;
    flush.allow_write_stall = true;
    flush.wait = !GetParam().holds_flushes;
    for (int i = 0; Number(property) == 0; ++i) {
      ASSERT_LT(i, 50);
      ASSERT_OK(Put("k", std::string(50'000, 'v')));
      ASSERT_OK(db_->Flush(flush));
    }
  }
  uint64_t Count(const std::string& name) {
    std::map<std::string, std::string> counts;
    EXPECT_TRUE(
        db_->GetMapProperty(DB::Properties::kCFWriteStallStats, &counts));
    return std::stoull(counts.at(name));
  }

  const std::shared_ptr<StallWatch> watch_ = std::make_shared<StallWatch>();
};

TEST_P(StallCausesTest, IsToldInEveryWay) {
  const std::string name = GetParam().name;
  Open();
  if (GetParam().holds_flushes) ASSERT_OK(db_->PauseBackgroundWork());
  ASSERT_NO_FATAL_FAILURE(WorsenUntil(DB::Properties::kActualDelayedWriteRate));
  watch_->Await(WriteStallCondition::kDelayed);
  EXPECT_EQ(Number(DB::Properties::kIsWriteStopped), 0u);
  EXPECT_EQ(Count(name + "-delays"), 1u);
  EXPECT_EQ(Count("total-delays"), 1u);
  EXPECT_EQ(Count("total-stops"), 0u);
  EXPECT_TRUE(watch_->HasLogged("[default] Stalling writes because "));

  ASSERT_NO_FATAL_FAILURE(WorsenUntil(DB::Properties::kIsWriteStopped));
  watch_->Await(WriteStallCondition::kStopped);
  EXPECT_EQ(Count(name + "-stops"), 1u);
  EXPECT_EQ(Count("total-stops"), 1u);
  EXPECT_EQ(Count("total-delays"), 1u);
  EXPECT_TRUE(watch_->HasLogged("[default] Stopping writes because "));
  EXPECT_TRUE(watch_->HasLogged(" (" + name + ")"));
  EXPECT_TRUE(PutNow("k").IsIncomplete());

  if (GetParam().holds_flushes) ASSERT_OK(db_->ContinueBackgroundWork());
  holder_->Release();
  ASSERT_OK(Put("k", "later"));
  watch_->Await(WriteStallCondition::kNormal);
  EXPECT_EQ(Number(DB::Properties::kIsWriteStopped), 0u);
  EXPECT_EQ(Number(DB::Properties::kActualDelayedWriteRate), 0u);
  EXPECT_EQ(Count("total-stops"), 1u);
  EXPECT_OK(PutNow("k"));
}

const StallCause kStallCauses[] = {
    {"memtable-limit", [](Options* o) { o->max_write_buffer_number = 5; },
     /*holds_flushes=*/true},
    {"l0-file-count-limit",
     [](Options* o) {
       o->level0_slowdown_writes_trigger = 4;
       o->level0_stop_writes_trigger = 6;
     }},
    {"pending-compaction-bytes", [](Options* o) {
       o->soft_pending_compaction_bytes_limit = 180'000;
       o->hard_pending_compaction_bytes_limit = 350'000;
     }}};

INSTANTIATE_TEST_SUITE_P(Causes, StallCausesTest,
                         ::testing::ValuesIn(kStallCauses),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::erase(name, '-');
                           return name;
                         });

class MergedFlushTest : public StallsTest {
 protected:
  MergedFlushTest() {
    options_.disable_auto_compactions = true;
    options_.write_buffer_size = 64 << 10;
    options_.arena_block_size = 4 << 10;
    options_.max_write_buffer_number = 6;
    options_.min_write_buffer_number_to_merge = 3;
  }
  // Until so many memtables have been sealed.
  void Seal(int count) {
    for (int i = 0; holder_->sealed() < count; ++i) {
      ASSERT_OK(Put("k" + std::to_string(i % 40), std::string(1000, 'v')));
    }
  }
};

TEST_F(MergedFlushTest, AsManyAsAreAskedForGoTogether) {
  Open();
  Seal(2);
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(holder_->flushes(), 0);
  EXPECT_EQ(Number("rocksdb.num-immutable-mem-table"), 2u);
  Seal(3);
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(holder_->flushes(), 1);
  EXPECT_EQ(FilesAt(0), 1);
  // One is sealed, and one takes writes.
  Seal(4);
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_EQ(holder_->flushes(), 1);
  // A flush that is asked for does not wait for three sealed memtables.
  ASSERT_OK(Flush());
  EXPECT_EQ(holder_->flushes(), 2);
  EXPECT_EQ(Number("rocksdb.num-immutable-mem-table"), 0u);
  Reopen();
  EXPECT_EQ(Get("k7").size(), 1000u);
}

// Where room or a log is wanted, they do not wait.
TEST_F(MergedFlushTest, LimitsDoNotWait) {
  options_.write_buffer_size = 1 << 20;
  options_.db_write_buffer_size = 160 << 10;
  Open();
  Seal(4);
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_GE(holder_->flushes(), 1);
  EXPECT_EQ(Number("rocksdb.num-immutable-mem-table"), 0u);
  db_.reset();
  options_.write_buffer_size = 64 << 10;
  options_.db_write_buffer_size = 0;
  options_.max_total_wal_size = 100 << 10;
  OpenFamilies({kDefaultColumnFamilyName});
  CreateFamily("other");
  const int before = holder_->flushes();
  Seal(holder_->sealed() + 2);
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(PutIn(1, "k" + std::to_string(i), std::string(1000, 'v')));
  }
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_GT(holder_->flushes(), before);
}

// With fewer memtables than are to be merged, nothing would ever be flushed.
TEST_F(MergedFlushTest, FewerMemtablesThanAreAskedFor) {
  Open();
  ASSERT_OK(db_->SetOptions({{"max_write_buffer_number", "2"}}));
  Seal(8);
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_GE(holder_->flushes(), 4);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
