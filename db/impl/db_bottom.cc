// DBImpl: compactions to the last level have the environment's BOTTOM pool to
// themselves, where it has threads.
#include "db/background/compaction_turn.h"
#include "db/compaction/deferred_compaction.h"
#include "db/impl/db_impl.h"
#include "db/jobs/compaction_queue.h"
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
         background_.HasBottomPool();
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
  const Hold hold = ReducesFileLocking(*cfd) && background_.IsBottomBusy()
                        ? Hold::kOldestRun
                        : Hold::kAllInputs;
  background_.Defer(
      {ref, std::make_shared<DeferredCompaction>(family->picker.get(),
                                                 std::move(compaction), hold)});
  // What is held must not be counted by the next pick.
  compactions_->Score(cfd);
  compactions_->Add(cfd);
  background_.MaybeSchedule();
}

void DBImpl::BackgroundBottomCompaction() {
  MutexLock lock(&mutex_);
  const auto [family, deferred] = background_.BeginBottom();
  std::unique_ptr<Compaction> picked = deferred->Take();
  ColumnFamilyData* const cfd = family->cfd.get();
  if (!cfd->is_dropped()) {
    compactions_->Score(cfd);
  }
  if (background_.MayCompact() && !manual_.HasExclusive()) {
    RunAutomatic(family.get(), {Env::Priority::BOTTOM, std::move(picked)});
  } else {
    compactions_->Add(cfd);
  }
  CheckSpaceLimit();
  background_.LeaveBottom();
}

}  // namespace ROCKSDB_NAMESPACE
