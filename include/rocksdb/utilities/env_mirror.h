// Two environments that are to do the same, for tests of one of them.
//
// Each call goes to both. The answer is the first one's; where the second one
// answers something else (another status code, other data, sizes or names) the
// process ends, in every build. Paths that begin with "/proc/" are the first
// one's alone. Threads and time are those of the first one. Files that are read
// and written anywhere, and mappings, are NotSupported.
//
// Threads    As those of Env.
// Ownership  The environments are deleted at the end if free_a, free_b say so.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class EnvMirror : public EnvWrapper {
 public:
  EnvMirror(Env* a, Env* b, bool free_a = false, bool free_b = false);
  ~EnvMirror() override;

  Status NewSequentialFile(const std::string& f,
                           std::unique_ptr<SequentialFile>* r,
                           const EnvOptions& options) override;
  Status NewRandomAccessFile(const std::string& f,
                             std::unique_ptr<RandomAccessFile>* r,
                             const EnvOptions& options) override;
  Status NewWritableFile(const std::string& f, std::unique_ptr<WritableFile>* r,
                         const EnvOptions& options) override;
  Status ReopenWritableFile(const std::string& f,
                            std::unique_ptr<WritableFile>* r,
                            const EnvOptions& options) override;
  Status ReuseWritableFile(const std::string& fname,
                           const std::string& old_fname,
                           std::unique_ptr<WritableFile>* r,
                           const EnvOptions& options) override;
  Status NewRandomRWFile(const std::string& f, std::unique_ptr<RandomRWFile>* r,
                         const EnvOptions& options) override;
  Status NewMemoryMappedFileBuffer(
      const std::string& f,
      std::unique_ptr<MemoryMappedFileBuffer>* r) override;
  Status NewDirectory(const std::string& name,
                      std::unique_ptr<Directory>* result) override;
  Status FileExists(const std::string& f) override;
  Status GetChildren(const std::string& dir,
                     std::vector<std::string>* r) override;
  Status GetChildrenFileAttributes(const std::string& dir,
                                   std::vector<FileAttributes>* r) override;
  Status DeleteFile(const std::string& f) override;
  Status Truncate(const std::string& f, size_t size) override;
  Status CreateDir(const std::string& d) override;
  Status CreateDirIfMissing(const std::string& d) override;
  Status DeleteDir(const std::string& d) override;
  Status GetFileSize(const std::string& f, uint64_t* s) override;
  Status GetFileModificationTime(const std::string& fname,
                                 uint64_t* file_mtime) override;
  Status RenameFile(const std::string& s, const std::string& t) override;
  Status LinkFile(const std::string& s, const std::string& t) override;
  Status SyncFile(const std::string& f, const EnvOptions& options,
                  bool use_fsync) override;

  // The locks of both environments on one file.
  class FileLockMirror : public FileLock {
   public:
    FileLockMirror(FileLock* a, FileLock* b) : a_(a), b_(b) {}

    FileLock* a_;
    FileLock* b_;
  };
  Status LockFile(const std::string& f, FileLock** l) override;
  Status UnlockFile(FileLock* l) override;

 private:
  // The second answer is held against the first.
  template <class Call>
  Status OnBoth(const std::string& path, const Call& call);
  template <class Mirror, class File, class Open>
  Status OpenBoth(const std::string& path, std::unique_ptr<File>* result,
                  const Open& open);

  Env* const a_;
  Env* const b_;
  const bool free_a_;
  const bool free_b_;
};

}  // namespace ROCKSDB_NAMESPACE
