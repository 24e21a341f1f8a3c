#include "utilities/checkpoint/family_subset.h"

#include <utility>

#include "db/manifest/manifest_replay.h"
#include "db/tables/file_meta.h"
#include "db/version/version_edit.h"
#include "db/wal/log_writer.h"
#include "file/file_util.h"
#include "file/writable_file_writer.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint32_t kDefaultFamilyId = 0;

// The public calls tell of a handle whether it is the database's.
Status CheckSubsetHandle(DB* db, ColumnFamilyHandle* handle) {
  if (handle == nullptr) {
    return Status::InvalidArgument("Null column family handle");
  }
  TablePropertiesCollection none;
  Status s = db->GetPropertiesOfTablesInRange(handle, nullptr, 0, &none);
  if (!s.ok()) return s;
  ColumnFamilyDescriptor descriptor;
  s = handle->GetDescriptor(&descriptor);
  if (s.ok()) return s;
  return Status::InvalidArgument(
      "Column family handle refers to a dropped column family",
      handle->GetName());
}

}  // namespace

Status FamilySubset::Create(DB* db,
                            const std::vector<ColumnFamilyHandle*>& handles,
                            FamilySubset* result) {
  *result = FamilySubset();
  std::set<uint32_t> wanted;
  for (ColumnFamilyHandle* handle : handles) {
    if (Status s = CheckSubsetHandle(db, handle); !s.ok()) return s;
    wanted.insert(handle->GetID());
  }
  if (!wanted.empty()) wanted.insert(kDefaultFamilyId);
  result->wanted_ = std::move(wanted);
  return Status::OK();
}

Status FamilySubset::Take(const VersionEdit& edit) {
  const uint32_t family = edit.column_family;
  if (edit.column_family_added.has_value()) {
    live_[family] = *edit.column_family_added;
  }
  if (edit.column_family_dropped) live_.erase(family);
  for (const VersionEdit::NewFile& file : edit.new_files) {
    owners_[file.file->number] = family;
  }
  for (const BlobFileAddition& blob : edit.blob_additions) {
    owners_[blob.number] = family;
  }
  return Status::OK();
}

Status FamilySubset::ReadManifest(FileSystem* fs, const std::string& path,
                                  uint64_t size_bytes) {
  INVARIANT(!is_whole());
  live_ = {{kDefaultFamilyId, kDefaultColumnFamilyName}};
  uint64_t end = 0;
  Status s = ReadManifestEdits(
      fs, path, size_bytes, &end,
      [this](VersionEdit edit) { return Take(std::move(edit)); });
  if (s.ok()) s = ReadFileToString(fs, path, &manifest_);
  if (!s.ok()) return s;
  if (manifest_.size() < size_bytes) {
    return Status::Corruption("a manifest is shorter than it was", path);
  }
  manifest_.resize(size_bytes);
  for (const uint32_t family : wanted_) {
    if (live_.count(family) == 0) {
      return Status::InvalidArgument(
          "Requested column family id was not live at checkpoint time",
          std::to_string(family));
    }
  }
  for (const auto& [number, family] : owners_) {
    if (wanted_.count(family) == 0) unneeded_.insert(number);
  }
  return s;
}

std::set<std::string> FamilySubset::DroppedNames() const {
  std::set<std::string> names;
  if (is_whole()) return names;
  for (const auto& [family, name] : live_) {
    if (wanted_.count(family) == 0) names.insert(name);
  }
  return names;
}

Status FamilySubset::WriteManifest(FileSystem* fs,
                                   const std::string& path) const {
  INVARIANT(!is_whole());
  std::unique_ptr<WritableFileWriter> file;
  Status s = WritableFileWriter::Create(fs, path, FileOptions(), &file);
  if (s.ok()) s = file->Append(manifest_);
  if (!s.ok()) return s;
  log::Writer writer(std::move(file), {.file_offset = manifest_.size()});
  for (const auto& [family, name] : live_) {
    if (wanted_.count(family) > 0) continue;
    VersionEdit drop;
    drop.column_family = family;
    drop.column_family_dropped = true;
    std::string record;
    s = drop.EncodeTo(&record);
    if (s.ok()) s = writer.AddRecord(record);
    if (!s.ok()) return s;
  }
  s = writer.Sync(/*use_fsync=*/false);
  const Status closed = writer.Close();
  return s.ok() ? closed : s;
}

}  // namespace ROCKSDB_NAMESPACE
