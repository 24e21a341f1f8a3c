// The program as a whole: short runs, and two that were killed.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/testing/shell.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class DbStressTest : public ::testing::Test {
 protected:
  DbStressTest() : directory_("db_stress") {}

  // Its exit status; -1 or 137 for a process that was killed.
  int Run(const std::string& flags) {
    int status = 0;
    output_ = RunShell(
        std::string(BASALT_BINARY_DIR) +
            "/bin/db_stress --db=" + directory_.path() +
            "/db --expected_values_dir=" + directory_.path() +
            "/expected --max_key=2000 --threads=4 " +
            "--column_families=3 --progress_reports=0 --cache_size=1048576 " +
            "--write_buffer_size=65536 " + flags + " 2>&1",
        &status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  bool Says(const std::string& text) const {
    return output_.find(text) != std::string::npos;
  }

  TempDir directory_;
  std::string output_;
};

TEST_F(DbStressTest, AShortRunIsVerified) {
  EXPECT_EQ(Run("--ops_per_thread=1000 --reopen=2 --flush_one_in=200 "
                "--compact_range_one_in=500 --acquire_snapshot_one_in=50"),
            0)
      << output_;
  EXPECT_TRUE(Says("Verification successful")) << output_;
}

TEST_F(DbStressTest, CopiesAreAlike) {
  for (const char* mode :
       {"--test_batches_snapshots=1", "--test_cf_consistency=1"}) {
    EXPECT_EQ(Run(std::string(mode) + " --ops_per_thread=500 --use_merge=1"), 0)
        << output_;
  }
}

TEST_F(DbStressTest, WritesAsTransactions) {
  for (const char* mode :
       {"--use_merge=1 --use_wbwi_one_in=20 --flush_one_in=100",
        "--use_optimistic_txn=1 --use_wbwi_one_in=20",
        "--commit_bypass_memtable_one_in=10", "--test_cf_consistency=1"}) {
    EXPECT_EQ(Run(std::string("--use_txn=1 --ops_per_thread=300 ") + mode), 0)
        << output_;
    EXPECT_TRUE(Says("Verification successful")) << output_;
  }
}

TEST_F(DbStressTest, SnapshotsWithTimestampsStayAsTheyAre) {
  EXPECT_EQ(Run("--use_txn=1 --create_timestamped_snapshot_one_in=5 "
                "--commit_bypass_memtable_one_in=20 --flush_one_in=100 "
                "--acquire_snapshot_one_in=20 --snapshot_hold_ops=50 "
                "--ops_per_thread=500 --reopen=2"),
            0)
      << output_;
  EXPECT_TRUE(Says("snapshots with timestamps")) << output_;
}

TEST_F(DbStressTest, ATableAndItsIndexAgree) {
  const std::string flags =
      "--use_txn=1 --test_multi_ops_txns=1 --column_families=1 "
      "--readpercent=5 --prefixpercent=0 --iterpercent=5 --writepercent=0 "
      "--delpercent=0 --customopspercent=90 --rollback_one_in=4 --ub_a=60 "
      "--ub_c=10 --ops_per_thread=300 ";
  for (const char* kind : {"", "--use_optimistic_txn=1 ",
                           "--txn_write_policy=1 ", "--txn_write_policy=2 "}) {
    EXPECT_EQ(Run(flags + kind), 0) << output_;
    EXPECT_TRUE(Says("secondary key update")) << output_;
    // What is there is the table, and is gone on with.
    EXPECT_EQ(Run(flags + kind + "--destroy_db_initially=0"), 0) << output_;
    EXPECT_FALSE(Says("filling the table")) << output_;
  }
}

TEST_F(DbStressTest, WhatDoesNotGoWithTransactions) {
  for (const char* flags :
       {"--use_optimistic_txn=1", "--use_txn=1 --disable_wal=1",
        "--use_txn=1 --user_timestamp_size=8", "--use_txn=1 --backup_one_in=9",
        "--use_txn=1 --txn_write_policy=7", "--test_multi_ops_txns=1",
        "--create_timestamped_snapshot_one_in=2",
        "--use_txn=1 --txn_write_policy=1 "
        "--create_timestamped_snapshot_one_in=2",
        "--customopspercent=10 --writepercent=35"}) {
    EXPECT_EQ(Run(std::string("--ops_per_thread=0 ") + flags), 2)
        << flags << output_;
  }
}

TEST_F(DbStressTest, AKilledRunIsVerifiedByTheNext) {
  ASSERT_EQ(Run("--ops_per_thread=0"), 0) << output_;
  for (const char* loss : {"", "--sync_fault_injection=1 --sync_wal_one_in=50",
                           "--disable_wal=1"}) {
    SCOPED_TRACE(loss);
    const std::string flags =
        std::string("--destroy_db_initially=0 --flush_one_in=300 ") + loss;
    EXPECT_NE(Run(flags + " --kill_random_test=400"), 0) << output_;
    EXPECT_TRUE(Says("killed at ")) << output_;
    EXPECT_EQ(Run(flags + " --verification_only=1"), 0) << output_;
  }
}

// Faults end with the time, so that writers that no compaction would free can.
TEST_F(DbStressTest, StoppedWritersDoNotKeepARunFromItsEnd) {
  const std::string options = directory_.path() + "/OPTIONS";
  // A compaction reads so many blobs that one of them always fails.
  std::ofstream(options) << "[Version]\n  rocksdb_version=11.9.0\n"
                            "  options_file_version=1.1\n"
                            "[DBOptions]\n[CFOptions \"default\"]\n"
                            "  level0_file_num_compaction_trigger=16\n"
                            "  level0_slowdown_writes_trigger=20\n"
                            "  level0_stop_writes_trigger=20\n"
                            "  enable_blob_files=true\n"
                            "  enable_blob_garbage_collection=true\n"
                            "  blob_garbage_collection_age_cutoff=1.0\n"
                            "[TableOptions/BlockBasedTable \"default\"]\n";
  EXPECT_EQ(Run("--duration=1 --ops_per_thread=100000000 --readpercent=0 "
                "--prefixpercent=0 --iterpercent=0 --writepercent=100 "
                "--delpercent=0 --delrangepercent=0 --read_fault_one_in=50 "
                "--value_size_mult=33 --column_families=1 --options_file=" +
                options),
            0)
      << output_;
}

// What no log holds is lost with a close whose flush failed; the run goes on
// from what is left.
TEST_F(DbStressTest, AFailedCloseMayLoseWhatIsInNoLog) {
  EXPECT_EQ(Run("--ops_per_thread=2000 --reopen=40 --disable_wal=1 "
                "--flush_one_in=100 --metadata_write_fault_one_in=20"),
            0)
      << output_;
  EXPECT_TRUE(Says("Close: injected error")) << output_;
}

TEST_F(DbStressTest, WhatIsNotThereIsRefused) {
  EXPECT_EQ(Run("--cache_type=tiered_lru_cache --adm_policy=3"), 2);
  EXPECT_TRUE(Says("--secondary_cache_uri=")) << output_;
  EXPECT_EQ(Run("--cache_type=no_cache"), 2);
  EXPECT_EQ(Run("--fs_uri=no_such_file_system"), 1) << output_;
  EXPECT_EQ(Run("--listener_uri=no_such_listener"), 2) << output_;
  EXPECT_EQ(Run("--num_dbs=0"), 2);
  EXPECT_EQ(Run("--no_such_option=1"), 2);
  EXPECT_TRUE(Says("no_such_option")) << output_;
  EXPECT_EQ(Run("--threads=x"), 2);
  EXPECT_EQ(Run("--readpercent=90"), 2);
  EXPECT_EQ(Run("--sync=1 --disable_wal=1"), 2);
  EXPECT_EQ(Run("--user_timestamp_size=4"), 2);
  EXPECT_EQ(Run("--user_timestamp_size=8 --use_wbwi_one_in=1"), 2);
  EXPECT_EQ(Run("--best_efforts_recovery=1"), 2);
  EXPECT_TRUE(Says("needs --disable_wal")) << output_;
}

// Every kind of checkpoint, each of them now and then.
TEST_F(DbStressTest, CheckpointsOfEveryKindAreCompared) {
  for (const char* mode :
       {"", "--test_cf_consistency=1 ", "--disable_wal=1 "}) {
    EXPECT_EQ(Run(std::string(mode) +
                  "--ops_per_thread=150 --checkpoint_one_in=20 "
                  "--subset_cf_checkpoint_one_in=2 "
                  "--parallel_checkpoint_one_in=2 "
                  "--checkpoint_engine_max_background_operations=4 "
                  "--checkpoint_engine_use_link_file_when_available=0 "
                  "--checkpoint_atomic_flush=1 --flush_one_in=100"),
              0)
        << output_;
    EXPECT_TRUE(Says("checkpoints of some families")) << output_;
    EXPECT_TRUE(Says("checkpoints by an engine")) << output_;
  }
}

TEST_F(DbStressTest, LookupsAnswerByCallbacks) {
  for (const char* mode : {"", "--use_multiget=1 "}) {
    EXPECT_EQ(
        Run(std::string(mode) + "--use_async_db_api=1 --ops_per_thread=300 "
                                "--flush_one_in=60"),
        0)
        << output_;
  }
}

TEST_F(DbStressTest, WalksKeepBlocksInMemoryOfTheTool) {
  EXPECT_EQ(Run("--read_scoped_block_buffer_provider=1 --use_multiscan=1 "
                "--ops_per_thread=300 --flush_one_in=60 "
                "--abort_and_resume_cf_compactions_one_in=30 "
                "--compact_range_one_in=200"),
            0)
      << output_;
  EXPECT_TRUE(Says("AbortCompactions")) << output_;
}

TEST_F(DbStressTest, FilesAreIngestedInTwoSteps) {
  EXPECT_EQ(Run("--ingest_external_file_one_in=20 --ops_per_thread=200 "
                "--ingest_external_file_prepare_commit_one_in=2 "
                "--test_ingest_standalone_range_deletion_one_in=4"),
            0)
      << output_;
  EXPECT_TRUE(Says("ingestions in two steps")) << output_;
}

TEST_F(DbStressTest, ColumnsAreReadWhenTheyAreAskedFor) {
  EXPECT_EQ(Run("--use_get_entity=1 --use_put_entity_one_in=2 "
                "--lazy_entity_read_one_in=2 --ops_per_thread=300 "
                "--flush_one_in=60 --enable_blob_files=1 --min_blob_size=8"),
            0)
      << output_;
  EXPECT_TRUE(Says("GetEntityLazy")) << output_;
}

TEST_F(DbStressTest, DirectFilesAreMocked) {
  EXPECT_EQ(Run("--mock_direct_io=1 "
                "--use_direct_reads=1 "
                "--use_direct_io_for_flush_and_compaction=1 "
                "--ops_per_thread=300 --flush_one_in=100 --reopen=2 "
                "--fs_uri=TimedFS --write_fault_one_in=500 "
                "--tolerate_non_injected_io_errors_for_remote_dbs=1"),
            0)
      << output_;
  // Checksums are handed down to a file system that looks at them.
  EXPECT_EQ(Run("--ops_per_thread=300 --flush_one_in=100 --reopen=2 "
                "--enable_checksum_handoff=1"),
            0)
      << output_;
}

TEST_F(DbStressTest, DatabasesWorkBesideEachOther) {
  EXPECT_EQ(Run("--num_dbs=3 --ops_per_thread=300 --reopen=2 --use_txn=1 "
                "--use_only_the_last_commit_time_batch_for_recovery=1"),
            0)
      << output_;
  // What they left is gone on with, each by its own expected state.
  EXPECT_EQ(Run("--num_dbs=3 --verification_only=1 --use_txn=1 "
                "--destroy_db_initially=0"),
            0)
      << output_;
  size_t verified = 0;
  for (size_t at = output_.find("Verification successful");
       at != std::string::npos;
       at = output_.find("Verification successful", at + 1)) {
    ++verified;
  }
  EXPECT_EQ(verified, 3u) << output_;
}

TEST_F(DbStressTest, WhatAsksForNothingIsTaken) {
  EXPECT_EQ(Run("--ops_per_thread=10 --use_txn=0 --num_dbs=1 --sqfc_name=foo "
                "--secondary_cache_uri= --backup_one_in=0"),
            0)
      << output_;
}

// Reads are as of stamps of the past, while history is cut off behind them.
TEST_F(DbStressTest, ReadsAreAsOfATimestamp) {
  const std::string flags =
      "--user_timestamp_size=8 --delrangepercent=2 --readpercent=18 "
      "--prefixpercent=10 --compact_range_one_in=50 --flush_one_in=200 "
      "--acquire_snapshot_one_in=100 --use_multiget=1 "
      "--key_may_exist_one_in=10 --clear_column_family_one_in=0 "
      "--import_family_one_in=500 --checkpoint_one_in=500 ";
  EXPECT_EQ(Run(flags + "--ops_per_thread=2000 --reopen=2"), 0) << output_;
  EXPECT_TRUE(Says("IncreaseFullHistoryTsLow")) << output_;
  EXPECT_TRUE(Says("reads of history that is gone")) << output_;
  const std::string next = flags + "--destroy_db_initially=0 ";
  EXPECT_NE(Run(next + "--kill_random_test=500"), 0) << output_;
  EXPECT_TRUE(Says("killed at ")) << output_;
  EXPECT_EQ(Run(next + "--ops_per_thread=200 --use_multiget=0"), 0) << output_;
}

TEST_F(DbStressTest, ScansOfSeveralRangesAreCompared) {
  const std::string flags =
      "--ops_per_thread=1000 --prefixpercent=0 --iterpercent=30 "
      "--flush_one_in=100 --compact_range_one_in=500 --read_fault_one_in=500 "
      "--use_multiscan=1 ";
  for (const char* way : {"", "--multiscan_reverse=1",
                          "--multiscan_use_async_io=1 --user_timestamp_size=8 "
                          "--clear_column_family_one_in=0"}) {
    EXPECT_EQ(Run(flags + way), 0) << output_;
    EXPECT_TRUE(Says("  preparing a scan of several ranges: ")) << output_;
    EXPECT_TRUE(Says("  scan of several ranges: ")) << output_;
  }
}

// What copies hold is compared with what is expected.
TEST_F(DbStressTest, CopiesOfTheDatabaseAreCompared) {
  const std::string flags =
      "--ops_per_thread=1000 --checkpoint_one_in=200 "
      "--import_family_one_in=200 --get_live_files_apis_one_in=100 "
      "--lock_wal_one_in=100 --get_current_wal_file_one_in=100 ";
  EXPECT_EQ(Run(flags), 0) << output_;
  EXPECT_TRUE(Says("  a copy of the database: ")) << output_;
  EXPECT_TRUE(Says("  removing a checkpoint: ")) << output_;
  EXPECT_TRUE(Says("  dropping an imported family: ")) << output_;
  EXPECT_TRUE(Says("  GetLiveFilesStorageInfo: ")) << output_;
  EXPECT_EQ(Run(flags + "--test_cf_consistency=1"), 0) << output_;
}

// The directories of backups go from one process to the next, also where one
// was killed.
TEST_F(DbStressTest, BackupsAreRestoredAndCompared) {
  const std::string flags =
      "--backup_one_in=100 --compact_range_one_in=300 --flush_one_in=100 "
      "--enable_blob_files=1 ";
  EXPECT_EQ(Run(flags + "--ops_per_thread=1000"), 0) << output_;
  EXPECT_TRUE(Says("  removing a restored database: ")) << output_;
  EXPECT_TRUE(Says("backups")) << output_;
  const std::string next = flags + "--destroy_db_initially=0 ";
  EXPECT_NE(Run(next + "--kill_random_test=1000"), 0) << output_;
  EXPECT_TRUE(Says("killed at ")) << output_;
  EXPECT_EQ(Run(next + "--ops_per_thread=300 --read_fault_one_in=1000 "
                       "--write_fault_one_in=1000 --backup_max_size=0"),
            0)
      << output_;
  EXPECT_EQ(Run(next + "--ops_per_thread=300 --backup_max_size=1"), 0)
      << output_;
  EXPECT_FALSE(Says("removing a restored database")) << output_;
}

TEST_F(DbStressTest, FilesAndIndexedBatchesAreWritten) {
  EXPECT_EQ(Run("--ops_per_thread=2000 --ingest_external_file_one_in=50 "
                "--use_wbwi_one_in=4 --use_merge=1 --promote_l0_one_in=200 "
                "--file_checksum_impl=crc32c "
                "--verify_file_checksums_one_in=500 --flush_one_in=200 "
                "--clear_column_family_one_in=2000"),
            0)
      << output_;
  EXPECT_TRUE(Says("  IngestExternalFile: ")) << output_;
  EXPECT_FALSE(Says("  IngestExternalFile of a deletion: ")) << output_;
  EXPECT_TRUE(Says("  Write of an indexed batch: ")) << output_;
  EXPECT_TRUE(Says("  VerifyFileChecksums: ")) << output_;
}

// Files that only delete a range, with files that fill it again.
TEST_F(DbStressTest, RangesAreReplacedByFiles) {
  EXPECT_EQ(
      Run("--ops_per_thread=1000 --reopen=2 --flush_one_in=200 "
          "--ingest_external_file_one_in=20 --nooverwritepercent=10 "
          "--test_ingest_standalone_range_deletion_one_in=2 "
          "--ingest_external_file_with_embedded_blobs=1 --format_version=7 "
          "--use_put_entity_one_in=5 --compact_range_one_in=300 "
          "--acquire_snapshot_one_in=50"),
      0)
      << output_;
  EXPECT_TRUE(Says("  IngestExternalFile of a deletion: ")) << output_;
}

// Every way to write and to read wide columns.
TEST_F(DbStressTest, EntitiesAreCompared) {
  const std::string flags =
      "--ops_per_thread=1000 --use_put_entity_one_in=2 --use_merge=1 "
      "--flush_one_in=200 --compact_range_one_in=300 --use_wbwi_one_in=10 "
      "--ingest_external_file_one_in=50 ";
  EXPECT_EQ(Run(flags + "--use_get_entity=1 --use_multi_cf_iterator=1"), 0)
      << output_;
  EXPECT_TRUE(Says("  GetEntity: ")) << output_;
  EXPECT_TRUE(Says("  PutEntity: ")) << output_;
  EXPECT_EQ(Run(flags + "--use_multi_get_entity=1"), 0) << output_;
  EXPECT_TRUE(Says("  MultiGetEntity: ")) << output_;
  for (const char* read : {"--use_get_entity=1", "--use_multi_get_entity=1"}) {
    EXPECT_EQ(Run(flags + read +
                  " --use_attribute_group=1 --use_multi_cf_iterator=1"),
              0)
        << output_;
  }
  EXPECT_EQ(Run(flags + "--test_cf_consistency=1"), 0) << output_;
  EXPECT_EQ(Run("--use_put_entity_one_in=1 --user_timestamp_size=8"), 2);
}

TEST_F(DbStressTest, IndexedBatchesAreIngested) {
  const std::string flags =
      "--disable_wal=1 --ingest_wbwi_one_in=20 --use_merge=1 "
      "--use_put_entity_one_in=5 --flush_one_in=300 ";
  EXPECT_EQ(Run(flags + "--ops_per_thread=1000 --reopen=2"), 0) << output_;
  EXPECT_TRUE(Says("  IngestWriteBatchWithIndex: ")) << output_;
  const std::string next = flags + "--destroy_db_initially=0 ";
  EXPECT_NE(Run(next + "--kill_random_test=1000"), 0) << output_;
  EXPECT_TRUE(Says("killed at ")) << output_;
  EXPECT_EQ(Run(next + "--verification_only=1"), 0) << output_;
  EXPECT_EQ(Run("--ingest_wbwi_one_in=20"), 2);
}

TEST_F(DbStressTest, IteratorsFetchLaterAndReadsWait) {
  const std::string flags =
      "--ops_per_thread=1000 --iterpercent=20 --prefixpercent=10 "
      "--flush_one_in=200 --compact_range_one_in=300 "
      "--allow_unprepared_value=1 --auto_refresh_iterator_with_snapshot=1 "
      "--enable_blob_files=1 --use_wbwi_one_in=10 "
      "--rate_limiter_bytes_per_sec=104857600 --rate_limit_user_ops=1 "
      "--rate_limit_auto_wal_flush=1 ";
  for (const char* more :
       {"--read_fault_one_in=300", "--rate_limit_bg_reads=1",
        "--use_multi_cf_iterator=1", "--test_batches_snapshots=1"}) {
    EXPECT_EQ(Run(flags + more), 0) << output_;
  }
}

TEST_F(DbStressTest, WorkersCompact) {
  EXPECT_EQ(Run("--ops_per_thread=2000 --remote_compaction_worker_threads=2 "
                "--compact_range_one_in=100 --flush_one_in=100 --reopen=3 "
                "--set_options_one_in=100 --allow_resumption_one_in=2"),
            0)
      << output_;
  EXPECT_FALSE(Says("remote compaction: ")) << output_;
}

// Tables are taken away before each opening; what is found must be a state
// that was.
TEST_F(DbStressTest, BestEffortsFindAnEarlierState) {
  const std::string flags =
      "--best_efforts_recovery=1 --cut_tables_one_in=1 --disable_wal=1 "
      "--flush_one_in=100 --compact_range_one_in=300 --column_families=1 ";
  ASSERT_EQ(Run(flags + "--ops_per_thread=100"), 0) << output_;
  bool was_cut = false;
  for (int i = 0; i < 4; ++i) {
    const std::string next =
        flags + "--destroy_db_initially=0 --seed=" + std::to_string(i + 1);
    EXPECT_NE(Run(next + " --kill_random_test=1000"), 0) << output_;
    EXPECT_TRUE(Says("killed at ")) << output_;
    was_cut = was_cut || Says("Took away ");
  }
  EXPECT_TRUE(was_cut);
}

// Blobs and what memory holds are in a cache that is changed meanwhile.
TEST_F(DbStressTest, ATieredCacheIsChanged) {
  const std::string flags =
      "--ops_per_thread=1000 --flush_one_in=100 --compact_range_one_in=300 "
      "--enable_blob_files=1 --set_options_one_in=50 --use_blob_cache=1 "
      "--prepopulate_blob_cache=1 --prepopulate_block_cache=2 "
      "--allow_setting_blob_options_dynamically=1 --charge_table_reader=1 "
      "--charge_file_metadata=1 --charge_filter_construction=1 ";
  for (const char* type :
       {"tiered_lru_cache", "tiered_auto_hyper_clock_cache"}) {
    EXPECT_EQ(Run(flags + "--cache_type=" + type +
                  " --compressed_secondary_cache_size=1048576 "
                  "--secondary_cache_update_interval=1000"),
              0)
        << output_;
    EXPECT_TRUE(Says("  UpdateTieredCache: ")) << output_;
    EXPECT_TRUE(Says("  SetOptions of blobs: ")) << output_;
  }
}

TEST_F(DbStressTest, LookupsOfSeveralKeysAreComparedWithThoseOfOne) {
  const std::string flags =
      "--ops_per_thread=500 --readpercent=20 --prefixpercent=10 --reopen=0 "
      "--flush_one_in=200 --use_merge=1 --verify_before_write=1 "
      "--continuous_verification_interval=10 ";
  EXPECT_EQ(Run(flags + "--use_multiget=1"), 0) << output_;
  EXPECT_TRUE(Says("  MultiGet compared: ")) << output_;
  EXPECT_TRUE(Says("  Get before a write: ")) << output_;
  EXPECT_TRUE(Says("  continuous verification: ")) << output_;
  EXPECT_EQ(Run(flags + "--use_multiget=1 --check_multiget_consistency=0"), 0)
      << output_;
  EXPECT_FALSE(Says("  MultiGet compared: ")) << output_;
  const std::string entities =
      flags + "--use_multi_get_entity=1 --use_put_entity_one_in=2 ";
  EXPECT_EQ(Run(entities), 0) << output_;
  EXPECT_TRUE(Says("  MultiGetEntity compared: ")) << output_;
  EXPECT_EQ(Run(entities + "--check_multiget_entity_consistency=0"), 0)
      << output_;
  EXPECT_FALSE(Says("  MultiGetEntity compared: ")) << output_;
  EXPECT_EQ(Run(flags + "--test_cf_consistency=1"), 0) << output_;
  EXPECT_TRUE(Says("  Get before a write: ")) << output_;
  EXPECT_TRUE(Says("  continuous verification: ")) << output_;
}

// What cannot be verified is kept as it was; what could be is not.
TEST_F(DbStressTest, FilesAreKeptUntilTheyAreVerified) {
  ASSERT_EQ(Run("--ops_per_thread=300 --reopen=0"), 0) << output_;
  const std::string next =
      "--destroy_db_initially=0 --ops_per_thread=100 --reopen=0 "
      "--preserve_unverified_changes=1 ";
  EXPECT_EQ(Run(next), 0) << output_;
  const std::string kept = directory_.path() + "/db/unverified/CURRENT";
  const std::string seek = "test -f " + kept;
  int status = 0;
  RunShell(seek, &status);
  EXPECT_NE(status, 0);
  // One that is older than what is expected of it.
  RunShell("cp -r " + directory_.path() + "/db " + directory_.path() + "/old",
           &status);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(Run(next), 0) << output_;
  RunShell("rm -r " + directory_.path() + "/db && mv " + directory_.path() +
               "/old " + directory_.path() + "/db",
           &status);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(Run(next), 1) << output_;
  RunShell(seek + " && test -n \"$(ls " + directory_.path() +
               "/expected/unverified)\"",
           &status);
  EXPECT_EQ(status, 0);
}

TEST_F(DbStressTest, PutsWithATimeAndOldMergesAreCompared) {
  const std::string flags =
      "--ops_per_thread=1000 --reopen=3 --flush_one_in=100 "
      "--compact_range_one_in=300 --use_timed_put_one_in=3 "
      "--mark_for_compaction_one_file_in=2 --open_read_only_one_in=1 "
      "--enable_memtable_insert_with_hint_prefix_extractor=1 "
      "--compaction_thread_pool_adjust_interval=1 "
      "--compaction_thread_pool_variations=3 ";
  EXPECT_EQ(Run(flags + "--use_merge=1 --use_full_merge_v1=1"), 0) << output_;
  EXPECT_TRUE(Says("  TimedPut: ")) << output_;
  EXPECT_TRUE(Says("  resized pools: ")) << output_;
  EXPECT_TRUE(Says("Opened for reading only, before")) << output_;
  EXPECT_EQ(Run(flags + "--preserve_internal_time_seconds=3600"), 0) << output_;
  EXPECT_EQ(Run(flags + "--test_batches_snapshots=1 --use_merge=1"), 0)
      << output_;
  EXPECT_EQ(Run("--use_full_merge_v1=1 --use_put_entity_one_in=2"), 2);
  EXPECT_EQ(Run("--use_timed_put_one_in=2 --user_timestamp_size=8"), 2);
}

// The faults of the run are not those of the look in front of a reopening,
// whose tables are opened by threads of the engine.
TEST_F(DbStressTest, ALookBeforeAReopeningHasNoFaults) {
  EXPECT_EQ(Run("--ops_per_thread=2000 --reopen=8 --flush_one_in=50 "
                "--disable_auto_compactions=1 --open_read_only_one_in=1 "
                "--open_files=-1 --metadata_read_fault_one_in=3 "),
            0)
      << output_;
  EXPECT_TRUE(Says("Opened for reading only, before")) << output_;
}

TEST_F(DbStressTest, KeysAreOfAskedLengthsAndSomeAreHot) {
  const std::string flags =
      "--ops_per_thread=500 --reopen=1 --hot_key_alpha=2 --histogram=1 "
      "--key_len_percent_dist=1,30,69 --key_window_scale_factor=2 ";
  EXPECT_EQ(Run(flags), 0) << output_;
  EXPECT_TRUE(Says("  time of puts: ")) << output_;
  EXPECT_EQ(Run(flags + "--active_width=100 --test_batches_snapshots=1"), 0)
      << output_;
}

TEST_F(DbStressTest, SecondaryInstancesAreCompared) {
  const std::string flags =
      "--ops_per_thread=1000 --reopen=1 --flush_one_in=100 --test_secondary=1 "
      "--compact_range_one_in=200 --continuous_verification_interval=20 ";
  for (const char* more :
       {"--manual_wal_flush_one_in=100", "--disable_wal=1",
        "--user_timestamp_size=8 --clear_column_family_one_in=0",
        "--test_cf_consistency=1"}) {
    EXPECT_EQ(Run(flags + more + " --secondaries_base=" + directory_.path()), 0)
        << output_;
    EXPECT_TRUE(Says("  secondary instances: ")) << output_;
    EXPECT_TRUE(Says("  closing a secondary instance: ")) << output_;
    EXPECT_FALSE(Says("not supported")) << output_;
  }
}

TEST_F(DbStressTest, FollowersAreCompared) {
  const std::string flags =
      "--ops_per_thread=1000 --reopen=1 --flush_one_in=100 --test_follower=1 "
      "--compact_range_one_in=200 --continuous_verification_interval=20 ";
  for (const char* more :
       {"--manual_wal_flush_one_in=100", "--disable_wal=1",
        "--user_timestamp_size=8 --clear_column_family_one_in=0",
        "--test_cf_consistency=1 --atomic_flush=1"}) {
    EXPECT_EQ(Run(flags + more), 0) << output_;
    EXPECT_TRUE(Says("  followers: ")) << output_;
    EXPECT_TRUE(Says("  closing a follower: ")) << output_;
    EXPECT_FALSE(Says("not supported")) << output_;
  }
  EXPECT_EQ(Run(flags + "--test_cf_consistency=1"), 2);
  EXPECT_TRUE(Says("--atomic_flush")) << output_;
}

// Tables with a trie, and without one from a run before; in the end those that
// are read by it alone.
TEST_F(DbStressTest, ReadsGoByATrieToo) {
  const std::string flags =
      "--ops_per_thread=700 --reopen=2 --flush_one_in=100 "
      "--compact_range_one_in=200 --use_multiget=1 --checkpoint_one_in=300 ";
  EXPECT_EQ(Run(flags), 0) << output_;
  EXPECT_EQ(Run(flags + "--destroy_db_initially=0 --use_trie_index=1"), 0)
      << output_;
  EXPECT_EQ(Run(flags + "--use_trie_index=1 --use_udi_as_primary_index=1"), 0)
      << output_;
  EXPECT_TRUE(Says("Verification successful")) << output_;
  EXPECT_EQ(Run("--use_trie_index=1 --user_timestamp_size=8"), 2);
  EXPECT_TRUE(Says("--use_trie_index")) << output_;
  EXPECT_EQ(Run("--use_trie_index=1 --compression_parallel_threads=4"), 2);
}

TEST_F(DbStressTest, CodecsAreMixed) {
  for (const char* manager : {"mixed", "randommixed", "autoskip", "none"}) {
    EXPECT_EQ(Run(std::string("--compression_manager=") + manager +
                  " --ops_per_thread=500 --reopen=1 --flush_one_in=50 "
                  "--destroy_db_initially=" +
                  (std::string(manager) == "mixed" ? "1" : "0") +
                  " --compression_parallel_threads=2"),
              0)
        << manager << output_;
  }
  EXPECT_EQ(Run("--compression_manager=custom"), 2);
  EXPECT_TRUE(Says("--compression_manager=custom")) << output_;
}

// Tables of several filters lie beside each other.
TEST_F(DbStressTest, IteratorsLeaveTablesOut) {
  const std::string flags =
      "--ops_per_thread=500 --reopen=1 --flush_one_in=50 --delrangepercent=1 "
      "--writepercent=34 --iterpercent=20 --use_merge=1 ";
  for (const char* filters :
       {"--sqfc_version=1",
        "--destroy_db_initially=0 --sqfc_version=1 "
        "--sqfc_name=bar",
        "--destroy_db_initially=0 --sqfc_version=2",
        "--destroy_db_initially=0 --sqfc_version=2 --sqfc_name=unknown"}) {
    EXPECT_EQ(Run(flags + filters), 0) << filters << output_;
    EXPECT_TRUE(Says("  iterators that leave tables out: ")) << output_;
  }
  EXPECT_EQ(Run(flags + "--sqfc_version=2 --use_sqfc_for_range_queries=0"), 0)
      << output_;
  EXPECT_FALSE(Says("  iterators that leave tables out: ")) << output_;
  EXPECT_EQ(Run("--sqfc_version=3"), 2) << output_;
}

TEST_F(DbStressTest, FilesAreIngestedWithWhatIsKnownOfThem) {
  EXPECT_EQ(Run("--ops_per_thread=500 --reopen=1 --flush_one_in=100 "
                "--ingest_external_file_one_in=10 "
                "--test_ingest_standalone_range_deletion_one_in=3 "
                "--ingest_external_file_prepare_commit_one_in=3 "
                "--ingest_external_file_use_file_info_one_in=2"),
            0)
      << output_;
  EXPECT_TRUE(Says("  ingestions of files that are known: ")) << output_;
}

TEST_F(DbStressTest, FlagsThatTakeTheirDefaultOnlySayWhy) {
  for (const char* flag :
       {"--wp_commit_cache_bits=3", "--wp_snapshot_cache_bits=1",
        "--clear_wp_commit_cache_one_in=9", "--verify_cpu_corruption_dir=x"}) {
    EXPECT_EQ(Run(flag), 2) << output_;
    EXPECT_TRUE(Says(std::string(flag) + ": not there: ")) << output_;
  }
  EXPECT_EQ(Run("--ops_per_thread=0 --wp_commit_cache_bits=23 "
                "--verify_cpu_corruption_dir= "
                "--clear_wp_commit_cache_one_in=0"),
            0)
      << output_;
}

// Openings turn updates in place on and off. What snapshots show may change
// meanwhile, what is written must not be lost.
TEST_F(DbStressTest, ValuesChangeInPlaceAtTimes) {
  const std::string flags =
      "--use_merge=1 --acquire_snapshot_one_in=20 --snapshot_hold_ops=50 "
      "--iterpercent=20 --writepercent=35 --flush_one_in=200 --max_key=100 "
      "--memtable_protection_bytes_per_key=0 "
      "--check_multiget_consistency=1 ";
  EXPECT_EQ(Run(flags + "--ops_per_thread=500 --in_place_update=1"), 0)
      << output_;
  EXPECT_EQ(Run(flags + "--ops_per_thread=2000 --reopen=9 "
                        "--set_in_place_one_in=2"),
            0)
      << output_;
  for (const char* with : {"0", "1"}) {
    int status = 0;
    RunShell("grep -q 'inplace_update_support: *" + std::string(with) + "' " +
                 directory_.path() + "/db/LOG*",
             &status);
    EXPECT_EQ(status, 0) << with;
  }
  EXPECT_EQ(Run("--in_place_update=1 --test_batches_snapshots=1"), 2);
  EXPECT_TRUE(Says("inplace_update_support")) << output_;
  EXPECT_EQ(Run("--set_in_place_one_in=1 --allow_concurrent_memtable_write=1"),
            2);
  EXPECT_TRUE(Says("inplace_update_support")) << output_;
}

TEST_F(DbStressTest, ValuesOfAStackedBlobDBAreInBlobFiles) {
  EXPECT_EQ(Run("--use_blob_db=1 --blob_db_file_size=4096 --blob_db_enable_gc=1"
                " --ops_per_thread=500 --flush_one_in=100 --reopen=1"),
            0)
      << output_;
  int status = 0;
  RunShell("ls " + directory_.path() + "/db/*.blob", &status);
  EXPECT_EQ(status, 0);
}

TEST_F(DbStressTest, ADirectoryIsRemoved) {
  const std::string place = directory_.path() + "/more";
  int status = 0;
  RunShell("mkdir -p " + place + "/in", &status);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(Run("--delete_dir_and_exit=" + place), 0) << output_;
  RunShell("test -e " + place + " -o -e " + directory_.path() + "/db", &status);
  EXPECT_NE(status, 0);
}

// A database that lost what it had promised to keep is found out.
TEST_F(DbStressTest, ALossIsSeen) {
  ASSERT_EQ(Run("--ops_per_thread=300 --flush_one_in=100"), 0) << output_;
  int status = 0;
  RunShell("rm -r " + directory_.path() + "/db", &status);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(Run("--destroy_db_initially=0 --verification_only=1"), 1);
  EXPECT_TRUE(Says("after recovery")) << output_;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
