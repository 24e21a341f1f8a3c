// The versions of a database as its manifest keeps them: what is logged comes
// back, what does not fit is refused. The cases of
// tests/testdata/version_sets/sessions.txt are "set", and then a step a line:
//
//   create, recover [read_only] [create_missing]
//   edit EDIT | EDIT          of the families that they name, in one go
//   table LEVEL NUMBER PREFIX a table file of five entries, and its edit
//   move NUMBER FROM TO       of a table, between levels
//   family NAME log N         a new one; drop NAME
//   open NAME ..              the families that are asked for from here on
//   option NAME:VALUE         of the first of them; db NAME:VALUE: of all
//   manifest EDIT             a database of one record, written by another
//   truncate NUMBER BYTES     a table file; remove NUMBER; rename NUMBER: to
//                             its name of before
//   at sequence N, used N     what the counters are told
//
// and what is asked: state (the files), names (of families, as listed), id,
// next, new (number), sequence, maxfamily, logs (of families), wals (tracked),
// gone (tables that nobody lists), missing (families), figures NUMBER.
#include "db/manifest/version_set.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "db/files/open_tables.h"
#include "db/manifest/manifest_log.h"
#include "db/manifest/needed_logs.h"
#include "db/manifest/version_recovery.h"
#include "db/version/version_edit.h"
#include "options/sanitize.h"
#include "rocksdb/convenience.h"
#include "tests/db/manifest/manifest_fixture.h"
#include "tests/db/tables/table_files.h"
#include "tests/db/version/edit_text.h"
#include "tests/testing/script.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class RecordingSink : public ObsoleteFileSink {
 public:
  void OnReferenced(uint64_t) override {}
  void OnUnreferenced(UnreferencedTable table) override {
    numbers.insert(table.number);
  }
  void OnBlobUnreferenced(const std::string&, uint64_t, uint64_t) override {}
  std::set<uint64_t> numbers;
};

// A database's versions, without a database around them.
class VersionSetWorld {
 public:
  VersionSetWorld() : sink(std::make_shared<RecordingSink>()) {
    f.Open(true);
    EXPECT_TRUE(
        f.fs->NewDirectory("/db", IOOptions(), &directory, nullptr).ok());
    descriptors = {{"default", f.family}};
  }
  ~VersionSetWorld() { Close(); }
  VersionSetWorld(const VersionSetWorld&) = delete;
  VersionSetWorld& operator=(const VersionSetWorld&) = delete;

  void Create() {
    MakeSet();
    ASSERT_TRUE(versions->CreateNew("the-id", directory.get()).ok());
  }
  void MakeSet() {
    Close();
    VersionSet::Context context;
    context.db_path = "/db";
    context.db = f.db.get();
    context.families.db = f.db.get();
    context.families.tables.paths = {"/db"};
    context.families.mutex = &mutex;
    if (bounded != nullptr) {
      context.families.tables.cache = bounded->cache();
      context.families.tables.pins_readers = bounded->pins_readers();
    }
    context.sink = sink;
    context.mutex = &mutex;
    versions = std::make_unique<VersionSet>(std::move(context));
  }
  Status Recover(bool read_only = false, bool create_missing = false) {
    MakeSet();
    MutexLock lock(&mutex);
    return versions->Recover(descriptors, {read_only, create_missing});
  }
  void Close() {
    if (versions == nullptr) return;
    IgnoreError(versions->manifest()->Close(), "the test is over");
    versions.reset();
  }

  Status Apply(VersionEdit* edit) {
    MutexLock lock(&mutex);
    for (const auto& entry : edit->new_files) {
      versions->MarkFileNumberUsed(entry.file->number);
    }
    return versions->LogAndApply(
        {{versions->families()->default_family(), edit}}, directory.get());
  }
  // A table file, logged at `level`.
  Status AddTable(uint64_t number, int level, const std::string& prefix) {
    VersionEdit edit;
    edit.AddFile(level, f.Write(number, TableFiles::Numbered(prefix, 5)));
    return Apply(&edit);
  }
  std::string Files() {
    MutexLock lock(&mutex);
    std::string text;
    for (const ColumnFamilyRef& cfd : versions->families()->all()) {
      text += (text.empty() ? "" : "; ") + cfd->name() + ":";
      const VersionStorage& storage = cfd->current()->storage();
      for (int level = 0; level < storage.level_count(); ++level) {
        for (const FileRef& file : storage.files(level)) {
          text +=
              " L" + std::to_string(level) + "." + std::to_string(file->number);
        }
      }
    }
    return text;
  }
  // After the options of the database have changed.
  void SetDbOptions(const DBOptions& options) {
    f.db_options = options;
    f.db = std::make_unique<ImmutableDBOptions>(options);
  }

  TableFiles f;
  std::shared_ptr<RecordingSink> sink;
  std::unique_ptr<OpenTables> bounded;  // null: all files stay open
  std::unique_ptr<FSDirectory> directory;
  Mutex mutex;
  std::vector<ColumnFamilyDescriptor> descriptors;
  std::unique_ptr<VersionSet> versions;
};

class VersionSetTest : public ::testing::Test, protected VersionSetWorld {};

TEST_F(VersionSetTest, ManifestsToKeep) {
  Create();
  ASSERT_TRUE(Recover().ok());
  MutexLock lock(&mutex);
  EXPECT_EQ(versions->manifest()->MinNumberToKeep(), 1u);
  VersionEdit edit;
  ColumnFamilyData* cfd = versions->families()->default_family();
  // It fails, at whatever call: the one that CURRENT named stays.
  for (uint64_t k = 1;; ++k) {
    f.fs->FailCall({.call = k});
    Status s = versions->LogAndApply({{cfd, &edit}}, directory.get());
    EXPECT_EQ(versions->manifest()->pending_number(), 0u);
    if (s.ok()) break;
    EXPECT_EQ(versions->manifest()->MinNumberToKeep(), 1u);
  }
  EXPECT_GT(versions->manifest()->MinNumberToKeep(), 1u);
  EXPECT_GT(versions->manifest()->size_bytes(), 0u);
}

TEST_F(VersionSetTest, AFailedEditChangesNothing) {
  Create();
  ASSERT_TRUE(Recover().ok());
  ASSERT_TRUE(AddTable(20, 0, "a").ok());
  VersionEdit edit;
  edit.AddFile(0, f.Write(21, TableFiles::Numbered("b", 5)));
  edit.DeleteFile(0, 20);
  for (uint64_t k = 1; k <= 2; ++k) {
    f.fs->FailCall({.call = k});
    EXPECT_FALSE(Apply(&edit).ok());
    EXPECT_EQ(Files(), "default: L0.20");
    EXPECT_TRUE(sink->numbers.empty());
    f.fs->ClearFault();
  }
  // One that does not fit is not written at all.
  VersionEdit misfit;
  misfit.DeleteFile(0, 99);
  EXPECT_TRUE(Apply(&misfit).IsCorruption());
  ASSERT_TRUE(Apply(&edit).ok());
  EXPECT_EQ(Files(), "default: L0.21");
  ASSERT_TRUE(Recover().ok());
  EXPECT_EQ(Files(), "default: L0.21");
}

// More of them than a bounded cache opens.
TEST_F(VersionSetTest, NoLiveFileEscapesParanoidChecks) {
  constexpr uint64_t kFirst = 20, kLast = 44;
  MutableDBOptions now;
  now.max_open_files = 100;
  bounded = std::make_unique<OpenTables>(*f.db, now);
  Create();
  ASSERT_TRUE(Recover().ok());
  for (uint64_t number = kFirst; number <= kLast; ++number) {
    const std::string key(1, static_cast<char>('A' + number - kFirst));
    ASSERT_TRUE(AddTable(number, 1, key).ok());
  }
  ASSERT_TRUE(Recover().ok());
  // Under its old name a file is as good.
  ASSERT_TRUE(
      f.fs->RenameFile("/db/000043.sst", "/db/000043.ldb", IOOptions(), nullptr)
          .ok());
  ASSERT_TRUE(Recover().ok());
  ASSERT_TRUE(f.fs->Truncate("/db/000044.sst", 40, IOOptions(), nullptr).ok());
  Status s = Recover();
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("000044.sst"), std::string::npos);
  ASSERT_TRUE(f.fs->DeleteFile("/db/000044.sst", IOOptions(), nullptr).ok());
  s = Recover();
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("000044.sst"), std::string::npos);
  f.db_options.paranoid_checks = false;
  SetDbOptions(f.db_options);
  EXPECT_TRUE(Recover().ok());
}

TEST_F(VersionSetTest, LiveFilesAreThoseThatSomeoneReads) {
  Create();
  ASSERT_TRUE(Recover().ok());
  ASSERT_TRUE(AddTable(20, 0, "a").ok());
  VersionRef held;
  {
    MutexLock lock(&mutex);
    held = versions->families()->default_family()->current();
  }
  VersionEdit gone;
  gone.DeleteFile(0, 20);
  ASSERT_TRUE(Apply(&gone).ok());
  const auto live = [this]() {
    MutexLock lock(&mutex);
    std::vector<uint64_t> numbers;
    versions->published().AddLiveFiles(&numbers);
    return std::set<uint64_t>(numbers.begin(), numbers.end());
  };
  EXPECT_EQ(live(), std::set<uint64_t>{20});
  EXPECT_TRUE(sink->numbers.empty());
  held.reset();
  EXPECT_TRUE(live().empty());
  EXPECT_EQ(sink->numbers, std::set<uint64_t>{20});
}

TEST_F(VersionSetTest, ChangesFromManyThreadsAllCount) {
  Create();
  ASSERT_TRUE(Recover().ok());
  std::vector<FileRef> files;
  for (uint64_t n = 100; n < 140; ++n) {
    files.push_back(f.Write(n, TableFiles::Numbered("a", 2)));
  }
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t]() {
      for (size_t i = t; i < files.size(); i += 4) {
        VersionEdit edit;
        edit.AddFile(0, files[i]);
        EXPECT_TRUE(Apply(&edit).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  files.clear();
  const std::string state = Files();
  ASSERT_TRUE(Recover().ok());
  EXPECT_EQ(Files(), state);
  MutexLock lock(&mutex);
  EXPECT_EQ(
      versions->families()->default_family()->current()->storage().FileCount(0),
      40u);
}

// --- the script

std::string OkOr(const Status& s, const std::string& text = "ok") {
  return s.ok() ? text : s.ToString();
}

std::string WordsBehind(const std::string& line, const std::string& verb) {
  return line.size() > verb.size() ? line.substr(verb.size() + 1) : "";
}

class VersionSetScript {
 public:
  // "": the step has no answer.
  std::string Step(const std::string& line) {
    const std::string verb = line.substr(0, line.find(' '));
    const std::string rest = WordsBehind(line, verb);
    if (verb == "create") return world_.Create(), "";
    if (verb == "edit" || verb == "together") return Apply(rest);
    if (verb == "manifest") return WriteManifest(rest);
    const ScriptWords words(line);
    if (verb == "recover") {
      return OkOr(world_.Recover(words.HasWord("read_only"),
                                 words.HasWord("create_missing")));
    }
    if (verb == "table" || verb == "move") return AddTable(words);
    if (verb == "family" || verb == "drop") return ChangeFamilies(words);
    if (verb == "open" || verb == "option" || verb == "db") {
      return SetOptions(verb, words);
    }
    if (verb == "truncate" || verb == "remove" || verb == "rename") {
      return ChangeFile(words);
    }
    if (verb == "at") {
      versions()->SetLastSequence(std::stoull(words.Word(1)));
      return "";
    }
    if (verb == "used") {
      versions()->MarkFileNumberUsed(std::stoull(rest));
      return "";
    }
    return Ask(verb, rest);
  }

 private:
  VersionSet* versions() { return world_.versions.get(); }
  FSDirectory* directory() { return world_.directory.get(); }
  ColumnFamilySet* families() { return versions()->families(); }

  // Edits with bars between them, each for the family that it names.
  std::string Apply(const std::string& text) {
    std::vector<VersionEdit> edits;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, '|');) {
      edits.push_back(ParseEdit(part));
    }
    MutexLock lock(&world_.mutex);
    std::vector<VersionSet::Change> changes;
    for (VersionEdit& edit : edits) {
      ColumnFamilyData* cfd = families()->Find(edit.column_family);
      if (cfd == nullptr) cfd = dropped_.at(edit.column_family).get();
      if (edit.IsWalEdit() || edit.min_log_number_to_keep) cfd = nullptr;
      changes.push_back({cfd, &edit});
    }
    const Status s = versions()->LogAndApply(changes, directory());
    if (!s.ok() || edits.size() == 1) return OkOr(s);
    std::string groups = "ok, followed by";
    for (const VersionEdit& edit : edits) {
      groups += " " + std::to_string(edit.remaining_in_group.value_or(99));
    }
    return groups;
  }
  // "table LEVEL NUMBER PREFIX", "move NUMBER FROM TO"
  std::string AddTable(const ScriptWords& words) {
    const auto number = [&words](size_t i) {
      return std::stoull(words.Word(i));
    };
    if (words.verb() == "table") {
      return OkOr(world_.AddTable(number(1), static_cast<int>(number(0)),
                                  words.Word(2)));
    }
    VersionEdit edit;
    const int from = static_cast<int>(number(1));
    edit.DeleteFile(from, number(0));
    edit.AddFile(static_cast<int>(number(2)), Find(number(0)));
    return OkOr(world_.Apply(&edit));
  }
  FileRef Find(uint64_t number) {
    MutexLock lock(&world_.mutex);
    const VersionStorage& storage =
        families()->default_family()->current()->storage();
    for (int level = 0; level < storage.level_count(); ++level) {
      for (const FileRef& file : storage.files(level)) {
        if (file->number == number) return file;
      }
    }
    ADD_FAILURE() << "where is " << number << "?";
    return std::make_shared<FileMeta>();
  }
  // "family NAME log N", "drop NAME"
  std::string ChangeFamilies(const ScriptWords& words) {
    const std::string& name = words.Word(0);
    MutexLock lock(&world_.mutex);
    if (words.verb() == "drop") {
      ColumnFamilyData* cfd = families()->Find(name);
      for (const auto& [id, family] : dropped_) {
        if (family->name() == name) cfd = family.get();
      }
      const ColumnFamilyRef held = cfd->shared_from_this();
      const Status s = versions()->DropFamily(cfd, directory());
      if (s.ok()) dropped_[held->id()] = held;
      return OkOr(s);
    }
    ColumnFamilyData* cfd = nullptr;
    const Status s = versions()->CreateFamily(
        name, SanitizeColumnFamilyOptions(*world_.f.db, world_.f.family),
        std::stoull(words.Word(2)), directory(), &cfd);
    return s.ok() ? "id " + std::to_string(cfd->id()) : s.ToString();
  }
  std::string SetOptions(const std::string& verb, const ScriptWords& words) {
    if (verb == "open") {
      world_.descriptors.clear();
      for (const std::string& name : words.words()) {
        world_.descriptors.emplace_back(name, world_.f.family);
      }
      return "";
    }
    std::unordered_map<std::string, std::string> texts(words.named().begin(),
                                                       words.named().end());
    if (verb == "option") {
      ColumnFamilyOptions& options = world_.descriptors.at(0).options;
      return OkOr(GetColumnFamilyOptionsFromMap(ConfigOptions(), options, texts,
                                                &options),
                  "");
    }
    DBOptions options = world_.f.db_options;
    const Status s =
        GetDBOptionsFromMap(ConfigOptions(), options, texts, &options);
    world_.Close();  // It has those of before.
    world_.SetDbOptions(options);
    return OkOr(s, "");
  }
  // MANIFEST-000005, of one record.
  std::string WriteManifest(const std::string& edit) {
    Status s = CreateFile(world_.f.fs.get(), DescriptorFileName("/db", 5),
                          ManifestDirectory::LogOf({Encode(ParseEdit(edit))}),
                          FileDurability::kBuffered);
    if (s.ok()) {
      s = CreateFile(world_.f.fs.get(), CurrentFileName("/db"),
                     DescriptorFileName(5) + "\n", FileDurability::kBuffered);
    }
    return OkOr(s, "");
  }
  std::string ChangeFile(const ScriptWords& words) {
    const auto fs = world_.f.fs;
    const uint64_t number = std::stoull(words.Word(0));
    const std::string path = TableFileName("/db", number);
    if (words.verb() == "remove") {
      return OkOr(fs->DeleteFile(path, IOOptions(), nullptr), "");
    }
    if (words.verb() == "truncate") {
      return OkOr(
          fs->Truncate(path, std::stoull(words.Word(1)), IOOptions(), nullptr),
          "");
    }
    const std::string old = path.substr(0, path.size() - 3) + "ldb";
    return OkOr(fs->RenameFile(path, old, IOOptions(), nullptr), "");
  }

  std::string Ask(const std::string& verb, const std::string& rest) {
    if (verb == "state") return world_.Files();
    if (verb == "id") return versions()->db_id();
    if (verb == "next") return std::to_string(versions()->next_file_number());
    if (verb == "new") return std::to_string(versions()->NewFileNumber());
    if (verb == "sequence") return std::to_string(versions()->LastSequence());
    if (verb == "names") {
      std::vector<std::string> names;
      const Status s = ListFamilyNames("/db", world_.f.fs.get(), &names);
      std::string text;
      for (const std::string& name : names) text += name + " ";
      return OkOr(s, text);
    }
    if (verb == "figures") return Figures(*Find(std::stoull(rest)));
    return AskOfSet(verb);
  }
  static std::string Figures(const FileMeta& file) {
    std::string text = std::to_string(file.entry_count.load()) + " entries";
    if (!file.has_properties.load()) text += ", unread";
    if (file.MayHaveTombstones()) text += ", may have tombstones";
    return text;
  }
  std::string AskOfSet(const std::string& verb) {
    MutexLock lock(&world_.mutex);
    std::string text;
    if (verb == "maxfamily") {
      text = std::to_string(families()->max_id());
    } else if (verb == "logs") {
      for (const ColumnFamilyRef& cfd : families()->all()) {
        text += cfd->name() + "=" + std::to_string(cfd->log_number()) + " ";
      }
    } else if (verb == "wals") {
      for (const auto& [number, size] : versions()->logs()->synced_sizes()) {
        text += std::to_string(number) + "=" + std::to_string(size) + " ";
      }
    } else if (verb == "gone") {
      for (const uint64_t number : world_.sink->numbers) {
        text += std::to_string(number) + " ";
      }
    } else if (verb == "missing") {
      for (const auto& family : versions()->missing_families()) {
        text += family.name + " ";
      }
    } else {
      ADD_FAILURE() << "what is " << verb << "?";
    }
    return text.empty() ? "none" : text;
  }

  VersionSetWorld world_;
  std::map<uint32_t, ColumnFamilyRef> dropped_;
};

std::string RunVersionSetCase(const ScriptCase& c) {
  EXPECT_EQ(c.command, "set");
  VersionSetScript script;
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    std::string answer = script.Step(line);
    while (!answer.empty() && answer.back() == ' ') answer.pop_back();
    if (!answer.empty())
      text += line.substr(0, line.find(' ')) + ": " + answer + "\n";
  }
  return text;
}

TEST(VersionSetScriptTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("version_sets/sessions.txt", RunVersionSetCase), 27u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
