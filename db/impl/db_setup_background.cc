// DBImpl: background work and stalls, put together.
#include "db/background/background_scheduler.h"
#include "db/background/level_placing.h"
#include "db/background/manual_queue.h"
#include "db/impl/db_impl.h"
#include "db/jobs/remote_runs.h"
#include "db/write/family_publisher.h"
#include "db/write/stall_control.h"

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
      FamilyPublisher::Context{.families = families_.get(),
                               .states = states_.get(),
                               .stalls = writes ? stalls_.get() : nullptr,
                               .attention = &attention_});
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
}

}  // namespace ROCKSDB_NAMESPACE
