#include "rocksdb/utilities/env_mirror.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void ExpectAlike(const Status& a, const Status& b) {
  INVARIANT(a.code() == b.code());
}

bool IsOfOneAlone(const std::string& path) {
  return path.compare(0, 6, "/proc/") == 0;
}

// Bytes for the second one's reads.
class SecondBuffer {
 public:
  explicit SecondBuffer(size_t n) : bytes_(std::make_unique<char[]>(n + 1)) {}
  char* data() { return bytes_.get(); }

 private:
  const std::unique_ptr<char[]> bytes_;
};

class SequentialFileMirror final : public SequentialFile {
 public:
  SequentialFileMirror(std::unique_ptr<SequentialFile> a,
                       std::unique_ptr<SequentialFile> b)
      : a_(std::move(a)), b_(std::move(b)) {}

  Status Read(size_t n, Slice* result, char* scratch) override {
    Slice part;
    const Status s = a_->Read(n, &part, scratch);
    SecondBuffer second(n);
    // The end is the second one's end too.
    const bool is_end = !s.ok() || part.empty();
    Slice rest = is_end ? Slice(scratch, n) : part;
    // What one answers in one piece the other may answer in several.
    while (!rest.empty()) {
      Slice other;
      ExpectAlike(s, b_->Read(rest.size(), &other, second.data()));
      if (!s.ok()) return s;
      INVARIANT(other.empty() == is_end);
      if (is_end) break;
      INVARIANT(rest.starts_with(other));
      rest.remove_prefix(other.size());
    }
    *result = part;
    return s;
  }
  Status Skip(uint64_t n) override {
    const Status s = a_->Skip(n);
    ExpectAlike(s, b_->Skip(n));
    return s;
  }
  Status InvalidateCache(size_t offset, size_t length) override {
    const Status s = a_->InvalidateCache(offset, length);
    ExpectAlike(s, b_->InvalidateCache(offset, length));
    return s;
  }

 private:
  const std::unique_ptr<SequentialFile> a_;
  const std::unique_ptr<SequentialFile> b_;
};

class RandomAccessFileMirror final : public RandomAccessFile {
 public:
  RandomAccessFileMirror(std::unique_ptr<RandomAccessFile> a,
                         std::unique_ptr<RandomAccessFile> b)
      : a_(std::move(a)), b_(std::move(b)) {}

  Status Read(uint64_t offset, size_t n, Slice* result,
              char* scratch) const override {
    Slice part;
    const Status s = a_->Read(offset, n, &part, scratch);
    SecondBuffer second(n);
    Slice other;
    ExpectAlike(s, b_->Read(offset, n, &other, second.data()));
    if (!s.ok()) return s;
    INVARIANT(part == other);
    *result = part;
    return s;
  }
  size_t GetUniqueId(char* id, size_t max_size) const override {
    // The second one is another file.
    return a_->GetUniqueId(id, max_size);
  }

 private:
  const std::unique_ptr<RandomAccessFile> a_;
  const std::unique_ptr<RandomAccessFile> b_;
};

class WritableFileMirror final : public WritableFile {
 public:
  WritableFileMirror(std::unique_ptr<WritableFile> a,
                     std::unique_ptr<WritableFile> b)
      : a_(std::move(a)), b_(std::move(b)) {}

  using WritableFile::Append;
  using WritableFile::PositionedAppend;
  Status Append(const Slice& data) override {
    return OnBoth([&](WritableFile* f) { return f->Append(data); });
  }
  Status PositionedAppend(const Slice& data, uint64_t offset) override {
    return OnBoth(
        [&](WritableFile* f) { return f->PositionedAppend(data, offset); });
  }
  Status Truncate(uint64_t size) override {
    return OnBoth([&](WritableFile* f) { return f->Truncate(size); });
  }
  Status Close() override {
    return OnBoth([](WritableFile* f) { return f->Close(); });
  }
  Status Flush() override {
    return OnBoth([](WritableFile* f) { return f->Flush(); });
  }
  Status Sync() override {
    return OnBoth([](WritableFile* f) { return f->Sync(); });
  }
  Status Fsync() override {
    return OnBoth([](WritableFile* f) { return f->Fsync(); });
  }
  bool IsSyncThreadSafe() const override {
    return a_->IsSyncThreadSafe() && b_->IsSyncThreadSafe();
  }
  uint64_t GetFileSize() override {
    const uint64_t size = a_->GetFileSize();
    INVARIANT(size == b_->GetFileSize());
    return size;
  }

 private:
  template <class Call>
  Status OnBoth(const Call& call) {
    const Status s = call(a_.get());
    ExpectAlike(s, call(b_.get()));
    return s;
  }

  const std::unique_ptr<WritableFile> a_;
  const std::unique_ptr<WritableFile> b_;
};

class DirectoryMirror final : public Directory {
 public:
  DirectoryMirror(std::unique_ptr<Directory> a, std::unique_ptr<Directory> b)
      : a_(std::move(a)), b_(std::move(b)) {}

  Status Fsync() override {
    const Status s = a_->Fsync();
    ExpectAlike(s, b_->Fsync());
    return s;
  }
  Status Close() override {
    const Status s = a_->Close();
    ExpectAlike(s, b_->Close());
    return s;
  }

 private:
  const std::unique_ptr<Directory> a_;
  const std::unique_ptr<Directory> b_;
};

}  // namespace

template <class Call>
Status EnvMirror::OnBoth(const std::string& path, const Call& call) {
  const Status s = call(a_);
  if (!IsOfOneAlone(path)) ExpectAlike(s, call(b_));
  return s;
}

template <class Mirror, class File, class Open>
Status EnvMirror::OpenBoth(const std::string& path,
                           std::unique_ptr<File>* result, const Open& open) {
  if (IsOfOneAlone(path)) return open(a_, result);
  std::unique_ptr<File> first;
  std::unique_ptr<File> second;
  const Status s = open(a_, &first);
  ExpectAlike(s, open(b_, &second));
  if (s.ok()) {
    *result = std::make_unique<Mirror>(std::move(first), std::move(second));
  }
  return s;
}

EnvMirror::EnvMirror(Env* a, Env* b, bool free_a, bool free_b)
    : EnvWrapper(a), a_(a), b_(b), free_a_(free_a), free_b_(free_b) {
  INVARIANT(a != nullptr);
  INVARIANT(b != nullptr);
}

EnvMirror::~EnvMirror() {
  const std::unique_ptr<Env> first(free_a_ ? a_ : nullptr);
  const std::unique_ptr<Env> second(free_b_ ? b_ : nullptr);
}

Status EnvMirror::NewSequentialFile(const std::string& f,
                                    std::unique_ptr<SequentialFile>* r,
                                    const EnvOptions& options) {
  return OpenBoth<SequentialFileMirror>(
      f, r, [&](Env* env, std::unique_ptr<SequentialFile>* file) {
        return env->NewSequentialFile(f, file, options);
      });
}

Status EnvMirror::NewRandomAccessFile(const std::string& f,
                                      std::unique_ptr<RandomAccessFile>* r,
                                      const EnvOptions& options) {
  return OpenBoth<RandomAccessFileMirror>(
      f, r, [&](Env* env, std::unique_ptr<RandomAccessFile>* file) {
        return env->NewRandomAccessFile(f, file, options);
      });
}

Status EnvMirror::NewWritableFile(const std::string& f,
                                  std::unique_ptr<WritableFile>* r,
                                  const EnvOptions& options) {
  return OpenBoth<WritableFileMirror>(
      f, r, [&](Env* env, std::unique_ptr<WritableFile>* file) {
        return env->NewWritableFile(f, file, options);
      });
}

Status EnvMirror::ReopenWritableFile(const std::string& f,
                                     std::unique_ptr<WritableFile>* r,
                                     const EnvOptions& options) {
  return OpenBoth<WritableFileMirror>(
      f, r, [&](Env* env, std::unique_ptr<WritableFile>* file) {
        return env->ReopenWritableFile(f, file, options);
      });
}

Status EnvMirror::ReuseWritableFile(const std::string& fname,
                                    const std::string& old_fname,
                                    std::unique_ptr<WritableFile>* r,
                                    const EnvOptions& options) {
  return OpenBoth<WritableFileMirror>(
      fname, r, [&](Env* env, std::unique_ptr<WritableFile>* file) {
        return env->ReuseWritableFile(fname, old_fname, file, options);
      });
}

// Whoever writes through one of these would change the first one alone.
Status EnvMirror::NewRandomRWFile(const std::string& f,
                                  std::unique_ptr<RandomRWFile>* /*r*/,
                                  const EnvOptions& /*options*/) {
  return Status::NotSupported("EnvMirror::NewRandomRWFile", f);
}

Status EnvMirror::NewMemoryMappedFileBuffer(
    const std::string& f, std::unique_ptr<MemoryMappedFileBuffer>* /*r*/) {
  return Status::NotSupported("EnvMirror::NewMemoryMappedFileBuffer", f);
}

Status EnvMirror::NewDirectory(const std::string& name,
                               std::unique_ptr<Directory>* result) {
  return OpenBoth<DirectoryMirror>(
      name, result, [&](Env* env, std::unique_ptr<Directory>* directory) {
        return env->NewDirectory(name, directory);
      });
}

Status EnvMirror::FileExists(const std::string& f) {
  return OnBoth(f, [&](Env* env) { return env->FileExists(f); });
}

Status EnvMirror::GetChildren(const std::string& dir,
                              std::vector<std::string>* r) {
  const Status s = a_->GetChildren(dir, r);
  if (IsOfOneAlone(dir)) return s;
  std::vector<std::string> other;
  ExpectAlike(s, b_->GetChildren(dir, &other));
  if (s.ok()) {
    std::vector<std::string> sorted = *r;
    std::sort(sorted.begin(), sorted.end());
    std::sort(other.begin(), other.end());
    INVARIANT(sorted == other);
  }
  return s;
}

Status EnvMirror::GetChildrenFileAttributes(const std::string& dir,
                                            std::vector<FileAttributes>* r) {
  const Status s = a_->GetChildrenFileAttributes(dir, r);
  if (IsOfOneAlone(dir)) return s;
  std::vector<FileAttributes> other;
  ExpectAlike(s, b_->GetChildrenFileAttributes(dir, &other));
  // Sizes of directories are each one's own; those of files are asked for.
  if (s.ok()) INVARIANT(r->size() == other.size());
  return s;
}

Status EnvMirror::DeleteFile(const std::string& f) {
  return OnBoth(f, [&](Env* env) { return env->DeleteFile(f); });
}

Status EnvMirror::Truncate(const std::string& f, size_t size) {
  return OnBoth(f, [&](Env* env) { return env->Truncate(f, size); });
}

Status EnvMirror::CreateDir(const std::string& d) {
  return OnBoth(d, [&](Env* env) { return env->CreateDir(d); });
}

Status EnvMirror::CreateDirIfMissing(const std::string& d) {
  return OnBoth(d, [&](Env* env) { return env->CreateDirIfMissing(d); });
}

Status EnvMirror::DeleteDir(const std::string& d) {
  return OnBoth(d, [&](Env* env) { return env->DeleteDir(d); });
}

Status EnvMirror::GetFileSize(const std::string& f, uint64_t* s) {
  const Status status = a_->GetFileSize(f, s);
  if (IsOfOneAlone(f)) return status;
  uint64_t other = 0;
  ExpectAlike(status, b_->GetFileSize(f, &other));
  if (status.ok()) INVARIANT(*s == other);
  return status;
}

Status EnvMirror::GetFileModificationTime(const std::string& fname,
                                          uint64_t* file_mtime) {
  const Status s = a_->GetFileModificationTime(fname, file_mtime);
  if (IsOfOneAlone(fname)) return s;
  uint64_t other = 0;
  ExpectAlike(s, b_->GetFileModificationTime(fname, &other));
  // They are seconds: one may have begun between the two.
  if (s.ok()) {
    INVARIANT(std::max(*file_mtime, other) - std::min(*file_mtime, other) <= 1);
  }
  return s;
}

Status EnvMirror::RenameFile(const std::string& s, const std::string& t) {
  return OnBoth(s, [&](Env* env) { return env->RenameFile(s, t); });
}

Status EnvMirror::LinkFile(const std::string& s, const std::string& t) {
  return OnBoth(s, [&](Env* env) { return env->LinkFile(s, t); });
}

Status EnvMirror::SyncFile(const std::string& f, const EnvOptions& options,
                           bool use_fsync) {
  return OnBoth(f,
                [&](Env* env) { return env->SyncFile(f, options, use_fsync); });
}

Status EnvMirror::LockFile(const std::string& f, FileLock** l) {
  FileLock* first = nullptr;
  FileLock* second = nullptr;
  const Status s = a_->LockFile(f, &first);
  ExpectAlike(s, b_->LockFile(f, &second));
  if (s.ok()) {
    *l = std::make_unique<FileLockMirror>(first, second).release();
  }
  return s;
}

Status EnvMirror::UnlockFile(FileLock* l) {
  const std::unique_ptr<FileLockMirror> both(static_cast<FileLockMirror*>(l));
  const Status s = a_->UnlockFile(both->a_);
  ExpectAlike(s, b_->UnlockFile(both->b_));
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
