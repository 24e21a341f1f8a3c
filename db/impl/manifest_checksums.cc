// Checksums of files by what the manifest says, of a database that need not be
// open; and by the present versions of one that is.
#include "db/impl/observed_db.h"
#include "db/manifest/manifest_replay.h"
#include "db/registry/family_registry.h"
#include "db/version/version_builder.h"
#include "monitoring/io_activity.h"
#include "monitoring/thread_tracking.h"
#include "rocksdb/experimental.h"
#include "rocksdb/file_checksum.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// More than any database has.
constexpr int kMostLevels = 4096;

Status AddTables(const std::vector<FileRef>& files, FileChecksumList* list) {
  for (const FileRef& file : files) {
    Status s = list->InsertOneFileChecksum(file->number, file->checksum,
                                           file->checksum_function.empty()
                                               ? kUnknownFileChecksumFuncName
                                               : file->checksum_function);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status AddBlobs(const BlobFileList& blobs, FileChecksumList* list) {
  for (const BlobFileState& blob : blobs) {
    const BlobFileAddition& record = blob.file->record;
    Status s = list->InsertOneFileChecksum(blob.number(), record.checksum_value,
                                           record.checksum_method.empty()
                                               ? kUnknownFileChecksumFuncName
                                               : record.checksum_method);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status AddFamily(const VersionBuilder& builder, FileChecksumList* list) {
  std::vector<std::vector<FileRef>> levels;
  Status s = builder.Finish(kMostLevels, &levels);
  if (!s.ok()) return s;
  for (const std::vector<FileRef>& level : levels) {
    s = AddTables(level, list);
    if (!s.ok()) return s;
  }
  return AddBlobs(builder.FinishBlobs(levels), list);
}

}  // namespace

Status ObservedDB::GetLiveFilesChecksumInfo(FileChecksumList* checksum_list) {
  INVARIANT(checksum_list != nullptr);
  checksum_list->reset();
  // All of one moment; the list may be the user's own, and knows no lock.
  std::vector<VersionRef> versions;
  {
    MutexLock lock(&base_.mutex);
    for (const auto& entry : *families_->registry()) {
      versions.push_back(entry.second->cfd->current());
    }
  }
  for (const VersionRef& version : versions) {
    const VersionStorage& storage = version->storage();
    Status s;
    for (int level = 0; level < storage.level_count(); ++level) {
      s = AddTables(storage.files(level), checksum_list);
      if (!s.ok()) return s;
    }
    s = AddBlobs(storage.blobs(), checksum_list);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

namespace experimental {

Status GetFileChecksumsFromCurrentManifest(FileSystem* fs,
                                           const std::string& dbname,
                                           FileChecksumList* checksum_list) {
  if (fs == nullptr) return Status::InvalidArgument("fs is null");
  if (checksum_list == nullptr) {
    return Status::InvalidArgument("checksum_list is null");
  }
  const IoActivityScope activity(
      Env::IOActivity::kGetFileChecksumsFromCurrentManifest);
  const TrackedOperation tracked(
      {.is_enabled = true,
       .type = ThreadStatus::OP_GET_FILE_CHECKSUMS_FROM_CURRENT_MANIFEST,
       .db_name = dbname});
  checksum_list->reset();
  ManifestReplay manifest;
  Status s = manifest.Run(fs, dbname);
  for (const auto& [id, family] : *manifest.families()) {
    if (s.ok()) s = AddFamily(*family.builder, checksum_list);
  }
  if (!s.ok()) checksum_list->reset();
  return s;
}

}  // namespace experimental

}  // namespace ROCKSDB_NAMESPACE
