// The parts that compact, put together over a version set and its files,
// without a database around them. Jobs run in the threads of Env::Default().
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/job_errors.h"
#include "db/background/level_placing.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/files/obsolete_files.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/job_contexts.h"
#include "db/registry/change_signal.h"
#include "db/registry/current_options.h"
#include "db/registry/family_registry.h"
#include "db/registry/sequence_ages.h"
#include "db/registry/state_publisher.h"
#include "db/semantics/snapshot_list.h"
#include "db/write/family_publisher.h"
#include "db/write/leader_attention.h"
#include "db/write/write_controller.h"
#include "file/io_governor.h"
#include "tests/db/compaction/job_world.h"
#include "tests/db/jobs/compaction_parts.h"

namespace ROCKSDB_NAMESPACE {

class JobsWorld : public CompactionParts,
                  private BackgroundWork,
                  private JobErrors {
 public:
  // `prepare` may change the options before anything is made.
  explicit JobsWorld(const std::function<void(JobWorld*)>& prepare =
                         [](JobWorld*) {}) {
    prepare(&world);
    world.Create();
    const ImmutableDBOptions& db = *world.f.db;
    Mutex* const mutex = &world.mutex;
    states = std::make_unique<StatePublisher>(mutex, db.stats);
    ObsoleteFiles::Callbacks none;
    none.on_deleted = [](const std::string&, FileType, uint64_t,
                         const Status&) {};
    none.forget = [](UnreferencedTable) {};
    none.on_unattended = [] {};
    obsolete = std::make_shared<ObsoleteFiles>(&db, nullptr, std::move(none));
    governor = std::make_unique<GovernorMembership>(db.fs, IoLimits());
    options = std::make_unique<CurrentOptions>(mutex, world.f.db_options);
    ages = std::make_unique<SequenceAges>(&db, mutex, &families,
                                          world.versions.get());
    MutexLock lock(mutex);
    scheduler.SetLimits(**options);
    MakeJobs();
    if (world.cfd->mem() == nullptr) {
      world.cfd->SwitchMemTable(world.cfd->NewMemTable(0));
    }
    family = std::make_shared<FamilyEntry>(world.cfd->shared_from_this());
    std::unique_ptr<FSDirectory> directory;
    EXPECT_TRUE(
        db.fs->NewDirectory("/db", IOOptions(), &directory, nullptr).ok());
    family->directories.push_back(std::move(directory));
    families.Add(family);
    scheduler.Open();
  }
  ~JobsWorld() override {
    stop.ShutDown();
    {
      MutexLock lock(&world.mutex);
      while (!scheduler.IsIdle()) changes.Await();
      states->Withdraw(world.cfd);
    }
    states->Free();
    queue->StopRetries();
    FamilyRegistry::Map taken;
    {
      MutexLock lock(&world.mutex);
      taken = families.TakeAll();
    }
    taken.clear();
    family.reset();
  }

  // What a user's compaction of these keys would take, both ends included; to
  // be rewritten, even where it could move.
  std::unique_ptr<Compaction> Pick(int from, int to, const std::string& begin,
                                   const std::string& end) {
    world.mutex.AssertHeld();
    const Slice first(begin);
    const Slice last(end);
    CompactionPicker::Range range;
    range.input_level = from;
    range.output_level = to;
    range.begin = &first;
    range.end = &last;
    bool conflict = false;
    std::optional<InternalKey> rest;
    auto picked = family->picker->PickRange(inputs->Make(*family), range,
                                            &conflict, &rest);
    EXPECT_FALSE(conflict);
    if (picked != nullptr) picked->is_trivial_move = false;
    return picked;
  }

  JobWorld world;
  ChangeSignal changes{&world.mutex};
  StopSignals stop;
  ErrorHandler errors{/*paranoid_checks=*/true};
  ManualQueue manual;
  WriteController writes;
  SnapshotList snapshots;
  LevelPlacing placing{&changes};
  LeaderAttention attention;
  FamilyRegistry families;
  FamilyRef family;
  BackgroundScheduler scheduler{{.env = Env::Default(),
                                 .mutex = &world.mutex,
                                 .changes = &changes,
                                 .stop = &stop,
                                 .errors = &errors,
                                 .manual = &manual,
                                 .writes = &writes,
                                 .work = this}};
  std::unique_ptr<StatePublisher> states;
  std::shared_ptr<ObsoleteFiles> obsolete;
  std::unique_ptr<GovernorMembership> governor;
  std::unique_ptr<CurrentOptions> options;
  std::unique_ptr<SequenceAges> ages;
  std::unique_ptr<FamilyPublisher> publisher;
  std::unique_ptr<CompactionQueue> queue;
  std::unique_ptr<JobContexts> contexts;
  int told_errors = 0;

 private:
  void MakeJobs() {
    Mutex* const mutex = &world.mutex;
    const ImmutableDBOptions* const db = world.f.db.get();
    publisher = std::make_unique<FamilyPublisher>(
        FamilyPublisher::Context{.db = db,
                                 .mutex = mutex,
                                 .families = &families,
                                 .states = states.get(),
                                 .stalls = nullptr,
                                 .attention = &attention});
    queue = std::make_unique<CompactionQueue>(
        CompactionQueue::Context{.db = db,
                                 .mutex = mutex,
                                 .options = options.get(),
                                 .families = &families,
                                 .scheduler = &scheduler,
                                 .snapshots = &snapshots,
                                 .changes = &changes,
                                 .stop = &stop,
                                 .versions = world.versions.get()});
    contexts = std::make_unique<JobContexts>(
        JobContexts::Context{.db = db,
                             .db_name = "/db",
                             .session_id = "NVX5J2V5R5ORAM6WHLQV",
                             .file_options = FileOptions(),
                             .mutex = mutex,
                             .options = options.get(),
                             .versions = world.versions.get(),
                             .directory = world.directory.get(),
                             .io_governor = governor.get(),
                             .page_cache_room = nullptr,
                             .obsolete = obsolete.get(),
                             .scheduler = &scheduler,
                             .snapshots = &snapshots,
                             .stop = &stop,
                             .ages = ages.get()});
    Around around;
    static_cast<EditContext&>(around) = {.mutex = mutex,
                                         .families = &families,
                                         .scheduler = &scheduler,
                                         .error = &errors,
                                         .versions = world.versions.get(),
                                         .directory = world.directory.get(),
                                         .publisher = publisher.get(),
                                         .compactions = queue.get(),
                                         .changes = &changes,
                                         .stop = &stop,
                                         .errors = this};
    around.db = db;
    around.options = options.get();
    around.manual = &manual;
    around.placing = &placing;
    around.jobs = contexts.get();
    around.ages = ages.get();
    MakeCompactions(around);
  }
  void FlushInBackground() override {}
  void CompactInBackground() override { desk->Compact(); }
  void CompactToBottomInBackground() override { desk->CompactToBottom(); }
  void OnBackgroundError(const Status& status,
                         BackgroundErrorReason reason) override {
    ++told_errors;
    errors.Set(status, reason);
  }
  bool OnManifestError(const Status& status) override {
    OnBackgroundError(status, BackgroundErrorReason::kManifestWrite);
    return true;
  }
  void CheckSpaceLimit() override {}
};

}  // namespace ROCKSDB_NAMESPACE
