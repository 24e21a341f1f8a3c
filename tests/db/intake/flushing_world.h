// Flushes for real, over the parts of a PipelineWorld: they run when a test
// says so (`env`), or in the thread that asks for them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "db/files/file_room.h"
#include "db/files/options_files.h"
#include "db/intake/flush_requests.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/edit_context.h"
#include "db/jobs/flush_runner.h"
#include "db/jobs/job_contexts.h"
#include "db/registry/sequence_ages.h"
#include "db/semantics/snapshot_list.h"
#include "tests/db/intake/pipeline_world.h"

namespace ROCKSDB_NAMESPACE {

class FlushingWorld : public PipelineWorld {
 public:
  // After the options in `f` are set.
  void Open() {
    PipelineWorld::Open();
    const ImmutableDBOptions* const db = f.db.get();
    obsolete->Arm();
    ages = std::make_unique<SequenceAges>(db, mutex, &families, versions());
    queue = std::make_unique<CompactionQueue>(
        CompactionQueue::Context{.db = db,
                                 .mutex = mutex,
                                 .options = options.get(),
                                 .families = &families,
                                 .scheduler = &scheduler,
                                 .snapshots = &snapshots,
                                 .changes = &changes,
                                 .stop = &stop,
                                 .versions = versions()});
    contexts = std::make_unique<JobContexts>(
        JobContexts::Context{.db = db,
                             .db_name = "/db",
                             .session_id = "NVX5J2V5R5ORAM6WHLQV",
                             .file_options = FileOptions(),
                             .mutex = mutex,
                             .options = options.get(),
                             .versions = versions(),
                             .directory = stored.directory.get(),
                             .io_governor = governor.get(),
                             .page_cache_room = nullptr,
                             .obsolete = obsolete.get(),
                             .scheduler = &scheduler,
                             .snapshots = &snapshots,
                             .stop = &stop,
                             .ages = ages.get()});
    options_files = std::make_unique<OptionsFiles>(
        OptionsFiles::Context{.db = db,
                              .db_name = "/db",
                              .mutex = mutex,
                              .versions = versions(),
                              .obsolete = obsolete.get(),
                              .directory = stored.directory.get()});
    room = std::make_unique<FileRoom>(
        FileRoom::Context{.db = db,
                          .db_name = "/db",
                          .wal_dir = "/db",
                          .mutex = mutex,
                          .families = &families,
                          .versions = versions(),
                          .wal = logs->wal(),
                          .obsolete = obsolete.get(),
                          .options_files = options_files.get()});
    MakeFlushes();
    MutexLock lock(mutex);
    scheduler.SetLimits(**options);
    scheduler.Open();
  }
  // What those borrow who change the manifest.
  EditContext Edits() {
    return {.mutex = mutex,
            .families = &families,
            .scheduler = &scheduler,
            .error = &errors,
            .versions = versions(),
            .directory = stored.directory.get(),
            .publisher = publisher.get(),
            .compactions = queue.get(),
            .changes = &changes,
            .stop = &stop,
            .errors = job_errors()};
  }
  // The tables of the default family, with what they hold: "L0 [a@1=v]".
  std::string Tables() { return stored.Dump(); }

  SnapshotList snapshots;
  std::unique_ptr<SequenceAges> ages;
  std::unique_ptr<CompactionQueue> queue;
  std::unique_ptr<JobContexts> contexts;
  std::unique_ptr<OptionsFiles> options_files;
  std::unique_ptr<FileRoom> room;
  std::unique_ptr<FlushRunner> runner;
  std::unique_ptr<FlushRequests> requests;

 private:
  void MakeFlushes() {
    const ImmutableDBOptions* const db = f.db.get();
    runner = std::make_unique<FlushRunner>(
        FlushRunner::Context{.handed_out = nullptr,
                             .db = db,
                             .mutex = mutex,
                             .families = &families,
                             .scheduler = &scheduler,
                             .desk = flushes.get(),
                             .logs = logs.get(),
                             .jobs = contexts.get(),
                             .publisher = publisher.get(),
                             .memory = memory.get(),
                             .compactions = queue.get(),
                             .files = room.get(),
                             .changes = &changes,
                             .errors = job_errors()});
    requests = std::make_unique<FlushRequests>(
        FlushRequests::Context{.handed_out = nullptr,
                               .db = db,
                               .mutex = mutex,
                               .families = &families,
                               .scheduler = &scheduler,
                               .errors = &errors,
                               .wal_lock = &wal_lock,
                               .memtables = memtables.get(),
                               .desk = flushes.get(),
                               .runner = runner.get(),
                               .publisher = publisher.get(),
                               .obsolete = obsolete.get(),
                               .changes = &changes,
                               .stop = &stop});
  }
  void FlushInBackground() override { runner->Run(); }
  // None changes anything.
  void CompactInBackground() override {
    MutexLock lock(mutex);
    const std::optional<uint32_t> id = scheduler.TakeCompaction();
    if (id.has_value()) {
      families.Find(*id)->cfd->schedule.queued_for_compaction = false;
    }
    scheduler.BeginCompaction();
    scheduler.LeaveCompactions();
  }
};

}  // namespace ROCKSDB_NAMESPACE
