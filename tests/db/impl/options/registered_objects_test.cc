// Objects of the application by name: in option strings, in OPTIONS files, and
// in databases that are opened with what these say.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

#include "options/options_file.h"
#include "rocksdb/convenience.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/options/registered_kinds.h"

namespace ROCKSDB_NAMESPACE {
namespace {

bool NamesIt(const Status& s, const std::string& text) {
  return s.ToString().find(text) != std::string::npos;
}

// The option of an object that has one.
template <class Named, class T>
std::string OptionOf(const T& object) {
  const auto* named = dynamic_cast<const Named*>(&*object);
  if (named == nullptr) return "another object";
  return named->is_prepared() ? named->option() : "not prepared";
}

constexpr const char* kFamilyText =
    "comparator=test.Order;"
    "merge_operator={id=test.Merge;option=+};"
    "compaction_filter={id=test.Filter;option=gone};"
    "prefix_extractor=test.Transform;"
    "sst_partitioner_factory={id=test.Partitioner;option=p};";

// --- Strings ----------------------------------------------------------------

TEST(RegisteredObjectsTest, FamilyOptions) {
  const ConfigOptions config = NamingConfig();
  ColumnFamilyOptions cf;
  const std::string text =
      std::string(kFamilyText) +
      "compaction_filter_factory={id=test.FilterFactory;option=ff};"
      "table_factory={id=test.Table;option=t};"
      "memtable_factory=test.Memtable;"
      "memtable_insert_with_hint_prefix_extractor=test.Transform;"
      "table_properties_collector_factories="
      "{{id=test.Collector;option=1}:{id=test.Collector;option=2}}";
  ASSERT_OK(GetColumnFamilyOptionsFromString(config, cf, text, &cf));
  EXPECT_STREQ("test.Order", cf.comparator->Name());
  EXPECT_EQ("+", OptionOf<NamedMerge>(cf.merge_operator));
  EXPECT_EQ("gone", OptionOf<NamedKeyFilter>(cf.compaction_filter));
  EXPECT_EQ("ff", OptionOf<NamedFilterFactory>(cf.compaction_filter_factory));
  EXPECT_STREQ("test.Transform", cf.prefix_extractor->Name());
  EXPECT_EQ("t", OptionOf<NamedTable>(cf.table_factory));
  EXPECT_STREQ("test.Memtable", cf.memtable_factory->Name());
  EXPECT_EQ("p", OptionOf<NamedPartitioner>(cf.sst_partitioner_factory));
  const auto& collectors = cf.table_properties_collector_factories;
  ASSERT_EQ(2u, collectors.size());
  EXPECT_EQ("1", OptionOf<NamedCollector>(collectors[0]));
  EXPECT_EQ("2", OptionOf<NamedCollector>(collectors[1]));

  // And back.
  std::string printed;
  ASSERT_OK(GetStringFromColumnFamilyOptions(config, cf, &printed));
  ColumnFamilyOptions again;
  ASSERT_OK(GetColumnFamilyOptionsFromString(config, again, printed, &again));
  EXPECT_EQ("+", OptionOf<NamedMerge>(again.merge_operator));
  EXPECT_EQ("t", OptionOf<NamedTable>(again.table_factory));
  std::string printed_again;
  ASSERT_OK(GetStringFromColumnFamilyOptions(config, again, &printed_again));
  EXPECT_EQ(printed, printed_again);
}

TEST(RegisteredObjectsTest, DatabaseOptions) {
  const ConfigOptions config = NamingConfig();
  DBOptions db;
  ASSERT_OK(GetDBOptionsFromString(
      config, db,
      "env=test.Env;rate_limiter=test.Limiter:12345;"
      "statistics=test.Statistics.quick;"
      "listeners={{id=test.Listener;option=l}};"
      "file_checksum_gen_factory={id=test.Checksums;option=c};"
      "row_cache=test.Cache",
      &db));
  EXPECT_STREQ("test.Env", db.env->Name());
  EXPECT_EQ(12345, db.rate_limiter->GetBytesPerSecond());
  EXPECT_STREQ("BasicStatistics", db.statistics->Name());
  ASSERT_EQ(1u, db.listeners.size());
  EXPECT_EQ("l", OptionOf<NamedListener>(db.listeners[0]));
  EXPECT_EQ("c", OptionOf<NamedChecksums>(db.file_checksum_gen_factory));
  EXPECT_STREQ("test.Cache", db.row_cache->Name());
  // The built-in ones of these kinds too.
  ASSERT_OK(GetDBOptionsFromString(
      config, db, "rate_limiter=2m;statistics=BasicStatistics;row_cache=3m",
      &db));
  EXPECT_EQ(2 << 20, db.rate_limiter->GetBytesPerSecond());
  EXPECT_EQ(size_t{3} << 20, db.row_cache->GetCapacity());
}

TEST(RegisteredObjectsTest, TableOptions) {
  const ConfigOptions config = NamingConfig();
  BlockBasedTableOptions table;
  ASSERT_OK(GetBlockBasedTableOptionsFromString(
      config, table,
      "filter_policy=test.Bloom:7.5;block_cache={id=test.Cache;option=b}",
      &table));
  EXPECT_EQ("test.Bloom:7.5", table.filter_policy->GetId());
  EXPECT_EQ("b", OptionOf<NamedCache>(table.block_cache));
  for (const char* bad : {"filter_policy=test.Bloom:x", "block_cache=test.No",
                          "filter_policy=test.Bloom"}) {
    const Status s =
        GetBlockBasedTableOptionsFromString(config, table, bad, &table);
    EXPECT_TRUE(s.IsInvalidArgument() && NamesIt(s, bad)) << s.ToString();
  }
}

TEST(RegisteredObjectsTest, CreatedDirectly) {
  const ConfigOptions config = NamingConfig();
  std::shared_ptr<SecondaryCache> secondary;
  ASSERT_OK(SecondaryCache::CreateFromString(
      config, "{id=test.SecondaryCache;option=s}", &secondary));
  EXPECT_EQ("s", OptionOf<NamedSecondaryCache>(secondary));
  std::shared_ptr<FileSystem> fs;
  ASSERT_OK(FileSystem::CreateFromString(config, "test.FileSystem", &fs));
  EXPECT_STREQ("test.FileSystem", fs->Name());
  std::shared_ptr<SystemClock> clock;
  ASSERT_OK(SystemClock::CreateFromString(config, "test.Clock", &clock));
  EXPECT_STREQ("test.Clock", clock->Name());
  const Comparator* order = nullptr;
  ASSERT_OK(Comparator::CreateFromString(config, "test.Order", &order));
  EXPECT_STREQ("test.Order", order->Name());
  const CompactionFilter* filter = nullptr;
  ASSERT_OK(CompactionFilter::CreateFromString(config, "test.Filter", &filter));
  EXPECT_STREQ("test.Filter", filter->Name());
  // One that needs an owner is nothing for a field without.
  config.registry->AddLibrary("owned")->AddFactory<CompactionFilter>(
      "test.Filter", [](const std::string&, auto* guard, std::string*) {
        *guard = std::make_unique<NamedKeyFilter>();
        return guard->get();
      });
  const Status s =
      CompactionFilter::CreateFromString(config, "test.Filter", &filter);
  EXPECT_TRUE(s.IsInvalidArgument() && NamesIt(s, "test.Filter"))
      << s.ToString();
}

TEST(RegisteredObjectsTest, Environments) {
  const ConfigOptions config = NamingConfig();
  Env* env = nullptr;
  std::shared_ptr<Env> guard;
  ASSERT_OK(Env::CreateFromUri(config, "test.Env", "", &env, &guard));
  EXPECT_STREQ("test.Env", env->Name());
  EXPECT_EQ(nullptr, guard);
  ASSERT_OK(Env::CreateFromUri(config, "", "test.FileSystem", &env, &guard));
  EXPECT_STREQ("test.FileSystem", env->GetFileSystem()->Name());
  EXPECT_EQ(env, guard.get());
  // An URI, whatever is in it, is the name as a whole.
  config.registry->AddLibrary("owned")->AddFactory<Env>(
      ObjectLibrary::PatternEntry("far", false).AddSeparator("://"),
      [](const std::string& id, auto* owner, std::string* message) {
        *message = "no way to " + id;
        if (id == "far://host?a=1;b=2") *owner = std::make_unique<NamedEnv>();
        return owner->get();
      });
  ASSERT_OK(Env::CreateFromUri(config, "far://host?a=1;b=2", "", &env, &guard));
  EXPECT_EQ(env, guard.get());
  Status s = Env::CreateFromString(config, "far://host?a=1;b=2", &env);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  s = Env::CreateFromUri(config, "far://away", "", &env, &guard);
  EXPECT_TRUE(s.IsInvalidArgument() && NamesIt(s, "no way to far://away"))
      << s.ToString();
}

// --- What is wrong ----------------------------------------------------------

TEST(RegisteredObjectsTest, WithoutTheLibraryNamesArePassedOver) {
  ConfigOptions config;
  ColumnFamilyOptions cf;
  cf.merge_operator = std::make_shared<NamedMerge>();
  ASSERT_OK(GetColumnFamilyOptionsFromString(config, cf, kFamilyText, &cf));
  EXPECT_EQ(nullptr, cf.merge_operator);
  EXPECT_EQ(BytewiseComparator(), cf.comparator);
  config.ignore_unsupported_options = false;
  const Status s = GetColumnFamilyOptionsFromString(
      config, cf, "merge_operator=test.Merge", &cf);
  EXPECT_TRUE(s.IsInvalidArgument() && NamesIt(s, "test.Merge"))
      << s.ToString();
}

TEST(RegisteredObjectsTest, BadOptionsOfAnObject) {
  ConfigOptions config = NamingConfig();
  ColumnFamilyOptions cf;
  for (const char* bad : {"merge_operator={id=test.Merge;no_such=1}",
                          "prefix_extractor={id=test.Transform;option=1}",
                          "merge_operator={id=test.Merge;option=1"}) {
    for (const bool ignores : {false, true}) {
      config.ignore_unsupported_options = ignores;
      const Status s = GetColumnFamilyOptionsFromString(config, cf, bad, &cf);
      EXPECT_TRUE(s.IsInvalidArgument()) << bad << ": " << s.ToString();
      EXPECT_EQ(nullptr, cf.merge_operator);
      EXPECT_EQ(nullptr, cf.prefix_extractor);
    }
  }
}

// What text says to a merge operator that `make` should make.
Status TryMerge(const FactoryFunc<MergeOperator>& make) {
  ConfigOptions config;
  config.registry->AddLibrary("bad")->AddFactory<MergeOperator>("bad.Merge",
                                                                make);
  ColumnFamilyOptions cf;
  const Status s = GetColumnFamilyOptionsFromString(
      config, cf, "merge_operator={id=bad.Merge;option=1}", &cf);
  EXPECT_EQ(nullptr, cf.merge_operator);
  EXPECT_TRUE(NamesIt(s, "bad.Merge")) << s.ToString();
  return s;
}

class ThrowingMerge : public WithOption<AssociativeMergeOperator> {
 public:
  const char* Name() const override { return "bad.Merge"; }
  bool Merge(const Slice&, const Slice*, const Slice&, std::string*,
             Logger*) const override {
    return false;
  }
  Status PrepareOptions(const ConfigOptions&) override {
    throw std::runtime_error("ill prepared");
  }
};

TEST(RegisteredObjectsTest, FactoriesThatFailAreErrors) {
  Status s = TryMerge([](const std::string&, auto*, std::string*) {
    return static_cast<MergeOperator*>(nullptr);
  });
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  s = TryMerge([](const std::string&, auto*, std::string* message) {
    *message = "for a reason";
    return static_cast<MergeOperator*>(nullptr);
  });
  EXPECT_TRUE(NamesIt(s, "for a reason")) << s.ToString();
  s = TryMerge([](const std::string&, auto*, std::string*) -> MergeOperator* {
    throw std::runtime_error("out of reach");
  });
  EXPECT_TRUE(NamesIt(s, "threw: out of reach")) << s.ToString();
  s = TryMerge([](const std::string&, auto* guard, std::string*) {
    *guard = std::make_unique<ThrowingMerge>();
    return guard->get();
  });
  EXPECT_TRUE(NamesIt(s, "threw: ill prepared")) << s.ToString();
}

// --- Databases --------------------------------------------------------------

class RegisteredObjectsDb : public DbFixture {
 protected:
  // From now on the database runs with what its OPTIONS file says.
  void ReopenAsLoaded(const ConfigOptions& config) {
    db_.reset();
    DBOptions db;
    std::vector<ColumnFamilyDescriptor> families;
    ASSERT_OK(LoadLatestOptions(config, path_, &db, &families));
    ASSERT_EQ(1u, families.size());
    options_ = Options(db, families[0].options);
    ASSERT_OK(TryOpen());
  }
};

TEST_F(RegisteredObjectsDb, OptionsFilesGiveThemBack) {
  const ConfigOptions config = NamingConfig();
  ASSERT_OK(GetOptionsFromString(
      config, options_,
      std::string(kFamilyText) +
          "table_factory={id=test.Table;option={a=1;b=#}};"
          "file_checksum_gen_factory={id=test.Checksums;option=c};",
      &options_));
  Open();
  ASSERT_OK(db_->Merge(WriteOptions(), "joined", "1"));
  ASSERT_OK(Put("gone", "soon"));
  ASSERT_OK(Put("first", "v"));
  ASSERT_OK(Flush());
  EXPECT_EQ("joined=1 gone=soon first=v ", Scan());
  std::string before;
  ASSERT_OK(
      GetStringFromColumnFamilyOptions(config, db_->GetOptions(), &before));

  ReopenAsLoaded(config);
  std::string after;
  ASSERT_OK(GetStringFromColumnFamilyOptions(config, options_, &after));
  EXPECT_EQ(before, after);
  EXPECT_EQ("c", OptionOf<NamedChecksums>(options_.file_checksum_gen_factory));
  EXPECT_EQ("a=1;b=#", OptionOf<NamedTable>(options_.table_factory));
  ASSERT_OK(db_->Merge(WriteOptions(), "joined", "2"));
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ("joined=1+2 first=v ", Scan());
  EXPECT_EQ(2, FilesAt(1) + FilesAt(6));  // One for each first letter.
}

TEST_F(RegisteredObjectsDb, WithoutTheLibraryTheFileIsReadAndTheOrderIsWrong) {
  const ConfigOptions config = NamingConfig();
  ASSERT_OK(GetOptionsFromString(config, options_, kFamilyText, &options_));
  Open();
  db_.reset();
  DBOptions db;
  std::vector<ColumnFamilyDescriptor> families;
  ConfigOptions unknowing;
  ASSERT_OK(LoadLatestOptions(unknowing, path_, &db, &families));
  EXPECT_EQ(nullptr, families[0].options.merge_operator);
  options_ = Options(db, families[0].options);
  const Status opened = TryOpen();
  EXPECT_TRUE(opened.IsInvalidArgument() && NamesIt(opened, "test.Order"))
      << opened.ToString();
  unknowing.ignore_unsupported_options = false;
  const Status s = LoadLatestOptions(unknowing, path_, &db, &families);
  EXPECT_TRUE(s.IsNotSupported() && NamesIt(s, "test.Order")) << s.ToString();
  EXPECT_TRUE(NamesIt(s, "OPTIONS-")) << s.ToString();
}

// The kinds that a database does not write to its OPTIONS file, but reads.
TEST_F(RegisteredObjectsDb, LinesThatAPersonAdds) {
  OptionsFile file;
  file.families.push_back({"default", ColumnFamilyOptions(), {}});
  std::string text = PrintOptionsFile(file);
  const auto add = [&text](const std::string& section,
                           const std::string& lines) {
    const size_t at = text.find(section);
    ASSERT_NE(std::string::npos, at);
    text.insert(text.find('\n', at) + 1, lines);
  };
  add("[DBOptions]",
      "  listeners=test.Listener\n  rate_limiter=test.Limiter:77\n"
      "  statistics=test.Statistics\n  row_cache=test.Cache\n");
  add("[CFOptions",
      "  table_properties_collector_factories=test.Collector\n"
      "  compaction_filter_factory=test.FilterFactory\n"
      "  memtable_factory=test.Memtable\n");
  add("[TableOptions",
      "  filter_policy=test.Bloom:9\n"
      "  block_cache=test.Cache\n");
  OptionsFile read;
  ASSERT_OK(ParseOptionsFile(NamingConfig(), "OPTIONS-000007", text, &read));
  EXPECT_STREQ("test.Listener", read.db.listeners.at(0)->Name());
  EXPECT_EQ(77, read.db.rate_limiter->GetBytesPerSecond());
  EXPECT_NE(nullptr, read.db.statistics);
  EXPECT_STREQ("test.Cache", read.db.row_cache->Name());
  const ColumnFamilyOptions& cf = read.families.at(0).options;
  EXPECT_STREQ("test.Collector",
               cf.table_properties_collector_factories.at(0)->Name());
  EXPECT_STREQ("test.FilterFactory", cf.compaction_filter_factory->Name());
  EXPECT_STREQ("test.Memtable", cf.memtable_factory->Name());
  const auto* table = cf.table_factory->GetOptions<BlockBasedTableOptions>();
  EXPECT_EQ("test.Bloom:9", table->filter_policy->GetId());
  EXPECT_STREQ("test.Cache", table->block_cache->Name());
}

// What a database looks up by itself, it finds in the default registry; and it
// makes no object just to check what it wrote.
TEST_F(RegisteredObjectsDb, SetOptionsFindsWhatIsKnownEverywhere) {
  static std::atomic<int> made{0};
  ObjectLibrary::Default()->AddFactory<const SliceTransform>(
      "test.Transform", [](const std::string&, auto* guard, std::string*) {
        ++made;
        *guard = std::make_unique<NamedTransform>();
        return guard->get();
      });
  Open();
  made = 0;
  ASSERT_OK(db_->SetOptions({{"prefix_extractor", "test.Transform"}}));
  EXPECT_STREQ("test.Transform", db_->GetOptions().prefix_extractor->Name());
  EXPECT_EQ(1, made.load());
  ASSERT_OK(db_->SetOptions({{"write_buffer_size", "1000000"}}));
  EXPECT_EQ(1, made.load());
  const Status s = db_->SetOptions({{"prefix_extractor", "test.Unknown"}});
  EXPECT_TRUE(NamesIt(s, "test.Unknown")) << s.ToString();
  EXPECT_STREQ("test.Transform", db_->GetOptions().prefix_extractor->Name());
  ReopenAsLoaded(ConfigOptions());
  EXPECT_STREQ("test.Transform", db_->GetOptions().prefix_extractor->Name());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
