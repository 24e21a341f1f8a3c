// Options that change while the database is open: every dynamic row, what
// the OPTIONS file says of it, and how table files are read and written.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "options/column_family_rows.h"
#include "options/db_options.h"
#include "options/db_rows.h"
#include "options/print.h"
#include "options/random_options.h"
#include "options/sanitize.h"
#include "rocksdb/convenience.h"
#include "rocksdb/thread_status.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/compaction_gate.h"
#include "tests/db/impl/direct_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string TextOf(const OptionRow& row, const void* options) {
  std::string text;
  row.kind->print(ConfigOptions(), row.Field(options), &text);
  return text;
}

// What the row says once `text` is set in `options`, and what cannot be is
// brought to what can.
template <class Options>
std::string TextOnceSet(const OptionRow& row, const std::string& text,
                        const DBOptions& db, Options options) {
  EXPECT_OK(row.kind->parse(ConfigOptions(), text, row.field(&options)));
  if constexpr (std::is_same_v<Options, ColumnFamilyOptions>) {
    options = SanitizeColumnFamilyOptions(ImmutableDBOptions(db), options);
  }
  return TextOf(row, &options);
}

class DynamicOptionsTest : public DirectFixture {
 protected:
  DynamicOptionsTest() { options_.use_direct_io_for_compaction_reads = false; }
  Status Set(const std::string& name, const std::string& value) {
    return db_->SetDBOptions({{name, value}});
  }
  // Whether `setter` takes the value. Only a dynamic row may take one, which is
  // there when it is asked for; a refused value must change nothing.
  template <class Setter, class Getter>
  bool TryRow(const OptionRow& row, const std::string& text,
              const Setter& setter, const Getter& getter) {
    const auto before_options = getter();
    const std::string before = TextOf(row, &before_options);
    const Status s = setter(std::string(row.name), text);
    EXPECT_TRUE(s.ok() || s.IsInvalidArgument() || s.IsNotSupported() ||
                (s.IsNotFound() && !row.IsDynamic()))
        << row.name << " = " << text << ": " << s.ToString();
    const auto after_options = getter();
    const std::string after = TextOf(row, &after_options);
    if (!s.ok()) {
      EXPECT_EQ(after, before) << row.name;
      return false;
    }
    EXPECT_TRUE(row.IsDynamic()) << row.name;
    EXPECT_EQ(after,
              TextOnceSet(row, text, db_->GetDBOptions(), before_options))
        << row.name;
    return true;
  }

  // Opens of inputs while the tree is compacted.
  struct Opens {
    size_t direct = 0, uncached = 0, buffered = 0;
  };
  Opens CompactAndCount(FileKind kind = FileKind::kRandomAccess) {
    Forget();
    EXPECT_OK(CompactTree());
    Opens result;
    for (const OpenRecord& open : fs_->opens()) {
      if (open.kind != kind || !open.path.ends_with(".sst")) continue;
      if (open.is_direct_read() || open.is_direct_write()) {
        ++result.direct;
      } else {
        ++(open.options.use_uncached_io ? result.uncached : result.buffered);
      }
    }
    return result;
  }
};

TEST_F(DynamicOptionsTest, EveryDynamicRowOfTheDatabaseTakesAndKeepsValues) {
  Open();
  Random64 random(7);
  const auto getter = [this]() { return db_->GetDBOptions(); };
  const auto setter = [this](const std::string& name, const std::string& text) {
    return Set(name, text);
  };
  size_t taken = 0;
  for (const OptionRow& row : DBOptionStruct().rows) {
    const std::string text = RandomOptionText(row, &random);
    if (text.empty()) continue;
    taken += TryRow(row, text, setter, getter);
    if (!row.IsDynamic()) {
      EXPECT_TRUE(Set(std::string(row.name), text).IsNotFound()) << row.name;
    }
  }
  EXPECT_GT(taken, 20u);
  // Nothing got lost on the way to the file.
  DBOptions loaded;
  std::vector<ColumnFamilyDescriptor> families;
  const DBOptions now = db_->GetDBOptions();
  ConfigOptions config;
  config.env = env_.get();
  ASSERT_OK(LoadLatestOptions(config, path_, &loaded, &families));
  for (const OptionRow& row : DBOptionStruct().rows) {
    if (!row.IsDynamic() || !row.traits.written) continue;
    EXPECT_EQ(TextOf(row, &loaded), TextOf(row, &now)) << row.name;
  }
  Reopen();
}

TEST_F(DynamicOptionsTest, EveryDynamicRowOfAFamilyTakesAndKeepsValues) {
  Open();
  Random64 random(8);
  const auto getter = [this]() -> ColumnFamilyOptions {
    return db_->GetOptions();
  };
  const auto setter = [this](const std::string& name, const std::string& text) {
    return db_->SetOptions({{name, text}});
  };
  size_t taken = 0;
  for (const OptionRow& row : ColumnFamilyOptionStruct().rows) {
    const std::string text = RandomOptionText(row, &random);
    if (text.empty()) continue;
    taken += TryRow(row, text, setter, getter);
    if (!row.IsDynamic()) {
      EXPECT_TRUE(
          db_->SetOptions({{std::string(row.name), text}}).IsInvalidArgument())
          << row.name;
    }
  }
  EXPECT_GT(taken, 25u);
  DBOptions db_options;
  std::vector<ColumnFamilyDescriptor> families;
  const ColumnFamilyOptions now = db_->GetOptions();
  ConfigOptions config;
  config.env = env_.get();
  ASSERT_OK(LoadLatestOptions(config, path_, &db_options, &families));
  ASSERT_EQ(families.size(), 1u);
  for (const OptionRow& row : ColumnFamilyOptionStruct().rows) {
    if (!row.IsDynamic() || !row.traits.written) continue;
    EXPECT_EQ(TextOf(row, &families[0].options), TextOf(row, &now)) << row.name;
  }
  ASSERT_OK(CheckOptionsCompatibility(config, path_, db_->GetDBOptions(),
                                      {{kDefaultColumnFamilyName, now}}));
}

TEST_F(DynamicOptionsTest, AChangeLeavesTheOnesBeforeItInForce) {
  Open();
  ASSERT_OK(db_->SetOptions({{"write_buffer_size", "1048576"}}));
  ASSERT_OK(db_->SetOptions({{"max_write_buffer_number", "7"}}));
  ASSERT_OK(Set("bytes_per_sync", "4096"));
  ASSERT_OK(Set("max_background_jobs", "3"));
  const Options now = db_->GetOptions();
  EXPECT_EQ(now.write_buffer_size, 1u << 20);
  EXPECT_EQ(now.max_write_buffer_number, 7);
  EXPECT_EQ(now.bytes_per_sync, 4096u);
  EXPECT_EQ(now.max_background_jobs, 3);
}

TEST_F(DynamicOptionsTest, DirectReadsOfCompactionsComeAndGo) {
  Open();
  MakeTree();
  Opens opens = CompactAndCount();
  EXPECT_EQ(opens.direct, 0u);
  EXPECT_EQ(DirectReads(), 0u);

  ASSERT_OK(Set("use_direct_io_for_compaction_reads", "true"));
  EXPECT_TRUE(db_->GetDBOptions().use_direct_io_for_compaction_reads);
  WriteFile(9, 7);
  const size_t inputs = NamesAt(0).size() + NamesAt(2).size();
  opens = CompactAndCount();
  EXPECT_EQ(opens.direct, inputs);
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), inputs);
  EXPECT_EQ(Ticker(COMPACTION_DIRECT_READ_OPENS), inputs);
  EXPECT_GT(DirectReads(), 0u);

  ASSERT_OK(Set("use_direct_io_for_compaction_reads", "false"));
  WriteFile(10, 7);
  opens = CompactAndCount();
  EXPECT_EQ(opens.direct, 0u);
  EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 0u);

  // The last word is in the file.
  ASSERT_OK(Set("use_direct_io_for_compaction_reads", "true"));
  DBOptions loaded;
  std::vector<ColumnFamilyDescriptor> families;
  ConfigOptions config;
  config.env = env_.get();
  ASSERT_OK(LoadLatestOptions(config, path_, &loaded, &families));
  EXPECT_TRUE(loaded.use_direct_io_for_compaction_reads);
}

TEST_F(DynamicOptionsTest, TheTiersComeAndGo) {
  Open();
  MakeTree();
  ASSERT_OK(db_->SetDBOptions({{"compaction_read_access", "uncached"},
                               {"compaction_write_access", "direct"}}));
  Opens opens = CompactAndCount();
  EXPECT_GT(opens.uncached, 0u);
  EXPECT_EQ(opens.direct, 0u);
  ASSERT_OK(db_->SetDBOptions({{"compaction_read_access", "auto"}}));
  WriteFile(9, 7);
  Opens writes = CompactAndCount(FileKind::kWritable);
  EXPECT_GT(DirectReads(), 0u) << "auto takes the best";
  EXPECT_GT(writes.direct, 0u) << "what was not asked anew stays";
  ASSERT_OK(db_->SetDBOptions({{"compaction_read_access", "default"},
                               {"compaction_write_access", "default"}}));
  WriteFile(10, 7);
  writes = CompactAndCount(FileKind::kWritable);
  EXPECT_EQ(writes.direct + writes.uncached, 0u);
  EXPECT_EQ(DirectReads(), 0u);
}

TEST_F(DynamicOptionsTest, ARunningCompactionFinishesAsItBegan) {
  CompactionGate gate;
  gate.Open();
  options_.compaction_filter = &gate;
  Open();
  MakeTree();
  for (const bool turns_on : {true, false}) {
    SCOPED_TRACE(turns_on);
    WriteFile(20, 7);
    const size_t inputs =
        NamesAt(0).size() + NamesAt(1).size() + NamesAt(2).size();
    gate.Close();
    Forget();
    std::thread compaction([this] { EXPECT_OK(CompactTree()); });
    gate.Await();
    const Status s =
        Set("use_direct_io_for_compaction_reads", turns_on ? "true" : "false");
    EXPECT_OK(s);
    const size_t direct_before = fs_->direct_read_opens();
    gate.Open();
    compaction.join();
    // Most files of the deeper levels were opened after the change; the one
    // direct open beside them is that of SetDBOptions(), which tries it out.
    if (turns_on) {
      EXPECT_EQ(fs_->direct_read_opens(), direct_before);
      EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), 0u);
    } else {
      EXPECT_GT(fs_->direct_read_opens(), direct_before);
      EXPECT_EQ(Ticker(COMPACTION_EPHEMERAL_READERS_OPENED), inputs);
    }
  }
  db_.reset();
}

TEST_F(DynamicOptionsTest, TheThreadListShowsWhatRuns) {
  CompactionGate gate;
  gate.Open();
  options_.compaction_filter = &gate;
  options_.enable_thread_tracking = true;
  Open();
  WriteFile(1);
  WriteFile(2);
  gate.Close();
  std::thread compaction([this] { EXPECT_OK(CompactAll()); });
  gate.Await();
  std::vector<ThreadStatus> threads;
  EXPECT_OK(env_->GetThreadList(&threads));
  size_t running = 0;
  for (const ThreadStatus& thread : threads) {
    if (thread.operation_type != ThreadStatus::OP_COMPACTION) continue;
    ++running;
    EXPECT_EQ(thread.thread_type, ThreadStatus::LOW_PRIORITY);
    EXPECT_EQ(thread.db_name, path_);
    EXPECT_EQ(thread.cf_name, "default");
    EXPECT_EQ(thread.operation_stage,
              ThreadStatus::STAGE_COMPACTION_PROCESS_KV);
    auto properties = ThreadStatus::InterpretOperationProperties(
        thread.operation_type, thread.op_properties);
    EXPECT_EQ(properties["IsManual"], 1u);
    EXPECT_EQ(properties["BaseInputLevel"], 0u);
    EXPECT_EQ(properties["OutputLevel"], 1u);
    EXPECT_GT(properties["TotalInputBytes"], 1000u);
  }
  EXPECT_EQ(running, 1u);
  gate.Open();
  compaction.join();
  EXPECT_OK(db_->Close());
  EXPECT_OK(env_->GetThreadList(&threads));
  EXPECT_FALSE(threads.empty());
  for (const ThreadStatus& thread : threads) {
    EXPECT_EQ(thread.operation_type, ThreadStatus::OP_UNKNOWN);
  }
  db_.reset();
}

// Puts each flush before a gate.
class FlushGateFactory final : public CompactionFilterFactory {
 public:
  explicit FlushGateFactory(const CompactionGate* gate) : gate_(gate) {}
  const char* Name() const override { return "FlushGateFactory"; }
  bool ShouldFilterTableFileCreation(
      TableFileCreationReason reason) const override {
    return reason == TableFileCreationReason::kFlush;
  }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& /*context*/) override {
    return std::make_unique<Way>(gate_);
  }

 private:
  class Way final : public CompactionFilter {
   public:
    explicit Way(const CompactionGate* gate) : gate_(gate) {}
    const char* Name() const override { return "Way"; }
    bool Filter(int level, const Slice& key, const Slice& value,
                std::string* result, bool* is_changed) const override {
      return gate_->Filter(level, key, value, result, is_changed);
    }

   private:
    const CompactionGate* const gate_;
  };

  const CompactionGate* const gate_;
};

TEST_F(DynamicOptionsTest, TheThreadListShowsAFlush) {
  CompactionGate gate;
  options_.compaction_filter_factory =
      std::make_shared<FlushGateFactory>(&gate);
  options_.enable_thread_tracking = true;
  Open();
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(Put(std::to_string(i), std::string(1000, 'v')));
  }
  std::thread flush([this] { EXPECT_OK(Flush()); });
  gate.Await();
  std::vector<ThreadStatus> threads;
  EXPECT_OK(env_->GetThreadList(&threads));
  size_t running = 0;
  for (const ThreadStatus& thread : threads) {
    if (thread.operation_type != ThreadStatus::OP_FLUSH) continue;
    ++running;
    EXPECT_EQ(thread.thread_type, ThreadStatus::HIGH_PRIORITY);
    EXPECT_EQ(thread.db_name, path_);
    EXPECT_EQ(thread.cf_name, "default");
    EXPECT_EQ(thread.operation_stage, ThreadStatus::STAGE_FLUSH_WRITE_L0);
    auto properties = ThreadStatus::InterpretOperationProperties(
        thread.operation_type, thread.op_properties);
    EXPECT_GT(properties["JobID"], 0u);
    EXPECT_GT(properties["BytesMemtables"], 100u * 1000);
    EXPECT_EQ(properties["BytesWritten"], 0u);
  }
  EXPECT_EQ(running, 1u);
  gate.Open();
  flush.join();
  EXPECT_OK(db_->Close());
  EXPECT_OK(env_->GetThreadList(&threads));
  for (const ThreadStatus& thread : threads) {
    EXPECT_EQ(thread.operation_type, ThreadStatus::OP_UNKNOWN);
  }
  db_.reset();
}

TEST_F(DynamicOptionsTest, DirectReadsAreRefusedWhereAPathRefusesThem) {
  const std::string second = path_ + "_second";
  options_.db_paths = {{path_, 1 << 30}, {second, 1 << 30}};
  Open();
  MakeTree();
  fs_->RefuseDirectIo(second);
  for (const auto& [name, value] :
       {std::pair<std::string, std::string>(
            "use_direct_io_for_compaction_reads", "true"),
        std::pair<std::string, std::string>("compaction_read_access", "direct"),
        std::pair<std::string, std::string>("compaction_write_access",
                                            "direct")}) {
    const Status s =
        db_->SetDBOptions({{name, value}, {"bytes_per_sync", "7"}});
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
    EXPECT_NE(s.ToString().find(second), std::string::npos) << s.ToString();
    EXPECT_NE(s.ToString().find(name), std::string::npos) << s.ToString();
  }
  EXPECT_FALSE(db_->GetDBOptions().use_direct_io_for_compaction_reads);
  EXPECT_EQ(db_->GetDBOptions().compaction_read_access, FileAccess::kDefault);
  EXPECT_EQ(db_->GetDBOptions().bytes_per_sync, 0u) << "all or nothing";
  EXPECT_EQ(CompactAndCount().direct, 0u);
  ExpectTree();
  // auto is content with less.
  ASSERT_OK(Set("compaction_read_access", "auto"));
  WriteFile(9, 7);
  EXPECT_GT(CompactAndCount().uncached, 0u);
}

TEST_F(DynamicOptionsTest, OpenFilesAreLimitedFromNowOn) {
  options_.max_open_files = -1;
  Open();
  MakeTree();
  ASSERT_OK(Set("max_open_files", "20"));
  EXPECT_EQ(db_->GetDBOptions().max_open_files, 20);
  // Files that are made from now on stay open only within the limit.
  ASSERT_OK(CompactTree());
  for (int i = 0; i < 8; ++i) WriteFile(30 + i, 1);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(Get(Key(i)), Value(i, 37));
  EXPECT_LE(fs_->open_handles(FileKind::kRandomAccess), 12u);
  ASSERT_OK(Set("max_open_files", "-1"));
  ASSERT_OK(CompactTree());
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(Get(Key(i)), Value(i, 37));
  EXPECT_GE(fs_->open_handles(FileKind::kRandomAccess), NamesAt(2).size());
}

TEST_F(DynamicOptionsTest, TheActiveMemtableObeysItsSize) {
  options_.write_buffer_size = 64 << 20;
  options_.arena_block_size = 16 << 10;
  ASSERT_NO_FATAL_FAILURE(Open());
  const auto active = [this] {
    uint64_t count = 0;
    EXPECT_TRUE(
        db_->GetIntProperty(DB::Properties::kNumEntriesActiveMemTable, &count));
    return count;
  };
  for (int i = 0; i < 300; ++i) {
    ASSERT_OK(Put("k" + std::to_string(i), std::string(1000, 'v')));
  }
  ASSERT_EQ(active(), 300u);
  ASSERT_OK(db_->SetOptions({{"write_buffer_size", "131072"}}));
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Put("b", "1"));
  EXPECT_LT(active(), 10u);
  // A larger one counts at once, too.
  for (int i = 0; i < 50; ++i) {
    ASSERT_OK(Put("k" + std::to_string(i), std::string(1000, 'v')));
  }
  const uint64_t before = active();
  ASSERT_OK(db_->SetOptions({{"write_buffer_size", "67108864"}}));
  for (int i = 0; i < 300; ++i) {
    ASSERT_OK(Put("k" + std::to_string(i), std::string(1000, 'v')));
  }
  EXPECT_EQ(active(), before + 300);
}

TEST_F(DynamicOptionsTest, ChangesOfFamiliesAndOptionsDoNotLoseEachOther) {
  Open();
  constexpr int kRounds = 12;
  std::vector<ColumnFamilyHandle*> handles;
  std::thread families([&] {
    for (int i = 0; i < kRounds; ++i) {
      ColumnFamilyHandle* handle = nullptr;
      EXPECT_OK(db_->CreateColumnFamily(ColumnFamilyOptions(),
                                        "f" + std::to_string(i), &handle));
      handles.push_back(handle);
    }
  });
  std::thread family_options([&] {
    for (int i = 0; i < kRounds; ++i) {
      EXPECT_OK(db_->SetOptions(
          {{"write_buffer_size", std::to_string((1 << 20) + i)}}));
    }
  });
  for (int i = 0; i < kRounds; ++i) {
    EXPECT_OK(Set("bytes_per_sync", std::to_string(4096 + i)));
  }
  families.join();
  family_options.join();
  DBOptions loaded;
  std::vector<ColumnFamilyDescriptor> descriptors;
  ConfigOptions config;
  config.env = env_.get();
  ASSERT_OK(LoadLatestOptions(config, path_, &loaded, &descriptors));
  EXPECT_EQ(loaded.bytes_per_sync, 4096u + kRounds - 1);
  ASSERT_EQ(descriptors.size(), size_t{kRounds} + 1);
  EXPECT_EQ(descriptors[0].options.write_buffer_size, (1u << 20) + kRounds - 1);
  for (ColumnFamilyHandle* handle : handles) {
    ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
