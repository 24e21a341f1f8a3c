// What is logged to the version set comes back at the next open, a failed edit
// changes nothing, and the files somebody reads stay live.
#include "db/manifest/version_set.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "db/files/open_tables.h"
#include "db/manifest/manifest_log.h"
#include "db/manifest/needed_logs.h"
#include "db/manifest/version_recovery.h"
#include "db/version/version_edit.h"
#include "options/sanitize.h"
#include "tests/db/manifest/manifest_fixture.h"
#include "tests/db/tables/table_files.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class RecordingSink : public ObsoleteFileSink {
 public:
  void OnReferenced(uint64_t) override {}
  void OnUnreferenced(UnreferencedTable table) override {
    numbers.insert(table.number);
  }
  void OnBlobUnreferenced(const std::string&, uint64_t, uint64_t) override {}
  std::set<uint64_t> numbers;
};

class VersionSetTest : public ::testing::Test {
 protected:
  VersionSetTest() : sink(std::make_shared<RecordingSink>()) {
    f.Open(true);
    EXPECT_TRUE(
        f.fs->NewDirectory("/db", IOOptions(), &directory, nullptr).ok());
    descriptors = {{"default", f.family}};
  }
  ~VersionSetTest() override { Close(); }

  void Create() {
    MakeSet();
    ASSERT_TRUE(versions->CreateNew("the-id", directory.get()).ok());
  }
  void MakeSet() {
    Close();
    VersionSet::Context context;
    context.db_path = "/db";
    context.db = f.db.get();
    context.families.db = f.db.get();
    context.families.tables.paths = {"/db"};
    context.families.mutex = &mutex;
    if (bounded != nullptr) {
      context.families.tables.cache = bounded->cache();
      context.families.tables.pins_readers = bounded->pins_readers();
    }
    context.sink = sink;
    context.mutex = &mutex;
    versions = std::make_unique<VersionSet>(std::move(context));
  }
  Status Recover(bool read_only = false, bool create_missing = false) {
    MakeSet();
    MutexLock lock(&mutex);
    return versions->Recover(descriptors, {read_only, create_missing});
  }
  void Close() {
    if (versions == nullptr) return;
    IgnoreError(versions->manifest()->Close(), "the test is over");
    versions.reset();
  }

  Status Apply(VersionEdit* edit) {
    MutexLock lock(&mutex);
    for (const auto& entry : edit->new_files) {
      versions->MarkFileNumberUsed(entry.file->number);
    }
    return versions->LogAndApply(
        {{versions->families()->default_family(), edit}}, directory.get());
  }
  // A table file, logged at `level`.
  Status AddTable(uint64_t number, int level, const std::string& prefix) {
    VersionEdit edit;
    edit.AddFile(level, f.Write(number, TableFiles::Numbered(prefix, 5)));
    return Apply(&edit);
  }
  std::string Files() {
    MutexLock lock(&mutex);
    std::string text;
    for (const ColumnFamilyRef& cfd : versions->families()->all()) {
      text += cfd->name() + ":";
      const VersionStorage& storage = cfd->current()->storage();
      for (int level = 0; level < storage.level_count(); ++level) {
        for (const FileRef& file : storage.files(level)) {
          text +=
              " L" + std::to_string(level) + "." + std::to_string(file->number);
        }
      }
      text += "\n";
    }
    return text;
  }

  TableFiles f;
  std::shared_ptr<RecordingSink> sink;
  std::unique_ptr<OpenTables> bounded;  // null: all files stay open
  std::unique_ptr<FSDirectory> directory;
  Mutex mutex;
  std::vector<ColumnFamilyDescriptor> descriptors;
  std::unique_ptr<VersionSet> versions;
};

// What a manifest says of a family with timestamps, and who opens it.
struct StampedManifest {
  const char* name;
  bool family_persists;     // as the manifest says
  bool file_has_persisted;  // likewise, of its one file
  bool options_persist;
  const char* ts_low;
  const char* problem;
};

TEST_F(VersionSetTest, WhatIsSaidOfTimestampsFitsTogether) {
  const StampedManifest manifests[] = {
      {"a file with them", false, true, false, "12345678", "holds timestamps"},
      {"a file without", true, false, true, "12345678", "leaves out"},
      {"other options", false, false, true, "12345678", "must not change"},
      {"other options, back", true, true, false, "12345678", "must not change"},
      {"half a timestamp", false, false, false, "1234", "full_history_ts_low"},
  };
  for (const StampedManifest& m : manifests) {
    SCOPED_TRACE(m.name);
    VersionEdit edit;
    edit.comparator_name = BytewiseComparatorWithU64Ts()->Name();
    edit.persist_user_defined_timestamps = m.family_persists;
    edit.log_number = 1;
    edit.next_file_number = 20;
    edit.last_sequence = 100;
    edit.full_history_ts_low = m.ts_low;
    const FileRef file = NewFileMeta(13, "a-long-key", "b-long-key");
    file->has_persisted_timestamps = m.file_has_persisted;
    edit.AddFile(0, file);
    const std::string manifest = ManifestDirectory::LogOf({Encode(edit)});
    ASSERT_TRUE(CreateFile(f.fs.get(), DescriptorFileName("/db", 5), manifest,
                           FileDurability::kBuffered)
                    .ok());
    ASSERT_TRUE(CreateFile(f.fs.get(), CurrentFileName("/db"),
                           DescriptorFileName(5) + "\n",
                           FileDurability::kBuffered)
                    .ok());
    descriptors[0].options.comparator = BytewiseComparatorWithU64Ts();
    descriptors[0].options.persist_user_defined_timestamps = m.options_persist;
    const Status s = Recover();
    EXPECT_FALSE(s.ok());
    EXPECT_NE(s.ToString().find(m.problem), std::string::npos) << s.ToString();
  }
}

TEST_F(VersionSetTest, ANewDatabase) {
  Create();
  const Status s = Recover();
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(Files(), "default:\n");
  EXPECT_EQ(versions->db_id(), "the-id");
  EXPECT_EQ(versions->next_file_number(), 3u);
  EXPECT_EQ(versions->LastSequence(), 0u);
  std::vector<std::string> names;
  ASSERT_TRUE(ListFamilyNames("/db", f.fs.get(), &names).ok());
  EXPECT_EQ(names, std::vector<std::string>{"default"});
}

TEST_F(VersionSetTest, WhatIsLoggedComesBack) {
  Create();
  ASSERT_TRUE(Recover().ok());
  versions->SetLastSequence(77);
  ASSERT_TRUE(AddTable(20, 0, "a").ok());
  ASSERT_TRUE(AddTable(21, 2, "b").ok());
  VersionEdit move;
  move.DeleteFile(2, 21);
  move.AddFile(3, [&] {
    MutexLock lock(&mutex);
    return versions->families()->default_family()->current()->storage().files(
        2)[0];
  }());
  ASSERT_TRUE(Apply(&move).ok());
  EXPECT_EQ(Files(), "default: L0.20 L3.21\n");
  EXPECT_TRUE(sink->numbers.empty());  // A move ends no file's life.
  VersionEdit gone;
  gone.DeleteFile(0, 20);
  ASSERT_TRUE(Apply(&gone).ok());
  EXPECT_EQ(sink->numbers, std::set<uint64_t>{20});
  ASSERT_TRUE(Recover().ok());
  EXPECT_EQ(Files(), "default: L3.21\n");
  EXPECT_EQ(versions->LastSequence(), 77u);
  EXPECT_EQ(versions->db_id(), "the-id");
}

TEST_F(VersionSetTest, TheSequenceIsNeverBehindAFile) {
  Create();
  ASSERT_TRUE(Recover().ok());
  ASSERT_TRUE(AddTable(20, 0, "a").ok());  // Its entries have sequence 5.
  ASSERT_TRUE(Recover().ok());
  EXPECT_EQ(versions->LastSequence(), 5u);
}

TEST_F(VersionSetTest, ManifestsToKeep) {
  Create();
  ASSERT_TRUE(Recover().ok());
  MutexLock lock(&mutex);
  EXPECT_EQ(versions->manifest()->MinNumberToKeep(), 1u);
  VersionEdit edit;
  ColumnFamilyData* cfd = versions->families()->default_family();
  // It fails, at whatever call: the one that CURRENT named stays.
  for (uint64_t k = 1;; ++k) {
    f.fs->FailCall({.call = k});
    Status s = versions->LogAndApply({{cfd, &edit}}, directory.get());
    EXPECT_EQ(versions->manifest()->pending_number(), 0u);
    if (s.ok()) break;
    EXPECT_EQ(versions->manifest()->MinNumberToKeep(), 1u);
  }
  EXPECT_GT(versions->manifest()->MinNumberToKeep(), 1u);
  EXPECT_GT(versions->manifest()->size_bytes(), 0u);
}

TEST_F(VersionSetTest, AFailedEditChangesNothing) {
  Create();
  ASSERT_TRUE(Recover().ok());
  ASSERT_TRUE(AddTable(20, 0, "a").ok());
  VersionEdit edit;
  edit.AddFile(0, f.Write(21, TableFiles::Numbered("b", 5)));
  edit.DeleteFile(0, 20);
  for (uint64_t k = 1; k <= 2; ++k) {
    f.fs->FailCall({.call = k});
    EXPECT_FALSE(Apply(&edit).ok());
    EXPECT_EQ(Files(), "default: L0.20\n");
    EXPECT_TRUE(sink->numbers.empty());
    f.fs->ClearFault();
  }
  // One that does not fit is not written at all.
  VersionEdit misfit;
  misfit.DeleteFile(0, 99);
  EXPECT_TRUE(Apply(&misfit).IsCorruption());
  ASSERT_TRUE(Apply(&edit).ok());
  EXPECT_EQ(Files(), "default: L0.21\n");
  ASSERT_TRUE(Recover().ok());
  EXPECT_EQ(Files(), "default: L0.21\n");
}

TEST_F(VersionSetTest, Families) {
  Create();
  ASSERT_TRUE(Recover().ok());
  uint32_t id = 0;
  {
    MutexLock lock(&mutex);
    ColumnFamilyData* one = nullptr;
    ColumnFamilyData* two = nullptr;
    const ColumnFamilyOptions sanitized =
        SanitizeColumnFamilyOptions(*f.db, f.family);
    ASSERT_TRUE(
        versions->CreateFamily("one", sanitized, 4, directory.get(), &one)
            .ok());
    ASSERT_TRUE(
        versions->CreateFamily("two", sanitized, 4, directory.get(), &two)
            .ok());
    EXPECT_TRUE(
        versions->CreateFamily("one", sanitized, 4, directory.get(), &one)
            .IsInvalidArgument());
    const ColumnFamilyRef dropped = two->shared_from_this();
    id = two->id();
    ASSERT_TRUE(versions->DropFamily(two, directory.get()).ok());
    EXPECT_TRUE(
        versions->DropFamily(two, directory.get()).IsColumnFamilyDropped());
    VersionEdit late;
    EXPECT_TRUE(versions->LogAndApply({{two, &late}}, directory.get())
                    .IsColumnFamilyDropped());
    // Several families at once.
    VersionEdit first, second;
    first.log_number = 9;
    second.log_number = 10;
    ASSERT_TRUE(
        versions
            ->LogAndApply({{versions->families()->default_family(), &first},
                           {one, &second}},
                          directory.get())
            .ok());
    EXPECT_EQ(first.remaining_in_group, 1u);
    EXPECT_EQ(second.remaining_in_group, 0u);
  }
  // Not listed.
  Status s = Recover();
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(s.ToString().find("one"), std::string::npos);
  EXPECT_TRUE(Recover(/*read_only=*/true).ok());
  descriptors.emplace_back("one", f.family);
  // Twice: the id of the dropped one survives a new manifest.
  for (int i = 0; i < 2; ++i) {
    s = Recover();
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(Files(), "default:\none:\n");
    EXPECT_EQ(versions->families()->Find("one")->log_number(), 10u);
    EXPECT_EQ(versions->families()->max_id(), id);
    VersionEdit nothing;
    ASSERT_TRUE(Apply(&nothing).ok());
  }
  // Listed and not there.
  descriptors.emplace_back("three", f.family);
  EXPECT_TRUE(Recover().IsInvalidArgument());
  ASSERT_TRUE(Recover(false, /*create_missing=*/true).ok());
  ASSERT_EQ(versions->missing_families().size(), 1u);
  EXPECT_EQ(versions->missing_families()[0].name, "three");
}

TEST_F(VersionSetTest, WrongOptions) {
  Create();
  ASSERT_TRUE(Recover().ok());
  ASSERT_TRUE(AddTable(20, 5, "a").ok());
  descriptors[0].options.comparator = ReverseBytewiseComparator();
  Status s = Recover();
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(s.ToString().find("leveldb.BytewiseComparator"), std::string::npos);
  descriptors[0].options = f.family;
  descriptors[0].options.num_levels = 5;
  s = Recover();
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(s.ToString().find("num_levels"), std::string::npos);
  descriptors[0].options.num_levels = 6;
  EXPECT_TRUE(Recover().ok());
  descriptors.clear();
  EXPECT_TRUE(Recover().IsInvalidArgument());
}

TEST_F(VersionSetTest, FilesAreLookedAtWhenADatabaseIsOpened) {
  Create();
  ASSERT_TRUE(Recover().ok());
  ASSERT_TRUE(AddTable(20, 0, "a").ok());
  ASSERT_TRUE(AddTable(21, 1, "b").ok());
  ASSERT_TRUE(Recover().ok());
  {
    MutexLock lock(&mutex);
    const FileRef& file =
        versions->families()->default_family()->current()->storage().files(
            1)[0];
    EXPECT_EQ(file->entry_count.load(), 5u);
  }
  ASSERT_TRUE(f.fs->Truncate("/db/000021.sst", 40, IOOptions(), nullptr).ok());
  Status s = Recover();
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("000021.sst"), std::string::npos);
  ASSERT_TRUE(f.fs->DeleteFile("/db/000021.sst", IOOptions(), nullptr).ok());
  s = Recover();
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("000021.sst"), std::string::npos);
  f.db_options.paranoid_checks = false;
  f.db = std::make_unique<ImmutableDBOptions>(f.db_options);
  EXPECT_TRUE(Recover().ok());
}

// More of them than a bounded cache opens.
TEST_F(VersionSetTest, NoLiveFileEscapesParanoidChecks) {
  constexpr uint64_t kFirst = 20, kLast = 44;
  MutableDBOptions now;
  now.max_open_files = 100;
  bounded = std::make_unique<OpenTables>(*f.db, now);
  Create();
  ASSERT_TRUE(Recover().ok());
  for (uint64_t number = kFirst; number <= kLast; ++number) {
    const std::string key(1, static_cast<char>('A' + number - kFirst));
    ASSERT_TRUE(AddTable(number, 1, key).ok());
  }
  ASSERT_TRUE(Recover().ok());
  // Under its old name a file is as good.
  ASSERT_TRUE(
      f.fs->RenameFile("/db/000043.sst", "/db/000043.ldb", IOOptions(), nullptr)
          .ok());
  ASSERT_TRUE(Recover().ok());
  ASSERT_TRUE(f.fs->Truncate("/db/000044.sst", 40, IOOptions(), nullptr).ok());
  Status s = Recover();
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("000044.sst"), std::string::npos);
  ASSERT_TRUE(f.fs->DeleteFile("/db/000044.sst", IOOptions(), nullptr).ok());
  s = Recover();
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("000044.sst"), std::string::npos);
  f.db_options.paranoid_checks = false;
  f.db = std::make_unique<ImmutableDBOptions>(f.db_options);
  EXPECT_TRUE(Recover().ok());
}

TEST_F(VersionSetTest, FiguresMayWait) {
  f.db_options.skip_stats_update_on_db_open = true;
  f.db = std::make_unique<ImmutableDBOptions>(f.db_options);
  Create();
  ASSERT_TRUE(Recover().ok());
  ASSERT_TRUE(AddTable(20, 1, "a").ok());
  ASSERT_TRUE(Recover().ok());
  {
    MutexLock lock(&mutex);
    const FileRef& file =
        versions->families()->default_family()->current()->storage().files(
            1)[0];
    EXPECT_FALSE(file->has_properties.load());
    EXPECT_EQ(file->entry_count.load(), 0u);
    EXPECT_TRUE(file->MayHaveTombstones());
  }
  // What paranoid_checks promises stays.
  ASSERT_TRUE(f.fs->Truncate("/db/000020.sst", 40, IOOptions(), nullptr).ok());
  const Status s = Recover();
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("000020.sst"), std::string::npos);
}

TEST_F(VersionSetTest, TrackedLogs) {
  Create();
  ASSERT_TRUE(Recover().ok());
  {
    MutexLock lock(&mutex);
    VersionEdit edit, more, gone;
    edit.wal_additions = {{4, 100}, {6, 200}};
    more.wal_additions = {{6, 50}};
    gone.wals_deleted_before = 5;
    for (VersionEdit* e : {&edit, &more, &gone}) {
      ASSERT_TRUE(versions->LogAndApply({{nullptr, e}}, directory.get()).ok());
    }
    EXPECT_EQ(versions->logs()->synced_sizes(),
              (std::map<uint64_t, uint64_t>{{6, 200}}));
  }
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(Recover().ok());
    EXPECT_EQ(versions->logs()->synced_sizes(),
              (std::map<uint64_t, uint64_t>{{6, 200}}));
    VersionEdit edit;
    ASSERT_TRUE(Apply(&edit).ok());  // Into a new manifest.
  }
}

// A flush lets a log go while another thread, which has just synced it, is on
// its way to the manifest.
TEST_F(VersionSetTest, ALogThatIsSyncedLateIsNotTracked) {
  Create();
  ASSERT_TRUE(Recover().ok());
  VersionEdit flushed, late;
  flushed.min_log_number_to_keep = 6;
  late.wal_additions = {{5, 100}, {6, 200}};
  for (VersionEdit* edit : {&flushed, &late}) {
    MutexLock lock(&mutex);
    ASSERT_TRUE(versions->LogAndApply({{nullptr, edit}}, directory.get()).ok());
  }
  const std::map<uint64_t, uint64_t> expected = {{6, 200}};
  EXPECT_EQ(versions->logs()->synced_sizes(), expected);
  ASSERT_TRUE(Recover().ok());
  EXPECT_EQ(versions->logs()->synced_sizes(), expected);
}

TEST_F(VersionSetTest, LiveFilesAreThoseThatSomeoneReads) {
  Create();
  ASSERT_TRUE(Recover().ok());
  ASSERT_TRUE(AddTable(20, 0, "a").ok());
  VersionRef held;
  {
    MutexLock lock(&mutex);
    held = versions->families()->default_family()->current();
  }
  VersionEdit gone;
  gone.DeleteFile(0, 20);
  ASSERT_TRUE(Apply(&gone).ok());
  const auto live = [this]() {
    MutexLock lock(&mutex);
    std::vector<uint64_t> numbers;
    versions->published().AddLiveFiles(&numbers);
    return std::set<uint64_t>(numbers.begin(), numbers.end());
  };
  EXPECT_EQ(live(), std::set<uint64_t>{20});
  EXPECT_TRUE(sink->numbers.empty());
  held.reset();
  EXPECT_TRUE(live().empty());
  EXPECT_EQ(sink->numbers, std::set<uint64_t>{20});
}

TEST_F(VersionSetTest, ChangesFromManyThreadsAllCount) {
  Create();
  ASSERT_TRUE(Recover().ok());
  std::vector<FileRef> files;
  for (uint64_t n = 100; n < 140; ++n) {
    files.push_back(f.Write(n, TableFiles::Numbered("a", 2)));
  }
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t]() {
      for (size_t i = t; i < files.size(); i += 4) {
        VersionEdit edit;
        edit.AddFile(0, files[i]);
        EXPECT_TRUE(Apply(&edit).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  files.clear();
  const std::string state = Files();
  ASSERT_TRUE(Recover().ok());
  EXPECT_EQ(Files(), state);
  MutexLock lock(&mutex);
  EXPECT_EQ(
      versions->families()->default_family()->current()->storage().FileCount(0),
      40u);
}

TEST_F(VersionSetTest, FileNumbers) {
  Create();
  ASSERT_TRUE(Recover().ok());
  const uint64_t first = versions->NewFileNumber();
  EXPECT_EQ(versions->NewFileNumber(), first + 1);
  versions->MarkFileNumberUsed(first);  // No step back.
  EXPECT_EQ(versions->next_file_number(), first + 2);
  versions->MarkFileNumberUsed(500);
  EXPECT_EQ(versions->NewFileNumber(), 501u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
