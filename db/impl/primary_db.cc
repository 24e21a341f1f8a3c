#include "db/impl/primary_db.h"

#include "db/background/background_scheduler.h"
#include "db/family/column_family.h"
#include "db/files/file_room.h"
#include "db/files/log_keeper.h"
#include "db/files/obsolete_files.h"
#include "db/files/space_reserve.h"
#include "db/impl/job_parts.h"
#include "db/impl/open_request.h"
#include "db/impl/written_files.h"
#include "db/intake/changes.h"
#include "db/intake/direct_blobs.h"
#include "db/intake/family_attacher.h"
#include "db/intake/family_changes.h"
#include "db/intake/family_memtables.h"
#include "db/intake/flush_requests.h"
#include "db/intake/memtable_switch.h"
#include "db/intake/resumption.h"
#include "db/intake/section_keeper.h"
#include "db/intake/transaction_desk.h"
#include "db/intake/write_pipeline.h"
#include "db/jobs/background_control.h"
#include "db/jobs/clean_up.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/flush_desk.h"
#include "db/jobs/remote_runs.h"
#include "db/jobs/resume_control.h"
#include "db/lookup/read_port.h"
#include "db/manifest/manifest_log.h"
#include "db/manifest/version_set.h"
#include "db/observe/observatory.h"
#include "db/observe/persistent_stats.h"
#include "db/recovery/clean_end.h"
#include "db/recovery/home_directory.h"
#include "db/recovery/log_recovery.h"
#include "db/registry/family_registry.h"
#include "db/registry/sequence_ages.h"
#include "db/wal/prepared_sections.h"
#include "db/wal/wal_manager.h"
#include "db/write/stall_control.h"
#include "file/auto_roll_logger.h"
#include "memtable/memtable.h"
#include "options/sanitize.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

PrimaryDB::PrimaryDB(const DBOptions& sanitized, const OpenRequest& request)
    : ManagedDB(sanitized, request.name, request.leader) {
  base_.options.section_policy = request.section_policy;
  MakeGround({.controller = lines_.controller(),
              .attention = lines_.attention(),
              .work = this});
  jobs_ = std::make_unique<JobParts>(
      JobParts::Context{.handed_out = this,
                        .base = &base_,
                        .families = families_.get(),
                        .files = files_.get(),
                        .background = background_.get(),
                        .attention = lines_.attention(),
                        .writes = lines_.controller()});
  const BackgroundLimits limits = ComputeBackgroundLimits(*base_.current.Get());
  INVARIANT(limits.flushes > 0);
  INVARIANT(limits.compactions > 0);
  Env* const env = base_.options.env;
  env->IncBackgroundThreadsIfNeeded(limits.flushes, Env::HIGH);
  env->IncBackgroundThreadsIfNeeded(limits.compactions, Env::LOW);
}

PrimaryDB::~PrimaryDB() { Leave(); }

// ---- Opening ----

// Only who may write a database makes a LOG in it.
Status PrimaryDB::PrepareDirectories() {
  HomeDirectory* const home = files_->home();
  Status s = home->MakeDirectories();
  // A LOG that another process writes keeps its name.
  if (s.ok()) s = home->Lock();
  if (!s.ok()) return s;
  ImmutableDBOptions& options = base_.options;
  if (options.info_log == nullptr) {
    std::shared_ptr<Logger> logger;
    // A database whose log cannot be written still works.
    if (CreateLoggerFromOptions(base_.name, base_.AllOptions(), &logger).ok()) {
      options.info_log = logger;
    }
    options.logger = options.info_log.get();
  }
  OpenInfoLog();
  using ManifestAlone = HomeDirectory::ManifestAlone;
  return home->Open(RecoversWithBestEfforts() ? ManifestAlone::kEnough
                                              : ManifestAlone::kTooLittle);
}

Status PrimaryDB::MakeParts() {
  MakeVersions(/*links=*/nullptr);
  written_ = std::make_unique<WrittenFiles>(
      WrittenFiles::Context{.base = &base_,
                            .families = families_->registry(),
                            .files = files_.get(),
                            .versions = versions_.get()});
  if (Status s = written_->Open(); !s.ok()) return s;
  WalManager* const wal = written_->logs()->wal();
  MakeCleanUp(wal);
  MakeReads();
  sections_ = std::make_unique<SectionKeeper>(&base_.mutex, versions_.get(),
                                              base_.options.section_policy);
  JobParts::Stored stored{.versions = versions_.get(),
                          .written = written_.get(),
                          .clean_up = clean_up_.get()};
  {
    MutexLock lock(&base_.mutex);
    stored.snapshots = &reads_->snapshots();
  }
  jobs_->Open(stored);
  intake_ = std::make_unique<Intake>(Surroundings(), Neighbours(), Lines());
  MakeAttacher(written_->logs(), intake_.get());
  MakeControl(jobs_->queue());
  MakeChanges();
  MakeTransactions();
  MakeObservatory(lines_.controller(), wal);
  return Status::OK();
}

void PrimaryDB::MakeReads() {
  reads_ = std::make_unique<ReadPort>(
      ReadPort::Context{.owner = this,
                        .db = &base_.options,
                        .mutex = &base_.mutex,
                        .versions = versions_.get(),
                        .obsolete = files_->obsolete(),
                        .has_unlogged = jobs_->flushes()->has_unlogged(),
                        .writers = this,
                        .tracer = base_.tracer.get()});
}

Intake::Surroundings PrimaryDB::Surroundings() {
  return {.handed_out = this,
          .db = &base_.options,
          .mutex = &base_.mutex,
          .options = &base_.current,
          .families = families_->registry(),
          .publisher = families_->publisher(),
          .versions = versions_.get(),
          .reads = reads_.get(),
          .counts = base_.counts.get(),
          .tracer = base_.tracer.get(),
          .changes = &base_.changes,
          .stop = &base_.stop,
          .error = &base_.errors,
          .errors = jobs_->resume()};
}

Intake::Neighbours PrimaryDB::Neighbours() {
  return {.scheduler = background_->scheduler(),
          .flushes = jobs_->flushes(),
          .flush_runner = jobs_->flush_runner(),
          .clean_up = clean_up_.get(),
          .obsolete = files_->obsolete(),
          .logs = written_->logs(),
          .sections = sections_.get(),
          .jobs = jobs_->contexts()};
}

Intake::Lines PrimaryDB::Lines() {
  return {.writes = lines_.writes(),
          .log_only = lines_.log_only(),
          .wal_lock = lines_.wal_lock(),
          .controller = lines_.controller(),
          .stalls = families_->stalls(),
          .memory = families_->memory(),
          .attention = lines_.attention()};
}

void PrimaryDB::MakeChanges() {
  on_demand_ = std::make_unique<Changes>(
      Surroundings(), Neighbours(), Lines(), *intake_,
      Changes::Rooms{.db_name = base_.name,
                     .directory = files_->home()->directory(),
                     .placing = jobs_->placing(),
                     .jobs = jobs_->contexts(),
                     .compactions = jobs_->queue(),
                     .ages = jobs_->ages(),
                     .attacher = attacher_.get(),
                     .access = files_->access(),
                     .options_files = written_->options_files(),
                     .files = written_->room()});
  jobs_->resume()->SetWork(on_demand_->resumption());
}

void PrimaryDB::MakeTransactions() {
  transactions_ = std::make_unique<TransactionDesk>(TransactionDesk::Context{
      .owner = this,
      .db = &base_.options,
      .mutex = &base_.mutex,
      .families = families_->registry(),
      .versions = versions_.get(),
      .reads = reads_.get(),
      .sections = sections_.get(),
      .checks = intake_->checks(),
      .pipeline = intake_->pipeline(),
      .batches = intake_->batches(),
      .check_writable = [this] { return CheckOpen(); },
      .make_handle =
          [this](ColumnFamilyRef cfd) { return NewHandle(std::move(cfd)); }});
}

Status PrimaryDB::ReadLogs() {
  MutexLock lock(&base_.mutex);
  Status s = files_->home()->EnsureIdentity(versions_.get());
  if (s.ok()) s = RecoverLogs();
  if (s.ok()) s = CreateMissingFamilies();
  if (s.ok()) s = on_demand_->families()->WriteOptionsFile();
  if (s.ok()) s = files_->home()->DropUnwantedIdentity();
  return s;
}

Status PrimaryDB::RecoverLogs() {
  LogRecovery recovery(
      LogRecovery::Context{.db = &base_.options,
                           .db_name = base_.name,
                           .wal_dir = base_.wal_dir,
                           .mutex = &base_.mutex,
                           .options = &base_.current,
                           .families = families_->registry(),
                           .versions = versions_.get(),
                           .directory = files_->home()->directory(),
                           .publisher = families_->publisher(),
                           .jobs = jobs_->contexts(),
                           .memory = families_->memory(),
                           .logs = written_->logs(),
                           .targets = intake_->targets()});
  if (RecoversWithBestEfforts()) return recovery.LeaveLogs();
  const Status s = recovery.Replay();
  if (s.ok()) sections_->Recover(recovery.prepared());
  return s;
}

Status PrimaryDB::CreateMissingFamilies() {
  const uint64_t log_number = written_->logs()->wal()->current_number();
  INVARIANT(log_number > 0);
  const std::vector<ColumnFamilyDescriptor> missing =
      versions_->missing_families();
  for (const ColumnFamilyDescriptor& descriptor : missing) {
    const ColumnFamilyOptions sanitized =
        SanitizeColumnFamilyOptions(base_.options, descriptor.options);
    ColumnFamilyData* cfd = nullptr;
    FamilyAttacher::Directories directories;
    Status s = attacher_->OpenDirectories(sanitized, &directories);
    if (s.ok()) {
      s = versions_->CreateFamily(descriptor.name, sanitized, log_number,
                                  files_->home()->directory(), &cfd);
    }
    if (!s.ok()) return s;
    attacher_->Attach(cfd->shared_from_this(), std::move(directories));
    cfd->mem()->set_log_number(log_number);
  }
  return Status::OK();
}

Status PrimaryDB::BeginWork() {
  {
    const ObsoleteFiles::PurgeAtEnd purge(files_->obsolete());
    LogKeeper* const logs = written_->logs();
    files_->obsolete()->Arm();
    logs->StartArchive();
    files_->space()->Track();
    written_->room()->ScanAtOpen();
    files_->obsolete()->Purge();
    logs->PruneArchive();
    jobs_->ages()->Learn();
    jobs_->ages()->Restart();
    logs->Precreate(*base_.current.Get());
    MutexLock lock(&base_.mutex);
    background_->scheduler()->Open();
    jobs_->queue()->AddAll();
    background_->scheduler()->MaybeSchedule();
    // The first write finds out what the limits are.
    lines_.attention()->Ask();
  }
  if (base_.options.persist_stats_to_disk) {
    if (Status s = SetUpPersistentStats(); !s.ok()) return s;
  }
  observatory_->Start(*base_.current.Get());
  jobs_->queue()->StartAgeChecks();
  return Status::OK();
}

Status PrimaryDB::SetUpPersistentStats() {
  ColumnFamilyRef cfd = FindStatsFamily();
  if (cfd == nullptr) {
    Status s = AddFamily(PersistentStats::FamilyOptions(),
                         PersistentStats::kFamily, &cfd);
    if (s.ok()) s = on_demand_->families()->Note();
    if (!s.ok()) return s;
  }
  return KeepStatsIn(std::move(cfd), Observatory::Snapshots::kWritten);
}

JobErrors* PrimaryDB::errors() { return jobs_->resume(); }

// ---- Closing ----

Status PrimaryDB::CheckClosable() {
  MutexLock lock(&base_.mutex);
  if (!lines_.wal_lock()->IsTaken()) return Status::OK();
  return Status::Aborted("Cannot close DB with locked WAL.");
}

Status PrimaryDB::Shut() {
  if (closed_) return Status::OK();
  lines_.wal_lock()->Break();
  TellShutdown();
  Status s;
  if (opened_) s = FlushUnlogged();
  if (observatory_ != nullptr) observatory_->Stop();
  jobs_->StopTimers();
  StopWork();
  jobs_->LeaveOthers();
  if (written_ != nullptr) written_->logs()->StopArchive();
  StopWork();  // what began meanwhile
  AwaitWork();
  jobs_->StopRetries();
  if (opened_) {
    LogCleanEnd();
    const Status manifest = VerifyManifest();
    if (s.ok()) s = manifest;
  }
  CloseReads();
  if (written_ != nullptr) {
    const Status logs = written_->logs()->Close();
    if (s.ok()) s = logs;
  }
  const Status left = Release();
  return s.ok() ? left : s;
}

// Without it the next open takes longer.
void PrimaryDB::LogCleanEnd() {
  if (RecoversWithBestEfforts()) return;
  {
    MutexLock lock(&base_.mutex);
    if (!base_.current->optimize_manifest_for_recovery ||
        !base_.errors.error().ok()) {
      return;
    }
  }
  const Status s = CleanEnd({.db = &base_.options,
                             .mutex = &base_.mutex,
                             .families = families_->registry(),
                             .versions = versions_.get(),
                             .logs = written_->logs(),
                             .directory = files_->home()->directory()})
                       .Log();
  if (s.ok()) return;
  Warn(base_.options.logger, "the next open will replay logs: %s",
       s.ToString().c_str());
}

Status PrimaryDB::VerifyManifest() {
  MutexLock lock(&base_.mutex);
  if (!base_.current->verify_manifest_content_on_close) return Status::OK();
  return versions_->manifest()->Verify(files_->home()->directory());
}

void PrimaryDB::StopWork() {
  base_.stop.ShutDown();
  {
    // Nobody sets the pace of compactions any more.
    MutexLock lock(&base_.mutex);
    families_->stalls()->Close();
  }
  // One that never came to run anything takes nothing from others.
  if (opened_) jobs_->remote()->Cancel();
  ManagedDB::StopWork();
}

// What no log holds would be lost.
Status PrimaryDB::FlushUnlogged() {
  INVARIANT(opened_);
  if (base_.stop.IsShuttingDown()) return Status::OK();
  {
    MutexLock lock(&base_.mutex);
    background_->scheduler()->FlushInPauses();
  }
  if (intake_->direct_blobs()->HasUnlisted()) {
    // Blob files without an end are left for the next open only by a crash.
    const Status s = intake_->flush_requests()->FlushAll(
        FlushOptions(), FlushReason::kShutDown);
    if (!s.ok()) {
      ROCKSDB_NAMESPACE::Warn(base_.options.logger,
                              "blob files are closed without their end: %s",
                              s.ToString().c_str());
    }
  }
  if (base_.stop.IsShuttingDown() || !jobs_->flushes()->HasUnlogged())
    return Status::OK();
  bool is_blocked = false;
  {
    MutexLock lock(&base_.mutex);
    if (base_.current->avoid_flush_during_shutdown) return Status::OK();
    is_blocked = base_.errors.BlocksWrites();
  }
  // A flush has failed: there is one more try, and if that fails too, whoever
  // closes is told.
  if (is_blocked) return Resume();
  return intake_->flush_requests()->FlushOnlyUnlogged(FlushReason::kShutDown);
}

void PrimaryDB::FlushAndCancelBackgroundWork(bool wait) {
  if (opened_) {
    const Status s = FlushUnlogged();
    if (!s.ok()) {
      ROCKSDB_NAMESPACE::Error(
          base_.options.logger,
          "Background work is canceled, and what no log holds is lost: %s",
          s.ToString().c_str());
    }
  }
  ManagedDB::FlushAndCancelBackgroundWork(wait);
}

Status PrimaryDB::Resume() {
  if (Status s = CheckOpen(); !s.ok()) return s;
  control_->RetryNow();
  return jobs_->resume()->Resume();
}

// ---- What parts below call ----

void PrimaryDB::FlushInBackground() { jobs_->RunFlushes(); }

void PrimaryDB::CompactInBackground() { jobs_->RunCompactions(); }

void PrimaryDB::CompactToBottomInBackground() { jobs_->RunBottomCompactions(); }

void PrimaryDB::FlushSoon(uint32_t family, MemTable* memtable) {
  intake_->memtables()->NoteFull(family, memtable);
}

void PrimaryDB::HideRange(ColumnFamilyData* cfd, const SuperVersion& state,
                          const RangeTombstone& dead) {
  intake_->pipeline()->HideRange(cfd, state, dead);
}

void PrimaryDB::OldestSnapshotGone() { jobs_->queue()->NoteOldestSnapshot(); }

}  // namespace ROCKSDB_NAMESPACE
