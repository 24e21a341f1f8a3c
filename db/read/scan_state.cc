#include "db/read/scan_state.h"

#include "db/family/column_family.h"
#include "db/read/iterator_host.h"

namespace ROCKSDB_NAMESPACE {

ScanState::ScanState(UserIteratorRequest request)
    : view(std::move(request)),
      shown(view.options().allow_unprepared_value ? ShownEntry::Load::kOnDemand
                                                  : ShownEntry::Load::kAtOnce,
            view.options().pin_data) {
  BeginView();
}

void ScanState::BeginView() {
  const SuperVersion& state = view.state();
  reseek_after = state.options->max_sequential_skip_in_iterations;
  const IteratorHost::Duties& duties = view.host().duties();
  if (duties.flushes) watch.Begin(*state.mem, *state.options);
  if (duties.takes_dead_ranges) {
    run.Watch(state, view.options(), view.rules().snapshot());
  }
  versions.Begin({.merge_operator = state.cfd->ioptions().merge_operator.get(),
                  .statistics = view.statistics(),
                  .clock = view.clock()});
  shown.Begin(view.options(), state.current->storage(), *state.cfd->blobs());
  status = view.status();
}

bool ScanState::BeginSeek(Direction way) {
  valid = false;
  direction = way;
  forward.is_skipping = false;
  skipped = 0;
  limits.Begin();
  misses_prefixes = false;
  status = view.SeekStatus();
  return status.ok();
}

void ScanState::HideRun(const std::optional<Slice>& end) {
  // Incomplete: the scan has skipped too many entries, but it has seen those of
  // the run.
  const bool is_sure = status.ok() || status.IsIncomplete();
  if (!is_sure || misses_prefixes || view.is_prepared()) return;
  RangeTombstone dead;
  if (run.Take(direction, end, &dead)) {
    view.host().HideRange(view.state(), dead);
  }
}

}  // namespace ROCKSDB_NAMESPACE
