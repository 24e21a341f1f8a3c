// Makes what has become of a family visible: its state to reads, its stall to
// writers.
//
// Threads    Under the DB mutex: whoever has one guards it.
// Ownership  Borrows what it is given.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class FamilyRegistry;
class LeaderAttention;
class StallControl;
class StatePublisher;

class FamilyPublisher {
 public:
  struct Context {
    const FamilyRegistry* families = nullptr;
    StatePublisher* states = nullptr;
    StallControl* stalls = nullptr;  // null: nobody writes
    LeaderAttention* attention = nullptr;
  };
  explicit FamilyPublisher(const Context& context) : context_(context) {}

  void Publish(ColumnFamilyData* cfd);
  // A family has gone, and with it its stall.
  void NoteRemoved();

 private:
  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
