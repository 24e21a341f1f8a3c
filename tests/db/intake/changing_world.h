// What makes families and changes options while a database is open, put
// together over the parts of a FlushingWorld.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/files/file_access_chooser.h"
#include "db/intake/family_attacher.h"
#include "db/intake/family_changes.h"
#include "db/intake/intake.h"
#include "db/registry/family_handle.h"
#include "tests/db/intake/flushing_world.h"

namespace ROCKSDB_NAMESPACE {

class ChangingWorld : public FlushingWorld {
 public:
  // An open database always has a path.
  ChangingWorld() { f.db_options.db_paths.emplace_back("/db", UINT64_MAX); }

  // After the options in `f` are set: nobody has asked for attention.
  void Open() {
    FlushingWorld::Open();
    MakeIntake();
    intake->NoteFamily(default_family);
    attacher = std::make_unique<FamilyAttacher>(
        FamilyAttacher::Context{.db = f.db.get(),
                                .mutex = mutex,
                                .families = &families,
                                .versions = versions(),
                                .publisher = publisher.get(),
                                .logs = logs.get(),
                                .intake = intake.get()});
    access = std::make_unique<FileAccessChooser>(
        f.db.get(), FileOptions(), FileAccessChooser::Probing::kByFiles);
    FamilyChanges::Context context{Edits()};
    context.db = f.db.get();
    context.options = options.get();
    context.writes = &writes;
    context.wal_lock = &wal_lock;
    context.logs = logs.get();
    context.attacher = attacher.get();
    context.access = access.get();
    context.options_files = options_files.get();
    context.flushes = flushes.get();
    context.ages = ages.get();
    context.attention = &attention;
    family_changes = std::make_unique<FamilyChanges>(context);
    attention.Clear();
  }

  static std::unique_ptr<ColumnFamilyHandle> HandleOf(ColumnFamilyRef cfd) {
    return std::make_unique<ColumnFamilyHandleImpl>(nullptr, std::move(cfd),
                                                    nullptr);
  }
  Status Write(WriteBatch* batch) {
    return intake->pipeline()->Write(WriteOptions(), batch, nullptr);
  }
  Status Put(const ColumnFamilyRef& cfd, const std::string& key,
             const std::string& value = "v") {
    WriteBatch batch;
    Status s = batch.Put(HandleOf(cfd).get(), key, value);
    return s.ok() ? Write(&batch) : s;
  }
  std::string Get(const ColumnFamilyRef& cfd, const std::string& key) {
    PinnableSlice value;
    const Status s =
        reads->Get(ReadOptions(), HandleOf(cfd).get(), key, &value, nullptr);
    return s.ok() ? value.ToString() : s.IsNotFound() ? "none" : s.ToString();
  }

  bool Exists(const std::string& path) const {
    return f.fs->FileExists(path, IOOptions(), nullptr).ok();
  }
  // The names of the families that the manifest has.
  std::vector<std::string> FamilyNames() const {
    MutexLock lock(mutex);
    std::vector<std::string> names;
    for (const ColumnFamilyRef& cfd : versions()->families()->all()) {
      names.push_back(cfd->name());
    }
    return names;
  }
  // The number of the current OPTIONS file; 0: there is none.
  uint64_t CurrentOptionsFile() const {
    MutexLock lock(mutex);
    return options_files->current();
  }
  bool OptionsFileSays(const std::string& text) const {
    std::string all;
    const Status s = ReadFileToString(
        f.fs.get(), OptionsFileName("/db", CurrentOptionsFile()), IOOptions(),
        &all);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return all.find(text) != std::string::npos;
  }
  // Do jobs learn when sequences were given out?
  bool KnowsAges() const {
    JobContext job;
    MutexLock lock(mutex);
    ages->Tell(&job);
    return job.sequence_times != nullptr;
  }
  // A user locks the log.
  void LockLog() {
    ASSERT_TRUE(wal_lock.Take([] { return Status::OK(); }).ok());
  }

  std::unique_ptr<Intake> intake;
  std::unique_ptr<FamilyAttacher> attacher;
  std::unique_ptr<FileAccessChooser> access;
  std::unique_ptr<FamilyChanges> family_changes;

 private:
  void MakeIntake() {
    const Intake::Surroundings around{.handed_out = nullptr,
                                      .db = f.db.get(),
                                      .mutex = mutex,
                                      .options = options.get(),
                                      .families = &families,
                                      .publisher = publisher.get(),
                                      .versions = versions(),
                                      .reads = reads.get(),
                                      .counts = &counts,
                                      .tracer = &tracer,
                                      .changes = &changes,
                                      .stop = &stop,
                                      .error = &errors,
                                      .errors = job_errors()};
    const Intake::Neighbours neighbours{.scheduler = &scheduler,
                                        .flushes = flushes.get(),
                                        .flush_runner = runner.get(),
                                        .clean_up = clean_up.get(),
                                        .obsolete = obsolete.get(),
                                        .logs = logs.get(),
                                        .sections = sections.get(),
                                        .jobs = contexts.get()};
    const Intake::Lines lines{.writes = &writes,
                              .log_only = &log_only,
                              .wal_lock = &wal_lock,
                              .controller = &controller,
                              .stalls = stalls.get(),
                              .memory = memory.get(),
                              .attention = &attention};
    intake = std::make_unique<Intake>(around, neighbours, lines);
  }
};

}  // namespace ROCKSDB_NAMESPACE
