// Families with values in blob files, exported and imported: what an export
// holds, what is refused, and what is left when a call fails.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/env.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/metadata.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/wide_columns.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "tests/utilities/checkpoint/linkless_files.h"
#include "util/builtin_merge_operators.h"
#include "util/ignore_error.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Exported = std::unique_ptr<ExportImportFilesMetaData>;

Status ExportTo(DB* db, ColumnFamilyHandle* family, const std::string& path,
                Exported* result) {
  Checkpoint* made = nullptr;
  Status s = Checkpoint::Create(db, &made);
  const std::unique_ptr<Checkpoint> checkpoint(made);
  ExportImportFilesMetaData* metadata = nullptr;
  if (s.ok()) s = checkpoint->ExportColumnFamily(family, path, &metadata);
  EXPECT_EQ(s.ok(), metadata != nullptr);
  result->reset(metadata);
  return s;
}

std::string Key(int i) { return "key" + std::to_string(1000 + i); }
std::string Large(int i, int version) {
  return std::to_string(version) + ":" + std::to_string(i) + ":" +
         std::string(300, static_cast<char>('a' + (i + version) % 26));
}

class BlobExportTest : public FamiliesFixture {
 protected:
  BlobExportTest() : export_(directory_.path() + "/export") {
    options_.enable_blob_files = true;
    options_.min_blob_size = 100;
    options_.disable_auto_compactions = true;
    options_.merge_operator = NewStringAppendOperator(",");
    options_.statistics = CreateDBStatistics();
    options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  }

  // Three files at two levels, of all kinds of entries; the newest holds no
  // large value.
  void Fill(ColumnFamilyHandle* family) {
    const WriteOptions write;
    const std::string large = Large(0, 9);
    const WideColumns columns{{"", "first"}, {"a", "inline"}, {"b", large}};
    for (int i = 0; i < kKeys; ++i) {
      ASSERT_OK(
          db_->Put(write, family, Key(i), i % 3 == 0 ? "small" : Large(i, 1)));
    }
    ASSERT_OK(db_->PutEntity(write, family, "entity", columns));
    ASSERT_OK(db_->Flush(FlushOptions(), family));
    ASSERT_OK(
        db_->CompactRange(CompactRangeOptions(), family, nullptr, nullptr));
    for (int i = 0; i < kKeys; i += 4) {
      ASSERT_OK(db_->Put(write, family, Key(i), Large(i, 2)));
    }
    ASSERT_OK(db_->Delete(write, family, Key(9)));
    ASSERT_OK(db_->SingleDelete(write, family, Key(10)));
    ASSERT_OK(db_->DeleteRange(write, family, Key(20), Key(25)));
    ASSERT_OK(db_->DeleteRange(write, family, Key(22), Key(30)));
    ASSERT_OK(db_->Put(write, family, Key(23), Large(23, 3)));
    ASSERT_OK(db_->Merge(write, family, Key(1), "operand"));
    ASSERT_OK(db_->Flush(FlushOptions(), family));
    ASSERT_OK(db_->Put(write, family, "zero", "small"));
  }
  Status Import(DB* db, const ExportImportFilesMetaData& metadata,
                ColumnFamilyHandle** handle, bool moves = false) {
    ImportColumnFamilyOptions options;
    options.move_files = moves;
    const std::string name = "imported" + std::to_string(++imports_);
    const Status s = db->CreateColumnFamilyWithImport(
        ColumnFamilyOptions(options_), name, options, metadata, handle);
    EXPECT_EQ(s.ok(), *handle != nullptr);
    return s;
  }
  static std::string ScanColumns(DB* db, ColumnFamilyHandle* family) {
    const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions(), family));
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + "=";
      for (const WideColumn& column : it->columns()) {
        text +=
            column.name().ToString() + ":" + column.value().ToString() + " ";
      }
    }
    return it->status().ok() ? text : it->status().ToString();
  }
  static std::vector<LiveFileMetaData> Tables(DB* db, const std::string& name) {
    std::vector<LiveFileMetaData> all, result;
    db->GetLiveFilesMetaData(&all);
    for (const LiveFileMetaData& file : all) {
      if (file.column_family_name == name) result.push_back(file);
    }
    return result;
  }
  static size_t BlobFiles(DB* db, ColumnFamilyHandle* family) {
    ColumnFamilyMetaData metadata;
    db->GetColumnFamilyMetaData(family, &metadata);
    return metadata.blob_file_count;
  }
  size_t TablesOnDisk() const { return FilesOf(path_, kTableFile).size(); }
  bool HasExport() const {
    return std::filesystem::exists(export_) ||
           std::filesystem::exists(export_ + ".tmp");
  }

  static constexpr int kKeys = 40;
  const std::string export_;
  int imports_ = 0;
};

TEST_F(BlobExportTest, AnExportHoldsAllValues) {
  for (const CompressionType codec : {kNoCompression, kZSTD}) {
    SCOPED_TRACE(codec);
    options_.blob_compression_type = codec;
    Open();
    CreateFamily("b");
    ASSERT_NO_FATAL_FAILURE(Fill(handles_[0]));
    const std::string expected = ScanColumns(db_.get(), handles_[0]);
    Exported exported;
    ASSERT_OK(ExportTo(db_.get(), handles_[0], export_, &exported));
    const std::vector<LiveFileMetaData> live = Tables(db_.get(), "b");
    ASSERT_EQ(exported->files.size(), 3u);
    ASSERT_EQ(live.size(), 3u);
    EXPECT_EQ(BlobFiles(db_.get(), handles_[0]), 2u) << "as before";
    EXPECT_EQ(TablesOnDisk(), 3u);
    EXPECT_EQ(FilesOf(export_, kTableFile).size(), 3u);
    EXPECT_TRUE(FilesOf(export_, kBlobFile).empty());
    for (size_t i = 0; i < live.size(); ++i) {
      const LiveFileMetaData& file = exported->files[i];
      EXPECT_EQ(file.level, live[i].level);
      EXPECT_EQ(file.smallest, live[i].smallest);
      EXPECT_EQ(file.largest, live[i].largest);
      EXPECT_EQ(file.smallest_seqno, live[i].smallest_seqno);
      EXPECT_EQ(file.largest_seqno, live[i].largest_seqno);
      EXPECT_EQ(file.epoch_number, live[i].epoch_number);
      EXPECT_EQ(file.column_family_name, "");
      EXPECT_EQ(file.num_entries, 0u);
      EXPECT_EQ(file.num_deletions, 0u);
      EXPECT_EQ(file.oldest_blob_file_number, 0u);
      const std::string path = file.directory + file.name;
      EXPECT_EQ(std::filesystem::file_size(path), file.size);
      const bool had_blobs = live[i].oldest_blob_file_number != 0;
      EXPECT_EQ(std::filesystem::hard_link_count(path), had_blobs ? 1u : 2u);
      EXPECT_EQ(file.file_number == live[i].file_number, !had_blobs);
      EXPECT_NE(file.file_checksum.empty(), true);
    }
    // Nothing of the family is needed any more.
    ASSERT_OK(db_->DropColumnFamily(handles_[0]));
    ASSERT_OK(db_->DestroyColumnFamilyHandle(handles_[0]));
    handles_.clear();
    ColumnFamilyHandle* handle = nullptr;
    ASSERT_OK(Import(db_.get(), *exported, &handle));
    handles_.push_back(handle);
    EXPECT_EQ(ScanColumns(db_.get(), handle), expected);
    EXPECT_EQ(BlobFiles(db_.get(), handle), 0u);
    ASSERT_OK(db_->VerifyChecksum());
    ASSERT_OK(db_->VerifyFileChecksums(ReadOptions()));
    OpenFamilies({"default", "imported" + std::to_string(imports_)});
    EXPECT_EQ(ScanColumns(db_.get(), handles_[1]), expected);
    CompactRangeOptions all;
    all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    ASSERT_OK(db_->CompactRange(all, handles_[1], nullptr, nullptr));
    EXPECT_EQ(BlobFiles(db_.get(), handles_[1]), 1u) << "taken out again";
    EXPECT_EQ(ScanColumns(db_.get(), handles_[1]), expected);
    CloseFamilies();
    std::filesystem::remove_all(export_);
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// The block cache knows blocks by the table's id: that of the new table must
// be another.
TEST_F(BlobExportTest, TheSameCacheServesBoth) {
  Open();
  CreateFamily("b");
  ASSERT_NO_FATAL_FAILURE(Fill(handles_[0]));
  const std::string expected = ScanColumns(db_.get(), handles_[0]);
  Exported exported;
  ASSERT_OK(ExportTo(db_.get(), handles_[0], export_, &exported));
  ColumnFamilyHandle* handle = nullptr;
  ASSERT_OK(Import(db_.get(), *exported, &handle, /*moves=*/true));
  handles_.push_back(handle);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(ScanColumns(db_.get(), handles_[1]), expected);
    EXPECT_EQ(ScanColumns(db_.get(), handles_[0]), expected);
  }
  EXPECT_TRUE(FilesOf(export_, kTableFile).empty()) << "they were moved";
}

TEST_F(BlobExportTest, VersionsThatAnOldTombstoneHidesStayHidden) {
  Open();
  CreateFamily("b");
  const Snapshot* snapshot = nullptr;
  ASSERT_OK(PutIn(0, "a", Large(1, 1)));
  ASSERT_OK(PutIn(0, "k", Large(2, 1)));
  snapshot = db_->GetSnapshot();
  ASSERT_OK(db_->DeleteRange(WriteOptions(), handles_[0], "b", "m"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  Exported exported;
  ASSERT_OK(ExportTo(db_.get(), handles_[0], export_, &exported));
  ColumnFamilyHandle* handle = nullptr;
  ASSERT_OK(Import(db_.get(), *exported, &handle));
  handles_.push_back(handle);
  EXPECT_EQ(GetFrom(1, "a"), Large(1, 1));
  EXPECT_EQ(GetFrom(1, "k"), "NOT_FOUND");
  std::string value;
  ReadOptions before;
  before.snapshot = snapshot;
  ASSERT_OK(db_->Get(before, handle, "k", &value));
  EXPECT_EQ(value, Large(2, 1)) << "every version goes along";
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(BlobExportTest, TimestampsGoAlong) {
  for (const bool persists : {true, false}) {
    SCOPED_TRACE(persists);
    options_.comparator = BytewiseComparatorWithU64Ts();
    options_.persist_user_defined_timestamps = persists;
    options_.allow_concurrent_memtable_write = persists;
    Open();
    CreateFamily("b");
    for (uint64_t ts : {10, 20}) {
      for (int i = 0; i < 4; ++i) {
        ASSERT_OK(db_->Put(WriteOptions(), handles_[0], Key(i), Ts(ts),
                           Large(i, static_cast<int>(ts))));
      }
    }
    ASSERT_OK(db_->Delete(WriteOptions(), handles_[0], Key(3), Ts(30)));
    const std::string low = Ts(31);
    if (!persists) {
      ASSERT_OK(db_->IncreaseFullHistoryTsLow(handles_[0], low));
    }
    Exported exported;
    ASSERT_OK(ExportTo(db_.get(), handles_[0], export_, &exported));
    for (const LiveFileMetaData& file : exported->files) {
      EXPECT_EQ(file.oldest_blob_file_number, 0u);
    }
    ColumnFamilyHandle* handle = nullptr;
    ASSERT_OK(Import(db_.get(), *exported, &handle));
    handles_.push_back(handle);
    const auto get = [&](int i, uint64_t as_of) {
      const std::string time = Ts(as_of);
      const Slice timestamp(time);
      ReadOptions read;
      read.timestamp = &timestamp;
      std::string value;
      const Status s = db_->Get(read, handle, Key(i), &value);
      return s.ok() ? value : s.ToString();
    };
    EXPECT_EQ(get(1, 40), Large(1, 20));
    EXPECT_EQ(get(3, 40), Status::NotFound().ToString());
    if (persists) {
      EXPECT_EQ(get(1, 15), Large(1, 10));
      EXPECT_EQ(get(3, 25), Large(3, 20));
    }
    CloseFamilies();
    std::filesystem::remove_all(export_);
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// Stock's exports say that tables refer to blob files, and leave these out.
TEST_F(BlobExportTest, ReferencesAreNotImported) {
  Open();
  CreateFamily("b");
  ASSERT_NO_FATAL_FAILURE(Fill(handles_[0]));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
  ExportImportFilesMetaData metadata;
  metadata.db_comparator_name = options_.comparator->Name();
  metadata.files = Tables(db_.get(), "b");
  const size_t tables = TablesOnDisk();
  ColumnFamilyHandle* handle = nullptr;
  Status s = Import(db_.get(), metadata, &handle);
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_NE(s.ToString().find("blob file"), std::string::npos);
  // Metadata that a C program makes looks like this: the C API can set neither
  // numbers of blob files nor epochs nor internal keys.
  for (LiveFileMetaData& file : metadata.files) {
    file.oldest_blob_file_number = file.epoch_number = 0;
    file.smallest.clear();
    file.largest.clear();
  }
  s = Import(db_.get(), metadata, &handle);
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_EQ(TablesOnDisk(), tables);
  std::vector<std::string> names;
  ASSERT_OK(DB::ListColumnFamilies(options_, path_, &names));
  EXPECT_EQ(names.size(), 2u);
  // Our own export can be imported even with so little metadata.
  Exported exported;
  ASSERT_OK(ExportTo(db_.get(), handles_[0], export_, &exported));
  for (LiveFileMetaData& file : exported->files) {
    file.epoch_number = 0;
    file.smallest.clear();
    file.largest.clear();
  }
  ASSERT_OK(Import(db_.get(), *exported, &handle));
  handles_.push_back(handle);
  EXPECT_EQ(ScanColumns(db_.get(), handles_[1]),
            ScanColumns(db_.get(), handles_[0]));
}

TEST_F(BlobExportTest, LostAndDamagedBlobFiles) {
  const std::vector<std::function<void(const std::string&)>> harms = {
      [](const std::string& path) { std::filesystem::remove(path); },
      [](const std::string& path) {
        WriteBytes(path, Damaged(ReadBytes(path), {Harm::kFlip, 40}));
      },
      [](const std::string& path) {
        WriteBytes(path, Damaged(ReadBytes(path), {Harm::kCut, 10}));
      },
  };
  for (size_t i = 0; i < harms.size(); ++i) {
    SCOPED_TRACE(i);
    Open();
    CreateFamily("b");
    ASSERT_NO_FATAL_FAILURE(Fill(handles_[0]));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[0]));
    const size_t tables = TablesOnDisk();
    const std::vector<std::string> blobs = FilesOf(path_, kBlobFile);
    ASSERT_EQ(blobs.size(), 2u);
    // No reader is open, and no block of it is known.
    CloseFamilies();
    options_.paranoid_checks = false;
    OpenFamilies({"default", "b"});
    harms[i](blobs.back());
    Exported exported;
    const Status s = ExportTo(db_.get(), handles_[1], export_, &exported);
    EXPECT_TRUE(s.IsCorruption() || s.IsIOError() || s.IsPathNotFound())
        << s.ToString();
    EXPECT_NE(s.ToString().find(".blob"), std::string::npos) << s.ToString();
    EXPECT_FALSE(HasExport());
    EXPECT_EQ(TablesOnDisk(), tables);
    EXPECT_EQ(GetFrom(1, "zero"), "small");
    ASSERT_OK(PutIn(1, "zero", "again"));
    EXPECT_EQ(GetFrom(1, "zero"), "again");
    CloseFamilies();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// Blobs are read once: the page cache is spared as compactions spare it.
TEST_F(BlobExportTest, ReadsDirectlyWhereCompactionsDo) {
  options_.use_direct_io_for_compaction_reads = true;
  const auto fs = std::make_shared<FaultInjectionFileSystem>(
      std::make_shared<MemFileSystem>(), 1);
  const auto env = NewCompositeEnv(fs);
  options_.env = env.get();
  std::unique_ptr<DB> db;
  ASSERT_OK(DB::Open(options_, "/db", &db));
  ASSERT_OK(db->Put(WriteOptions(), "a", Large(1, 1)));
  ASSERT_OK(db->Flush(FlushOptions()));
  fs->ClearOpens();
  Exported exported;
  ASSERT_OK(ExportTo(db.get(), db->DefaultColumnFamily(), "/x", &exported));
  EXPECT_EQ(fs->direct_read_opens(".blob"), 1u);
  EXPECT_EQ(fs->direct_read_opens(".sst"), 1u);
  EXPECT_EQ(fs->direct_read_handles(), 0u);
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED),
            Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED));
  db.reset();
}

struct FaultCase {
  FaultKind kind = FaultKind::kIOError;
  FaultScope scope = FaultScope::kMutatingCalls;
  bool has_links = true;
};

// A database that exports a family with blob files, and imports it.
class World {
 public:
  World(const FaultCase& c, uint64_t seed) {
    std::shared_ptr<FileSystem> base = std::make_shared<MemFileSystem>();
    if (!c.has_links) base = std::make_shared<LinklessFiles>(base);
    fs_ = std::make_shared<FaultInjectionFileSystem>(base, seed);
    env_ = NewCompositeEnv(fs_);
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.enable_blob_files = true;
    options_.min_blob_size = 100;
    options_.disable_auto_compactions = true;
    options_.info_log_level = InfoLogLevel::FATAL_LEVEL;
  }
  Status Open() {
    std::vector<std::string> names;
    Status s = DB::ListColumnFamilies(options_, "/db", &names);
    if (!s.ok()) names = {kDefaultColumnFamilyName};
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) {
      families.emplace_back(name, options_);
    }
    s = DB::Open(options_, "/db", families, &handles_, &db_);
    return s;
  }
  void Close() {
    for (ColumnFamilyHandle* handle : handles_) {
      IgnoreError(db_->DestroyColumnFamilyHandle(handle), "it is ours");
    }
    handles_.clear();
    db_.reset();
  }
  void Fill() {
    WriteOptions synced;
    synced.sync = true;
    ASSERT_OK(Open());
    for (int i = 0; i < 4; ++i) {
      ASSERT_OK(db_->Put(synced, Key(i), Large(i, 1)));
    }
    ASSERT_OK(db_->Flush(FlushOptions()));
    ASSERT_OK(db_->Put(synced, Key(0), "small"));
    ASSERT_OK(db_->DeleteRange(synced, Key(2), Key(3)));
    ASSERT_OK(db_->Flush(FlushOptions()));
  }
  Status ExportAndImport() {
    Exported exported;
    Status s = ExportTo(db_.get(), db_->DefaultColumnFamily(), "/x", &exported);
    is_exported_ = s.ok();
    if (!s.ok()) return s;
    ColumnFamilyHandle* handle = nullptr;
    s = db_->CreateColumnFamilyWithImport(ColumnFamilyOptions(options_),
                                          "imported", {}, *exported, &handle);
    if (handle != nullptr) handles_.push_back(handle);
    return s;
  }
  void ExpectData(ColumnFamilyHandle* handle) {
    const auto get = [&](int i) {
      std::string value;
      Status s = db_->Get(ReadOptions(), handle, Key(i), &value);
      return s.ok() ? value : s.ToString();
    };
    EXPECT_EQ(get(0), "small");
    EXPECT_EQ(get(1), Large(1, 1));
    EXPECT_EQ(get(2), Status::NotFound().ToString());
    EXPECT_EQ(get(3), Large(3, 1));
  }
  // Table files in the database that no version lists.
  size_t Orphans() {
    std::vector<std::string> names;
    EXPECT_OK(fs_->GetChildren("/db", IOOptions(), &names, nullptr));
    size_t tables = 0;
    for (const std::string& name : names) {
      tables += name.size() > 4 && name.substr(name.size() - 4) == ".sst";
    }
    std::vector<LiveFileMetaData> live;
    db_->GetLiveFilesMetaData(&live);
    return tables - live.size();
  }

  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> handles_;
  bool is_exported_ = false;  // and whatever then became of the import
};

class BlobExportFaults : public ::testing::TestWithParam<FaultCase> {};

TEST_P(BlobExportFaults, EveryCallFailsOnce) {
  const FaultCase& c = GetParam();
  for (uint64_t k = 1;; ++k) {
    ASSERT_LT(k, 1000u);
    World world(c, k);
    ASSERT_NO_FATAL_FAILURE(world.Fill());
    Fault fault;
    fault.call = k;
    fault.kind = c.kind;
    fault.scope = c.scope;
    world.fs_->FailCall(fault);
    const Status s = world.ExportAndImport();
    const bool struck = world.fs_->failed();
    SCOPED_TRACE(world.fs_->failed_call() + ": " + s.ToString());
    world.fs_->Heal();
    const bool is_there =
        world.fs_->FileExists("/x", IOOptions(), nullptr).ok();
    EXPECT_EQ(is_there, world.is_exported_);
    world.ExpectData(world.db_->DefaultColumnFamily());
    if (s.ok()) world.ExpectData(world.handles_.back());
    IgnoreError(world.db_->Resume(), "there may be nothing to resume");
    EXPECT_OK(world.db_->Put(WriteOptions(), "more", "1"));
    world.Close();
    EXPECT_EQ(world.fs_->open_handles(), 0u);
    // What was installed stays, what was not leaves nothing.
    if (is_there) {
      ASSERT_OK(world.fs_->CrashAndHeal());
    }
    ASSERT_OK(world.Open());
    ASSERT_GE(world.handles_.size(), s.ok() ? 2u : 1u);
    world.ExpectData(world.handles_.front());
    if (s.ok()) world.ExpectData(world.handles_.back());
    EXPECT_EQ(world.Orphans(), 0u);
    if (!is_there) {
      Exported again;
      EXPECT_OK(
          ExportTo(world.db_.get(), world.handles_.front(), "/x", &again));
    }
    world.Close();
    if (!struck) break;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BlobExportFaults,
    ::testing::Values(FaultCase{}, FaultCase{FaultKind::kNoSpace},
                      FaultCase{FaultKind::kShort, FaultScope::kAllCalls},
                      FaultCase{FaultKind::kIOError, FaultScope::kAllCalls},
                      FaultCase{FaultKind::kIOError, FaultScope::kMutatingCalls,
                                false}));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
