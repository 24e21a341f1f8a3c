#include "db/manifest/followed_versions.h"

#include <unordered_map>
#include <utility>

#include "db/blob/blob_source.h"
#include "db/manifest/linked_files.h"
#include "db/manifest/manifest_replay.h"
#include "db/manifest/replayed_family.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status OtherFile(uint64_t number) {
  return Status::Corruption("the primary has another file " +
                            std::to_string(number) + " than the one open here");
}

// What is open stays open: a file that is there already is not opened again,
// and may be gone from the directory.
Status KeepOpenFiles(const VersionStorage& storage,
                     std::vector<std::vector<FileRef>>* levels) {
  std::unordered_map<uint64_t, FileRef> open;
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      open[file->number] = file;
    }
  }
  for (std::vector<FileRef>& level : *levels) {
    for (FileRef& file : level) {
      const auto found = open.find(file->number);
      if (found == open.end()) continue;
      if (found->second->size_bytes != file->size_bytes) {
        return OtherFile(file->number);
      }
      file = found->second;
    }
  }
  return Status::OK();
}

Status KeepOpenBlobFiles(const VersionStorage& storage, BlobFileList* blobs) {
  for (BlobFileState& blob : *blobs) {
    const BlobFileState* open = storage.FindBlob(blob.number());
    if (open == nullptr) continue;
    if (open->file->size_bytes() != blob.file->size_bytes()) {
      return OtherFile(blob.number());
    }
    blob.file = open->file;
  }
  return Status::OK();
}

std::unordered_set<uint64_t> NumbersOf(const VersionStorage& storage) {
  std::unordered_set<uint64_t> numbers;
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      numbers.insert(file->number);
    }
  }
  for (const BlobFileState& blob : storage.blobs()) {
    numbers.insert(blob.number());
  }
  return numbers;
}

}  // namespace

FollowedVersions::FollowedVersions(const Context& context) : context_(context) {
  INVARIANT(context_.mutex != nullptr);
}

Status FollowedVersions::Take(const std::string& db_id, ManifestReplay* replay,
                              Files files,
                              std::vector<FollowedFamily>* result) const {
  INVARIANT(replay != nullptr && result != nullptr);
  context_.mutex->AssertHeld();
  result->clear();
  // Its files may have the numbers of those that are open here.
  if (!db_id.empty() && !replay->db_id().empty() && replay->db_id() != db_id) {
    return Status::Corruption("the primary is another database than before",
                              db_id + " before, " + replay->db_id() + " now");
  }
  context_.numbers->MarkFileNumberUsed(replay->next_file_number());
  for (auto& [id, family] : *replay->families()) {
    FollowedFamily followed;
    followed.cfd = context_.families->Find(id);
    if (followed.cfd == nullptr) continue;  // Not opened here.
    Status s = TakeFamily(files, &family, &followed);
    if (!s.ok()) return s;
    result->push_back(std::move(followed));
  }
  return Status::OK();
}

Status FollowedVersions::TakeFamily(Files files, ReplayedFamily* family,
                                    FollowedFamily* followed) const {
  INVARIANT(family->builder != nullptr);
  ColumnFamilyData* const cfd = followed->cfd;
  followed->log_number = family->log_number;
  followed->options = cfd->options();
  Status s =
      family->builder->Finish(cfd->ioptions().num_levels, &followed->levels);
  if (s.ok()) s = FitTimestamps(*cfd, followed->levels, family);
  if (!s.ok()) return s;
  followed->full_history_ts_low = family->full_history_ts_low;
  cfd->set_next_epoch(AssignMissingEpochs(&followed->levels, 1));
  followed->blobs = family->builder->FinishBlobs(followed->levels);
  const VersionStorage& present = cfd->current()->storage();
  if (files == Files::kAreOpenedIfNew) followed->seen_to = NumbersOf(present);
  s = KeepOpenFiles(present, &followed->levels);
  if (s.ok()) s = KeepOpenBlobFiles(present, &followed->blobs);
  if (!s.ok()) return s;
  MarkNumbersUsed(followed->levels, followed->blobs, context_.numbers);
  return s;
}

Status FollowedVersions::Open(const FollowedFamily& followed) const {
  if (context_.links != nullptr) {
    Status s = context_.links->Keep(followed.cfd->ioptions().cf_paths,
                                    followed.levels, followed.blobs);
    if (!s.ok()) return s;
  }
  for (size_t level = 0; level < followed.levels.size(); ++level) {
    for (const FileRef& file : followed.levels[level]) {
      if (file->has_properties || followed.seen_to.count(file->number) > 0) {
        continue;
      }
      Status s = followed.cfd->tables()->LoadFigures(
          file.get(), static_cast<int>(level), *followed.options);
      if (!s.ok()) return s;
    }
  }
  for (const BlobFileState& blob : followed.blobs) {
    BlobSource* const blobs = followed.cfd->blobs();
    const bool is_seen_to = followed.seen_to.count(blob.number()) > 0;
    // Where readers stay open it is opened all the same, since the writer may
    // delete it.
    if (is_seen_to && !blobs->pins_readers()) continue;
    BlobSource::ReaderRef reader;
    Status s = blobs->Find(*blob.file, &reader);
    // The current version has this file already: reads will report what is
    // wrong with it.
    if (!s.ok() && is_seen_to) {
      s = context_.db->paranoid_checks ? blobs->CheckSize(*blob.file)
                                       : Status::OK();
    }
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status FollowedVersions::Install(FollowedFamily* followed) const {
  INVARIANT(followed != nullptr && followed->cfd != nullptr);
  context_.mutex->AssertHeld();
  ColumnFamilyData* cfd = followed->cfd;
  VersionRef version = context_.published->New(cfd);
  Status s = version->mutable_storage()->Build(
      std::move(followed->levels), cfd->ioptions().force_consistency_checks,
      std::move(followed->blobs));
  if (!s.ok()) return s;
  if (followed->log_number > cfd->log_number()) {
    cfd->set_log_number(followed->log_number);
  }
  cfd->set_full_history_ts_low(followed->full_history_ts_low);
  context_.published->Install(cfd, std::move(version));
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
