// DBImpl: the files that make up the database, for those who copy them.
#include <algorithm>

#include "db/impl/db_impl.h"
#include "db/impl/wal_manager.h"
#include "db/write/exclusive.h"
#include "file/filename.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

std::vector<ColumnFamilyRef> DBImpl::HoldFamilies() {
  std::vector<ColumnFamilyRef> families;
  MutexLock lock(&mutex_);
  for (const auto& entry : families_) families.push_back(entry.second->cfd);
  return families;
}

// Whoever holds a FileRef keeps the file on disk.
std::vector<DBImpl::LiveTable> DBImpl::LiveTables() {
  std::vector<LiveTable> tables;
  MutexLock lock(&mutex_);
  for (const auto& entry : families_) {
    const ColumnFamilyRef& cfd = entry.second->cfd;
    const VersionStorage& storage = cfd->current()->storage();
    for (int level = 0; level < storage.level_count(); ++level) {
      for (const FileRef& file : storage.files(level)) {
        tables.push_back({cfd, cfd->options(), level, file});
      }
    }
  }
  return tables;
}

void DBImpl::GetAllColumnFamilyMetaData(
    std::vector<ColumnFamilyMetaData>* metadata) {
  INVARIANT(metadata != nullptr);
  metadata->clear();
  for (const ColumnFamilyRef& cfd : HoldFamilies()) {
    const std::unique_ptr<ColumnFamilyHandle> handle(NewHandle(cfd));
    ColumnFamilyMetaData family;
    GetColumnFamilyMetaData(handle.get(), &family);
    metadata->push_back(std::move(family));
  }
}

Status DBImpl::GetCreationTimeOfOldestFile(uint64_t* creation_time) {
  INVARIANT(creation_time != nullptr);
  if (options_.max_open_files != -1) {
    return Status::NotSupported(
        "GetCreationTimeOfOldestFile with max_open_files other than -1");
  }
  uint64_t oldest = UINT64_MAX;
  for (const LiveTable& table : LiveTables()) {
    uint64_t created = table.file->file_creation_time;
    if (created == kUnknownTime) {
      // Manifests of older releases do not say; the file may.
      std::shared_ptr<const TableReader> reader;
      Status s = table.cfd->tables()->Find(
          ReadOptions(), *table.file, table.level, *table.options, &reader);
      if (!s.ok()) return s;
      created = reader->properties()->file_creation_time;
    }
    oldest = std::min(oldest, created);
  }
  *creation_time = oldest;
  return Status::OK();
}

// Long logs cost more to copy than their data would in tables.
Status DBImpl::FlushForListing(const LiveFilesStorageInfoOptions& options) {
  if (mode_ != Mode::kReadWrite || options.wal_size_for_flush == UINT64_MAX) {
    return Status::OK();
  }
  if (options.wal_size_for_flush > 0 &&
      wal_->TotalBytes() < options.wal_size_for_flush) {
    return Status::OK();
  }
  FlushOptions flush;
  flush.force_atomic_flush = options.atomic_flush;
  return FlushAllFamilies(flush, FlushReason::kGetLiveFiles);
}

void DBImpl::AddLiveTables(bool with_checksums,
                           std::vector<LiveFileStorageInfo>* files) {
  INVARIANT(files != nullptr);
  for (const auto& entry : families_) {
    ColumnFamilyData* cfd = entry.second->cfd.get();
    const std::vector<std::string>& paths = cfd->tables()->paths();
    const VersionStorage& storage = cfd->current()->storage();
    for (int level = 0; level < storage.level_count(); ++level) {
      for (const FileRef& file : storage.files(level)) {
        LiveFileStorageInfo& info = files->emplace_back();
        info.relative_filename = MakeTableFileName(file->number);
        info.directory =
            paths[std::min<size_t>(file->path_id, paths.size() - 1)];
        info.file_number = file->number;
        info.file_type = kTableFile;
        info.size = file->size_bytes;
        info.temperature = file->temperature;
        if (!with_checksums) continue;
        info.file_checksum = file->checksum;
        info.file_checksum_func_name = file->checksum_function.empty()
                                           ? kUnknownFileChecksumFuncName
                                           : file->checksum_function;
      }
    }
  }
}

void DBImpl::AddLiveBlobs(bool with_checksums,
                          std::vector<LiveFileStorageInfo>* files) {
  INVARIANT(files != nullptr);
  for (const auto& entry : families_) {
    ColumnFamilyData* cfd = entry.second->cfd.get();
    for (const BlobFileState& blob : cfd->current()->storage().blobs()) {
      LiveFileStorageInfo& info = files->emplace_back();
      info.relative_filename = BlobFileName(blob.number());
      info.directory = cfd->tables()->paths().front();
      info.file_number = blob.number();
      info.file_type = kBlobFile;
      info.size = blob.file->size_bytes();
      if (!with_checksums) continue;
      const BlobFileAddition& record = blob.file->record;
      info.file_checksum = record.checksum_value;
      info.file_checksum_func_name = record.checksum_method.empty()
                                         ? kUnknownFileChecksumFuncName
                                         : record.checksum_method;
    }
  }
}

void DBImpl::AddLiveManifest(std::vector<LiveFileStorageInfo>* files) {
  INVARIANT(files != nullptr);
  const auto add = [&](const std::string& name, FileType type,
                       uint64_t number) -> LiveFileStorageInfo& {
    LiveFileStorageInfo& info = files->emplace_back();
    info.relative_filename = name.substr(1);
    info.directory = name_;
    info.file_number = number;
    info.file_type = type;
    return info;
  };
  // Not beyond what is installed: tables of what comes then are not listed.
  const auto [number, size_bytes] = versions_->installed_manifest();
  const std::string manifest = DescriptorFileName("", number);
  LiveFileStorageInfo& descriptor = add(manifest, kDescriptorFile, number);
  // It may grow while it is copied.
  descriptor.size = size_bytes;
  descriptor.trim_to_size = true;
  LiveFileStorageInfo& current = add(CurrentFileName(""), kCurrentFile, 0);
  // And another one may come into force.
  current.replacement_contents = manifest.substr(1) + "\n";
  current.size = current.replacement_contents.size();
  if (options_file_number_ == 0) return;
  const std::string options = OptionsFileName("", options_file_number_);
  LiveFileStorageInfo& info = add(options, kOptionsFile, options_file_number_);
  const IOStatus s = options_.fs->GetFileSize(name_ + options, IOOptions(),
                                              &info.size, nullptr);
  if (!s.ok()) files->pop_back();
}

Status DBImpl::AddLiveLogs(std::vector<LiveFileStorageInfo>* files) {
  INVARIANT(files != nullptr);
  if (wal_ == nullptr) return Status::OK();
  // Memtables may need less than the manifest says, until the next flush. A log
  // that it does not know to be obsolete would be missed.
  const uint64_t needed = std::min(versions_->MinLogNumberNeeded(),
                                   versions_->min_log_number_to_keep());
  for (const WalManager::Live& log : wal_->live()) {
    if (log.number < needed) continue;
    // It may lack what memtables have, until they are flushed.
    if (log.is_abandoned && !errors_.error().ok()) return errors_.error();
    LiveFileStorageInfo& info = files->emplace_back();
    info.relative_filename = LogFileName("", log.number).substr(1);
    info.directory = wal_dir_;
    info.file_number = log.number;
    info.file_type = kWalFile;
    info.size = log.size_bytes;
    // Its space may be reserved beyond that, and it may grow.
    info.trim_to_size =
        log.is_abandoned || log.number == wal_->current_number();
  }
  return Status::OK();
}

Status DBImpl::GetLiveFilesStorageInfo(
    const LiveFilesStorageInfoOptions& options,
    std::vector<LiveFileStorageInfo>* files) {
  INVARIANT(files != nullptr);
  if (Status s = CheckWritable(); !s.ok()) return s;
  Status s = FlushForListing(options);
  if (!s.ok()) return s;
  // Most of what is to be synced is synced while writes go on.
  if (s = SyncWAL(); !s.ok()) return s;
  files->clear();
  // No write: logs end at a record, and with the same one in all families.
  s = WithLogAtRest([&]() {
    const Status synced = FlushOrSyncLog({.sync = true});
    MutexLock lock(&mutex_);
    if (!synced.ok()) {
      OnBackgroundError(synced, BackgroundErrorReason::kWriteCallback);
      return synced;
    }
    AddLiveTables(options.include_checksum_info, files);
    AddLiveBlobs(options.include_checksum_info, files);
    AddLiveManifest(files);
    return AddLiveLogs(files);
  });
  if (!s.ok()) files->clear();
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
