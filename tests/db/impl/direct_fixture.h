// A database over a file system in memory that records every read of a table
// file, and opens and handles by way of a FaultInjectionFileSystem.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/cache.h"
#include "rocksdb/env.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {

struct ReadRecord {
  std::string path;
  uint64_t offset = 0;
  size_t length = 0;
  bool is_direct = false;
};

// Notes reads of RandomAccess files. With `is_async` it offers asynchronous
// reads too, done no sooner than they are polled for; with `strips` it takes
// direct reads out of the options for compaction.
class ReadRecorder : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "ReadRecorder"; }

  bool is_async = false;
  bool strips = false;

  std::vector<ReadRecord> reads() const {
    MutexLock lock(&mutex_);
    return reads_;
  }
  size_t peak_pending() const {
    MutexLock lock(&mutex_);
    return peak_pending_;
  }
  size_t pending() const {
    MutexLock lock(&mutex_);
    return pending_;
  }
  void Clear() {
    MutexLock lock(&mutex_);
    reads_.clear();
    peak_pending_ = pending_;
  }

  FileOptions OptimizeForCompactionTableRead(
      const FileOptions& options, const ImmutableDBOptions& db) const override {
    FileOptions result = target()->OptimizeForCompactionTableRead(options, db);
    if (strips) result.use_direct_reads = false;
    return result;
  }
  void SupportedOps(int64_t& supported) override {
    target()->SupportedOps(supported);
    if (is_async) supported |= int64_t{1} << FSSupportedOps::kAsyncIO;
  }
  IOStatus NewRandomAccessFile(const std::string& name,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    IOStatus s = target()->NewRandomAccessFile(name, options, result, dbg);
    if (!s.ok()) return s;
    *result = std::make_unique<RecordedFile>(std::move(*result), this, name,
                                             options.use_direct_reads);
    return s;
  }
  IOStatus Poll(std::vector<void*>& handles,
                size_t /*min_completions*/) override {
    for (void* handle : handles) static_cast<Pending*>(handle)->Complete();
    return IOStatus::OK();
  }
  IOStatus AbortIO(std::vector<void*>& handles) override {
    return Poll(handles, handles.size());
  }

 private:
  class RecordedFile;
  struct Pending {
    ReadRecorder* recorder = nullptr;
    RecordedFile* file = nullptr;
    FSReadRequest request;
    std::function<void(FSReadRequest&, void*)> callback;
    void* argument = nullptr;
    bool is_complete = false;

    void Complete() {
      if (is_complete) return;
      is_complete = true;
      request.status =
          file->target()->Read(request.offset, request.len, IOOptions(),
                               &request.result, request.scratch, nullptr);
      recorder->NotePending(-1);
      callback(request, argument);
    }
  };

  class RecordedFile : public FSRandomAccessFileOwnerWrapper {
   public:
    RecordedFile(std::unique_ptr<FSRandomAccessFile>&& file,
                 ReadRecorder* recorder, std::string name, bool is_direct)
        : FSRandomAccessFileOwnerWrapper(std::move(file)),
          recorder_(recorder),
          name_(std::move(name)),
          is_direct_(is_direct) {}

    using FSRandomAccessFileOwnerWrapper::target;
    IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                  Slice* result, char* scratch,
                  IODebugContext* dbg) const override {
      recorder_->NoteRead({name_, offset, n, is_direct_});
      return target()->Read(offset, n, options, result, scratch, dbg);
    }
    IOStatus MultiRead(FSReadRequest* requests, size_t count,
                       const IOOptions& options, IODebugContext* dbg) override {
      return FSRandomAccessFile::MultiRead(requests, count, options, dbg);
    }
    IOStatus ReadAsync(FSReadRequest& request, const IOOptions& options,
                       std::function<void(FSReadRequest&, void*)> callback,
                       void* argument, void** handle, IOHandleDeleter* deleter,
                       IODebugContext* dbg) override {
      if (!recorder_->is_async) {
        return FSRandomAccessFile::ReadAsync(request, options,
                                             std::move(callback), argument,
                                             handle, deleter, dbg);
      }
      recorder_->NoteRead({name_, request.offset, request.len, is_direct_});
      recorder_->NotePending(1);
      auto pending = std::make_unique<Pending>();
      pending->recorder = recorder_;
      pending->file = this;
      pending->request.offset = request.offset;
      pending->request.len = request.len;
      pending->request.scratch = request.scratch;
      pending->callback = std::move(callback);
      pending->argument = argument;
      *deleter = [](void* p) {
        const std::unique_ptr<Pending> last(static_cast<Pending*>(p));
      };
      *handle = pending.release();
      return IOStatus::OK();
    }

   private:
    ReadRecorder* const recorder_;
    const std::string name_;
    const bool is_direct_;
  };

  void NoteRead(ReadRecord record) {
    MutexLock lock(&mutex_);
    reads_.push_back(std::move(record));
  }
  void NotePending(int change) {
    MutexLock lock(&mutex_);
    pending_ += static_cast<size_t>(change);
    peak_pending_ = std::max(peak_pending_, pending_);
  }

  mutable Mutex mutex_;
  std::vector<ReadRecord> reads_ GUARDED_BY(mutex_);
  size_t pending_ GUARDED_BY(mutex_) = 0;
  size_t peak_pending_ GUARDED_BY(mutex_) = 0;
};

class DirectFixture : public DbFixture {
 protected:
  explicit DirectFixture(size_t alignment = 4096)
      : recorder_(
            std::make_shared<ReadRecorder>(std::make_shared<MemFileSystem>(
                SystemClock::Default(), InMemory(alignment)))),
        fs_(std::make_shared<FaultInjectionFileSystem>(recorder_)),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    options_.disable_auto_compactions = true;
    options_.use_direct_io_for_compaction_reads = true;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.num_levels = 3;
    options_.target_file_size_base = 64 << 10;
    options_.max_compaction_bytes = 64 << 20;
    options_.statistics = CreateDBStatistics();
    table_.block_size = 1024;
    table_.filter_policy.reset(NewBloomFilterPolicy(10));
    table_.block_cache = NewLRUCache(4 << 20);
    UseTable();
  }
  ~DirectFixture() override { db_.reset(); }

  static MemFileSystemOptions InMemory(size_t alignment) {
    MemFileSystemOptions options;
    options.implicit_directories = true;
    options.direct_alignment = alignment;
    return options;
  }
  void UseTable() {
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
  }

  static std::string Key(int i) { return "key" + std::to_string(1000000 + i); }
  static std::string Value(int i, int version) {
    return std::to_string(version) + ":" +
           std::string(200, static_cast<char>('a' + i % 26));
  }
  // One level-0 file with every step-th key.
  void WriteFile(int version, int step = 1, int count = 1000) {
    for (int i = 0; i < count; i += step) {
      ASSERT_OK(Put(Key(i), Value(i, version)));
    }
    ASSERT_OK(Flush());
  }
  // Levels 1 and 2 full of files, `level0` files on top.
  void MakeTree(int level0 = 3) {
    WriteFile(1);
    ASSERT_OK(CompactTo(0, 2));
    WriteFile(2, 2);
    ASSERT_OK(CompactTo(0, 1));
    for (int i = 0; i < level0; ++i) WriteFile(3 + i, 3 + i);
    ASSERT_GT(FilesAt(1), 1);
    ASSERT_GT(FilesAt(2), 2);
    ASSERT_EQ(FilesAt(0), level0);
  }
  std::vector<std::string> NamesAt(int level) {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    std::vector<std::string> names;
    for (const LiveFileMetaData& file : files) {
      if (file.level == level) names.push_back(file.name);
    }
    return names;
  }
  Status Compact(const std::vector<std::string>& names, int output_level) {
    CompactionOptions options;
    options.output_file_size_limit = options_.target_file_size_base;
    return db_->CompactFiles(options, db_->DefaultColumnFamily(), names,
                             output_level);
  }
  // Every file of `level`, in one job.
  Status CompactTo(int level, int output_level) {
    return Compact(NamesAt(level), output_level);
  }
  // Levels 0, 1 and 2 in one job.
  Status CompactTree() {
    std::vector<std::string> names = NamesAt(0);
    for (int level : {1, 2}) {
      for (std::string& name : NamesAt(level)) names.push_back(std::move(name));
    }
    return Compact(names, 2);
  }
  void Forget() {
    if (db_ != nullptr) AwaitPurge();
    recorder_->Clear();
    fs_->ClearOpens();
    fs_->ResetPeaks();
    ASSERT_OK(options_.statistics->Reset());
  }
  size_t DirectReads() const {
    const std::vector<ReadRecord> reads = recorder_->reads();
    return static_cast<size_t>(
        std::count_if(reads.begin(), reads.end(),
                      [](const ReadRecord& r) { return r.is_direct; }));
  }
  // Opens of a table file for buffered reading.
  size_t BufferedOpens() const {
    size_t count = 0;
    for (const OpenRecord& open : fs_->opens()) {
      if (open.kind == FileKind::kRandomAccess && !open.is_direct_read()) {
        ++count;
      }
    }
    return count;
  }
  void ExpectTree(int level0 = 3) {
    for (int i = 0; i < 1000; ++i) {
      int version = i % 2 == 0 ? 2 : 1;
      for (int v = 3; v < 3 + level0; ++v) {
        if (i % v == 0) version = v;
      }
      ASSERT_EQ(Get(Key(i)), Value(i, version)) << i;
    }
  }

  std::shared_ptr<ReadRecorder> recorder_;
  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<Env> env_;
  BlockBasedTableOptions table_;
};

}  // namespace ROCKSDB_NAMESPACE
