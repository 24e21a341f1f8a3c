#include "env/traced_file_system.h"

#include <string>
#include <utility>
#include <vector>

#include "env/traced_files.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class TracedFileSystem final : public FileSystemWrapper {
 public:
  TracedFileSystem(const std::shared_ptr<FileSystem>& target,
                   std::shared_ptr<IoTracer> tracer)
      : FileSystemWrapper(target), tracer_(std::move(tracer)) {}
  const char* Name() const override { return "TracedFileSystem"; }

  IOStatus NewSequentialFile(const std::string& path,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* dbg) override {
    return Open("NewSequentialFile", path, result, dbg, [&](auto* file) {
      return target()->NewSequentialFile(path, options, file, dbg);
    });
  }
  IOStatus NewRandomAccessFile(const std::string& path,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    return Open("NewRandomAccessFile", path, result, dbg, [&](auto* file) {
      return target()->NewRandomAccessFile(path, options, file, dbg);
    });
  }
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override {
    return Open("NewWritableFile", path, result, dbg, [&](auto* file) {
      return target()->NewWritableFile(path, options, file, dbg);
    });
  }
  IOStatus ReopenWritableFile(const std::string& path,
                              const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* result,
                              IODebugContext* dbg) override {
    return Open("ReopenWritableFile", path, result, dbg, [&](auto* file) {
      return target()->ReopenWritableFile(path, options, file, dbg);
    });
  }
  IOStatus ReuseWritableFile(const std::string& path, const std::string& old,
                             const FileOptions& options,
                             std::unique_ptr<FSWritableFile>* result,
                             IODebugContext* dbg) override {
    return Open("ReuseWritableFile", path, result, dbg, [&](auto* file) {
      return target()->ReuseWritableFile(path, old, options, file, dbg);
    });
  }
  IOStatus NewRandomRWFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSRandomRWFile>* result,
                           IODebugContext* dbg) override {
    return Open("NewRandomRWFile", path, result, dbg, [&](auto* file) {
      return target()->NewRandomRWFile(path, options, file, dbg);
    });
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext* dbg) override {
    return Run("NewDirectory", path, dbg, [&] {
      return target()->NewDirectory(path, options, result, dbg);
    });
  }
  IOStatus GetChildren(const std::string& path, const IOOptions& options,
                       std::vector<std::string>* result,
                       IODebugContext* dbg) override {
    return Run("GetChildren", path, dbg, [&] {
      return target()->GetChildren(path, options, result, dbg);
    });
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions& options,
                      IODebugContext* dbg) override {
    return Run("DeleteFile", path, dbg,
               [&] { return target()->DeleteFile(path, options, dbg); });
  }
  IOStatus CreateDir(const std::string& path, const IOOptions& options,
                     IODebugContext* dbg) override {
    return Run("CreateDir", path, dbg,
               [&] { return target()->CreateDir(path, options, dbg); });
  }
  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions& options,
                              IODebugContext* dbg) override {
    return Run("CreateDirIfMissing", path, dbg, [&] {
      return target()->CreateDirIfMissing(path, options, dbg);
    });
  }
  IOStatus DeleteDir(const std::string& path, const IOOptions& options,
                     IODebugContext* dbg) override {
    return Run("DeleteDir", path, dbg,
               [&] { return target()->DeleteDir(path, options, dbg); });
  }
  IOStatus GetFileSize(const std::string& path, const IOOptions& options,
                       uint64_t* size, IODebugContext* dbg) override {
    if (!tracer_->is_on()) [[likely]]
      return target()->GetFileSize(path, options, size, dbg);
    IoOperands operands;
    return IoTrace(tracer_, path).Run("GetFileSize", operands, dbg, [&] {
      IOStatus s = target()->GetFileSize(path, options, size, dbg);
      if (s.ok()) operands.file_size = *size;
      return s;
    });
  }
  IOStatus Truncate(const std::string& path, size_t size,
                    const IOOptions& options, IODebugContext* dbg) override {
    if (!tracer_->is_on()) [[likely]]
      return target()->Truncate(path, size, options, dbg);
    return IoTrace(tracer_, path)
        .Run("Truncate", {.file_size = size}, dbg,
             [&] { return target()->Truncate(path, size, options, dbg); });
  }

 private:
  template <class Call>
  IOStatus Run(const char* operation, const std::string& path,
               const IODebugContext* dbg, const Call& call) const {
    if (!tracer_->is_on()) [[likely]]
      return call();
    return IoTrace(tracer_, path).Run(operation, {}, dbg, call);
  }
  // What `open` gives, traced.
  template <class File, class Call>
  IOStatus Open(const char* operation, const std::string& path,
                std::unique_ptr<File>* result, const IODebugContext* dbg,
                const Call& open) const {
    std::unique_ptr<File> file;
    IoTrace trace(tracer_, path);
    IOStatus s = trace.Run(operation, {}, dbg, [&] { return open(&file); });
    if (s.ok()) *result = NewTracedFile(std::move(file), std::move(trace));
    return s;
  }

  const std::shared_ptr<IoTracer> tracer_;
};

}  // namespace

std::shared_ptr<FileSystem> NewTracedFileSystem(
    const std::shared_ptr<FileSystem>& target,
    const std::shared_ptr<IoTracer>& tracer) {
  return std::make_shared<TracedFileSystem>(target, tracer);
}

}  // namespace ROCKSDB_NAMESPACE
