// Ingestion, and crashes and failing calls in its middle: all files or none,
// the database opens, nothing that was there before is lost, and no file or
// handle stays behind.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/db/impl/db_fixture.h"
#include "util/ignore_error.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct FaultCase {
  const char* name;
  FaultKind kind = FaultKind::kIOError;
  FaultScope scope = FaultScope::kMutatingCalls;
  bool moves = false;
  bool links = false;
  bool writes_number = false;
  bool is_direct = false;
  bool replaces = false;  // a range of each family
};

// Two families that take files at once; each holds older values of the keys,
// in a table and in memory.
class IngestWorld {
 public:
  explicit IngestWorld(const FaultCase& c, uint64_t seed)
      : case_(c),
        fs_(std::make_shared<FaultInjectionFileSystem>(
            std::make_shared<MemFileSystem>(), seed)),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.create_missing_column_families = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    options_.info_log_level = InfoLogLevel::FATAL_LEVEL;
    options_.use_direct_io_for_compaction_reads = c.is_direct;
    options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  }
  ~IngestWorld() { IgnoreError(Close(), "the world ends"); }

  Status Open() {
    const std::vector<ColumnFamilyDescriptor> families{{"default", options_},
                                                       {"b", options_}};
    return DB::Open(options_, "/db", families, &handles_, &db_);
  }
  Status Close() {
    if (db_ == nullptr) return Status::OK();
    for (ColumnFamilyHandle* handle : handles_) {
      IgnoreError(db_->DestroyColumnFamilyHandle(handle), "it is ours");
    }
    handles_.clear();
    const Status s = db_->Close();
    db_.reset();
    return s;
  }
  // The device is lost first: files are removed in the background, which must
  // be over when the crash takes names back.
  Status Crash() {
    fs_->Deactivate();
    IgnoreError(Close(), "the device is gone");
    return fs_->CrashAndHeal();
  }
  // What is there before, durable.
  void SetUp() {
    ASSERT_OK(fs_->CreateDirIfMissing("/x", IOOptions(), nullptr));
    ASSERT_OK(Open());
    WriteOptions synced;
    synced.sync = true;
    for (ColumnFamilyHandle* handle : handles_) {
      ASSERT_OK(db_->Put(synced, handle, "k1", "old"));
      ASSERT_OK(db_->Flush(FlushOptions(), handle));
      ASSERT_OK(db_->Put(synced, handle, "k2", "old"));
      ASSERT_OK(db_->Put(synced, handle, "k3", "old"));
      ASSERT_OK(db_->Put(synced, handle, "z", "other"));
    }
    for (const char* path : kExternals) {
      SstFileWriter writer(EnvOptions(), options_);
      ASSERT_OK(writer.Open(path));
      ASSERT_OK(writer.Put("k1", std::string("new") + path));
      ASSERT_OK(writer.Put("k2", "new"));
      ASSERT_OK(writer.DeleteRange("l", "m"));
      ExternalSstFileInfo info;
      ASSERT_OK(writer.Finish(&info));
      checksums_.push_back(info.file_checksum);
      contents_.push_back(ContentsOf(path));
    }
    std::unique_ptr<FSDirectory> directory;
    ASSERT_OK(fs_->NewDirectory("/x", IOOptions(), &directory, nullptr));
    ASSERT_OK(directory->Fsync(IOOptions(), nullptr));
  }
  Status Ingest() {
    std::vector<IngestExternalFileArg> args(2);
    args[0].column_family = handles_[0];
    args[0].external_files = {"/x/1", "/x/2"};
    args[1].column_family = handles_[1];
    args[1].external_files = {"/x/3"};
    if (case_.replaces) {
      args[0].atomic_replace_range = RangeOpt("k", "l");
      args[1].atomic_replace_range = RangeOpt(OptSlice(), "l");
    }
    for (IngestExternalFileArg& arg : args) {
      arg.options.move_files = case_.moves;
      arg.options.link_files = case_.links;
      arg.options.write_global_seqno = case_.writes_number;
      arg.options.verify_checksums_before_ingest = true;
    }
    args[0].files_checksums = {checksums_[0], checksums_[1]};
    args[1].files_checksums = {checksums_[2]};
    for (IngestExternalFileArg& arg : args) {
      arg.files_checksum_func_names.assign(arg.external_files.size(),
                                           kStandardDbFileChecksumFuncName);
    }
    return db_->IngestExternalFiles(args);
  }
  std::string Get(ColumnFamilyHandle* handle, const std::string& key) {
    std::string value;
    Status s = db_->Get(ReadOptions(), handle, key, &value);
    // A read that fails does no harm: the next one is good.
    if (!s.ok() && !s.IsNotFound()) {
      s = db_->Get(ReadOptions(), handle, key, &value);
    }
    return s.ok() ? value : s.ToString();
  }
  std::string State() {
    std::string text;
    for (ColumnFamilyHandle* handle : handles_) {
      for (const char* key : {"k1", "k2", "k3", "z"})
        text += Get(handle, key) + " ";
    }
    return text;
  }
  // Table files on disk that no version lists.
  size_t Orphans() {
    std::vector<std::string> names;
    EXPECT_OK(fs_->GetChildren("/db", IOOptions(), &names, nullptr));
    size_t tables = 0;
    for (const std::string& name : names) {
      tables += name.ends_with(".sst") || name.ends_with(".dbtmp");
    }
    std::vector<LiveFileMetaData> live;
    db_->GetLiveFilesMetaData(&live);
    return tables - live.size();
  }
  std::string ContentsOf(const std::string& path) {
    std::string contents;
    const Status s = ReadFileToString(env_.get(), path, &contents);
    return s.ok() ? contents : s.ToString();
  }
  // Are all there, with what was written?
  bool ExternalsAreWhole() {
    for (size_t i = 0; i < kExternals.size(); ++i) {
      if (ContentsOf(kExternals[i]) != contents_[i]) return false;
    }
    return true;
  }

  static constexpr std::array<const char*, 3> kExternals{"/x/1", "/x/2",
                                                         "/x/3"};
  static constexpr const char* kBefore = "old old old other old old old other ";
  std::string After() const {
    const std::string replaced = case_.replaces ? "NotFound: " : "old";
    return "new/x/2 new " + replaced + " other new/x/3 new " + replaced +
           " other ";
  }

  const FaultCase case_;
  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> handles_;
  // What SetUp() has written: of each external file.
  std::vector<std::string> checksums_;
  std::vector<std::string> contents_;
};

class IngestFaults : public ::testing::TestWithParam<FaultCase> {};

TEST_P(IngestFaults, EveryCallFailsOnce) {
  uint64_t k = 1;
  for (bool struck = true; struck; ++k) {
    ASSERT_LT(k, 2000u) << "the ingestion never runs through";
    IngestWorld world(GetParam(), k);
    world.SetUp();
    world.fs_->FailCall(
        {.call = k, .kind = GetParam().kind, .scope = GetParam().scope});
    const Status s = world.Ingest();
    struck = world.fs_->failed();
    const std::string where = "call " + std::to_string(k) + ", " +
                              world.fs_->failed_call() + ": " + s.ToString();
    world.fs_->Heal();
    if (s.ok()) {
      EXPECT_EQ(world.State(), world.After()) << where;
    } else {
      ASSERT_TRUE(struck) << where;
      EXPECT_EQ(world.State(), IngestWorld::kBefore) << where;
      EXPECT_TRUE(world.ExternalsAreWhole()) << where;
    }
    // What holds now holds after a crash, or the rest of it came to count.
    ASSERT_OK(world.Crash());
    EXPECT_EQ(world.fs_->open_handles(), 0u) << where;
    const Status opened = world.Open();
    ASSERT_TRUE(opened.ok()) << opened.ToString() << ", " << where;
    const std::string state = world.State();
    if (s.ok()) {
      EXPECT_EQ(state, world.After()) << where;
    } else {
      EXPECT_TRUE(state == IngestWorld::kBefore || state == world.After())
          << state << where;
    }
    EXPECT_EQ(world.Orphans(), 0u) << where;
    EXPECT_EQ(world.db_->VerifyFileChecksums(ReadOptions()).ToString(), "OK")
        << where;
    EXPECT_EQ(world.db_->VerifyChecksum().ToString(), "OK") << where;
    ASSERT_OK(world.Close());
    EXPECT_EQ(world.fs_->open_handles(), 0u) << where;
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(k, 10u);
}

// The same without a crash: after Resume() the ingestion may be tried again.
TEST_P(IngestFaults, MayBeTriedAgain) {
  uint64_t k = 1;
  for (bool struck = true; struck; ++k) {
    ASSERT_LT(k, 2000u);
    IngestWorld world(GetParam(), k);
    world.SetUp();
    world.fs_->FailCall(
        {.call = k, .kind = GetParam().kind, .scope = GetParam().scope});
    Status s = world.Ingest();
    struck = world.fs_->failed();
    const std::string where =
        "call " + std::to_string(k) + ", " + world.fs_->failed_call();
    world.fs_->Heal();
    if (!s.ok()) {
      IgnoreError(world.db_->Resume(), "there may be nothing to resume");
      s = world.Ingest();
    }
    EXPECT_TRUE(s.ok()) << s.ToString() << ", " << where;
    EXPECT_EQ(world.State(), world.After()) << where;
    ASSERT_OK(world.Close());
    ASSERT_OK(world.Open());
    EXPECT_EQ(world.State(), world.After()) << where;
    EXPECT_EQ(world.Orphans(), 0u) << where;
    if (::testing::Test::HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, IngestFaults,
    ::testing::Values(
        FaultCase{.name = "Copy"}, FaultCase{.name = "Move", .moves = true},
        FaultCase{.name = "Link", .links = true},
        FaultCase{.name = "NoSpaceDirect",
                  .kind = FaultKind::kNoSpace,
                  .is_direct = true},
        FaultCase{
            .name = "Sync", .kind = FaultKind::kSyncFailure, .moves = true},
        FaultCase{.name = "AnyShort",
                  .kind = FaultKind::kShort,
                  .scope = FaultScope::kAllCalls},
        FaultCase{.name = "Numbered", .writes_number = true},
        FaultCase{.name = "NumberedMove", .moves = true, .writes_number = true},
        FaultCase{.name = "NumberedLink", .links = true, .writes_number = true},
        FaultCase{.name = "Replace", .replaces = true},
        FaultCase{.name = "ReplaceAny",
                  .scope = FaultScope::kAllCalls,
                  .moves = true,
                  .replaces = true}),
    [](const auto& info) { return std::string(info.param.name); });

// What was written before the files, and not synced, does not go alone.
TEST(IngestCrash, EarlierWritesAreDurableWithTheFiles) {
  // With the memtables, which overlap, or with the log.
  for (const bool is_flushed : {false, true}) {
    SCOPED_TRACE(is_flushed);
    IngestWorld world({.name = ""}, 7);
    world.SetUp();
    if (is_flushed) {
      ASSERT_OK(world.db_->Flush(FlushOptions(), world.handles_));
    }
    ASSERT_OK(world.db_->Put(WriteOptions(), "y", "unsynced"));
    ASSERT_OK(world.Ingest());
    ASSERT_OK(world.Crash());
    ASSERT_OK(world.Open());
    EXPECT_EQ(world.State(), world.After());
    EXPECT_EQ(world.Get(world.handles_[0], "y"), "unsynced");
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
