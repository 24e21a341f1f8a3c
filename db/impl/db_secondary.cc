// DBImpl: a secondary instance, which follows a database that another process
// writes, and itself writes nothing there; the catching up of a follower; and
// of a database that is opened read-only, which somebody may be writing too.
#include <algorithm>
#include <utility>

#include "db/files/obsolete_files.h"
#include "db/impl/db_impl.h"
#include "db/recovery/follower_part.h"
#include "db/recovery/primary_mark.h"
#include "db/recovery/wal_replay.h"
#include "db/version/manifest_replay.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The primary removes what it no longer needs at any time: what a manifest
// names may be gone by the time that it is opened. A newer manifest is there
// then.
constexpr uint64_t kRetriesBesideAWriter = 4;

Status RefuseLogs(FileSystem* fs, const std::string& wal_dir,
                  const std::vector<uint64_t>& logs) {
  for (const uint64_t number : logs) {
    const std::string path = LogFileName(wal_dir, number);
    uint64_t size_bytes = 0;
    Status s = fs->GetFileSize(path, IOOptions(), &size_bytes, nullptr);
    if (!s.ok()) return s;
    if (size_bytes == 0) continue;
    return Status::Corruption("a log file is present and must not be", path);
  }
  return Status::OK();
}

}  // namespace

struct DBImpl::CatchUpRound {
  // Those in the making, by family.
  class MemTables final : public ColumnFamilyMemTables {
   public:
    void Add(const VersionSet::Followed& followed, SequenceNumber sequence) {
      Fresh& fresh = families_[followed.cfd->id()];
      fresh.memtable = followed.cfd->NewMemTable(sequence);
      fresh.log_number = followed.log_number;
    }
    bool Find(uint32_t id, Target* target) override {
      const auto found = families_.find(id);
      if (found == families_.end()) return false;
      target->memtable = found->second.memtable.get();
      target->log_number = found->second.log_number;
      return true;
    }
    // The primary flushes; until then it is kept here as a whole.
    void OnFull(uint32_t, MemTable*) override {}

    MemTableRef Take(uint32_t id) {
      INVARIANT(families_.count(id) == 1);
      return std::move(families_[id].memtable);
    }

   private:
    struct Fresh {
      MemTableRef memtable;
      uint64_t log_number = 0;
    };
    std::map<uint32_t, Fresh> families_;
  };

  FoundLogs found_logs = FoundLogs::kRead;
  PrimaryMark mark;  // from before the manifest was read
  ManifestReplay manifest;
  std::vector<VersionSet::Followed> families;
  MemTables memtables;  // a follower's have none
  std::map<uint64_t, uint64_t> read_logs;
  SequenceNumber last_sequence = 0;
};

Status DBImpl::TryCatchUpWithPrimary() {
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (!Follows()) {
    return Status::NotSupported("Supported only by secondary instance",
                                "TryCatchUpWithPrimary");
  }
  return CatchUp(FoundLogs::kRead);
}

// Reads all that the primary has written, and then shows it at once. To a
// database that is opened read-only this happens once, when it is opened.
Status DBImpl::CatchUp(FoundLogs found_logs) {
  const uint64_t retries = follower_ != nullptr
                               ? options_.follower_catchup_retry_count
                               : kRetriesBesideAWriter;
  MutexLock lock(&catch_up_mutex_);
  Status s;
  for (uint64_t i = 0; i <= retries; ++i) {
    if (i > 0 && follower_ != nullptr && !follower_->WaitToRetry()) break;
    CatchUpRound found;
    found.found_logs = found_logs;
    s = CatchUpOnce(&found);
    if (!MayHaveMoved(s)) break;
    // It is not for what somebody else has changed. A record that was half
    // written changes no manifest, and is whole the next time.
    const bool is_still = found.mark.CheckUnchanged(options_.fs, source_).ok();
    if (!Follows() && is_still && i > 0) break;
  }
  FreeGarbage();
  if (follower_ != nullptr && obsolete_->disabled_count() == 0) {
    follower_->RemoveUnneeded();
  }
  return s;
}

Status DBImpl::CatchUpOnce(CatchUpRound* found) {
  INVARIANT(found != nullptr);
  Status s = found->mark.Read(options_.fs, source_);
  if (!s.ok()) return s;
  if (follower_ != nullptr && !follower_->HasNews(found->mark)) return s;
  s = ReadFollowedManifest(found);
  for (const VersionSet::Followed& followed : found->families) {
    if (s.ok()) s = versions_->OpenFollowed(followed);
  }
  if (s.ok() && ReadsLogs()) s = ReplayFollowedLogs(found);
  if (s.ok()) s = InstallCatchUp(found);
  if (s.ok() && follower_ != nullptr) follower_->NoteFollowed(found->mark);
  return s;
}

Status DBImpl::ReadFollowedManifest(CatchUpRound* found) {
  Status s = found->manifest.Run(options_.fs, source_);
  if (!s.ok()) return s;
  found->last_sequence = found->manifest.last_sequence();
  MutexLock lock(&mutex_);
  s = versions_->TakeFollowed(&found->manifest,
                              Follows()
                                  ? VersionSet::FollowedFiles::kAreAllOpened
                                  : VersionSet::FollowedFiles::kAreOpenedIfNew,
                              &found->families);
  if (!s.ok() || !ReadsLogs()) return s;
  if (!Follows() && found->families.size() != families_.size()) {
    return Status::TryAgain("a column family was dropped meanwhile");
  }
  for (const VersionSet::Followed& followed : found->families) {
    found->memtables.Add(followed, found->last_sequence);
  }
  return s;
}

Status DBImpl::ReplayFollowedLogs(CatchUpRound* found) {
  // Families that are not open here need theirs too: in a checkpoint.
  uint64_t min_log = UINT64_MAX;
  for (const auto& [id, family] : *found->manifest.families()) {
    min_log = std::min(min_log, family.log_number);
  }
  if (options_.allow_2pc) min_log = 0;
  min_log = std::max(min_log, found->manifest.min_log_number_to_keep());
  std::vector<uint64_t> logs;
  Status s = ListLogs(options_.fs, wal_dir_, &logs);
  // Else a log that this manifest needs may have gone before it was listed.
  if (s.ok()) s = found->mark.CheckUnchanged(options_.fs, source_);
  if (s.ok() && found->found_logs == FoundLogs::kRefused) {
    s = RefuseLogs(options_.fs, wal_dir_, logs);
  }
  if (s.ok() && !Follows()) {
    s = CheckLogsPresent(
        options_, wal_dir_,
        {.synced_sizes = found->manifest.tracked_wals().synced_sizes(),
         .last_sequence = found->last_sequence},
        logs);
  }
  if (!s.ok()) return s;
  std::erase_if(logs, [min_log](uint64_t number) { return number < min_log; });
  WalReplay::Context context;
  context.db = &options_;
  context.wal_dir = wal_dir_;
  context.families = &found->memtables;
  context.is_following = Follows();
  context.min_log_number = min_log;
  for (const VersionSet::Followed& followed : found->families) {
    context.family_log_numbers[followed.cfd->id()] = followed.log_number;
    context.family_ids[followed.cfd->name()] = followed.cfd->id();
    if (const size_t size = followed.cfd->order().timestamp_size(); size != 0) {
      context.timestamp_sizes[followed.cfd->id()] = static_cast<uint16_t>(size);
    }
  }
  context.after_batch = [] { return Status::OK(); };
  WalReplay replay(std::move(context));
  s = replay.Run(logs);
  // A log that ends early may have been recycled under the reader.
  if (s.ok() && replay.outcome().stopped_at_log != 0) {
    s = found->mark.CheckUnchanged(options_.fs, source_);
  }
  for (const VersionSet::Followed& followed : found->families) {
    const bool has_tables = std::any_of(
        followed.levels.begin(), followed.levels.end(),
        [](const std::vector<FileRef>& level) { return !level.empty(); });
    if (!s.ok() || Follows() || !has_tables) continue;
    s = CheckNotAhead(replay.outcome(), wal_dir_, followed.cfd->name(),
                      followed.log_number);
  }
  found->read_logs = replay.outcome().read_bytes;
  if (replay.outcome().next_sequence > 0) {
    found->last_sequence =
        std::max(found->last_sequence, replay.outcome().next_sequence - 1);
  }
  return s;
}

Status DBImpl::InstallCatchUp(CatchUpRound* found) {
  MutexLock installing(&follow_mutex_);
  MutexLock lock(&mutex_);
  versions_->SetInstalledManifest({});
  for (VersionSet::Followed& followed : found->families) {
    Status s = versions_->InstallFollowed(&followed);
    if (!s.ok()) return s;
    if (!ReadsLogs()) continue;
    followed.cfd->SwitchMemTable(found->memtables.Take(followed.cfd->id()));
  }
  // Before the states: what a state lost to compaction is older than that.
  versions_->SetLastSequence(
      std::max(versions_->LastSequence(), found->last_sequence));
  versions_->SetInstalledManifest(
      {found->manifest.manifest_number(), found->manifest.manifest_bytes()});
  read_logs_ = std::move(found->read_logs);
  for (const VersionSet::Followed& followed : found->families) {
    PublishFamily(followed.cfd);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
