#include "db/manifest/next_versions.h"

#include <algorithm>

#include "db/version/version_edit.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

NextVersions::NextVersions(const std::vector<VersionChange>& changes,
                           PublishedVersions* published)
    : published_(published) {
  INVARIANT(published != nullptr);
  for (const VersionChange& change : changes) {
    if (change.cfd == nullptr) continue;
    for (const VersionEdit::NewFile& entry : change.edit->new_files) {
      if (entry.file->has_properties.load()) continue;
      added_.push_back(
          {change.cfd, change.cfd->options(), entry.level, entry.file});
    }
    if (!change.edit->ChangesFiles() || Has(change.cfd)) continue;
    Next& next = versions_.emplace_back();
    next.cfd = change.cfd;
    next.base = change.cfd->current();
    next.version = published->New(change.cfd);
    next.builder = std::make_unique<VersionBuilder>(&next.base->storage());
  }
}

bool NextVersions::Has(const ColumnFamilyData* cfd) const {
  return std::any_of(versions_.begin(), versions_.end(),
                     [cfd](const Next& next) { return next.cfd == cfd; });
}

Status NextVersions::Build(const std::vector<VersionChange>& changes) {
  for (Next& next : versions_) {
    if (Status s = BuildOne(changes, &next); !s.ok()) return s;
  }
  return Status::OK();
}

Status NextVersions::BuildOne(const std::vector<VersionChange>& changes,
                              Next* next) {
  const ImmutableCFOptions& options = next->cfd->ioptions();
  const bool leaves_out = options.left_out_timestamp_bytes() != 0;
  for (const VersionChange& change : changes) {
    if (change.cfd != next->cfd) continue;
    if (leaves_out) next->builder->LimitGarbage(change.edit);
    if (Status s = next->builder->Apply(*change.edit); !s.ok()) return s;
  }
  std::vector<std::vector<FileRef>> levels;
  Status s = next->builder->Finish(options.num_levels, &levels);
  if (!s.ok()) return s;
  BlobFileList blobs = next->builder->FinishBlobs(levels);
  return next->version->mutable_storage()->Build(
      std::move(levels), options.force_consistency_checks, std::move(blobs));
}

void NextVersions::LoadFigures() const {
  for (const AddedFile& a : added_) {
    IgnoreError(a.cfd->tables()->LoadFigures(a.file.get(), a.level, *a.options),
                "reads of the file report it");
  }
}

void NextVersions::Install() {
  for (Next& next : versions_) {
    INVARIANT(next.cfd->current() == next.base);
    published_->Install(next.cfd, std::move(next.version));
  }
}

void NextVersions::KeepInDoubt() {
  for (Next& next : versions_) {
    published_->KeepInDoubt(next.cfd, std::move(next.version));
  }
}

}  // namespace ROCKSDB_NAMESPACE
