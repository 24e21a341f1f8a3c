// MultiGet with async_io asks for the blocks of all levels before it waits for
// the first, unless optimize_multiget_for_io is off.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/read_ways.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// LevelAnswers asynchronous reads when it is polled, and counts those under
// way.
class LateFileSystem : public FileSystemWrapper {
 public:
  LateFileSystem() : FileSystemWrapper(FileSystem::Default()) {}
  const char* Name() const override { return "LateFileSystem"; }
  void SupportedOps(int64_t& ops) override {
    ops = int64_t{1} << FSSupportedOps::kAsyncIO;
  }
  IOStatus NewRandomAccessFile(const std::string& name,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    IOStatus s = target()->NewRandomAccessFile(name, options, result, dbg);
    if (s.ok()) *result = std::make_unique<File>(std::move(*result), this);
    return s;
  }
  IOStatus Poll(std::vector<void*>& handles, size_t) override {
    for (void* handle : handles) Answer(handle);
    return IOStatus::OK();
  }
  IOStatus AbortIO(std::vector<void*>& handles) override {
    for (void* handle : handles) Answer(handle);
    return IOStatus::OK();
  }

  int under_way = 0;
  int most_under_way = 0;
  int reads = 0;

 private:
  struct Pending {
    LateFileSystem* fs = nullptr;
    FSReadRequest request;
    std::function<void(FSReadRequest&, void*)> callback;
    void* argument = nullptr;
    bool is_answered = false;
  };
  static void Answer(void* handle) {
    auto* pending = static_cast<Pending*>(handle);
    if (std::exchange(pending->is_answered, true)) return;
    --pending->fs->under_way;
    pending->callback(pending->request, pending->argument);
  }
  class File : public FSRandomAccessFileOwnerWrapper {
   public:
    File(std::unique_ptr<FSRandomAccessFile> file, LateFileSystem* fs)
        : FSRandomAccessFileOwnerWrapper(std::move(file)), fs_(fs) {}
    IOStatus ReadAsync(FSReadRequest& request, const IOOptions& options,
                       std::function<void(FSReadRequest&, void*)> callback,
                       void* argument, void** handle, IOHandleDeleter* deleter,
                       IODebugContext* dbg) override {
      auto pending = std::make_unique<Pending>();
      pending->fs = fs_;
      pending->request.offset = request.offset;
      pending->request.len = request.len;
      pending->request.status =
          Read(request.offset, request.len, options, &pending->request.result,
               request.scratch, dbg);
      pending->callback = std::move(callback);
      pending->argument = argument;
      ++fs_->reads;
      fs_->most_under_way = std::max(fs_->most_under_way, ++fs_->under_way);
      *handle = pending.release();
      *deleter = [](void* raw) {
        std::unique_ptr<Pending>(static_cast<Pending*>(raw)).reset();
      };
      return IOStatus::OK();
    }

   private:
    LateFileSystem* const fs_;
  };
};

class MultiGetLevelsTest : public DbFixture {
 protected:
  MultiGetLevelsTest()
      : fs_(std::make_shared<LateFileSystem>()), env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
    BlockBasedTableOptions table;
    table.block_size = 1024;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    table.block_cache = cache_ = NewLRUCache(8 << 20);
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    read_.async_io = true;
  }
  ~MultiGetLevelsTest() override { db_.reset(); }

  // key 00, 10, 20...: in the last level; 01, 11...: in the one above; 02 and
  // 03: in two files of level 0. Each value takes a block.
  void Fill() {
    Open();
    PutAll(0, "last");
    ASSERT_OK(Flush());
    MoveDown(6);
    PutAll(1, "middle");
    ASSERT_OK(Flush());
    MoveDown(5);
    PutAll(2, "old");
    ASSERT_OK(Flush());
    PutAll(3, "new");
    ASSERT_OK(Flush());
    ASSERT_EQ(FilesAt(0), 2);
    ASSERT_EQ(FilesAt(5), 1);
    ASSERT_EQ(FilesAt(6), 1);
    cache_->EraseUnRefEntries();
    fs_->reads = fs_->most_under_way = 0;
  }
  static std::string Value(const std::string& what) {
    return what + std::string(1500, 'x');
  }
  void PutAll(int last_digit, const std::string& what) {
    for (int i = 0; i < 10; ++i) {
      ASSERT_OK(Put(ScannedKey(10 * i + last_digit), Value(what)));
    }
  }
  // What level 0 has.
  void MoveDown(int level) {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    std::vector<std::string> names;
    for (const LiveFileMetaData& file : files) {
      if (file.level == 0) names.push_back(file.relative_filename);
    }
    ASSERT_OK(db_->CompactFiles(CompactionOptions(), names, level));
  }
  // The answers, their values without what makes them long.
  std::vector<std::string> Ask(const std::vector<int>& wanted) {
    std::vector<std::string> names;
    for (int i : wanted) names.push_back(ScannedKey(i));
    const std::vector<Slice> keys(names.begin(), names.end());
    std::vector<std::string> values;
    const std::vector<Status> statuses = db_->MultiGet(read_, keys, &values);
    std::vector<std::string> answers;
    for (size_t i = 0; i < keys.size(); ++i) {
      answers.push_back(statuses[i].ok()
                            ? values[i].substr(0, values[i].find('x'))
                            : statuses[i].ToString());
    }
    return answers;
  }

  std::shared_ptr<LateFileSystem> fs_;
  std::unique_ptr<Env> env_;
  std::shared_ptr<Cache> cache_;
  ReadOptions read_;
};

using LevelAnswers = std::vector<std::string>;

TEST_F(MultiGetLevelsTest, ReadsOfAllLevelsAreUnderWayTogether) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  EXPECT_EQ(Ask({0, 1, 2, 3}), (LevelAnswers{"last", "middle", "old", "new"}));
  EXPECT_EQ(fs_->most_under_way, 4);
  EXPECT_EQ(fs_->under_way, 0);
}

TEST_F(MultiGetLevelsTest, WithoutItEachLevelIsAwaited) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  read_.optimize_multiget_for_io = false;
  EXPECT_EQ(Ask({0, 1, 2, 3}), (LevelAnswers{"last", "middle", "old", "new"}));
  EXPECT_EQ(fs_->most_under_way, 1);
}

TEST_F(MultiGetLevelsTest, TheNewestAnswerCounts) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  // Over what the levels below have.
  ASSERT_OK(Put(ScannedKey(0), Value("newer")));
  ASSERT_OK(Delete(ScannedKey(10)));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), ScannedKey(20), ScannedKey(30)));
  ASSERT_OK(Put(ScannedKey(21), Value("after")));
  // Over what an older file of the same level has.
  ASSERT_OK(Put(ScannedKey(3), Value("latest")));
  ASSERT_OK(Flush());
  cache_->EraseUnRefEntries();
  const std::vector<int> wanted = {0, 1, 3, 10, 11, 20, 21, 22, 23, 30};
  const LevelAnswers answers = {
      "newer",      "middle", "latest",     "NotFound: ", "middle",
      "NotFound: ", "after",  "NotFound: ", "NotFound: ", "last"};
  EXPECT_EQ(Ask(wanted), answers);
  cache_->EraseUnRefEntries();
  read_.optimize_multiget_for_io = false;
  EXPECT_EQ(Ask(wanted), answers);
  EXPECT_EQ(fs_->under_way, 0);
}

TEST_F(MultiGetLevelsTest, WhatIsReadInVainMayBeDamaged) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ASSERT_OK(Put(ScannedKey(0), Value("newer")));
  ASSERT_OK(Flush());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  std::string last;
  for (const LiveFileMetaData& file : files) {
    if (file.level == 6) last = file.relative_filename;
  }
  ASSERT_FALSE(last.empty());
  db_.reset();
  // In its first block.
  std::unique_ptr<FSRandomRWFile> file;
  ASSERT_OK(FileSystem::Default()->NewRandomRWFile(
      path_ + "/" + last, FileOptions(), &file, nullptr));
  ASSERT_OK(file->Write(100, "damage", IOOptions(), nullptr));
  ASSERT_OK(file->Close(IOOptions(), nullptr));
  Open();
  EXPECT_EQ(Ask({0, 10}), (LevelAnswers{"newer", "last"}));
  ASSERT_OK(Delete(ScannedKey(1)));
  cache_->EraseUnRefEntries();
  EXPECT_EQ(Ask({0}), LevelAnswers{"newer"});
  EXPECT_EQ(fs_->under_way, 0);
}

TEST_F(MultiGetLevelsTest, WithRowsEachLevelIsAwaited) {
  options_.row_cache = NewLRUCache(1 << 20);
  ASSERT_NO_FATAL_FAILURE(Fill());
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Ask({0, 1, 2, 3}),
              (LevelAnswers{"last", "middle", "old", "new"}));
    EXPECT_LE(fs_->most_under_way, 1);
    cache_->EraseUnRefEntries();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
