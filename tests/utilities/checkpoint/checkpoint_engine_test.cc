// Checkpoints of some families, and those that an engine makes with threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/statistics.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/testing/shell.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class CheckpointEngineTest : public FamiliesFixture {
 protected:
  CheckpointEngineTest() : copy_(directory_.path() + "/copy") {
    options_.disable_auto_compactions = true;
    options_.statistics = CreateDBStatistics();
  }

  std::unique_ptr<CheckpointEngine> Engine(
      const CheckpointEngineOptions& options = {}) {
    std::unique_ptr<CheckpointEngine> engine;
    EXPECT_OK(CheckpointEngine::Open(options, &engine));
    return engine;
  }
  std::unique_ptr<Checkpoint> Serial() {
    Checkpoint* checkpoint = nullptr;
    EXPECT_OK(Checkpoint::Create(db_.get(), &checkpoint));
    return std::unique_ptr<Checkpoint>(checkpoint);
  }
  // default, a and b, each with a table and something in the log.
  void FillThree() {
    OpenFamilies({"default"});
    ASSERT_NO_FATAL_FAILURE(CreateFamily("a"));
    ASSERT_NO_FATAL_FAILURE(CreateFamily("b"));
    for (size_t i = 0; i < 3; ++i) {
      ASSERT_OK(PutIn(i, "table", std::to_string(i)));
      ASSERT_OK(db_->Flush(FlushOptions(), handles_[i]));
      ASSERT_OK(PutIn(i, "log", std::to_string(i)));
    }
  }
  std::set<std::string> NamesIn(const std::string& directory) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      names.insert(entry.path().filename());
    }
    return names;
  }
  std::vector<std::string> FamiliesOf(const std::string& directory) {
    std::vector<std::string> names;
    EXPECT_OK(DB::ListColumnFamilies(DBOptions(options_), directory, &names));
    return names;
  }
  // What each of the families of a checkpoint holds.
  std::string Contents(const std::string& directory,
                       const std::vector<std::string>& names) {
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) {
      families.emplace_back(name, ColumnFamilyOptions(options_));
    }
    std::unique_ptr<DB> copy;
    std::vector<ColumnFamilyHandle*> handles;
    const Status s =
        DB::Open(DBOptions(options_), directory, families, &handles, &copy);
    if (!s.ok()) return s.ToString();
    std::string text;
    for (ColumnFamilyHandle* handle : handles) {
      text += handle->GetName() + ": ";
      std::unique_ptr<Iterator> it(copy->NewIterator(ReadOptions(), handle));
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        text += it->key().ToString() + "=" + it->value().ToString() + " ";
      }
      EXPECT_OK(it->status());
      it.reset();
      EXPECT_OK(copy->DestroyColumnFamilyHandle(handle));
    }
    return text;
  }

  const std::string copy_;
};

TEST_F(CheckpointEngineTest, SomeFamiliesAlone) {
  ASSERT_NO_FATAL_FAILURE(FillThree());
  // The logs are copied.
  ASSERT_OK(Serial()->CreateCheckpoint(
      copy_, {handles_[2], handles_[2], handles_[0]}, UINT64_MAX));
  EXPECT_EQ(FamiliesOf(copy_), (std::vector<std::string>{"default", "b"}));
  DBOptions db_options;
  std::vector<ColumnFamilyDescriptor> families;
  ASSERT_OK(LoadLatestOptions({}, copy_, &db_options, &families));
  ASSERT_EQ(families.size(), 2u);
  EXPECT_EQ(families[1].name, "b");
  EXPECT_EQ(Contents(copy_, {"default", "b"}),
            "default: log=0 table=0 b: log=2 table=2 ");
  // Flushed; the default family need not be named.
  const std::string flushed = copy_ + "2";
  ASSERT_OK(Serial()->CreateCheckpoint(flushed, {handles_[2]}));
  size_t tables = 0;
  for (const std::string& name : NamesIn(flushed)) {
    tables += name.ends_with(".sst") ? 1 : 0;
  }
  EXPECT_EQ(tables, 4u) << "of a nothing is there";
  EXPECT_EQ(Contents(flushed, {"default", "b"}),
            "default: log=0 table=0 b: log=2 table=2 ");
  // A family of that name can be made anew there.
  const std::string all = copy_ + "3";
  ASSERT_OK(
      Serial()->CreateCheckpoint(all, std::vector<ColumnFamilyHandle*>{}));
  EXPECT_EQ(Contents(all, {"default", "a", "b"}),
            "default: log=0 table=0 a: log=1 table=1 b: log=2 table=2 ");
}

TEST_F(CheckpointEngineTest, StockToolsReadSomeFamilies) {
  if (!HasProgram("ldb")) GTEST_SKIP() << "ldb is not installed";
  BlockBasedTableOptions table;
  table.format_version = 5;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(FillThree());
  ASSERT_OK(Serial()->CreateCheckpoint(copy_, {handles_[2]}, UINT64_MAX));
  int status = 0;
  const std::string ldb = "ldb --ignore_unknown_options --db=" + copy_;
  const std::string scan = RunShell(ldb + " --column_family=b scan", &status);
  EXPECT_EQ(status, 0) << scan;
  EXPECT_NE(scan.find("table"), std::string::npos) << scan;
  EXPECT_NE(scan.find("log"), std::string::npos) << scan;
  const std::string gone = RunShell(ldb + " --column_family=a scan", &status);
  EXPECT_NE(status, 0) << gone;
}

// Whatever call fails, it is there as a whole or not at all.
TEST(CheckpointSubsetFaults, EveryCallFailsOnce) {
  for (uint64_t k = 1;; ++k) {
    ASSERT_LT(k, 1000u);
    const auto fs = std::make_shared<FaultInjectionFileSystem>(
        std::make_shared<MemFileSystem>(), k);
    const auto env = NewCompositeEnv(fs);
    Options options;
    options.env = env.get();
    options.create_if_missing = true;
    options.compression = kNoCompression;
    std::unique_ptr<DB> db;
    ASSERT_OK(DB::Open(options, "/db", &db));
    ColumnFamilyHandle* left_out = nullptr;
    ASSERT_OK(db->CreateColumnFamily(options, "left_out", &left_out));
    ASSERT_OK(db->Put(WriteOptions(), "a", "1"));
    ASSERT_OK(db->Put(WriteOptions(), left_out, "a", "2"));
    ASSERT_OK(db->Flush(FlushOptions(), {db->DefaultColumnFamily(), left_out}));
    CheckpointEngineOptions engine_options;
    engine_options.max_background_operations = 2;
    std::unique_ptr<CheckpointEngine> engine;
    ASSERT_OK(CheckpointEngine::Open(engine_options, &engine));
    CreateCheckpointOptions create;
    create.log_size_for_flush = UINT64_MAX;
    create.column_families = {db->DefaultColumnFamily()};
    fs->FailCall({.call = k});
    const Status s =
        engine->CreateCheckpoint(db.get(), "/copy", nullptr, create);
    const bool struck = fs->failed();
    const std::string where = fs->failed_call() + ": " + s.ToString();
    fs->Heal();
    const bool is_there = fs->FileExists("/copy", IOOptions(), nullptr).ok();
    EXPECT_EQ(is_there, s.ok()) << where;
    ASSERT_OK(db->DestroyColumnFamilyHandle(left_out));
    db.reset();
    EXPECT_EQ(fs->open_handles(), 0u) << where;
    if (s.ok()) {
      std::vector<std::string> names;
      ASSERT_OK(DB::ListColumnFamilies(options, "/copy", &names));
      EXPECT_EQ(names, std::vector<std::string>{"default"}) << where;
      std::unique_ptr<DB> copy;
      ASSERT_OK(DB::Open(options, "/copy", &copy));
      std::string value;
      EXPECT_OK(copy->Get(ReadOptions(), "a", &value));
      EXPECT_EQ(value, "1");
    }
    if (!struck) break;
  }
}

TEST_F(CheckpointEngineTest, HandlesThatAreNone) {
  ASSERT_NO_FATAL_FAILURE(FillThree());
  const auto expect_refused = [&](ColumnFamilyHandle* handle,
                                  const std::string& text) {
    const Status s = Serial()->CreateCheckpoint(copy_, {handle});
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
    EXPECT_NE(s.ToString().find(text), std::string::npos) << s.ToString();
  };
  expect_refused(nullptr, "Null column family handle");
  std::unique_ptr<DB> other;
  ASSERT_OK(DB::Open(options_, directory_.path() + "/other", &other));
  expect_refused(other->DefaultColumnFamily(), "");
  ASSERT_OK(db_->DropColumnFamily(handles_[1]));
  expect_refused(handles_[1],
                 "Column family handle refers to a dropped column family");
  EXPECT_FALSE(std::filesystem::exists(copy_));
  EXPECT_FALSE(std::filesystem::exists(copy_ + ".tmp"));
}

TEST_F(CheckpointEngineTest, ManyThreadsMakeTheSame) {
  OpenFamilies({"default"});
  for (int i = 0; i < 40; ++i) {
    ASSERT_OK(PutIn(0, "k" + std::to_string(i), std::to_string(i)));
    ASSERT_OK(Flush());
  }
  CheckpointEngineOptions options;
  options.max_background_operations = 8;
  const auto engine = Engine(options);
  uint64_t sequence = 0;
  ASSERT_OK(engine->CreateCheckpoint(db_.get(), copy_, &sequence));
  EXPECT_EQ(sequence, 40u);
  ASSERT_OK(Serial()->CreateCheckpoint(copy_ + "2"));
  EXPECT_EQ(NamesIn(copy_).size(), NamesIn(copy_ + "2").size());
  EXPECT_EQ(Contents(copy_, {"default"}), Contents(copy_ + "2", {"default"}));
  // Another one, of one database more, by the same engine.
  EXPECT_TRUE(engine->CreateCheckpoint(db_.get(), copy_).IsInvalidArgument());
  EXPECT_TRUE(
      engine->CreateCheckpoint(nullptr, copy_ + "3").IsInvalidArgument());
  ExportImportFilesMetaData* metadata = nullptr;
  ASSERT_OK(engine->ExportColumnFamily(db_.get(), handles_[0], copy_ + "4",
                                       &metadata));
  const std::unique_ptr<ExportImportFilesMetaData> exported(metadata);
  EXPECT_EQ(exported->files.size(), 40u);
}

TEST_F(CheckpointEngineTest, WithoutLinksNothingIsShared) {
  OpenFamilies({"default"});
  ASSERT_OK(PutIn(0, "k", std::string(10000, 'v')));
  ASSERT_OK(Flush());
  const auto links_of_tables = [&](const std::string& directory) {
    uintmax_t most = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      if (entry.path().extension() == ".sst") {
        most = std::max(most, std::filesystem::hard_link_count(entry.path()));
      }
    }
    return most;
  };
  CheckpointEngineOptions options;
  options.max_background_operations = 0;  // counts as 1
  ASSERT_OK(Engine(options)->CreateCheckpoint(db_.get(), copy_));
  EXPECT_EQ(links_of_tables(copy_), 2u);
  const uint64_t before = Ticker(CHECKPOINT_READ_BYTES);
  options.use_link_file_when_available = false;
  options.backup_rate_limit = 100 << 20;
  options.io_buffer_size = 5000;
  CreateCheckpointOptions create;
  create.decrease_background_thread_cpu_priority = true;
  create.background_thread_cpu_priority = CpuPriority::kIdle;
  ASSERT_OK(Engine(options)->CreateCheckpoint(db_.get(), copy_ + "2", nullptr,
                                              create));
  EXPECT_EQ(links_of_tables(copy_ + "2"), 1u);
  EXPECT_GE(Ticker(CHECKPOINT_READ_BYTES), before + 10000);
  EXPECT_EQ(Contents(copy_, {"default"}), Contents(copy_ + "2", {"default"}));
  // The largest numbers are no limits.
  options.backup_rate_limit = UINT64_MAX;
  options.io_buffer_size = UINT64_MAX;
  ASSERT_OK(Engine(options)->CreateCheckpoint(db_.get(), copy_ + "3"));
  EXPECT_EQ(Contents(copy_, {"default"}), Contents(copy_ + "3", {"default"}));
  EXPECT_TRUE(CheckpointEngine::Open(options, nullptr).IsInvalidArgument());
}

// Where users read directly, copies of tables are read so (backups, too), and
// nothing else is.
TEST_F(CheckpointEngineTest, TablesAloneAreReadDirectly) {
  const auto fs =
      std::make_shared<FaultInjectionFileSystem>(FileSystem::Default());
  const auto env = NewCompositeEnv(fs);
  options_.env = env.get();
  options_.use_direct_reads = true;
  if (!TryOpenFamilies({"default"}).ok()) GTEST_SKIP() << "no direct reads";
  ASSERT_OK(PutIn(0, "k", std::string(10000, 'v')));
  ASSERT_OK(Flush());
  ASSERT_OK(PutIn(0, "l", "log"));
  fs->ClearOpens();
  CheckpointEngineOptions copying;
  copying.use_link_file_when_available = false;
  CreateCheckpointOptions create;
  create.log_size_for_flush = UINT64_MAX;
  ASSERT_OK(
      Engine(copying)->CreateCheckpoint(db_.get(), copy_, nullptr, create));
  size_t direct = 0;
  for (const OpenRecord& open : fs->opens()) {
    if (!open.is_direct_read()) continue;
    EXPECT_TRUE(open.path.ends_with(".sst")) << open.path;
    direct += open.kind == FileKind::kSequential ? 1 : 0;
  }
  EXPECT_EQ(direct, 1u);
  CloseFamilies();
  EXPECT_EQ(Contents(copy_, {"default"}),
            "default: k=" + std::string(10000, 'v') + " l=log ");
}

// A checkpoint's copies have the temperature that its MANIFEST says. An export
// has no MANIFEST: its links keep their temperature, its copies have none.
TEST_F(CheckpointEngineTest, TemperaturesGoAlong) {
  const auto fs =
      std::make_shared<FaultInjectionFileSystem>(FileSystem::Default());
  const auto env = NewCompositeEnv(fs);
  options_.env = env.get();
  options_.default_write_temperature = Temperature::kWarm;
  OpenFamilies({"default"});
  ASSERT_OK(PutIn(0, "k", std::string(10000, 'v')));
  ASSERT_OK(Flush());
  CheckpointEngineOptions copying;
  copying.use_link_file_when_available = false;
  fs->ClearOpens();
  ASSERT_OK(Engine(copying)->CreateCheckpoint(db_.get(), copy_));
  size_t made = 0;
  for (const OpenRecord& open : fs->opens()) {
    if (!open.path.ends_with(".sst")) continue;
    EXPECT_EQ(open.options.temperature, Temperature::kWarm) << open.path;
    made += open.kind == FileKind::kWritable ? 1 : 0;
  }
  EXPECT_EQ(made, 1u);
  for (const bool links : {false, true}) {
    copying.use_link_file_when_available = links;
    ExportImportFilesMetaData* metadata = nullptr;
    ASSERT_OK(Engine(copying)->ExportColumnFamily(
        db_.get(), handles_[0], copy_ + (links ? "linked" : "copied"),
        &metadata));
    const std::unique_ptr<ExportImportFilesMetaData> exported(metadata);
    ASSERT_EQ(exported->files.size(), 1u);
    EXPECT_EQ(exported->files[0].temperature,
              links ? Temperature::kWarm : Temperature::kUnknown);
  }
  CloseFamilies();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
