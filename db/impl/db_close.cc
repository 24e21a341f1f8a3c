// DBImpl: closing.
#include "db/background/background_scheduler.h"
#include "db/family/family_registry.h"
#include "db/family/sequence_ages.h"
#include "db/family/state_publisher.h"
#include "db/files/log_keeper.h"
#include "db/files/obsolete_files.h"
#include "db/files/open_tables.h"
#include "db/impl/db_impl.h"
#include "db/intake/flush_requests.h"
#include "db/intake/intake.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/flush_desk.h"
#include "db/jobs/resume_control.h"
#include "db/lookup/read_port.h"
#include "db/observe/observatory.h"
#include "db/recovery/follower_part.h"
#include "db/recovery/home_directory.h"
#include "db/version/version_set.h"
#include "db/write/family_publisher.h"
#include "rocksdb/convenience.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::CheckOpen() const {
  if (closed_) return Status::ShutdownInProgress("the database is closed");
  return Status::OK();
}

Status DBImpl::CheckWritable() const {
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (mode_ == Mode::kReadOnly) {
    return Status::NotSupported("Not supported operation in read only mode.");
  }
  if (mode_ == Mode::kSecondary) {
    return Status::NotSupported("Not supported operation in secondary mode.");
  }
  if (mode_ == Mode::kFollower) {
    return Status::NotSupported("Not supported operation in follower mode.");
  }
  return Status::OK();
}

DBImpl::~DBImpl() {
  IgnoreError(Shut(), "the destructor has no one to tell; Close() does");
  observatory_.reset();
  // Until here, calls that come too late are answered by CheckOpen().
  default_handle_.reset();
}

void DBImpl::FlushAndCancelBackgroundWork(bool wait) {
  if (opened_ && mode_ == Mode::kReadWrite) {
    const Status s = FlushUnlogged();
    if (!s.ok()) {
      ROCKSDB_NAMESPACE::Error(
          base_.options.logger,
          "Background work is canceled, and what no log holds is lost: %s",
          s.ToString().c_str());
    }
  }
  CancelBackgroundWork(wait);
}

Status DBImpl::Close() {
  if (closed_) return Status::OK();
  if (opened_) {
    MutexLock lock(&base_.mutex);
    if (wal_lock_->IsTaken()) {
      return Status::Aborted("Cannot close DB with locked WAL.");
    }
    if (!reads_->snapshots().empty()) {
      return Status::Aborted("Cannot close DB with unreleased snapshot.");
    }
  }
  return Shut();
}

Status DBImpl::Shut() {
  if (closed_) return Status::OK();
  Status s;
  wal_lock_->Break();
  if (opened_) {
    NotifyListeners([this](EventListener* l) { l->OnDBShutdownBegin(this); });
  }
  if (opened_ && mode_ == Mode::kReadWrite) s = FlushUnlogged();
  if (follower_ != nullptr) follower_->Stop();
  if (observatory_ != nullptr) observatory_->Stop();
  if (compactions_ != nullptr) compactions_->StopAgeChecks();
  if (ages_ != nullptr) ages_->Stop();
  CancelBackgroundWork(/*wait=*/false);
  resume_->Stop();
  if (compactions_ != nullptr) compactions_->LeaveLimiters();
  if (logs_ != nullptr) logs_->StopArchive();
  CancelBackgroundWork(/*wait=*/true);
  if (compactions_ != nullptr) compactions_->StopRetries();
  {
    MutexLock lock(&base_.mutex);
    INVARIANT(background_->IsIdle());
    INVARIANT(background_->running_compactions() == 0);
  }
  if (opened_ && mode_ == Mode::kReadWrite) {
    MutexLock lock(&base_.mutex);
    if (base_.current->verify_manifest_content_on_close) {
      const Status manifest = versions_->VerifyManifest(home_->directory());
      if (s.ok()) s = manifest;
    }
  }
  closed_ = true;
  if (observatory_ != nullptr) observatory_->Close();
  if (reads_ != nullptr) reads_->Close();
  if (opened_) {
    publisher_->FreeAndTell();
    obsolete_->Purge();
  }
  obsolete_->FinishTrash();
  obsolete_->Disarm();
  if (follower_ != nullptr) follower_->Close();
  Status closing = ReleaseState();
  return s.ok() ? closing : s;
}

// What no log holds would be lost.
Status DBImpl::FlushUnlogged() {
  INVARIANT(opened_);
  INVARIANT(mode_ == Mode::kReadWrite);
  if (base_.stop.IsShuttingDown() || !flushes_->HasUnlogged())
    return Status::OK();
  bool is_blocked = false;
  {
    MutexLock lock(&base_.mutex);
    if (base_.current->avoid_flush_during_shutdown) return Status::OK();
    is_blocked = base_.errors.BlocksWrites();
  }
  // A flush has failed: there is one more try, and if that fails too, whoever
  // closes is told.
  if (is_blocked) return Resume();
  return intake_->flush_requests()->FlushOnlyUnlogged(FlushReason::kShutDown);
}

Status DBImpl::ReleaseState() {
  INVARIANT(closed_);
  INVARIANT(base_.stop.IsShuttingDown());
  Status s;
  if (logs_ != nullptr) s = logs_->Close();
  if (versions_ != nullptr) {
    const Status manifest = versions_->Close();
    if (s.ok()) s = manifest;
  }
  FamilyRegistry::Map families;
  {
    MutexLock lock(&base_.mutex);
    for (const auto& entry : *families_) {
      states_->Withdraw(entry.second->cfd.get());
    }
    families = families_->TakeAll();
  }
  publisher_->FreeAndTell();
  families.clear();
  versions_.reset();
  const Status left = home_->Close();
  if (s.ok()) s = left;
  return s;
}

void CancelAllBackgroundWork(DB* db, bool wait) {
  INVARIANT(db != nullptr);
  static_cast<DBImpl*>(db->GetRootDB())->FlushAndCancelBackgroundWork(wait);
}

}  // namespace ROCKSDB_NAMESPACE
