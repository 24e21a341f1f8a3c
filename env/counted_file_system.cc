#include "env/counted_file_system.h"

#include <utility>

#include "options/builtin_objects.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Counter = std::atomic<uint64_t>;
using CountersRef = std::shared_ptr<FileOpCounters>;

IOStatus CountCall(Counter* counter, IOStatus s) {
  if (!s.IsNotSupported()) ++*counter;
  return s;
}

IOStatus CountTransfer(FileOpCounters::Transfers* transfers, size_t bytes,
                       IOStatus s) {
  if (!s.IsNotSupported()) ++transfers->ops;
  if (s.ok()) transfers->bytes += bytes;
  return s;
}

class CountedSequentialFile final : public FSSequentialFileOwnerWrapper {
 public:
  CountedSequentialFile(std::unique_ptr<FSSequentialFile>&& file,
                        CountersRef counters)
      : FSSequentialFileOwnerWrapper(std::move(file)),
        counters_(std::move(counters)) {}
  ~CountedSequentialFile() override { ++counters_->closes; }

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override {
    IOStatus s = target()->Read(n, options, result, scratch, dbg);
    return CountTransfer(&counters_->reads, s.ok() ? result->size() : 0, s);
  }
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions& options,
                          Slice* result, char* scratch,
                          IODebugContext* dbg) override {
    IOStatus s =
        target()->PositionedRead(offset, n, options, result, scratch, dbg);
    return CountTransfer(&counters_->reads, s.ok() ? result->size() : 0, s);
  }

 private:
  const CountersRef counters_;
};

class CountedRandomAccessFile final : public FSRandomAccessFileOwnerWrapper {
 public:
  CountedRandomAccessFile(std::unique_ptr<FSRandomAccessFile>&& file,
                          CountersRef counters)
      : FSRandomAccessFileOwnerWrapper(std::move(file)),
        counters_(std::move(counters)) {}
  ~CountedRandomAccessFile() override { ++counters_->closes; }

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    IOStatus s = target()->Read(offset, n, options, result, scratch, dbg);
    return CountTransfer(&counters_->reads, s.ok() ? result->size() : 0, s);
  }
  IOStatus MultiRead(FSReadRequest* reqs, size_t num_reqs,
                     const IOOptions& options, IODebugContext* dbg) override {
    IOStatus s = target()->MultiRead(reqs, num_reqs, options, dbg);
    for (size_t i = 0; s.ok() && i < num_reqs; ++i) {
      const size_t bytes = reqs[i].status.ok() ? reqs[i].result.size() : 0;
      s = CountTransfer(&counters_->reads, bytes, s);
    }
    return s;
  }

 private:
  const CountersRef counters_;
};

class CountedWritableFile final : public FSWritableFileOwnerWrapper {
 public:
  CountedWritableFile(std::unique_ptr<FSWritableFile>&& file,
                      CountersRef counters)
      : FSWritableFileOwnerWrapper(std::move(file)),
        counters_(std::move(counters)) {}

  using FSWritableFile::Append;
  using FSWritableFile::PositionedAppend;
  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override {
    return CountTransfer(&counters_->writes, data.size(),
                         target()->Append(data, options, dbg));
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const DataVerificationInfo& info,
                  IODebugContext* dbg) override {
    return CountTransfer(&counters_->writes, data.size(),
                         target()->Append(data, options, info, dbg));
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override {
    return CountTransfer(
        &counters_->writes, data.size(),
        target()->PositionedAppend(data, offset, options, dbg));
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            const DataVerificationInfo& info,
                            IODebugContext* dbg) override {
    return CountTransfer(
        &counters_->writes, data.size(),
        target()->PositionedAppend(data, offset, options, info, dbg));
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    return CountCall(&counters_->closes, target()->Close(options, dbg));
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override {
    return CountCall(&counters_->flushes, target()->Flush(options, dbg));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    return CountCall(&counters_->syncs, target()->Sync(options, dbg));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return CountCall(&counters_->fsyncs, target()->Fsync(options, dbg));
  }
  IOStatus RangeSync(uint64_t offset, uint64_t nbytes, const IOOptions& options,
                     IODebugContext* dbg) override {
    return CountCall(&counters_->syncs,
                     target()->RangeSync(offset, nbytes, options, dbg));
  }

 private:
  const CountersRef counters_;
};

class CountedRandomRWFile final : public FSRandomRWFileOwnerWrapper {
 public:
  CountedRandomRWFile(std::unique_ptr<FSRandomRWFile>&& file,
                      CountersRef counters)
      : FSRandomRWFileOwnerWrapper(std::move(file)),
        counters_(std::move(counters)) {}

  IOStatus Write(uint64_t offset, const Slice& data, const IOOptions& options,
                 IODebugContext* dbg) override {
    return CountTransfer(&counters_->writes, data.size(),
                         target()->Write(offset, data, options, dbg));
  }
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    IOStatus s = target()->Read(offset, n, options, result, scratch, dbg);
    return CountTransfer(&counters_->reads, s.ok() ? result->size() : 0, s);
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override {
    return CountCall(&counters_->flushes, target()->Flush(options, dbg));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    return CountCall(&counters_->syncs, target()->Sync(options, dbg));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return CountCall(&counters_->fsyncs, target()->Fsync(options, dbg));
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    return CountCall(&counters_->closes, target()->Close(options, dbg));
  }

 private:
  const CountersRef counters_;
};

class CountedDirectory final : public FSDirectoryWrapper {
 public:
  CountedDirectory(std::unique_ptr<FSDirectory>&& directory,
                   CountersRef counters)
      : FSDirectoryWrapper(std::move(directory)),
        counters_(std::move(counters)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return CountCall(&counters_->dsyncs, target()->Fsync(options, dbg));
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* dbg,
                               const DirFsyncOptions& dir_options) override {
    return CountCall(&counters_->dsyncs,
                     target()->FsyncWithDirOptions(options, dbg, dir_options));
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    return CountCall(&counters_->dir_closes, target()->Close(options, dbg));
  }

 private:
  const CountersRef counters_;
};

// What `open` gives, counted.
template <class Counted, class File, class Open>
IOStatus OpenCounted(const CountersRef& counters, std::unique_ptr<File>* result,
                     const Open& open) {
  std::unique_ptr<File> file;
  IOStatus s = open(&file);
  if (!s.ok()) return s;
  ++counters->opens;
  *result = std::make_unique<Counted>(std::move(file), counters);
  return s;
}

void RegisterCountedFileSystem() {
  AddBuiltin<FileSystem, CountedFileSystem>(CountedFileSystem::kClassName());
}

ROCKSDB_REGISTER_OBJECTS(RegisterCountedFileSystem);

}  // namespace

const void* CountedFileSystem::GetOptionsPtr(const std::string& name) const {
  return name == FileOpCounters::kName() ? counters_.get()
                                         : FileSystem::GetOptionsPtr(name);
}

IOStatus CountedFileSystem::NewSequentialFile(
    const std::string& fname, const FileOptions& options,
    std::unique_ptr<FSSequentialFile>* result, IODebugContext* dbg) {
  return OpenCounted<CountedSequentialFile>(counters_, result, [&](auto* file) {
    return target()->NewSequentialFile(fname, options, file, dbg);
  });
}

IOStatus CountedFileSystem::NewRandomAccessFile(
    const std::string& fname, const FileOptions& options,
    std::unique_ptr<FSRandomAccessFile>* result, IODebugContext* dbg) {
  return OpenCounted<CountedRandomAccessFile>(
      counters_, result, [&](auto* file) {
        return target()->NewRandomAccessFile(fname, options, file, dbg);
      });
}

IOStatus CountedFileSystem::NewWritableFile(
    const std::string& fname, const FileOptions& options,
    std::unique_ptr<FSWritableFile>* result, IODebugContext* dbg) {
  return OpenCounted<CountedWritableFile>(counters_, result, [&](auto* file) {
    return target()->NewWritableFile(fname, options, file, dbg);
  });
}

IOStatus CountedFileSystem::ReopenWritableFile(
    const std::string& fname, const FileOptions& options,
    std::unique_ptr<FSWritableFile>* result, IODebugContext* dbg) {
  return OpenCounted<CountedWritableFile>(counters_, result, [&](auto* file) {
    return target()->ReopenWritableFile(fname, options, file, dbg);
  });
}

IOStatus CountedFileSystem::ReuseWritableFile(
    const std::string& fname, const std::string& old_fname,
    const FileOptions& options, std::unique_ptr<FSWritableFile>* result,
    IODebugContext* dbg) {
  return OpenCounted<CountedWritableFile>(counters_, result, [&](auto* file) {
    return target()->ReuseWritableFile(fname, old_fname, options, file, dbg);
  });
}

IOStatus CountedFileSystem::NewRandomRWFile(
    const std::string& fname, const FileOptions& options,
    std::unique_ptr<FSRandomRWFile>* result, IODebugContext* dbg) {
  return OpenCounted<CountedRandomRWFile>(counters_, result, [&](auto* file) {
    return target()->NewRandomRWFile(fname, options, file, dbg);
  });
}

IOStatus CountedFileSystem::NewDirectory(const std::string& name,
                                         const IOOptions& options,
                                         std::unique_ptr<FSDirectory>* result,
                                         IODebugContext* dbg) {
  std::unique_ptr<FSDirectory> directory;
  IOStatus s = target()->NewDirectory(name, options, &directory, dbg);
  if (!s.ok()) return s;
  ++counters_->dir_opens;
  *result = std::make_unique<CountedDirectory>(std::move(directory), counters_);
  return s;
}

IOStatus CountedFileSystem::DeleteFile(const std::string& fname,
                                       const IOOptions& options,
                                       IODebugContext* dbg) {
  return CountCall(&counters_->deletes,
                   target()->DeleteFile(fname, options, dbg));
}

IOStatus CountedFileSystem::RenameFile(const std::string& src,
                                       const std::string& dst,
                                       const IOOptions& options,
                                       IODebugContext* dbg) {
  return CountCall(&counters_->renames,
                   target()->RenameFile(src, dst, options, dbg));
}

}  // namespace ROCKSDB_NAMESPACE
