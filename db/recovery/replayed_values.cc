#include "db/recovery/replayed_values.h"

#include <utility>
#include <vector>

#include "db/family/column_family.h"
#include "db/family/super_version.h"
#include "db/manifest/followed_versions.h"
#include "db/read/point_read.h"
#include "db/version/version_builder.h"
#include "db/version/version_edit.h"
#include "memtable/memtable.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Nobody else sees it: any number does.
constexpr uint64_t kUnpublished = UINT64_MAX;

Status BuildUnpublished(ColumnFamilyData* cfd,
                        std::vector<std::vector<FileRef>> levels,
                        BlobFileList blobs, VersionRef* result) {
  const ImmutableCFOptions& options = cfd->ioptions();
  auto version = std::make_shared<Version>(cfd, kUnpublished, &cfd->order(),
                                           options.num_levels);
  Status s = version->mutable_storage()->Build(
      std::move(levels), options.force_consistency_checks, std::move(blobs));
  if (s.ok()) *result = std::move(version);
  return s;
}

}  // namespace

Status MakeReplayedVersion(ColumnFamilyData* cfd, const VersionEdit& edit,
                           VersionRef* result) {
  INVARIANT(cfd != nullptr && result != nullptr);
  VersionBuilder builder(&cfd->current()->storage());
  if (Status s = builder.Apply(edit); !s.ok()) return s;
  std::vector<std::vector<FileRef>> levels;
  Status s = builder.Finish(cfd->ioptions().num_levels, &levels);
  if (!s.ok()) return s;
  BlobFileList blobs = builder.FinishBlobs(levels);
  return BuildUnpublished(cfd, std::move(levels), std::move(blobs), result);
}

Status MakeReplayedVersion(const FollowedFamily& followed, VersionRef* result) {
  INVARIANT(followed.cfd != nullptr && result != nullptr);
  return BuildUnpublished(followed.cfd, followed.levels, followed.blobs,
                          result);
}

Status ReadReplayed(const ImmutableDBOptions& db, const ReplayedState& state,
                    SequenceNumber sequence, const Slice& key,
                    std::string* value) {
  INVARIANT(state.cfd != nullptr && state.files != nullptr);
  INVARIANT(value != nullptr);
  SuperVersion all;
  all.cfd = state.cfd;
  all.mem = state.mem;
  all.imm = std::make_shared<const MemTableVector>();
  all.history = all.imm;
  all.current = state.files;
  all.options = state.cfd->options();
  const ReadOptions options;
  PointRead read;
  read.options = &options;
  read.super_version = &all;
  read.snapshot = sequence;
  read.logger = db.logger;
  read.clock = db.clock;
  PinnableSlice found;
  const Status s = GetOne(read, key, {.value = &found});
  if (s.ok()) value->assign(found.data(), found.size());
  return s;
}

ReplayTargets::ReplayTargets(const ImmutableDBOptions* db,
                             ColumnFamilySet* families,
                             ColumnFamilyMemTables* targets, const Edits* edits)
    : db_(db), families_(families), targets_(targets), edits_(edits) {
  INVARIANT(db_ != nullptr && families_ != nullptr);
  INVARIANT(targets_ != nullptr && edits_ != nullptr);
}

ReplayTargets::~ReplayTargets() = default;

Status ReplayTargets::FilesOf(ColumnFamilyData* cfd, VersionRef* result) {
  const auto written = edits_->find(cfd->id());
  const size_t count =
      written != edits_->end() ? written->second.new_files.size() : 0;
  if (count == 0) {
    *result = cfd->current();
    return Status::OK();
  }
  Files& files = files_[cfd->id()];
  if (files.version == nullptr || files.written_count != count) {
    Status s = MakeReplayedVersion(cfd, written->second, &files.version);
    if (!s.ok()) return s;
    files.written_count = count;
  }
  *result = files.version;
  return Status::OK();
}

Status ReplayTargets::ReadOlder(uint32_t id, SequenceNumber sequence,
                                const Slice& key, std::string* value) {
  ColumnFamilyData* const cfd = families_->Find(id);
  INVARIANT(cfd != nullptr);
  ReplayedState state{.cfd = cfd, .mem = cfd->mem(), .files = nullptr};
  if (Status s = FilesOf(cfd, &state.files); !s.ok()) return s;
  return ReadReplayed(*db_, state, sequence, key, value);
}

}  // namespace ROCKSDB_NAMESPACE
