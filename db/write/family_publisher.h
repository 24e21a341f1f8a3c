// Makes what has become of a family visible: its state to reads, its stall to
// writers and, later, to listeners.
//
// Threads    Under the DB mutex, but for FreeAndTell().
// Ownership  Borrows what it is given.
#pragma once

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class FamilyRegistry;
class LeaderAttention;
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

  void Publish(ColumnFamilyData* cfd);
  // A family has gone, and with it its stall.
  void NoteRemoved();
  // Frees what nobody reads any more, and tells listeners of stalls that have
  // begun or ended.
  void FreeAndTell() EXCLUDES(context_.mutex);

 private:
  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
