// Restoring: where files come to lie, what stays, files that lie elsewhere.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "file/filename.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/testing/golden.h"
#include "tests/utilities/backup/backup_fixture.h"
#include "tests/utilities/checkpoint/linkless_files.h"
#include "util/builtin_merge_operators.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class BackupRestoreTest : public BackupFixture {
 protected:
  static ino_t InodeOf(const std::string& path) {
    struct stat info = {};
    EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
    return info.st_ino;
  }
  // Keeps all tables out of the backups.
  static CreateBackupOptions ExcludingAll() {
    CreateBackupOptions options;
    options.exclude_files_callback = [](MaybeExcludeBackupFile* file,
                                        MaybeExcludeBackupFile* end) {
      for (; file != end; ++file) file->exclude_decision = true;
    };
    return options;
  }
};

TEST_F(BackupRestoreTest, LogsAndTheRest) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  OpenEngine();
  ASSERT_OK(Create());
  const std::string logs = directory_.path() + "/logs";
  std::filesystem::create_directories(restored_ + "/sub");
  std::filesystem::create_directories(logs + "/archive");
  WriteAll(restored_ + "/foreign", "x");
  WriteAll(restored_ + "/000001.log", "x");
  WriteAll(logs + "/000001.log", "x");
  WriteAll(logs + "/archive/000001.log", "x");
  WriteAll(restored_ + "/sub/file", "x");
  ASSERT_OK(engine_->RestoreDBFromBackup(1, restored_ + "//", logs));
  const std::vector<std::string> names = NamesIn(restored_);
  for (const std::string& name : names) {
    EXPECT_FALSE(name.ends_with(".log")) << name;
    EXPECT_NE(name, "foreign");
  }
  EXPECT_NE(std::find(names.begin(), names.end(), "sub"), names.end());
  EXPECT_EQ(ReadAll(restored_ + "/sub/file"), "x");
  EXPECT_EQ(NamesIn(logs + "/archive"), std::vector<std::string>{});
  size_t log_count = 0;
  for (const std::string& name : NamesIn(logs)) {
    log_count += name.ends_with(".log");
    EXPECT_NE(name, "000001.log");
  }
  EXPECT_EQ(log_count, 1u);
  options_.wal_dir = logs;
  EXPECT_EQ(ScanAt(restored_), "a=1 b=2 ");
}

// A restored database must not take the source's logs for its own.
TEST_F(BackupRestoreTest, ItsOptionsNameItsOwnLogs) {
  options_.wal_dir = directory_.path() + "/logs";
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  OpenEngine();
  ASSERT_OK(Create());
  ASSERT_OK(Put("c", "3"));
  const std::string logs = directory_.path() + "/own_logs";
  for (const std::string& wal_dir : {restored_, logs}) {
    // The later ones find what the first has written.
    for (const auto mode : {RestoreOptions::kPurgeAllFiles,
                            RestoreOptions::kKeepLatestDbSessionIdFiles,
                            RestoreOptions::kVerifyChecksum}) {
      RestoreOptions options;
      options.mode = mode;
      ASSERT_OK(engine_->RestoreDBFromBackup(options, 1, restored_, wal_dir));
      DBOptions loaded;
      std::vector<ColumnFamilyDescriptor> families;
      ASSERT_OK(
          LoadLatestOptions(ConfigOptions(), restored_, &loaded, &families));
      EXPECT_EQ(loaded.wal_dir, wal_dir == restored_ ? "" : wal_dir);
      ASSERT_EQ(families.size(), 1u);
      const Options opened(loaded, families[0].options);
      ASSERT_OK(DB::Open(opened, restored_, &other_));
      std::string value;
      EXPECT_OK(other_->Get(ReadOptions(), "b", &value));
      EXPECT_TRUE(other_->Get(ReadOptions(), "c", &value).IsNotFound());
      other_.reset();
    }
  }
  EXPECT_OK(engine_->VerifyBackup(1, true));
  Reopen();
  EXPECT_EQ(Scan(), "a=1 b=2 c=3 ");
}

// Its checksum says that it is what the source had.
TEST_F(BackupRestoreTest, OptionsThatCannotBeReadStayAsTheyAre) {
  Open();
  ASSERT_OK(Put("a", "1"));
  const auto options_file_in = [](const std::string& directory) {
    for (const std::string& name : NamesIn(directory)) {
      if (name.starts_with("OPTIONS-")) return directory + "/" + name;
    }
    return std::string();
  };
  const std::string text = "wal_dir=/logs\n[DBOptions\n";
  WriteAll(options_file_in(path_), text);
  OpenEngine();
  ASSERT_OK(Create());
  ASSERT_OK(engine_->RestoreDBFromBackup(1, restored_, restored_));
  EXPECT_EQ(ReadAll(options_file_in(restored_)), text);
  FlipByte(options_file_in(root_ + "/private/1"), 3);
  const IOStatus s = engine_->RestoreDBFromBackup(1, restored_, restored_);
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_EQ(options_file_in(restored_), "");
}

TEST_F(BackupRestoreTest, ADatabaseThatIsOpenIsLeftAlone) {
  Open();
  ASSERT_OK(Put("a", "1"));
  OpenEngine();
  ASSERT_OK(Create());
  ASSERT_OK(Put("a", "2"));
  const IOStatus s = engine_->RestoreDBFromBackup(1, path_, path_);
  EXPECT_TRUE(s.IsIOError()) << s.ToString();
  EXPECT_EQ(Get("a"), "2");
  db_.reset();
  ASSERT_OK(engine_->RestoreDBFromBackup(1, path_, path_));
  Open();
  EXPECT_EQ(Get("a"), "1");
}

TEST_F(BackupRestoreTest, TablesOfTheSameSessionStay) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  const std::string kept = path_ + "/" + Tables().at(0).relative_filename;
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(Flush());
  const std::string later = path_ + "/" + Tables().at(0).relative_filename;
  ASSERT_NE(kept, later);
  db_.reset();
  const ino_t inode = InodeOf(kept);
  RestoreOptions options;
  options.mode = RestoreOptions::kKeepLatestDbSessionIdFiles;
  ASSERT_OK(engine_->RestoreDBFromBackup(options, 1, path_, path_));
  EXPECT_EQ(InodeOf(kept), inode);
  EXPECT_FALSE(std::filesystem::exists(later));
  EXPECT_EQ(ScanAt(path_), "a=1 ");
  // Another file of that name is no reason to keep it.
  std::filesystem::resize_file(kept, 100);
  ASSERT_OK(engine_->RestoreDBFromBackup(options, 1, path_, path_));
  EXPECT_EQ(ScanAt(path_), "a=1 ");
}

TEST_F(BackupRestoreTest, ADirectoryWithTwoNames) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  db_.reset();
  const std::string alias = directory_.path() + "/alias";
  std::filesystem::create_directory_symlink(path_, alias);
  RestoreOptions options;
  options.mode = RestoreOptions::kKeepLatestDbSessionIdFiles;
  ASSERT_OK(engine_->RestoreDBFromBackup(options, 1, path_, alias));
  EXPECT_EQ(ScanAt(path_), "a=1 ");
}

TEST_F(BackupRestoreTest, FilesWithTheSameChecksumStay) {
  options_.enable_blob_files = true;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  db_.reset();
  std::string table;
  std::string blob;
  for (const std::string& name : NamesIn(path_)) {
    if (name.ends_with(".sst")) table = path_ + "/" + name;
    if (name.ends_with(".blob")) blob = path_ + "/" + name;
  }
  const ino_t table_inode = InodeOf(table);
  const ino_t blob_inode = InodeOf(blob);
  FlipByte(blob, 40);
  // An equal number keeps the inode of what was deleted busy.
  WriteAll(path_ + "/holder", "x");
  RestoreOptions options;
  options.mode = RestoreOptions::kVerifyChecksum;
  const std::string blob_link = directory_.path() + "/link";
  std::filesystem::create_hard_link(blob, blob_link);
  ASSERT_OK(engine_->RestoreDBFromBackup(options, 1, path_, path_));
  EXPECT_EQ(InodeOf(table), table_inode);
  EXPECT_NE(InodeOf(blob), blob_inode);
  EXPECT_EQ(ScanAt(path_), "a=1 ");
}

TEST_F(BackupRestoreTest, LinksInsteadOfCopies) {
  options_.enable_blob_files = true;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  OpenEngine();
  ASSERT_OK(Create());
  RestoreOptions options;
  options.use_link_file_when_available = true;
  ASSERT_OK(engine_->RestoreDBFromBackup(options, 1, restored_, restored_));
  size_t links = 0;
  for (const std::string& name : NamesIn(restored_)) {
    const auto count = std::filesystem::hard_link_count(restored_ + "/" + name);
    EXPECT_EQ(count, name.ends_with(".sst") || name.ends_with(".blob") ? 2 : 1)
        << name;
    links += count == 2;
  }
  EXPECT_EQ(links, 2u);
  // What becomes of the database is nothing to the backup.
  {
    std::unique_ptr<DB> db;
    ASSERT_OK(DB::Open(options_, restored_, &db));
    ASSERT_OK(db->Put(WriteOptions(), "a", "other"));
    CompactRangeOptions all;
    all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    ASSERT_OK(db->CompactRange(all, nullptr, nullptr));
  }
  ASSERT_OK(DestroyDB(restored_, options_));
  EXPECT_OK(engine_->VerifyBackup(1, true));
  EXPECT_EQ(ScanRestored(1, options), "a=1 b=2 ");
  for (const std::string& name : Below("shared_checksum")) {
    FlipByte(root_ + "/shared_checksum/" + name, 20);
    EXPECT_TRUE(engine_->RestoreDBFromBackup(options, 1, restored_, restored_)
                    .IsCorruption())
        << name;
    FlipByte(root_ + "/shared_checksum/" + name, 20);
  }
}

TEST_F(BackupRestoreTest, WithoutLinksTheyAreCopied) {
  const auto env =
      NewCompositeEnv(std::make_shared<LinklessFiles>(FileSystem::Default()));
  options_.env = env.get();
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  RestoreOptions options;
  options.use_link_file_when_available = true;
  EXPECT_EQ(ScanRestored(1, options), "a=1 ");
  db_.reset();
  engine_.reset();
}

TEST_F(BackupRestoreTest, KeptLogsGoOn) {
  backup_options_.backup_log_files = false;
  options_.wal_dir = directory_.path() + "/logs";
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(db_->SyncWAL());
  db_.reset();
  // One of them has been archived.
  const std::string log = NamesIn(options_.wal_dir).back();
  ASSERT_TRUE(log.ends_with(".log"));
  std::filesystem::create_directories(options_.wal_dir + "/archive");
  std::filesystem::rename(options_.wal_dir + "/" + log,
                          options_.wal_dir + "/archive/" + log);
  RestoreOptions options;
  options.keep_log_files = true;
  ASSERT_OK(engine_->RestoreDBFromBackup(options, 1, path_, options_.wal_dir));
  EXPECT_EQ(ScanAt(path_), "a=1 b=2 ");
}

TEST_F(BackupRestoreTest, TheLongerOfTwoLogsIsKept) {
  Open();
  ASSERT_OK(Put("a", "1"));
  OpenEngine();
  ASSERT_OK(Create());
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(db_->SyncWAL());
  std::string log;
  for (const std::string& name : NamesIn(path_)) {
    if (name.ends_with(".log")) log = path_ + "/" + name;
  }
  db_.reset();
  RestoreOptions options;
  options.keep_log_files = true;
  ASSERT_OK(engine_->RestoreDBFromBackup(options, 1, path_, path_));
  EXPECT_EQ(ScanAt(path_, /*read_only=*/true), "a=1 b=2 ");
  // A log of another history is refused, and nothing is touched.
  FlipByte(log, 10);
  const std::vector<std::string> before = NamesIn(path_);
  const IOStatus s = engine_->RestoreDBFromBackup(options, 1, path_, path_);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_EQ(NamesIn(path_), before);
  EXPECT_TRUE(std::filesystem::exists(path_ + "/CURRENT"));
}

TEST_F(BackupRestoreTest, ExcludedFilesAreFoundElsewhere) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  EXPECT_TRUE(Create(ExcludingAll()).IsInvalidArgument()) << "schema 1";
  // All of it in another directory.
  BackupEngineOptions elsewhere(directory_.path() + "/elsewhere");
  BackupEngine* opened = nullptr;
  ASSERT_OK(BackupEngine::Open(elsewhere, options_.env, &opened));
  const std::unique_ptr<BackupEngine> full(opened);
  ASSERT_OK(full->CreateNewBackup(CreateBackupOptions(), db_.get()));
  backup_options_.schema_version = 2;
  OpenEngine();
  ASSERT_OK(Create(ExcludingAll()));
  OpenEngine();
  BackupInfo info;
  ASSERT_OK(engine_->GetBackupInfo(1, &info, true));
  ASSERT_EQ(info.excluded_files.size(), 1u);
  EXPECT_EQ(info.excluded_files[0].relative_file,
            "shared_checksum/" +
                NamesIn(directory_.path() + "/elsewhere/shared_checksum")[0]);
  EXPECT_EQ(info.number_files, info.file_details.size());
  EXPECT_EQ(Below("shared_checksum"), std::vector<std::string>{});
  EXPECT_OK(engine_->VerifyBackup(1, true));
  const IOStatus s = engine_->RestoreDBFromBackup(1, restored_, restored_);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  RestoreOptions options;
  options.alternate_dirs.push_front(engine_.get());
  EXPECT_TRUE(engine_->RestoreDBFromBackup(options, 1, restored_, restored_)
                  .IsInvalidArgument());
  options.alternate_dirs.push_front(full.get());
  EXPECT_EQ(ScanRestored(1, options), "a=1 ");
  // The file is there already.
  RestoreOptions keeping;
  keeping.mode = RestoreOptions::kKeepLatestDbSessionIdFiles;
  EXPECT_EQ(ScanRestored(1, keeping), "a=1 ");
}

TEST_F(BackupRestoreTest, FilesThatAreStoredAreNotAskedFor) {
  backup_options_.schema_version = 2;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  OpenEngine();
  ASSERT_OK(Create());
  ASSERT_OK(Put("b", "1"));
  ASSERT_OK(Flush());
  size_t asked = 0;
  CreateBackupOptions options;
  options.exclude_files_callback = [&](MaybeExcludeBackupFile* begin,
                                       MaybeExcludeBackupFile* end) {
    asked += static_cast<size_t>(end - begin);
  };
  ASSERT_OK(Create(options));
  EXPECT_EQ(asked, 1u);
  options.exclude_files_callback = [](MaybeExcludeBackupFile*,
                                      MaybeExcludeBackupFile*) { throw 7; };
  ASSERT_OK(Put("c", "1"));
  ASSERT_OK(Flush());
  EXPECT_EQ(Create(options).ToString(),
            "Operation aborted: Unknown exception in exclude_files_callback");
  EXPECT_EQ(ValidIds().size(), 2u);
}

// How the files of a database are read and written, as the file system sees
// it.
class BackupAccessTest : public BackupFixture {
 protected:
  BackupAccessTest()
      : fs_(std::make_shared<FaultInjectionFileSystem>(FileSystem::Default())),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
  }
  ~BackupAccessTest() override {
    db_.reset();
    engine_.reset();
    other_.reset();
  }
  void MakeOne() {
    Open();
    ASSERT_OK(Put("a", std::string(100000, 'x')));
    ASSERT_OK(Flush());
    fs_->ClearOpens();
    OpenEngine();
    ASSERT_OK(Create());
  }
  // The temperatures in opens of `kind`, of files with `part` in their path.
  std::vector<Temperature> TemperaturesOf(const std::string& part,
                                          FileKind kind) const {
    std::vector<Temperature> result;
    for (const OpenRecord& open : fs_->opens()) {
      if (open.kind == kind && open.path.find(part) != std::string::npos) {
        result.push_back(open.options.temperature);
      }
    }
    return result;
  }

  const std::shared_ptr<FaultInjectionFileSystem> fs_;
  const std::unique_ptr<Env> env_;
};

TEST_F(BackupAccessTest, BufferedUnlessAskedFor) {
  MakeOne();
  EXPECT_EQ(fs_->direct_read_opens(), 0u);
  EXPECT_EQ(fs_->direct_write_opens(), 0u);
  for (const OpenRecord& open : fs_->opens()) {
    if (!open.path.starts_with(path_)) continue;
    EXPECT_FALSE(open.options.use_uncached_io) << open.path;
  }
  EXPECT_EQ(ScanRestored(1), Scan());
}

TEST_F(BackupAccessTest, AsCompactionsRead) {
  options_.compaction_read_access = FileAccess::kUncached;
  MakeOne();
  bool is_uncached = false;
  for (const OpenRecord& open : fs_->opens()) {
    if (open.path.starts_with(path_) && open.path.ends_with(".sst")) {
      is_uncached |= open.options.use_uncached_io;
    }
  }
  EXPECT_TRUE(is_uncached);
  engine_.reset();
  db_.reset();
  options_.compaction_read_access = FileAccess::kDefault;
  options_.use_direct_io_for_compaction_reads = true;
  if (!TryOpen().ok()) GTEST_SKIP() << "no direct reads here";
  ASSERT_OK(Put("b", std::string(100000, 'x')));
  ASSERT_OK(Flush());
  fs_->ClearOpens();
  OpenEngine();
  ASSERT_OK(Create());
  EXPECT_GE(fs_->direct_read_opens(".sst"), 1u);
  EXPECT_EQ(fs_->direct_write_opens(), 0u);
  EXPECT_OK(engine_->VerifyBackup(2, true));
  EXPECT_EQ(ScanRestored(2), Scan());
}

// The last page of each file is not full, which direct writes must cope with.
TEST_F(BackupAccessTest, WrittenAsCompactionsWrite) {
  options_.use_direct_io_for_flush_and_compaction = true;
  options_.enable_blob_files = true;
  options_.min_blob_size = 50000;
  if (!TryOpen().ok()) GTEST_SKIP() << "no direct writes here";
  ASSERT_OK(Put("b", std::string(3000, 'y')));
  MakeOne();
  EXPECT_GE(fs_->direct_write_opens(".sst.tmp"), 1u);
  EXPECT_GE(fs_->direct_write_opens(".blob.tmp"), 1u);
  for (const OpenRecord& open : fs_->opens()) {
    if (open.kind != FileKind::kWritable || !open.options.use_direct_writes) {
      continue;
    }
    EXPECT_TRUE(open.path.ends_with(".sst.tmp") ||
                open.path.ends_with(".blob.tmp"))
        << open.path;
  }
  EXPECT_OK(engine_->VerifyBackup(1, true));
  EXPECT_EQ(ScanRestored(1), Scan());
  // The device for backups refuses direct I/O.
  ASSERT_OK(Put("c", std::string(100000, 'z')));
  ASSERT_OK(Flush());
  fs_->RefuseDirectIo(root_);
  ASSERT_OK(Create());
  fs_->AcceptDirectIo();
  EXPECT_OK(engine_->VerifyBackup(2, true));
  EXPECT_EQ(ScanRestored(2), Scan());
}

TEST_F(BackupAccessTest, TemperaturesGoAlong) {
  options_.default_write_temperature = Temperature::kWarm;
  backup_options_.schema_version = 2;
  MakeOne();
  EXPECT_NE(ReadAll(root_ + "/meta/1").find(" temp kWarm"), std::string::npos);
  using Temperatures = std::vector<Temperature>;
  EXPECT_EQ(TemperaturesOf(".sst.tmp", FileKind::kWritable),
            Temperatures{Temperature::kWarm});
  OpenEngine();
  fs_->ClearOpens();
  ASSERT_OK(engine_->RestoreDBFromBackup(1, restored_, restored_));
  EXPECT_EQ(TemperaturesOf(".sst", FileKind::kWritable),
            Temperatures{Temperature::kWarm});
  BackupInfo info;
  ASSERT_OK(engine_->GetBackupInfo(1, &info, true));
  for (const BackupFileInfo& file : info.file_details) {
    if (file.file_type != kTableFile) continue;
    EXPECT_EQ(file.temperature, Temperature::kWarm);
  }
  // The file system does not know what the MANIFEST says.
  backup_options_.current_temperatures_override_manifest = true;
  OpenEngine();
  ASSERT_OK(engine_->PurgeOldBackups(0));
  ASSERT_OK(Create());
  EXPECT_NE(ReadAll(root_ + "/meta/2"), "");
  EXPECT_EQ(ReadAll(root_ + "/meta/2").find(" temp "), std::string::npos);
}

// Golden backups of other releases.
TEST_F(BackupRestoreTest, BackupsOfRocksDB) {
  options_.merge_operator = NewStringAppendOperator(",");
  const std::vector<std::string> names = UnpackGolden(directory_.path());
  if (names.empty()) GTEST_SKIP() << "no golden databases here";
  size_t count = 0;
  for (const std::string& name : names) {
    if (!name.ends_with("_backup")) continue;
    ++count;
    SCOPED_TRACE(name);
    const std::string golden = directory_.path() + "/golden/" + name;
    backup_options_.backup_dir = golden;
    OpenEngine();
    EXPECT_EQ(DamagedIds(), std::vector<BackupID>{});
    EXPECT_EQ(ValidIds(), (std::vector<BackupID>{1, 2}));
    EXPECT_OK(engine_->VerifyBackup(1, true));
    EXPECT_OK(engine_->VerifyBackup(2, true));
    ASSERT_OK(engine_->RestoreDBFromLatestBackup(restored_, restored_));
    CloseFamilies();
    path_ = restored_;
    OpenFamilies({"default", "second cf"});
    std::vector<GoldenEntry> found;
    for (size_t family = 0; family < 2; ++family) {
      const std::unique_ptr<Iterator> it(
          db_->NewIterator(ReadOptions(), handles_[family]));
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        GoldenEntry entry;
        entry.family = handles_[family]->GetName();
        entry.key = it->key().ToString();
        entry.value = it->value().ToString();
        found.push_back(entry);
      }
      EXPECT_OK(it->status());
    }
    EXPECT_EQ(found, ReadExpected(golden + ".expected.tsv"));
    // And it can go on.
    ASSERT_OK(Create());
    EXPECT_OK(engine_->VerifyBackup(3, true));
    CloseFamilies();
  }
  EXPECT_EQ(count, 2u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
