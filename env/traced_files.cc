#include "env/traced_files.h"

#include <cassert>
#include <functional>

#include "env/resident_pages.h"

namespace ROCKSDB_NAMESPACE {

void IoTrace::Tell(const char* operation, const IoOperands& operands,
                   const IODebugContext* dbg, const IOStatus& status,
                   uint64_t start_nanos) const {
  IoTraceRecord record;
  record.operation = operation;
  record.status = status.ToString();
  record.file_name = file_name_;
  record.operands = operands;
  if (dbg != nullptr && dbg->request_id != nullptr &&
      (dbg->trace_data >> IODebugContext::kRequestID & 1) != 0) {
    record.request_id = *dbg->request_id;
  }
  tracer_->Write(std::move(record), start_nanos);
}

namespace {

IoOperands LengthAt(uint64_t length, uint64_t offset) {
  return {.length = length, .offset = offset};
}

class TracedSequentialFile final : public FSSequentialFileOwnerWrapper {
 public:
  TracedSequentialFile(std::unique_ptr<FSSequentialFile> file, IoTrace trace)
      : FSSequentialFileOwnerWrapper(std::move(file)),
        trace_(std::move(trace)) {}

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override {
    IoOperands operands{.length = n};
    return trace_.Run("Read", operands, dbg, [&] {
      IOStatus s = target()->Read(n, options, result, scratch, dbg);
      if (s.ok()) operands.length = result->size();
      return s;
    });
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return trace_.Run(
        "InvalidateCache", LengthAt(length, offset), nullptr,
        [&] { return target()->InvalidateCache(offset, length); });
  }
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions& options,
                          Slice* result, char* scratch,
                          IODebugContext* dbg) override {
    IoOperands operands = LengthAt(n, offset);
    return trace_.Run("PositionedRead", operands, dbg, [&] {
      IOStatus s =
          target()->PositionedRead(offset, n, options, result, scratch, dbg);
      if (s.ok()) operands.length = result->size();
      return s;
    });
  }

 private:
  const IoTrace trace_;
};

class TracedRandomAccessFile : public FSRandomAccessFileOwnerWrapper {
 public:
  TracedRandomAccessFile(std::unique_ptr<FSRandomAccessFile> file,
                         IoTrace trace)
      : FSRandomAccessFileOwnerWrapper(std::move(file)),
        trace_(std::move(trace)) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    return trace_.Run("Read", LengthAt(n, offset), dbg, [&] {
      return target()->Read(offset, n, options, result, scratch, dbg);
    });
  }
  IOStatus MultiRead(FSReadRequest* reqs, size_t num_reqs,
                     const IOOptions& options, IODebugContext* dbg) override {
    if (!trace_.is_on()) [[likely]]
      return target()->MultiRead(reqs, num_reqs, options, dbg);
    const uint64_t start = trace_.NowNanos();
    IOStatus s = target()->MultiRead(reqs, num_reqs, options, dbg);
    for (size_t i = 0; i < num_reqs; ++i) {
      trace_.Tell("MultiRead", LengthAt(reqs[i].len, reqs[i].offset), dbg,
                  s.ok() ? reqs[i].status : s, start);
    }
    return s;
  }
  IOStatus Prefetch(uint64_t offset, size_t n, const IOOptions& options,
                    IODebugContext* dbg) override {
    return trace_.Run("Prefetch", LengthAt(n, offset), dbg, [&] {
      return target()->Prefetch(offset, n, options, dbg);
    });
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return trace_.Run(
        "InvalidateCache", LengthAt(length, offset), nullptr,
        [&] { return target()->InvalidateCache(offset, length); });
  }
  // Told of when it was started; the callback may run before that.
  IOStatus ReadAsync(FSReadRequest& req, const IOOptions& options,
                     std::function<void(FSReadRequest&, void*)> cb,
                     void* cb_arg, void** io_handle, IOHandleDeleter* del_fn,
                     IODebugContext* dbg) override {
    return trace_.Run("ReadAsync", LengthAt(req.len, req.offset), dbg, [&] {
      return target()->ReadAsync(req, options, std::move(cb), cb_arg, io_handle,
                                 del_fn, dbg);
    });
  }
  bool SubmitReadAsync(FSReadRequest& req, const IOOptions& options,
                       std::function<void(FSReadRequest&)> cb,
                       IODebugContext* dbg) override {
    if (!trace_.is_on()) [[likely]]
      return target()->SubmitReadAsync(req, options, std::move(cb), dbg);
    const IoOperands operands = LengthAt(req.len, req.offset);
    const uint64_t start = trace_.NowNanos();
    const bool is_started =
        target()->SubmitReadAsync(req, options, std::move(cb), dbg);
    if (is_started) {
      trace_.Tell("SubmitReadAsync", operands, dbg, IOStatus::OK(), start);
    }
    return is_started;
  }

 private:
  const IoTrace trace_;
};

// What the page cache has is no operation on the file.
class TracedResidentFile final : public TracedRandomAccessFile,
                                 public ResidentPages {
 public:
  TracedResidentFile(std::unique_ptr<FSRandomAccessFile> file,
                     const ResidentPages* pages, IoTrace trace)
      : TracedRandomAccessFile(std::move(file), std::move(trace)),
        pages_(pages) {
    assert(pages_ != nullptr);
  }
  bool ReadResident(uint64_t offset, size_t n, char* out) const override {
    return pages_->ReadResident(offset, n, out);
  }
  PageSet FindResident() const override { return pages_->FindResident(); }

 private:
  const ResidentPages* const pages_;  // a part of the file
};

class TracedRandomRWFile final : public FSRandomRWFileOwnerWrapper {
 public:
  TracedRandomRWFile(std::unique_ptr<FSRandomRWFile> file, IoTrace trace)
      : FSRandomRWFileOwnerWrapper(std::move(file)), trace_(std::move(trace)) {}

  IOStatus Write(uint64_t offset, const Slice& data, const IOOptions& options,
                 IODebugContext* dbg) override {
    return trace_.Run("Write", LengthAt(data.size(), offset), dbg, [&] {
      return target()->Write(offset, data, options, dbg);
    });
  }
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    return trace_.Run("Read", LengthAt(n, offset), dbg, [&] {
      return target()->Read(offset, n, options, result, scratch, dbg);
    });
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override {
    return trace_.Run("Flush", {}, dbg,
                      [&] { return target()->Flush(options, dbg); });
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    return trace_.Run("Sync", {}, dbg,
                      [&] { return target()->Sync(options, dbg); });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return trace_.Run("Fsync", {}, dbg,
                      [&] { return target()->Fsync(options, dbg); });
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    return trace_.Run("Close", {}, dbg,
                      [&] { return target()->Close(options, dbg); });
  }

 private:
  const IoTrace trace_;
};

}  // namespace

std::unique_ptr<FSSequentialFile> NewTracedFile(
    std::unique_ptr<FSSequentialFile> file, IoTrace trace) {
  return std::make_unique<TracedSequentialFile>(std::move(file),
                                                std::move(trace));
}

std::unique_ptr<FSRandomAccessFile> NewTracedFile(
    std::unique_ptr<FSRandomAccessFile> file, IoTrace trace) {
  const auto* const pages = dynamic_cast<const ResidentPages*>(file.get());
  if (pages == nullptr) {
    return std::make_unique<TracedRandomAccessFile>(std::move(file),
                                                    std::move(trace));
  }
  return std::make_unique<TracedResidentFile>(std::move(file), pages,
                                              std::move(trace));
}

std::unique_ptr<FSRandomRWFile> NewTracedFile(
    std::unique_ptr<FSRandomRWFile> file, IoTrace trace) {
  return std::make_unique<TracedRandomRWFile>(std::move(file),
                                              std::move(trace));
}

}  // namespace ROCKSDB_NAMESPACE
