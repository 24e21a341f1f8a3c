// A file system that counts what is done with it: "CountedFileSystem".
//
//   const auto* counts = fs->GetOptions<FileOpCounters>();
//
// Threads  Counters may be read and reset at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

// Calls that are not supported do not count; bytes are those of calls that went
// well.
struct FileOpCounters {
  struct Transfers {
    std::atomic<uint64_t> ops{0};
    std::atomic<uint64_t> bytes{0};
  };
  static const char* kName() { return "FileOpCounters"; }

  std::atomic<uint64_t> opens{0};
  std::atomic<uint64_t> closes{0};
  std::atomic<uint64_t> deletes{0};
  std::atomic<uint64_t> renames{0};
  std::atomic<uint64_t> flushes{0};
  std::atomic<uint64_t> syncs{0};
  std::atomic<uint64_t> dsyncs{0};  // syncs of directories
  std::atomic<uint64_t> fsyncs{0};
  std::atomic<uint64_t> dir_opens{0};
  std::atomic<uint64_t> dir_closes{0};
  Transfers reads;
  Transfers writes;
};

class CountedFileSystem final : public FileSystemWrapper {
 public:
  static const char* kClassName() { return "CountedFileSystem"; }

  explicit CountedFileSystem(const std::shared_ptr<FileSystem>& base = nullptr)
      : FileSystemWrapper(base) {}
  const char* Name() const override { return kClassName(); }

  const FileOpCounters& counters() const { return *counters_; }

  IOStatus NewSequentialFile(const std::string& fname,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* dbg) override;
  IOStatus NewRandomAccessFile(const std::string& fname,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override;
  IOStatus NewWritableFile(const std::string& fname, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override;
  IOStatus ReopenWritableFile(const std::string& fname,
                              const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* result,
                              IODebugContext* dbg) override;
  IOStatus ReuseWritableFile(const std::string& fname,
                             const std::string& old_fname,
                             const FileOptions& options,
                             std::unique_ptr<FSWritableFile>* result,
                             IODebugContext* dbg) override;
  IOStatus NewRandomRWFile(const std::string& fname, const FileOptions& options,
                           std::unique_ptr<FSRandomRWFile>* result,
                           IODebugContext* dbg) override;
  IOStatus NewDirectory(const std::string& name, const IOOptions& options,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext* dbg) override;
  IOStatus DeleteFile(const std::string& fname, const IOOptions& options,
                      IODebugContext* dbg) override;
  IOStatus RenameFile(const std::string& src, const std::string& dst,
                      const IOOptions& options, IODebugContext* dbg) override;

 protected:
  const void* GetOptionsPtr(const std::string& name) const override;

 private:
  // Files may outlive the file system.
  const std::shared_ptr<FileOpCounters> counters_ =
      std::make_shared<FileOpCounters>();
};

}  // namespace ROCKSDB_NAMESPACE
