// The way of a write, put together over the parts of an IntakeWorld: checks,
// groups, logs and memtables, and reads of what has been written.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "db/intake/batch_ingest.h"
#include "db/intake/direct_blobs.h"
#include "db/intake/family_memtables.h"
#include "db/intake/write_checks.h"
#include "db/intake/write_pipeline.h"
#include "db/lookup/read_port.h"
#include "db/write/write_hooks.h"
#include "tests/db/intake/intake_world.h"

namespace ROCKSDB_NAMESPACE {

class PipelineWorld : public IntakeWorld {
 public:
  // After the options in `f` are set: nothing is due.
  void Open() {
    IntakeWorld::Open();
    checks = std::make_unique<WriteChecks>(mutex, versions());
    checks->NoteFamily(default_family);
    reads = std::make_unique<ReadPort>(
        ReadPort::Context{.owner = nullptr,
                          .db = f.db.get(),
                          .mutex = mutex,
                          .versions = versions(),
                          .obsolete = obsolete.get(),
                          .has_unlogged = flushes->has_unlogged(),
                          .follow_mutex = nullptr,
                          .writers = nullptr,
                          .tracer = &tracer});
    targets = std::make_unique<FamilyMemTables>(versions(), reads.get(),
                                                memtables.get());
    targets->SetDefault(default_family);
    blobs = std::make_unique<DirectBlobs>(DirectBlobs::Context{
        .db = f.db.get(), .mutex = mutex, .families = &families});
    pipeline = std::make_unique<WritePipeline>(
        WritePipeline::Context{.db = f.db.get(),
                               .mutex = mutex,
                               .error = &errors,
                               .writes = &writes,
                               .versions = versions(),
                               .checks = checks.get(),
                               .log = group_log.get(),
                               .direct_blobs = blobs.get(),
                               .targets = targets.get(),
                               .memtables = memtables.get(),
                               .waits = waits.get(),
                               .wal_lock = &wal_lock,
                               .sections = sections.get(),
                               .memory = memory->manager(),
                               .attention = &attention,
                               .counts = &counts,
                               .tracer = &tracer,
                               .stop = &stop,
                               .errors = job_errors()});
    batches = std::make_unique<BatchIngest>(
        BatchIngest::Context{.db = f.db.get(),
                             .mutex = mutex,
                             .writes = &writes,
                             .versions = versions(),
                             .checks = checks.get(),
                             .pipeline = pipeline.get(),
                             .log = group_log.get(),
                             .direct_blobs = blobs.get(),
                             .memtables = memtables.get(),
                             .waits = waits.get(),
                             .flushes = flushes.get(),
                             .sections = sections.get(),
                             .publisher = publisher.get()});
    attention.Clear();
  }

  // A prepared section is in the log, whose number this is.
  uint64_t Prepare(const std::string& name, const WriteBatch& updates) {
    WriteBatch batch;
    WriteBatchInternal::AddMarker(&batch, kTypeNoop);
    EXPECT_TRUE(WriteBatchInternal::Append(&batch, updates,
                                           WriteBatchInternal::Part::kAll)
                    .ok());
    EXPECT_TRUE(
        WriteBatchInternal::MarkEndPrepare(&batch, name, kTypeBeginPrepareXID)
            .ok());
    uint64_t log = 0;
    const SectionWrite section{.name = name, .log_number = &log};
    const Status s =
        pipeline->WriteOwn(WriteOptions(), &batch, {.section = &section});
    EXPECT_TRUE(s.ok()) << s.ToString();
    return log;
  }

  std::unique_ptr<WriteChecks> checks;
  std::unique_ptr<ReadPort> reads;
  std::unique_ptr<FamilyMemTables> targets;
  std::unique_ptr<DirectBlobs> blobs;
  std::unique_ptr<WritePipeline> pipeline;
  std::unique_ptr<BatchIngest> batches;
};

}  // namespace ROCKSDB_NAMESPACE
