// What listeners are told: what, in which order, and that no lock is held;
// and the same as events of LOG.
#include "rocksdb/listener.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "env/job_threads.h"
#include "env/posix/posix_threads.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/env.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/db/impl/direct_fixture.h"
#include "tests/db/impl/fault_world.h"
#include "util/ignore_error.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ListenerLogger : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    char line[8192];
    (void)vsnprintf(line, sizeof(line), format, arguments);
    MutexLock lock(&mutex_);
    text_.append(line).push_back('\n');
  }
  std::string text() {
    MutexLock lock(&mutex_);
    return text_;
  }

 private:
  Mutex mutex_;
  std::string text_ GUARDED_BY(mutex_);
};

// Writes down what it is told. With `db` set it reads from the database in
// each call that a job makes, which would hang if a lock were held.
class Witness : public EventListener {
 public:
  const char* Name() const override { return "Witness"; }
  DB* db = nullptr;
  bool takes_errors_back = false;
  bool wants_files = false;

  std::vector<std::string> events() {
    MutexLock lock(&mutex_);
    return events_;
  }
  size_t Count(const std::string& event) {
    size_t count = 0;
    for (const std::string& one : events()) count += one == event;
    return count;
  }
  void Clear() {
    MutexLock lock(&mutex_);
    events_.clear();
  }

  void OnFlushBegin(DB*, const FlushJobInfo& info) override {
    Check(info.cf_name == "default" && info.job_id > 0);
    Note("flush begin");
  }
  void OnFlushCompleted(DB*, const FlushJobInfo& info) override {
    Check(!info.file_path.empty() && info.table_properties.num_entries > 0);
    Check(info.smallest_seqno <= info.largest_seqno && info.thread_id != 0);
    Note("flush end");
  }
  void OnManualFlushScheduled(
      DB*, const std::vector<ManualFlushInfo>& infos) override {
    Check(infos.size() == 1 && infos[0].cf_name == "default");
    Check(infos[0].flush_reason == FlushReason::kManualFlush);
    Note("manual flush");
  }
  void OnCompactionBegin(DB*, const CompactionJobInfo& info) override {
    Check(!info.input_files.empty() && info.output_files.empty());
    Note("compaction begin");
  }
  void OnSubcompactionBegin(const SubcompactionJobInfo& info) override {
    Check(info.cf_name == "default" && info.subcompaction_job_id >= 0);
    Note("sub begin");
  }
  void OnSubcompactionCompleted(const SubcompactionJobInfo& info) override {
    Check(info.status.ok() && info.stats.num_input_records > 0);
    Note("sub end");
  }
  void OnCompactionPreCommit(DB*, const CompactionJobInfo& info) override {
    Check(info.status.ok() && !info.output_files.empty());
    Note("compaction precommit");
  }
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    Check(info.status.ok() && !info.output_files.empty());
    Check(info.stats.num_input_records > 0 ||
          info.stats.num_input_files_trivially_moved > 0);
    Note("compaction end");
  }
  void OnTableFileCreationStarted(
      const TableFileCreationBriefInfo& info) override {
    Check(!info.file_path.empty());
    Note("table begin");
  }
  void OnTableFileCreated(const TableFileCreationInfo& info) override {
    Check(!info.status.ok() || info.file_size > 0);
    Note("table end");
  }
  void OnTableFileDeleted(const TableFileDeletionInfo& info) override {
    Check(info.status.ok() && !info.file_path.empty());
    Note("table deleted");
  }
  void OnMemTableSealed(const MemTableInfo& info) override {
    Check(info.num_entries > 0 && info.first_seqno > 0);
    Note("sealed");
  }
  void OnColumnFamilyHandleDeletionStarted(
      ColumnFamilyHandle* handle) override {
    Note("handle of " + handle->GetName());
  }
  void OnBackgroundError(BackgroundErrorReason, Status* error) override {
    Note("error");
    if (takes_errors_back) *error = Status::OK();
  }
  bool ShouldBeNotifiedOnFileIO() override { return wants_files; }
  void OnFileWriteFinish(const FileOperationInfo& info) override {
    if (info.path.ends_with(".sst")) Note("file write");
    if (info.path.ends_with(".log")) Note("log write");
  }
  void OnFileReadFinish(const FileOperationInfo& info) override {
    if (info.path.ends_with(".sst")) Note("file read");
  }
  void OnFileSyncFinish(const FileOperationInfo& info) override {
    if (info.path.ends_with(".sst")) Note("file sync");
    if (info.path.ends_with(".log")) Note("log sync");
  }
  void OnFileCloseFinish(const FileOperationInfo& info) override {
    if (info.path.ends_with(".sst")) Note("file close");
  }
  void OnFileFlushFinish(const FileOperationInfo& info) override {
    Check(info.status.ok() && info.type == FileOperationType::kFlush);
    Note("file flush");
  }
  void OnFileRangeSyncFinish(const FileOperationInfo& info) override {
    Check(info.status.ok() && info.length > 0);
    if (info.path.ends_with(".sst")) Note("file range sync");
  }
  void OnFileTruncateFinish(const FileOperationInfo& info) override {
    Check(info.status.ok() && info.type == FileOperationType::kTruncate);
    if (info.path.ends_with(".sst")) Note("file truncate");
  }
  void OnIOError(const IOErrorInfo& info) override {
    Check(!info.io_status.ok() && !info.file_path.empty());
    Note("io error");
  }

 private:
  void Check(bool condition) { EXPECT_TRUE(condition); }
  void Note(const std::string& event) {
    if (db != nullptr) {
      uint64_t value = 0;
      EXPECT_TRUE(db->GetIntProperty("rocksdb.num-snapshots", &value));
    }
    MutexLock lock(&mutex_);
    events_.push_back(event);
  }

  Mutex mutex_;
  std::vector<std::string> events_ GUARDED_BY(mutex_);
};

class ListenerTest : public DirectFixture {
 protected:
  ListenerTest() : witness_(std::make_shared<Witness>()) {
    options_.use_direct_io_for_compaction_reads = false;
    options_.listeners = {witness_};
    log_ = std::make_shared<ListenerLogger>();
    options_.info_log = log_;
  }
  using Events = std::vector<std::string>;

  // How many events LOG has, by their names.
  std::map<std::string, int> LoggedEvents() {
    const std::string log = log_->text();
    std::map<std::string, int> counts;
    for (size_t at = log.find("EVENT_LOG_v1 "); at != std::string::npos;
         at = log.find("EVENT_LOG_v1 ", at + 1)) {
      const std::string line = log.substr(at, log.find('\n', at) - at);
      EXPECT_EQ(line.find("EVENT_LOG_v1 {\"time_micros\": "), 0u) << line;
      EXPECT_EQ(line.back(), '}') << line;
      const std::string mark = "\"event\": \"";
      const size_t name = line.find(mark) + mark.size();
      ++counts[line.substr(name, line.find('"', name) - name)];
    }
    return counts;
  }

  std::shared_ptr<Witness> witness_;
  std::shared_ptr<ListenerLogger> log_;
};

TEST_F(ListenerTest, AFlushIsToldInOrder) {
  Open();
  witness_->db = db_.get();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  Events events = witness_->events();
  // That it was asked for is told beside the job.
  EXPECT_EQ(std::erase(events, "manual flush"), 1u);
  EXPECT_EQ(events, (Events{"sealed", "flush begin", "table begin", "table end",
                            "flush end"}));
  witness_->db = nullptr;
}

TEST_F(ListenerTest, ACompactionIsToldInOrder) {
  Open();
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(Put("a", "1"));
    ASSERT_OK(Flush());
  }
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  witness_->Clear();
  witness_->db = db_.get();
  ASSERT_OK(CompactTo(0, 1));
  EXPECT_EQ(witness_->events(),
            (Events{"compaction begin", "sub begin", "table begin", "table end",
                    "sub end", "compaction precommit", "compaction end",
                    "table deleted", "table deleted"}));
  witness_->db = nullptr;
}

// What compactions tell that write nothing.
class MoveWitness : public EventListener {
 public:
  const char* Name() const override { return "MoveWitness"; }
  DB* db = nullptr;
  std::vector<CompactionJobInfo> begun, completed;

  void OnCompactionBegin(DB*, const CompactionJobInfo& info) override {
    Ask();
    begun.push_back(info);
  }
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    Ask();
    completed.push_back(info);
  }
  void OnSubcompactionBegin(const SubcompactionJobInfo&) override {
    ADD_FAILURE() << "nothing is to be rewritten";
  }

 private:
  // It would hang if a lock were held.
  void Ask() {
    uint64_t value = 0;
    if (db != nullptr) db->GetIntProperty("rocksdb.num-snapshots", &value);
  }
};

TEST(ListenerMoveTest, AMoveIsToldAsAnyCompaction) {
  const TempDir directory("db");
  const auto witness = std::make_shared<MoveWitness>();
  Options options;
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.level_compaction_dynamic_level_bytes = false;
  options.listeners = {witness};
  std::unique_ptr<DB> db;
  ASSERT_OK(DB::Open(options, directory.path() + "/db", &db));
  witness->db = db.get();
  ASSERT_OK(db->Put(WriteOptions(), "a", "1"));
  ASSERT_OK(db->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  ASSERT_EQ(witness->begun.size(), 1u);
  ASSERT_EQ(witness->completed.size(), 1u);
  const CompactionJobInfo& begun = witness->begun.front();
  EXPECT_EQ(begun.base_input_level, 0);
  EXPECT_EQ(begun.output_level, 1);
  EXPECT_EQ(begun.compaction_reason, CompactionReason::kManualCompaction);
  EXPECT_EQ(begun.input_files.size(), 1u);
  EXPECT_TRUE(begun.output_files.empty());
  EXPECT_EQ(begun.table_properties.size(), 1u);
  const CompactionJobInfo& completed = witness->completed.front();
  EXPECT_OK(completed.status);
  EXPECT_EQ(completed.job_id, begun.job_id);
  EXPECT_EQ(completed.output_files, begun.input_files);
  ASSERT_EQ(completed.output_file_infos.size(), 1u);
  EXPECT_EQ(completed.output_file_infos.front().level, 1);
  EXPECT_EQ(completed.table_properties.size(), 1u);
  EXPECT_EQ(completed.stats.num_input_files_trivially_moved, 1u);
  EXPECT_EQ(completed.stats.total_input_bytes, 0u) << "none is read";
  EXPECT_EQ(completed.stats.total_output_bytes, 0u);
}

TEST(ListenerMoveTest, AndSoIsADeletionByAge) {
  const TempDir directory("db");
  const auto witness = std::make_shared<MoveWitness>();
  Options options;
  options.create_if_missing = true;
  options.compaction_style = kCompactionStyleFIFO;
  options.compaction_options_fifo.max_table_files_size = 1;
  options.listeners = {witness};
  std::unique_ptr<DB> db;
  ASSERT_OK(DB::Open(options, directory.path() + "/db", &db));
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(db->Put(WriteOptions(), "a", "1"));
    ASSERT_OK(db->Flush(FlushOptions()));
  }
  ASSERT_OK(db->WaitForCompact(WaitForCompactOptions()));
  ASSERT_FALSE(witness->completed.empty());
  EXPECT_EQ(witness->begun.size(), witness->completed.size());
  for (const CompactionJobInfo& info : witness->completed) {
    EXPECT_EQ(info.compaction_reason, CompactionReason::kFIFOMaxSize);
    EXPECT_FALSE(info.input_files.empty());
    EXPECT_TRUE(info.output_files.empty());
  }
}

TEST(ListenerMoveTest, AMoveThatFailsIsTold) {
  FaultWorld world(1, /*is_direct=*/false, 100);
  const auto witness = std::make_shared<MoveWitness>();
  world.options_.listeners = {witness};
  world.options_.max_bgerror_resume_count = 0;
  world.options_.level_compaction_dynamic_level_bytes = false;
  ASSERT_OK(world.Open());
  ASSERT_OK(world.Write(kDefaultColumnFamilyName));
  ASSERT_OK(world.FlushAll());
  world.fs_->FailCall({.call = 1, .path_contains = "MANIFEST"});
  EXPECT_FALSE(world.db_
                   ->CompactRange(CompactRangeOptions(), world.handles_[0],
                                  nullptr, nullptr)
                   .ok());
  ASSERT_EQ(witness->completed.size(), 1u);
  EXPECT_TRUE(witness->completed.front().status.IsIOError());
  EXPECT_TRUE(witness->completed.front().output_files.empty());
}

// Whoever learns that a flush begins learns where its table will be.
TEST(ListenerFlushTest, ItsTableIsKnownWhenItBegins) {
  class FlushWitness : public EventListener {
   public:
    void OnFlushBegin(DB*, const FlushJobInfo& info) override {
      begun.push_back(info);
    }
    void OnFlushCompleted(DB*, const FlushJobInfo& info) override {
      completed.push_back(info);
    }
    std::vector<FlushJobInfo> begun, completed;
  };
  for (const bool is_atomic : {false, true}) {
    const TempDir directory("db");
    const auto witness = std::make_shared<FlushWitness>();
    Options options;
    options.create_if_missing = true;
    options.atomic_flush = is_atomic;
    options.listeners = {witness};
    std::unique_ptr<DB> db;
    ASSERT_OK(DB::Open(options, directory.path() + "/db", &db));
    for (int i = 0; i < 2; ++i) {
      ASSERT_OK(db->Put(WriteOptions(), "a", "1"));
      ASSERT_OK(db->Flush(FlushOptions()));
    }
    ASSERT_EQ(witness->begun.size(), 2u);
    ASSERT_EQ(witness->completed.size(), 2u);
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_FALSE(witness->begun[i].file_path.empty());
      EXPECT_EQ(witness->begun[i].file_path, witness->completed[i].file_path);
      EXPECT_EQ(witness->begun[i].file_number,
                witness->completed[i].file_number);
      EXPECT_EQ(witness->begun[i].smallest_seqno, kMaxSequenceNumber);
      EXPECT_EQ(witness->begun[i].largest_seqno, 0u);
      EXPECT_EQ(witness->completed[i].smallest_seqno, i + 1);
    }
  }
}

TEST_F(ListenerTest, HandlesAreWholeWhenTheirEndIsTold) {
  Open();
  ColumnFamilyHandle* handle = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(options_, "second", &handle));
  ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
  EXPECT_EQ(witness_->Count("handle of second"), 1u);
  uint64_t sum = 0;
  EXPECT_TRUE(db_->GetAggregatedIntProperty("rocksdb.estimate-num-keys", &sum));
  EXPECT_EQ(witness_->Count("handle of second"), 1u) << "no handle of a user";
}

TEST_F(ListenerTest, AListenerTakesAnErrorBack) {
  options_.max_bgerror_resume_count = 0;
  Open();
  witness_->takes_errors_back = true;
  ASSERT_OK(Put("a", "1"));
  fs_->FailCall({.call = 1, .path_contains = ".sst"});
  IgnoreError(Flush(), "the error is in force until it is taken back");
  while (!db_->WaitForCompact(WaitForCompactOptions()).ok()) {
    std::this_thread::yield();
  }
  // It is tried again, and writes go on.
  EXPECT_EQ(FilesAt(0), 1);
  EXPECT_TRUE(fs_->failed());
  EXPECT_EQ(witness_->Count("error"), 1u);
  ASSERT_OK(Put("b", "2"));
}

TEST_F(ListenerTest, FilesAreToldToThoseWhoAsk) {
  witness_->wants_files = true;
  Open();
  WriteOptions synced;
  synced.sync = true;
  ASSERT_OK(db_->Put(synced, "a", "1"));
  ASSERT_OK(Flush());
  EXPECT_EQ(Get("a"), "1");
  for (const char* event : {"file write", "file sync", "file close",
                            "file read", "log write", "log sync"}) {
    EXPECT_GT(witness_->Count(event), 0u) << event;
  }
  EXPECT_EQ(witness_->Count("io error"), 0u);
}

TEST_F(ListenerTest, FlushesRangeSyncsAndCutsOfFilesAreToldToo) {
  witness_->wants_files = true;
  options_.bytes_per_sync = 64 << 10;
  Open();
  for (int i = 0; i < 20; ++i) {
    ASSERT_OK(Put(Key(i), std::string(100 << 10, 'v')));
  }
  ASSERT_OK(Flush());
  EXPECT_GT(witness_->Count("file flush"), 0u);
  EXPECT_GT(witness_->Count("file range sync"), 0u);
  EXPECT_EQ(witness_->Count("file truncate"), 0u);
  // A direct write ends at a whole unit, which is cut to size.
  options_.use_direct_io_for_flush_and_compaction = true;
  Reopen();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  EXPECT_GT(witness_->Count("file truncate"), 0u);
  EXPECT_EQ(witness_->Count("io error"), 0u);
}

TEST_F(ListenerTest, LogHasTheEventsAsJson) {
  Open();
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(Put("a", "1"));
    ASSERT_OK(Flush());
  }
  ASSERT_OK(CompactTo(0, 1));
  ASSERT_OK(Put("b", "1"));
  Reopen();
  const std::string log = log_->text();
  std::map<std::string, int> counts = LoggedEvents();
  EXPECT_EQ(counts["flush_started"], 2);
  EXPECT_EQ(counts["flush_finished"], 2);
  EXPECT_EQ(counts["compaction_started"], 1);
  EXPECT_EQ(counts["compaction_finished"], 1);
  EXPECT_GE(counts["table_file_creation"], 3);
  EXPECT_EQ(counts["table_file_deletion"], 2);
  EXPECT_GE(counts["recovery_started"], 1);
  EXPECT_EQ(counts["recovery_started"], counts["recovery_finished"]);
  EXPECT_NE(log.find("\"lsm_state\": [0, 1, 0]"), std::string::npos);
  EXPECT_NE(log.find("\"table_properties\": {\"data_size\": "),
            std::string::npos);
  EXPECT_NE(log.find("\"seqno_to_time_mapping\": \"N/A\"}, \"status\": \"OK\""),
            std::string::npos);
  EXPECT_NE(log.find("\"total_num_input_entries\": 1, \"num_deletes\": 0, "),
            std::string::npos);
  EXPECT_NE(log.find("\"oldest_snapshot_seqno\": -1"), std::string::npos);
  EXPECT_NE(log.find("\"output_compression\": \""), std::string::npos);
  EXPECT_NE(log.find("\"compaction_reason\": \"ManualCompaction\""),
            std::string::npos);
}

TEST_F(ListenerTest, LogHasTheEventsOfBlobFiles) {
  options_.enable_blob_files = true;
  options_.disable_auto_compactions = true;
  Open();
  for (int file = 0; file < 2; ++file) {
    for (int i = 0; i < 10; ++i) {
      ASSERT_OK(Put(std::to_string(i), std::string(100, 'v')));
    }
    ASSERT_OK(Flush());
  }
  std::map<std::string, int> counts = LoggedEvents();
  EXPECT_EQ(counts["blob_file_creation"], 2);
  EXPECT_EQ(counts["blob_file_deletion"], 0);
  const std::string created = "\"event\": \"blob_file_creation\", ";
  EXPECT_NE(log_->text().find(created + "\"cf_name\": \"default\""),
            std::string::npos);
  EXPECT_NE(log_->text().find("\"total_blob_count\": 10, "
                              "\"total_blob_bytes\": "),
            std::string::npos);
  ASSERT_OK(CompactAll(/*force=*/true));
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  EXPECT_EQ(LoggedEvents()["blob_file_deletion"], 1) << "all of it is garbage";
}

TEST_F(ListenerTest, LogHasTheEventsOfFilesThatAreTakenAsTheyAre) {
  options_.disable_auto_compactions = true;
  options_.num_levels = 3;
  options_.level_compaction_dynamic_level_bytes = false;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  CompactRangeOptions moves;
  moves.bottommost_level_compaction = BottommostLevelCompaction::kSkip;
  ASSERT_OK(db_->CompactRange(moves, nullptr, nullptr));
  std::map<std::string, int> counts = LoggedEvents();
  EXPECT_EQ(counts["trivial_move"], 1);
  EXPECT_EQ(counts["compaction_finished"], 0);
  EXPECT_NE(log_->text().find("\"destination_level\": 1, \"files\": 1, "),
            std::string::npos);
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.Open("/external.sst"));
  ASSERT_OK(writer.Put("e", "1"));
  ASSERT_OK(writer.Finish());
  ASSERT_OK(
      db_->IngestExternalFile({"/external.sst"}, IngestExternalFileOptions()));
  EXPECT_EQ(LoggedEvents()["ingest_finished"], 1);
  const std::string log = log_->text();
  const size_t at = log.find("\"event\": \"ingest_finished\"");
  const std::string line = log.substr(at, log.find('\n', at) - at);
  EXPECT_NE(line.find("\"levels\": [2]"), std::string::npos) << line;
  EXPECT_NE(line.find("\"lsm_state\": [0, 1, 1]"), std::string::npos) << line;
  // One that fails is none.
  EXPECT_FALSE(
      db_->IngestExternalFile({"/missing.sst"}, IngestExternalFileOptions())
          .ok());
  EXPECT_EQ(LoggedEvents()["ingest_finished"], 1);
}

// How the threads of jobs wake up, as the kernel has it.
class WakesWitness : public EventListener {
 public:
  const char* Name() const override { return "WakesWitness"; }
  void OnFlushBegin(DB*, const FlushJobInfo&) override { ++*Count(&flushes); }
  void OnSubcompactionBegin(const SubcompactionJobInfo&) override {
    ++*Count(&compactions);
  }
  struct Counts {
    std::atomic<int> in_turn{0};
    std::atomic<int> others{0};
  };
  Counts flushes;
  Counts compactions;

 private:
  static std::atomic<int>* Count(Counts* counts) {
    return WakesOf(ThisThreadId()) == Wakes::kInTurn ? &counts->in_turn
                                                     : &counts->others;
  }
};

TEST_F(ListenerTest, JobsTakeNoProcessorFromThreadsThatRun) {
  const auto wakes = std::make_shared<WakesWitness>();
  options_.listeners = {wakes};
  Open();
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(db_->Put({}, "a", "1").ok());
    ASSERT_TRUE(db_->Put({}, "z", "2").ok());
    ASSERT_TRUE(db_->Flush({}).ok());
  }
  ASSERT_TRUE(db_->CompactRange({}, nullptr, nullptr).ok());
  EXPECT_GE(wakes->flushes.in_turn, 2);
  EXPECT_GE(wakes->compactions.in_turn, 1);
  EXPECT_EQ(wakes->flushes.others + wakes->compactions.others, 0);
  EXPECT_EQ(WakesOf(ThisThreadId()), Wakes::kAtOnce);
}

// Takes a twentieth of a turn for each key.
class SlowFilter : public CompactionFilter {
 public:
  const char* Name() const override { return "SlowFilter"; }
  bool Filter(int /*level*/, const Slice& /*key*/, const Slice& /*value*/,
              std::string* /*new_value*/,
              bool* /*value_changed*/) const override {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const auto end =
        start + std::chrono::microseconds(JobThreads::kTurnMicros / 20);
    while (Clock::now() < end) {
    }
    return false;
  }
};

class TurnsWitness : public EventListener {
 public:
  void OnCompactionBegin(DB* /*db*/, const CompactionJobInfo&) override {
    before_ = JobThreads::TurnsOfThisThread();
  }
  void OnCompactionCompleted(DB* /*db*/, const CompactionJobInfo&) override {
    turns = JobThreads::TurnsOfThisThread() - before_;
  }
  std::atomic<uint64_t> turns{0};

 private:
  std::atomic<uint64_t> before_{0};
};

TEST_F(ListenerTest, CompactionsGiveWayWhileTheyRun) {
  const auto witness = std::make_shared<TurnsWitness>();
  const SlowFilter slow;
  options_.listeners = {witness};
  options_.compaction_filter = &slow;
  options_.disable_auto_compactions = true;
  Open();
  for (int i = 0; i < 400; ++i) {
    ASSERT_TRUE(db_->Put({}, "key" + std::to_string(i), "value").ok());
  }
  ASSERT_TRUE(db_->Flush({}).ok());
  CompactRangeOptions all;
  all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_TRUE(db_->CompactRange(all, nullptr, nullptr).ok());
  // 400 records are a dozen steps of 32, of 160 us at least.
  EXPECT_GE(witness->turns, 10u);
}

TEST_F(ListenerTest, NullIsRefused) {
  options_.listeners = {std::make_shared<Witness>(), nullptr};
  DB* db = nullptr;
  const Status s = DB::Open(options_, "/db", &db);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(s.ToString().find("listeners"), std::string::npos) << s.ToString();
  EXPECT_EQ(db, nullptr);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
