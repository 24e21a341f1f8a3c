// What is stated of backups, and no test of a part looks at.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/file_checksum.h"
#include "tests/utilities/backup/backup_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Names = std::vector<std::string>;
using Ids = std::vector<BackupID>;

class StatedBackupsTest : public BackupFixture {
 protected:
  StatedBackupsTest()
      : fs_(std::make_shared<FaultInjectionFileSystem>(FileSystem::Default())),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
  }
  ~StatedBackupsTest() override {
    db_.reset();
    engine_.reset();
    other_.reset();
  }
  void OpenWithTable() {
    Open();
    ASSERT_OK(Put("a", "1"));
    ASSERT_OK(Flush());
  }
  std::string SharedPath() const {
    return root_ + "/shared_checksum/" + Below("shared_checksum").at(0);
  }

  const std::shared_ptr<FaultInjectionFileSystem> fs_;
  const std::unique_ptr<Env> env_;
};

// An engine gives an id once; what it has deleted the next does not know of.
TEST_F(StatedBackupsTest, AnIdOfTheNewestComesBackWithAnotherEngine) {
  ASSERT_NO_FATAL_FAILURE(OpenWithTable());
  OpenEngine();
  ASSERT_OK(Create());
  ASSERT_OK(Create());
  ASSERT_OK(engine_->DeleteBackup(2));
  ASSERT_OK(Create());
  EXPECT_EQ(ValidIds(), (Ids{1, 3}));
  ASSERT_OK(engine_->DeleteBackup(3));
  OpenEngine();
  ASSERT_OK(Create());
  EXPECT_EQ(ValidIds(), (Ids{1, 2}));
}

// Sizes are looked at without checksums; other files are not.
TEST_F(StatedBackupsTest, AnotherSizeIsSeenWithoutReading) {
  ASSERT_NO_FATAL_FAILURE(OpenWithTable());
  OpenEngine();
  ASSERT_OK(Create());
  const std::string good = ReadAll(SharedPath());
  for (const std::string& bytes : {good + "x", good.substr(1)}) {
    WriteAll(SharedPath(), bytes);
    const IOStatus s = engine_->VerifyBackup(1);
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  }
  WriteAll(SharedPath(), good);
  EXPECT_OK(engine_->VerifyBackup(1, true));
}

// A file of the name that no valid backup has is nobody's: it is not trusted.
TEST_F(StatedBackupsTest, WhatNoBackupHasIsCopiedAnew) {
  ASSERT_NO_FATAL_FAILURE(OpenWithTable());
  OpenEngine();
  ASSERT_OK(Create());
  const std::string path = SharedPath();
  const size_t size = ReadAll(path).size();
  ASSERT_OK(engine_->DeleteBackup(1));
  ASSERT_FALSE(std::filesystem::exists(path));
  for (const std::string& left : {std::string(size, 'x'), std::string("x")}) {
    WriteAll(path, left);
    OpenEngine();
    ASSERT_OK(Create());
    EXPECT_OK(engine_->VerifyBackup(1, true));
    EXPECT_EQ(ScanRestored(1), "a=1 ");
    ASSERT_OK(engine_->PurgeOldBackups(0));
  }
}

TEST_F(StatedBackupsTest, TheLatestIsTheNewestThatIsWhole) {
  ASSERT_NO_FATAL_FAILURE(OpenWithTable());
  OpenEngine();
  ASSERT_OK(Create());
  ASSERT_OK(Put("a", "2"));
  ASSERT_OK(Create());
  WriteAll(root_ + "/meta/2", "damaged");
  OpenEngine();
  EXPECT_EQ(DamagedIds(), Ids{2});
  BackupInfo info;
  ASSERT_OK(engine_->GetLatestBackupInfo(&info));
  EXPECT_EQ(info.backup_id, 1u);
  ASSERT_OK(engine_->RestoreDBFromLatestBackup(restored_, restored_));
  EXPECT_EQ(ScanAt(restored_), "a=1 ");
}

// Where users read directly, tables are read so for a backup too, and nothing
// else is; copies are written through the page cache.
TEST_F(StatedBackupsTest, TablesAloneAreReadDirectly) {
  options_.use_direct_reads = true;
  if (!TryOpen().ok()) GTEST_SKIP() << "no direct reads here";
  ASSERT_OK(Put("a", std::string(100000, 'x')));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "log"));
  OpenEngine();
  fs_->ClearOpens();
  ASSERT_OK(Create());
  size_t direct = 0;
  for (const OpenRecord& open : fs_->opens()) {
    if (open.kind == FileKind::kWritable) {
      EXPECT_FALSE(open.options.use_direct_writes) << open.path;
    }
    if (!open.path.starts_with(path_) || !open.options.use_direct_reads) {
      continue;
    }
    EXPECT_TRUE(open.path.ends_with(".sst")) << open.path;
    ++direct;
  }
  EXPECT_GE(direct, 1u);
  EXPECT_EQ(ScanRestored(1), Scan());
}

// IDENTITY is no part of a backup: the id is the MANIFEST's, or a new one.
TEST_F(StatedBackupsTest, TheIdGoesAlongInTheManifest) {
  for (const bool is_in_manifest : {true, false}) {
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    options_.write_dbid_to_manifest = is_in_manifest;
    options_.write_identity_file = true;
    ASSERT_NO_FATAL_FAILURE(OpenWithTable());
    std::string id;
    ASSERT_OK(db_->GetDbIdentity(id));
    backup_options_.destroy_old_data = true;
    OpenEngine();
    ASSERT_OK(Create());
    ASSERT_OK(engine_->RestoreDBFromLatestBackup(restored_, restored_));
    EXPECT_FALSE(std::filesystem::exists(restored_ + "/IDENTITY"));
    ASSERT_OK(DB::Open(options_, restored_, &other_));
    std::string restored_id;
    ASSERT_OK(other_->GetDbIdentity(restored_id));
    EXPECT_EQ(restored_id == id, is_in_manifest);
    other_.reset();
  }
}

// Engines that only read, beside one that writes.
TEST_F(StatedBackupsTest, ReadersSeeWhatWasWholeWhenTheyCame) {
  ASSERT_NO_FATAL_FAILURE(OpenWithTable());
  OpenEngine();
  ASSERT_OK(Create());
  IOStatus s;
  const auto early = OpenReader(&s);
  ASSERT_OK(s);
  ASSERT_OK(Put("b", std::string(100000, 'x')));
  ASSERT_OK(Flush());
  backup_options_.callback_trigger_interval_size = 1;
  OpenEngine();
  CreateBackupOptions options;
  int looks = 0;
  options.progress_callback = [&] {
    if (++looks > 3) return;
    IOStatus opened;
    const auto reader = OpenReader(&opened);
    ASSERT_OK(opened);
    std::vector<BackupInfo> infos;
    reader->GetBackupInfo(&infos);
    ASSERT_EQ(infos.size(), 1u);
    EXPECT_OK(reader->VerifyBackup(1, true));
    Ids damaged;
    reader->GetCorruptedBackups(&damaged);
    EXPECT_EQ(damaged, Ids{});
  };
  ASSERT_OK(Create(options));
  EXPECT_GT(looks, 0);
  std::vector<BackupInfo> infos;
  early->GetBackupInfo(&infos);
  EXPECT_EQ(infos.size(), 1u) << "it does not look again";
  EXPECT_TRUE(early->RestoreDBFromBackup(2, restored_, restored_).IsNotFound());
  ASSERT_OK(early->RestoreDBFromBackup(1, restored_, restored_));
  EXPECT_EQ(ScanAt(restored_), "a=1 ");
}

TEST_F(StatedBackupsTest, AFullDeviceIsSaidToBeFull) {
  ASSERT_NO_FATAL_FAILURE(OpenWithTable());
  OpenEngine();
  for (const char* path : {"shared_checksum", "private/1", "meta/"}) {
    fs_->FailCall({.call = 1,
                   .kind = FaultKind::kNoSpace,
                   .is_permanent = true,
                   .path_contains = path});
    const IOStatus s = Create();
    EXPECT_TRUE(s.IsNoSpace()) << path << ": " << s.ToString();
    fs_->ClearFault();
    EXPECT_EQ(ValidIds(), Ids{});
  }
  ASSERT_OK(Create());
  EXPECT_EQ(ValidIds(), Ids{1});
  fs_->FailCall({.call = 1,
                 .kind = FaultKind::kNoSpace,
                 .is_permanent = true,
                 .path_contains = "restored/"});
  EXPECT_TRUE(
      engine_->RestoreDBFromBackup(1, restored_, restored_).IsNoSpace());
  fs_->ClearFault();
}

// What is prepared is in a log that a backup may not have.
TEST_F(StatedBackupsTest, WithTwoPhasesAllIsFlushed) {
  options_.allow_2pc = true;
  backup_options_.backup_log_files = false;
  Open();
  ASSERT_OK(Put("a", "1"));
  OpenEngine();
  ASSERT_OK(Create());
  EXPECT_EQ(ScanRestored(1), "a=1 ");
}

// A checksum that only the application knows.
class ByteSums final : public FileChecksumGenFactory {
 public:
  const char* Name() const override { return "ByteSums"; }
  std::unique_ptr<FileChecksumGenerator> CreateFileChecksumGenerator(
      const FileChecksumGenContext&) override {
    return std::make_unique<Sum>();
  }

 private:
  class Sum final : public FileChecksumGenerator {
   public:
    const char* Name() const override { return "ByteSum"; }
    void Update(const char* data, size_t n) override {
      for (size_t i = 0; i < n; ++i)
        sum_ += static_cast<unsigned char>(data[i]);
    }
    void Finalize() override { text_ = std::to_string(sum_); }
    std::string GetChecksum() const override { return text_; }

   private:
    uint64_t sum_ = 0;
    std::string text_;
  };
};

TEST_F(StatedBackupsTest, ChecksumsOfEveryFunctionAreCompared) {
  // One table from before there were checksums.
  ASSERT_NO_FATAL_FAILURE(OpenWithTable());
  const std::string plain = path_ + "/" + Tables().at(0).relative_filename;
  options_.file_checksum_gen_factory = std::make_shared<ByteSums>();
  Reopen();
  ASSERT_OK(Put("b", std::string(1000, 'y')));
  ASSERT_OK(Flush());
  std::string summed;
  for (const LiveFileMetaData& table : Tables()) {
    if (table.file_checksum_func_name == "ByteSum") {
      summed = path_ + "/" + table.relative_filename;
    }
  }
  ASSERT_NE(summed, "");
  OpenEngine();
  FlipByte(summed, 20);
  const IOStatus s = Create();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find(summed), std::string::npos) << s.ToString();
  FlipByte(summed, 20);
  ASSERT_OK(Create());
  EXPECT_OK(engine_->VerifyBackup(1, true));
  EXPECT_EQ(ScanRestored(1), Scan());
}

// A factory may have other functions than the one that a file's checksum was
// made with: such a file is copied all the same.
TEST_F(StatedBackupsTest, AnotherFunctionThanTheFilesSaysNothing) {
  const auto crc32c = GetFileChecksumGenCrc32cFactory();
  const std::shared_ptr<FileChecksumGenFactory> sums =
      std::make_shared<ByteSums>();
  for (const bool crc_first : {true, false}) {
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    options_.file_checksum_gen_factory = crc_first ? crc32c : sums;
    ASSERT_NO_FATAL_FAILURE(OpenWithTable());
    const LiveFileMetaData table = Tables().at(0);
    EXPECT_EQ(table.file_checksum_func_name,
              crc_first ? "FileChecksumCrc32c" : "ByteSum");
    options_.file_checksum_gen_factory = crc_first ? sums : crc32c;
    Reopen();
    backup_options_.destroy_old_data = true;
    OpenEngine();
    ASSERT_OK(Create());
    std::vector<BackupInfo> infos;
    engine_->GetBackupInfo(&infos);
    ASSERT_EQ(infos.size(), 1u);
    EXPECT_OK(engine_->VerifyBackup(infos[0].backup_id, true));
    EXPECT_EQ(ScanRestored(infos[0].backup_id), "a=1 ");
    if (!crc_first) continue;
    // A crc32c is compared whatever the factory.
    ASSERT_OK(engine_->PurgeOldBackups(0));
    const std::string path = path_ + "/" + table.relative_filename;
    FlipByte(path, 12);
    const IOStatus s = Create();
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    FlipByte(path, 12);
    ASSERT_OK(Create());
  }
}

// The backups lie in a file system of their own.
TEST_F(StatedBackupsTest, BackupsLieWhereTheirEnvSays) {
  const auto memory = NewCompositeEnv(std::make_shared<MemFileSystem>());
  backup_options_.backup_dir = "/elsewhere";
  backup_options_.backup_env = memory.get();
  ASSERT_NO_FATAL_FAILURE(OpenWithTable());
  ASSERT_OK(Put("b", "2"));
  OpenEngine();
  ASSERT_OK(Create());
  EXPECT_FALSE(std::filesystem::exists("/elsewhere"));
  EXPECT_OK(memory->FileExists("/elsewhere/meta/1"));
  EXPECT_OK(engine_->VerifyBackup(1, true));
  EXPECT_EQ(ScanRestored(1), "a=1 b=2 ");
  BackupInfo info;
  ASSERT_OK(engine_->GetBackupInfo(1, &info, true));
  EXPECT_EQ(ScanAt(info.name_for_open, true, info.env_for_open.get()),
            "a=1 b=2 ");
  engine_.reset();
}

// Neither in the size nor among the files.
TEST_F(StatedBackupsTest, ExcludedFilesCountNowhere) {
  backup_options_.schema_version = 2;
  ASSERT_NO_FATAL_FAILURE(OpenWithTable());
  OpenEngine();
  ASSERT_OK(Create());
  ASSERT_OK(Put("b", std::string(50000, 'x')));
  ASSERT_OK(Flush());
  CreateBackupOptions options;
  options.exclude_files_callback = [](MaybeExcludeBackupFile* file,
                                      MaybeExcludeBackupFile* end) {
    for (; file != end; ++file) file->exclude_decision = true;
  };
  ASSERT_OK(Create(options));
  BackupInfo first, second;
  ASSERT_OK(engine_->GetBackupInfo(1, &first, true));
  ASSERT_OK(engine_->GetBackupInfo(2, &second, true));
  EXPECT_EQ(second.excluded_files.size(), 1u);
  EXPECT_EQ(second.number_files, second.file_details.size());
  EXPECT_LT(second.size, 50000u);
  EXPECT_EQ(Below("shared_checksum").size(), 1u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
