// When writers are slowed down or stopped, and how fast compactions below
// level 0 go: by what families hold in memory, in level 0, and as debt.
//
// Writers wait for the family that is worst off. While nobody waits, deep
// compactions go as fast as the debt asks, and no faster while users read from
// the device.
//
// Threads    All under the DB mutex: whoever has one guards it.
// Ownership  Borrows what it is given.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

class ChangeSignal;
class ColumnFamilyData;
class FamilyRegistry;
class GovernorMembership;
class IngestRate;
class WriteController;
struct FamilyEntry;
struct ImmutableDBOptions;
struct StallChange;

class StallControl {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    const FamilyRegistry* families = nullptr;
    WriteController* writes = nullptr;
    ChangeSignal* changes = nullptr;
    const GovernorMembership* io_governor = nullptr;
  };
  explicit StallControl(const Context& context);
  ~StallControl();
  StallControl(const StallControl&) = delete;
  StallControl& operator=(const StallControl&) = delete;

  // DBOptions::delayed_write_rate; counts from the next Update() on.
  void SetDelayedRate(uint64_t bytes_per_second) {
    delayed_rate_ = bytes_per_second;
  }
  // A memtable with so much in it was sealed.
  void NoteSealed(uint64_t bytes);
  // What the family has is another. The stall that is in force then.
  WriteStallCondition Update(FamilyEntry* family);
  // A family has gone.
  WriteStallCondition UpdateWorst();
  // Deep compactions keep to no pace any more.
  void Close() { is_closed_ = true; }

  // Would writers be slowed down or stopped by one more sealed memtable, and
  // then by one more file?
  static bool WouldStall(ColumnFamilyData* cfd);
  // How near the worst family is to slowing writers down, in percent of what
  // does; 100 and more: it does.
  int ProximityPercent() const;
  // What listeners are to be told of, since the call before.
  std::vector<StallChange> TakeChanges();

 private:
  void SetDeepPace(WriteStallCondition worst);

  const Context context_;
  uint64_t delayed_rate_ = 1;
  const std::unique_ptr<IngestRate> ingest_rate_;
  std::vector<StallChange> stall_changes_;
  bool is_closed_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
