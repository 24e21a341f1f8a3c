// A checkpoint or an exported family is the database of one moment, complete or
// not there at all whichever call fails, and stock tools read it.
#include "rocksdb/utilities/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/env.h"
#include "rocksdb/metadata.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/testing/shell.h"
#include "tests/utilities/checkpoint/linkless_files.h"
#include "util/builtin_merge_operators.h"
#include "util/ignore_error.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class CheckpointTest : public FamiliesFixture {
 protected:
  CheckpointTest() : copy_(directory_.path() + "/copy") {
    options_.merge_operator = NewStringAppendOperator(",");
    options_.disable_auto_compactions = true;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.num_levels = 4;
  }
  ~CheckpointTest() override { other_.reset(); }
  std::unique_ptr<Checkpoint> Make() {
    Checkpoint* checkpoint = nullptr;
    EXPECT_OK(Checkpoint::Create(db_.get(), &checkpoint));
    return std::unique_ptr<Checkpoint>(checkpoint);
  }
  std::string ScanCopy() {
    other_.reset();
    const Status s = DB::Open(options_, copy_, &other_);
    if (!s.ok()) return s.ToString();
    const std::unique_ptr<Iterator> it(other_->NewIterator(ReadOptions()));
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    return it->status().ok() ? text : it->status().ToString();
  }
  std::unique_ptr<ExportImportFilesMetaData> Export(ColumnFamilyHandle* handle,
                                                    const std::string& name) {
    ExportImportFilesMetaData* metadata = nullptr;
    EXPECT_OK(Make()->ExportColumnFamily(handle, directory_.path() + "/" + name,
                                         &metadata));
    return std::unique_ptr<ExportImportFilesMetaData>(metadata);
  }
  Status Import(const std::string& name,
                const std::vector<const ExportImportFilesMetaData*>& exports,
                bool moves = false) {
    ImportColumnFamilyOptions options;
    options.move_files = moves;
    ColumnFamilyHandle* handle = nullptr;
    const Status s = db_->CreateColumnFamilyWithImport(
        ColumnFamilyOptions(options_), name, options, exports, &handle);
    EXPECT_EQ(s.ok(), handle != nullptr);
    if (handle != nullptr) handles_.push_back(handle);
    return s;
  }

  const std::string copy_;
  std::unique_ptr<DB> other_;
};

TEST_F(CheckpointTest, IsTheDatabaseAtThatMoment) {
  Open();
  ASSERT_OK(Put("a", "table"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "log"));
  uint64_t sequence = 0;
  ASSERT_OK(Make()->CreateCheckpoint(copy_ + "//", 1 << 20, &sequence));
  EXPECT_EQ(sequence, 2u);
  ASSERT_OK(Put("a", "later"));
  ASSERT_OK(Put("c", "later"));
  EXPECT_EQ(ScanCopy(), "a=table b=log ");
  ASSERT_OK(other_->Put(WriteOptions(), "a", "other"));
  EXPECT_EQ(Get("a"), "later");
  EXPECT_TRUE(Make()->CreateCheckpoint(copy_).IsInvalidArgument());
}

TEST_F(CheckpointTest, FlushesWhenAskedTo) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Make()->CreateCheckpoint(copy_));
  EXPECT_EQ(FilesAt(0), 1);
  EXPECT_EQ(ScanCopy(), "a=1 ");
}

// RocksDB 11 keeps such a log too: programs that count logs find one.
TEST_F(CheckpointTest, AnEmptyLogBehindAFlushIsListed) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Make()->CreateCheckpoint(copy_, /*log_size_for_flush=*/0));
  std::vector<std::string> names;
  ASSERT_OK(Env::Default()->GetChildren(copy_, &names));
  int logs = 0;
  for (const std::string& name : names) logs += name.ends_with(".log");
  EXPECT_EQ(logs, 1);
  EXPECT_EQ(ScanCopy(), "a=1 ");
}

// What was written without a log leaves an empty one behind.
TEST_F(CheckpointTest, AnEmptyLogOfNoLoggingIsLeftOut) {
  Open();
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  ASSERT_OK(db_->Put(unlogged, "a", "1"));
  ASSERT_OK(Make()->CreateCheckpoint(copy_));
  std::vector<std::string> names;
  ASSERT_OK(Env::Default()->GetChildren(copy_, &names));
  for (const std::string& name : names) {
    uint64_t bytes = 0;
    ASSERT_OK(Env::Default()->GetFileSize(copy_ + "/" + name, &bytes));
    EXPECT_GT(bytes, 0u) << name;
  }
  EXPECT_EQ(ScanCopy(), "a=1 ");
}

TEST_F(CheckpointTest, OutlivesTheDatabase) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Make()->CreateCheckpoint(copy_));
  ASSERT_OK(CompactAll(true));
  ASSERT_OK(Put("a", "2"));
  ASSERT_OK(CompactAll(true));
  db_.reset();
  ASSERT_OK(DestroyDB(path_, options_));
  EXPECT_EQ(ScanCopy(), "a=1 ");
}

TEST_F(CheckpointTest, TablesAreLinked) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Make()->CreateCheckpoint(copy_));
  size_t tables = 0;
  for (const auto& entry : std::filesystem::directory_iterator(copy_)) {
    if (entry.path().extension() != ".sst") continue;
    ++tables;
    EXPECT_EQ(std::filesystem::hard_link_count(entry.path()), 2u);
  }
  EXPECT_EQ(tables, 1u);
}

TEST_F(CheckpointTest, OrCopiedWhereThereAreNoLinks) {
  const auto env =
      NewCompositeEnv(std::make_shared<LinklessFiles>(FileSystem::Default()));
  options_.env = env.get();
  Open();
  ASSERT_OK(Put("a", std::string(1 << 20, 'x')));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "log"));
  ASSERT_OK(Make()->CreateCheckpoint(copy_, UINT64_MAX));
  const auto exported = Export(db_->DefaultColumnFamily(), "export");
  ASSERT_OK(Import("imported", {exported.get()}, /*moves=*/true));
  EXPECT_EQ(GetFrom(0, "a"), std::string(1 << 20, 'x'));
  CloseFamilies();
  EXPECT_EQ(ScanCopy(), "a=" + std::string(1 << 20, 'x') + " b=log ");
  other_.reset();
}

class FailingLinks final : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "FailingLinks"; }
  IOStatus LinkFile(const std::string& source, const std::string& target,
                    const IOOptions& options, IODebugContext* dbg) override {
    if (fails) return IOStatus::IOError("no link");
    return FileSystemWrapper::LinkFile(source, target, options, dbg);
  }

  bool fails = true;
};

// Any answer but that there are none ends it, and nothing is left.
TEST_F(CheckpointTest, ALinkThatFailsLeavesNothing) {
  const auto fs = std::make_shared<FailingLinks>(FileSystem::Default());
  const auto env = NewCompositeEnv(fs);
  options_.env = env.get();
  Open();
  ASSERT_OK(Put("a", "1"));
  const Status s = Make()->CreateCheckpoint(copy_);
  EXPECT_TRUE(s.IsIOError()) << s.ToString();
  EXPECT_FALSE(std::filesystem::exists(copy_));
  EXPECT_FALSE(std::filesystem::exists(copy_ + ".tmp"));
  fs->fails = false;
  ASSERT_OK(Make()->CreateCheckpoint(copy_));
  db_.reset();
  EXPECT_EQ(ScanCopy(), "a=1 ");
  other_.reset();
}

// It removes files of an older draft, and nothing else.
TEST_F(CheckpointTest, ADraftThatCannotBeRemovedAbortsIt) {
  Open();
  ASSERT_OK(Put("a", "1"));
  std::filesystem::create_directories(copy_ + ".tmp/directory");
  const Status s = Make()->CreateCheckpoint(copy_);
  EXPECT_TRUE(s.IsAborted()) << s.ToString();
  EXPECT_FALSE(std::filesystem::exists(copy_));
  std::filesystem::remove_all(copy_ + ".tmp");
  ASSERT_OK(Make()->CreateCheckpoint(copy_));
  EXPECT_EQ(ScanCopy(), "a=1 ");
}

// What it says is known: its data are all there is up to that sequence.
TEST_F(CheckpointTest, ItsSequenceIsNoneOfLater) {
  Open();
  for (int i = 0; i < 5; ++i) ASSERT_OK(Put("k", std::to_string(i)));
  for (const uint64_t log_size : {uint64_t{0}, UINT64_MAX}) {
    std::filesystem::remove_all(copy_);
    uint64_t sequence = 0;
    ASSERT_OK(Make()->CreateCheckpoint(copy_, log_size, &sequence));
    EXPECT_EQ(sequence, 5u);
    EXPECT_EQ(ScanCopy(), "k=4 ");
    EXPECT_GE(other_->GetLatestSequenceNumber(), sequence);
    other_.reset();
  }
}

TEST_F(CheckpointTest, OneDirectoryOfSeveral) {
  options_.db_paths = {{path_, 1}, {directory_.path() + "/second", 1 << 30}};
  Open();
  for (const char* value : {"1", "2"}) {
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Put(value, value));
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(true));
  }
  ASSERT_OK(Make()->CreateCheckpoint(copy_));
  db_.reset();
  options_.db_paths.clear();
  EXPECT_EQ(ScanCopy(), "1=1 2=2 a=2 ");
}

TEST_F(CheckpointTest, BlobFilesGoAlong) {
  options_.enable_blob_files = true;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(Make()->CreateCheckpoint(copy_));
  EXPECT_EQ(ScanCopy(), "a=1 b=2 ");
}

TEST_F(CheckpointTest, FamiliesAreOfOneMoment) {
  Open();
  CreateFamily("b");
  std::atomic<bool> stops{false};
  std::thread writer([&] {
    for (int i = 0; !stops; ++i) {
      WriteBatch batch;
      const std::string value = std::to_string(i);
      EXPECT_OK(batch.Put("k", value));
      EXPECT_OK(batch.Put(handles_[0], "k", value));
      EXPECT_OK(db_->Write(WriteOptions(), &batch));
    }
  });
  for (int i = 0; i < 10; ++i) {
    const std::string copy = copy_ + std::to_string(i);
    EXPECT_OK(Make()->CreateCheckpoint(copy, i % 2 == 0 ? UINT64_MAX : 0));
    std::vector<ColumnFamilyHandle*> handles;
    std::unique_ptr<DB> other;
    const ColumnFamilyOptions family(options_);
    EXPECT_OK(DB::Open(DBOptions(options_), copy,
                       {{"default", family}, {"b", family}}, &handles, &other));
    if (other == nullptr) break;
    std::string values[2];
    for (size_t f = 0; f < 2; ++f) {
      const Status s = other->Get(ReadOptions(), handles[f], "k", &values[f]);
      EXPECT_TRUE(s.ok() || s.IsNotFound()) << s.ToString();
      EXPECT_OK(other->DestroyColumnFamilyHandle(handles[f]));
    }
    EXPECT_EQ(values[0], values[1]);
  }
  stops = true;
  writer.join();
}

TEST_F(CheckpointTest, StockToolsReadIt) {
  if (!HasProgram("ldb")) GTEST_SKIP() << "ldb is not installed";
  BlockBasedTableOptions table;
  table.format_version = 5;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  ASSERT_OK(Put("a", "table"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "log"));
  ASSERT_OK(Make()->CreateCheckpoint(copy_, UINT64_MAX));
  int status = 0;
  const std::string output =
      RunShell("ldb --ignore_unknown_options --db=" + copy_ + " scan", &status);
  EXPECT_EQ(status, 0) << output;
  for (const char* pair : {"table", "log"}) {
    EXPECT_NE(output.find(pair), std::string::npos) << output;
  }
}

TEST_F(CheckpointTest, AFamilyIsExportedAndImported) {
  Open();
  CreateFamily("b");
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 30; ++i) {
      ASSERT_OK(PutIn(0, "k" + std::to_string(10 + i + round),
                      "v" + std::to_string(round)));
    }
    ASSERT_OK(db_->DeleteRange(WriteOptions(), handles_[0], "k20",
                               "k2" + std::to_string(1 + round)));
    if (round < 2) ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
    if (round == 0) {
      ASSERT_OK(db_->CompactRange(CompactRangeOptions(), handles_[0], nullptr,
                                  nullptr));
    }
  }
  const std::string expected = ScanOf(0);
  const auto exported = Export(handles_[0], "export");
  ASSERT_NE(exported, nullptr);
  EXPECT_EQ(exported->files.size(), 3u);
  EXPECT_EQ(exported->db_comparator_name, "leveldb.BytewiseComparator");
  ASSERT_OK(Import("copied", {exported.get()}));
  EXPECT_EQ(ScanOf(1), expected);
  ASSERT_OK(Import("moved", {exported.get()}, /*moves=*/true));
  EXPECT_EQ(ScanOf(2), expected);
  for (const LiveFileMetaData& file : exported->files) {
    EXPECT_FALSE(options_.env->FileExists(file.db_path + file.name).ok());
  }
  EXPECT_FALSE(Import("again", {exported.get()}).ok()) << "they were moved";
  ASSERT_OK(PutIn(1, "k10", "newer"));
  EXPECT_EQ(GetFrom(1, "k10"), "newer");
  OpenFamilies({"default", "b", "copied", "moved"});
  EXPECT_EQ(ScanOf(3), expected);
  EXPECT_EQ(GetFrom(2, "k10"), "newer");
  ASSERT_OK(
      db_->CompactRange(CompactRangeOptions(), handles_[3], nullptr, nullptr));
  EXPECT_EQ(ScanOf(3), expected);
}

// A young database takes an old one's family: its own writes are newer.
TEST_F(CheckpointTest, SequencesGoOnFromTheImported) {
  Open();
  for (int i = 0; i < 100; ++i) ASSERT_OK(Put("k", std::to_string(i)));
  const auto exported = Export(db_->DefaultColumnFamily(), "export");
  db_.reset();
  path_ += "2";
  Open();
  ASSERT_OK(Import("b", {exported.get()}));
  EXPECT_GE(db_->GetLatestSequenceNumber(), 100u);
  ASSERT_OK(PutIn(0, "k", "new"));
  EXPECT_EQ(GetFrom(0, "k"), "new");
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  EXPECT_EQ(GetFrom(0, "k"), "new");
  OpenFamilies({"default", "b"});
  EXPECT_EQ(GetFrom(1, "k"), "new");
}

TEST_F(CheckpointTest, WhatIsFlushedAfterAnImportIsNewer) {
  Open();
  for (int i = 0; i < 5; ++i) {
    ASSERT_OK(Put("k", std::to_string(i)));
    ASSERT_OK(Flush());
  }
  const auto exported = Export(db_->DefaultColumnFamily(), "export");
  ASSERT_OK(Import("b", {exported.get()}));
  EXPECT_EQ(GetFrom(0, "k"), "4");
  ASSERT_OK(PutIn(0, "k", "new"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  EXPECT_EQ(GetFrom(0, "k"), "new");
  ASSERT_OK(
      db_->CompactRange(CompactRangeOptions(), handles_[0], nullptr, nullptr));
  EXPECT_EQ(GetFrom(0, "k"), "new");
}

TEST_F(CheckpointTest, IngestedFilesKeepTheirNumbers) {
  Open();
  ASSERT_OK(Put("a", "old"));
  const std::string external = directory_.path() + "/x.sst";
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.Open(external));
  ASSERT_OK(writer.Put("a", "new"));
  ASSERT_OK(writer.Finish());
  ASSERT_OK(db_->IngestExternalFile({external}, {}));
  const auto exported = Export(db_->DefaultColumnFamily(), "export");
  ASSERT_OK(Import("b", {exported.get()}));
  EXPECT_EQ(GetFrom(0, "a"), "new");
  OpenFamilies({"default", "b"});
  EXPECT_EQ(GetFrom(1, "a"), "new");
}

TEST_F(CheckpointTest, SeveralExportsTogether) {
  Open();
  CreateFamily("x");
  CreateFamily("y");
  for (size_t family : {0, 1}) {
    ASSERT_OK(PutIn(family, family == 0 ? "a" : "m", "1"));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[family]));
    ASSERT_OK(db_->CompactRange(CompactRangeOptions(), handles_[family],
                                nullptr, nullptr));
  }
  const auto x = Export(handles_[0], "x");
  const auto y = Export(handles_[1], "y");
  ASSERT_OK(Import("both", {x.get(), y.get()}));
  EXPECT_EQ(ScanOf(2), "a=1 m=1 ");
  EXPECT_TRUE(Import("twice", {x.get(), x.get()}).IsInvalidArgument());
  EXPECT_TRUE(Import("none", {}).IsInvalidArgument());
  auto other = *x;
  other.db_comparator_name = "another";
  EXPECT_TRUE(Import("other", {&other}).IsInvalidArgument());
  other = *x;
  other.files[0].level = 99;
  EXPECT_TRUE(Import("deep", {&other}).IsInvalidArgument());
  ColumnFamilyOptions unordered(options_);
  unordered.comparator = nullptr;
  ColumnFamilyHandle* handle = nullptr;
  EXPECT_TRUE(db_->CreateColumnFamilyWithImport(unordered, "unordered",
                                                ImportColumnFamilyOptions(), *x,
                                                &handle)
                  .IsInvalidArgument());
  EXPECT_EQ(handle, nullptr);
  std::vector<std::string> names;
  ASSERT_OK(DB::ListColumnFamilies(options_, path_, &names));
  EXPECT_EQ(names.size(), 4u) << "what failed left no family";
}

// A database that checks its logs opens from tables alone.
TEST_F(CheckpointTest, LogsThatAreCheckedMayBeNone) {
  options_.track_and_verify_wals = true;
  options_.track_and_verify_wals_in_manifest = true;
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Make()->CreateCheckpoint(copy_));
  EXPECT_EQ(ScanCopy(), "a=1 ");
}

// Whatever call fails, the checkpoint is there as a whole or not at all, and
// the database goes on.
TEST(CheckpointFaults, EveryCallFailsOnce) {
  for (uint64_t k = 1;; ++k) {
    ASSERT_LT(k, 1000u);
    const auto fs = std::make_shared<FaultInjectionFileSystem>(
        std::make_shared<MemFileSystem>(), k);
    const auto env = NewCompositeEnv(fs);
    Options options;
    options.env = env.get();
    options.create_if_missing = true;
    options.compression = kNoCompression;
    std::unique_ptr<DB> db;
    ASSERT_OK(DB::Open(options, "/db", &db));
    ASSERT_OK(db->Put(WriteOptions(), "a", "1"));
    ASSERT_OK(db->Flush(FlushOptions()));
    ASSERT_OK(db->Put(WriteOptions(), "b", "2"));
    Checkpoint* made = nullptr;
    ASSERT_OK(Checkpoint::Create(db.get(), &made));
    const std::unique_ptr<Checkpoint> checkpoint(made);
    // A checkpoint that was killed has left this directory.
    ASSERT_OK(env->CreateDir("/copy.tmp"));
    ASSERT_OK(WriteStringToFile(env.get(), "stale", "/copy.tmp/stale"));
    fs->FailCall({.call = k});
    const Status s = checkpoint->CreateCheckpoint("/copy", 1 << 20);
    const bool struck = fs->failed();
    const std::string where = fs->failed_call() + ": " + s.ToString();
    fs->Heal();
    const bool is_there = fs->FileExists("/copy", IOOptions(), nullptr).ok();
    EXPECT_EQ(is_there, s.ok()) << where;
    const bool names_cause = s.ToString().find("injected") != std::string::npos;
    EXPECT_TRUE(s.ok() || names_cause) << where;
    IgnoreError(db->Resume(), "there may be nothing to resume");
    EXPECT_EQ(db->Put(WriteOptions(), "c", "3").ToString(), "OK") << where;
    db.reset();
    EXPECT_EQ(fs->open_handles(), 0u) << where;
    // The file system cannot undo names in a directory that is gone.
    if (is_there) {
      ASSERT_OK(fs->CrashAndHeal());
    } else {
      ASSERT_OK(DB::Open(options, "/db", &db));
      ASSERT_OK(Checkpoint::Create(db.get(), &made));
      const std::unique_ptr<Checkpoint> again(made);
      EXPECT_OK(again->CreateCheckpoint("/copy"));
      db.reset();
    }
    if (s.ok()) {
      std::unique_ptr<DB> copy;
      ASSERT_OK(DB::Open(options, "/copy", &copy));
      std::string value;
      EXPECT_OK(copy->Get(ReadOptions(), "b", &value));
      EXPECT_EQ(value, "2");
    }
    if (!struck) break;
  }
}

// Whoever opens it with them would take the source's logs for its own.
TEST_F(CheckpointTest, ItsOptionsDoNotNameTheSourcesLogs) {
  options_.wal_dir = directory_.path() + "/logs";
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(Make()->CreateCheckpoint(copy_, 1 << 30));
  ASSERT_OK(Put("c", "3"));
  DBOptions loaded;
  std::vector<ColumnFamilyDescriptor> families;
  ASSERT_OK(LoadLatestOptions(ConfigOptions(), copy_, &loaded, &families));
  EXPECT_EQ(loaded.wal_dir, "");
  ASSERT_OK(LoadLatestOptions(ConfigOptions(), path_, &loaded, &families));
  EXPECT_EQ(loaded.wal_dir, options_.wal_dir);
  options_.wal_dir.clear();
  EXPECT_EQ(ScanCopy(), "a=1 b=2 ");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
