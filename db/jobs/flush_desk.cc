#include "db/jobs/flush_desk.h"

#include <algorithm>
#include <string>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/stop_signals.h"
#include "db/registry/change_signal.h"
#include "db/registry/family_registry.h"
#include "db/registry/write_stall.h"
#include "memtable/memtable.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Was it not asked for, and is only a memtable full?
bool CanWait(FlushReason reason) {
  return reason == FlushReason::kWriteBufferFull ||
         reason == FlushReason::kMemtableMaxRangeDeletions;
}

}  // namespace

void FlushDesk::Queue(ColumnFamilyData* cfd, FlushReason reason) {
  INVARIANT(cfd != nullptr);
  context_.mutex->AssertHeld();
  if (CanWait(reason) && (RetainsTimestamps(cfd) || AwaitsMore(cfd))) return;
  const FamilyRef family = context_.families->Find(cfd->id());
  INVARIANT(family != nullptr);
  INVARIANT(family->cfd.get() == cfd);
  family->flush_reason = reason;
  if (CanWait(reason)) {
    cfd->imm()->RequestFlush();
  } else {
    cfd->imm()->RequestFile();
  }
  context_.scheduler->QueueFlush(cfd);
}

// Are there fewer memtables than a flush is to merge, with no flush of them
// asked for? Also true while a flush runs.
bool FlushDesk::AwaitsMore(ColumnFamilyData* cfd) const {
  // More than these are never there, as writers wait.
  const int most = cfd->options()->max_write_buffer_number - 1;
  int wanted = std::min(cfd->ioptions().min_write_buffer_number_to_merge, most);
  // What one flush has made of them counts for nothing.
  if (cfd->imm()->HasPurged()) wanted = std::max(wanted, 1) + 1;
  if (wanted <= 1 || FlushesTogether()) return false;
  return !cfd->imm()->IsFlushPending(wanted);
}

// A flush would leave the timestamps out. What is not yet history waits in
// memory, as long as nobody asks for it and writers need not wait for room.
bool FlushDesk::RetainsTimestamps(ColumnFamilyData* cfd) const {
  const std::string& low = cfd->full_history_ts_low();
  if (cfd->ioptions().left_out_timestamp_bytes() == 0 || low.empty()) {
    return false;
  }
  const MemTableList& waiting = *cfd->imm();
  StallInput next;
  next.immutable_memtable_count = static_cast<int>(waiting.size()) + 1;
  if (DecideStall(next, *cfd->options()).condition !=
      WriteStallCondition::kNormal) {
    return false;
  }
  const Comparator& order = *cfd->user_comparator();
  const auto memtables = waiting.current();
  return std::any_of(
      memtables->begin(), memtables->end(), [&](const MemTableRef& memtable) {
        return memtable->id() > waiting.requested_id() &&
               order.CompareTimestamp(memtable->newest_timestamp(), low) >= 0;
      });
}

void FlushDesk::QueueRetained(ColumnFamilyData* cfd, FlushReason reason) {
  INVARIANT(cfd != nullptr);
  context_.mutex->AssertHeld();
  if (cfd->ioptions().left_out_timestamp_bytes() == 0 &&
      cfd->ioptions().min_write_buffer_number_to_merge <= 1 &&
      !cfd->imm()->HasPurged()) {
    return;
  }
  const MemTableList& waiting = *cfd->imm();
  if (waiting.empty() || waiting.IsFlushRunning() || cfd->is_dropped()) return;
  Queue(cfd, reason);
}

void FlushDesk::QueueAllRetained(FlushReason reason) {
  context_.mutex->AssertHeld();
  for (ColumnFamilyData* cfd : context_.families->All()) {
    QueueRetained(cfd, reason);
  }
  context_.scheduler->MaybeSchedule();
}

void FlushDesk::EndJointSeal() {
  INVARIANT(joint_seals_ > 0);
  --joint_seals_;
  WantJoint();
}

bool FlushDesk::FlushesTogether() const {
  context_.mutex->AssertHeld();
  INVARIANT(joint_wants_done_ <= joint_wants_);
  if (context_.db->atomic_flush || joint_seals_ > 0 ||
      joint_wants_ != joint_wants_done_) {
    return true;
  }
  const uint64_t below = abandoned_below_;
  return std::any_of(context_.families->begin(), context_.families->end(),
                     [below](const auto& entry) {
                       return entry.second->cfd->log_number() < below;
                     });
}

bool FlushDesk::IsBeingTold(const ColumnFamilyData* cfd,
                            uint64_t memtable_id) const {
  const auto is_awaited = [=](const Notice& notice) {
    return notice.cfd == cfd && notice.memtable_id <= memtable_id &&
           notice.teller != std::this_thread::get_id();
  };
  return std::any_of(notices_.begin(), notices_.end(), is_awaited);
}

void FlushDesk::BeginNotice(const ColumnFamilyData* cfd,
                            uint64_t newest_memtable_id) {
  INVARIANT(cfd != nullptr);
  context_.mutex->AssertHeld();
  notices_.push_back({cfd, newest_memtable_id, std::this_thread::get_id()});
}

void FlushDesk::EndNotice(const ColumnFamilyData* cfd) {
  context_.mutex->AssertHeld();
  const size_t ended = std::erase_if(notices_, [cfd](const Notice& notice) {
    return notice.cfd == cfd && notice.teller == std::this_thread::get_id();
  });
  INVARIANT(ended == 1);
  context_.changes->Note();
}

Status FlushDesk::Wait(ColumnFamilyData* cfd, uint64_t memtable_id) {
  INVARIANT(cfd != nullptr);
  context_.mutex->AssertHeld();
  while (true) {
    const auto waiting = cfd->imm()->current();
    const bool is_done = std::none_of(
        waiting->begin(), waiting->end(),
        [memtable_id](const MemTableRef& m) { return m->id() <= memtable_id; });
    if (is_done && !IsBeingTold(cfd, memtable_id)) return Status::OK();
    // What comes after the flush is no fault of it.
    if (!is_done) {
      if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
      if (context_.stop->IsShuttingDown()) return Status::ShutdownInProgress();
      if (context_.errors->BlocksWrites()) return context_.errors->error();
    }
    context_.changes->AwaitForUser();
  }
}

}  // namespace ROCKSDB_NAMESPACE
