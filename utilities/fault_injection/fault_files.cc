#include "utilities/fault_injection/fault_files.h"

#include <algorithm>
#include <utility>

#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Verdict = FaultInjectionFileSystem::Verdict;

// Cuts a good read to half of its bytes.
void Halve(Slice* result) {
  *result = Slice(result->data(), result->size() / 2);
}

}  // namespace

FaultHandle::FaultHandle(FaultInjectionFileSystem* fs, const std::string& path,
                         FileKind kind, bool is_direct_read)
    : fs_(fs),
      path_(path),
      kind_(kind),
      is_direct_read_(is_direct_read),
      generation_(fs->generation()) {
  fs_->CountHandle(kind_, is_direct_read_, 1);
}

FaultHandle::~FaultHandle() { fs_->CountHandle(kind_, is_direct_read_, -1); }

IOStatus FaultHandle::CheckAlive() const {
  if (generation_ == fs_->generation()) return IOStatus::OK();
  return IOStatus::IOError(path_, "was opened before the crash");
}

FaultHandle::Verdict FaultHandle::JudgeRead(const char* name,
                                            IOStatus* status) const {
  *status = CheckAlive();
  if (!status->ok()) return Verdict::kFail;
  if (is_direct_read_) {
    *status = fs_->CheckDirectRead(path_);
    if (!status->ok()) return Verdict::kFail;
  }
  return fs_->Judge({.name = name,
                     .path = path_,
                     .scope = FaultScope::kAllCalls,
                     .is_transfer = true,
                     .is_direct_read = is_direct_read_},
                    status);
}

FaultHandle::Verdict FaultHandle::JudgeWrite(const char* name,
                                             IOStatus* status) const {
  *status = CheckAlive();
  if (!status->ok()) return Verdict::kFail;
  return fs_->Judge({.name = name,
                     .path = path_,
                     .scope = FaultScope::kMutatingCalls,
                     .is_transfer = true},
                    status);
}

IOStatus FaultHandle::CheckMutation(const char* name) const {
  if (IOStatus s = CheckAlive(); !s.ok()) return s;
  return fs_->Check(
      {.name = name, .path = path_, .scope = FaultScope::kMutatingCalls});
}

IOStatus FaultHandle::CheckSync(const char* name) const {
  if (IOStatus s = CheckAlive(); !s.ok()) return s;
  return fs_->Check({.name = name,
                     .path = path_,
                     .scope = FaultScope::kMutatingCalls,
                     .is_sync = true});
}

IOStatus ReadRange(FileSystem* fs, const std::string& path, uint64_t offset,
                   size_t n, std::string* bytes) {
  std::unique_ptr<FSRandomAccessFile> file;
  IOStatus status =
      fs->NewRandomAccessFile(path, FileOptions(), &file, nullptr);
  if (!status.ok()) return status;
  std::string scratch(n, '\0');
  Slice result;
  status = file->Read(offset, n, IOOptions(), &result, scratch.data(), nullptr);
  if (status.ok()) bytes->assign(result.data(), result.size());
  return status;
}

namespace {

class FaultSequentialFile : public FSSequentialFileOwnerWrapper {
 public:
  FaultSequentialFile(std::unique_ptr<FaultHandle>&& handle,
                      std::unique_ptr<FSSequentialFile>&& file)
      : FSSequentialFileOwnerWrapper(std::move(file)),
        handle_(std::move(handle)) {}

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override {
    IOStatus status;
    const Verdict verdict = handle_->JudgeRead("Read", &status);
    if (verdict == Verdict::kFail) return status;
    if (!held_back_.empty()) {
      const size_t size = held_back_.copy(scratch, n);
      held_back_.erase(0, size);
      *result = Slice(scratch, size);
      return status;
    }
    status = target()->Read(n, options, result, scratch, dbg);
    if (status.ok() && verdict == Verdict::kShort) {
      // The rest comes with the next read.
      held_back_ = result->ToString();
      Halve(result);
      held_back_.erase(0, result->size());
    }
    return status;
  }
  IOStatus Skip(uint64_t n) override {
    const size_t held = std::min<uint64_t>(n, held_back_.size());
    held_back_.erase(0, held);
    return held < n ? target()->Skip(n - held) : IOStatus::OK();
  }
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions& options,
                          Slice* result, char* scratch,
                          IODebugContext* dbg) override {
    IOStatus status;
    const Verdict verdict = handle_->JudgeRead("PositionedRead", &status);
    if (verdict == Verdict::kFail) return status;
    status = target()->PositionedRead(offset, n, options, result, scratch, dbg);
    if (status.ok() && verdict == Verdict::kShort) Halve(result);
    return status;
  }

 private:
  const std::unique_ptr<FaultHandle> handle_;
  std::string held_back_;
};

class FaultRandomAccessFile : public FSRandomAccessFileOwnerWrapper {
 public:
  FaultRandomAccessFile(std::unique_ptr<FaultHandle>&& handle,
                        std::unique_ptr<FSRandomAccessFile>&& file)
      : FSRandomAccessFileOwnerWrapper(std::move(file)),
        handle_(std::move(handle)) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    IOStatus status;
    const Verdict verdict = handle_->JudgeRead("Read", &status);
    if (verdict == Verdict::kFail) return status;
    status = target()->Read(offset, n, options, result, scratch, dbg);
    if (status.ok() && verdict == Verdict::kShort) Halve(result);
    return status;
  }
  // Each request is a call of its own.
  IOStatus MultiRead(FSReadRequest* reqs, size_t num_reqs,
                     const IOOptions& options, IODebugContext* dbg) override {
    return FSRandomAccessFile::MultiRead(reqs, num_reqs, options, dbg);
  }
  // The verdict is pronounced now and delivered with the bytes.
  IOStatus ReadAsync(FSReadRequest& req, const IOOptions& options,
                     std::function<void(FSReadRequest&, void*)> cb,
                     void* cb_arg, void** io_handle, IOHandleDeleter* del_fn,
                     IODebugContext* dbg) override {
    IOStatus status;
    const Verdict verdict = handle_->JudgeRead("ReadAsync", &status);
    if (verdict == Verdict::kProceed) {
      return target()->ReadAsync(req, options, std::move(cb), cb_arg, io_handle,
                                 del_fn, dbg);
    }
    const bool is_short = verdict == Verdict::kShort;
    auto faulty = [cb = std::move(cb), is_short, status](FSReadRequest& answer,
                                                         void* arg) {
      if (is_short) {
        Halve(&answer.result);
      } else {
        answer.result = Slice();
        answer.status = status;
      }
      cb(answer, arg);
    };
    return target()->ReadAsync(req, options, std::move(faulty), cb_arg,
                               io_handle, del_fn, dbg);
  }

 private:
  const std::unique_ptr<FaultHandle> handle_;
};

class FaultWritableFile : public FSWritableFileOwnerWrapper {
 public:
  FaultWritableFile(std::unique_ptr<FaultHandle>&& handle,
                    std::unique_ptr<FSWritableFile>&& file,
                    const std::shared_ptr<FaultFileState>& state,
                    Appending appending)
      : FSWritableFileOwnerWrapper(std::move(file)),
        handle_(std::move(handle)),
        state_(state),
        is_mapped_(appending == Appending::kMapped) {
    state_->AddWriter(1);
  }
  ~FaultWritableFile() override { state_->AddWriter(-1); }

  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override {
    if (is_mapped_ && data.size() <= kMostStored) {
      const uint64_t end = target()->GetFileSize(options, dbg);
      if (MakeRoom(end, data.size())) return Store(data, end);
    }
    return Transfer(
        "Append", data, [&] { return target()->GetFileSize(options, dbg); },
        [&](const Slice& part) {
          return target()->Append(part, options, dbg);
        });
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const DataVerificationInfo& /*info*/,
                  IODebugContext* dbg) override {
    return Append(data, options, dbg);
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override {
    return Transfer(
        "PositionedAppend", data, [&] { return offset; },
        [&](const Slice& part) {
          return target()->PositionedAppend(part, offset, options, dbg);
        });
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            const DataVerificationInfo& /*info*/,
                            IODebugContext* dbg) override {
    return PositionedAppend(data, offset, options, dbg);
  }

  IOStatus Truncate(uint64_t size, const IOOptions& options,
                    IODebugContext* dbg) override {
    IOStatus status = handle_->CheckMutation("Truncate");
    if (status.ok()) status = target()->Truncate(size, options, dbg);
    if (status.ok()) {
      window_end_ = 0;
      const uint64_t start =
          size / FaultFileState::kBlockBytes * FaultFileState::kBlockBytes;
      std::string tail;
      status = ReadRange(handle_->fs()->target(), handle_->path(), start,
                         static_cast<size_t>(size - start), &tail);
      if (status.ok()) state_->NoteTruncate(size, std::move(tail));
    }
    return status;
  }

  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    // The file of the base is closed in any case, or it would leak.
    IOStatus status = handle_->CheckMutation("Close");
    if (!handle_->CheckAlive().ok()) return status;
    if (status.ok() && window_end_ > 0) {
      status =
          target()->Truncate(target()->GetFileSize(options, dbg), options, dbg);
      if (status.ok()) state_->NoteCut();
      window_end_ = 0;
    }
    IOStatus closed = target()->Close(options, dbg);
    return status.ok() ? closed : status;
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override {
    IOStatus status = handle_->CheckMutation("Flush");
    return status.ok() ? target()->Flush(options, dbg) : status;
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    return SyncWith("Sync", [&] { return target()->Sync(options, dbg); });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return SyncWith("Fsync", [&] { return target()->Fsync(options, dbg); });
  }
  IOStatus RangeSync(uint64_t offset, uint64_t nbytes, const IOOptions& options,
                     IODebugContext* dbg) override {
    // It promises nothing, so nothing becomes durable.
    IOStatus status = handle_->CheckMutation("RangeSync");
    return status.ok() ? target()->RangeSync(offset, nbytes, options, dbg)
                       : status;
  }
  void PrepareWrite(size_t offset, size_t len, const IOOptions& options,
                    IODebugContext* dbg) override {
    if (handle_->CheckAlive().ok()) {
      target()->PrepareWrite(offset, len, options, dbg);
    }
  }

 private:
  // Shorter than a real window, so that tests come to its end.
  static constexpr uint64_t kWindowBytes = 64 << 10;
  // Larger appends are calls.
  static constexpr size_t kMostStored = 2 << 10;

  // Reserves space for `n` bytes behind the data. False: they go by a call.
  // If true, the position of the file below is anywhere.
  bool MakeRoom(uint64_t end, size_t n) {
    if (end + n <= window_end_) return true;
    const uint64_t first_new = std::max(end, window_end_);
    const uint64_t window_end =
        end - end % FaultFileState::kBlockBytes + kWindowBytes;
    const std::string zeros(static_cast<size_t>(window_end - first_new), '\0');
    IOStatus status = handle_->CheckMutation("Allocate");
    if (status.ok()) {
      status =
          target()->PositionedAppend(zeros, first_new, IOOptions(), nullptr);
    }
    is_mapped_ = status.ok();
    if (!is_mapped_) return false;
    window_end_ = window_end;
    state_->NoteReserved(window_end_);
    return true;
  }

  // Is counted as a call, but cannot fail while the process lives.
  IOStatus Store(const Slice& data, uint64_t offset) {
    if (IOStatus s = handle_->CheckAlive(); !s.ok()) return s;
    IOStatus fault;
    handle_->JudgeWrite("Store", &fault);
    IgnoreError(fault, "a store has no status");
    state_->NoteWrite(offset, data, [this](uint64_t at, size_t n) {
      return OldBytes(at, n);
    });
    return target()->PositionedAppend(data, offset, IOOptions(), nullptr);
  }

  template <typename OffsetOf, typename Write>
  IOStatus Transfer(const char* name, const Slice& data, OffsetOf offset_of,
                    Write write) {
    IOStatus fault;
    const Verdict verdict = handle_->JudgeWrite(name, &fault);
    if (verdict == Verdict::kFail) return fault;
    Slice part = data;
    if (verdict == Verdict::kShort) {
      // Direct writes stay aligned.
      const size_t unit =
          use_direct_io() ? GetRequiredBufferAlignment() : size_t{1};
      part = Slice(data.data(), data.size() / 2 / unit * unit);
    }
    if (!part.empty()) {
      state_->NoteWrite(offset_of(), part, [this](uint64_t at, size_t n) {
        return OldBytes(at, n);
      });
      IOStatus status = write(part);
      if (!status.ok()) return status;
    }
    return fault;
  }

  std::string OldBytes(uint64_t offset, size_t n) const {
    std::string bytes;
    IgnoreError(
        ReadRange(handle_->fs()->target(), handle_->path(), offset, n, &bytes),
        "the file moved away; its old bytes count as zeros");
    bytes.resize(n, '\0');
    return bytes;
  }

  template <typename DoSync>
  IOStatus SyncWith(const char* name, DoSync do_sync) {
    IOStatus status = handle_->CheckSync(name);
    if (status.ok()) status = do_sync();
    if (status.ok()) {
      state_->NoteSync();
    } else {
      state_->NoteFailedSync();
    }
    return status;
  }

  const std::unique_ptr<FaultHandle> handle_;
  const std::shared_ptr<FaultFileState> state_;
  bool is_mapped_;
  // Where reserved space ends; 0 if there is none.
  uint64_t window_end_ = 0;
};

class FaultRandomRWFile : public FSRandomRWFileOwnerWrapper {
 public:
  FaultRandomRWFile(std::unique_ptr<FaultHandle>&& handle,
                    std::unique_ptr<FSRandomRWFile>&& file,
                    const std::shared_ptr<FaultFileState>& state)
      : FSRandomRWFileOwnerWrapper(std::move(file)),
        handle_(std::move(handle)),
        state_(state) {
    state_->AddWriter(1);
  }
  ~FaultRandomRWFile() override { state_->AddWriter(-1); }

  IOStatus Write(uint64_t offset, const Slice& data, const IOOptions& options,
                 IODebugContext* dbg) override {
    IOStatus status = handle_->CheckMutation("Write");
    if (!status.ok()) return status;
    state_->NoteWrite(offset, data, [this](uint64_t at, size_t n) {
      std::string bytes(n, '\0');
      Slice result;
      IgnoreError(
          target()->Read(at, n, IOOptions(), &result, bytes.data(), nullptr),
          "old bytes that cannot be read count as zeros");
      return bytes;
    });
    return target()->Write(offset, data, options, dbg);
  }
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    IOStatus status;
    const Verdict verdict = handle_->JudgeRead("Read", &status);
    if (verdict == Verdict::kFail) return status;
    status = target()->Read(offset, n, options, result, scratch, dbg);
    if (status.ok() && verdict == Verdict::kShort) Halve(result);
    return status;
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    IOStatus status = handle_->CheckSync("Sync");
    if (status.ok()) status = target()->Sync(options, dbg);
    status.ok() ? state_->NoteSync() : state_->NoteFailedSync();
    return status;
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return Sync(options, dbg);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    IOStatus status = handle_->CheckMutation("Close");
    IOStatus closed = target()->Close(options, dbg);
    return status.ok() ? closed : status;
  }

 private:
  const std::unique_ptr<FaultHandle> handle_;
  const std::shared_ptr<FaultFileState> state_;
};

class FaultDirectory : public FSDirectoryWrapper {
 public:
  FaultDirectory(std::unique_ptr<FaultHandle>&& handle,
                 std::unique_ptr<FSDirectory>&& directory)
      : FSDirectoryWrapper(directory.get()),
        directory_(std::move(directory)),
        handle_(std::move(handle)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    IOStatus status = handle_->CheckSync("Fsync directory");
    if (status.ok()) status = target()->Fsync(options, dbg);
    if (status.ok()) handle_->fs()->NoteDirectorySynced(handle_->path());
    return status;
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* dbg,
                               const DirFsyncOptions& /*why*/) override {
    return Fsync(options, dbg);
  }

 private:
  const std::unique_ptr<FSDirectory> directory_;
  const std::unique_ptr<FaultHandle> handle_;
};

}  // namespace

std::unique_ptr<FSSequentialFile> NewFaultSequentialFile(
    std::unique_ptr<FaultHandle>&& handle,
    std::unique_ptr<FSSequentialFile>&& file) {
  return std::make_unique<FaultSequentialFile>(std::move(handle),
                                               std::move(file));
}

std::unique_ptr<FSRandomAccessFile> NewFaultRandomAccessFile(
    std::unique_ptr<FaultHandle>&& handle,
    std::unique_ptr<FSRandomAccessFile>&& file) {
  return std::make_unique<FaultRandomAccessFile>(std::move(handle),
                                                 std::move(file));
}

std::unique_ptr<FSWritableFile> NewFaultWritableFile(
    std::unique_ptr<FaultHandle>&& handle,
    std::unique_ptr<FSWritableFile>&& file,
    const std::shared_ptr<FaultFileState>& state, Appending appending) {
  return std::make_unique<FaultWritableFile>(std::move(handle), std::move(file),
                                             state, appending);
}

std::unique_ptr<FSRandomRWFile> NewFaultRandomRWFile(
    std::unique_ptr<FaultHandle>&& handle,
    std::unique_ptr<FSRandomRWFile>&& file,
    const std::shared_ptr<FaultFileState>& state) {
  return std::make_unique<FaultRandomRWFile>(std::move(handle), std::move(file),
                                             state);
}

std::unique_ptr<FSDirectory> NewFaultDirectory(
    std::unique_ptr<FaultHandle>&& handle,
    std::unique_ptr<FSDirectory>&& directory) {
  return std::make_unique<FaultDirectory>(std::move(handle),
                                          std::move(directory));
}

}  // namespace ROCKSDB_NAMESPACE
