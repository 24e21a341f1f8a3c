// OptionChangeMigration() of a database with several families: runs
// option_scripts/migrations.txt.
//
//   migrate               steps over a new database, each with an answer of a
//       line or with none:
//     from FAMILY OPTIONS   it has this family, with these options,
//     to FAMILY OPTIONS     and is to have these; "-" is none. Said again, the
//                           options replace those from before.
//     open from | open to   with the one or with the other
//     put FAMILY KEY=VALUE..    in a table file
//     compact FAMILY        all of it, as deep as it can go
//     tables FAMILY         the number of its files at each level that has any
//     scan FAMILY           what it has
//     change [from|to from|to]  the migration, of the first into the second, or
//         of the one list into the other
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/utilities/option_change_migration.h"
#include "tests/db/impl/families_fixture.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class OptionMigrationTest : public FamiliesFixture {
 protected:
  using Families = std::vector<ColumnFamilyDescriptor>;

  OptionMigrationTest() {
    options_.create_if_missing = true;
    options_.create_missing_column_families = true;
  }
  std::string Run(const ScriptCase& c) {
    EXPECT_EQ(c.command, "migrate");
    Close();
    std::filesystem::remove_all(path_);
    from_.clear();
    to_.clear();
    std::string answers;
    for (const std::string& line : LinesOf(c.body)) {
      std::istringstream words(line);
      const std::string answer = Step(&words);
      if (!answer.empty()) answers += answer + "\n";
    }
    Close();
    return answers;
  }

 private:
  void Close() {
    CloseFamilies();
    names_.clear();
  }
  // Empty: the step has no answer.
  std::string Step(std::istream* words) {
    std::string verb, word;
    *words >> verb >> word;
    if (verb == "from") return Describe(word, words, &from_), "";
    if (verb == "to") return Describe(word, words, &to_), "";
    if (verb == "open") return Open(ListOf(word));
    if (verb == "change") {
      Close();
      std::string into;
      *words >> into;
      const DBOptions db(options_);
      return Shown(
          OptionChangeMigration(path_, db, ListOf(word.empty() ? "from" : word),
                                db, ListOf(into.empty() ? "to" : into)));
    }
    const size_t family = IndexOf(word);
    if (verb == "put") return Put(family, words), "";
    if (verb == "compact") {
      EXPECT_OK(db_->CompactRange({}, handles_[family], nullptr, nullptr));
      return "";
    }
    if (verb == "tables") return Tables(family);
    EXPECT_EQ(verb, "scan");
    const std::string all = ScanOf(family);
    return all.empty() ? "nothing" : all.substr(0, all.size() - 1);
  }
  void Describe(const std::string& name, std::istream* words,
                Families* families) {
    std::string text;
    *words >> text;
    ColumnFamilyOptions options;
    options.disable_auto_compactions = true;
    const ColumnFamilyOptions base = options;
    EXPECT_OK(GetColumnFamilyOptionsFromString(
        ConfigOptions(), base, text == "-" ? "" : text, &options));
    const auto known = std::find_if(
        families->begin(), families->end(),
        [&](const ColumnFamilyDescriptor& one) { return one.name == name; });
    if (known != families->end()) {
      known->options = options;
    } else {
      families->emplace_back(name, options);
    }
  }
  const Families& ListOf(const std::string& name) const {
    EXPECT_TRUE(name == "from" || name == "to") << name;
    return name == "from" ? from_ : to_;
  }
  std::string Open(const Families& families) {
    Close();
    const Status s =
        DB::Open(DBOptions(options_), path_, families, &handles_, &db_);
    for (const auto& family : families) names_.push_back(family.name);
    return Shown(s);
  }
  // The database has a path of chance.
  std::string Shown(const Status& s) const {
    std::string text = s.ToString();
    for (size_t at = 0; (at = text.find(path_)) != std::string::npos;) {
      text.replace(at, path_.size(), "DB");
    }
    return text;
  }
  size_t IndexOf(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    EXPECT_NE(found, names_.end()) << name;
    return static_cast<size_t>(found - names_.begin());
  }
  void Put(size_t family, std::istream* words) {
    for (std::string word; *words >> word;) {
      const size_t equals = word.find('=');
      ASSERT_OK(PutIn(family, word.substr(0, equals), word.substr(equals + 1)));
    }
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[family]));
  }
  std::string Tables(size_t family) {
    std::string text;
    const int levels = db_->NumberLevels(handles_[family]);
    for (int level = 0; level < levels; ++level) {
      std::string count;
      EXPECT_TRUE(db_->GetProperty(
          handles_[family],
          DB::Properties::kNumFilesAtLevelPrefix + std::to_string(level),
          &count));
      if (count == "0") continue;
      text += (text.empty() ? "L" : " L") + std::to_string(level) + ":" + count;
    }
    return text.empty() ? "none" : text;
  }

  Families from_, to_;
  std::vector<std::string> names_;
};

TEST_F(OptionMigrationTest, EveryCaseOfTheScript) {
  const auto run = [this](const ScriptCase& c) { return Run(c); };
  EXPECT_GE(RunScript("option_scripts/migrations.txt", run), 11u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
