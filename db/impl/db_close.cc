// EngineDB: closing: the steps that kinds of databases share.
#include "db/background/background_scheduler.h"
#include "db/files/obsolete_files.h"
#include "db/impl/engine_db.h"
#include "db/intake/family_attacher.h"
#include "db/jobs/background_control.h"
#include "db/jobs/clean_up.h"
#include "db/lookup/read_port.h"
#include "db/manifest/manifest_log.h"
#include "db/manifest/version_set.h"
#include "db/observe/observatory.h"
#include "db/recovery/home_directory.h"
#include "db/write/family_publisher.h"
#include "db/write/write_memory.h"
#include "file/io_governor.h"
#include "file/io_pace.h"
#include "rocksdb/convenience.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

EngineDB::EngineDB(const DBOptions& sanitized, const std::string& name,
                   const std::string& manifest_directory)
    : ObservedDB(sanitized, name, manifest_directory) {}

EngineDB::~EngineDB() = default;

void EngineDB::Leave() {
  IgnoreError(Shut(), "the destructor has no one to tell; Close() does");
  observatory_.reset();
  // Until here, calls that come too late are answered by CheckOpen().
  default_handle_.reset();
}

Status EngineDB::Close() {
  if (closed_) return Status::OK();
  if (opened_) {
    if (Status s = CheckClosable(); !s.ok()) return s;
    MutexLock lock(&base_.mutex);
    if (!reads_->snapshots().empty()) {
      return Status::Aborted("Cannot close DB with unreleased snapshot.");
    }
  }
  return Shut();
}

void EngineDB::TellShutdown() {
  if (!opened_) return;
  NotifyListeners([this](EventListener* l) { l->OnDBShutdownBegin(this); });
}

void EngineDB::StopWork() {
  base_.stop.ShutDown();
  families_->memory()->EndWait();
  base_.io_governor->deep_pace()->SetRate(0);  // Wakes who keeps to it.
  background_->opener()->Cancel();
  MutexLock lock(&base_.mutex);
  background_->scheduler()->CancelBottom();
  base_.changes.Note();
}

void EngineDB::AwaitWork() {
  BackgroundScheduler* const scheduler = background_->scheduler();
  MutexLock lock(&base_.mutex);
  // Without files there is nothing to be cleaned up.
  const auto cleans_up = [this] {
    return clean_up_ != nullptr && clean_up_->IsScheduled();
  };
  while (!scheduler->IsIdle() || cleans_up() ||
         background_->opener()->IsPending()) {
    base_.changes.Await();
  }
}

void EngineDB::CloseReads() {
  {
    MutexLock lock(&base_.mutex);
    INVARIANT(background_->scheduler()->IsIdle());
    INVARIANT(background_->scheduler()->running_compactions() == 0);
  }
  closed_ = true;
  if (observatory_ != nullptr) observatory_->Close();
  if (reads_ != nullptr) reads_->Close();
  if (opened_) {
    families_->publisher()->FreeAndTell();
    files_->obsolete()->Purge();
  }
  files_->obsolete()->FinishTrash();
  files_->obsolete()->Disarm();
}

Status EngineDB::Release() {
  INVARIANT(closed_);
  INVARIANT(base_.stop.IsShuttingDown());
  Status s;
  if (versions_ != nullptr) s = versions_->manifest()->Close();
  families_->Release();
  versions_.reset();
  const Status left = files_->home()->Close();
  return s.ok() ? left : s;
}

void EngineDB::FlushAndCancelBackgroundWork(bool wait) {
  StopWork();
  if (wait) AwaitWork();
}

void CancelAllBackgroundWork(DB* db, bool wait) {
  INVARIANT(db != nullptr);
  static_cast<EngineDB*>(db->GetRootDB())->FlushAndCancelBackgroundWork(wait);
}

}  // namespace ROCKSDB_NAMESPACE
