// Writable files of a traced file system: with write-back, asynchronous writes,
// both or neither, as the file below has them.
#include <atomic>
#include <cassert>
#include <unordered_map>

#include "env/async_writable_file.h"
#include "env/traced_files.h"
#include "env/write_back_file.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

namespace {

IoOperands AppendAt(const Slice& data, uint64_t offset) {
  return {.length = data.size(), .offset = offset};
}

// Syncs and flushes are not told, as RocksDB's traces have none.
class TracedWritableFile : public FSWritableFileOwnerWrapper {
 public:
  TracedWritableFile(std::unique_ptr<FSWritableFile> file, IoTrace trace)
      : FSWritableFileOwnerWrapper(std::move(file)), trace_(std::move(trace)) {}

  using FSWritableFile::Append;
  using FSWritableFile::PositionedAppend;
  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override {
    return trace_.Run("Append", {.length = data.size()}, dbg,
                      [&] { return target()->Append(data, options, dbg); });
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const DataVerificationInfo& info,
                  IODebugContext* dbg) override {
    return trace_.Run("Append", {.length = data.size()}, dbg, [&] {
      return target()->Append(data, options, info, dbg);
    });
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override {
    return trace_.Run("PositionedAppend", AppendAt(data, offset), dbg, [&] {
      return target()->PositionedAppend(data, offset, options, dbg);
    });
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            const DataVerificationInfo& info,
                            IODebugContext* dbg) override {
    return trace_.Run("PositionedAppend", AppendAt(data, offset), dbg, [&] {
      return target()->PositionedAppend(data, offset, options, info, dbg);
    });
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options,
                    IODebugContext* dbg) override {
    return trace_.Run("Truncate", {.file_size = size}, dbg,
                      [&] { return target()->Truncate(size, options, dbg); });
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    return trace_.Run("Close", {}, dbg,
                      [&] { return target()->Close(options, dbg); });
  }
  uint64_t GetFileSize(const IOOptions& options, IODebugContext* dbg) override {
    IoOperands operands;
    uint64_t size = 0;
    const IOStatus s = trace_.Run("GetFileSize", operands, dbg, [&] {
      size = target()->GetFileSize(options, dbg);
      operands.file_size = size;
      return IOStatus::OK();
    });
    s.PermitUncheckedError();
    return size;
  }

 protected:
  const IoTrace& trace() const { return trace_; }

 private:
  const IoTrace trace_;
};

// Write-back writes nothing that Append() has not told of.
template <class Base>
class WithWriteBack : public Base, public WriteBackFile {
 public:
  WithWriteBack(std::unique_ptr<FSWritableFile> file, IoTrace trace)
      : Base(std::move(file), std::move(trace)),
        below_(dynamic_cast<WriteBackFile*>(this->target())) {
    assert(below_ != nullptr);
  }
  IOStatus StartWriteBack(uint64_t offset, uint64_t n) override {
    return below_->StartWriteBack(offset, n);
  }
  bool TellsWriteBack() const override { return below_->TellsWriteBack(); }
  bool IsWrittenBack(uint64_t offset, uint64_t n) override {
    return below_->IsWrittenBack(offset, n);
  }
  IOStatus FinishWriteBack(uint64_t offset, uint64_t n) override {
    return below_->FinishWriteBack(offset, n);
  }

 private:
  WriteBackFile* const below_;
};

// A write is told of when it is finished, with the time since it was started.
class TracedAsyncFile : public TracedWritableFile, public AsyncWritableFile {
 public:
  TracedAsyncFile(std::unique_ptr<FSWritableFile> file, IoTrace trace)
      : TracedWritableFile(std::move(file), std::move(trace)),
        below_(dynamic_cast<AsyncWritableFile*>(target())) {
    assert(below_ != nullptr);
  }

  bool Start(AsyncWritableFile::Write* write) override {
    if (!trace().is_on()) [[likely]]
      return below_->Start(write);
    const uint64_t start = trace().NowNanos();
    if (!below_->Start(write)) return false;
    MutexLock lock(&mutex_);
    started_[write] = start;
    has_started_.store(true);
    return true;
  }
  // Notes an end that comes after the trace, too: the next write may lie at the
  // same address, and be part of the next trace.
  bool Finish(AsyncWritableFile::Write* write, Patience patience) override {
    const bool is_done = below_->Finish(write, patience);
    if (is_done && has_started_.load()) [[unlikely]]
      NoteFinished(*write);
    return is_done;
  }

 private:
  // Tells nothing of a write that was started before the trace.
  void NoteFinished(const AsyncWritableFile::Write& write) {
    MutexLock lock(&mutex_);
    const auto started = started_.find(&write);
    if (started == started_.end()) return;
    trace().Tell("PositionedAppend", AppendAt(write.data, write.offset),
                 nullptr, write.status, started->second);
    started_.erase(started);
    if (started_.empty()) has_started_.store(false);
  }

  AsyncWritableFile* const below_;
  std::atomic<bool> has_started_{false};  // is there anything in started_?
  Mutex mutex_;
  // Nanoseconds at which writes that are under way began.
  std::unordered_map<const AsyncWritableFile::Write*, uint64_t> started_
      GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<FSWritableFile> NewTracedFile(
    std::unique_ptr<FSWritableFile> file, IoTrace trace) {
  const bool has_write_back =
      dynamic_cast<WriteBackFile*>(file.get()) != nullptr;
  const bool is_async = dynamic_cast<AsyncWritableFile*>(file.get()) != nullptr;
  if (is_async && has_write_back) {
    return std::make_unique<WithWriteBack<TracedAsyncFile>>(std::move(file),
                                                            std::move(trace));
  }
  if (is_async) {
    return std::make_unique<TracedAsyncFile>(std::move(file), std::move(trace));
  }
  if (has_write_back) {
    return std::make_unique<WithWriteBack<TracedWritableFile>>(
        std::move(file), std::move(trace));
  }
  return std::make_unique<TracedWritableFile>(std::move(file),
                                              std::move(trace));
}

}  // namespace ROCKSDB_NAMESPACE
