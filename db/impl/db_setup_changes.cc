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
  MutexLock lock(&mutex_);
  attacher_ = std::make_shared<FamilyAttacher>(
      FamilyAttacher::Context{.db = &options_,
                              .mutex = &mutex_,
                              .families = families_.get(),
                              .versions = versions_.get(),
                              .publisher = publisher_.get(),
                              .logs = logs_.get(),
                              .intake = intake_.get()});
  control_ = std::make_shared<BackgroundControl>(
      BackgroundControl::Context{.clock = options_.clock,
                                 .mutex = &mutex_,
                                 .scheduler = background_.get(),
                                 .manual = manual_.get(),
                                 .errors = &errors_,
                                 .compactions = compactions_.get(),
                                 .clean_up = clean_up_.get(),
                                 .obsolete = obsolete_.get(),
                                 .stop = &stop_,
                                 .changes = &changes_});
}

// Of a database that writes, as the next ones.
Intake::Surroundings DBImpl::Surroundings() {
  return {.handed_out = this,
          .db = &options_,
          .mutex = &mutex_,
          .options = &mutable_options_,
          .families = families_.get(),
          .publisher = publisher_.get(),
          .versions = versions_.get(),
          .reads = reads_.get(),
          .counts = database_stats_.get(),
          .tracer = tracer_.get(),
          .changes = &changes_,
          .stop = &stop_,
          .error = &errors_,
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
  MutexLock lock(&mutex_);
  intake_ = std::make_shared<Intake>(Surroundings(), Neighbours(), Lines());
}

void DBImpl::SetUpChanges() {
  MutexLock lock(&mutex_);
  on_demand_ = std::make_shared<Changes>(
      Surroundings(), Neighbours(), Lines(), *intake_,
      Changes::Rooms{.db_name = name_,
                     .directory = home_->directory(),
                     .families = families_.get(),
                     .placing = placing_.get(),
                     .error = &errors_,
                     .options = &mutable_options_,
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
