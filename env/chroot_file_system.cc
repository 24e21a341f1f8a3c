// A directory as if it were the whole file system: "ChrootFS", with the options
// `chroot_dir`, which must exist, and `target`.
//
// A path is resolved, symbolic links too, before it is used: one that leads out
// of the directory is refused. Of a file that is to be created its directory is
// resolved. Between that and the call others may change links: it is no fence
// against those who can.
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "options/builtin_objects.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The path without links; NotFound where it does not lead anywhere.
IOStatus ResolvePath(const std::string& path, std::string* resolved) {
  const std::unique_ptr<char, void (*)(void*)> found(
      realpath(path.c_str(), nullptr), &std::free);
  if (found == nullptr) return IOStatus::NotFound(path);
  *resolved = found.get();
  return IOStatus::OK();
}

class ChrootFileSystem final : public FileSystemWrapper {
 public:
  static const char* kClassName() { return "ChrootFS"; }

  explicit ChrootFileSystem(const std::shared_ptr<FileSystem>& target = nullptr)
      : FileSystemWrapper(target) {}
  const char* Name() const override { return kClassName(); }

  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override {
    if (name != "chroot_dir") {
      return FileSystemWrapper::ConfigureOption(config, name, value);
    }
    given_root_ = value;
    return Status::OK();
  }
  Status GetOptionString(const ConfigOptions& config,
                         std::string* result) const override {
    Status s = FileSystemWrapper::GetOptionString(config, result);
    if (s.ok()) *result += "chroot_dir=" + given_root_ + ";";
    return s;
  }
  Status PrepareOptions(const ConfigOptions& config) override {
    Status s = FileSystemWrapper::PrepareOptions(config);
    if (!s.ok()) return s;
    if (given_root_.empty() || !ResolvePath(given_root_, &root_).ok()) {
      return Status::InvalidArgument("ChRootFileSystem requires a chroot dir",
                                     given_root_);
    }
    return s;
  }

  IOStatus NewSequentialFile(const std::string& fname,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* dbg) override {
    return At(fname, [&](const std::string& path) {
      return target()->NewSequentialFile(path, options, result, dbg);
    });
  }
  IOStatus NewRandomAccessFile(const std::string& fname,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    return At(fname, [&](const std::string& path) {
      return target()->NewRandomAccessFile(path, options, result, dbg);
    });
  }
  IOStatus NewWritableFile(const std::string& fname, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result,
                           IODebugContext* dbg) override {
    return Below(fname, [&](const std::string& path) {
      return target()->NewWritableFile(path, options, result, dbg);
    });
  }
  IOStatus ReopenWritableFile(const std::string& fname,
                              const FileOptions& options,
                              std::unique_ptr<FSWritableFile>* result,
                              IODebugContext* dbg) override {
    return Below(fname, [&](const std::string& path) {
      return target()->ReopenWritableFile(path, options, result, dbg);
    });
  }
  IOStatus ReuseWritableFile(const std::string& fname,
                             const std::string& old_fname,
                             const FileOptions& options,
                             std::unique_ptr<FSWritableFile>* result,
                             IODebugContext* dbg) override {
    return FromTo(
        old_fname, fname, [&](const std::string& from, const std::string& to) {
          return target()->ReuseWritableFile(to, from, options, result, dbg);
        });
  }
  IOStatus NewRandomRWFile(const std::string& fname, const FileOptions& options,
                           std::unique_ptr<FSRandomRWFile>* result,
                           IODebugContext* dbg) override {
    return At(fname, [&](const std::string& path) {
      return target()->NewRandomRWFile(path, options, result, dbg);
    });
  }
  IOStatus NewMemoryMappedFileBuffer(
      const std::string& fname,
      std::unique_ptr<MemoryMappedFileBuffer>* result) override {
    return At(fname, [&](const std::string& path) {
      return target()->NewMemoryMappedFileBuffer(path, result);
    });
  }
  IOStatus NewDirectory(const std::string& name, const IOOptions& options,
                        std::unique_ptr<FSDirectory>* result,
                        IODebugContext* dbg) override {
    return At(name, [&](const std::string& path) {
      return target()->NewDirectory(path, options, result, dbg);
    });
  }
  IOStatus FileExists(const std::string& fname, const IOOptions& options,
                      IODebugContext* dbg) override {
    return At(fname, [&](const std::string& path) {
      return target()->FileExists(path, options, dbg);
    });
  }
  IOStatus GetChildren(const std::string& dir, const IOOptions& options,
                       std::vector<std::string>* result,
                       IODebugContext* dbg) override {
    return At(dir, [&](const std::string& path) {
      return target()->GetChildren(path, options, result, dbg);
    });
  }
  IOStatus GetChildrenFileAttributes(const std::string& dir,
                                     const IOOptions& options,
                                     std::vector<FileAttributes>* result,
                                     IODebugContext* dbg) override {
    return At(dir, [&](const std::string& path) {
      return target()->GetChildrenFileAttributes(path, options, result, dbg);
    });
  }
  IOStatus DeleteFile(const std::string& fname, const IOOptions& options,
                      IODebugContext* dbg) override {
    return At(fname, [&](const std::string& path) {
      return target()->DeleteFile(path, options, dbg);
    });
  }
  IOStatus Truncate(const std::string& fname, size_t size,
                    const IOOptions& options, IODebugContext* dbg) override {
    return At(fname, [&](const std::string& path) {
      return target()->Truncate(path, size, options, dbg);
    });
  }
  IOStatus CreateDir(const std::string& dirname, const IOOptions& options,
                     IODebugContext* dbg) override {
    return Below(dirname, [&](const std::string& path) {
      return target()->CreateDir(path, options, dbg);
    });
  }
  IOStatus CreateDirIfMissing(const std::string& dirname,
                              const IOOptions& options,
                              IODebugContext* dbg) override {
    return Below(dirname, [&](const std::string& path) {
      return target()->CreateDirIfMissing(path, options, dbg);
    });
  }
  IOStatus DeleteDir(const std::string& dirname, const IOOptions& options,
                     IODebugContext* dbg) override {
    return At(dirname, [&](const std::string& path) {
      return target()->DeleteDir(path, options, dbg);
    });
  }
  IOStatus GetFileSize(const std::string& fname, const IOOptions& options,
                       uint64_t* file_size, IODebugContext* dbg) override {
    return At(fname, [&](const std::string& path) {
      return target()->GetFileSize(path, options, file_size, dbg);
    });
  }
  IOStatus GetFileModificationTime(const std::string& fname,
                                   const IOOptions& options,
                                   uint64_t* file_mtime,
                                   IODebugContext* dbg) override {
    return At(fname, [&](const std::string& path) {
      return target()->GetFileModificationTime(path, options, file_mtime, dbg);
    });
  }
  IOStatus RenameFile(const std::string& src, const std::string& dst,
                      const IOOptions& options, IODebugContext* dbg) override {
    return FromTo(src, dst,
                  [&](const std::string& from, const std::string& to) {
                    return target()->RenameFile(from, to, options, dbg);
                  });
  }
  IOStatus LinkFile(const std::string& src, const std::string& dst,
                    const IOOptions& options, IODebugContext* dbg) override {
    return FromTo(src, dst,
                  [&](const std::string& from, const std::string& to) {
                    return target()->LinkFile(from, to, options, dbg);
                  });
  }
  IOStatus SyncFile(const std::string& fname, const FileOptions& file_opts,
                    const IOOptions& options, bool use_fsync,
                    IODebugContext* dbg) override {
    return At(fname, [&](const std::string& path) {
      return target()->SyncFile(path, file_opts, options, use_fsync, dbg);
    });
  }
  IOStatus NumFileLinks(const std::string& fname, const IOOptions& options,
                        uint64_t* count, IODebugContext* dbg) override {
    return At(fname, [&](const std::string& path) {
      return target()->NumFileLinks(path, options, count, dbg);
    });
  }
  IOStatus AreFilesSame(const std::string& first, const std::string& second,
                        const IOOptions& options, bool* res,
                        IODebugContext* dbg) override {
    return At(first, [&](const std::string& a) {
      return At(second, [&](const std::string& b) {
        return target()->AreFilesSame(a, b, options, res, dbg);
      });
    });
  }
  IOStatus LockFile(const std::string& fname, const IOOptions& options,
                    FileLock** lock, IODebugContext* dbg) override {
    // The file is created where it is missing.
    return Below(fname, [&](const std::string& path) {
      return target()->LockFile(path, options, lock, dbg);
    });
  }
  IOStatus GetTestDirectory(const IOOptions& options, std::string* path,
                            IODebugContext* dbg) override {
    *path = "/rocksdbtest-" + std::to_string(geteuid());
    return CreateDirIfMissing(*path, options, dbg);
  }
  IOStatus NewLogger(const std::string& fname, const IOOptions& options,
                     std::shared_ptr<Logger>* result,
                     IODebugContext* dbg) override {
    return Below(fname, [&](const std::string& path) {
      return target()->NewLogger(path, options, result, dbg);
    });
  }
  IOStatus GetAbsolutePath(const std::string& db_path,
                           const IOOptions& /*options*/,
                           std::string* output_path,
                           IODebugContext* /*dbg*/) override {
    if (db_path.empty() || db_path.front() != '/') return NotAbsolute(db_path);
    *output_path = db_path;
    return IOStatus::OK();
  }
  IOStatus GetFreeSpace(const std::string& path, const IOOptions& options,
                        uint64_t* diskfree, IODebugContext* dbg) override {
    return At(path, [&](const std::string& inside) {
      return target()->GetFreeSpace(inside, options, diskfree, dbg);
    });
  }
  IOStatus IsDirectory(const std::string& path, const IOOptions& options,
                       bool* is_dir, IODebugContext* dbg) override {
    return At(path, [&](const std::string& inside) {
      return target()->IsDirectory(inside, options, is_dir, dbg);
    });
  }

 private:
  static IOStatus NotAbsolute(const std::string& path) {
    return IOStatus::InvalidArgument(path, "Not an absolute path");
  }
  // By components: /rootX is not in /root.
  bool IsInside(const std::string& resolved) const {
    if (root_ == "/") return true;
    return resolved.compare(0, root_.size(), root_) == 0 &&
           (resolved.size() == root_.size() || resolved[root_.size()] == '/');
  }
  IOStatus Resolve(const std::string& path, std::string* result) const {
    if (path.empty() || path.front() != '/') return NotAbsolute(path);
    IOStatus s = ResolvePath(root_ + path, result);
    if (!s.ok() || IsInside(*result)) return s;
    return IOStatus::IOError(path, "Attempted to access path outside chroot");
  }
  // Resolves a path that need not exist: if it does not, its directory must. A
  // link to a missing target is refused, since it could lead out of the root.
  IOStatus ResolveNew(const std::string& path, std::string* result) const {
    if (path.empty() || path.front() != '/') return NotAbsolute(path);
    size_t end = path.size();
    while (end > 1 && path[end - 1] == '/') --end;
    const size_t slash = path.find_last_of('/', end - 1);
    const std::string name = path.substr(slash + 1, end - slash - 1);
    IOStatus s = Resolve(path, result);
    if (s.ok() || !s.IsNotFound()) return s;
    if (name.empty() || name == "." || name == "..") return s;
    s = Resolve(slash == 0 ? "/" : path.substr(0, slash), result);
    if (!s.ok()) return s;
    *result += "/" + name;
    char target[2];
    if (readlink(result->c_str(), target, sizeof(target)) >= 0) {
      return IOStatus::IOError(path, "a link that leads nowhere");
    }
    return s;
  }

  template <class Call>
  IOStatus At(const std::string& path, const Call& call) const {
    std::string inside;
    IOStatus s = Resolve(path, &inside);
    return s.ok() ? call(inside) : s;
  }
  template <class Call>
  IOStatus Below(const std::string& path, const Call& call) const {
    std::string inside;
    IOStatus s = ResolveNew(path, &inside);
    return s.ok() ? call(inside) : s;
  }
  template <class Call>
  IOStatus FromTo(const std::string& from, const std::string& to,
                  const Call& call) const {
    return At(from, [&](const std::string& source) {
      return Below(to, [&](const std::string& destination) {
        return call(source, destination);
      });
    });
  }

  std::string given_root_;
  // Without links.
  std::string root_;
};

void RegisterChroot() {
  AddBuiltin<FileSystem, ChrootFileSystem>(ChrootFileSystem::kClassName());
}

ROCKSDB_REGISTER_OBJECTS(RegisterChroot);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
