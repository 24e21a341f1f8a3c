// DBImpl: what users ask of the write-ahead logs.
#include <algorithm>

#include "db/impl/database_stats.h"
#include "db/impl/db_impl.h"
#include "db/impl/obsolete_files.h"
#include "db/impl/wal_archive.h"
#include "db/impl/wal_files.h"
#include "db/impl/wal_manager.h"
#include "db/impl/wal_tail.h"
#include "db/write/exclusive.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::FlushWAL(bool sync) {
  if (Status s = CheckWritable(); !s.ok()) return s;
  const Exclusive exclusive(&write_thread_);
  Status s = sync ? wal_->Sync() : wal_->Flush();
  if (sync) database_stats_->AddWalSync();
  if (!s.ok()) {
    MutexLock lock(&mutex_);
    OnBackgroundError(s, BackgroundErrorReason::kWriteCallback);
  }
  return s;
}

Status DBImpl::SyncWAL() { return FlushWAL(/*sync=*/true); }

Status DBImpl::ListWals(VectorWalPtr* files) const {
  INVARIANT(files != nullptr);
  std::vector<uint64_t> reusable;
  if (wal_ != nullptr) reusable = wal_->reusable();
  std::sort(reusable.begin(), reusable.end());
  return ListWalFiles({.fs = options_.fs, .wal_dir = wal_dir_}, reusable,
                      files);
}

Status DBImpl::GetSortedWalFiles(VectorWalPtr& files) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  // None moves or goes while they are listed.
  obsolete_->DisableDeletions();
  Status s = ListWals(&files);
  if (obsolete_->EnableDeletions() && mode_ == Mode::kReadWrite) {
    obsolete_->Purge();
  }
  return s;
}

Status DBImpl::GetUpdatesSince(
    SequenceNumber sequence, std::unique_ptr<TransactionLogIterator>* iter,
    const TransactionLogIterator::ReadOptions& read_options) {
  INVARIANT(iter != nullptr);
  iter->reset();
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (sequence > GetLatestSequenceNumber()) {
    return Status::NotFound("Requested sequence not yet written in the db");
  }
  WalTail::Context context;
  context.place = {.fs = options_.fs, .wal_dir = wal_dir_};
  context.last_sequence = [this] { return GetLatestSequenceNumber(); };
  context.list = [this](VectorWalPtr* files) { return ListWals(files); };
  context.verify_checksums = read_options.verify_checksums_;
  auto tail = std::make_unique<WalTail>(std::move(context), sequence);
  Status s = tail->Start();
  if (s.ok()) *iter = std::move(tail);
  return s;
}

// Archived or deleted, as the options say.
void DBImpl::SetUpWalArchive() {
  INVARIANT(mode_ == Mode::kReadWrite);
  INVARIANT(archive_ == nullptr);
  archive_ = std::make_shared<WalArchive>(&options_, wal_dir_);
  if (!archive_->is_on()) return;
  obsolete_->SetLogKeeper(
      [archive = archive_](uint64_t number) { return archive->Take(number); });
  archive_->Start();
}

// The manifest is told of logs that were synced, before a table is ahead of
// them.
Status DBImpl::TrackSyncedLogs() {
  const std::vector<WalManager::Live> synced = wal_->TakeSynced();
  if (synced.empty()) return Status::OK();
  INVARIANT(options_.track_and_verify_wals_in_manifest);
  VersionEdit edit;
  for (const WalManager::Live& log : synced) {
    edit.wal_additions.push_back({log.number, log.size_bytes});
  }
  return versions_->LogAndApply({{nullptr, &edit}}, db_directory_.get());
}

}  // namespace ROCKSDB_NAMESPACE
