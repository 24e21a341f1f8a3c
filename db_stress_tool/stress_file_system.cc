#include "db_stress_tool/stress_file_system.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "db_stress_tool/held_file.h"
#include "db_stress_tool/mocked_direct_io.h"
#include "db_stress_tool/stress_random.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

constexpr const char* kInjected = "injected fault";

thread_local int faults_paused = 0;

std::atomic<bool> tolerates_all_io_errors{false};

StressRandom& ThreadRandom(uint64_t seed) {
  static std::atomic<uint64_t> thread_count{0};
  thread_local StressRandom random(seed + 7919 * ++thread_count);
  return random;
}

bool IsLog(const std::string& path) {
  return path.size() > 4 && path.compare(path.size() - 4, 4, ".log") == 0;
}

class StressSequentialFile : public FSSequentialFileOwnerWrapper {
 public:
  StressSequentialFile(std::unique_ptr<FSSequentialFile> base, std::string path,
                       StressFileSystem* fs)
      : FSSequentialFileOwnerWrapper(std::move(base)),
        path_(std::move(path)),
        fs_(fs) {}

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override {
    IOStatus s = fs_->Enter(StressFileSystem::CallKind::kRead, "Read", path_);
    if (!s.ok()) return s;
    return FSSequentialFileOwnerWrapper::Read(n, options, result, scratch, dbg);
  }

 private:
  const std::string path_;
  StressFileSystem* const fs_;
};

class StressRandomAccessFile : public FSRandomAccessFileOwnerWrapper {
 public:
  StressRandomAccessFile(std::unique_ptr<FSRandomAccessFile> base,
                         std::string path, DirectIo direct,
                         StressFileSystem* fs)
      : FSRandomAccessFileOwnerWrapper(std::move(base)),
        path_(std::move(path)),
        direct_(direct),
        fs_(fs) {}

  bool use_direct_io() const override {
    return direct_ == DirectIo::kMocked ||
           FSRandomAccessFileOwnerWrapper::use_direct_io();
  }

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* /*dbg*/) const override {
    IOStatus s = fs_->Enter(StressFileSystem::CallKind::kRead, "Read", path_);
    if (s.ok()) s = CheckAligned(direct_, path_, {offset, n, scratch});
    if (!s.ok()) return s;
    return ReadWithHeld(offset, n, options, result, scratch);
  }
  IOStatus MultiRead(FSReadRequest* requests, size_t count,
                     const IOOptions& options, IODebugContext* dbg) override {
    IOStatus s;
    for (size_t i = 0; i < count && s.ok(); ++i) {
      s = CheckAligned(
          direct_, path_,
          {requests[i].offset, requests[i].len, requests[i].scratch});
    }
    if (!s.ok()) return s;
    s = FSRandomAccessFileOwnerWrapper::MultiRead(requests, count, options,
                                                  dbg);
    for (size_t i = 0; i < count && s.ok(); ++i) {
      IOStatus fault =
          fs_->Enter(StressFileSystem::CallKind::kRead, "MultiRead", path_);
      if (!fault.ok()) requests[i].status = fault;
      if (!requests[i].status.ok() ||
          requests[i].result.size() == requests[i].len) {
        continue;
      }
      requests[i].status =
          ReadWithHeld(requests[i].offset, requests[i].len, options,
                       &requests[i].result, requests[i].scratch);
    }
    return s;
  }

 private:
  // A file that is still written has its last bytes in memory.
  IOStatus ReadWithHeld(uint64_t offset, size_t n, const IOOptions& options,
                        Slice* result, char* scratch) const {
    while (true) {
      IOStatus s = FSRandomAccessFileOwnerWrapper::Read(
          offset, n, options, result, scratch, nullptr);
      if (!s.ok() || result->size() == n || scratch == nullptr) return s;
      const std::shared_ptr<HeldBytes> held = fs_->HeldOf(path_);
      if (held == nullptr) return s;
      const size_t found = result->size();
      std::string bytes;
      if (!held->Peek(offset + found, n - found, &bytes)) {
        // What was held when it was read may have gone down since.
        uint64_t size = 0;
        s = fs_->target()->GetFileSize(path_, options, &size, nullptr);
        if (!s.ok() || size <= offset + found) return s;
        continue;
      }
      if (result->data() != scratch) {
        std::memmove(scratch, result->data(), found);
      }
      std::memcpy(scratch + found, bytes.data(), bytes.size());
      *result = Slice(scratch, found + bytes.size());
      return s;
    }
  }

  const std::string path_;
  const DirectIo direct_;
  StressFileSystem* const fs_;
};

class StressDirectory : public FSDirectoryWrapper {
 public:
  StressDirectory(std::unique_ptr<FSDirectory> base, std::string path,
                  StressFileSystem* fs)
      : FSDirectoryWrapper(base.get()),
        base_(std::move(base)),
        path_(std::move(path)),
        fs_(fs) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return Around([&] { return FSDirectoryWrapper::Fsync(options, dbg); });
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* dbg,
                               const DirFsyncOptions& dir_options) override {
    return Around([&] {
      return FSDirectoryWrapper::FsyncWithDirOptions(options, dbg, dir_options);
    });
  }

 private:
  template <typename Call>
  IOStatus Around(const Call& call) {
    IOStatus s = fs_->Enter(StressFileSystem::CallKind::kMetadataWrite,
                            "DirectoryFsync", path_);
    if (s.ok()) s = call();
    fs_->Leave("DirectoryFsync", path_);
    return s;
  }

  const std::unique_ptr<FSDirectory> base_;
  const std::string path_;
  StressFileSystem* const fs_;
};

}  // namespace

WithoutFaults::WithoutFaults() { ++faults_paused; }
WithoutFaults::~WithoutFaults() { --faults_paused; }

void TolerateAllIOErrors(bool is_on) { tolerates_all_io_errors = is_on; }

bool IsInjected(const Status& status) {
  // That a file is not there is an answer.
  if (tolerates_all_io_errors && status.IsIOError() &&
      !status.IsPathNotFound()) {
    return true;
  }
  return status.ToString().find(kInjected) != std::string::npos;
}

StressFileSystem::StressFileSystem(const std::shared_ptr<FileSystem>& base,
                                   const Settings& settings)
    : FileSystemWrapper(base), settings_(settings) {}

StressFileSystem::~StressFileSystem() = default;

void StressFileSystem::SetRates(const FaultRates& rates) {
  rates_[static_cast<size_t>(CallKind::kRead)] = rates.read;
  rates_[static_cast<size_t>(CallKind::kWrite)] = rates.write;
  rates_[static_cast<size_t>(CallKind::kMetadataRead)] = rates.metadata_read;
  rates_[static_cast<size_t>(CallKind::kMetadataWrite)] = rates.metadata_write;
}

bool StressFileSystem::IsFaultDue(CallKind kind, const std::string& path) {
  if (faults_paused > 0) return false;
  const int64_t one_in = rates_[static_cast<size_t>(kind)];
  if (one_in == 0) return false;
  if (settings_.spares_logs && IsLog(path)) return false;
  return ThreadRandom(settings_.seed).OneIn(one_in);
}

IOStatus StressFileSystem::Enter(CallKind kind, const char* call,
                                 const std::string& path) {
  if (kind == CallKind::kWrite || kind == CallKind::kMetadataWrite) {
    MaybeKill(call, path);
  }
  if (!IsFaultDue(kind, path)) return IOStatus::OK();
  IOStatus s = IOStatus::IOError(std::string(kInjected) + " in " + call, path);
  s.SetRetryable(
      settings_.severity == 1 ||
      (settings_.severity == 3 && ThreadRandom(settings_.seed).OneIn(2)));
  return s;
}

void StressFileSystem::MaybeKill(const char* call, const std::string& path) {
  if (settings_.kill_one_in == 0) return;
  if (path.find(settings_.kill_path_contains) == std::string::npos) return;
  for (const std::string& excluded : settings_.kill_excludes) {
    if (std::strncmp(call, excluded.c_str(), excluded.size()) == 0) return;
  }
  // Each call has a moment before and one after it.
  if (!ThreadRandom(settings_.seed).OneIn(2 * settings_.kill_one_in)) return;
  const std::string note =
      std::string("killed at ") + call + " of " + path + "\n";
  // Nothing more can be done about a note that cannot be written.
  if (write(STDERR_FILENO, note.data(), note.size()) < 0) _exit(1);
  kill(getpid(), SIGKILL);
}

std::shared_ptr<HeldBytes> StressFileSystem::HeldOf(const std::string& path) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = held_.find(path);
  return found == held_.end() ? nullptr : found->second;
}

IOStatus StressFileSystem::WriteDown(const std::string& path) {
  const std::shared_ptr<HeldBytes> held = HeldOf(path);
  if (held == nullptr) return IOStatus::OK();
  const IOOptions options;
  if (!held->is_closed()) return held->WriteDown(options, [] {});
  const std::string bytes = held->Take();
  if (bytes.empty()) return IOStatus::OK();
  std::unique_ptr<FSWritableFile> file;
  IOStatus s =
      target()->ReopenWritableFile(path, FileOptions(), &file, nullptr);
  if (s.ok()) s = file->Append(bytes, options, nullptr);
  if (s.ok()) s = file->Close(options, nullptr);
  return s;
}

FileOptions StressFileSystem::Below(const FileOptions& options) const {
  FileOptions below = options;
  if (IsMocked(options.use_direct_reads)) below.use_direct_reads = false;
  if (IsMocked(options.use_direct_writes)) below.use_direct_writes = false;
  return below;
}

IOStatus StressFileSystem::WrapWritable(
    const std::string& path, const FileOptions& options, IOStatus status,
    std::unique_ptr<FSWritableFile>* result) {
  Leave("NewWritableFile", path);
  if (!status.ok()) return status;
  std::shared_ptr<HeldBytes> held;
  const bool is_mocked = IsMocked(options.use_direct_writes);
  // Direct writes are at positions, and few of them are ever unsynced.
  if (settings_.loses_unsynced && !is_mocked && !(*result)->use_direct_io()) {
    held = std::make_shared<HeldBytes>(result->get());
    std::lock_guard<std::mutex> lock(mutex_);
    held_[path] = held;
  }
  *result = MakeStressFile(
      std::move(*result),
      {path, is_mocked ? DirectIo::kMocked : DirectIo::kAsBelow}, held, this);
  return status;
}

IOStatus StressFileSystem::NewSequentialFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSSequentialFile>* result, IODebugContext* dbg) {
  IOStatus s = Enter(CallKind::kRead, "NewSequentialFile", fname);
  if (s.ok()) s = WriteDown(fname);
  if (s.ok()) {
    s = target()->NewSequentialFile(fname, Below(file_opts), result, dbg);
  }
  if (!s.ok()) return s;
  *result =
      std::make_unique<StressSequentialFile>(std::move(*result), fname, this);
  return s;
}

IOStatus StressFileSystem::NewRandomAccessFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSRandomAccessFile>* result, IODebugContext* dbg) {
  IOStatus s = Enter(CallKind::kRead, "NewRandomAccessFile", fname);
  if (s.ok()) s = WriteDown(fname);
  if (s.ok()) {
    s = target()->NewRandomAccessFile(fname, Below(file_opts), result, dbg);
  }
  if (!s.ok()) return s;
  *result = std::make_unique<StressRandomAccessFile>(
      std::move(*result), fname,
      IsMocked(file_opts.use_direct_reads) ? DirectIo::kMocked
                                           : DirectIo::kAsBelow,
      this);
  return s;
}

IOStatus StressFileSystem::NewWritableFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSWritableFile>* result, IODebugContext* dbg) {
  IOStatus s = Enter(CallKind::kMetadataWrite, "NewWritableFile", fname);
  if (s.ok()) {
    s = target()->NewWritableFile(fname, Below(file_opts), result, dbg);
  }
  return WrapWritable(fname, file_opts, std::move(s), result);
}

IOStatus StressFileSystem::ReopenWritableFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSWritableFile>* result, IODebugContext* dbg) {
  IOStatus s = Enter(CallKind::kMetadataWrite, "ReopenWritableFile", fname);
  if (s.ok()) s = WriteDown(fname);
  if (s.ok()) {
    s = target()->ReopenWritableFile(fname, Below(file_opts), result, dbg);
  }
  return WrapWritable(fname, file_opts, std::move(s), result);
}

IOStatus StressFileSystem::ReuseWritableFile(
    const std::string& fname, const std::string& old_fname,
    const FileOptions& file_opts, std::unique_ptr<FSWritableFile>* result,
    IODebugContext* dbg) {
  IOStatus s = Enter(CallKind::kMetadataWrite, "ReuseWritableFile", fname);
  if (s.ok()) s = WriteDown(old_fname);
  if (s.ok()) {
    s = target()->ReuseWritableFile(fname, old_fname, Below(file_opts), result,
                                    dbg);
  }
  return WrapWritable(fname, file_opts, std::move(s), result);
}

IOStatus StressFileSystem::NewDirectory(const std::string& name,
                                        const IOOptions& options,
                                        std::unique_ptr<FSDirectory>* result,
                                        IODebugContext* dbg) {
  IOStatus s = target()->NewDirectory(name, options, result, dbg);
  if (s.ok()) {
    *result = std::make_unique<StressDirectory>(std::move(*result), name, this);
  }
  return s;
}

IOStatus StressFileSystem::FileExists(const std::string& fname,
                                      const IOOptions& options,
                                      IODebugContext* dbg) {
  IOStatus s = Enter(CallKind::kMetadataRead, "FileExists", fname);
  return s.ok() ? target()->FileExists(fname, options, dbg) : s;
}

IOStatus StressFileSystem::GetChildren(const std::string& dir,
                                       const IOOptions& options,
                                       std::vector<std::string>* result,
                                       IODebugContext* dbg) {
  IOStatus s = Enter(CallKind::kMetadataRead, "GetChildren", dir);
  return s.ok() ? target()->GetChildren(dir, options, result, dbg) : s;
}

IOStatus StressFileSystem::DeleteFile(const std::string& fname,
                                      const IOOptions& options,
                                      IODebugContext* dbg) {
  IOStatus s = Enter(CallKind::kMetadataWrite, "DeleteFile", fname);
  if (!s.ok()) return s;
  s = target()->DeleteFile(fname, options, dbg);
  Leave("DeleteFile", fname);
  std::lock_guard<std::mutex> lock(mutex_);
  held_.erase(fname);
  return s;
}

IOStatus StressFileSystem::RenameFile(const std::string& src,
                                      const std::string& dst,
                                      const IOOptions& options,
                                      IODebugContext* dbg) {
  IOStatus s = Enter(CallKind::kMetadataWrite, "RenameFile", dst);
  if (!s.ok()) return s;
  s = target()->RenameFile(src, dst, options, dbg);
  Leave("RenameFile", dst);
  if (!s.ok()) return s;
  std::lock_guard<std::mutex> lock(mutex_);
  held_.erase(dst);
  if (auto node = held_.extract(src); !node.empty()) {
    node.key() = dst;
    held_.insert(std::move(node));
  }
  return s;
}

IOStatus StressFileSystem::LinkFile(const std::string& src,
                                    const std::string& dst,
                                    const IOOptions& options,
                                    IODebugContext* dbg) {
  IOStatus s = Enter(CallKind::kMetadataWrite, "LinkFile", dst);
  if (s.ok()) s = WriteDown(src);
  return s.ok() ? target()->LinkFile(src, dst, options, dbg) : s;
}

IOStatus StressFileSystem::GetFileSize(const std::string& fname,
                                       const IOOptions& options,
                                       uint64_t* file_size,
                                       IODebugContext* dbg) {
  IOStatus s = Enter(CallKind::kMetadataRead, "GetFileSize", fname);
  if (s.ok()) s = target()->GetFileSize(fname, options, file_size, dbg);
  if (const auto held = HeldOf(fname); s.ok() && held != nullptr) {
    *file_size += held->size();
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE::stress
