#include "db/files/obsolete_files.h"

#include <algorithm>
#include <utility>

#include "db/files/pending_outputs.h"
#include "file/file_deleter.h"
#include "file/sst_file_manager_impl.h"
#include "rocksdb/file_system.h"
#include "util/event_text.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

FileDeleterOptions DeleterOptions(const ImmutableDBOptions& db) {
  FileDeleterOptions options;
  options.fs = db.env->GetFileSystem();
  options.clock = db.clock;
  options.logger = db.info_log;
  options.statistics = db.statistics;
  return options;
}

// The innermost of this thread; null: none.
thread_local ObsoleteFiles::PurgeAtEnd* purge_at_end = nullptr;

}  // namespace

ObsoleteFiles::PurgeAtEnd::PurgeAtEnd(ObsoleteFiles* files)
    : files_(files), outer_(purge_at_end) {
  INVARIANT(files_ != nullptr);
  purge_at_end = this;
}

ObsoleteFiles::PurgeAtEnd::~PurgeAtEnd() {
  INVARIANT(purge_at_end == this);
  // Those who are told of a deletion may let go of more.
  while (std::exchange(has_work_, false)) files_->Purge();
  purge_at_end = outer_;
}

ObsoleteFiles::PurgeAtEnd* ObsoleteFiles::PurgeAtEnd::Of(
    const ObsoleteFiles* files) {
  PurgeAtEnd* one = purge_at_end;
  while (one != nullptr && one->files_ != files) one = one->outer_;
  return one;
}

void ObsoleteFiles::NoteLetGo() {
  PurgeAtEnd* const purge = PurgeAtEnd::Of(this);
  if (purge != nullptr) {
    purge->NoteWork();
  } else {
    callbacks_.on_unattended();
  }
}

ObsoleteFiles::ObsoleteFiles(const ImmutableDBOptions* db,
                             std::shared_ptr<IoGovernor> governor,
                             Callbacks callbacks)
    : db_(db),
      governor_(std::move(governor)),
      callbacks_(std::move(callbacks)),
      pending_outputs_(std::make_unique<PendingOutputs>()) {
  INVARIANT(db_ != nullptr);
  INVARIANT(callbacks_.on_deleted != nullptr);
  INVARIANT(callbacks_.forget != nullptr);
  INVARIANT(callbacks_.on_unattended != nullptr);
}

ObsoleteFiles::~ObsoleteFiles() = default;

void ObsoleteFiles::Arm() {
  INVARIANT(deleter_ == nullptr);
  // By now the options have their log.
  deleter_ = std::make_unique<FileDeleter>(DeleterOptions(*db_));
  MutexLock lock(&mutex_);
  armed_ = true;
}

void ObsoleteFiles::Disarm() {
  std::vector<UnreferencedTable> unread;  // Closed without the lock.
  MutexLock lock(&mutex_);
  armed_ = false;
  unread.swap(unread_);
}

void ObsoleteFiles::OnReferenced(uint64_t number) {
  MutexLock lock(&mutex_);
  referenced_.insert(number);
}

void ObsoleteFiles::Release(uint64_t number) {
  const auto found = referenced_.find(number);
  INVARIANT(found != referenced_.end());
  referenced_.erase(found);
}

void ObsoleteFiles::OnUnreferenced(UnreferencedTable table) {
  INVARIANT(!table.path.empty());
  {
    MutexLock lock(&mutex_);
    Release(table.number);
    if (!armed_) return;
    waiting_.push_back(
        {table.path, kTableFile, table.number, table.size_bytes});
    unread_.push_back(std::move(table));
  }
  NoteLetGo();
}

void ObsoleteFiles::SetLogKeeper(std::function<Status(uint64_t)> keep) {
  INVARIANT(keep != nullptr);
  MutexLock lock(&mutex_);
  keep_log_ = std::move(keep);
}

void ObsoleteFiles::OnBlobUnreferenced(const std::string& path, uint64_t number,
                                       uint64_t size_bytes) {
  INVARIANT(!path.empty());
  {
    MutexLock lock(&mutex_);
    Release(number);
    // A version that came to nothing is gone, and memtables still refer to what
    // it listed; or it is the other way round.
    if (!armed_ || referenced_.count(number) > 0) return;
    waiting_.push_back({path, kBlobFile, number, size_bytes});
  }
  NoteLetGo();
}

void ObsoleteFiles::Add(std::string path, FileType type, uint64_t number) {
  INVARIANT(!path.empty());
  {
    MutexLock lock(&mutex_);
    waiting_.push_back({std::move(path), type, number, 0});
    if (!armed_) return;
  }
  NoteLetGo();
}

bool ObsoleteFiles::BeginScan(uint64_t period_micros) {
  const uint64_t now = MonotonicMicros(db_->clock);
  MutexLock lock(&mutex_);
  if (disabled_ > 0 || is_scanning_) return false;
  if (now < last_scan_micros_ || now - last_scan_micros_ < period_micros) {
    return false;
  }
  is_scanning_ = true;
  last_scan_micros_ = now;
  return true;
}

void ObsoleteFiles::EndScan() {
  MutexLock lock(&mutex_);
  INVARIANT(is_scanning_);
  is_scanning_ = false;
}

void ObsoleteFiles::AddLeftOvers(std::vector<LeftOver> found) {
  if (found.empty()) return;
  AddUnknown(std::move(found));
  NoteLetGo();
}

void ObsoleteFiles::AddUnknown(std::vector<LeftOver> found) {
  MutexLock lock(&mutex_);
  std::set<Name> known(going_.begin(), going_.end());
  for (const Waiting& file : waiting_) known.emplace(file.type, file.number);
  for (LeftOver& file : found) {
    INVARIANT(!file.path.empty());
    const bool is_data = file.type == kTableFile || file.type == kBlobFile;
    if (is_data && referenced_.count(file.number) > 0) continue;
    if (known.count({file.type, file.number}) > 0) continue;
    waiting_.push_back({.path = std::move(file.path),
                        .type = file.type,
                        .number = file.number,
                        .is_left_over = true});
  }
}

bool ObsoleteFiles::HasWork() const {
  MutexLock lock(&mutex_);
  return !unread_.empty() || (!waiting_.empty() && disabled_ == 0);
}

uint64_t ObsoleteFiles::waiting_bytes() const {
  MutexLock lock(&mutex_);
  uint64_t bytes = 0;
  for (const Waiting& file : waiting_) bytes += file.size_bytes;
  return bytes;
}

uint64_t ObsoleteFiles::MinKeptTable() const {
  MutexLock lock(&mutex_);
  uint64_t smallest = UINT64_MAX;
  if (disabled_ == 0) return smallest;
  for (const Waiting& file : waiting_) {
    if (file.type == kTableFile) smallest = std::min(smallest, file.number);
  }
  return smallest;
}

void ObsoleteFiles::DisableDeletions() {
  MutexLock lock(&mutex_);
  INVARIANT(disabled_ >= 0);
  ++disabled_;
  // A file system of the application's may call this while it deletes: the
  // thread does not wait for itself.
  const std::thread::id own = std::this_thread::get_id();
  while (deleting_.size() > deleting_.count(own)) deleted_.Wait();
}

bool ObsoleteFiles::EnableDeletions() {
  MutexLock lock(&mutex_);
  INVARIANT(disabled_ >= 0);
  if (disabled_ > 0) --disabled_;
  return disabled_ == 0;
}

int ObsoleteFiles::disabled_count() const {
  MutexLock lock(&mutex_);
  return disabled_;
}

Status ObsoleteFiles::DeleteOne(const std::string& path, uint64_t size_bytes) {
  // Outputs of a recovery that fails: nobody reads yet.
  if (deleter_ == nullptr) {
    return db_->fs->DeleteFile(path, IOOptions(), nullptr);
  }
  DeadFile dead;
  dead.path = path;
  dead.size_bytes = size_bytes;
  dead.governor = governor_;
  return deleter_->Delete(dead);
}

// Tables and blob files are the manager's business, if there is one.
Status ObsoleteFiles::DeleteData(const std::string& path, uint64_t size_bytes) {
  SstFileManagerImpl* const manager = ImplOf(db_->sst_file_manager.get());
  if (manager != nullptr) {
    return manager->DeleteFile({path, size_bytes, governor_});
  }
  return DeleteOne(path, size_bytes);
}

Status ObsoleteFiles::Delete(const Waiting& file) {
  const bool is_data = file.type == kTableFile || file.type == kBlobFile;
  return is_data ? DeleteData(file.path, file.size_bytes)
                 : DeleteOne(file.path, file.size_bytes);
}

void ObsoleteFiles::AdoptTrash(const std::string& directory) {
  SstFileManagerImpl* const manager = ImplOf(db_->sst_file_manager.get());
  const Status s = manager != nullptr
                       ? manager->AdoptTrash(directory, governor_)
                       : deleter_->AdoptTrash(directory, governor_);
  if (s.ok() || s.IsNotFound() || s.IsPathNotFound()) return;
  ROCKSDB_NAMESPACE::Warn(db_->logger, "trash in %s stays: %s",
                          directory.c_str(), s.ToString().c_str());
}

bool ObsoleteFiles::WaitForTrash(uint64_t micros) {
  const uint64_t begin = MonotonicMicros(db_->clock);
  if (deleter_ != nullptr && !deleter_->WaitForGoverned(micros)) return false;
  const uint64_t waited = MonotonicMicros(db_->clock) - begin;
  SstFileManagerImpl* const manager = ImplOf(db_->sst_file_manager.get());
  return manager == nullptr ||
         manager->WaitForGoverned(micros - std::min(micros, waited));
}

void ObsoleteFiles::FinishTrash() {
  if (deleter_ != nullptr) deleter_->FinishNow();
}

void ObsoleteFiles::ForgetUnread() {
  std::vector<UnreferencedTable> unread;
  {
    MutexLock lock(&mutex_);
    unread.swap(unread_);
  }
  for (UnreferencedTable& table : unread) callbacks_.forget(std::move(table));
}

void ObsoleteFiles::Tell(const Waiting& file, const Status& status) const {
  const bool is_gone = status.IsNotFound() || status.IsPathNotFound();
  if (is_gone && file.is_left_over) return;
  ROCKSDB_NAMESPACE::Debug(db_->logger, "Delete %s type=%d #%llu -- %s",
                           file.path.c_str(), static_cast<int>(file.type),
                           static_cast<unsigned long long>(file.number),
                           status.ToString().c_str());
  if (!status.ok() && !is_gone) {
    ROCKSDB_NAMESPACE::Warn(db_->logger, "cannot delete %s: %s",
                            file.path.c_str(), status.ToString().c_str());
  }
  const char* const what = file.type == kTableFile  ? "table_file_deletion"
                           : file.type == kBlobFile ? "blob_file_deletion"
                                                    : nullptr;
  if (status.ok() && what != nullptr) {
    const std::string event = EventText(what)
                                  .Add("file_number", file.number)
                                  .Add("file_path", file.path)
                                  .Add("status", status.ToString())
                                  .Finish();
    ROCKSDB_NAMESPACE::Info(db_->logger, "%s", event.c_str());
  }
  callbacks_.on_deleted(file.path, file.type, file.number, status);
}

void ObsoleteFiles::Purge() {
  // First: a file that is open keeps its room on the device.
  ForgetUnread();
  std::vector<Waiting> files;
  std::function<Status(uint64_t)> keep_log;
  {
    MutexLock lock(&mutex_);
    if (disabled_ > 0) return;
    files.swap(waiting_);
    for (const Waiting& file : files) going_.emplace(file.type, file.number);
    keep_log = keep_log_;
  }
  for (Waiting& file : files) {
    INVARIANT(!file.path.empty());
    if (!BeginDeletion(&file)) continue;
    const bool is_kept = file.type == kWalFile && keep_log != nullptr;
    const Status status = is_kept ? keep_log(file.number) : Delete(file);
    EndDeletion(file);
    Tell(file, status);
  }
}

// False: deletions were disabled meanwhile, and the file waits again.
bool ObsoleteFiles::BeginDeletion(Waiting* file) {
  MutexLock lock(&mutex_);
  if (disabled_ == 0) {
    deleting_.insert(std::this_thread::get_id());
    return true;
  }
  going_.erase(going_.find({file->type, file->number}));
  waiting_.push_back(std::move(*file));
  return false;
}

void ObsoleteFiles::EndDeletion(const Waiting& file) {
  MutexLock lock(&mutex_);
  going_.erase(going_.find({file.type, file.number}));
  deleting_.erase(deleting_.find(std::this_thread::get_id()));
  deleted_.SignalAll();
}

}  // namespace ROCKSDB_NAMESPACE
