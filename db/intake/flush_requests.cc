#include "db/intake/flush_requests.h"

#include <algorithm>
#include <utility>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/stop_signals.h"
#include "db/background/wait_limit.h"
#include "db/files/obsolete_files.h"
#include "db/intake/memtable_switch.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/flush_desk.h"
#include "db/jobs/flush_runner.h"
#include "db/registry/change_signal.h"
#include "db/registry/family_registry.h"
#include "db/write/family_publisher.h"
#include "db/write/stall_control.h"
#include "memtable/memtable.h"
#include "options/db_options.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The id of the newest memtable that waits for a flush; 0: none does.
uint64_t NewestSealed(ColumnFamilyData* cfd) {
  return cfd->imm()->empty() ? 0 : cfd->imm()->current()->front()->id();
}

FlushRequests::Families PointersTo(
    const std::vector<ColumnFamilyRef>& families) {
  FlushRequests::Families cfds;
  for (const ColumnFamilyRef& cfd : families) cfds.push_back(cfd.get());
  return cfds;
}

bool HoldsUnlogged(ColumnFamilyData* cfd) {
  const auto sealed = cfd->imm()->current();
  return cfd->mem()->has_unlogged() ||
         std::any_of(sealed->begin(), sealed->end(),
                     [](const MemTableRef& m) { return m->has_unlogged(); });
}

}  // namespace

FlushRequests::FlushRequests(const Context& context) : context_(context) {
  INVARIANT(context_.wal_lock != nullptr);
  INVARIANT(context_.runner != nullptr);
}

// Until a flush stalls nobody, or what is active now is sealed by others, or
// nothing is under way that could make room. Writers go on meanwhile.
Status FlushRequests::AwaitRoom(const Families& families,
                                const WaitLimit& limit) {
  MutexLock lock(context_.mutex);
  for (ColumnFamilyData* cfd : families) {
    const uint64_t active = cfd->mem()->id();
    while (StallControl::WouldStall(cfd) && cfd->mem()->id() == active &&
           context_.scheduler->HasThreads() && context_.errors->error().ok() &&
           !context_.stop->IsShuttingDown()) {
      // What waits for others there makes room only if it is asked for.
      context_.desk->QueueRetained(cfd, FlushReason::kManualFlush);
      context_.scheduler->MaybeSchedule();
      if (Status s = limit.AwaitChange(); !s.ok()) return s;
    }
  }
  return Status::OK();
}

// A leader that waits itself, as where writes are stopped, holds up all others,
// and nobody is told when it goes on.
Status FlushRequests::AwaitLeader(const WaitLimit& limit) {
  constexpr uint64_t kLookMicros = 10'000;
  MutexLock lock(context_.mutex);
  while (limit.HasEnd() && context_.wal_lock->WouldWait()) {
    if (Status s = limit.AwaitChange(kLookMicros); !s.ok()) return s;
  }
  return Status::OK();
}

Status FlushRequests::Flush(const FlushOptions& options,
                            const Families& families, FlushReason reason) {
  if (!options.allow_write_stall) {
    const WaitLimit none({.scheduler = context_.scheduler,
                          .stop = context_.stop,
                          .changes = context_.changes},
                         WaitForCompactOptions());
    if (Status s = AwaitRoom(families, none); !s.ok()) return s;
  }
  const bool is_joint = options.force_atomic_flush && families.size() > 1;
  std::vector<uint64_t> newest_ids;
  Status s = context_.wal_lock->WithLogAtRest([&] {
    MutexLock lock(context_.mutex);
    for (const ColumnFamilyData* cfd : families) {
      if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
    }
    const Status unlocked = CheckUnlocked(
        is_joint || context_.desk->FlushesTogether() ? context_.families->All()
                                                     : families,
        options.wait);
    if (!unlocked.ok()) return unlocked;
    // It gives the mutex back in between.
    if (is_joint) context_.desk->BeginJointSeal();
    const Status queued = context_.memtables->SealAndQueue(families, reason);
    if (is_joint) context_.desk->EndJointSeal();
    for (ColumnFamilyData* cfd : families) {
      newest_ids.push_back(NewestSealed(cfd));
    }
    return queued;
  });
  context_.publisher->FreeAndTell();
  if (s.ok() && reason == FlushReason::kManualFlush) {
    TellManualFlush(families);
  }
  if (!s.ok() || !options.wait) return s;
  INVARIANT(newest_ids.size() == families.size());
  MutexLock lock(context_.mutex);
  for (size_t i = 0; i < families.size() && s.ok(); ++i) {
    s = context_.desk->Wait(families[i], newest_ids[i]);
  }
  return s;
}

Status FlushRequests::CheckUnlocked(const Families& families,
                                    bool waits) const {
  const bool must_seal =
      std::any_of(families.begin(), families.end(), [](ColumnFamilyData* cfd) {
        return !cfd->mem()->empty() && !cfd->is_dropped();
      });
  if (!context_.wal_lock->IsTaken() || !must_seal) return Status::OK();
  return waits ? Status::Aborted(
                     "a flush begins a new log, which LockWAL() forbids: "
                     "UnlockWAL() first")
               : Status::TryAgain(
                     "Writes have been stopped, thus unable to perform manual "
                     "flush. Please try again later after writes are resumed");
}

Status FlushRequests::FlushOnlyUnlogged(FlushReason reason) {
  const ObsoleteFiles::PurgeAtEnd purge(context_.obsolete);
  std::vector<std::pair<ColumnFamilyRef, uint64_t>> sealed;
  const std::vector<ColumnFamilyRef> families = HoldAll();
  Status s = context_.wal_lock->WithLogAtRest([&] {
    MutexLock lock(context_.mutex);
    Families cfds;
    for (const ColumnFamilyRef& cfd : families) {
      if (!cfd->is_dropped() && HoldsUnlogged(cfd.get())) {
        cfds.push_back(cfd.get());
      }
    }
    if (cfds.empty()) return Status::OK();
    context_.scheduler->JoinFlushes();
    const Status queued = context_.memtables->SealAndQueue(cfds, reason);
    for (ColumnFamilyData* cfd : cfds) {
      sealed.emplace_back(cfd->shared_from_this(), NewestSealed(cfd));
    }
    return queued;
  });
  context_.publisher->FreeAndTell();
  if (sealed.empty()) return s;
  {
    MutexLock lock(context_.mutex);
    if (s.ok()) context_.runner->RunQueued(Env::Priority::USER);
    context_.scheduler->LeaveJoinedFlushes();
    for (const auto& [cfd, newest_id] : sealed) {
      if (!s.ok()) break;
      s = context_.desk->Wait(cfd.get(), newest_id);
      if (s.IsColumnFamilyDropped()) s = Status::OK();
    }
  }
  context_.publisher->Tell();
  return s;
}

Status FlushRequests::FlushAll(const FlushOptions& options,
                               FlushReason reason) {
  Status s;
  do {
    // Held while they are waited for: any may be dropped meanwhile, and then
    // has nothing to flush. The others are asked again.
    const std::vector<ColumnFamilyRef> families = HoldAll();
    INVARIANT(!families.empty());
    s = Flush(options, PointersTo(families), reason);
  } while (s.IsColumnFamilyDropped());
  return s;
}

Status FlushRequests::BeginFlushAll(const WaitLimit& limit) {
  const std::vector<ColumnFamilyRef> families = HoldAll();
  Status s = AwaitRoom(PointersTo(families), limit);
  if (s.ok()) s = AwaitLeader(limit);
  if (!s.ok()) return s;
  FlushOptions options;
  options.wait = false;
  options.allow_write_stall = true;  // There is room, or will be none.
  s = FlushAll(options, FlushReason::kManualFlush);
  // The log is locked, and the call as a whole waits.
  return s.IsTryAgain() ? Status::Aborted(s.getState()) : s;
}

std::vector<ColumnFamilyRef> FlushRequests::HoldAll() const {
  MutexLock lock(context_.mutex);
  return context_.families->Hold();
}

Status FlushRequests::FlushInTurn(const Families& families,
                                  FlushReason reason) {
  Status s = context_.memtables->SealAndQueue(families, reason);
  std::vector<uint64_t> newest_ids;
  for (ColumnFamilyData* cfd : families) {
    newest_ids.push_back(NewestSealed(cfd));
  }
  for (size_t i = 0; i < families.size() && s.ok(); ++i) {
    s = context_.desk->Wait(families[i], newest_ids[i]);
  }
  return s;
}

void FlushRequests::TellManualFlush(const Families& families) {
  if (context_.db->listeners.empty()) return;
  std::vector<ManualFlushInfo> infos;
  for (const ColumnFamilyData* cfd : families) {
    INVARIANT(cfd != nullptr);
    infos.emplace_back();
    infos.back().cf_id = cfd->id();
    infos.back().cf_name = cfd->name();
    infos.back().flush_reason = FlushReason::kManualFlush;
  }
  for (const auto& listener : context_.db->listeners) {
    listener->OnManualFlushScheduled(context_.handed_out, infos);
  }
}

}  // namespace ROCKSDB_NAMESPACE
