// The parts that take writes in, put together: what a database that writes has
// beside those that read and those that work in the background.
//
// Threads    As each part says. NoteFamily() by who makes a family.
// Ownership  Owns the parts, which borrow from each other and from what is
//            given.
#pragma once

#include <memory>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class BatchIngest;
class ChangeSignal;
class CleanUp;
class ColumnFamilyData;
class CurrentOptions;
class DB;
class DatabaseStats;
class DirectBlobs;
class ErrorHandler;
class FamilyMemTables;
class FamilyPublisher;
class FamilyRegistry;
class FlushDesk;
class FlushRequests;
class FlushRunner;
class GroupLog;
class JobContexts;
class JobErrors;
class LeaderAttention;
class LogKeeper;
class MemtableSwitch;
class ObsoleteFiles;
class QueryTracer;
class ReadPort;
class SectionKeeper;
class StallControl;
class StopSignals;
class VersionSet;
class WalLock;
class WriteChecks;
class WriteController;
class WriteMemory;
class WritePipeline;
class WriteThread;
class WriterStalls;
struct ImmutableDBOptions;

class Intake {
 public:
  // What a write goes by, and what it may have to wait for.
  struct Surroundings {
    DB* handed_out = nullptr;  // what listeners are handed
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    CurrentOptions* options = nullptr;
    FamilyRegistry* families = nullptr;  // (mutex)
    FamilyPublisher* publisher = nullptr;
    VersionSet* versions = nullptr;
    ReadPort* reads = nullptr;
    DatabaseStats* counts = nullptr;
    QueryTracer* tracer = nullptr;
    ChangeSignal* changes = nullptr;
    const StopSignals* stop = nullptr;
    ErrorHandler* error = nullptr;  // (mutex)
    JobErrors* errors = nullptr;
  };
  // The parts of the database that the intake works with.
  struct Neighbours {
    BackgroundScheduler* scheduler = nullptr;  // (mutex)
    FlushDesk* flushes = nullptr;
    FlushRunner* flush_runner = nullptr;
    CleanUp* clean_up = nullptr;
    ObsoleteFiles* obsolete = nullptr;
    LogKeeper* logs = nullptr;
    SectionKeeper* sections = nullptr;
    const JobContexts* jobs = nullptr;
  };
  // How writers line up, and what holds them back.
  struct Lines {
    WriteThread* writes = nullptr;
    WriteThread* log_only = nullptr;
    WalLock* wal_lock = nullptr;
    WriteController* controller = nullptr;
    StallControl* stalls = nullptr;  // (mutex)
    WriteMemory* memory = nullptr;
    LeaderAttention* attention = nullptr;
  };
  Intake(const Surroundings& around, const Neighbours& neighbours,
         const Lines& lines);
  ~Intake();
  Intake(const Intake&) = delete;
  Intake& operator=(const Intake&) = delete;

  // There is a family, or one more: the default one first.
  void NoteFamily(ColumnFamilyData* cfd);

  const WriteChecks* checks() const { return checks_.get(); }
  MemtableSwitch* memtables() const { return memtables_.get(); }
  FlushRequests* flush_requests() const { return flush_requests_.get(); }
  FamilyMemTables* targets() const { return targets_.get(); }
  GroupLog* log() const { return log_.get(); }
  WritePipeline* pipeline() const { return pipeline_.get(); }
  BatchIngest* batches() const { return batches_.get(); }
  DirectBlobs* direct_blobs() const { return direct_blobs_.get(); }

 private:
  // In the order in which they are made.
  std::unique_ptr<WriteChecks> checks_;
  std::unique_ptr<MemtableSwitch> memtables_;
  std::unique_ptr<WriterStalls> waits_;
  std::unique_ptr<FlushRequests> flush_requests_;
  std::unique_ptr<FamilyMemTables> targets_;
  std::unique_ptr<GroupLog> log_;
  std::unique_ptr<DirectBlobs> direct_blobs_;
  std::unique_ptr<WritePipeline> pipeline_;
  std::unique_ptr<BatchIngest> batches_;
};

}  // namespace ROCKSDB_NAMESPACE
