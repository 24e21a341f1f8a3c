// The families of a database, and how what becomes of them is made visible:
// their states to reads, their stalls to writers, what they hold in memory to
// all who share its manager.
//
// Threads    As each part says.
// Ownership  Owns the parts, which borrow from each other and from what is
//            given.
#pragma once

#include <memory>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class FamilyPublisher;
class FamilyRegistry;
class LeaderAttention;
class StallControl;
class StatePublisher;
class WriteController;
class WriteMemory;
struct Foundation;

class FamilyParts {
 public:
  // The parts through which stalls hold writers back.
  struct Writers {
    WriteController* controller = nullptr;
    LeaderAttention* attention = nullptr;
  };
  // `writers`: null where nothing is written, and nothing stalls then.
  FamilyParts(Foundation* base, const Writers* writers);
  ~FamilyParts();
  FamilyParts(const FamilyParts&) = delete;
  FamilyParts& operator=(const FamilyParts&) = delete;

  FamilyRegistry* registry() const { return registry_.get(); }  // (mutex)
  StatePublisher* states() const { return states_.get(); }
  StallControl* stalls() const { return stalls_.get(); }  // (mutex)
  FamilyPublisher* publisher() const { return publisher_.get(); }
  WriteMemory* memory() const { return memory_.get(); }

  // Nobody reads any more: all families go, as far as nobody else holds them.
  void Release();

 private:
  Foundation* const base_;
  // In the order in which they are made.
  const std::unique_ptr<FamilyRegistry> registry_;
  const std::unique_ptr<StatePublisher> states_;
  std::unique_ptr<StallControl> stalls_;  // null: nothing is written
  std::unique_ptr<FamilyPublisher> publisher_;
  std::unique_ptr<WriteMemory> memory_;
};

}  // namespace ROCKSDB_NAMESPACE
