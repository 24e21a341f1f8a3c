// DBImpl: what users ask for, put together.
#include "db/family/family_registry.h"
#include "db/impl/db_impl.h"
#include "db/intake/changes.h"
#include "db/intake/family_attacher.h"
#include "db/intake/resumption.h"
#include "db/jobs/background_control.h"
#include "db/jobs/resume_control.h"
#include "db/recovery/home_directory.h"

namespace ROCKSDB_NAMESPACE {

void DBImpl::SetUpAttacher() {
  MutexLock lock(&base_.mutex);
  attacher_ = std::make_shared<FamilyAttacher>(
      FamilyAttacher::Context{.db = &base_.options,
                              .mutex = &base_.mutex,
                              .families = families_.get(),
                              .versions = versions_.get(),
                              .publisher = publisher_.get(),
                              .logs = logs_.get(),
                              .intake = intake_.get()});
  control_ = std::make_shared<BackgroundControl>(
      BackgroundControl::Context{.clock = base_.options.clock,
                                 .mutex = &base_.mutex,
                                 .scheduler = background_.get(),
                                 .manual = manual_.get(),
                                 .errors = &base_.errors,
                                 .compactions = compactions_.get(),
                                 .clean_up = clean_up_.get(),
                                 .obsolete = obsolete_.get(),
                                 .stop = &base_.stop,
                                 .changes = &base_.changes});
}

// Of a database that writes, as the next ones.
Intake::Surroundings DBImpl::Surroundings() {
  return {.handed_out = this,
          .db = &base_.options,
          .mutex = &base_.mutex,
          .options = &base_.current,
          .families = families_.get(),
          .publisher = publisher_.get(),
          .versions = versions_.get(),
          .reads = reads_.get(),
          .counts = base_.counts.get(),
          .tracer = base_.tracer.get(),
          .changes = &base_.changes,
          .stop = &base_.stop,
          .error = &base_.errors,
          .errors = resume_.get()};
}

Intake::Neighbours DBImpl::Neighbours() {
  return {.scheduler = background_.get(),
          .flushes = flushes_.get(),
          .flush_runner = flush_runner_.get(),
          .clean_up = clean_up_.get(),
          .obsolete = obsolete_.get(),
          .logs = logs_.get(),
          .sections = sections_.get()};
}

Intake::Lines DBImpl::Lines() {
  return {.writes = &write_thread_,
          .log_only = &log_only_thread_,
          .wal_lock = wal_lock_.get(),
          .controller = &write_controller_,
          .stalls = stalls_.get(),
          .memory = memory_.get(),
          .attention = &attention_};
}

void DBImpl::SetUpIntake() {
  MutexLock lock(&base_.mutex);
  intake_ = std::make_shared<Intake>(Surroundings(), Neighbours(), Lines());
}

void DBImpl::SetUpChanges() {
  MutexLock lock(&base_.mutex);
  on_demand_ = std::make_shared<Changes>(
      Surroundings(), Neighbours(), Lines(), *intake_,
      Changes::Rooms{.db_name = base_.name,
                     .directory = home_->directory(),
                     .families = families_.get(),
                     .placing = placing_.get(),
                     .error = &base_.errors,
                     .options = &base_.current,
                     .reads = reads_.get(),
                     .jobs = jobs_.get(),
                     .compactions = compactions_.get(),
                     .ages = ages_.get(),
                     .attacher = attacher_.get(),
                     .access = file_access_.get(),
                     .options_files = options_files_.get(),
                     .files = file_room_.get()});
  resume_->SetWork(on_demand_->resumption());
}

}  // namespace ROCKSDB_NAMESPACE
