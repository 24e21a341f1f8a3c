// DBImpl: a follower, which follows a database that another process writes by
// itself, and keeps what it reads there by links in a directory of its own. How
// it catches up is a secondary's way (db_secondary.cc), but for the logs.
#include <algorithm>
#include <limits>

#include "db/files/open_tables.h"
#include "db/impl/db_impl.h"
#include "db/impl/open_request.h"
#include "db/recovery/catch_up.h"
#include "db/recovery/follower_part.h"
#include "db/recovery/home_directory.h"
#include "db/recovery/primary_mark.h"
#include "db/version/linked_files.h"
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
                            .mode = DBImpl::Mode::kFollower,
                            .leader = leader_path};
  Status s = CheckLeader(env->GetFileSystem().get(), request);
  for (uint64_t i = 0; s.ok(); ++i) {
    s = OpenImpl(request, handles, dbptr);
    if (!MayHaveMoved(s) || i == db_options.follower_catchup_retry_count) break;
    env->GetSystemClock()->SleepForMicroseconds(WaitMicros(db_options));
    s = Status::OK();
  }
  return s;
}

Status DBImpl::PrepareFollower() {
  INVARIANT(mode_ == Mode::kFollower);
  INVARIANT(follower_ == nullptr);
  FollowerPart::Context context;
  context.db = &base_.options;
  context.directory = base_.name;
  context.leader = base_.source;
  context.open_tables = open_tables_->cache();
  context.round = [this] { return TryCatchUpWithPrimary(); };
  follower_ = std::make_shared<FollowerPart>(std::move(context));
  FileLock* lock = nullptr;
  Status s = follower_->Lock(&lock);
  home_->Keep(lock);
  if (!s.ok()) return s;
  OpenInfoLog();
  return follower_->Prepare();
}

Status DBImpl::TryCatchUpWithPrimary() {
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (!Follows()) {
    return Status::NotSupported("Supported only by secondary instance",
                                "TryCatchUpWithPrimary");
  }
  return catch_up_->Run(CatchUp::FoundLogs::kRead);
}

// Of an instance that writes nothing.
void DBImpl::SetUpCatchUp() {
  INVARIANT(mode_ != Mode::kReadWrite);
  MutexLock lock(&base_.mutex);
  CatchUp::Context context;
  context.db = &base_.options;
  context.db_name = base_.name;
  context.source = base_.source;
  context.wal_dir = base_.wal_dir;
  context.mutex = &base_.mutex;
  context.versions = versions_.get();
  context.families = families_.get();
  context.states = states_.get();
  context.obsolete = obsolete_.get();
  context.reads_logs = ReadsLogs();
  context.goes_on = Follows();
  context.follower = follower_.get();
  catch_up_ = std::make_shared<CatchUp>(std::move(context));
}

bool DBImpl::Follows() const {
  return mode_ == Mode::kSecondary || mode_ == Mode::kFollower;
}

bool DBImpl::ReadsLogs() const {
  return mode_ != Mode::kCompactor && mode_ != Mode::kFollower;
}

}  // namespace ROCKSDB_NAMESPACE
