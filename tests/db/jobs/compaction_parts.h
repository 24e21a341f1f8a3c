// The parts that pick compactions and run them, put together over what a world
// has around them.
#pragma once

#include <memory>

#include "db/files/space_reserve.h"
#include "db/jobs/compaction_desk.h"
#include "db/jobs/compaction_runner.h"
#include "db/jobs/edit_context.h"
#include "db/jobs/manual_compactions.h"
#include "db/jobs/picker_inputs.h"
#include "db/jobs/remote_runs.h"

namespace ROCKSDB_NAMESPACE {

class CompactionParts {
 public:
  struct Around : EditContext {
    const ImmutableDBOptions* db = nullptr;
    const CurrentOptions* options = nullptr;
    ManualQueue* manual = nullptr;
    LevelPlacing* placing = nullptr;
    JobContexts* jobs = nullptr;
    SequenceAges* ages = nullptr;
  };
  void MakeCompactions(const Around& around) {
    space = std::make_unique<SpaceReserve>(
        SpaceReserve::Context{.db = around.db,
                              .db_name = "/db",
                              .mutex = around.mutex,
                              .families = around.families});
    remote = std::make_unique<RemoteRuns>(around.db, around.stop);
    runner = std::make_unique<CompactionRunner>(
        CompactionRunner::Context{.handed_out = nullptr,
                                  .db = around.db,
                                  .mutex = around.mutex,
                                  .scheduler = around.scheduler,
                                  .publisher = around.publisher,
                                  .queue = around.compactions,
                                  .jobs = around.jobs,
                                  .remote = remote.get(),
                                  .stop = around.stop,
                                  .changes = around.changes});
    inputs = std::make_unique<PickerInputs>(around.mutex, around.options,
                                            around.ages);
    desk = std::make_unique<CompactionDesk>(
        CompactionDesk::Context{.mutex = around.mutex,
                                .inputs = inputs.get(),
                                .families = around.families,
                                .scheduler = around.scheduler,
                                .manual = around.manual,
                                .queue = around.compactions,
                                .runner = runner.get(),
                                .space = space.get(),
                                .stop = around.stop,
                                .changes = around.changes,
                                .errors = around.errors});
    on_request = std::make_unique<ManualCompactions>(
        ManualCompactions::Context{.mutex = around.mutex,
                                   .families = around.families,
                                   .scheduler = around.scheduler,
                                   .manual = around.manual,
                                   .placing = around.placing,
                                   .publisher = around.publisher,
                                   .error = around.error,
                                   .versions = around.versions,
                                   .directory = around.directory,
                                   .queue = around.compactions,
                                   .runner = runner.get(),
                                   .inputs = inputs.get(),
                                   .space = space.get(),
                                   .stop = around.stop,
                                   .changes = around.changes,
                                   .errors = around.errors});
  }

  std::unique_ptr<SpaceReserve> space;
  std::unique_ptr<RemoteRuns> remote;
  std::unique_ptr<CompactionRunner> runner;
  std::unique_ptr<PickerInputs> inputs;
  std::unique_ptr<CompactionDesk> desk;
  std::unique_ptr<ManualCompactions> on_request;
};

}  // namespace ROCKSDB_NAMESPACE
