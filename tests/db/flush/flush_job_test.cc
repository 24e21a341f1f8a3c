// Flush jobs without a database: tests/testdata/flush/jobs.txt, in the language
// of job_script.h, what a file says of itself, and calls that fail.
#include "db/flush/flush_job.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "db/manifest/needed_logs.h"
#include "db/manifest/version_set.h"
#include "db/version/version_edit.h"
#include "memtable/memtable.h"
#include "tests/db/compaction/job_script.h"
#include "tests/testing/script.h"
#include "tests/testing/unwritable_tables.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(FlushJobTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) { return JobScript(c).Run(c.body); };
  EXPECT_GE(RunScript("flush/jobs.txt", run), 14u) << "cases went missing";
}

TEST(FlushJobTest, WritesALevel0File) {
  JobWorld w;
  const auto listener = std::make_shared<RecordingListener>();
  w.f.db_options.listeners.push_back(listener);
  w.Create();
  w.Seal("a@1=x b@2! c@3+y d@4!! e-g@5");
  FlushJobInfo info;
  ASSERT_TRUE(w.FlushSealed(&info).ok());
  EXPECT_EQ(w.Dump(), "L0 [a@1=x b@2! c@3+y d@4!! e-g@5]");
  const FileRef file = w.Files(0)[0];
  EXPECT_EQ(file->smallest.user_key(), Slice("a"));
  EXPECT_TRUE(file->largest.IsTombstoneSentinel());
  EXPECT_EQ(file->largest.user_key(), Slice("g"));
  EXPECT_EQ(file->smallest_sequence, 1);
  EXPECT_EQ(file->largest_sequence, 5);
  EXPECT_FALSE(file->unique_id.IsZero());
  EXPECT_GT(file->tail_size_bytes, 0);
  EXPECT_GT(file->file_creation_time, 0);
  EXPECT_EQ(file->entry_count, 5);
  EXPECT_EQ(info.file_number, file->number);
  EXPECT_EQ(info.smallest_seqno, 1);
  EXPECT_EQ(info.table_properties.num_range_deletions, 1);
  EXPECT_EQ(listener->lines, (std::vector<std::string>{
                                 "started default", "created 0 entries 5 ok"}));
  EXPECT_EQ(w.f.Ticker(FLUSH_WRITE_BYTES), file->size_bytes);
  MutexLock lock(&w.mutex);
  EXPECT_TRUE(w.cfd->imm()->empty());
  EXPECT_EQ(w.cfd->log_number(), w.last_log);
  EXPECT_EQ(w.versions->logs()->min_to_keep(), w.last_log);
}

TEST(FlushJobTest, NothingLeftMakesNoFile) {
  JobWorld w;
  w.Create();
  ASSERT_TRUE(w.Flush("a@1=x a@2!!").ok());
  EXPECT_EQ(w.Dump(), "");
  EXPECT_TRUE(w.FilesOnDisk().empty());
  MutexLock lock(&w.mutex);
  EXPECT_TRUE(w.cfd->imm()->empty());
  EXPECT_EQ(w.cfd->log_number(), w.last_log);
}

// Every call fails once: nothing is lost, no file is left over that a version
// does not name, and the next flush is good. After a crash the result of a
// flush that said OK is there.
TEST(FlushJobTest, EveryFailingCall) {
  for (uint64_t k = 1;; ++k) {
    SCOPED_TRACE("call " + std::to_string(k));
    JobWorld w;
    w.Create();
    ASSERT_TRUE(w.Flush("a@1=x").ok());
    w.Seal("b@2=y c-d@3");
    w.f.fs->FailCall({.call = k});
    const Status s = w.FlushSealed();
    const bool has_failed = w.f.fs->failed();
    // A call after the manifest was synced may fail without harm.
    EXPECT_TRUE(has_failed || s.ok()) << s.ToString();
    w.f.fs->ClearFault();
    if (!s.ok()) {
      EXPECT_EQ(w.Dump(), "L0 [a@1=x]");
      MutexLock lock(&w.mutex);
      ASSERT_EQ(w.cfd->imm()->size(), 1);
    }
    if (!s.ok()) {
      const Status again = w.FlushSealed();
      ASSERT_TRUE(again.ok()) << again.ToString();
    }
    EXPECT_EQ(w.Dump(), "L0 [b@2=y c-d@3] [a@1=x]");
    w.Close();
    ASSERT_TRUE(w.f.fs->CrashAndHeal().ok());
    ASSERT_TRUE(
        w.f.fs->NewDirectory("/db", IOOptions(), &w.directory, nullptr).ok());
    w.Reopen();
    EXPECT_EQ(w.Dump(), "L0 [b@2=y c-d@3] [a@1=x]");
    if (!has_failed) break;
    ASSERT_LT(k, 200);
  }
}

TEST(FlushJobTest, AFormatWithoutABuilderIsNotSupported) {
  JobWorld w;
  w.Create();
  w.f.family.table_factory = std::make_shared<UnwritableTables>();
  w.Reopen();
  const Status s = w.Flush("a@1=x");
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_NE(s.ToString().find("UnwritableTables"), std::string::npos);
  EXPECT_TRUE(w.FilesOnDisk().empty());
  MutexLock lock(&w.mutex);
  EXPECT_EQ(w.cfd->imm()->size(), 1);
}

TEST(FlushJobTest, RecoveryWritesIntoAnEdit) {
  JobWorld w;
  w.Create();
  MutexLock lock(&w.mutex);
  const MemTableRef memtable = w.cfd->NewMemTable(0);
  ASSERT_TRUE(memtable->Add(1, kTypeValue, "a", "x").ok());
  memtable->MarkImmutable();
  VersionEdit edit;
  LevelWork work;
  ASSERT_TRUE(WriteRecoveredMemTable(w.Context(), memtable.get(),
                                     {.epoch = w.cfd->NewEpoch()}, &edit, &work)
                  .ok());
  EXPECT_EQ(work.files_written, 1u);
  ASSERT_EQ(edit.new_files.size(), 1);
  EXPECT_EQ(edit.new_files[0].level, 0);
  EXPECT_EQ(edit.new_files[0].file->file_creation_time, kUnknownTime);
  EXPECT_NE(edit.new_files[0].file->epoch_number, kUnknownEpoch);
  w.f.fs->FailCall({.call = 1});
  EXPECT_TRUE(WriteRecoveredMemTable(w.Context(), memtable.get(),
                                     {.epoch = w.cfd->NewEpoch()}, &edit, &work)
                  .IsIOError());
  EXPECT_EQ(edit.new_files.size(), 1);
}

TEST(FlushJobTest, DirectWritesWhenAsked) {
  JobWorld w;
  w.f.db_options.use_direct_io_for_flush_and_compaction = true;
  w.Create();
  ASSERT_TRUE(w.Flush("a@1=x").ok());
  EXPECT_EQ(w.f.fs->direct_write_opens(".sst"), 1);
  EXPECT_EQ(w.Dump(), "L0 [a@1=x]");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
