#include "db/intake/intake.h"

#include "db/family/column_family.h"
#include "db/files/log_keeper.h"
#include "db/intake/batch_ingest.h"
#include "db/intake/direct_blobs.h"
#include "db/intake/family_memtables.h"
#include "db/intake/flush_requests.h"
#include "db/intake/group_log.h"
#include "db/intake/memtable_switch.h"
#include "db/intake/write_checks.h"
#include "db/intake/write_pipeline.h"
#include "db/intake/writer_stalls.h"
#include "db/wal/wal_manager.h"
#include "db/write/write_memory.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

MemtableSwitch::Context SwitchContext(const Intake::Surroundings& around,
                                      const Intake::Neighbours& neighbours,
                                      const Intake::Lines& lines) {
  return {.db = around.db,
          .mutex = around.mutex,
          .options = around.options,
          .families = around.families,
          .scheduler = neighbours.scheduler,
          .stalls = lines.stalls,
          .versions = around.versions,
          .publisher = around.publisher,
          .flushes = neighbours.flushes,
          .logs = neighbours.logs,
          .memory = lines.memory,
          .attention = lines.attention,
          .errors = around.errors};
}

WriterStalls::Context StallContext(const Intake::Surroundings& around,
                                   FlushDesk* flushes,
                                   MemtableSwitch* memtables,
                                   const Intake::Lines& lines) {
  return {.db = around.db,
          .mutex = around.mutex,
          .errors = around.error,
          .writes = lines.writes,
          .controller = lines.controller,
          .memory = lines.memory,
          .memtables = memtables,
          .flushes = flushes,
          .attention = lines.attention,
          .counts = around.counts,
          .changes = around.changes,
          .stop = around.stop};
}

FlushRequests::Context RequestContext(const Intake::Surroundings& around,
                                      const Intake::Neighbours& neighbours,
                                      WalLock* wal_lock,
                                      MemtableSwitch* memtables) {
  return {.handed_out = around.handed_out,
          .db = around.db,
          .mutex = around.mutex,
          .families = around.families,
          .scheduler = neighbours.scheduler,
          .errors = around.error,
          .wal_lock = wal_lock,
          .memtables = memtables,
          .desk = neighbours.flushes,
          .runner = neighbours.flush_runner,
          .publisher = around.publisher,
          .obsolete = neighbours.obsolete,
          .changes = around.changes,
          .stop = around.stop};
}

GroupLog::Context LogContext(const Intake::Surroundings& around,
                             const Intake::Neighbours& neighbours,
                             const Intake::Lines& lines) {
  return {.db = around.db,
          .mutex = around.mutex,
          .error = around.error,
          .log_only = lines.log_only,
          .versions = around.versions,
          .logs = neighbours.logs,
          .wal_lock = lines.wal_lock,
          .flushes = neighbours.flushes,
          .sections = neighbours.sections,
          .clean_up = neighbours.clean_up,
          .attention = lines.attention,
          .counts = around.counts,
          .tracer = around.tracer,
          .stop = around.stop,
          .errors = around.errors};
}

}  // namespace

Intake::Intake(const Surroundings& around, const Neighbours& neighbours,
               const Lines& lines)
    : checks_(std::make_unique<WriteChecks>(around.mutex, around.versions)),
      memtables_(std::make_unique<MemtableSwitch>(
          SwitchContext(around, neighbours, lines))),
      waits_(std::make_unique<WriterStalls>(
          StallContext(around, neighbours.flushes, memtables_.get(), lines))),
      flush_requests_(std::make_unique<FlushRequests>(RequestContext(
          around, neighbours, lines.wal_lock, memtables_.get()))),
      targets_(std::make_unique<FamilyMemTables>(around.versions, around.reads,
                                                 memtables_.get())),
      log_(std::make_unique<GroupLog>(LogContext(around, neighbours, lines))),
      direct_blobs_(std::make_unique<DirectBlobs>(
          DirectBlobs::Context{.db = around.db,
                               .mutex = around.mutex,
                               .families = around.families,
                               .jobs = neighbours.jobs})),
      pipeline_(std::make_unique<WritePipeline>(
          WritePipeline::Context{.db = around.db,
                                 .mutex = around.mutex,
                                 .error = around.error,
                                 .writes = lines.writes,
                                 .versions = around.versions,
                                 .checks = checks_.get(),
                                 .log = log_.get(),
                                 .direct_blobs = direct_blobs_.get(),
                                 .targets = targets_.get(),
                                 .memtables = memtables_.get(),
                                 .waits = waits_.get(),
                                 .wal_lock = lines.wal_lock,
                                 .sections = neighbours.sections,
                                 .memory = lines.memory->manager(),
                                 .attention = lines.attention,
                                 .counts = around.counts,
                                 .tracer = around.tracer,
                                 .stop = around.stop,
                                 .errors = around.errors})),
      batches_(std::make_unique<BatchIngest>(
          BatchIngest::Context{.db = around.db,
                               .mutex = around.mutex,
                               .writes = lines.writes,
                               .versions = around.versions,
                               .checks = checks_.get(),
                               .pipeline = pipeline_.get(),
                               .log = log_.get(),
                               .direct_blobs = direct_blobs_.get(),
                               .memtables = memtables_.get(),
                               .waits = waits_.get(),
                               .flushes = neighbours.flushes,
                               .sections = neighbours.sections,
                               .publisher = around.publisher})) {
  neighbours.logs->wal()->SyncFirst([this] { return direct_blobs_->Sync(); });
}

Intake::~Intake() = default;

void Intake::NoteFamily(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  checks_->NoteFamily(cfd);
  if (cfd->ioptions().enable_blob_direct_write) direct_blobs_->TurnOn();
  if (cfd->id() == 0) targets_->SetDefault(cfd);
}

}  // namespace ROCKSDB_NAMESPACE
