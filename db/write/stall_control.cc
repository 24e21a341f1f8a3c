#include "db/write/stall_control.h"

#include <algorithm>
#include <utility>

#include "db/compaction/compaction_pace.h"
#include "db/registry/change_signal.h"
#include "db/registry/family_registry.h"
#include "db/registry/stall_change.h"
#include "db/registry/write_stall.h"
#include "db/write/ingest_rate.h"
#include "db/write/write_controller.h"
#include "file/io_governor.h"
#include "file/io_pace.h"
#include "memtable/memtable.h"
#include "options/db_options.h"
#include "rocksdb/info_log.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

StallInput StallOf(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  StallInput input;
  input.immutable_memtable_count = static_cast<int>(cfd->imm()->size());
  input.memtables_to_merge = cfd->ioptions().min_write_buffer_number_to_merge;
  input.level0_file_count = cfd->current()->storage().Level0StallCount();
  input.pending_compaction_bytes =
      cfd->current()->storage().PendingCompactionBytes();
  INVARIANT(input.immutable_memtable_count >= 0);
  INVARIANT(input.level0_file_count >= 0);
  return input;
}

}  // namespace

StallControl::StallControl(const Context& context)
    : context_(context), ingest_rate_(std::make_unique<IngestRate>()) {}

StallControl::~StallControl() = default;

void StallControl::NoteSealed(uint64_t bytes) {
  ingest_rate_->Note(bytes, context_.db->clock->NowMicros(),
                     context_.writes->delayed_rate() == 0);
}

bool StallControl::WouldStall(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  if (cfd->is_dropped() || cfd->mem()->empty()) return false;
  StallInput next = StallOf(cfd);
  ++next.immutable_memtable_count;
  ++next.level0_file_count;
  return DecideStall(next, *cfd->options()).condition !=
         WriteStallCondition::kNormal;
}

int StallControl::ProximityPercent() const {
  int nearest = 0;
  for (const auto& entry : *context_.families) {
    ColumnFamilyData* const cfd = entry.second->cfd.get();
    nearest =
        std::max(nearest, StallProximityPercent(StallOf(cfd), *cfd->options()));
  }
  return nearest;
}

std::vector<StallChange> StallControl::TakeChanges() {
  return std::exchange(stall_changes_, {});
}

WriteStallCondition StallControl::Update(FamilyEntry* family) {
  INVARIANT(family != nullptr);
  ColumnFamilyData* cfd = family->cfd.get();
  const StallInput input = StallOf(cfd);
  const StallDecision decision = DecideStall(input, *cfd->options());
  const WriteStallCondition before = family->stall;
  family->stall = decision.condition;
  family->stall_debt = decision.debt;
  const bool begins = before != decision.condition &&
                      decision.condition != WriteStallCondition::kNormal;
  if (before != decision.condition) {
    if (begins) {
      const auto& level0 = cfd->current()->storage().files(0);
      const bool compacts_level0 = std::any_of(
          level0.begin(), level0.end(),
          [](const FileRef& file) { return file->being_compacted; });
      family->stats.AddStall(decision.cause, decision.condition,
                             compacts_level0);
    }
    stall_changes_.push_back({cfd->name(), {decision.condition, before}});
  }
  const WriteStallCondition worst = UpdateWorst();
  if (begins) {
    Warn(context_.db->logger, "[%s] %s", cfd->name().c_str(),
         StallText(input, *cfd->options(), decision,
                   context_.writes->delayed_rate())
             .c_str());
  }
  INVARIANT(worst != WriteStallCondition::kNormal ||
            family->stall == WriteStallCondition::kNormal);
  return worst;
}

// Writers wait for the family that is worst off.
WriteStallCondition StallControl::UpdateWorst() {
  WriteStallCondition worst = WriteStallCondition::kNormal;
  double debt = 0;
  for (const auto& entry : *context_.families) {
    const FamilyEntry& other = *entry.second;
    if (other.stall == WriteStallCondition::kStopped) {
      worst = WriteStallCondition::kStopped;
    } else if (other.stall == WriteStallCondition::kDelayed &&
               worst == WriteStallCondition::kNormal) {
      worst = WriteStallCondition::kDelayed;
    }
    debt = std::max(debt, other.stall_debt);
  }
  INVARIANT(debt >= 0);
  const DelayRates rates{
      .before = ingest_rate_->bytes_per_second(),
      .delayed_write_rate = std::max<uint64_t>(1, delayed_rate_)};
  context_.writes->Update(worst, DelayedWriteRate(rates, debt));
  // A database that is about to hold writers back goes first at the device.
  context_.io_governor->SetUrgent(worst != WriteStallCondition::kNormal);
  SetDeepPace(worst);
  context_.changes->Note();
  return worst;
}

// Compactions below level 0 go as fast as the debt asks, and no faster while
// users read from the device.
void StallControl::SetDeepPace(WriteStallCondition worst) {
  const IoGovernor* governor = context_.io_governor->governor();
  if (governor == nullptr || is_closed_) return;
  CompactionPaceInput input;
  input.free_running_debt_bytes = UINT64_MAX;
  for (const auto& entry : *context_.families) {
    const ColumnFamilyData& cfd = *entry.second->cfd;
    const VersionStorage& storage = cfd.current()->storage();
    const uint64_t free = DebtToRunFreely(*cfd.options());
    INVARIANT(free > 0);
    input.debt_bytes += storage.PendingCompactionBytes();
    input.free_running_debt_bytes =
        std::min(input.free_running_debt_bytes, free);
    input.deep_bytes_per_ingested_byte = std::max(
        input.deep_bytes_per_ingested_byte, DeepBytesPerIngestedByte(storage));
  }
  input.ingest_bytes_per_second = ingest_rate_->bytes_per_second();
  input.device_bytes_per_second = governor->Stats().bandwidth_bytes_per_second;
  const bool must_run_freely = worst != WriteStallCondition::kNormal;
  context_.io_governor->deep_pace()->SetRate(
      must_run_freely ? 0 : DeepCompactionRate(input));
}

}  // namespace ROCKSDB_NAMESPACE
