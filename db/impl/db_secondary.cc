// DBImpl: a secondary instance, which follows a database that another process
// writes, and itself writes nothing there.
#include <algorithm>
#include <utility>

#include "db/blob/blob_source.h"
#include "db/impl/db_impl.h"
#include "db/impl/wal_replay.h"
#include "db/version/manifest_replay.h"
#include "file/filename.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The primary removes what it no longer needs at any time: what a manifest
// names may be gone by the time that it is opened. A newer manifest is there
// then.
constexpr int kTriesToCatchUp = 5;

// A CURRENT that names a manifest which has just been replaced is Corruption.
bool MayHaveMoved(const Status& status) {
  return status.IsNotFound() || status.IsPathNotFound() ||
         status.IsCorruption() || status.IsTryAgain();
}

// How far the primary is: before it removes a file or a log, or writes over
// one, it says so in the manifest.
class PrimaryMark {
 public:
  Status Read(FileSystem* fs, const std::string& db_path) {
    uint64_t number = 0;
    Status s = ReadCurrentFile(fs, db_path, &manifest_, &number);
    if (!s.ok()) return s;
    return fs->GetFileSize(manifest_, IOOptions(), &size_bytes_, nullptr);
  }
  Status CheckUnchanged(FileSystem* fs, const std::string& db_path) const {
    PrimaryMark now;
    Status s = now.Read(fs, db_path);
    if (!s.ok()) return s;
    if (now.manifest_ == manifest_ && now.size_bytes_ == size_bytes_) return s;
    return Status::TryAgain("the primary has changed its files meanwhile");
  }

 private:
  std::string manifest_;
  uint64_t size_bytes_ = 0;
};

// The memtables in the making, by family.
class FreshMemTables final : public ColumnFamilyMemTables {
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

Status OpenFiles(const VersionSet::Followed& followed) {
  for (size_t level = 0; level < followed.levels.size(); ++level) {
    for (const FileRef& file : followed.levels[level]) {
      if (file->has_properties) continue;
      Status s = followed.cfd->tables()->LoadFigures(
          file.get(), static_cast<int>(level), *followed.options);
      if (!s.ok()) return s;
    }
  }
  for (const BlobFileState& blob : followed.blobs) {
    BlobSource::ReaderRef reader;
    Status s = followed.cfd->blobs()->Find(*blob.file, &reader);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace

Status DBImpl::TryCatchUpWithPrimary() {
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (mode_ != Mode::kSecondary) {
    return Status::NotSupported("TryCatchUpWithPrimary of no secondary");
  }
  MutexLock lock(&catch_up_mutex_);
  Status s;
  for (int i = 0; i < kTriesToCatchUp; ++i) {
    s = CatchUpOnce();
    if (!MayHaveMoved(s)) break;
  }
  FreeGarbage();
  return s;
}

// Reads all that the primary has written, and then shows it at once.
Status DBImpl::CatchUpOnce() {
  PrimaryMark mark;
  Status s = mark.Read(options_.fs, name_);
  if (!s.ok()) return s;
  ManifestReplay manifest;
  s = manifest.Run(options_.fs, name_);
  if (!s.ok()) return s;
  std::vector<VersionSet::Followed> families;
  FreshMemTables memtables;
  {
    MutexLock lock(&mutex_);
    s = versions_->TakeFollowed(&manifest, &families);
    for (const VersionSet::Followed& followed : families) {
      memtables.Add(followed, manifest.last_sequence());
    }
  }
  uint64_t min_log = UINT64_MAX;
  for (const VersionSet::Followed& followed : families) {
    if (s.ok()) s = OpenFiles(followed);
    min_log = std::min(min_log, followed.log_number);
  }
  if (!s.ok()) return s;
  if (options_.allow_2pc) min_log = 0;
  min_log = std::max(min_log, manifest.min_log_number_to_keep());
  std::vector<uint64_t> logs;
  s = ListLogs(options_.fs, wal_dir_, &logs);
  // Else a log that this manifest needs may have gone before it was listed.
  if (s.ok()) s = mark.CheckUnchanged(options_.fs, name_);
  if (!s.ok()) return s;
  std::erase_if(logs, [min_log](uint64_t number) { return number < min_log; });
  WalReplay::Context context;
  context.db = &options_;
  context.wal_dir = wal_dir_;
  context.families = &memtables;
  context.read_only = context.is_following = true;
  context.min_log_number = min_log;
  for (const VersionSet::Followed& followed : families) {
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
    s = mark.CheckUnchanged(options_.fs, name_);
  }
  if (!s.ok()) return s;
  MutexLock installing(&follow_mutex_);
  MutexLock lock(&mutex_);
  SequenceNumber last =
      std::max(versions_->LastSequence(), manifest.last_sequence());
  if (replay.outcome().next_sequence > 0) {
    last = std::max(last, replay.outcome().next_sequence - 1);
  }
  for (VersionSet::Followed& followed : families) {
    s = versions_->InstallFollowed(&followed);
    if (!s.ok()) return s;
    followed.cfd->SwitchMemTable(memtables.Take(followed.cfd->id()));
  }
  // Before the states: what a state lost to compaction is older than that.
  versions_->SetLastSequence(last);
  for (const VersionSet::Followed& followed : families) {
    PublishFamily(followed.cfd);
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
