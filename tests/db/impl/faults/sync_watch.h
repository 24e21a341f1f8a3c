// A file system that notices when a file whose sync has failed is used on: the
// kernel has marked its pages clean, so a later sync proves nothing.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "env/file_holders.h"
#include "rocksdb/file_system.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class SyncWatch : public FileSystemWrapper, public FileHolders {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "SyncWatch"; }

  // What was done to files after their sync had failed.
  std::vector<std::string> violations() const {
    MutexLock lock(&mutex_);
    return violations_;
  }
  size_t failed_syncs() const {
    MutexLock lock(&mutex_);
    return failed_syncs_;
  }

  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override {
    IOStatus s = target()->NewWritableFile(name, options, result, dbg);
    if (s.ok()) {
      // The file is cut: it begins anew.
      MutexLock lock(&mutex_);
      failed_.erase(name);
    }
    return Watch(std::move(s), name, result);
  }
  IOStatus ReopenWritableFile(const std::string& name,
                              const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* result,
                              IODebugContext* dbg) override {
    NoteUse(name, "reopen");
    return Watch(target()->ReopenWritableFile(name, options, result, dbg), name,
                 result);
  }
  bool IsClosedEverywhere(const std::string& path) const override {
    const auto* holders = dynamic_cast<const FileHolders*>(target());
    return holders != nullptr && holders->IsClosedEverywhere(path);
  }
  IOStatus RenameFile(const std::string& name, const std::string& new_name,
                      const IOOptions& options, IODebugContext* dbg) override {
    IOStatus s = target()->RenameFile(name, new_name, options, dbg);
    MutexLock lock(&mutex_);
    if (!s.ok()) return s;
    failed_.erase(new_name);
    if (failed_.erase(name) > 0) failed_.insert(new_name);
    return s;
  }
  IOStatus DeleteFile(const std::string& name, const IOOptions& options,
                      IODebugContext* dbg) override {
    IOStatus s = target()->DeleteFile(name, options, dbg);
    MutexLock lock(&mutex_);
    if (s.ok()) failed_.erase(name);
    return s;
  }

 private:
  class WatchedFile : public FSWritableFileOwnerWrapper {
   public:
    WatchedFile(std::unique_ptr<FSWritableFile>&& file, SyncWatch* watch,
                std::string name)
        : FSWritableFileOwnerWrapper(std::move(file)),
          watch_(watch),
          name_(std::move(name)) {}

    IOStatus Append(const Slice& data, const IOOptions& options,
                    IODebugContext* dbg) override {
      // But for the byte by which a manifest says that its sync has failed.
      if (data != Slice("\0", 1)) watch_->NoteUse(name_, "append");
      return target()->Append(data, options, dbg);
    }
    IOStatus Append(const Slice& data, const IOOptions& options,
                    const DataVerificationInfo& info,
                    IODebugContext* dbg) override {
      watch_->NoteUse(name_, "append");
      return target()->Append(data, options, info, dbg);
    }
    IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                              const IOOptions& options,
                              IODebugContext* dbg) override {
      watch_->NoteUse(name_, "positioned append");
      return target()->PositionedAppend(data, offset, options, dbg);
    }
    IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
      watch_->NoteUse(name_, "sync");
      return watch_->NoteSync(target()->Sync(options, dbg), name_);
    }
    IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
      watch_->NoteUse(name_, "fsync");
      return watch_->NoteSync(target()->Fsync(options, dbg), name_);
    }

   private:
    SyncWatch* const watch_;
    const std::string name_;
  };

  IOStatus Watch(IOStatus s, const std::string& name,
                 std::unique_ptr<FSWritableFile>* result) {
    if (!s.ok()) return s;
    *result = std::make_unique<WatchedFile>(std::move(*result), this, name);
    return s;
  }
  void NoteUse(const std::string& name, const char* what) {
    MutexLock lock(&mutex_);
    if (failed_.count(name) != 0) violations_.push_back(what + (" " + name));
  }
  IOStatus NoteSync(IOStatus s, const std::string& name) {
    if (s.ok()) return s;
    MutexLock lock(&mutex_);
    failed_.insert(name);
    ++failed_syncs_;
    return s;
  }

  mutable Mutex mutex_;
  std::set<std::string> failed_ GUARDED_BY(mutex_);
  std::vector<std::string> violations_ GUARDED_BY(mutex_);
  size_t failed_syncs_ GUARDED_BY(mutex_) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
