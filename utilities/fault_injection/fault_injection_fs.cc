#include "utilities/fault_injection/fault_injection_fs.h"

#include <algorithm>
#include <utility>

#include "env/mapped_appends.h"
#include "util/invariant.h"
#include "utilities/fault_injection/fault_files.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool Contains(const std::string& path, const std::string& text) {
  return path.find(text) != std::string::npos;
}

bool EndsIn(const std::string& path, const std::string& suffix) {
  return path.size() >= suffix.size() &&
         path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0;
}

bool MatchesAny(const std::vector<std::string>& texts,
                const std::string& path) {
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return Contains(path, text);
  });
}

bool Concerns(const Fault& fault, const FaultInjectionFileSystem::Call& call) {
  if (fault.scope == FaultScope::kMutatingCalls &&
      call.scope != FaultScope::kMutatingCalls) {
    return false;
  }
  if (fault.kind == FaultKind::kSyncFailure && !call.is_sync) return false;
  if (fault.kind == FaultKind::kInvalidArgument && !call.is_direct_read) {
    return false;
  }
  return Contains(call.path, fault.path_contains);
}

IOStatus StatusOf(const Fault& fault, const std::string& what) {
  IOStatus status;
  switch (fault.kind) {
    case FaultKind::kNoSpace:
      status = IOStatus::NoSpace("injected", what);
      break;
    case FaultKind::kInvalidArgument:
      status = IOStatus::InvalidArgument("injected", what);
      break;
    case FaultKind::kIOError:
    case FaultKind::kShort:
    case FaultKind::kSyncFailure:
      status = IOStatus::IOError("injected", what);
      break;
  }
  status.SetRetryable(fault.is_retryable);
  return status;
}

}  // namespace

FaultInjectionFileSystem::FaultInjectionFileSystem(
    const std::shared_ptr<FileSystem>& base, uint64_t seed)
    : FileSystemWrapper(base), random_(seed) {}

FaultInjectionFileSystem::~FaultInjectionFileSystem() { ReleaseLocks(); }

void FaultInjectionFileSystem::FailCall(const Fault& fault) {
  MutexLock lock(&mutex_);
  fault_ = fault;
  fault_matches_ = 0;
  failed_call_.clear();
  calls_.fill(0);
}

void FaultInjectionFileSystem::ClearFault() {
  MutexLock lock(&mutex_);
  fault_ = Fault();
}

bool FaultInjectionFileSystem::failed() const {
  MutexLock lock(&mutex_);
  return !failed_call_.empty();
}

std::string FaultInjectionFileSystem::failed_call() const {
  MutexLock lock(&mutex_);
  return failed_call_;
}

uint64_t FaultInjectionFileSystem::call_count(FaultScope scope) const {
  MutexLock lock(&mutex_);
  return calls_[static_cast<size_t>(scope)];
}

void FaultInjectionFileSystem::Deactivate(const IOStatus& status) {
  INVARIANT(!status.ok());
  MutexLock lock(&mutex_);
  is_active_ = false;
  inactive_status_ = status;
}

void FaultInjectionFileSystem::Heal() {
  MutexLock lock(&mutex_);
  is_active_ = true;
  fault_ = Fault();
}

void FaultInjectionFileSystem::RefuseDirectIo(
    const std::string& path_contains) {
  MutexLock lock(&mutex_);
  refused_.push_back(path_contains);
}

void FaultInjectionFileSystem::FailDirectReads(
    const std::string& path_contains) {
  MutexLock lock(&mutex_);
  failing_.push_back(path_contains);
}

void FaultInjectionFileSystem::AcceptDirectIo() {
  MutexLock lock(&mutex_);
  refused_.clear();
  failing_.clear();
}

void FaultInjectionFileSystem::MapLogs() {
  MutexLock lock(&mutex_);
  maps_logs_ = true;
}

bool FaultInjectionFileSystem::MapsLogs() const {
  MutexLock lock(&mutex_);
  return maps_logs_;
}

FileOptions FaultInjectionFileSystem::OptimizeForLogWrite(
    const FileOptions& file_options, const DBOptions& db_options) const {
  FileOptions result =
      FileSystemWrapper::OptimizeForLogWrite(file_options, db_options);
  if (MapsLogs()) result.use_mapped_appends = AllowsMappedLogs(db_options);
  return result;
}

FaultInjectionFileSystem::Verdict FaultInjectionFileSystem::Judge(
    const Call& call, IOStatus* status) {
  MutexLock lock(&mutex_);
  const uint64_t number = ++calls_[static_cast<size_t>(FaultScope::kAllCalls)];
  if (call.scope == FaultScope::kMutatingCalls) {
    ++calls_[static_cast<size_t>(FaultScope::kMutatingCalls)];
  }
  *status = IOStatus::OK();
  if (!is_active_) {
    *status = inactive_status_;
    return Verdict::kFail;
  }
  if (fault_.call == 0 || !Concerns(fault_, call)) return Verdict::kProceed;
  ++fault_matches_;
  const bool strikes = fault_.is_permanent ? fault_matches_ >= fault_.call
                                           : fault_matches_ == fault_.call;
  if (!strikes) return Verdict::kProceed;
  const std::string what = "call " + std::to_string(fault_matches_) + " (" +
                           std::to_string(number) + " of all): " + call.name +
                           " " + call.path;
  if (failed_call_.empty()) failed_call_ = what;
  if (fault_.kind == FaultKind::kShort && call.is_transfer) {
    // A short read is no error; the reader must notice.
    if (call.scope == FaultScope::kMutatingCalls) {
      *status = StatusOf(fault_, what);
    }
    return Verdict::kShort;
  }
  *status = StatusOf(fault_, what);
  return Verdict::kFail;
}

IOStatus FaultInjectionFileSystem::Check(const Call& call) {
  IOStatus status;
  const Verdict verdict = Judge(call, &status);
  INVARIANT(verdict != Verdict::kShort);
  return status;
}

uint64_t FaultInjectionFileSystem::generation() const {
  MutexLock lock(&mutex_);
  return generation_;
}

IOStatus FaultInjectionFileSystem::CheckDirectRead(
    const std::string& path) const {
  MutexLock lock(&mutex_);
  if (!MatchesAny(failing_, path)) return IOStatus::OK();
  return IOStatus::InvalidArgument("While reading: " + path,
                                   "direct read refused");
}

void FaultInjectionFileSystem::CountHandle(FileKind kind, bool is_direct_read,
                                           int change) {
  MutexLock lock(&mutex_);
  handles_[static_cast<size_t>(kind)] += static_cast<size_t>(change);
  if (!is_direct_read || kind != FileKind::kRandomAccess) return;
  direct_read_handles_ += static_cast<size_t>(change);
  peak_direct_read_handles_ =
      std::max(peak_direct_read_handles_, direct_read_handles_);
}

std::vector<OpenRecord> FaultInjectionFileSystem::opens() const {
  MutexLock lock(&mutex_);
  return opens_;
}

void FaultInjectionFileSystem::ClearOpens() {
  MutexLock lock(&mutex_);
  opens_.clear();
}

size_t FaultInjectionFileSystem::direct_read_opens(
    const std::string& suffix) const {
  MutexLock lock(&mutex_);
  return static_cast<size_t>(
      std::count_if(opens_.begin(), opens_.end(), [&](const OpenRecord& open) {
        return open.is_direct_read() && EndsIn(open.path, suffix);
      }));
}

size_t FaultInjectionFileSystem::direct_write_opens(
    const std::string& suffix) const {
  MutexLock lock(&mutex_);
  return static_cast<size_t>(
      std::count_if(opens_.begin(), opens_.end(), [&](const OpenRecord& open) {
        return open.is_direct_write() && EndsIn(open.path, suffix);
      }));
}

size_t FaultInjectionFileSystem::open_handles(FileKind kind) const {
  MutexLock lock(&mutex_);
  return handles_[static_cast<size_t>(kind)];
}

size_t FaultInjectionFileSystem::open_handles() const {
  MutexLock lock(&mutex_);
  size_t sum = 0;
  for (const size_t count : handles_) sum += count;
  return sum;
}

size_t FaultInjectionFileSystem::direct_read_handles() const {
  MutexLock lock(&mutex_);
  return direct_read_handles_;
}

size_t FaultInjectionFileSystem::peak_direct_read_handles() const {
  MutexLock lock(&mutex_);
  return peak_direct_read_handles_;
}

void FaultInjectionFileSystem::ResetPeaks() {
  MutexLock lock(&mutex_);
  peak_direct_read_handles_ = direct_read_handles_;
}

void FaultInjectionFileSystem::RecordOpen(const std::string& path,
                                          FileKind kind,
                                          const FileOptions& options) {
  MutexLock lock(&mutex_);
  opens_.push_back({path, kind, options});
}

IOStatus FaultInjectionFileSystem::CheckOpen(const char* name,
                                             const std::string& path,
                                             FaultScope scope, bool is_direct) {
  if (is_direct) {
    MutexLock lock(&mutex_);
    if (MatchesAny(refused_, path)) {
      return IOStatus::InvalidArgument("While opening: " + path,
                                       "direct I/O refused");
    }
  }
  return Check({.name = name, .path = path, .scope = scope});
}

IOStatus FaultInjectionFileSystem::CheckMutation(const char* name,
                                                 const std::string& path) {
  return Check(
      {.name = name, .path = path, .scope = FaultScope::kMutatingCalls});
}

IOStatus FaultInjectionFileSystem::CheckQuery(const char* name,
                                              const std::string& path) {
  return Check({.name = name, .path = path, .scope = FaultScope::kAllCalls});
}

bool FaultInjectionFileSystem::Exists(const std::string& path) {
  return target_->FileExists(path, IOOptions(), nullptr).ok();
}

IOStatus FaultInjectionFileSystem::StateOf(const std::string& path,
                                           StateRef* state) {
  {
    MutexLock lock(&mutex_);
    const auto found = states_.find(path);
    if (found != states_.end()) {
      *state = found->second;
      return IOStatus::OK();
    }
  }
  uint64_t size = 0;
  std::string tail;
  IOStatus status = target_->GetFileSize(path, IOOptions(), &size, nullptr);
  const size_t tail_size = size % FaultFileState::kBlockBytes;
  if (status.ok() && tail_size > 0) {
    status = ReadRange(target_.get(), path, size - tail_size, tail_size, &tail);
  }
  if (!status.ok()) return status;
  *state = std::make_shared<FaultFileState>(size, std::move(tail));
  MutexLock lock(&mutex_);
  states_[path] = *state;
  return status;
}

IOStatus FaultInjectionFileSystem::NewSequentialFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSSequentialFile>* result, IODebugContext* dbg) {
  const bool is_direct = file_opts.use_direct_reads;
  IOStatus status =
      CheckOpen("NewSequentialFile", fname, FaultScope::kAllCalls, is_direct);
  std::unique_ptr<FSSequentialFile> file;
  if (status.ok()) {
    status = target_->NewSequentialFile(fname, file_opts, &file, dbg);
  }
  if (!status.ok()) return status;
  RecordOpen(fname, FileKind::kSequential, file_opts);
  *result =
      NewFaultSequentialFile(std::make_unique<FaultHandle>(
                                 this, fname, FileKind::kSequential, is_direct),
                             std::move(file));
  return status;
}

IOStatus FaultInjectionFileSystem::NewRandomAccessFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSRandomAccessFile>* result, IODebugContext* dbg) {
  const bool is_direct = file_opts.use_direct_reads;
  IOStatus status =
      CheckOpen("NewRandomAccessFile", fname, FaultScope::kAllCalls, is_direct);
  std::unique_ptr<FSRandomAccessFile> file;
  if (status.ok()) {
    status = target_->NewRandomAccessFile(fname, file_opts, &file, dbg);
  }
  if (!status.ok()) return status;
  RecordOpen(fname, FileKind::kRandomAccess, file_opts);
  *result = NewFaultRandomAccessFile(
      std::make_unique<FaultHandle>(this, fname, FileKind::kRandomAccess,
                                    is_direct),
      std::move(file));
  return status;
}

IOStatus FaultInjectionFileSystem::OpenWritable(
    Opening opening, const std::string& path, const FileOptions& options,
    std::unique_ptr<FSWritableFile>* result) {
  const bool is_new = !Exists(path);
  const bool is_mapped = opening == Opening::kCreate && MapsLogs() &&
                         options.use_mapped_appends &&
                         !options.use_direct_writes;
  FileOptions below = options;
  if (is_mapped) below.use_mapped_appends = false;
  std::unique_ptr<FSWritableFile> file;
  IOStatus status =
      opening == Opening::kCreate
          ? target_->NewWritableFile(path, below, &file, nullptr)
          : target_->ReopenWritableFile(path, options, &file, nullptr);
  StateRef state;
  if (status.ok()) status = StateOf(path, &state);
  if (!status.ok()) return status;
  if (is_new) {
    NoteChange({.kind = NameChange::Kind::kCreate, .path = path});
  } else if (opening == Opening::kCreate) {
    state->NoteTruncate(0, "");
  }
  RecordOpen(path, FileKind::kWritable, options);
  *result = NewFaultWritableFile(
      std::make_unique<FaultHandle>(this, path, FileKind::kWritable, false),
      std::move(file), state,
      is_mapped ? Appending::kMapped : Appending::kByCall);
  return status;
}

IOStatus FaultInjectionFileSystem::NewWritableFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSWritableFile>* result, IODebugContext* /*dbg*/) {
  IOStatus status =
      CheckOpen("NewWritableFile", fname, FaultScope::kMutatingCalls,
                file_opts.use_direct_writes);
  if (!status.ok()) return status;
  return OpenWritable(Opening::kCreate, fname, file_opts, result);
}

IOStatus FaultInjectionFileSystem::ReopenWritableFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSWritableFile>* result, IODebugContext* /*dbg*/) {
  IOStatus status =
      CheckOpen("ReopenWritableFile", fname, FaultScope::kMutatingCalls,
                file_opts.use_direct_writes);
  if (!status.ok()) return status;
  return OpenWritable(Opening::kReopen, fname, file_opts, result);
}

IOStatus FaultInjectionFileSystem::ReuseWritableFile(
    const std::string& fname, const std::string& old_fname,
    const FileOptions& file_opts, std::unique_ptr<FSWritableFile>* result,
    IODebugContext* dbg) {
  IOStatus status =
      CheckOpen("ReuseWritableFile", fname, FaultScope::kMutatingCalls,
                file_opts.use_direct_writes);
  if (!status.ok()) return status;
  StateRef state;
  NameChange change{
      .kind = NameChange::Kind::kRename, .path = old_fname, .new_path = fname};
  status = StateOf(old_fname, &state);
  if (status.ok()) status = SaveVictim(fname, &change);
  std::unique_ptr<FSWritableFile> file;
  if (status.ok()) {
    status =
        target_->ReuseWritableFile(fname, old_fname, file_opts, &file, dbg);
  }
  if (!status.ok()) return status;
  NoteChange(std::move(change));
  RecordOpen(fname, FileKind::kWritable, file_opts);
  *result = NewFaultWritableFile(
      std::make_unique<FaultHandle>(this, fname, FileKind::kWritable, false),
      std::move(file), state);
  return status;
}

IOStatus FaultInjectionFileSystem::NewRandomRWFile(
    const std::string& fname, const FileOptions& file_opts,
    std::unique_ptr<FSRandomRWFile>* result, IODebugContext* dbg) {
  IOStatus status = CheckOpen("NewRandomRWFile", fname,
                              FaultScope::kMutatingCalls, /*is_direct=*/false);
  std::unique_ptr<FSRandomRWFile> file;
  StateRef state;
  if (status.ok()) {
    status = target_->NewRandomRWFile(fname, file_opts, &file, dbg);
  }
  if (status.ok()) status = StateOf(fname, &state);
  if (!status.ok()) return status;
  RecordOpen(fname, FileKind::kRandomRW, file_opts);
  *result = NewFaultRandomRWFile(
      std::make_unique<FaultHandle>(this, fname, FileKind::kRandomRW, false),
      std::move(file), state);
  return status;
}

IOStatus FaultInjectionFileSystem::NewMemoryMappedFileBuffer(
    const std::string& fname,
    std::unique_ptr<MemoryMappedFileBuffer>* /*result*/) {
  return IOStatus::NotSupported("FaultInjectionFS maps no files", fname);
}

IOStatus FaultInjectionFileSystem::NewDirectory(
    const std::string& name, const IOOptions& options,
    std::unique_ptr<FSDirectory>* result, IODebugContext* dbg) {
  IOStatus status = CheckQuery("NewDirectory", name);
  std::unique_ptr<FSDirectory> directory;
  if (status.ok()) {
    status = target_->NewDirectory(name, options, &directory, dbg);
  }
  if (!status.ok()) return status;
  RecordOpen(name, FileKind::kDirectory, FileOptions());
  *result = NewFaultDirectory(
      std::make_unique<FaultHandle>(this, name, FileKind::kDirectory, false),
      std::move(directory));
  return status;
}

IOStatus FaultInjectionFileSystem::FileExists(const std::string& fname,
                                              const IOOptions& options,
                                              IODebugContext* dbg) {
  IOStatus status = CheckQuery("FileExists", fname);
  return status.ok() ? target_->FileExists(fname, options, dbg) : status;
}

IOStatus FaultInjectionFileSystem::GetChildren(const std::string& dir,
                                               const IOOptions& options,
                                               std::vector<std::string>* result,
                                               IODebugContext* dbg) {
  IOStatus status = CheckQuery("GetChildren", dir);
  return status.ok() ? target_->GetChildren(dir, options, result, dbg) : status;
}

IOStatus FaultInjectionFileSystem::GetChildrenFileAttributes(
    const std::string& dir, const IOOptions& options,
    std::vector<FileAttributes>* result, IODebugContext* dbg) {
  IOStatus status = CheckQuery("GetChildrenFileAttributes", dir);
  return status.ok()
             ? target_->GetChildrenFileAttributes(dir, options, result, dbg)
             : status;
}

IOStatus FaultInjectionFileSystem::DeleteFile(const std::string& fname,
                                              const IOOptions& options,
                                              IODebugContext* dbg) {
  NameChange change{.kind = NameChange::Kind::kDelete, .path = fname};
  IOStatus status = CheckMutation("DeleteFile", fname);
  if (status.ok()) status = SaveVictim(fname, &change);
  if (status.ok()) status = target_->DeleteFile(fname, options, dbg);
  if (status.ok()) NoteChange(std::move(change));
  return status;
}

IOStatus FaultInjectionFileSystem::Truncate(const std::string& fname,
                                            size_t size,
                                            const IOOptions& options,
                                            IODebugContext* dbg) {
  StateRef state;
  IOStatus status = CheckMutation("Truncate", fname);
  if (status.ok()) status = StateOf(fname, &state);
  if (status.ok()) status = target_->Truncate(fname, size, options, dbg);
  std::string tail;
  const size_t tail_size = size % FaultFileState::kBlockBytes;
  if (status.ok()) {
    status =
        ReadRange(target_.get(), fname, size - tail_size, tail_size, &tail);
  }
  if (status.ok()) state->NoteTruncate(size, std::move(tail));
  return status;
}

bool FaultInjectionFileSystem::IsClosedEverywhere(
    const std::string& path) const {
  const auto* holders = dynamic_cast<const FileHolders*>(target_.get());
  return holders != nullptr && holders->IsClosedEverywhere(path);
}

IOStatus FaultInjectionFileSystem::CreateDir(const std::string& dirname,
                                             const IOOptions& options,
                                             IODebugContext* dbg) {
  IOStatus status = CheckMutation("CreateDir", dirname);
  return status.ok() ? target_->CreateDir(dirname, options, dbg) : status;
}

IOStatus FaultInjectionFileSystem::CreateDirIfMissing(
    const std::string& dirname, const IOOptions& options, IODebugContext* dbg) {
  IOStatus status = CheckMutation("CreateDirIfMissing", dirname);
  return status.ok() ? target_->CreateDirIfMissing(dirname, options, dbg)
                     : status;
}

IOStatus FaultInjectionFileSystem::DeleteDir(const std::string& dirname,
                                             const IOOptions& options,
                                             IODebugContext* dbg) {
  IOStatus status = CheckMutation("DeleteDir", dirname);
  return status.ok() ? target_->DeleteDir(dirname, options, dbg) : status;
}

IOStatus FaultInjectionFileSystem::GetFileSize(const std::string& fname,
                                               const IOOptions& options,
                                               uint64_t* file_size,
                                               IODebugContext* dbg) {
  IOStatus status = CheckQuery("GetFileSize", fname);
  return status.ok() ? target_->GetFileSize(fname, options, file_size, dbg)
                     : status;
}

IOStatus FaultInjectionFileSystem::RenameFile(const std::string& src,
                                              const std::string& dst,
                                              const IOOptions& options,
                                              IODebugContext* dbg) {
  NameChange change{
      .kind = NameChange::Kind::kRename, .path = src, .new_path = dst};
  IOStatus status = CheckMutation("RenameFile", src);
  if (status.ok()) status = SaveVictim(dst, &change);
  if (status.ok()) status = target_->RenameFile(src, dst, options, dbg);
  if (status.ok()) NoteChange(std::move(change));
  return status;
}

IOStatus FaultInjectionFileSystem::LinkFile(const std::string& src,
                                            const std::string& dst,
                                            const IOOptions& options,
                                            IODebugContext* dbg) {
  IOStatus status = CheckMutation("LinkFile", src);
  if (status.ok()) status = target_->LinkFile(src, dst, options, dbg);
  if (status.ok()) {
    NoteChange({.kind = NameChange::Kind::kLink, .path = src, .new_path = dst});
  }
  return status;
}

IOStatus FaultInjectionFileSystem::SyncFile(const std::string& fname,
                                            const FileOptions& file_opts,
                                            const IOOptions& options,
                                            bool use_fsync,
                                            IODebugContext* dbg) {
  // By way of our own files, so that it is counted and remembered.
  return FileSystem::SyncFile(fname, file_opts, options, use_fsync, dbg);
}

IOStatus FaultInjectionFileSystem::LockFile(const std::string& fname,
                                            const IOOptions& options,
                                            FileLock** lock,
                                            IODebugContext* dbg) {
  auto held = std::make_unique<HeldLock>();
  IOStatus status = CheckQuery("LockFile", fname);
  if (status.ok()) {
    status = target_->LockFile(fname, options, &held->base, dbg);
  }
  if (!status.ok()) return status;
  *lock = held.get();
  MutexLock guard(&mutex_);
  ++handles_[static_cast<size_t>(FileKind::kLock)];
  locks_[held.get()] = std::move(held);
  return status;
}

IOStatus FaultInjectionFileSystem::UnlockFile(FileLock* lock,
                                              const IOOptions& options,
                                              IODebugContext* dbg) {
  std::unique_ptr<HeldLock> held;
  {
    MutexLock guard(&mutex_);
    const auto found = locks_.find(lock);
    INVARIANT(found != locks_.end());
    held = std::move(found->second);
    locks_.erase(found);
    if (held->base != nullptr) {
      --handles_[static_cast<size_t>(FileKind::kLock)];
    }
  }
  if (held->base == nullptr) return IOStatus::OK();  // A crash took it.
  return target_->UnlockFile(held->base, options, dbg);
}

IOStatus FaultInjectionFileSystem::NewLogger(const std::string& fname,
                                             const IOOptions& options,
                                             std::shared_ptr<Logger>* result,
                                             IODebugContext* dbg) {
  // The information log is not data: it is neither counted nor lost.
  {
    MutexLock lock(&mutex_);
    if (!is_active_) return inactive_status_;
  }
  return target_->NewLogger(fname, options, result, dbg);
}

}  // namespace ROCKSDB_NAMESPACE
