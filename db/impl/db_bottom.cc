// DBImpl: compactions to the last level have the environment's BOTTOM pool to
// themselves, where it has threads.
#include "db/background/compaction_turn.h"
#include "db/compaction/deferred_compaction.h"
#include "db/impl/db_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool ReducesFileLocking(const ColumnFamilyData& cfd) {
  return cfd.ioptions().compaction_style == kCompactionStyleUniversal &&
         cfd.options()->compaction_options_universal.reduce_file_locking;
}

}  // namespace

bool DBImpl::BelongsToBottom(const Compaction& compaction) const {
  return compaction.is_bottommost && compaction.output_level > 0 &&
         !compaction.is_trivial_move && !compaction.drops_inputs &&
         options_.env->GetBackgroundThreads(Env::Priority::BOTTOM) > 0;
}

// Will a compaction wait there, as far as can be seen?
bool DBImpl::IsBottomBusy() const {
  const auto jobs = static_cast<int>(bottom_queue_.size()) + running_bottom_;
  return jobs >= options_.env->GetBackgroundThreads(Env::Priority::BOTTOM) ||
         options_.env->GetThreadPoolQueueLen(Env::Priority::BOTTOM) > 0;
}

void DBImpl::Defer(Family* family, std::unique_ptr<Compaction> compaction) {
  INVARIANT(family != nullptr);
  INVARIANT(mode_ == Mode::kReadWrite);
  ColumnFamilyData* const cfd = family->cfd.get();
  const FamilyRef ref = families_.Find(cfd->id());
  if (ref == nullptr) return;  // It is being dropped.
  INVARIANT(ref.get() == family);
  // What begins at once leaves nothing for others to merge meanwhile.
  using Hold = DeferredCompaction::Hold;
  const Hold hold = ReducesFileLocking(*cfd) && IsBottomBusy()
                        ? Hold::kOldestRun
                        : Hold::kAllInputs;
  bottom_queue_.emplace_back(
      ref, std::make_shared<DeferredCompaction>(family->picker.get(),
                                                std::move(compaction), hold));
  options_.env->Schedule(
      &DBImpl::BottomEntry, this, Env::Priority::BOTTOM, this,
      [](void* db) { static_cast<DBImpl*>(db)->TakeBackDeferred(); });
  // What is held must not be counted by the next pick.
  cfd->current()->mutable_storage()->ComputeScores(cfd->ioptions(),
                                                   *cfd->options(), ScoreNow());
  QueueCompaction(cfd);
  MaybeSchedule();
}

void DBImpl::BottomEntry(void* db) {
  INVARIANT(db != nullptr);
  static_cast<DBImpl*>(db)->RunJob(&DBImpl::BackgroundBottomCompaction);
}

// A job that will not run; the database is being closed.
void DBImpl::TakeBackDeferred() {
  MutexLock lock(&mutex_);
  INVARIANT(!bottom_queue_.empty());
  bottom_queue_.front().second->Take();
  bottom_queue_.pop_front();
  background_done_.SignalAll();
}

void DBImpl::BackgroundBottomCompaction() {
  MutexLock lock(&mutex_);
  INVARIANT(!bottom_queue_.empty());
  ++running_compactions_;
  ++running_bottom_;
  const FamilyRef family = bottom_queue_.front().first;
  std::unique_ptr<Compaction> picked = bottom_queue_.front().second->Take();
  bottom_queue_.pop_front();
  ColumnFamilyData* const cfd = family->cfd.get();
  if (!cfd->is_dropped()) {
    cfd->current()->mutable_storage()->ComputeScores(
        cfd->ioptions(), *cfd->options(), ScoreNow());
  }
  if (!stop_.IsShuttingDown() && !errors_.StopsCompaction() && paused_ == 0 &&
      !stop_.IsAborting() && !manual_.HasExclusive()) {
    RunAutomatic(family.get(), {Env::Priority::BOTTOM, std::move(picked)});
  } else {
    QueueCompaction(cfd);
  }
  CheckSpaceLimit();
  INVARIANT(running_compactions_ > 0);
  INVARIANT(running_bottom_ > 0);
  --running_compactions_;
  --running_bottom_;
  ++finishing_;
  MaybeSchedule();
  background_done_.SignalAll();
}

}  // namespace ROCKSDB_NAMESPACE
