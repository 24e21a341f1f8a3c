// What operators may look at of a database: its parts, none of which is
// changed by a look.
//
// Threads    The parts that say (mutex) under the DB mutex, the others as their
//            own headers say.
// Ownership  Borrows all of it. Once the database is closed there are no
//            families, and nothing that is found by one is looked at.
#pragma once

#include <string>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class Cache;
class EphemeralReaders;
class ErrorHandler;
class FamilyRegistry;
class FreshStage;
class GovernorMembership;
class ObsoleteFiles;
class SnapshotList;
class StopSignals;
class VersionSet;
class WalManager;
class WriteController;
struct ImmutableDBOptions;

struct Observed {
  std::string db_name;
  const ImmutableDBOptions* db = nullptr;
  Mutex* mutex = nullptr;
  const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
  const BackgroundScheduler* background PT_GUARDED_BY(mutex) = nullptr;
  const ErrorHandler* errors PT_GUARDED_BY(mutex) = nullptr;
  const SnapshotList* snapshots PT_GUARDED_BY(mutex) = nullptr;
  const VersionSet* versions = nullptr;  // (mutex) but for its counters
  const StopSignals* stop = nullptr;
  const ObsoleteFiles* obsolete = nullptr;
  const WriteController* writes = nullptr;  // null: nothing is written
  const WalManager* wal = nullptr;          // null: it writes none
  const FreshStage* fresh = nullptr;        // null: off
  const GovernorMembership* io_governor = nullptr;
  const EphemeralReaders* ephemeral = nullptr;
  Cache* table_cache = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
