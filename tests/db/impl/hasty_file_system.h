// The file system, but syncs take no time and do nothing: for tests of many
// small databases, in which processes end but no machine loses its power.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

class HastyFile final : public FSWritableFileOwnerWrapper {
 public:
  using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;
  IOStatus Sync(const IOOptions& /*o*/, IODebugContext* /*d*/) override {
    return IOStatus::OK();
  }
  IOStatus Fsync(const IOOptions& /*o*/, IODebugContext* /*d*/) override {
    return IOStatus::OK();
  }
  IOStatus RangeSync(uint64_t /*offset*/, uint64_t /*bytes*/,
                     const IOOptions& /*o*/, IODebugContext* /*d*/) override {
    return IOStatus::OK();
  }
};
class HastyDirectory final : public FSDirectoryWrapper {
 public:
  using FSDirectoryWrapper::FSDirectoryWrapper;
  IOStatus Fsync(const IOOptions& /*o*/, IODebugContext* /*d*/) override {
    return IOStatus::OK();
  }
  IOStatus FsyncWithDirOptions(const IOOptions& /*o*/, IODebugContext* /*d*/,
                               const DirFsyncOptions& /*more*/) override {
    return IOStatus::OK();
  }
};
class HastyFileSystem final : public FileSystemWrapper {
 public:
  HastyFileSystem() : FileSystemWrapper(FileSystem::Default()) {}
  const char* Name() const override { return "HastyFileSystem"; }
  IOStatus NewWritableFile(const std::string& name, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* debug) override {
    return Hasten(
        FileSystemWrapper::NewWritableFile(name, options, result, debug),
        result);
  }
  IOStatus ReopenWritableFile(const std::string& name,
                              const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* result,
                              IODebugContext* debug) override {
    return Hasten(
        FileSystemWrapper::ReopenWritableFile(name, options, result, debug),
        result);
  }
  IOStatus NewDirectory(const std::string& name, const IOOptions& options,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext* debug) override {
    IOStatus s = FileSystemWrapper::NewDirectory(name, options, result, debug);
    if (s.ok()) *result = std::make_unique<HastyDirectory>(std::move(*result));
    return s;
  }

 private:
  static IOStatus Hasten(IOStatus s, std::unique_ptr<FSWritableFile>* file) {
    if (s.ok()) *file = std::make_unique<HastyFile>(std::move(*file));
    return s;
  }
};

// Lives as long as the process.
inline Env* HastyEnv() {
  static const std::unique_ptr<Env> kEnv =
      NewCompositeEnv(std::make_shared<HastyFileSystem>());
  return kEnv.get();
}

}  // namespace ROCKSDB_NAMESPACE
