#include "db/manifest/manifest_head.h"

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void AddTrackedWals(const TrackedWals& wals, std::vector<VersionEdit>* head) {
  if (!wals.synced_sizes().empty()) {
    VersionEdit& edit = head->emplace_back();
    for (const auto& [number, size] : wals.synced_sizes()) {
      WalAddition wal{number, {}};
      if (size != 0) wal.synced_size = size;
      edit.wal_additions.push_back(wal);
    }
  }
  if (wals.min_number() != 0) {
    head->emplace_back().wals_deleted_before = wals.min_number();
  }
}

void AddFiles(const VersionStorage& storage, VersionEdit* edit) {
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      edit->AddFile(level, file);
    }
  }
  for (const BlobFileState& blob : storage.blobs()) {
    edit->blob_additions.push_back(blob.file->record);
    if (blob.garbage_count == 0) continue;
    edit->blob_garbage.push_back(
        {blob.number(), blob.garbage_count, blob.garbage_bytes});
  }
}

// What the family has, without its name.
VersionEdit StateOfFamily(const ColumnFamilyData& cfd,
                          const ManifestState& state) {
  INVARIANT(cfd.current() != nullptr);
  VersionEdit edit;
  edit.column_family = cfd.id();
  edit.log_number = cfd.log_number();
  edit.last_sequence = state.last_sequence;
  if (cfd.id() == 0 && state.logs->min_to_keep() != 0) {
    edit.min_log_number_to_keep = state.logs->min_to_keep();
  }
  for (const auto& [level, key] : cfd.cursors()) {
    edit.compaction_cursors.emplace_back(level, key);
  }
  if (!cfd.full_history_ts_low().empty()) {
    edit.full_history_ts_low = cfd.full_history_ts_low();
  }
  AddFiles(cfd.current()->storage(), &edit);
  return edit;
}

}  // namespace

std::vector<VersionEdit> HeadOfManifest(const ManifestState& state) {
  std::vector<VersionEdit> head;
  if (!state.db_id.empty()) head.emplace_back().db_id = state.db_id;
  AddTrackedWals(state.logs->tracked(), &head);
  for (const ColumnFamilyRef& cfd : state.families->all()) {
    VersionEdit& family = head.emplace_back();
    family.column_family = cfd->id();
    family.comparator_name = cfd->user_comparator()->Name();
    family.persist_user_defined_timestamps =
        cfd->ioptions().persist_user_defined_timestamps;
    if (cfd->id() != 0) family.column_family_added = cfd->name();
    head.push_back(StateOfFamily(*cfd, state));
  }
  return head;
}

}  // namespace ROCKSDB_NAMESPACE
