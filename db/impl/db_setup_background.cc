// DBImpl: background work and stalls, put together.
#include "db/background/background_scheduler.h"
#include "db/background/level_placing.h"
#include "db/background/manual_queue.h"
#include "db/files/log_keeper.h"
#include "db/impl/db_impl.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/clean_up.h"
#include "db/jobs/flush_desk.h"
#include "db/jobs/remote_runs.h"
#include "db/jobs/resume_control.h"
#include "db/write/family_publisher.h"
#include "db/write/stall_control.h"
#include "db/write/write_memory.h"

namespace ROCKSDB_NAMESPACE {

void DBImpl::SetUpBackground() {
  MutexLock lock(&mutex_);
  placing_ = std::make_shared<LevelPlacing>(&changes_);
  manual_ = std::make_shared<ManualQueue>();
  remote_runs_ = std::make_shared<const RemoteRuns>(&options_, &stop_);
  stalls_ = std::make_shared<StallControl>(
      StallControl::Context{.db = &options_,
                            .families = families_.get(),
                            .writes = &write_controller_,
                            .changes = &changes_,
                            .io_governor = io_governor_.get()});
  stalls_->SetDelayedRate(options_.delayed_write_rate);
  const bool writes = mode_ == Mode::kReadWrite;
  publisher_ = std::make_shared<FamilyPublisher>(
      FamilyPublisher::Context{.db = &options_,
                               .mutex = &mutex_,
                               .families = families_.get(),
                               .states = states_.get(),
                               .stalls = writes ? stalls_.get() : nullptr,
                               .attention = &attention_});
  memory_ = std::make_shared<WriteMemory>(
      WriteMemory::Context{.db = &options_,
                           .families = families_.get(),
                           .publisher = publisher_.get()});
  resume_ = std::make_shared<ResumeControl>(
      ResumeControl::Context{.db = &options_,
                             .mutex = &mutex_,
                             .errors = &errors_,
                             .attention = &attention_,
                             .space = space_.get(),
                             .memory = memory_.get(),
                             .changes = &changes_,
                             .stop = &stop_});
  wal_lock_ =
      std::make_shared<WalLock>(WalLock::Context{.mutex = &mutex_,
                                                 .writes = &write_thread_,
                                                 .log_only = &log_only_thread_,
                                                 .changes = &changes_,
                                                 .attention = &attention_,
                                                 .stop = &stop_});
  background_ = std::make_shared<BackgroundScheduler>(
      BackgroundScheduler::Context{.env = options_.env,
                                   .mutex = &mutex_,
                                   .changes = &changes_,
                                   .stop = &stop_,
                                   .errors = &errors_,
                                   .manual = manual_.get(),
                                   .writes = &write_controller_,
                                   .work = this});
  background_->SetLimits(options_);
  flushes_ = std::make_shared<FlushDesk>(
      FlushDesk::Context{.db = &options_,
                         .mutex = &mutex_,
                         .families = families_.get(),
                         .scheduler = background_.get(),
                         .errors = &errors_,
                         .stop = &stop_,
                         .changes = &changes_});
}

// Before there is any file.
void DBImpl::SetUpCleanUp() {
  MutexLock lock(&mutex_);
  clean_up_ = std::make_shared<CleanUp>(
      CleanUp::Context{.env = options_.env,
                       .mutex = &mutex_,
                       .stop = &stop_,
                       .scheduler = background_.get(),
                       .publisher = publisher_.get(),
                       .obsolete = obsolete_.get(),
                       .wal = logs_ != nullptr ? logs_->wal() : nullptr});
}

}  // namespace ROCKSDB_NAMESPACE
