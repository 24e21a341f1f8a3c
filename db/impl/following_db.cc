#include "db/impl/following_db.h"

#include <algorithm>
#include <limits>

#include "db/impl/open_request.h"
#include "db/manifest/linked_files.h"
#include "db/recovery/follower_part.h"
#include "db/recovery/home_directory.h"
#include "db/recovery/primary_mark.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What is not there, or in the wrong place, is not mended by waiting.
Status CheckLeader(FileSystem* fs, const OpenRequest& request) {
  std::vector<std::string> leaders{request.leader};
  const auto add = [&leaders](const std::vector<DbPath>& paths) {
    for (const DbPath& path : paths) leaders.push_back(path.path);
  };
  add(request.options.db_paths);
  for (const auto& family : request.families) add(family.options.cf_paths);
  if (const std::string& logs = request.options.wal_dir; !logs.empty()) {
    leaders.push_back(logs);
  }
  Status s = LinkedFiles::CheckPlace(fs, request.name, leaders);
  if (!s.ok()) return s;
  const std::string current = CurrentFileName(request.leader);
  s = fs->FileExists(current, IOOptions(), nullptr);
  if (!s.IsNotFound() && !s.IsPathNotFound()) return s;
  return NoSuchFile(current);
}

int WaitMicros(const DBOptions& options) {
  constexpr uint64_t kMost = std::numeric_limits<int>::max();
  return static_cast<int>(
      std::min(kMost, MillisToMicros(options.follower_catchup_retry_wait_ms)));
}

}  // namespace

Status DB::OpenAsFollower(const Options& options, const std::string& name,
                          const std::string& leader_path,
                          std::unique_ptr<DB>* dbptr) {
  const std::vector<ColumnFamilyDescriptor> families{
      {kDefaultColumnFamilyName, ColumnFamilyOptions(options)}};
  return OpenAsFollower(DBOptions(options), name, leader_path, families,
                        nullptr, dbptr);
}

Status DB::OpenAsFollower(
    const DBOptions& db_options, const std::string& name,
    const std::string& leader_path,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr) {
  INVARIANT(dbptr != nullptr);
  dbptr->reset();
  if (handles != nullptr) handles->clear();
  Env* const env = db_options.env != nullptr ? db_options.env : Env::Default();
  const OpenRequest request{.options = db_options,
                            .name = name,
                            .families = column_families,
                            .leader = leader_path};
  Status s = CheckLeader(env->GetFileSystem().get(), request);
  for (uint64_t i = 0; s.ok(); ++i) {
    s = OpenImpl<FollowerDB>(request, handles, dbptr);
    if (!MayHaveMoved(s) || i == db_options.follower_catchup_retry_count) break;
    env->GetSystemClock()->SleepForMicroseconds(WaitMicros(db_options));
    s = Status::OK();
  }
  return s;
}

FollowingDB::FollowingDB(const DBOptions& sanitized, const OpenRequest& request)
    : UnwritableDB(sanitized, request) {}

Status FollowingDB::TryCatchUpWithPrimary() {
  if (Status s = CheckOpen(); !s.ok()) return s;
  return catch_up_->Run(CatchUp::FoundLogs::kRead);
}

SecondaryDB::SecondaryDB(const DBOptions& sanitized, const OpenRequest& request)
    : FollowingDB(sanitized, request) {}

SecondaryDB::~SecondaryDB() { Leave(); }

FollowerDB::FollowerDB(const DBOptions& sanitized, const OpenRequest& request)
    : FollowingDB(sanitized, request) {}

FollowerDB::~FollowerDB() { Leave(); }

Status FollowerDB::PrepareDirectories() {
  INVARIANT(follower_ == nullptr);
  if (Status s = FollowingDB::PrepareDirectories(); !s.ok()) return s;
  FollowerPart::Context context;
  context.db = &base_.options;
  context.directory = base_.name;
  context.leader = base_.source;
  context.open_tables = files_->open_tables()->cache();
  context.round = [this] { return TryCatchUpWithPrimary(); };
  follower_ = std::make_unique<FollowerPart>(std::move(context));
  FileLock* lock = nullptr;
  Status s = follower_->Lock(&lock);
  files_->home()->Keep(lock);
  return s.ok() ? follower_->Prepare() : s;
}

Status FollowerDB::MakeParts() {
  return MakePartsFor({.goes_on = true,
                       .follower = follower_.get(),
                       .links = follower_->links()});
}

Status FollowerDB::BeginWork() {
  Status s = FollowingDB::BeginWork();
  return s.ok() ? follower_->Start() : s;
}

Status FollowerDB::GetLiveFiles(std::vector<std::string>& /*files*/,
                                uint64_t* /*manifest_file_size*/,
                                bool /*flush_memtable*/) {
  return Refuse();
}

Status FollowerDB::Shut() {
  if (closed_) return Status::OK();
  TellShutdown();
  if (follower_ != nullptr) follower_->Stop();
  StopReading();
  if (follower_ != nullptr) follower_->Close();
  return Release();
}

}  // namespace ROCKSDB_NAMESPACE
