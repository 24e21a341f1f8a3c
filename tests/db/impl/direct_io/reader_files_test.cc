// Instances that write nothing, asked for the files that make up what they
// show; and opened while somebody else changes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/file_system.h"
#include "rocksdb/metadata.h"
#include "rocksdb/utilities/checkpoint.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

enum class Reader { kReadOnly, kSecondary, kFollower };

std::string ReaderName(const ::testing::TestParamInfo<Reader>& info) {
  switch (info.param) {
    case Reader::kReadOnly:
      return "ReadOnly";
    case Reader::kSecondary:
      return "Secondary";
    case Reader::kFollower:
      break;
  }
  return "Follower";
}

class ReaderFilesTest : public FamiliesFixture,
                        public ::testing::WithParamInterface<Reader> {
 protected:
  ReaderFilesTest() : copy_(directory_.path() + "/copy") {
    options_.disable_auto_compactions = true;
  }
  ~ReaderFilesTest() override { reader_.reset(); }

  bool ShowsLogs() const { return GetParam() != Reader::kFollower; }
  // With the default family alone, whatever others there are.
  Status OpenReader() {
    reader_.reset();
    Options options = options_;
    options.follower_refresh_catchup_period_ms = 0;
    const std::string own = directory_.path() + "/own";
    switch (GetParam()) {
      case Reader::kReadOnly:
        return DB::OpenForReadOnly(options, path_, &reader_);
      case Reader::kSecondary:
        return DB::OpenAsSecondary(options, path_, own, &reader_);
      case Reader::kFollower:
        break;
    }
    return DB::OpenAsFollower(options, own, path_, &reader_);
  }
  Status TakeCheckpoint() {
    std::filesystem::remove_all(copy_);
    Checkpoint* made = nullptr;
    Status s = Checkpoint::Create(reader_.get(), &made);
    const std::unique_ptr<Checkpoint> checkpoint(made);
    return s.ok() ? checkpoint->CreateCheckpoint(copy_) : s;
  }
  static std::string ScanOf(DB* db, ColumnFamilyHandle* family) {
    const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions(), family));
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    return it->status().ok() ? text : it->status().ToString();
  }
  std::string Shown() {
    return ScanOf(reader_.get(), reader_->DefaultColumnFamily());
  }
  // What a database in `directory` holds, all families after each other.
  std::string Contents(const std::string& directory) {
    Options options = options_;
    options.create_if_missing = false;
    std::vector<std::string> names;
    Status s = DB::ListColumnFamilies(options, directory, &names);
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) families.emplace_back(name, options);
    std::vector<ColumnFamilyHandle*> handles;
    std::unique_ptr<DB> db;
    if (s.ok()) s = DB::Open(options, directory, families, &handles, &db);
    if (!s.ok()) return s.ToString();
    std::string text;
    for (ColumnFamilyHandle* handle : handles) {
      text += handle->GetName() + ": " + ScanOf(db.get(), handle);
      EXPECT_OK(db->DestroyColumnFamilyHandle(handle));
    }
    return text;
  }

  const std::string copy_;
  std::unique_ptr<DB> reader_;
};

INSTANTIATE_TEST_SUITE_P(All, ReaderFilesTest,
                         ::testing::Values(Reader::kReadOnly,
                                           Reader::kSecondary,
                                           Reader::kFollower),
                         ReaderName);

TEST_P(ReaderFilesTest, ACheckpointHoldsWhatIsShown) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 10;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "table"));
  ASSERT_OK(Put("b", "a value in a blob file"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("c", "log"));
  ASSERT_OK(Delete("a"));
  ASSERT_OK(OpenReader());
  // Newer than what is shown.
  ASSERT_OK(Put("d", "later"));
  const std::string shown = Shown();
  EXPECT_EQ(shown, ShowsLogs() ? "b=a value in a blob file c=log "
                               : "a=table b=a value in a blob file ");
  ASSERT_OK(TakeCheckpoint());
  EXPECT_EQ(Contents(copy_), "default: " + shown);
  EXPECT_EQ(Shown(), shown);
}

TEST_P(ReaderFilesTest, TheListIsOfWhatWasRead) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "table"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "log"));
  ASSERT_OK(OpenReader());
  ASSERT_OK(Put("c", "later"));
  ASSERT_OK(Flush());
  ASSERT_OK(reader_->DisableFileDeletions());
  LiveFilesStorageInfoOptions options;
  options.include_checksum_info = true;
  std::vector<LiveFileStorageInfo> files;
  ASSERT_OK(reader_->GetLiveFilesStorageInfo(options, &files));
  ASSERT_OK(reader_->EnableFileDeletions());
  std::vector<size_t> counts(kOptionsFile + 1, 0);
  for (const LiveFileStorageInfo& file : files) {
    ++counts.at(file.file_type);
    if (file.file_type == kCurrentFile) continue;
    const std::string path = file.directory + "/" + file.relative_filename;
    // The log went with the flush.
    if (file.file_type == kWalFile) continue;
    ASSERT_TRUE(std::filesystem::exists(path)) << path;
    EXPECT_GE(std::filesystem::file_size(path), file.size) << path;
  }
  EXPECT_EQ(counts[kTableFile], 1u);
  EXPECT_EQ(counts[kDescriptorFile], 1u);
  EXPECT_EQ(counts[kCurrentFile], 1u);
  EXPECT_EQ(counts[kOptionsFile], 1u);
  EXPECT_EQ(counts[kWalFile], ShowsLogs() ? 1u : 0u);
}

TEST_P(ReaderFilesTest, ManifestAndLogsByName) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "table"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "log"));
  ASSERT_OK(OpenReader());
  std::vector<std::string> names;
  uint64_t manifest_bytes = 0;
  if (GetParam() == Reader::kFollower) {
    EXPECT_TRUE(reader_->GetLiveFiles(names, &manifest_bytes).IsNotSupported());
    return;
  }
  const auto logs = [&names] {
    return std::count_if(names.begin(), names.end(), [](const auto& name) {
      return name.ends_with(".log");
    });
  };
  ASSERT_OK(reader_->GetLiveFiles(names, &manifest_bytes, true));
  EXPECT_EQ(logs(), 1);
  EXPECT_GT(manifest_bytes, 0u);
  db_.reset();
  ASSERT_OK(options_.env->CreateDirIfMissing(copy_));
  for (const std::string& name : names) {
    std::filesystem::copy_file(path_ + name, copy_ + name);
  }
  EXPECT_EQ(Contents(copy_), "default: a=table b=log ");
  ASSERT_OK(reader_->GetLiveFiles(names, &manifest_bytes, false));
  EXPECT_EQ(logs(), 0);
}

// The manifest names their files; a copy without them would not open.
TEST_P(ReaderFilesTest, FamiliesThatAreNotOpenHereAreThere) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(CreateFamily("before"));
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(PutIn(0, "k", "table"));
  FlushOptions flush;
  ASSERT_OK(db_->Flush(flush, handles_[0]));
  ASSERT_OK(PutIn(0, "l", "log"));
  ASSERT_OK(Flush());
  ASSERT_OK(OpenReader());
  ASSERT_OK(TakeCheckpoint());
  const std::string first =
      ShowsLogs() ? "before: k=table l=log " : "before: k=table ";
  EXPECT_EQ(Contents(copy_), "default: a=1 " + first);
  if (GetParam() == Reader::kReadOnly) return;
  ASSERT_NO_FATAL_FAILURE(CreateFamily("after"));
  ASSERT_OK(PutIn(1, "m", "table"));
  ASSERT_OK(db_->Flush(flush, handles_[1]));
  ASSERT_OK(reader_->TryCatchUpWithPrimary());
  ASSERT_OK(TakeCheckpoint());
  EXPECT_EQ(Contents(copy_), "default: a=1 " + first + "after: m=table ");
  ASSERT_OK(db_->DropColumnFamily(handles_[1]));
  ASSERT_OK(reader_->TryCatchUpWithPrimary());
  ASSERT_OK(TakeCheckpoint());
  EXPECT_EQ(Contents(copy_), "default: a=1 " + first);
}

TEST_P(ReaderFilesTest, ACheckpointFollows) {
  if (GetParam() == Reader::kReadOnly) return;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(OpenReader());
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i);
    ASSERT_OK(Put("table" + n, n));
    ASSERT_OK(i == 1 ? CompactAll() : Flush());
    ASSERT_OK(Put("log" + n, n));
    ASSERT_OK(reader_->TryCatchUpWithPrimary());
    ASSERT_OK(TakeCheckpoint());
    EXPECT_EQ(Contents(copy_), "default: " + Shown());
  }
}

// Whoever writes the database removes what it does not need. A copy without
// that would be none.
TEST_P(ReaderFilesTest, WhatIsGoneFailsACheckpoint) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(OpenReader());
  if (!ShowsLogs()) return;  // A follower's links stay.
  const std::string shown = Shown();
  ASSERT_OK(Flush());  // The log goes.
  const Status s = TakeCheckpoint();
  EXPECT_TRUE(s.IsNotFound() || s.IsPathNotFound() || s.IsIOError())
      << s.ToString();
  EXPECT_FALSE(std::filesystem::exists(copy_));
  EXPECT_EQ(Shown(), shown);
  if (GetParam() != Reader::kSecondary) return;
  ASSERT_OK(reader_->TryCatchUpWithPrimary());
  ASSERT_OK(TakeCheckpoint());
  EXPECT_EQ(Contents(copy_), "default: a=1 b=2 ");
}

TEST_P(ReaderFilesTest, AFollowersLinksStayWhileFilesAreListed) {
  if (GetParam() != Reader::kFollower) return;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(OpenReader());
  ASSERT_OK(reader_->DisableFileDeletions());
  std::vector<LiveFileStorageInfo> files;
  ASSERT_OK(
      reader_->GetLiveFilesStorageInfo(LiveFilesStorageInfoOptions(), &files));
  ASSERT_OK(CompactAll(/*force=*/true));
  ASSERT_OK(reader_->TryCatchUpWithPrimary());
  const auto all_there = [&files] {
    return std::all_of(files.begin(), files.end(), [](const auto& file) {
      return file.file_type != kTableFile ||
             std::filesystem::exists(file.directory + "/" +
                                     file.relative_filename);
    });
  };
  EXPECT_TRUE(all_there());
  ASSERT_OK(reader_->EnableFileDeletions());
  ASSERT_OK(Put("b", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(reader_->TryCatchUpWithPrimary());
  EXPECT_FALSE(all_there());
}

TEST_P(ReaderFilesTest, ADamagedLogIsCopiedUpToTheDamage) {
  if (!ShowsLogs()) return;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Put("b", std::string(100, 'x')));
  ASSERT_OK(Put("c", "3"));
  db_.reset();
  std::string log;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    if (entry.path().extension() == ".log") log = entry.path().string();
  }
  std::string bytes;
  ASSERT_OK(ReadFileToString(options_.env, log, &bytes));
  const size_t at = bytes.find("xxxx");
  ASSERT_NE(at, std::string::npos);
  bytes[at] = 'y';
  ASSERT_OK(WriteStringToFile(options_.env, bytes, log));
  ASSERT_OK(OpenReader());
  EXPECT_EQ(Shown(), "a=1 ");
  ASSERT_OK(TakeCheckpoint());
  EXPECT_EQ(Contents(copy_), "default: a=1 ");
}

// No manifest tells of what best efforts have found.
TEST_P(ReaderFilesTest, WhatBestEffortsFoundIsNotListed) {
  if (GetParam() != Reader::kReadOnly) return;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  db_.reset();
  options_.best_efforts_recovery = true;
  ASSERT_OK(OpenReader());
  EXPECT_EQ(Shown(), "a=1 ");
  EXPECT_TRUE(TakeCheckpoint().IsNotSupported());
}

// A file system that lets somebody else run in between.
class BusyFs final : public FileSystemWrapper {
 public:
  explicit BusyFs(std::shared_ptr<FileSystem> base)
      : FileSystemWrapper(std::move(base)) {}
  const char* Name() const override { return "BusyFs"; }

  IOStatus GetChildren(const std::string& dir, const IOOptions& options,
                       std::vector<std::string>* names,
                       IODebugContext* debug) override {
    if (before_listing) before_listing();
    return FileSystemWrapper::GetChildren(dir, options, names, debug);
  }
  IOStatus NewSequentialFile(const std::string& name,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* debug) override {
    if (name.find("MANIFEST") != std::string::npos && before_manifest) {
      before_manifest();
    }
    const IOStatus s =
        FileSystemWrapper::NewSequentialFile(name, options, result, debug);
    if (name.find("MANIFEST") != std::string::npos && after_manifest) {
      after_manifest();
    }
    return s;
  }

  std::function<void()> before_listing, before_manifest, after_manifest;
};

class BusyWriterTest : public FamiliesFixture {
 protected:
  BusyWriterTest()
      : fs_(std::make_shared<BusyFs>(FileSystem::Default())),
        env_(NewCompositeEnv(fs_)) {
    options_.disable_auto_compactions = true;
  }
  ~BusyWriterTest() override { reader_.reset(); }
  Status OpenReader() {
    Options options = options_;
    options.env = env_.get();
    return DB::OpenForReadOnly(options, path_, &reader_);
  }
  std::string Seen(const std::string& key) {
    std::string value;
    const Status s = reader_->Get(ReadOptions(), key, &value);
    return s.ok() ? value : s.ToString();
  }
  // Something new, and nothing left of what was there.
  void Rewrite() {
    ++rewritten_;
    ASSERT_OK(Put("n", std::to_string(rewritten_)));
    ASSERT_OK(CompactAll(/*force=*/true));
    AwaitPurge();
  }

  const std::shared_ptr<BusyFs> fs_;
  const std::unique_ptr<Env> env_;
  std::unique_ptr<DB> reader_;
  int rewritten_ = 0;
};

TEST_F(BusyWriterTest, FilesThatGoWhileTheyAreOpenedAreNoDamage) {
  for (const bool has_blobs : {false, true}) {
    options_.enable_blob_files = has_blobs;
    options_.enable_blob_garbage_collection = has_blobs;
    options_.blob_garbage_collection_age_cutoff = 1;
    ASSERT_NO_FATAL_FAILURE(Open());
    for (const int times : {1, 3}) {
      int left = times;
      fs_->after_manifest = [&] {
        if (left-- > 0) Rewrite();
      };
      ASSERT_OK(OpenReader());
      EXPECT_LT(left, 0) << "it was read again";
      EXPECT_EQ(Seen("n"), std::to_string(rewritten_));
      reader_.reset();
    }
  }
}

TEST_F(BusyWriterTest, AWriterThatNeverRestsIsAnIOError) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Rewrite());
  fs_->after_manifest = [&] { Rewrite(); };
  const Status s = OpenReader();
  EXPECT_TRUE(s.IsIOError()) << s.ToString();
  EXPECT_EQ(reader_, nullptr);
  EXPECT_LT(rewritten_, 1000);
}

// What it held is in a table that the manifest which was read does not name.
TEST_F(BusyWriterTest, ALogThatGoesIsNotMissed) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  int listings = 0;
  bool is_armed = false;
  fs_->after_manifest = [&] { is_armed = true; };
  fs_->before_listing = [&] {
    if (!is_armed || listings++ > 0) return;
    ASSERT_OK(Put("b", "2"));
    ASSERT_OK(Flush());
    ASSERT_OK(Put("c", "3"));
  };
  ASSERT_OK(OpenReader());
  EXPECT_GT(listings, 1);
  EXPECT_EQ(Seen("a") + Seen("b") + Seen("c"), "123");
}

TEST_F(BusyWriterTest, AManifestThatIsReplacedIsNoDamage) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  bool is_done = false;
  fs_->before_manifest = [&] {
    if (is_done) return;
    is_done = true;
    Reopen();
  };
  Options options = options_;
  options.env = env_.get();
  std::vector<std::string> names;
  ASSERT_OK(DB::ListColumnFamilies(options, path_, &names));
  EXPECT_EQ(names, std::vector<std::string>{"default"});
  EXPECT_TRUE(is_done);
  is_done = false;
  ASSERT_OK(OpenReader());
  EXPECT_EQ(Seen("a"), "1");
}

// Files are open by then, where their number is not limited.
TEST_F(BusyWriterTest, FilesThatGoLaterCanBeRead) {
  options_.enable_blob_files = true;
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 1;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("kept", "value"));
  ASSERT_NO_FATAL_FAILURE(Rewrite());
  ASSERT_OK(OpenReader());
  const std::vector<std::string> blobs = FilesOf(path_, kBlobFile);
  ASSERT_FALSE(blobs.empty());
  ASSERT_NO_FATAL_FAILURE(Rewrite());
  for (const std::string& blob : blobs) {
    ASSERT_FALSE(std::filesystem::exists(blob)) << blob;
  }
  EXPECT_EQ(Seen("kept"), "value");
  EXPECT_EQ(Seen("n"), "1");
}

TEST_F(BusyWriterTest, DamageIsNotTriedForLong) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  const std::string table = path_ + Tables().front().name;
  db_.reset();
  std::filesystem::remove(table);
  int manifests = 0;
  fs_->after_manifest = [&] { ++manifests; };
  const Status s = OpenReader();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_EQ(manifests, 1);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
