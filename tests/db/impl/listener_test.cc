// What listeners are told: what, in which order, and that no lock is held;
// and the same as events of LOG.
#include "rocksdb/listener.h"

#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/db/impl/direct_fixture.h"
#include "util/ignore_error.h"

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
  void OnManualFlushScheduled(DB*,
                              const std::vector<FlushJobInfo>& infos) override {
    Check(infos.size() == 1 && infos[0].cf_name == "default");
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
    Check(info.stats.num_input_records > 0);
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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
