#include "env/composite_env.h"

#include <utility>

#include "env/env_files.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Opens through `open(&file)` and puts the result into the older interface.
template <typename Wrapper, typename File, typename Base, typename Open>
Status OpenWrapped(std::unique_ptr<Base>* result, Open open) {
  std::unique_ptr<File> file;
  Status status = open(&file);
  if (status.ok()) *result = std::make_unique<Wrapper>(std::move(file));
  return status;
}

}  // namespace

Status CompositeEnv::SyncFile(const std::string& fname,
                              const EnvOptions& env_options, bool use_fsync) {
  return file_system_->SyncFile(fname, FileOptions(env_options), IOOptions(),
                                use_fsync, nullptr);
}

Status CompositeEnv::RegisterDbPaths(const std::vector<std::string>& paths) {
  return file_system_->RegisterDbPaths(paths);
}

Status CompositeEnv::UnregisterDbPaths(const std::vector<std::string>& paths) {
  return file_system_->UnregisterDbPaths(paths);
}

Status CompositeEnv::NewSequentialFile(const std::string& fname,
                                       std::unique_ptr<SequentialFile>* result,
                                       const EnvOptions& options) {
  return OpenWrapped<EnvSequentialFile, FSSequentialFile>(
      result, [&](std::unique_ptr<FSSequentialFile>* file) {
        return file_system_->NewSequentialFile(fname, FileOptions(options),
                                               file, nullptr);
      });
}

Status CompositeEnv::NewRandomAccessFile(
    const std::string& fname, std::unique_ptr<RandomAccessFile>* result,
    const EnvOptions& options) {
  return OpenWrapped<EnvRandomAccessFile, FSRandomAccessFile>(
      result, [&](std::unique_ptr<FSRandomAccessFile>* file) {
        return file_system_->NewRandomAccessFile(fname, FileOptions(options),
                                                 file, nullptr);
      });
}

Status CompositeEnv::NewWritableFile(const std::string& fname,
                                     std::unique_ptr<WritableFile>* result,
                                     const EnvOptions& options) {
  return OpenWrapped<EnvWritableFile, FSWritableFile>(
      result, [&](std::unique_ptr<FSWritableFile>* file) {
        return file_system_->NewWritableFile(fname, FileOptions(options), file,
                                             nullptr);
      });
}

Status CompositeEnv::ReopenWritableFile(const std::string& fname,
                                        std::unique_ptr<WritableFile>* result,
                                        const EnvOptions& options) {
  return OpenWrapped<EnvWritableFile, FSWritableFile>(
      result, [&](std::unique_ptr<FSWritableFile>* file) {
        return file_system_->ReopenWritableFile(fname, FileOptions(options),
                                                file, nullptr);
      });
}

Status CompositeEnv::NewRandomRWFile(const std::string& fname,
                                     std::unique_ptr<RandomRWFile>* result,
                                     const EnvOptions& options) {
  return OpenWrapped<EnvRandomRWFile, FSRandomRWFile>(
      result, [&](std::unique_ptr<FSRandomRWFile>* file) {
        return file_system_->NewRandomRWFile(fname, FileOptions(options), file,
                                             nullptr);
      });
}

Status CompositeEnv::ReuseWritableFile(const std::string& fname,
                                       const std::string& old_fname,
                                       std::unique_ptr<WritableFile>* result,
                                       const EnvOptions& options) {
  return OpenWrapped<EnvWritableFile, FSWritableFile>(
      result, [&](std::unique_ptr<FSWritableFile>* file) {
        return file_system_->ReuseWritableFile(
            fname, old_fname, FileOptions(options), file, nullptr);
      });
}

Status CompositeEnv::NewDirectory(const std::string& name,
                                  std::unique_ptr<Directory>* result) {
  return OpenWrapped<EnvDirectory, FSDirectory>(
      result, [&](std::unique_ptr<FSDirectory>* directory) {
        return file_system_->NewDirectory(name, IOOptions(), directory,
                                          nullptr);
      });
}

Status CompositeEnv::NewMemoryMappedFileBuffer(
    const std::string& fname, std::unique_ptr<MemoryMappedFileBuffer>* result) {
  return file_system_->NewMemoryMappedFileBuffer(fname, result);
}

Status CompositeEnv::FileExists(const std::string& fname) {
  return file_system_->FileExists(fname, IOOptions(), nullptr);
}

Status CompositeEnv::GetChildren(const std::string& dir,
                                 std::vector<std::string>* result) {
  return file_system_->GetChildren(dir, IOOptions(), result, nullptr);
}

Status CompositeEnv::GetChildrenFileAttributes(
    const std::string& dir, std::vector<FileAttributes>* result) {
  return file_system_->GetChildrenFileAttributes(dir, IOOptions(), result,
                                                 nullptr);
}

Status CompositeEnv::DeleteFile(const std::string& fname) {
  return file_system_->DeleteFile(fname, IOOptions(), nullptr);
}

Status CompositeEnv::Truncate(const std::string& fname, size_t size) {
  return file_system_->Truncate(fname, size, IOOptions(), nullptr);
}

Status CompositeEnv::CreateDir(const std::string& dirname) {
  return file_system_->CreateDir(dirname, IOOptions(), nullptr);
}

Status CompositeEnv::CreateDirIfMissing(const std::string& dirname) {
  return file_system_->CreateDirIfMissing(dirname, IOOptions(), nullptr);
}

Status CompositeEnv::DeleteDir(const std::string& dirname) {
  return file_system_->DeleteDir(dirname, IOOptions(), nullptr);
}

Status CompositeEnv::GetFileSize(const std::string& fname,
                                 uint64_t* file_size) {
  return file_system_->GetFileSize(fname, IOOptions(), file_size, nullptr);
}

Status CompositeEnv::GetFileModificationTime(const std::string& fname,
                                             uint64_t* file_mtime) {
  return file_system_->GetFileModificationTime(fname, IOOptions(), file_mtime,
                                               nullptr);
}

Status CompositeEnv::RenameFile(const std::string& src,
                                const std::string& dst) {
  return file_system_->RenameFile(src, dst, IOOptions(), nullptr);
}

Status CompositeEnv::LinkFile(const std::string& src, const std::string& dst) {
  return file_system_->LinkFile(src, dst, IOOptions(), nullptr);
}

Status CompositeEnv::NumFileLinks(const std::string& fname, uint64_t* count) {
  return file_system_->NumFileLinks(fname, IOOptions(), count, nullptr);
}

Status CompositeEnv::AreFilesSame(const std::string& first,
                                  const std::string& second, bool* res) {
  return file_system_->AreFilesSame(first, second, IOOptions(), res, nullptr);
}

Status CompositeEnv::LockFile(const std::string& fname, FileLock** lock) {
  return file_system_->LockFile(fname, IOOptions(), lock, nullptr);
}

Status CompositeEnv::UnlockFile(FileLock* lock) {
  return file_system_->UnlockFile(lock, IOOptions(), nullptr);
}

Status CompositeEnv::GetTestDirectory(std::string* path) {
  return file_system_->GetTestDirectory(IOOptions(), path, nullptr);
}

Status CompositeEnv::NewLogger(const std::string& fname,
                               std::shared_ptr<Logger>* result) {
  return file_system_->NewLogger(fname, IOOptions(), result, nullptr);
}

Status CompositeEnv::GetAbsolutePath(const std::string& db_path,
                                     std::string* output_path) {
  return file_system_->GetAbsolutePath(db_path, IOOptions(), output_path,
                                       nullptr);
}

Status CompositeEnv::GetFreeSpace(const std::string& path, uint64_t* diskfree) {
  return file_system_->GetFreeSpace(path, IOOptions(), diskfree, nullptr);
}

Status CompositeEnv::IsDirectory(const std::string& path, bool* is_dir) {
  return file_system_->IsDirectory(path, IOOptions(), is_dir, nullptr);
}

Status CompositeEnv::SetAllowNonOwnerAccess(bool allow) {
  return file_system_->SetAllowNonOwnerAccess(allow);
}

EnvOptions CompositeEnv::OptimizeForLogRead(const EnvOptions& o) const {
  return file_system_->OptimizeForLogRead(FileOptions(o));
}

EnvOptions CompositeEnv::OptimizeForManifestRead(const EnvOptions& o) const {
  return file_system_->OptimizeForManifestRead(FileOptions(o));
}

EnvOptions CompositeEnv::OptimizeForLogWrite(
    const EnvOptions& o, const DBOptions& db_options) const {
  return file_system_->OptimizeForLogWrite(FileOptions(o), db_options);
}

EnvOptions CompositeEnv::OptimizeForManifestWrite(const EnvOptions& o) const {
  return file_system_->OptimizeForManifestWrite(FileOptions(o));
}

EnvOptions CompositeEnv::OptimizeForCompactionTableWrite(
    const EnvOptions& o, const ImmutableDBOptions& db_options) const {
  return file_system_->OptimizeForCompactionTableWrite(FileOptions(o),
                                                       db_options);
}

EnvOptions CompositeEnv::OptimizeForCompactionTableRead(
    const EnvOptions& o, const ImmutableDBOptions& db_options) const {
  return file_system_->OptimizeForCompactionTableRead(FileOptions(o),
                                                      db_options);
}

EnvOptions CompositeEnv::OptimizeForBlobFileRead(
    const EnvOptions& o, const ImmutableDBOptions& db_options) const {
  return file_system_->OptimizeForBlobFileRead(FileOptions(o), db_options);
}

std::unique_ptr<Env> NewCompositeEnv(const std::shared_ptr<FileSystem>& fs) {
  return std::make_unique<CompositeEnvWrapper>(Env::Default(), fs);
}

}  // namespace ROCKSDB_NAMESPACE
