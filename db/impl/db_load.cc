// EngineDB: opening: what stands on the versions, and the families loaded.
#include "db/background/background_scheduler.h"
#include "db/family/column_family.h"
#include "db/files/obsolete_files.h"
#include "db/impl/engine_db.h"
#include "db/intake/family_attacher.h"
#include "db/jobs/background_control.h"
#include "db/jobs/clean_up.h"
#include "db/lookup/read_port.h"
#include "db/manifest/version_recovery.h"
#include "db/manifest/version_set.h"
#include "db/observe/observatory.h"
#include "db/observe/observed.h"
#include "db/registry/family_registry.h"
#include "db/write/write_memory.h"
#include "file/io_governor.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void EngineDB::MakeGround(const Writers& writers) {
  const FamilyParts::Writers stalled{.controller = writers.controller,
                                     .attention = writers.attention};
  const bool are_there = writers.work != nullptr;
  families_ =
      std::make_unique<FamilyParts>(&base_, are_there ? &stalled : nullptr);
  using Probing = FileAccessChooser::Probing;
  files_ = std::make_unique<FileParts>(FileParts::Context{
      .base = &base_,
      .families = families_->registry(),
      .probing = are_there ? Probing::kByFiles : Probing::kNone,
      .on_unattended = [this] { clean_up_->Schedule(); }});
  background_ = std::make_unique<BackgroundParts>(
      &base_, BackgroundParts::Jobs{.writes = writers.controller,
                                    .work = writers.work});
}

void EngineDB::MakeVersions(const std::shared_ptr<LinkedFiles>& links) {
  versions_ = files_->MakeVersions(*families_->memory(), links);
}

void EngineDB::MakeCleanUp(WalManager* wal) {
  clean_up_ = std::make_unique<CleanUp>(
      CleanUp::Context{.env = base_.options.env,
                       .mutex = &base_.mutex,
                       .stop = &base_.stop,
                       .scheduler = background_->scheduler(),
                       .publisher = families_->publisher(),
                       .obsolete = files_->obsolete(),
                       .wal = wal,
                       .threads = base_.io_governor->job_threads()});
}

void EngineDB::MakeAttacher(LogKeeper* logs, Intake* intake) {
  attacher_ = std::make_unique<FamilyAttacher>(
      FamilyAttacher::Context{.db = &base_.options,
                              .mutex = &base_.mutex,
                              .families = families_->registry(),
                              .versions = versions_.get(),
                              .publisher = families_->publisher(),
                              .logs = logs,
                              .intake = intake});
}

void EngineDB::MakeControl(CompactionQueue* compactions) {
  control_ = std::make_unique<BackgroundControl>(
      BackgroundControl::Context{.mutex = &base_.mutex,
                                 .scheduler = background_->scheduler(),
                                 .manual = background_->manual(),
                                 .errors = &base_.errors,
                                 .compactions = compactions,
                                 .clean_up = clean_up_.get(),
                                 .obsolete = files_->obsolete(),
                                 .stop = &base_.stop,
                                 .changes = &base_.changes});
}

void EngineDB::MakeObservatory(const WriteController* writes,
                               const WalManager* wal) {
  INVARIANT(observatory_ == nullptr);
  MutexLock lock(&base_.mutex);
  Observed observed;
  observed.db_name = base_.name;
  observed.db = &base_.options;
  observed.mutex = &base_.mutex;
  observed.families = families_->registry();
  observed.background = background_->scheduler();
  observed.errors = &base_.errors;
  observed.versions = versions_.get();
  observed.snapshots = &reads_->snapshots();
  observed.stop = &base_.stop;
  observed.obsolete = files_->obsolete();
  observed.writes = writes;
  observed.wal = wal;
  observed.fresh = families_->memory()->fresh();
  observed.io_governor = base_.io_governor.get();
  observed.ephemeral = files_->ephemeral();
  observed.table_cache = files_->open_tables()->cache().get();
  observatory_ = std::make_unique<Observatory>(observed, base_.counts.get());
}

Status EngineDB::LoadVersions(const Families& families) {
  INVARIANT(versions_ == nullptr);
  if (Status s = MakeParts(); !s.ok()) return s;
  INVARIANT(versions_ != nullptr);
  MutexLock lock(&base_.mutex);
  RecoverOptions options;
  options.read_only = IsReadOnly();
  options.create_missing_families =
      base_.options.create_missing_column_families;
  options.best_efforts = RecoversWithBestEfforts();
  options.opens_tables = !OpensTablesLater();
  options.passes_one_number =
      !IsReadOnly() && !base_.current->optimize_manifest_for_recovery;
  Status s = versions_->Recover(families, options);
  if (!s.ok()) return s;
  for (const ColumnFamilyRef& cfd : versions_->families()->all()) {
    if (s = attacher_->Attach(cfd); !s.ok()) return s;
  }
  INVARIANT(versions_->families()->default_family()->id() == 0);
  return Status::OK();
}

Status EngineDB::OpenHandles(const Families& families, Handles* handles) {
  MutexLock lock(&base_.mutex);
  INVARIANT(default_handle_ == nullptr);
  ColumnFamilyData* const first = versions_->families()->default_family();
  default_handle_.reset(NewHandle(first->shared_from_this()));
  if (handles == nullptr) return Status::OK();
  for (const ColumnFamilyDescriptor& descriptor : families) {
    ColumnFamilyData* cfd = versions_->families()->Find(descriptor.name);
    if (cfd == nullptr) {
      return Status::InvalidArgument("Column family not found",
                                     descriptor.name);
    }
    handles->push_back(NewHandle(cfd->shared_from_this()));
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
