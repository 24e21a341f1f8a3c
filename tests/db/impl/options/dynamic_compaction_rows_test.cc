// The dynamic options that say what is compacted, and when, are in force once
// they are set: the cases of dynamic_family_rows.h for them.
#include <gtest/gtest.h>

#include <algorithm>

#include "db/tables/file_meta.h"
#include "tests/db/impl/options/dynamic_family_rows.h"

namespace ROCKSDB_NAMESPACE {

using Rows = DynamicFamilyRows;

namespace {

bool HasReason(const std::vector<CompactionJobInfo>& jobs,
               CompactionReason reason) {
  return std::any_of(jobs.begin(), jobs.end(), [reason](const auto& job) {
    return job.compaction_reason == reason;
  });
}

}  // namespace

void Rows::level0_file_num_compaction_trigger() {
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 100;
  Open();
  for (int i = 0; i < 3; ++i) WriteFile(i, 1, 10);
  Await();
  ASSERT_EQ(FilesAt(0), 3);
  Set("level0_file_num_compaction_trigger", "2");
  Await();
  EXPECT_EQ(FilesAt(0), 0);
}

void Rows::disable_auto_compactions() {
  options_.level0_file_num_compaction_trigger = 2;
  Open();
  for (int i = 0; i < 3; ++i) WriteFile(i, 1, 10);
  Await();
  ASSERT_EQ(FilesAt(0), 3);
  Set("disable_auto_compactions", "false");
  Await();
  EXPECT_EQ(FilesAt(0), 0);
}

void Rows::max_bytes_for_level_base() {
  Open();
  MakeTree(0);
  EXPECT_EQ(PendingBytes(), 0u);
  Set("max_bytes_for_level_base", "20000");
  EXPECT_GT(PendingBytes(), 0u);
}

void Rows::max_bytes_for_level_multiplier() {
  options_.num_levels = 4;
  options_.max_bytes_for_level_base = 150'000;
  Open();
  MakeTree(0);
  EXPECT_EQ(PendingBytes(), 0u);
  Set("max_bytes_for_level_multiplier", "1");
  EXPECT_GT(PendingBytes(), 0u);
}

void Rows::max_bytes_for_level_multiplier_additional() {
  options_.num_levels = 4;
  options_.max_bytes_for_level_base = 150'000;
  options_.max_bytes_for_level_multiplier = 1;
  Open();
  MakeTree(0);
  EXPECT_GT(PendingBytes(), 0u);
  Set("max_bytes_for_level_multiplier_additional", "10:10:10:10");
  EXPECT_EQ(PendingBytes(), 0u);
}

void Rows::soft_pending_compaction_bytes_limit() {
  options_.max_bytes_for_level_base = 20'000;
  options_.disable_auto_compactions = false;
  Open();
  ASSERT_OK(db_->PauseBackgroundWork());
  Set("disable_auto_compactions", "true");
  ASSERT_OK(db_->ContinueBackgroundWork());
  MakeTree(0);
  ASSERT_OK(db_->PauseBackgroundWork());
  Set("disable_auto_compactions", "false");
  EXPECT_FALSE(IsSlowed());
  Set("soft_pending_compaction_bytes_limit", "1000");
  EXPECT_TRUE(IsSlowed());
  ASSERT_OK(db_->ContinueBackgroundWork());
}

void Rows::hard_pending_compaction_bytes_limit() {
  options_.max_bytes_for_level_base = 20'000;
  Open();
  MakeTree(0);
  ASSERT_OK(db_->PauseBackgroundWork());
  Set("disable_auto_compactions", "false");
  EXPECT_FALSE(IsStopped());
  Set("hard_pending_compaction_bytes_limit", "1000");
  EXPECT_TRUE(IsStopped());
  ASSERT_OK(db_->ContinueBackgroundWork());
}

void Rows::level0_slowdown_writes_trigger() {
  options_.level0_file_num_compaction_trigger = 2;
  Open();
  for (int i = 0; i < 3; ++i) WriteFile(i, 1, 10);
  ASSERT_OK(db_->PauseBackgroundWork());
  Set("disable_auto_compactions", "false");
  EXPECT_FALSE(IsSlowed());
  Set("level0_slowdown_writes_trigger", "2");
  EXPECT_TRUE(IsSlowed());
  ASSERT_OK(db_->ContinueBackgroundWork());
}

void Rows::level0_stop_writes_trigger() {
  options_.level0_file_num_compaction_trigger = 2;
  options_.level0_slowdown_writes_trigger = 2;
  Open();
  for (int i = 0; i < 3; ++i) WriteFile(i, 1, 10);
  ASSERT_OK(db_->PauseBackgroundWork());
  Set("disable_auto_compactions", "false");
  EXPECT_FALSE(IsStopped());
  Set("level0_stop_writes_trigger", "3");
  EXPECT_TRUE(IsStopped());
  ASSERT_OK(db_->ContinueBackgroundWork());
}

// A request of a user takes the files of a level in parts.
void Rows::max_compaction_bytes() {
  Open();
  const auto count_jobs = [this] {
    WriteFile(2, 1);
    EXPECT_OK(CompactTo(0, 1));
    jobs_->Take();
    EXPECT_OK(CompactAll());
    return jobs_->Take().size();
  };
  WriteFile(1);
  ASSERT_OK(CompactTo(0, 2));
  EXPECT_EQ(count_jobs(), 1u);
  Set("max_compaction_bytes", "70000");
  EXPECT_GT(count_jobs(), 2u);
}

void Rows::compaction_options_universal() {
  options_.compaction_style = kCompactionStyleUniversal;
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 2;
  auto* universal = &options_.compaction_options_universal;
  universal->max_read_amp = 20;
  universal->size_ratio = 0;
  universal->max_size_amplification_percent = 9000;
  Open();
  // Each run is smaller than those before it.
  WriteFile(1, 1, 900);
  WriteFile(2, 1, 300);
  WriteFile(3, 1, 100);
  Await();
  ASSERT_EQ(Tables().size(), 3u);
  Set("compaction_options_universal", "{max_size_amplification_percent=1}");
  Await();
  EXPECT_EQ(FilesAt(0), 0);
}

void Rows::compaction_options_fifo() {
  options_.compaction_style = kCompactionStyleFIFO;
  options_.disable_auto_compactions = false;
  Open();
  for (int i = 0; i < 3; ++i) WriteFile(i, 1, 100);
  Await();
  ASSERT_EQ(FilesAt(0), 3);
  Set("compaction_options_fifo", "{max_table_files_size=1000}");
  Await();
  EXPECT_EQ(FilesAt(0), 0);
}

void Rows::ttl() {
  options_.compaction_style = kCompactionStyleFIFO;
  options_.disable_auto_compactions = false;
  options_.ttl = 0;
  Open();
  WriteFile(1, 1, 10);
  clock_->ahead_seconds += 1000;
  WriteFile(2, 1, 10);
  Await();
  ASSERT_EQ(FilesAt(0), 2);
  Set("ttl", "500");
  Await();
  EXPECT_EQ(FilesAt(0), 1);
}

void Rows::periodic_compaction_seconds() {
  options_.disable_auto_compactions = false;
  options_.periodic_compaction_seconds = 0;
  Open();
  WriteFile(1, 1, 10);
  ASSERT_OK(CompactAll());
  clock_->ahead_seconds += 1000;
  jobs_->Take();
  Set("periodic_compaction_seconds", "500");
  Await();
  EXPECT_TRUE(HasReason(jobs_->Take(), CompactionReason::kPeriodicCompaction));
}

void Rows::read_triggered_compaction_threshold() {
  options_.disable_auto_compactions = false;
  Open();
  WriteFile(1, 1, 10);
  ASSERT_OK(CompactTo(0, 2));
  WriteFile(2, 1, 10);
  // Many times over what the sample needs to be near the truth.
  for (int i = 0; i < 200 * static_cast<int>(FileMeta::kReadSampling); ++i) {
    ASSERT_EQ(Get(Key(3)), Value(3, 2));
  }
  jobs_->Take();
  Set("read_triggered_compaction_threshold", "0.001");
  Await();
  EXPECT_TRUE(HasReason(jobs_->Take(), CompactionReason::kReadTriggered));
}

// Deletions that their snapshot kept.
void Rows::bottommost_file_compaction_delay() {
  options_.disable_auto_compactions = false;
  options_.bottommost_file_compaction_delay = 100'000;
  Open();
  for (const char* key : {"a", "b", "c"}) ASSERT_OK(Put(key, "1"));
  const Snapshot* snapshot = db_->GetSnapshot();
  ASSERT_OK(Delete("a"));
  ASSERT_OK(Delete("b"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactTo(0, 2));
  jobs_->Take();
  db_->ReleaseSnapshot(snapshot);
  Await();
  EXPECT_FALSE(HasReason(jobs_->Take(), CompactionReason::kBottommostFiles));
  Set("bottommost_file_compaction_delay", "0");
  // The next one that goes makes them ready.
  snapshot = db_->GetSnapshot();
  ASSERT_OK(Put("d", "1"));
  db_->ReleaseSnapshot(snapshot);
  Await();
  EXPECT_TRUE(HasReason(jobs_->Take(), CompactionReason::kBottommostFiles));
}

}  // namespace ROCKSDB_NAMESPACE
