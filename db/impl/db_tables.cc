// ManagedDB: whole tables that come from elsewhere, or are handed out.
#include "db/impl/managed_db.h"
#include "db/intake/changes.h"
#include "db/intake/family_import.h"
#include "db/intake/ingestion.h"
#include "db/jobs/table_export.h"
#include "db/registry/family_handle.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status ManagedDB::IngestExternalFile(ColumnFamilyHandle* family,
                                     const std::vector<std::string>& files,
                                     const IngestExternalFileOptions& options) {
  IngestExternalFileArg arg;
  arg.column_family = family;
  arg.external_files = files;
  arg.options = options;
  return IngestExternalFiles({arg});
}

Status ManagedDB::IngestExternalFiles(
    const std::vector<IngestExternalFileArg>& args) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  return on_demand_->ingestion()->Ingest(args);
}

Status ManagedDB::PrepareFileIngestion(
    const std::vector<IngestExternalFileArg>& args,
    std::unique_ptr<FileIngestionHandle>* handle) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  return on_demand_->ingestion()->PrepareHandle(args, handle);
}

Status ManagedDB::CommitFileIngestionHandles(
    std::vector<std::unique_ptr<FileIngestionHandle>> handles) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  return on_demand_->ingestion()->CommitHandles(handles);
}

Status ManagedDB::GetPreparedFileInfoForExternalSstIngestion(
    const std::string& file_path,
    std::shared_ptr<const PreparedFileInfo>* file_info) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (file_info == nullptr) {
    return Status::InvalidArgument("file_info is null");
  }
  return on_demand_->ingestion()->Learn(file_path, file_info);
}

Status ManagedDB::CreateColumnFamilyWithImport(
    const ColumnFamilyOptions& options, const std::string& name,
    const ImportColumnFamilyOptions& import_options,
    const std::vector<const ExportImportFilesMetaData*>& metadatas,
    ColumnFamilyHandle** handle) {
  if (handle == nullptr) return Status::InvalidArgument("handle is null");
  *handle = nullptr;
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (metadatas.empty()) {
    return Status::InvalidArgument("nothing to import is named");
  }
  if (options.comparator == nullptr) {
    return Status::InvalidArgument("comparator is null");
  }
  for (const ExportImportFilesMetaData* metadata : metadatas) {
    if (metadata == nullptr) return Status::InvalidArgument("metadata is null");
    if (metadata->db_comparator_name == options.comparator->Name()) continue;
    return Status::InvalidArgument(
        "Comparator name mismatch: the export's is " +
        metadata->db_comparator_name + ", the family's " +
        options.comparator->Name());
  }
  ColumnFamilyHandle* made = nullptr;
  Status s = CreateColumnFamily(options, name, &made);
  if (made == nullptr) return s;
  if (s.ok()) {
    s = on_demand_->family_import()->Import(
        static_cast<ColumnFamilyHandleImpl*>(made)->cfd_ref(), import_options,
        metadatas);
  }
  if (s.ok()) {
    *handle = made;
    return s;
  }
  IgnoreError(DropColumnFamily(made), "the first error is the one to report");
  IgnoreError(DestroyColumnFamilyHandle(made), "it is not the default one");
  return s;
}

Status ManagedDB::GetTablesWithoutBlobs(ColumnFamilyHandle* handle,
                                        const std::string& directory,
                                        std::vector<LiveFileMetaData>* files) {
  if (Status s = CheckHandle(handle); !s.ok()) return s;
  if (files == nullptr) return Status::InvalidArgument("files is null");
  if (Status s = CheckOpen(); !s.ok()) return s;
  return on_demand_->table_export()->Export(FamilyOf(handle), directory, files);
}

}  // namespace ROCKSDB_NAMESPACE
