#include "db/recovery/catch_up.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "db/blob/blob_source.h"
#include "db/files/live_file_list.h"
#include "db/files/obsolete_files.h"
#include "db/manifest/followed_versions.h"
#include "db/manifest/manifest_log.h"
#include "db/manifest/manifest_replay.h"
#include "db/manifest/version_set.h"
#include "db/recovery/followed_blobs.h"
#include "db/recovery/follower_part.h"
#include "db/recovery/primary_mark.h"
#include "db/recovery/replayed_values.h"
#include "db/recovery/wal_replay.h"
#include "db/registry/family_registry.h"
#include "db/registry/state_publisher.h"
#include "db/wal/write_batch_format.h"
#include "file/filename.h"
#include "memtable/memtable.h"
#include "rocksdb/write_batch.h"
#include "util/invariant.h"
#include "util/value/blob_index.h"
#include "util/value/blob_references.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The primary removes what it no longer needs at any time: what a manifest
// names may be gone by the time that it is opened. A newer manifest is there
// then.
constexpr uint64_t kRetriesBesideAWriter = 4;
// While it goes on changing its files: the writer is quick, or the reader slow.
// One that changes them each time is not waited for.
constexpr uint64_t kMostRetriesBesideAWriter = 30;

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

// 0: there is none, or it cannot be found out.
uint64_t NewestOptions(FileSystem* fs, const std::string& directory) {
  std::vector<std::string> names;
  const Status s = fs->GetChildren(directory, IOOptions(), &names, nullptr);
  uint64_t newest = 0;
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (s.ok() && ParseFileName(name, &number, &type) && type == kOptionsFile) {
      newest = std::max(newest, number);
    }
  }
  return newest;
}

}  // namespace

struct CatchUp::Round {
  // Those in the making, by family.
  class MemTables final : public ColumnFamilyMemTables {
   public:
    explicit MemTables(const ImmutableDBOptions* db) : db_(db) {}
    // `followed` is borrowed.
    void Add(const FollowedFamily& followed, SequenceNumber sequence) {
      Fresh& fresh = families_[followed.cfd->id()];
      fresh.followed = &followed;
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
    Status ReadOlder(uint32_t id, SequenceNumber sequence, const Slice& key,
                     std::string* value) override {
      Fresh& fresh = families_.at(id);
      if (fresh.files == nullptr) {
        Status s = MakeReplayedVersion(*fresh.followed, &fresh.files);
        if (!s.ok()) return s;
      }
      return ReadReplayed(*db_,
                          {.cfd = fresh.followed->cfd,
                           .mem = fresh.memtable,
                           .files = fresh.files},
                          sequence, key, value);
    }
    // The primary flushes; until then it is kept here as a whole.
    void OnFull(uint32_t, MemTable*) override {}

    MemTableRef Take(uint32_t id) {
      INVARIANT(families_.count(id) == 1);
      return std::move(families_[id].memtable);
    }

    // Readers will find the blobs that the record of that log refers to. Those
    // that did not survive may be found by a later manifest.
    Status FindBlobs(const WriteBatch& batch, uint64_t log_number,
                     FollowedBlobs::Trust trust, LostBlob* lost);
    // Blob files that no manifest names.
    const std::vector<FollowedBlobs::Followed>* BlobsOf(uint32_t id) const {
      const auto found = families_.find(id);
      return found != families_.end() && found->second.blobs != nullptr
                 ? &found->second.blobs->files()
                 : nullptr;
    }

   private:
    struct Fresh {
      const FollowedFamily* followed = nullptr;
      MemTableRef memtable;
      uint64_t log_number = 0;
      VersionRef files;                      // once a value was read in them
      std::shared_ptr<FollowedBlobs> blobs;  // the memtable's; null: none
    };
    Status FindBlob(const BlobIndex& blob, FollowedBlobs::Trust trust,
                    Fresh* fresh);
    const ImmutableDBOptions* const db_;
    std::map<uint32_t, Fresh> families_;
  };

  explicit Round(const ImmutableDBOptions* db) : memtables(db) {}

  FoundLogs found_logs = FoundLogs::kRead;
  PrimaryMark mark;  // from before the manifest was read
  ManifestReplay manifest;
  std::vector<FollowedFamily> families;
  MemTables memtables;  // a follower's have none
  std::map<uint64_t, uint64_t> read_logs;
  SequenceNumber last_sequence = 0;
};

Status CatchUp::Round::MemTables::FindBlob(const BlobIndex& blob,
                                           FollowedBlobs::Trust trust,
                                           Fresh* fresh) {
  if (FindBlobFile(fresh->followed->blobs, blob.file_number) != nullptr) {
    return Status::OK();
  }
  const BlobSource& source = *fresh->followed->cfd->blobs();
  if (fresh->blobs == nullptr) {
    fresh->blobs = std::make_shared<FollowedBlobs>(source, trust);
    fresh->memtable->Attach(fresh->blobs);
  }
  return fresh->blobs->Want(db_->fs, source, blob);
}

Status CatchUp::Round::MemTables::FindBlobs(const WriteBatch& batch,
                                            uint64_t log_number,
                                            FollowedBlobs::Trust trust,
                                            LostBlob* lost) {
  BatchReader reader(batch.Data());
  BatchEntry entry;
  Status s;
  while (s.ok() && !reader.AtEnd()) {
    s = reader.Next(&entry);
    if (!s.ok() || !RefersToBlobs(entry.type, entry.value)) continue;
    const auto found = families_.find(entry.column_family_id);
    if (found == families_.end() || found->second.log_number > log_number) {
      continue;
    }
    const Status decoded =
        ForEachReference(entry.type, entry.value, [&](const BlobIndex& blob) {
          if (s.ok()) s = FindBlob(blob, trust, &found->second);
        });
    if (s.ok()) s = decoded;
  }
  if (!s.IsNotFound() && !s.IsIncomplete()) return s;
  *lost = {.is_lost = true, .is_cut_off = true, .what = s.ToString()};
  return Status::OK();
}

Status CatchUp::Run(FoundLogs found_logs) {
  const uint64_t retries = context_.follower != nullptr
                               ? context_.db->follower_catchup_retry_count
                               : kMostRetriesBesideAWriter;
  const uint64_t retries_if_still =
      context_.goes_on ? kRetriesBesideAWriter : 1;
  MutexLock lock(&mutex_);
  Status s;
  for (uint64_t i = 0; i <= retries; ++i) {
    if (i > 0 && context_.follower != nullptr &&
        !context_.follower->WaitToRetry()) {
      break;
    }
    Round found(context_.db);
    found.found_logs = found_logs;
    s = RunOnce(&found);
    if (!MayHaveMoved(s)) break;
    // It is not for what somebody else has changed. A record that was half
    // written changes no manifest, and is whole the next time.
    const bool has_moved =
        found.mark.CheckUnchanged(context_.db->fs, context_.source)
            .IsTryAgain();
    const bool is_asked_for = context_.follower != nullptr;  // by the options
    if (!is_asked_for && !has_moved && i >= retries_if_still) break;
  }
  context_.states->Free();
  if (context_.follower != nullptr &&
      context_.obsolete->disabled_count() == 0) {
    context_.follower->RemoveUnneeded();
  }
  return s;
}

Status CatchUp::RunOnce(Round* found) {
  INVARIANT(found != nullptr);
  Status s = found->mark.Read(context_.db->fs, context_.source);
  if (!s.ok()) return s;
  if (context_.follower != nullptr && !context_.follower->HasNews(found->mark))
    return s;
  s = ReadManifest(found);
  for (const FollowedFamily& followed : found->families) {
    if (s.ok()) s = context_.versions->following().Open(followed);
  }
  if (s.ok() && context_.reads_logs) s = ReplayLogs(found);
  if (s.ok()) s = Show(found);
  if (s.ok() && context_.follower != nullptr)
    context_.follower->NoteFollowed(found->mark);
  return s;
}

Status CatchUp::ReadManifest(Round* found) {
  Status s = found->manifest.Run(context_.db->fs, context_.source);
  if (!s.ok()) return s;
  found->last_sequence = found->manifest.last_sequence();
  MutexLock lock(context_.mutex);
  s = context_.versions->following().Take(
      context_.versions->db_id(), &found->manifest,
      context_.goes_on ? FollowedVersions::Files::kAreAllOpened
                       : FollowedVersions::Files::kAreOpenedIfNew,
      &found->families);
  if (!s.ok() || !context_.reads_logs) return s;
  if (!context_.goes_on &&
      found->families.size() != context_.families->size()) {
    return Status::TryAgain("a column family was dropped meanwhile");
  }
  for (const FollowedFamily& followed : found->families) {
    found->memtables.Add(followed, found->last_sequence);
  }
  return s;
}

Status CatchUp::ReplayLogs(Round* found) {
  // Families that are not open here need theirs too: in a checkpoint.
  uint64_t min_log = UINT64_MAX;
  for (const auto& [id, family] : *found->manifest.families()) {
    min_log = std::min(min_log, family.log_number);
  }
  if (context_.db->allow_2pc) min_log = 0;
  min_log = std::max(min_log, found->manifest.min_log_number_to_keep());
  std::vector<uint64_t> logs;
  Status s = ListLogs(context_.db->fs, context_.wal_dir, &logs);
  // Else a log that this manifest needs may have gone before it was listed.
  if (s.ok()) s = found->mark.CheckUnchanged(context_.db->fs, context_.source);
  if (s.ok() && found->found_logs == FoundLogs::kRefused) {
    s = RefuseLogs(context_.db->fs, context_.wal_dir, logs);
  }
  if (s.ok() && !context_.goes_on) {
    s = CheckLogsPresent(
        *context_.db, context_.wal_dir,
        {.synced_sizes = found->manifest.tracked_wals().synced_sizes(),
         .min_to_keep = found->manifest.min_log_number_to_keep(),
         .last_sequence = found->last_sequence},
        logs);
  }
  if (!s.ok()) return s;
  std::erase_if(logs, [min_log](uint64_t number) { return number < min_log; });
  WalReplay::Context context;
  context.db = context_.db;
  context.wal_dir = context_.wal_dir;
  context.families = &found->memtables;
  context.is_following = context_.goes_on;
  context.min_log_number = min_log;
  for (const FollowedFamily& followed : found->families) {
    context.family_log_numbers[followed.cfd->id()] = followed.log_number;
    context.family_ids[followed.cfd->name()] = followed.cfd->id();
    if (const size_t size = followed.cfd->order().timestamp_size(); size != 0) {
      context.timestamp_sizes[followed.cfd->id()] = static_cast<uint16_t>(size);
    }
  }
  context.after_batch = [] { return Status::OK(); };
  context.check_blobs =
      [this, found](const WriteBatch& batch, uint64_t number, LostBlob* lost)
          REQUIRES(mutex_) { return FindBlobs(found, batch, number, lost); };
  WalReplay replay(std::move(context));
  s = replay.Run(logs);
  // A log that ends early may have been recycled under the reader.
  if (s.ok() && replay.outcome().stopped_at_log != 0) {
    s = found->mark.CheckUnchanged(context_.db->fs, context_.source);
  }
  for (const FollowedFamily& followed : found->families) {
    const bool has_tables = std::any_of(
        followed.levels.begin(), followed.levels.end(),
        [](const std::vector<FileRef>& level) { return !level.empty(); });
    if (!s.ok() || context_.goes_on || !has_tables) continue;
    s = CheckNotAhead(replay.outcome(), context_.wal_dir, followed.cfd->name(),
                      followed.log_number);
  }
  found->read_logs = replay.outcome().read_bytes;
  if (replay.outcome().next_sequence > 0) {
    found->last_sequence =
        std::max(found->last_sequence, replay.outcome().next_sequence - 1);
  }
  return s;
}

// What is not there because it has become a table meanwhile is in a later
// manifest.
Status CatchUp::FindBlobs(Round* found, const WriteBatch& batch,
                          uint64_t log_number, LostBlob* lost) {
  const auto trust = context_.goes_on ? FollowedBlobs::Trust::kWriterLives
                                      : FollowedBlobs::Trust::kNobodyWrites;
  Status s = found->memtables.FindBlobs(batch, log_number, trust, lost);
  if (!s.ok() || !lost->is_lost) return s;
  return found->mark.CheckUnchanged(context_.db->fs, context_.source);
}

Status CatchUp::Show(Round* found) {
  MutexLock showing(&showing_);
  MutexLock lock(context_.mutex);
  context_.versions->manifest()->SetInstalled({});
  read_blobs_.clear();
  for (FollowedFamily& followed : found->families) {
    Status s = context_.versions->following().Install(&followed);
    if (!s.ok()) return s;
    if (!context_.reads_logs) continue;
    const auto* const blobs = found->memtables.BlobsOf(followed.cfd->id());
    for (size_t i = 0; blobs != nullptr && i < blobs->size(); ++i) {
      const FollowedBlobs::Followed& one = (*blobs)[i];
      const uint64_t number = one.file->record.number;
      read_blobs_[number] = {followed.cfd->blobs()->FilePath(number),
                             one.size_bytes};
    }
    followed.cfd->SwitchMemTable(found->memtables.Take(followed.cfd->id()));
  }
  // Before the states: what a state lost to compaction is older than that.
  context_.versions->SetLastSequence(
      std::max(context_.versions->LastSequence(), found->last_sequence));
  context_.versions->manifest()->SetInstalled(
      {found->manifest.manifest_number(), found->manifest.manifest_bytes()});
  read_logs_ = std::move(found->read_logs);
  for (const FollowedFamily& followed : found->families) {
    // Nobody writes here whom they might hold back.
    context_.states->Publish(followed.cfd, WriteStallCondition::kNormal);
  }
  return Status::OK();
}

Status CatchUp::List(LiveFileList* list) {
  INVARIANT(list != nullptr);
  MutexLock catching_up(&mutex_);
  const ImmutableDBOptions& db = *context_.db;
  ManifestLog::Installed read;
  {
    MutexLock lock(context_.mutex);
    read = context_.versions->manifest()->installed();
  }
  if (read.number == 0) {
    return Status::NotSupported(
        context_.db_name, "no manifest tells of the state that is open here");
  }
  ManifestReplay manifest;
  Status s =
      manifest.RunFile(db.fs, DescriptorFileName(context_.source, read.number),
                       read.number, read.size_bytes);
  if (!s.ok()) return s;
  list->AddManifest(context_.source, read.number, read.size_bytes);
  list->AddOptionsFile(db.fs, context_.source,
                       NewestOptions(db.fs, context_.source));
  for (const auto& [number, size_bytes] : read_logs_) {
    list->AddLog(context_.wal_dir, number, size_bytes,
                 LiveFileList::Trim::kYes);
  }
  for (const auto& [number, blob] : read_blobs_) {
    list->AddGrowingBlob(blob.path, number, blob.size_bytes);
  }
  MutexLock lock(context_.mutex);
  for (const auto& [id, family] : *manifest.families()) {
    const FamilyRef open = context_.families->Find(id);
    if (open != nullptr) {
      list->AddFamily(open->cfd.get());
    } else {
      s = list->AddFamily(db.db_paths, family.builder.get());
    }
    if (!s.ok()) return s;
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
