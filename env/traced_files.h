// The files of a traced file system, one class for each kind of file.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "monitoring/trace/io_tracer.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

// Tells of operations on one file or directory.
class IoTrace {
 public:
  // `path`: only what is behind its last slash is told.
  IoTrace(std::shared_ptr<IoTracer> tracer, const std::string& path)
      : tracer_(std::move(tracer)),
        file_name_(path.substr(path.find_last_of('/') + 1)) {}

  // Makes `call`, whose operands may be known after it only.
  template <class Call>
  IOStatus Run(const char* operation, const IoOperands& operands,
               const IODebugContext* dbg, const Call& call) const {
    if (!tracer_->is_on()) [[likely]]
      return call();
    return RunTraced(operation, operands, dbg, call);
  }

  bool is_on() const { return tracer_->is_on(); }
  uint64_t NowNanos() const { return tracer_->NowNanos(); }
  void Tell(const char* operation, const IoOperands& operands,
            const IODebugContext* dbg, const IOStatus& status,
            uint64_t start_nanos) const;

 private:
  // Apart, so that a file that nobody traces costs a jump.
  template <class Call>
  [[gnu::noinline]] IOStatus RunTraced(const char* operation,
                                       const IoOperands& operands,
                                       const IODebugContext* dbg,
                                       const Call& call) const {
    const uint64_t start = tracer_->NowNanos();
    IOStatus s = call();
    Tell(operation, operands, dbg, s, start);
    return s;
  }

  std::shared_ptr<IoTracer> tracer_;
  std::string file_name_;
};

std::unique_ptr<FSSequentialFile> NewTracedFile(
    std::unique_ptr<FSSequentialFile> file, IoTrace trace);
std::unique_ptr<FSRandomAccessFile> NewTracedFile(
    std::unique_ptr<FSRandomAccessFile> file, IoTrace trace);
std::unique_ptr<FSWritableFile> NewTracedFile(
    std::unique_ptr<FSWritableFile> file, IoTrace trace);
std::unique_ptr<FSRandomRWFile> NewTracedFile(
    std::unique_ptr<FSRandomRWFile> file, IoTrace trace);

}  // namespace ROCKSDB_NAMESPACE
