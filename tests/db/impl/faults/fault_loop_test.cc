// A scenario in which the k-th call to the file system fails, for every k, and
// crashes at random moments: afterwards the database opens, what was
// acknowledged as durable is there, and the rest is a prefix without a hole.
#include <gtest/gtest.h>

#include <string>

#include "file/buffer_pool.h"
#include "tests/db/impl/fault_world.h"
#include "tests/testing/scale.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Scenario {
 public:
  explicit Scenario(FaultWorld* world) : world_(world) {}

  // Goes on after each failure as an application would: Resume(), next step.
  // What is wrong; empty if nothing.
  std::string Run() {
    if (!Opens()) return "a second open fails: " + status_.ToString();
    FirstLife();
    if (std::string wrong = CheckLive(); !wrong.empty()) {
      return "live, " + wrong;
    }
    Try(world_->Close());
    if (!Opens()) return "a second reopen fails: " + status_.ToString();
    SecondLife();
    if (std::string wrong = CheckLive(); !wrong.empty()) {
      return "live after reopen, " + wrong;
    }
    IgnoreError(world_->Close(), "a crash follows");
    return "";
  }

 private:
  bool Opens() {
    status_ = world_->Open();
    if (!status_.ok()) status_ = world_->Open();
    return status_.ok();
  }
  // A read that fails does no harm: the next one is good.
  std::string CheckLive() {
    const bool had_failed = world_->fs_->failed();
    std::string wrong = world_->Check(true);
    if (had_failed || !world_->fs_->failed()) return wrong;
    return world_->Check(true);
  }
  void Try(const Status& s) {
    if (s.ok() || world_->db_ == nullptr) return;
    IgnoreError(world_->db_->Resume(), "the next steps show what holds");
  }
  void Write(const std::string& family, bool sync = false) {
    if (world_->Handle(family) != nullptr) Try(world_->Write(family, sync));
  }
  void WriteSome(int count) {
    for (int i = 0; i < count; ++i) {
      Write(i % 2 == 0 ? kDefaultColumnFamilyName : "b");
    }
  }
  void Compact(const std::string& family) {
    ColumnFamilyHandle* handle = world_->Handle(family);
    if (handle != nullptr) Try(world_->CompactAll(handle));
  }

  void FirstLife() {
    DB* db = world_->db_.get();
    WriteSome(3);
    Write(kDefaultColumnFamilyName, true);
    Try(world_->FlushAll());
    Try(world_->CreateFamily("b"));
    Try(world_->CreateFamily("dropped"));
    WriteSome(6);
    Write("dropped");
    Write("b", true);
    Try(db->SetOptions({{"level0_file_num_compaction_trigger", "3"}}));
    Try(world_->FlushAll());
    WriteSome(4);
    if (world_->HasTimestamps()) {
      Try(world_->RaiseHistory(world_->Handle(kDefaultColumnFamilyName)));
    }
    Drop();
    Try(world_->FlushAll());
    WriteSome(3);
    Try(db->SetDBOptions({{"max_background_jobs", "3"}}));
    Compact(kDefaultColumnFamilyName);
    WriteSome(3);
    const Status synced = db->SyncWAL();
    if (synced.ok()) world_->history_.NoteAllDurable();
    Try(synced);
    WriteSome(3);
  }
  void SecondLife() {
    WriteSome(3);
    Try(world_->FlushAll());
    Compact("b");
    Write("b", true);
    Compact(kDefaultColumnFamilyName);
    WriteSome(2);
  }
  void Drop() {
    ColumnFamilyHandle* handle = world_->Handle("dropped");
    if (handle == nullptr) return;
    // Even if this fails, the family may be gone.
    world_->history_.Forget("dropped");
    Try(world_->db_->DropColumnFamily(handle));
    Try(world_->db_->DestroyColumnFamilyHandle(handle));
    std::erase(world_->handles_, handle);
  }

  FaultWorld* const world_;
  Status status_;
};

std::string OpenHandles(const FaultInjectionFileSystem& fs) {
  std::string text = "handles by kind:";
  for (size_t kind = 0; kind < kFileKindCount; ++kind) {
    text += " " + std::to_string(fs.open_handles(static_cast<FileKind>(kind)));
  }
  return text;
}

enum class Values {
  kInTables,
  kInBlobFiles,
  kInBlobFilesFirst,
  kWithTimestamps,
  kBesideKeptManifest,
};

// One run; empty if all promises hold. *struck: did the fault happen?
std::string RunWithFault(const Fault& fault, bool is_direct, Values values,
                         bool* struck) {
  FaultWorld world(fault.call, is_direct, 500);
  if (values == Values::kInBlobFiles) world.UseBlobs();
  if (values == Values::kInBlobFilesFirst) world.UseDirectBlobs();
  if (values == Values::kWithTimestamps) world.UseTimestampsInMemory();
  if (values == Values::kBesideKeptManifest) {
    world.options_.reuse_manifest_on_open = true;
    world.options_.optimize_manifest_for_recovery = true;
  }
  world.fs_->FailCall(fault);
  std::string wrong = Scenario(&world).Run();
  *struck = world.fs_->failed();
  const std::string where = " after " + world.fs_->failed_call();
  if (!wrong.empty()) return wrong + where;
  if (world.fs_->open_handles() != 0) {
    return OpenHandles(*world.fs_) + " leak" + where;
  }
  if (BufferPool::Default()->LeasedBytes() != 0)
    return "a buffer leaks" + where;
  for (const std::string& use : world.watch_->violations()) {
    return use + " of a file whose sync had failed," + where;
  }
  IOStatus crashed = world.fs_->CrashAndHeal();
  if (!crashed.ok()) return crashed.ToString();
  Status s = world.Open();
  if (!s.ok()) return "after the crash: " + s.ToString() + where;
  for (const std::string& orphan : world.Orphans()) {
    return orphan + " is left over" + where;
  }
  wrong = world.Check(false);
  if (wrong.empty()) {
    s = world.Write(kDefaultColumnFamilyName, true);
    if (s.ok()) s = world.FlushAll();
    if (!s.ok()) wrong = s.ToString();
  }
  if (!wrong.empty()) return "after the crash, " + wrong + where;
  s = world.Close();
  if (!s.ok()) return "closing after the crash: " + s.ToString() + where;
  return world.fs_->open_handles() == 0 ? "" : "handles leak after the crash";
}

struct LoopCase {
  const char* name;
  FaultKind kind;
  FaultScope scope;
  enum class Mode { kBuffered, kDirect, kAlternating } mode;
  Values values = Values::kInTables;
};
using LoopMode = LoopCase::Mode;

class FaultLoop : public ::testing::TestWithParam<LoopCase> {};

TEST_P(FaultLoop, EveryCallFailsOnce) {
  const LoopCase& c = GetParam();
  int failures = 0;
  uint64_t k = 1;
  for (bool struck = true; struck; k += TestShare()) {
    ASSERT_LT(k, 5000u) << "the scenario never runs through";
    const Fault fault{.call = k, .kind = c.kind, .scope = c.scope};
    const bool is_direct = c.mode == LoopMode::kDirect ||
                           (c.mode == LoopMode::kAlternating && k % 2 == 0);
    const std::string wrong = RunWithFault(fault, is_direct, c.values, &struck);
    EXPECT_EQ(wrong, "") << c.name << ", k = " << k;
    if (!wrong.empty() && ++failures == 5) break;
  }
  RecordProperty("calls", static_cast<int>(k));
  EXPECT_GT(k, c.kind == FaultKind::kSyncFailure ? 15u : 100u);
}

// Together under half a minute: what fails early in a call is alike for all
// kinds of errors, so that ENOSPC and short transfers take turns.
INSTANTIATE_TEST_SUITE_P(
    Faults, FaultLoop,
    ::testing::Values(
        LoopCase{"AnyIOError", FaultKind::kIOError, FaultScope::kAllCalls,
                 LoopMode::kBuffered},
        LoopCase{"AnyIOErrorDirect", FaultKind::kIOError, FaultScope::kAllCalls,
                 LoopMode::kDirect},
        LoopCase{"NoSpace", FaultKind::kNoSpace, FaultScope::kMutatingCalls,
                 LoopMode::kAlternating},
        LoopCase{"ShortTransfer", FaultKind::kShort, FaultScope::kAllCalls,
                 LoopMode::kAlternating},
        LoopCase{"Sync", FaultKind::kSyncFailure, FaultScope::kMutatingCalls,
                 LoopMode::kBuffered},
        LoopCase{"SyncDirect", FaultKind::kSyncFailure,
                 FaultScope::kMutatingCalls, LoopMode::kDirect},
        LoopCase{"Blobs", FaultKind::kIOError, FaultScope::kAllCalls,
                 LoopMode::kAlternating, Values::kInBlobFiles},
        LoopCase{"BlobsShortTransfer", FaultKind::kShort, FaultScope::kAllCalls,
                 LoopMode::kAlternating, Values::kInBlobFiles},
        LoopCase{"BlobsSync", FaultKind::kSyncFailure,
                 FaultScope::kMutatingCalls, LoopMode::kAlternating,
                 Values::kInBlobFiles},
        LoopCase{"BlobsFirst", FaultKind::kIOError, FaultScope::kAllCalls,
                 LoopMode::kAlternating, Values::kInBlobFilesFirst},
        LoopCase{"BlobsFirstShortTransfer", FaultKind::kShort,
                 FaultScope::kAllCalls, LoopMode::kAlternating,
                 Values::kInBlobFilesFirst},
        LoopCase{"BlobsFirstSync", FaultKind::kSyncFailure,
                 FaultScope::kMutatingCalls, LoopMode::kAlternating,
                 Values::kInBlobFilesFirst},
        LoopCase{"Timestamps", FaultKind::kIOError, FaultScope::kMutatingCalls,
                 LoopMode::kAlternating, Values::kWithTimestamps},
        LoopCase{"KeptManifest", FaultKind::kIOError, FaultScope::kAllCalls,
                 LoopMode::kBuffered, Values::kBesideKeptManifest},
        LoopCase{"KeptManifestSync", FaultKind::kSyncFailure,
                 FaultScope::kMutatingCalls, LoopMode::kBuffered,
                 Values::kBesideKeptManifest}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
