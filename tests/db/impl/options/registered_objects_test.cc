// Objects of the application by name: in databases that are opened with what
// OPTIONS files say, and in texts, which runs option_scripts/named_objects.txt.
//
//   family | database | table [unknown] [lenient]   the options that each line
//       sets; unknown: without the library that knows the objects; lenient:
//       what is not known is passed over
//   make                  KIND TEXT: an object by itself, a secondary cache,
//       files, a clock, an order or a filter
//   file                  the body is an OPTIONS file
//   The objects are those of registered_kinds.h.
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
#include "tests/options/option_lines.h"
#include "tests/testing/script.h"

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

// --- The script
// ---------------------------------------------------------------

template <class T>
void ExpectIsPrepared(const T* object) {
  const auto* named = dynamic_cast<const WithOption<T>*>(object);
  EXPECT_TRUE(named == nullptr || named->is_prepared()) << object->Name();
}

void ExpectArePrepared(const ColumnFamilyOptions& cf) {
  // One is derived from a class between.
  const auto* merge = dynamic_cast<const NamedMerge*>(cf.merge_operator.get());
  EXPECT_TRUE(merge == nullptr || merge->is_prepared());
  ExpectIsPrepared(cf.compaction_filter);
  ExpectIsPrepared(cf.compaction_filter_factory.get());
  ExpectIsPrepared(cf.table_factory.get());
  ExpectIsPrepared(cf.sst_partitioner_factory.get());
  for (const auto& factory : cf.table_properties_collector_factories) {
    ExpectIsPrepared(factory.get());
  }
}
void ExpectArePrepared(const DBOptions& db) {
  for (const auto& listener : db.listeners) ExpectIsPrepared(listener.get());
  ExpectIsPrepared(db.file_checksum_gen_factory.get());
}
void ExpectArePrepared(const BlockBasedTableOptions& table) {
  const auto* cache = dynamic_cast<const NamedCache*>(table.block_cache.get());
  EXPECT_TRUE(cache == nullptr || cache->is_prepared());
}

// What their text does not show.
std::string SizesOf(const DBOptions& db) {
  std::string text;
  if (db.rate_limiter != nullptr) {
    text += " (limited to " +
            std::to_string(db.rate_limiter->GetBytesPerSecond()) + ")";
  }
  if (db.row_cache != nullptr) {
    text += " (" + std::string(db.row_cache->Name()) + " of " +
            std::to_string(db.row_cache->GetCapacity()) + ")";
  }
  if (db.statistics != nullptr) text += " (with statistics)";
  return text;
}
std::string SizesOf(const ColumnFamilyOptions&) { return ""; }
std::string SizesOf(const BlockBasedTableOptions& table) {
  return table.block_cache == nullptr
             ? ""
             : " (with " + OptionOf<NamedCache>(table.block_cache) + ")";
}

Status TakeText(const ConfigOptions& config, const std::string& text,
                ColumnFamilyOptions* result) {
  const ColumnFamilyOptions base = *result;
  return GetColumnFamilyOptionsFromString(config, base, text, result);
}
Status TakeText(const ConfigOptions& config, const std::string& text,
                DBOptions* result) {
  const DBOptions base = *result;
  return GetDBOptionsFromString(config, base, text, result);
}
Status TakeText(const ConfigOptions& config, const std::string& text,
                BlockBasedTableOptions* result) {
  const BlockBasedTableOptions base = *result;
  return GetBlockBasedTableOptionsFromString(config, base, text, result);
}

// Their own text makes the same, but for collectors, which it does not name.
void ExpectTextIsTaken(ColumnFamilyOptions options) {
  const ConfigOptions config = NamingConfig();
  options.table_properties_collector_factories.clear();
  std::string text;
  ASSERT_OK(GetStringFromColumnFamilyOptions(config, options, &text));
  ColumnFamilyOptions again;
  ASSERT_OK(TakeText(config, text, &again));
  EXPECT_EQ(OptionDifference(options, again), "-");
  std::string text_again;
  ASSERT_OK(GetStringFromColumnFamilyOptions(config, again, &text_again));
  EXPECT_EQ(text, text_again);
}
void ExpectTextIsTaken(const DBOptions&) {}
void ExpectTextIsTaken(const BlockBasedTableOptions&) {}

template <class T>
std::string OptionsWithObjects(const ConfigOptions& config,
                               const std::string& over,
                               const std::string& text) {
  T base;
  EXPECT_OK(TakeText(NamingConfig(), over, &base));
  T options = base;
  const Status s = TakeText(config, text, &options);
  if (!s.ok()) {
    EXPECT_EQ(OptionDifference(base, options), "-");
    return s.ToString();
  }
  ExpectArePrepared(options);
  ExpectTextIsTaken(options);
  return OptionDifference(T(), options) + SizesOf(options);
}

template <class T>
std::string NameOfMade(const ConfigOptions& config, const std::string& text) {
  std::shared_ptr<T> object;
  const Status s = T::CreateFromString(config, text, &object);
  if (!s.ok()) return s.ToString();
  return object == nullptr ? "none" : object->Name();
}
template <class T>
std::string NameOfFound(const ConfigOptions& config, const std::string& text) {
  const T* object = nullptr;
  const Status s = T::CreateFromString(config, text, &object);
  if (!s.ok()) return s.ToString();
  return object == nullptr ? "none" : object->Name();
}

// "secondary TEXT", "files TEXT", "clock TEXT", "order TEXT", "filter TEXT"
std::string MadeByItself(const ConfigOptions& config, const std::string& line) {
  const size_t space = line.find(' ');
  const std::string kind = line.substr(0, space);
  const std::string text = line.substr(space + 1);
  if (kind == "files") return NameOfMade<FileSystem>(config, text);
  if (kind == "clock") return NameOfMade<SystemClock>(config, text);
  if (kind == "order") return NameOfFound<Comparator>(config, text);
  if (kind == "filter") return NameOfFound<CompactionFilter>(config, text);
  EXPECT_EQ(kind, "secondary");
  std::shared_ptr<SecondaryCache> cache;
  const Status s = SecondaryCache::CreateFromString(config, text, &cache);
  if (!s.ok()) return s.ToString();
  return "with " + OptionOf<NamedSecondaryCache>(cache);
}

std::string FileWithObjects(const ConfigOptions& config,
                            const std::string& text) {
  OptionsFile file;
  const Status s = ParseOptionsFile(config, "OPTIONS-000007", text, &file);
  if (!s.ok()) return s.ToString() + "\n";
  std::string answer =
      OptionDifference(DBOptions(), file.db) + SizesOf(file.db) + "\n";
  for (const NamedFamily& family : file.families) {
    answer += family.name + ": " +
              OptionDifference(ColumnFamilyOptions(), family.options) + "\n";
  }
  return answer;
}

std::string RunRegisteredCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  const std::string& verb = command.verb();
  ConfigOptions config = NamingConfig();
  // Nor does it know what another test has made known everywhere.
  if (command.HasWord("unknown")) {
    config.registry = ObjectRegistry::NewInstance(nullptr);
  }
  config.ignore_unsupported_options = command.HasWord("lenient");
  if (verb == "file") return FileWithObjects(config, c.body);
  const std::string over = command.Text("over", "");
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    if (verb == "family") {
      answers += OptionsWithObjects<ColumnFamilyOptions>(config, over, line);
    } else if (verb == "database") {
      answers += OptionsWithObjects<DBOptions>(config, over, line);
    } else if (verb == "table") {
      answers += OptionsWithObjects<BlockBasedTableOptions>(config, over, line);
    } else {
      EXPECT_EQ(verb, "make");
      answers += MadeByItself(config, line);
    }
    answers += "\n";
  }
  return answers;
}

TEST(RegisteredObjectsTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("option_scripts/named_objects.txt", RunRegisteredCase),
            15u);
}

// --- Objects by themselves ---------------------------------------------------

// One that needs an owner is nothing for a field without.
TEST(RegisteredObjectsTest, AFieldWithoutAnOwnerTakesWhatNeedsNone) {
  const ConfigOptions config = NamingConfig();
  const CompactionFilter* filter = nullptr;
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
