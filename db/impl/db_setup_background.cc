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
  MutexLock lock(&base_.mutex);
  placing_ = std::make_shared<LevelPlacing>(&base_.changes);
  manual_ = std::make_shared<ManualQueue>();
  remote_runs_ =
      std::make_shared<const RemoteRuns>(&base_.options, &base_.stop);
  stalls_ = std::make_shared<StallControl>(
      StallControl::Context{.db = &base_.options,
                            .families = families_.get(),
                            .writes = &write_controller_,
                            .changes = &base_.changes,
                            .io_governor = base_.io_governor.get()});
  stalls_->SetDelayedRate(base_.options.delayed_write_rate);
  const bool writes = mode_ == Mode::kReadWrite;
  publisher_ = std::make_shared<FamilyPublisher>(
      FamilyPublisher::Context{.db = &base_.options,
                               .mutex = &base_.mutex,
                               .families = families_.get(),
                               .states = states_.get(),
                               .stalls = writes ? stalls_.get() : nullptr,
                               .attention = &attention_});
  memory_ = std::make_shared<WriteMemory>(
      WriteMemory::Context{.db = &base_.options,
                           .families = families_.get(),
                           .publisher = publisher_.get()});
  resume_ = std::make_shared<ResumeControl>(
      ResumeControl::Context{.db = &base_.options,
                             .mutex = &base_.mutex,
                             .errors = &base_.errors,
                             .attention = &attention_,
                             .space = space_.get(),
                             .memory = memory_.get(),
                             .changes = &base_.changes,
                             .stop = &base_.stop});
  wal_lock_ =
      std::make_shared<WalLock>(WalLock::Context{.mutex = &base_.mutex,
                                                 .writes = &write_thread_,
                                                 .log_only = &log_only_thread_,
                                                 .changes = &base_.changes,
                                                 .attention = &attention_,
                                                 .stop = &base_.stop});
  background_ = std::make_shared<BackgroundScheduler>(
      BackgroundScheduler::Context{.env = base_.options.env,
                                   .mutex = &base_.mutex,
                                   .changes = &base_.changes,
                                   .stop = &base_.stop,
                                   .errors = &base_.errors,
                                   .manual = manual_.get(),
                                   .writes = &write_controller_,
                                   .work = this});
  background_->SetLimits(base_.options);
  flushes_ = std::make_shared<FlushDesk>(
      FlushDesk::Context{.db = &base_.options,
                         .mutex = &base_.mutex,
                         .families = families_.get(),
                         .scheduler = background_.get(),
                         .errors = &base_.errors,
                         .stop = &base_.stop,
                         .changes = &base_.changes});
}

// Before there is any file.
void DBImpl::SetUpCleanUp() {
  MutexLock lock(&base_.mutex);
  clean_up_ = std::make_shared<CleanUp>(
      CleanUp::Context{.env = base_.options.env,
                       .mutex = &base_.mutex,
                       .stop = &base_.stop,
                       .scheduler = background_.get(),
                       .publisher = publisher_.get(),
                       .obsolete = obsolete_.get(),
                       .wal = logs_ != nullptr ? logs_->wal() : nullptr});
}

}  // namespace ROCKSDB_NAMESPACE
