// Crashes at random moments of a random workload, each followed by a recovery
// of the same database, which then goes on: unsynced blocks and names survive
// with probability 0, 10, 50 or 100 %, and what is there is always a prefix
// that holds everything acknowledged as durable.
#include <gtest/gtest.h>

#include <string>

#include "tests/db/impl/fault_world.h"
#include "tests/testing/scale.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int kSurvivalPercents[] = {0, 10, 50, 100};
// Together 2 000 recoveries, or as many times more as the scale says; in parts,
// which run side by side.
constexpr uint64_t kParts = 8;
constexpr uint64_t kChainsPerPart = 25;
constexpr int kCrashesPerChain = 10;

struct Counts {
  int recoveries = 0;
  int resumed = 0;
  size_t lost = 0;  // acknowledged, but not as durable
};

class CrashChain {
 public:
  CrashChain(uint64_t seed, Counts* counts)
      : random_(seed),
        world_(seed, seed % 2 == 1, 1500),
        has_passing_faults_(seed % 8 < 4),
        counts_(counts) {
    if (seed % 5 < 3) world_.fs_->MapLogs();
    Options& options = world_.options_;
    options.disable_auto_compactions = seed % 4 < 2;
    options.level0_file_num_compaction_trigger = 2;
    options.write_buffer_size = 64 << 10;
    options.target_file_size_base = 32 << 10;
    options.wal_bytes_per_sync = seed % 3 == 0 ? 8 << 10 : 0;
    options.avoid_flush_during_recovery = seed % 5 == 0;
    options.atomic_flush = seed % 7 == 3;
    options.recycle_log_file_num = seed % 3 == 1 ? 2 : 0;
    options.wal_compression = seed % 11 < 4 ? kZSTD : kNoCompression;
    options.track_and_verify_wals_in_manifest = seed % 5 < 2;
    options.track_and_verify_wals = seed % 13 < 5;
    options.enable_pipelined_write = seed % 7 == 1;
    options.unordered_write = seed % 7 == 5;
    options.two_write_queues = seed % 7 == 2;
    options.allow_concurrent_memtable_write = seed % 7 != 6;
    options.manual_wal_flush = seed % 9 == 4;
    options.background_close_inactive_wals = seed % 4 == 1;
    options.avoid_unnecessary_blocking_io = seed % 6 == 1;
    options.log_readahead_size = seed % 5 == 3 ? 100 << 10 : 0;
    options.memtable_protection_bytes_per_key = seed % 3 == 2 ? 4 : 0;
    options.memtable_prefix_bloom_size_ratio = seed % 4 == 2 ? 0.1 : 0;
    options.memtable_whole_key_filtering = true;
    options.max_write_buffer_size_to_maintain = seed % 8 == 6 ? 100000 : 0;
    options.optimize_manifest_for_recovery = seed % 10 < 5;
    options.reuse_manifest_on_open = seed % 12 < 6;
    options.open_files_async = seed % 14 < 4;
    options.skip_stats_update_on_db_open = options.open_files_async;
    if (seed % 6 == 1) options.wal_dir = "/logs";
    if (seed % 3 == 1) world_.UseBlobs();
    if (seed % 9 == 5) world_.UseTimestampsInMemory();
  }

  void UseDirectBlobs() { world_.UseDirectBlobs(); }

  // What is wrong; empty if nothing.
  std::string Run() {
    Status s = world_.Open();
    if (!s.ok()) return s.ToString();
    for (int i = 0; i < kCrashesPerChain; ++i) {
      const std::string wrong = CrashOnce();
      if (!wrong.empty()) return "crash " + std::to_string(i) + ", " + wrong;
    }
    return "";
  }

 private:
  void Step() {
    const std::string family = world_.Handle("b") != nullptr && random_.OneIn(2)
                                   ? "b"
                                   : std::string(kDefaultColumnFamilyName);
    Status s;
    switch (random_.Uniform(24)) {
      case 0:
        s = world_.FlushAll();
        break;
      case 1:
        s = world_.db_->Flush(FlushOptions(), world_.Handle(family));
        break;
      case 2:
        s = world_.CompactAll(world_.Handle(family));
        break;
      case 3:
        s = world_.db_->SyncWAL();
        if (s.ok()) world_.history_.NoteAllDurable();
        break;
      case 4:
        if (world_.Handle("b") == nullptr) s = world_.CreateFamily("b");
        break;
      case 5:
        s = world_.db_->SetOptions({{"max_write_buffer_number", "3"}});
        break;
      case 6:
        s = world_.HasTimestamps() ? world_.RaiseHistory(world_.Handle(family))
                                   : world_.Write(family, random_.OneIn(8));
        break;
      default:
        s = world_.Write(family, random_.OneIn(8));
        break;
    }
    // Refused steps are part of the game: the device is gone.
    IgnoreError(s, "the check after the crash says what counts");
  }

  void WorkUntilFault() {
    for (int i = 0; i < 200 && !world_.fs_->failed(); ++i) Step();
  }

  // Work until the device is gone, at a random call; crash; recover; check.
  std::string CrashOnce() {
    if (has_passing_faults_) {
      // First a fault that passes.
      world_.fs_->FailCall(
          {.call = 1 + random_.Uniform(100),
           .kind = random_.OneIn(2) ? FaultKind::kShort : FaultKind::kNoSpace});
      WorkUntilFault();
    }
    world_.fs_->FailCall(
        {.call = 1 + random_.Uniform(150),
         .kind = random_.OneIn(2) ? FaultKind::kShort : FaultKind::kIOError,
         .is_permanent = true});
    if (has_passing_faults_ && world_.db_->Resume().ok()) ++counts_->resumed;
    WorkUntilFault();
    IgnoreError(world_.Close(), "the device is gone");
    const CrashOptions crash{.survival_percent =
                                 kSurvivalPercents[random_.Uniform(4)]};
    const std::string where = std::to_string(crash.survival_percent) +
                              " % survive, at " + world_.fs_->failed_call() +
                              ": ";
    Status s = world_.fs_->CrashAndHeal(crash);
    if (s.ok()) s = world_.Open();
    if (!s.ok()) return where + s.ToString();
    const std::string wrong = world_.Check(false);
    if (!wrong.empty()) return where + wrong;
    counts_->lost += world_.history_.TakeOver();
    ++counts_->recoveries;
    return "";
  }

  Random64 random_;
  FaultWorld world_;
  const bool has_passing_faults_;
  Counts* const counts_;
};

// Blobs that are written before the log has the references to them; a part is
// as many chains as one of the others.
constexpr uint64_t kDirectBlobsPart = kParts;

class CrashClone : public ::testing::TestWithParam<uint64_t> {};

TEST_P(CrashClone, WhatIsThereIsAPrefix) {
  Counts counts;
  int failures = 0;
  const uint64_t chains = kChainsPerPart * TestScale();
  const TestSeeds seeds(GetParam() * chains + 1, chains);
  for (uint64_t seed = seeds.begin; seed < seeds.end && failures < 5; ++seed) {
    CrashChain chain(seed, &counts);
    if (GetParam() == kDirectBlobsPart) chain.UseDirectBlobs();
    const std::string wrong = chain.Run();
    EXPECT_EQ(wrong, "") << "seed " << seed;
    if (!wrong.empty()) ++failures;
  }
  if (seeds.end - seeds.begin != chains) return;
  EXPECT_EQ(counts.recoveries, static_cast<int>(chains) * kCrashesPerChain);
  EXPECT_GT(counts.resumed, 10);
  // The crashes do hurt; how much is a matter of the threads' luck.
  EXPECT_GT(counts.lost, 20u);
}

INSTANTIATE_TEST_SUITE_P(Parts, CrashClone,
                         ::testing::Range<uint64_t>(0, kDirectBlobsPart + 1));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
