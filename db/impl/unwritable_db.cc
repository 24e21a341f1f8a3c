#include "db/impl/unwritable_db.h"

#include "db/impl/open_request.h"
#include "db/intake/family_attacher.h"
#include "db/jobs/background_control.h"
#include "db/jobs/clean_up.h"
#include "db/lookup/read_port.h"
#include "db/manifest/linked_files.h"
#include "db/manifest/version_set.h"
#include "db/observe/observatory.h"
#include "db/recovery/follower_part.h"
#include "file/filename.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

UnwritableDB::UnwritableDB(const DBOptions& sanitized,
                           const OpenRequest& request)
    : EngineDB(sanitized, request.name, request.leader) {
  MakeGround({});
}

UnwritableDB::~UnwritableDB() = default;

Status UnwritableDB::PrepareDirectories() {
  OpenInfoLog();
  const std::string current = CurrentFileName(base_.source);
  Status s = base_.options.fs->FileExists(current, IOOptions(), nullptr);
  if (s.IsNotFound() || s.IsPathNotFound()) return NoSuchFile(current);
  return s;
}

Status UnwritableDB::MakePartsFor(const Way& way) {
  MakeVersions(way.links);
  CatchUp::Context context;
  context.db = &base_.options;
  context.db_name = base_.name;
  context.source = base_.source;
  context.wal_dir = base_.wal_dir;
  context.mutex = &base_.mutex;
  context.versions = versions_.get();
  context.families = families_->registry();
  context.states = families_->states();
  context.obsolete = files_->obsolete();
  context.reads_logs = way.reads_logs;
  context.goes_on = way.goes_on;
  context.follower = way.follower;
  catch_up_ = std::make_unique<CatchUp>(std::move(context));
  MakeCleanUp(/*wal=*/nullptr);
  reads_ = std::make_unique<ReadPort>(ReadPort::Context{
      .owner = this,
      .db = &base_.options,
      .mutex = &base_.mutex,
      .versions = versions_.get(),
      .obsolete = files_->obsolete(),
      .follow_mutex = way.goes_on ? catch_up_->showing() : nullptr,
      .tracer = base_.tracer.get()});
  MakeAttacher(/*logs=*/nullptr, /*intake=*/nullptr);
  MakeControl(/*compactions=*/nullptr);
  MakeObservatory(/*writes=*/nullptr, /*wal=*/nullptr);
  return Status::OK();
}

Status UnwritableDB::BeginWork() {
  if (base_.options.persist_stats_to_disk) {
    ColumnFamilyRef cfd = FindStatsFamily();
    Status s;
    if (cfd != nullptr) {
      s = KeepStatsIn(std::move(cfd), Observatory::Snapshots::kOnlyRead);
    }
    if (!s.ok()) return s;
  }
  observatory_->Start(*base_.current.Get());
  return Status::OK();
}

// Only who writes has background errors.
Status UnwritableDB::Resume() {
  if (Status s = CheckOpen(); !s.ok()) return s;
  return base_.stop.IsShuttingDown() ? Status::ShutdownInProgress()
                                     : Status::OK();
}

Status UnwritableDB::BeginFlushAll(const WaitLimit& /*limit*/) {
  return Refuse();
}

void UnwritableDB::StopReading() {
  if (observatory_ != nullptr) observatory_->Stop();
  StopWork();
  AwaitWork();
  CloseReads();
}

Status UnwritableDB::Shut() {
  if (closed_) return Status::OK();
  TellShutdown();
  StopReading();
  return Release();
}

}  // namespace ROCKSDB_NAMESPACE
