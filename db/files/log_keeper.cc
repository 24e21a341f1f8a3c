#include "db/files/log_keeper.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "db/family/column_family.h"
#include "db/files/live_file_list.h"
#include "db/files/obsolete_files.h"
#include "db/manifest/needed_logs.h"
#include "db/manifest/version_set.h"
#include "db/registry/current_options.h"
#include "db/version/version_edit.h"
#include "db/wal/wal_archive.h"
#include "db/wal/wal_files.h"
#include "db/wal/wal_manager.h"
#include "file/filename.h"
#include "file/writable_file_writer.h"
#include "rocksdb/rate_limiter.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

LogKeeper::LogKeeper(Context context) : context_(std::move(context)) {
  INVARIANT(context_.versions != nullptr);
  INVARIANT(context_.obsolete != nullptr);
  INVARIANT(!context_.wal_dir.empty());
}

LogKeeper::~LogKeeper() = default;

Status LogKeeper::Open() {
  INVARIANT(wal_ == nullptr);
  Status s = context_.db->fs->NewDirectory(context_.wal_dir, IOOptions(),
                                           &directory_, nullptr);
  if (!s.ok()) return s;
  WalManager::Context wal;
  wal.db = context_.db;
  wal.wal_dir = context_.wal_dir;
  wal.file_options = context_.file_options;
  wal.directory = directory_.get();
  wal.page_cache = context_.page_cache;
  wal_ = std::make_unique<WalManager>(std::move(wal));
  return s;
}

void LogKeeper::StartArchive() {
  INVARIANT(archive_ == nullptr);
  archive_ = std::make_shared<WalArchive>(
      context_.db, context_.wal_dir,
      [files = context_.obsolete](const std::string& path,
                                  uint64_t size_bytes) {
        return files->DeleteOne(path, size_bytes);
      });
  if (!archive_->is_on()) return;
  context_.obsolete->SetLogKeeper(
      [archive = archive_](uint64_t number) { return archive->Take(number); });
  archive_->Start();
}

void LogKeeper::PruneArchive() { archive_->Prune(); }

void LogKeeper::StopArchive() {
  if (archive_ != nullptr) archive_->Stop();
}

Status LogKeeper::Close() {
  if (wal_ == nullptr) return Status::OK();
  Status s = wal_->Close();
  directory_.reset();
  return s;
}

uint64_t LogKeeper::NextNumber() const {
  const uint64_t precreated = wal_->precreated_number();
  return precreated != 0 ? precreated : context_.versions->NewFileNumber();
}

uint64_t LogKeeper::Preallocation(const ColumnFamilyData& cfd) {
  const uint64_t expected = std::min<uint64_t>(
      cfd.options()->write_buffer_size, WritableFileWriter::kMostReservedBytes);
  INVARIANT(expected > 0);
  return expected + expected / 10;
}

Status LogKeeper::Switch(uint64_t number, uint64_t preallocate_bytes) {
  context_.mutex->AssertHeld();
  const auto now = context_.options->held();
  MutexUnlock unlock(context_.mutex);
  Status s;
  {
    MutexLock turn(&turn_);
    s = wal_->Switch(number, preallocate_bytes, *now);
  }
  if (s.ok()) Precreate(*now);
  return s;
}

void LogKeeper::Precreate(const MutableDBOptions& now) {
  const ImmutableDBOptions& db = *context_.db;
  if (!db.async_wal_precreate || db.recycle_log_file_num > 0) return;
  wal_->Precreate(context_.versions->NewFileNumber(), now);
}

Status LogKeeper::SyncName() const {
  return directory_->Fsync(IOOptions(), nullptr);
}

Status LogKeeper::FlushOrSync(const FlushWALOptions& options) {
  MutexLock turn(&turn_);
  Charge(options.rate_limiter_priority, wal_->BufferedBytes());
  return options.sync ? wal_->Sync() : wal_->Flush();
}

// Not in turn(): the log may be appended to, and switched, meanwhile.
Status LogKeeper::SyncFlushed() { return wal_->SyncFlushed(); }

void LogKeeper::Charge(Env::IOPriority priority, size_t bytes) const {
  RateLimiter* const limiter = context_.db->rate_limiter.get();
  if (limiter == nullptr || priority == Env::IO_TOTAL) return;
  while (bytes > 0) {
    const size_t granted =
        limiter->RequestToken(bytes, /*alignment=*/0, priority,
                              context_.db->stats, RateLimiter::OpType::kWrite);
    INVARIANT(granted > 0 && granted <= bytes);
    bytes -= granted;
  }
}

Status LogKeeper::TrackSynced() {
  context_.mutex->AssertHeld();
  const std::vector<WalManager::Live> synced = wal_->TakeSynced();
  if (synced.empty()) return Status::OK();
  INVARIANT(context_.db->track_and_verify_wals_in_manifest);
  VersionEdit edit;
  for (const WalManager::Live& log : synced) {
    edit.wal_additions.push_back({log.number, log.size_bytes});
  }
  return context_.versions->LogAndApply({{nullptr, &edit}},
                                        context_.manifest_directory);
}

void LogKeeper::SetWriteBack(const MutableDBOptions& now) {
  MutexLock turn(&turn_);
  wal_->SetWriteBack(now);
}

Status LogKeeper::List(VectorWalPtr* files) const {
  INVARIANT(files != nullptr);
  std::vector<uint64_t> reusable = wal_->reusable();
  WalPlace place{.fs = context_.db->fs, .wal_dir = context_.wal_dir};
  for (const WalManager::Live& log : wal_->live()) {
    place.data_bytes[log.number] = log.size_bytes;
  }
  std::sort(reusable.begin(), reusable.end());
  return ListWalFiles(place, reusable, files);
}

Status LogKeeper::DescribeCurrent(std::unique_ptr<WalFile>* current) const {
  WalFileFacts facts{.number = wal_->current_number()};
  INVARIANT(facts.number > 0);
  Status s =
      context_.db->fs->GetFileSize(LogFileName(context_.wal_dir, facts.number),
                                   IOOptions(), &facts.size_bytes, nullptr);
  if (!s.ok()) return s;
  facts.size_bytes = std::min(facts.size_bytes, wal_->current_bytes());
  *current = MakeWalFile(facts);
  return s;
}

Status LogKeeper::ListLive(const Status& error, LiveFileList* list) const {
  INVARIANT(list != nullptr);
  context_.mutex->AssertHeld();
  // Memtables may need less than the manifest says, until the next flush. A log
  // that it does not know to be obsolete would be missed.
  const uint64_t needed = std::min(context_.versions->MinLogNumberNeeded(),
                                   context_.versions->logs()->min_to_keep());
  for (const WalManager::Live& log : wal_->live()) {
    if (log.number < needed) continue;
    if (log.is_abandoned && !error.ok()) return error;
    // Its space may be reserved beyond that, and it may grow.
    const bool is_growing =
        log.is_abandoned || log.number == wal_->current_number();
    // RocksDB 11 lists the current log though it is empty. A database that
    // writes no log has no use for one, and programs that upload its files,
    // which are made for RocksDB 8, take no empty ones.
    const bool is_empty =
        log.number == wal_->current_number() && log.size_bytes == 0;
    if (is_empty && !wal_->HasLoggedBefore() &&
        !context_.db->track_and_verify_wals) {
      continue;
    }
    list->AddLog(
        context_.wal_dir, log.number, log.size_bytes,
        is_growing ? LiveFileList::Trim::kYes : LiveFileList::Trim::kNo);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
