#include "db/manifest/version_set.h"

#include <algorithm>
#include <utility>

#include "db/manifest/followed_versions.h"
#include "db/manifest/manifest_log.h"
#include "db/manifest/manifest_replay.h"
#include "db/manifest/version_recovery.h"
#include "db/version/version_edit.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

VersionSet::VersionSet(Context context)
    : context_(std::move(context)),
      published_({.db = context_.db,
                  .sink = context_.sink,
                  .numbers = &numbers_,
                  .mutex = context_.mutex}),
      manifest_(std::make_unique<ManifestLog>(
          ManifestLog::Context{.db_path = context_.db_path,
                               .db = context_.db,
                               .limits = context_.limits,
                               .file_options = context_.file_options,
                               .mutex = context_.mutex,
                               .numbers = &numbers_,
                               .families = &families_,
                               .published = &published_})),
      following_(std::make_unique<const FollowedVersions>(
          FollowedVersions::Context{.db = context_.db,
                                    .families = &families_,
                                    .numbers = &numbers_,
                                    .published = &published_,
                                    .links = context_.links,
                                    .mutex = context_.mutex})) {}

VersionSet::~VersionSet() = default;

NeededLogs* VersionSet::logs() { return manifest_->logs(); }
const NeededLogs& VersionSet::logs() const { return manifest().logs(); }
const std::string& VersionSet::db_id() const { return manifest_->db_id(); }

uint64_t VersionSet::MinLogNumberNeeded() const {
  return logs().MinNeeded(families_);
}

Status VersionSet::CreateNew(const std::string& db_id,
                             FSDirectory* directory) const {
  return manifest_->CreateNew(db_id, directory);
}

Status VersionSet::LogAndApply(const std::vector<Change>& changes,
                               FSDirectory* directory) {
  return manifest_->Apply(changes, directory);
}

void VersionSet::AwaitTurn() { manifest_->AwaitTurn(); }

Status VersionSet::Settle(FSDirectory* directory) {
  return manifest_->Settle(directory);
}

Status VersionSet::Recover(
    const std::vector<ColumnFamilyDescriptor>& descriptors,
    const RecoverOptions& options) {
  context_.mutex->AssertHeld();
  const VersionRecovery recovery({.db_path = context_.db_path,
                                  .db = context_.db,
                                  .family = context_.families,
                                  .families = &families_,
                                  .numbers = &numbers_,
                                  .published = &published_,
                                  .links = context_.links});
  ManifestReplay replay;
  Status s = recovery.Replay(descriptors, options, &replay);
  if (!s.ok()) return s;
  manifest_->TakeOver(replay, options.best_efforts
                                  ? ManifestLog::Replayed::kGuessed
                                  : ManifestLog::Replayed::kAsWritten);
  s = recovery.TakeOver(descriptors, options, &replay, &missing_families_);
  if (!s.ok() || options.read_only || options.best_efforts) return s;
  const bool says_all = std::all_of(
      replay.families()->begin(), replay.families()->end(),
      [](const auto& family) { return family.second.is_as_written; });
  if (context_.db->reuse_manifest_on_open && says_all) {
    manifest_->GoOnWith(replay);
  }
  return s;
}

Status VersionSet::CreateFamily(const std::string& name,
                                const ColumnFamilyOptions& sanitized,
                                uint64_t log_number, FSDirectory* directory,
                                ColumnFamilyData** result) {
  INVARIANT(result != nullptr);
  manifest_->AwaitTurn();
  if (families_.Find(name) != nullptr) {
    return Status::InvalidArgument("Column family already exists");
  }
  if (families_.max_id() == UINT32_MAX) {
    return Status::InvalidArgument("no column family ids are left", name);
  }
  const uint32_t id = families_.max_id() + 1;
  VersionEdit edit;
  edit.comparator_name = sanitized.comparator->Name();
  edit.persist_user_defined_timestamps =
      sanitized.persist_user_defined_timestamps;
  edit.log_number = log_number;
  edit.column_family_added = name;
  ColumnFamilyRef cfd = NewFamily(id, name, sanitized);
  families_.NoteMaxId(id);
  if (Status s = LogAndApply({{cfd.get(), &edit}}, directory); !s.ok()) {
    return s;
  }
  cfd->set_log_number(log_number);
  families_.Add(cfd);
  *result = cfd.get();
  return Status::OK();
}

ColumnFamilyRef VersionSet::NewFamily(uint32_t id, const std::string& name,
                                      const ColumnFamilyOptions& sanitized) {
  auto cfd = std::make_shared<ColumnFamilyData>(id, name, sanitized,
                                                context_.families);
  VersionRef empty = published_.New(cfd.get());
  Status s = empty->mutable_storage()->Build(
      std::vector<std::vector<FileRef>>(cfd->ioptions().num_levels), true);
  INVARIANT(s.ok());
  INVARIANT(empty->storage().FileCount() == 0);
  published_.Install(cfd.get(), std::move(empty));
  return cfd;
}

Status VersionSet::DropFamily(ColumnFamilyData* cfd, FSDirectory* directory) {
  INVARIANT(cfd != nullptr && cfd->id() != 0);
  manifest_->AwaitTurn();
  if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
  VersionEdit edit;
  edit.column_family_dropped = true;
  if (Status s = LogAndApply({{cfd, &edit}}, directory); !s.ok()) return s;
  cfd->MarkDropped();
  families_.Remove(cfd->id());
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
