// For each dynamic option of a database: what SetDBOptions() sets is what the
// engine goes by from then on.
//
// Its value can be read from MutableDBOptions alone (the compiler sees to it:
// tests/options/fixed_and_dynamic_test.cc), and CurrentOptions has one of them.
// So what can go wrong is a copy: limits, periods, options of files. Each row
// that is copied has a case that sees it obeyed; the others are named.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "options/db_rows.h"
#include "tests/db/impl/direct_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class DynamicRowsTest : public DirectFixture {
 protected:
  using Case = std::function<void(DynamicRowsTest*)>;

  DynamicRowsTest() { options_.use_direct_io_for_compaction_reads = false; }
  Status Set(const std::string& name, const std::string& value) {
    return db_->SetDBOptions({{name, value}});
  }
  // Options of the last file of that kind of name that was opened.
  FileOptions Opened(const std::string& end, FileKind kind) {
    FileOptions options;
    bool is_found = false;
    for (const OpenRecord& open : fs_->opens()) {
      if (open.kind != kind || open.path.find(end) == std::string::npos) {
        continue;
      }
      options = open.options;
      is_found = true;
    }
    EXPECT_TRUE(is_found) << end;
    return options;
  }
  FileOptions NewTable() {
    Forget();
    WriteFile(1, 1, 10);
    return Opened(".sst", FileKind::kWritable);
  }
  size_t NewManifests() {
    Forget();
    WriteFile(1, 1, 10);
    size_t count = 0;
    for (const OpenRecord& open : fs_->opens()) {
      count += open.kind == FileKind::kWritable &&
               open.path.find("MANIFEST") != std::string::npos;
    }
    return count;
  }
  // Tables that a compaction opens with that flag.
  size_t CompactAndCount(bool EnvOptions::*flag) {
    MakeTree();
    Forget();
    EXPECT_OK(CompactTree());
    size_t count = 0;
    for (const OpenRecord& open : fs_->opens()) {
      count += open.kind == FileKind::kRandomAccess && open.options.*flag;
    }
    return count;
  }
  // One more thread than the pool has.
  void ExpectMoreThreads(const std::string& name, Env::Priority pool,
                         int jobs_a_thread = 1) {
    const int wanted = env_->GetBackgroundThreads(pool) + 1;
    ASSERT_OK(Set(name, std::to_string(wanted * jobs_a_thread)));
    EXPECT_EQ(env_->GetBackgroundThreads(pool), wanted);
  }

  void MaxOpenFiles() {
    uint64_t seconds = 0;
    ASSERT_OK(db_->GetCreationTimeOfOldestFile(&seconds));
    ASSERT_OK(Set("max_open_files", "100"));
    EXPECT_TRUE(db_->GetCreationTimeOfOldestFile(&seconds).IsNotSupported());
    ASSERT_OK(Set("max_open_files", "-1"));
    EXPECT_OK(db_->GetCreationTimeOfOldestFile(&seconds));
  }
  // The family that holds the oldest log back is flushed.
  void MaxTotalWalSize() {
    ColumnFamilyHandle* other = nullptr;
    ASSERT_OK(db_->CreateColumnFamily(options_, "other", &other));
    ASSERT_OK(db_->Put(WriteOptions(), other, "a", "1"));
    ASSERT_OK(Set("max_total_wal_size", "65536"));
    for (int i = 0; i < 1000; ++i) ASSERT_OK(Put(Key(i), Value(i, 1)));
    ASSERT_OK(db_->Flush(FlushOptions()));
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    std::string files;
    EXPECT_TRUE(db_->GetProperty(other, "rocksdb.num-files-at-level0", &files));
    EXPECT_EQ(files, "1");
    ASSERT_OK(db_->DestroyColumnFamilyHandle(other));
  }
  void MaxManifestFileSize() {
    ASSERT_OK(Set("max_manifest_space_amp_pct", "0"));
    EXPECT_EQ(NewManifests(), 0u);
    ASSERT_OK(Set("max_manifest_file_size", "1"));
    EXPECT_GT(NewManifests(), 0u);
  }
  void MaxManifestSpaceAmp() {
    ASSERT_OK(db_->SetDBOptions({{"max_manifest_file_size", "1"},
                                 {"max_manifest_space_amp_pct", "0"}}));
    // It grows over a manifest that has something in it.
    for (int i = 0; i < 5; ++i) EXPECT_GT(NewManifests(), 0u);
    ASSERT_OK(Set("max_manifest_space_amp_pct", "1000000"));
    EXPECT_EQ(NewManifests(), 0u);
    ASSERT_OK(Set("max_manifest_space_amp_pct", "0"));
    EXPECT_GT(NewManifests(), 0u);
  }
  void VerifyManifestOnClose() {
    ASSERT_OK(Set("verify_manifest_content_on_close", "true"));
    Forget();
    ASSERT_OK(db_->Close());
    size_t reads = 0;
    for (const OpenRecord& open : fs_->opens()) {
      reads += open.kind != FileKind::kWritable &&
               open.path.find("MANIFEST") != std::string::npos;
    }
    EXPECT_GT(reads, 0u);
  }
  void AvoidFlushDuringShutdown() {
    ASSERT_OK(Set("avoid_flush_during_shutdown", "true"));
    WriteOptions unlogged;
    unlogged.disableWAL = true;
    ASSERT_OK(db_->Put(unlogged, "lost", "1"));
    Reopen();
    EXPECT_EQ(Get("lost"), "NOT_FOUND");
    ASSERT_OK(db_->Put(unlogged, "kept", "1"));
    Reopen();
    EXPECT_EQ(Get("kept"), "1");
  }
  // Writers are slowed down: how much follows the option.
  void DelayedWriteRate() {
    for (int i = 0; i < 6; ++i) WriteFile(i, 1, 10);
    const auto rate = [this] {
      uint64_t value = 0;
      EXPECT_TRUE(
          db_->GetIntProperty(DB::Properties::kActualDelayedWriteRate, &value));
      return value;
    };
    ASSERT_OK(db_->PauseBackgroundWork());
    ASSERT_OK(Set("delayed_write_rate", "1000000"));
    ASSERT_OK(db_->SetOptions({{"disable_auto_compactions", "false"},
                               {"level0_file_num_compaction_trigger", "2"},
                               {"level0_stop_writes_trigger", "100"},
                               {"level0_slowdown_writes_trigger", "2"}}));
    const uint64_t before = rate();
    EXPECT_GT(before, 0u);
    ASSERT_OK(Set("delayed_write_rate", "100000000"));
    EXPECT_GT(rate(), before);
    ASSERT_OK(db_->ContinueBackgroundWork());
  }

  static const std::map<std::string_view, Case>& Cases();
};

// Jobs, pickers, the manifest writer and the scans of files ask CurrentOptions
// each time, or what they began with. Not built: nobody reads them. The rest
// are periods, and what Observatory::Apply() and SetManifestLimits() renew in
// one step with those above.
const std::set<std::string_view> kReadWhereUsed = {
    "compaction_readahead_size",
    "daily_offpeak_time_utc",
    "delete_obsolete_files_period_micros",
    "fast_sst_open",
    "manifest_preallocation_size",
    "max_compaction_trigger_wakeup_seconds",
    "max_subcompactions",
    "optimize_manifest_for_recovery",
    "stats_dump_period_sec",
    "stats_history_buffer_size",
    "stats_persist_period_sec",
};

const std::map<std::string_view, DynamicRowsTest::Case>&
DynamicRowsTest::Cases() {
  using Test = DynamicRowsTest;
  static const std::map<std::string_view, Case> cases = {
      {"max_open_files", &Test::MaxOpenFiles},
      {"max_total_wal_size", &Test::MaxTotalWalSize},
      {"max_manifest_file_size", &Test::MaxManifestFileSize},
      {"max_manifest_space_amp_pct", &Test::MaxManifestSpaceAmp},
      {"verify_manifest_content_on_close", &Test::VerifyManifestOnClose},
      {"avoid_flush_during_shutdown", &Test::AvoidFlushDuringShutdown},
      {"delayed_write_rate", &Test::DelayedWriteRate},
      {"max_background_compactions",
       [](Test* t) {
         t->ExpectMoreThreads("max_background_compactions", Env::LOW);
       }},
      {"max_background_flushes",
       [](Test* t) {
         t->ExpectMoreThreads("max_background_flushes", Env::HIGH);
       }},
      {"max_background_jobs",
       [](Test* t) {
         t->ExpectMoreThreads("max_background_jobs", Env::HIGH, 4);
       }},
      {"bytes_per_sync",
       [](Test* t) {
         ASSERT_OK(t->Set("bytes_per_sync", "12288"));
         EXPECT_EQ(t->NewTable().bytes_per_sync, 12288u);
       }},
      {"strict_bytes_per_sync",
       [](Test* t) {
         ASSERT_OK(t->Set("strict_bytes_per_sync", "true"));
         EXPECT_TRUE(t->NewTable().strict_bytes_per_sync);
       }},
      {"writable_file_max_buffer_size",
       [](Test* t) {
         ASSERT_OK(t->Set("writable_file_max_buffer_size", "70000"));
         EXPECT_EQ(t->NewTable().writable_file_max_buffer_size, 70000u);
       }},
      {"wal_bytes_per_sync",
       [](Test* t) {
         ASSERT_OK(t->Set("wal_bytes_per_sync", "20480"));
         t->NewTable();
         EXPECT_EQ(t->Opened(".log", FileKind::kWritable).bytes_per_sync,
                   20480u);
       }},
      {"use_direct_io_for_compaction_reads",
       [](Test* t) {
         ASSERT_OK(t->Set("use_direct_io_for_compaction_reads", "true"));
         EXPECT_GT(t->CompactAndCount(&EnvOptions::use_direct_reads), 0u);
       }},
      {"compaction_read_access",
       [](Test* t) {
         ASSERT_OK(t->Set("compaction_read_access", "uncached"));
         EXPECT_GT(t->CompactAndCount(&EnvOptions::use_uncached_io), 0u);
       }},
      {"compaction_write_access",
       [](Test* t) {
         ASSERT_OK(t->Set("compaction_write_access", "direct"));
         EXPECT_TRUE(t->NewTable().use_direct_writes);
       }},
  };
  return cases;
}

TEST_F(DynamicRowsTest, EachRowHasACase) {
  size_t count = 0;
  for (const OptionRow& row : DBOptionStruct().rows) {
    if (!row.IsDynamic()) continue;
    ++count;
    EXPECT_NE(Cases().count(row.name), kReadWhereUsed.count(row.name))
        << row.name << " needs a case, if it is copied, or a place in the list";
  }
  EXPECT_EQ(count, Cases().size() + kReadWhereUsed.size());
}

TEST_F(DynamicRowsTest, WhatIsSetIsInForce) {
  const Options before = options_;
  for (const auto& [name, check] : Cases()) {
    SCOPED_TRACE(std::string(name));
    options_ = before;
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    ASSERT_NO_FATAL_FAILURE(Open());
    check(this);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
