#include "tools/db_bench/watched_files.h"

#include <functional>
#include <utility>

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// How a callback of ReadAsync() takes its request is not the same in all
// engines.
template <typename Call>
struct CallbackOf;
template <typename Callback>
struct CallbackOf<IOStatus (FSRandomAccessFile::*)(
    FSReadRequest&, const IOOptions&, Callback, void*, void**, IOHandleDeleter*,
    IODebugContext*)> {
  using Type = Callback;
};
using ReadCallback = CallbackOf<decltype(&FSRandomAccessFile::ReadAsync)>::Type;

void TellCall(FileCall call, const FileWatchers& watchers) {
  for (const auto& watcher : watchers) watcher->OnCall(call);
}

class WatchedDirectory final : public FSDirectoryWrapper {
 public:
  WatchedDirectory(const FileWatchers& watchers,
                   std::unique_ptr<FSDirectory> target)
      : FSDirectoryWrapper(std::move(target)), watchers_(watchers) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    TellCall(FileCall::kDirectoryFsync, watchers_);
    return FSDirectoryWrapper::Fsync(options, dbg);
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* dbg,
                               const DirFsyncOptions& reason) override {
    TellCall(FileCall::kDirectoryFsync, watchers_);
    return FSDirectoryWrapper::FsyncWithDirOptions(options, dbg, reason);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    TellCall(FileCall::kDirectoryClose, watchers_);
    return FSDirectoryWrapper::Close(options, dbg);
  }

 private:
  const FileWatchers watchers_;
};

class WatchedRandomFile final : public FSRandomAccessFile {
 public:
  WatchedRandomFile(const std::string& name, const FileWatchers& watchers,
                    std::unique_ptr<FSRandomAccessFile> target)
      : name_(name), watchers_(watchers), target_(std::move(target)) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    if (IOStatus s = TellRead(n); !s.ok()) return s;
    return target_->Read(offset, n, options, result, scratch, dbg);
  }
  IOStatus MultiRead(FSReadRequest* reqs, size_t num_reqs,
                     const IOOptions& options, IODebugContext* dbg) override {
    for (size_t i = 0; i < num_reqs; ++i) {
      if (IOStatus s = TellRead(reqs[i].len); !s.ok()) return s;
    }
    return target_->MultiRead(reqs, num_reqs, options, dbg);
  }
  IOStatus ReadAsync(FSReadRequest& req, const IOOptions& options,
                     ReadCallback callback, void* argument, void** io_handle,
                     IOHandleDeleter* del_fn, IODebugContext* dbg) override {
    if (IOStatus s = TellRead(req.len); !s.ok()) return s;
    return target_->ReadAsync(req, options, std::move(callback), argument,
                              io_handle, del_fn, dbg);
  }
  IOStatus Prefetch(uint64_t offset, size_t n, const IOOptions& options,
                    IODebugContext* dbg) override {
    return target_->Prefetch(offset, n, options, dbg);
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    return target_->GetUniqueId(id, max_size);
  }
  void Hint(AccessPattern pattern) override { target_->Hint(pattern); }
  bool use_direct_io() const override { return target_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return target_->GetRequiredBufferAlignment();
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return target_->InvalidateCache(offset, length);
  }
  Temperature GetTemperature() const override {
    return target_->GetTemperature();
  }

 private:
  IOStatus TellRead(uint64_t bytes) const {
    for (const auto& watcher : watchers_) {
      if (IOStatus s = watcher->OnRead(name_, bytes); !s.ok()) return s;
    }
    return IOStatus::OK();
  }

  const std::string name_;
  const FileWatchers watchers_;
  const std::unique_ptr<FSRandomAccessFile> target_;
};

class WatchedSequentialFile final : public FSSequentialFileWrapper {
 public:
  WatchedSequentialFile(const FileWatchers& watchers,
                        std::unique_ptr<FSSequentialFile> target)
      : FSSequentialFileWrapper(target.get()),
        watchers_(watchers),
        guard_(std::move(target)) {}

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override {
    IOStatus s =
        FSSequentialFileWrapper::Read(n, options, result, scratch, dbg);
    for (const auto& watcher : watchers_) {
      watcher->OnSequentialRead(s.ok() ? result->size() : 0);
    }
    return s;
  }

 private:
  const FileWatchers watchers_;
  const std::unique_ptr<FSSequentialFile> guard_;
};

class WatchedWritableFile final : public FSWritableFileOwnerWrapper {
 public:
  WatchedWritableFile(const std::string& name, const FileWatchers& watchers,
                      std::unique_ptr<FSWritableFile> target)
      : FSWritableFileOwnerWrapper(std::move(target)),
        name_(name),
        watchers_(watchers) {}

  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override {
    TellWrite(data.size());
    return FSWritableFileOwnerWrapper::Append(data, options, dbg);
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const DataVerificationInfo& info,
                  IODebugContext* dbg) override {
    TellWrite(data.size());
    return FSWritableFileOwnerWrapper::Append(data, options, info, dbg);
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override {
    TellWrite(data.size());
    return FSWritableFileOwnerWrapper::PositionedAppend(data, offset, options,
                                                        dbg);
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            const DataVerificationInfo& info,
                            IODebugContext* dbg) override {
    TellWrite(data.size());
    return FSWritableFileOwnerWrapper::PositionedAppend(data, offset, options,
                                                        info, dbg);
  }

  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override {
    TellCall(FileCall::kFlush, watchers_);
    return FSWritableFileOwnerWrapper::Flush(options, dbg);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    TellCall(FileCall::kSync, watchers_);
    return FSWritableFileOwnerWrapper::Sync(options, dbg);
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    TellCall(FileCall::kFsync, watchers_);
    return FSWritableFileOwnerWrapper::Fsync(options, dbg);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    TellCall(FileCall::kClose, watchers_);
    return FSWritableFileOwnerWrapper::Close(options, dbg);
  }

 private:
  void TellWrite(uint64_t bytes) {
    for (const auto& watcher : watchers_) watcher->OnWrite(name_, bytes);
  }

  const std::string name_;
  const FileWatchers watchers_;
};

class WatchedFileSystem final : public FileSystemWrapper {
 public:
  WatchedFileSystem(const std::shared_ptr<FileSystem>& base,
                    const FileWatchers& watchers)
      : FileSystemWrapper(base), watchers_(watchers) {}

  const char* Name() const override { return "WatchedFileSystem"; }

  IOStatus NewSequentialFile(const std::string& name,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* dbg) override {
    IOStatus s =
        FileSystemWrapper::NewSequentialFile(name, options, result, dbg);
    if (!s.ok()) return s;
    TellOpen(name);
    *result =
        std::make_unique<WatchedSequentialFile>(watchers_, std::move(*result));
    return s;
  }
  IOStatus NewRandomAccessFile(const std::string& name,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    IOStatus s =
        FileSystemWrapper::NewRandomAccessFile(name, options, result, dbg);
    if (!s.ok()) return s;
    TellOpen(name);
    *result = std::make_unique<WatchedRandomFile>(name, watchers_,
                                                  std::move(*result));
    return s;
  }
  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override {
    return Watch(FileSystemWrapper::NewWritableFile(name, options, result, dbg),
                 name, options, result);
  }
  IOStatus ReopenWritableFile(const std::string& name,
                              const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* result,
                              IODebugContext* dbg) override {
    return Watch(
        FileSystemWrapper::ReopenWritableFile(name, options, result, dbg), name,
        options, result);
  }
  IOStatus ReuseWritableFile(const std::string& name,
                             const std::string& old_name,
                             const FileOptions& options,
                             std::unique_ptr<FSWritableFile>* result,
                             IODebugContext* dbg) override {
    return Watch(FileSystemWrapper::ReuseWritableFile(name, old_name, options,
                                                      result, dbg),
                 name, options, result);
  }
  IOStatus DeleteFile(const std::string& name, const IOOptions& options,
                      IODebugContext* dbg) override {
    IOStatus s = FileSystemWrapper::DeleteFile(name, options, dbg);
    if (!s.ok()) return s;
    TellCall(FileCall::kDelete, watchers_);
    for (const auto& watcher : watchers_) watcher->OnDelete(name);
    return s;
  }
  IOStatus RenameFile(const std::string& from, const std::string& to,
                      const IOOptions& options, IODebugContext* dbg) override {
    IOStatus s = FileSystemWrapper::RenameFile(from, to, options, dbg);
    if (s.ok()) TellCall(FileCall::kRename, watchers_);
    return s;
  }
  IOStatus NewDirectory(const std::string& name, const IOOptions& options,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext* dbg) override {
    IOStatus s = FileSystemWrapper::NewDirectory(name, options, result, dbg);
    if (!s.ok()) return s;
    TellCall(FileCall::kDirectoryOpen, watchers_);
    *result = std::make_unique<WatchedDirectory>(watchers_, std::move(*result));
    return s;
  }

 private:
  void TellOpen(const std::string& name) {
    for (const auto& watcher : watchers_) watcher->OnOpen(name);
  }
  IOStatus Watch(IOStatus s, const std::string& name,
                 const FileOptions& options,
                 std::unique_ptr<FSWritableFile>* result) {
    if (!s.ok()) return s;
    TellOpen(name);
    for (const auto& watcher : watchers_) {
      watcher->OnCreate(name, options.temperature);
    }
    *result = std::make_unique<WatchedWritableFile>(name, watchers_,
                                                    std::move(*result));
    return s;
  }

  const FileWatchers watchers_;
};

}  // namespace

std::shared_ptr<FileSystem> NewWatchedFileSystem(
    const std::shared_ptr<FileSystem>& base, const FileWatchers& watchers) {
  return std::make_shared<WatchedFileSystem>(base, watchers);
}

}  // namespace ROCKSDB_NAMESPACE::bench
