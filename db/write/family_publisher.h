// Makes what has become of a family visible: its state to reads, its stall to
// writers and, later, to listeners.
//
// Threads    Under the DB mutex, but for Tell() and FreeAndTell().
// Ownership  Borrows what it is given.
#pragma once

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class FamilyRegistry;
class LeaderAttention;
class PressureNotice;
class StallControl;
class StatePublisher;
struct ImmutableDBOptions;

class FamilyPublisher {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families = nullptr;
    StatePublisher* states = nullptr;
    StallControl* stalls = nullptr;  // null: nobody writes
    LeaderAttention* attention = nullptr;
  };
  explicit FamilyPublisher(const Context& context) : context_(context) {}

  // Tells by `pressure`, too, from here on; null: not any more. For the thread
  // that opens or closes the database.
  void SetPressure(PressureNotice* pressure) { pressure_ = pressure; }

  void Publish(ColumnFamilyData* cfd);
  // A family has gone, and with it its stall.
  void NoteRemoved();
  // Tells listeners of stalls that have begun or ended, and of what jobs are
  // under. Whoever comes while another thread tells leaves it to that thread,
  // so that listeners hear of changes in their order.
  void Tell() EXCLUDES(context_.mutex);
  // Frees what nobody reads any more, and tells.
  void FreeAndTell() EXCLUDES(context_.mutex);

 private:
  void TellStalls() EXCLUDES(context_.mutex);

  const Context context_;
  PressureNotice* pressure_ = nullptr;
  bool is_telling_ GUARDED_BY(context_.mutex) = false;
};

}  // namespace ROCKSDB_NAMESPACE
