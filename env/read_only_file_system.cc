// A file system that nothing is changed in: "ReadOnlyFileSystem".
#include <memory>
#include <string>
#include <vector>

#include "options/builtin_objects.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class ReadOnlyFileSystem final : public FileSystemWrapper {
 public:
  static const char* kClassName() { return "ReadOnlyFileSystem"; }

  explicit ReadOnlyFileSystem(
      const std::shared_ptr<FileSystem>& target = nullptr)
      : FileSystemWrapper(target) {}
  const char* Name() const override { return kClassName(); }

  IOStatus NewWritableFile(const std::string&, const FileOptions&,
                           std::unique_ptr<FSWritableFile>*,
                           IODebugContext*) override {
    return Refused();
  }
  IOStatus ReopenWritableFile(const std::string&, const FileOptions&,
                              std::unique_ptr<FSWritableFile>*,
                              IODebugContext*) override {
    return Refused();
  }
  IOStatus ReuseWritableFile(const std::string&, const std::string&,
                             const FileOptions&,
                             std::unique_ptr<FSWritableFile>*,
                             IODebugContext*) override {
    return Refused();
  }
  IOStatus NewRandomRWFile(const std::string&, const FileOptions&,
                           std::unique_ptr<FSRandomRWFile>*,
                           IODebugContext*) override {
    return Refused();
  }
  IOStatus NewMemoryMappedFileBuffer(
      const std::string&, std::unique_ptr<MemoryMappedFileBuffer>*) override {
    return Refused();
  }
  IOStatus NewDirectory(const std::string&, const IOOptions&,
                        std::unique_ptr<FSDirectory>*,
                        IODebugContext*) override {
    return Refused();
  }
  IOStatus DeleteFile(const std::string&, const IOOptions&,
                      IODebugContext*) override {
    return Refused();
  }
  IOStatus Truncate(const std::string&, size_t, const IOOptions&,
                    IODebugContext*) override {
    return Refused();
  }
  IOStatus CreateDir(const std::string&, const IOOptions&,
                     IODebugContext*) override {
    return Refused();
  }
  // One that is there need not be made.
  IOStatus CreateDirIfMissing(const std::string& dirname,
                              const IOOptions& options,
                              IODebugContext* dbg) override {
    bool is_directory = false;
    const IOStatus s = IsDirectory(dirname, options, &is_directory, dbg);
    return s.ok() && is_directory ? s : Refused();
  }
  IOStatus DeleteDir(const std::string&, const IOOptions&,
                     IODebugContext*) override {
    return Refused();
  }
  IOStatus RenameFile(const std::string&, const std::string&, const IOOptions&,
                      IODebugContext*) override {
    return Refused();
  }
  IOStatus LinkFile(const std::string&, const std::string&, const IOOptions&,
                    IODebugContext*) override {
    return Refused();
  }
  IOStatus SyncFile(const std::string&, const FileOptions&, const IOOptions&,
                    bool, IODebugContext*) override {
    return Refused();
  }
  IOStatus LockFile(const std::string&, const IOOptions&, FileLock**,
                    IODebugContext*) override {
    return Refused();
  }
  IOStatus NewLogger(const std::string&, const IOOptions&,
                     std::shared_ptr<Logger>*, IODebugContext*) override {
    return Refused();
  }

 private:
  static IOStatus Refused() {
    return IOStatus::IOError("Attempted write to ReadOnlyFileSystem");
  }
};

void RegisterReadOnlyFileSystem() {
  AddBuiltin<FileSystem, ReadOnlyFileSystem>(ReadOnlyFileSystem::kClassName());
}

ROCKSDB_REGISTER_OBJECTS(RegisterReadOnlyFileSystem);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
