// A reader of another process's database shows one moment of manifest and logs
// at a time, goes on from round to round, and shows nothing of a round that
// fails.
#include "db/recovery/catch_up.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/files/live_file_list.h"
#include "db/registry/family_handle.h"
#include "db/version/version_edit.h"
#include "tests/db/intake/flushing_world.h"
#include "tests/db/tables/table_opens.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using FoundLogs = CatchUp::FoundLogs;

// A database that another process writes, as far as it is read here.
class Reader {
 public:
  struct Way {
    bool reads_logs = true;
    bool goes_on = true;
  };
  Reader(FlushingWorld* primary, const Way& way)
      : fs(std::make_shared<TableOpens>(primary->f.fs)),
        env_(NewCompositeEnv(fs)) {
    DBOptions options = primary->f.db_options;
    options.env = env_.get();
    db_ = std::make_unique<ImmutableDBOptions>(options);
    VersionSet::Context context;
    context.db_path = "/db";
    context.db = db_.get();
    context.families.db = db_.get();
    context.families.tables.paths = {"/db"};
    context.families.mutex = &mutex;
    context.mutex = &mutex;
    versions = std::make_unique<VersionSet>(std::move(context));
    states_ = std::make_unique<StatePublisher>(&mutex, nullptr);
    ObsoleteFiles::Callbacks none;
    none.on_deleted = [](const std::string&, FileType, uint64_t,
                         const Status&) {};
    none.forget = [](UnreferencedTable) {};
    none.on_unattended = [] {};
    obsolete_ =
        std::make_shared<ObsoleteFiles>(db_.get(), nullptr, std::move(none));
    catch_up =
        std::make_unique<CatchUp>(CatchUp::Context{.db = db_.get(),
                                                   .db_name = "/db",
                                                   .source = "/db",
                                                   .wal_dir = "/db",
                                                   .mutex = &mutex,
                                                   .versions = versions.get(),
                                                   .families = &families_,
                                                   .states = states_.get(),
                                                   .obsolete = obsolete_.get(),
                                                   .reads_logs = way.reads_logs,
                                                   .goes_on = way.goes_on});
    reads_ = std::make_unique<ReadPort>(
        ReadPort::Context{.owner = nullptr,
                          .db = db_.get(),
                          .mutex = &mutex,
                          .versions = versions.get(),
                          .obsolete = obsolete_.get(),
                          .has_unlogged = nullptr,
                          .follow_mutex = catch_up->showing(),
                          .writers = nullptr,
                          .tracer = &tracer_});
    std::vector<ColumnFamilyDescriptor> families;
    {
      MutexLock lock(primary->mutex);
      for (const ColumnFamilyData* cfd : primary->families.All()) {
        families.emplace_back(cfd->name(), primary->f.family);
      }
    }
    Open(families);
  }
  ~Reader() {
    {
      MutexLock lock(&mutex);
      for (ColumnFamilyData* cfd : families_.All()) states_->Withdraw(cfd);
    }
    states_->Free();
    FamilyRegistry::Map taken;
    MutexLock lock(&mutex);
    taken = families_.TakeAll();
  }

  Status CatchUpNow(FoundLogs logs = FoundLogs::kRead) {
    return catch_up->Run(logs);
  }
  std::string Get(const std::string& key, uint32_t family = 0) {
    ColumnFamilyHandleImpl handle(
        nullptr, versions->families()->Find(family)->shared_from_this(),
        nullptr);
    PinnableSlice value;
    const Status s = reads_->Get(ReadOptions(), &handle, key, &value, nullptr);
    return s.ok() ? value.ToString() : s.IsNotFound() ? "none" : s.ToString();
  }
  // "name size" of what was read; "+": the file may have more by now.
  std::vector<std::string> List() {
    std::vector<LiveFileStorageInfo> files;
    LiveFileList list(LiveFileList::Checksums::kLeftOut, &files);
    const Status s = catch_up->List(&list);
    if (!s.ok()) return {s.ToString()};
    std::vector<std::string> lines;
    for (const LiveFileStorageInfo& file : files) {
      lines.push_back(file.relative_filename + " " + std::to_string(file.size) +
                      (file.trim_to_size ? "+" : ""));
    }
    return lines;
  }

  const std::shared_ptr<TableOpens> fs;
  Mutex mutex;
  std::unique_ptr<VersionSet> versions;
  std::unique_ptr<CatchUp> catch_up;

 private:
  void Open(const std::vector<ColumnFamilyDescriptor>& descriptors) {
    RecoverOptions recover;
    recover.read_only = true;
    MutexLock lock(&mutex);
    const Status s = versions->Recover(descriptors, recover);
    ASSERT_TRUE(s.ok()) << s.ToString();
    for (const ColumnFamilyDescriptor& descriptor : descriptors) {
      ColumnFamilyData* const cfd = versions->families()->Find(descriptor.name);
      ASSERT_NE(cfd, nullptr);
      cfd->SwitchMemTable(cfd->NewMemTable(0));
      families_.Add(std::make_shared<FamilyEntry>(cfd->shared_from_this()));
      states_->Publish(cfd, WriteStallCondition::kNormal);
    }
  }

  const std::unique_ptr<Env> env_;
  std::unique_ptr<ImmutableDBOptions> db_;
  FamilyRegistry families_;
  std::unique_ptr<StatePublisher> states_;
  std::shared_ptr<ObsoleteFiles> obsolete_;
  QueryTracer tracer_{SystemClock::Default().get()};
  std::unique_ptr<ReadPort> reads_;
};

class CatchUpTest : public ::testing::Test {
 protected:
  void SetUp() override {
    primary_.Open();
    family_ = primary_.default_family;
  }
  void Put(const std::string& key) {
    WriteBatch batch;
    ASSERT_TRUE(batch.Put(key, "v").ok());
    ASSERT_TRUE(primary_.pipeline->Write(WriteOptions(), &batch, nullptr).ok());
    ASSERT_TRUE(primary_.logs->wal()->Flush().ok());
  }
  // All that the primary has is in tables; what it no longer needs has gone.
  void Flush() {
    FlushOptions options;
    options.wait = false;
    ASSERT_TRUE(
        primary_.requests->Flush(options, {family_}, FlushReason::kManualFlush)
            .ok());
    primary_.env.RunNext();
    while (primary_.env.job_count() > 0) primary_.env.RunNext();
    primary_.obsolete->Purge();
  }
  uint64_t OnlyTable() {
    const std::vector<FileRef> files = primary_.stored.Files(0);
    EXPECT_EQ(files.size(), 1u);
    return files[0]->number;
  }
  void LoseTable(uint64_t number) const {
    IgnoreError(primary_.f.fs->DeleteFile(TableFileName("/db", number),
                                          IOOptions(), nullptr),
                "it may have gone");
  }
  // The manifest says that the table is none of the database's.
  void Forget(uint64_t number) {
    VersionEdit edit;
    edit.DeleteFile(0, number);
    MutexLock lock(primary_.mutex);
    ASSERT_TRUE(
        primary_.versions()
            ->LogAndApply({{family_, &edit}}, primary_.stored.directory.get())
            .ok());
  }

  FlushingWorld primary_;
  ColumnFamilyData* family_ = nullptr;
};

TEST_F(CatchUpTest, ARoundReadsWhatTheLogsHave) {
  Put("a");
  Reader reader(&primary_, {});
  EXPECT_EQ(reader.Get("a"), "none");
  ASSERT_TRUE(reader.CatchUpNow().ok());
  EXPECT_EQ(reader.Get("a"), "v");
  EXPECT_EQ(reader.versions->LastSequence(), 1u);
  Put("b");
  EXPECT_EQ(reader.Get("b"), "none");
  ASSERT_TRUE(reader.CatchUpNow().ok());
  EXPECT_EQ(reader.Get("a"), "v");
  EXPECT_EQ(reader.Get("b"), "v");
}

TEST_F(CatchUpTest, ARoundReadsNewTablesInPlaceOfTheirLogs) {
  Put("a");
  Reader reader(&primary_, {});
  ASSERT_TRUE(reader.CatchUpNow().ok());
  Flush();
  Put("b");
  ASSERT_TRUE(reader.CatchUpNow().ok());
  EXPECT_EQ(reader.Get("a"), "v");
  EXPECT_EQ(reader.Get("b"), "v");
  MutexLock lock(&reader.mutex);
  ColumnFamilyData* const cfd = reader.versions->families()->default_family();
  EXPECT_EQ(cfd->current()->storage().files(0).size(), 1u);
  EXPECT_EQ(cfd->mem()->entry_count(), 1u);
}

TEST_F(CatchUpTest, WithoutLogsOnlyTablesAreRead) {
  Put("a");
  Flush();
  Put("b");
  Reader reader(&primary_, {.reads_logs = false});
  ASSERT_TRUE(reader.CatchUpNow().ok());
  EXPECT_EQ(reader.Get("a"), "v");
  EXPECT_EQ(reader.Get("b"), "none");
  EXPECT_EQ(reader.versions->LastSequence(), 1u);
}

TEST_F(CatchUpTest, LogsMayBeRefusedIfTheyHoldAnything) {
  Reader reader(&primary_, {.goes_on = false});
  EXPECT_TRUE(reader.CatchUpNow(FoundLogs::kRefused).ok());
  Put("a");
  const Status s = reader.CatchUpNow(FoundLogs::kRefused);
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_EQ(reader.Get("a"), "none");
}

TEST_F(CatchUpTest, FamiliesAreShownAsOfOneMoment) {
  ColumnFamilyData* const other = primary_.Add("other");
  Reader reader(&primary_, {});
  Put("a");
  WriteBatch batch;
  const Slice key("b");
  const SliceParts parts(&key, 1);
  ASSERT_TRUE(
      WriteBatchInternal::Add(&batch, kTypeValue, other->id(), parts, &parts)
          .ok());
  ASSERT_TRUE(primary_.pipeline->Write(WriteOptions(), &batch, nullptr).ok());
  ASSERT_TRUE(primary_.logs->wal()->Flush().ok());
  ASSERT_TRUE(reader.CatchUpNow().ok());
  EXPECT_EQ(reader.Get("a"), "v");
  EXPECT_EQ(reader.Get("b", 1), "b");
  EXPECT_EQ(reader.Get("b"), "none");
}

// --- what changes meanwhile

TEST_F(CatchUpTest, ATableThatHasGoneMeanwhileIsNotInANewerManifest) {
  Put("a");
  Flush();
  Reader reader(&primary_, {});
  Put("b");
  const uint64_t before = OnlyTable();
  Flush();
  const std::vector<FileRef> files = primary_.stored.Files(0);
  ASSERT_EQ(files.size(), 2u);
  const uint64_t gone =
      files[0]->number != before ? files[0]->number : files[1]->number;
  int opened = 0;
  reader.fs->before_open = [&] {
    if (++opened > 1) return;
    Forget(gone);
    LoseTable(gone);
  };
  const Status s = reader.CatchUpNow();
  EXPECT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(reader.Get("a"), "v");
  EXPECT_EQ(reader.Get("b"), "none");
}

// However often that happens: a slow reader is beside a quick writer.
TEST_F(CatchUpTest, WhatMovesIsReadUntilItStays) {
  Reader reader(&primary_, {});
  Put("a");
  Flush();
  constexpr int kMoves = 20;
  int opened = 0;
  reader.fs->before_open = [&] {
    if (++opened > kMoves) return;
    const uint64_t gone = OnlyTable();
    Forget(gone);
    LoseTable(gone);
    Put("b" + std::to_string(opened));
    Flush();
  };
  const Status s = reader.CatchUpNow();
  EXPECT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(opened, kMoves + 1);
  EXPECT_EQ(reader.Get("b" + std::to_string(kMoves)), "v");
}

TEST_F(CatchUpTest, ARoundThatFailsShowsNothing) {
  Put("a");
  Reader reader(&primary_, {});
  ASSERT_TRUE(reader.CatchUpNow().ok());
  Put("b");
  Flush();
  Put("c");
  LoseTable(OnlyTable());
  EXPECT_FALSE(reader.CatchUpNow().ok());
  EXPECT_EQ(reader.Get("a"), "v");
  EXPECT_EQ(reader.Get("b"), "none");
  EXPECT_EQ(reader.Get("c"), "none");
  EXPECT_EQ(reader.versions->LastSequence(), 1u);
}

// One that is read once is damaged if nothing has changed; one that is followed
// may have been read in the middle of a change.
TEST_F(CatchUpTest, AManifestThatStaysIsNotReadOverAndOver) {
  Put("a");
  for (const bool goes_on : {false, true}) {
    Reader reader(&primary_, {.goes_on = goes_on});
    Flush();
    const uint64_t table = OnlyTable();
    LoseTable(table);
    int opened = 0;
    reader.fs->before_open = [&opened] { ++opened; };
    EXPECT_FALSE(reader.CatchUpNow().ok());
    EXPECT_EQ(opened, goes_on ? 5 : 2);
    Forget(table);
    Put("a");
  }
}

TEST_F(CatchUpTest, AFamilyThatIsDroppedIsMissedOnlyByWhoReadsOnce) {
  ColumnFamilyData* const other = primary_.Add("other");
  Reader once(&primary_, {.goes_on = false});
  Reader follower(&primary_, {});
  Put("a");
  primary_.Drop(other);
  EXPECT_TRUE(once.CatchUpNow().IsTryAgain());
  EXPECT_EQ(once.Get("a"), "none");
  EXPECT_TRUE(follower.CatchUpNow().ok());
  EXPECT_EQ(follower.Get("a"), "v");
}

TEST_F(CatchUpTest, WhatCannotBeReadIsAnError) {
  Put("a");
  Reader reader(&primary_, {});
  Fault fault;
  fault.call = 1;
  fault.scope = FaultScope::kAllCalls;
  fault.path_contains = "CURRENT";
  primary_.f.fs->FailCall(fault);
  EXPECT_TRUE(reader.CatchUpNow().IsIOError());
  EXPECT_EQ(reader.Get("a"), "none");
  EXPECT_TRUE(reader.CatchUpNow().ok());
  EXPECT_EQ(reader.Get("a"), "v");
}

// --- what was read

TEST_F(CatchUpTest, WhatWasNeverReadCannotBeListed) {
  Reader reader(&primary_, {});
  {
    MutexLock lock(&reader.mutex);
    reader.versions->manifest()->SetInstalled({});
  }
  ASSERT_EQ(reader.List().size(), 1u);
  EXPECT_EQ(reader.List()[0].substr(0, 13), "Not implement");
}

TEST_F(CatchUpTest, NoMoreIsListedThanWasRead) {
  Put("a");
  Reader reader(&primary_, {});
  ASSERT_TRUE(reader.CatchUpNow().ok());
  const std::vector<std::string> before = reader.List();
  const std::string log =
      std::to_string(primary_.logs->wal()->current_number());
  bool has_log = false;
  for (const std::string& line : before) {
    has_log = has_log ||
              (line.find(log + ".log") != std::string::npos &&
               line.back() == '+' && line.find(".log 0") == std::string::npos);
  }
  EXPECT_TRUE(has_log);
  Put("b");
  EXPECT_EQ(reader.List(), before);
  ASSERT_TRUE(reader.CatchUpNow().ok());
  EXPECT_NE(reader.List(), before);
}

TEST_F(CatchUpTest, TablesThatWereReadAreListed) {
  Put("a");
  Flush();
  Reader reader(&primary_, {});
  ASSERT_TRUE(reader.CatchUpNow().ok());
  const uint64_t table = OnlyTable();
  const std::string name = TableFileName("", table).substr(1);
  bool has_table = false;
  for (const std::string& line : reader.List()) {
    has_table = has_table || line.substr(0, name.size()) == name;
  }
  EXPECT_TRUE(has_table);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
