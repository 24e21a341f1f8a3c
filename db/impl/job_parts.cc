#include "db/impl/job_parts.h"

#include "db/background/job_pressure.h"
#include "db/background/level_placing.h"
#include "db/files/file_room.h"
#include "db/files/obsolete_files.h"
#include "db/impl/background_parts.h"
#include "db/impl/family_parts.h"
#include "db/impl/file_parts.h"
#include "db/impl/foundation.h"
#include "db/impl/written_files.h"
#include "db/jobs/clean_up.h"
#include "db/jobs/compaction_desk.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/compaction_runner.h"
#include "db/jobs/flush_desk.h"
#include "db/jobs/flush_runner.h"
#include "db/jobs/job_contexts.h"
#include "db/jobs/manual_compactions.h"
#include "db/jobs/picker_inputs.h"
#include "db/jobs/remote_runs.h"
#include "db/jobs/resume_control.h"
#include "db/recovery/home_directory.h"
#include "db/registry/sequence_ages.h"
#include "db/write/family_publisher.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

FlushDesk::Context FlushDeskContext(const JobParts::Context& given) {
  return {.db = &given.base->options,
          .mutex = &given.base->mutex,
          .families = given.families->registry(),
          .scheduler = given.background->scheduler(),
          .errors = &given.base->errors,
          .stop = &given.base->stop,
          .changes = &given.base->changes};
}

ResumeControl::Context ResumeContext(const JobParts::Context& given) {
  return {.db = &given.base->options,
          .mutex = &given.base->mutex,
          .errors = &given.base->errors,
          .attention = given.attention,
          .space = given.files->space(),
          .memory = given.families->memory(),
          .changes = &given.base->changes,
          .stop = &given.base->stop};
}

JobPressure::Context PressureContext(const JobParts::Context& given) {
  return {.handed_out = given.handed_out,
          .db = &given.base->options,
          .mutex = &given.base->mutex,
          .scheduler = given.background->scheduler(),
          .stalls = given.families->stalls(),
          .writes = given.writes,
          .stop = &given.base->stop};
}

}  // namespace

JobParts::JobParts(const Context& context)
    : context_(context),
      mutex_(&context.base->mutex),
      placing_(std::make_unique<LevelPlacing>(&context.base->changes)),
      remote_(std::make_unique<const RemoteRuns>(&context.base->options,
                                                 &context.base->stop)),
      flushes_(std::make_unique<FlushDesk>(FlushDeskContext(context))),
      resume_(std::make_unique<ResumeControl>(ResumeContext(context))),
      pressure_(std::make_unique<JobPressure>(PressureContext(context))) {
  context.families->publisher()->SetPressure(pressure_.get());
}

JobParts::~JobParts() { context_.families->publisher()->SetPressure(nullptr); }

void JobParts::Open(const Stored& stored) {
  INVARIANT(queue_ == nullptr);
  INVARIANT(stored.versions != nullptr);
  stored_ = stored;
  MakeQueue();
  MakeRunners();
  MakeDesks();
}

void JobParts::MakeQueue() {
  Foundation* const base = context_.base;
  ages_ = std::make_unique<SequenceAges>(
      &base->options, mutex_, context_.families->registry(), stored_.versions);
  queue_ = std::make_unique<CompactionQueue>(
      CompactionQueue::Context{.db = &base->options,
                               .mutex = mutex_,
                               .options = &base->current,
                               .families = context_.families->registry(),
                               .scheduler = context_.background->scheduler(),
                               .snapshots = stored_.snapshots,
                               .changes = &base->changes,
                               .stop = &base->stop,
                               .versions = stored_.versions});
}

void JobParts::MakeRunners() {
  Foundation* const base = context_.base;
  contexts_ = std::make_unique<JobContexts>(
      JobContexts::Context{.db = &base->options,
                           .db_name = base->name,
                           .session_id = base->session_id,
                           .file_options = base->file_options,
                           .mutex = mutex_,
                           .options = &base->current,
                           .versions = stored_.versions,
                           .directory = context_.files->home()->directory(),
                           .io_governor = base->io_governor.get(),
                           .page_cache_room = stored_.written->page_cache(),
                           .obsolete = context_.files->obsolete(),
                           .scheduler = context_.background->scheduler(),
                           .snapshots = stored_.snapshots,
                           .stop = &base->stop,
                           .ages = ages_.get()});
  runner_ = std::make_unique<CompactionRunner>(
      CompactionRunner::Context{.handed_out = context_.handed_out,
                                .db = &base->options,
                                .mutex = mutex_,
                                .scheduler = context_.background->scheduler(),
                                .publisher = context_.families->publisher(),
                                .queue = queue_.get(),
                                .jobs = contexts_.get(),
                                .remote = remote_.get(),
                                .stop = &base->stop,
                                .changes = &base->changes});
  flush_runner_ = std::make_unique<FlushRunner>(
      FlushRunner::Context{.handed_out = context_.handed_out,
                           .db = &base->options,
                           .mutex = mutex_,
                           .families = context_.families->registry(),
                           .scheduler = context_.background->scheduler(),
                           .desk = flushes_.get(),
                           .logs = stored_.written->logs(),
                           .jobs = contexts_.get(),
                           .publisher = context_.families->publisher(),
                           .memory = context_.families->memory(),
                           .compactions = queue_.get(),
                           .files = stored_.written->room(),
                           .changes = &base->changes,
                           .errors = resume_.get()});
}

void JobParts::MakeDesks() {
  Foundation* const base = context_.base;
  inputs_ =
      std::make_unique<const PickerInputs>(mutex_, &base->current, ages_.get());
  desk_ = std::make_unique<CompactionDesk>(
      CompactionDesk::Context{.mutex = mutex_,
                              .inputs = inputs_.get(),
                              .families = context_.families->registry(),
                              .scheduler = context_.background->scheduler(),
                              .manual = context_.background->manual(),
                              .queue = queue_.get(),
                              .runner = runner_.get(),
                              .space = context_.files->space(),
                              .stop = &base->stop,
                              .changes = &base->changes,
                              .errors = resume_.get()});
  on_request_ = std::make_unique<ManualCompactions>(ManualCompactions::Context{
      .mutex = mutex_,
      .families = context_.families->registry(),
      .scheduler = context_.background->scheduler(),
      .manual = context_.background->manual(),
      .placing = placing_.get(),
      .publisher = context_.families->publisher(),
      .error = &base->errors,
      .versions = stored_.versions,
      .directory = context_.files->home()->directory(),
      .queue = queue_.get(),
      .runner = runner_.get(),
      .inputs = inputs_.get(),
      .space = context_.files->space(),
      .stop = &base->stop,
      .changes = &base->changes,
      .errors = resume_.get()});
}

template <class Job>
void JobParts::Run(const Job& job) {
  const ObsoleteFiles::PurgeAtEnd purge(context_.files->obsolete());
  job();
  ScanFiles();
  stored_.clean_up->Purge();
}

void JobParts::RunFlushes() {
  Run([this] { flush_runner_->Run(); });
}

void JobParts::RunCompactions() {
  Run([this] { desk_->Compact(); });
}

void JobParts::RunBottomCompactions() {
  Run([this] { desk_->CompactToBottom(); });
}

void JobParts::ScanFiles() {
  const Foundation& base = *context_.base;
  const uint64_t period =
      base.current.Get()->delete_obsolete_files_period_micros;
  if (!base.stop.IsShuttingDown()) stored_.written->room()->MaybeScan(period);
}

void JobParts::StopTimers() {
  if (queue_ != nullptr) queue_->StopAgeChecks();
  if (ages_ != nullptr) ages_->Stop();
}

void JobParts::LeaveOthers() {
  resume_->Stop();
  if (queue_ != nullptr) queue_->LeaveLimiters();
}

void JobParts::StopRetries() {
  if (queue_ != nullptr) queue_->StopRetries();
}

}  // namespace ROCKSDB_NAMESPACE
