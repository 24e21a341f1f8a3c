// OPTIONS files of a folder: runs option_scripts/folders.txt.
//
//   folder                steps, with an answer a line where they have one:
//     file NAME OPTIONS         as a database writes it: with these options, a
//         family called second, which has four levels and merges by put, and
//         the OPTIONS for it behind "|"
//     text NAME TEXT            a file with this text
//     latest                    the name of the newest file
//     load [cache] [from NAME | in NAME]   what it says otherwise than
//         defaults: the newest, that file, or the newest of that folder; do its
//         families share a cache that is given?
//     check LEVEL [OPTIONS] [| OPTIONS]   would the database and the second
//         family be opened so? LEVEL is exact, loose or none; "only" instead of
//         the options behind "|": there is no second family
//   OPTIONS are "a=1;b=2", "-" is none.
#include "rocksdb/utilities/options_util.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "options/options_file.h"
#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/table.h"
#include "tests/options/option_lines.h"
#include "tests/testing/script.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// "a | b", either of which may be missing.
std::pair<std::string, std::string> OptionsOfBoth(const std::string& text) {
  const size_t bar = text.find('|');
  const auto trimmed = [](std::string part) {
    while (!part.empty() && part.back() == ' ') part.pop_back();
    while (!part.empty() && part.front() == ' ') part.erase(0, 1);
    return part == "-" ? "" : part;
  };
  return {trimmed(text.substr(0, bar)),
          bar == std::string::npos ? "" : trimmed(text.substr(bar + 1))};
}

class FolderScript {
 public:
  // Empty: the step has no answer.
  std::string Step(const std::string& line) {
    std::istringstream words(line);
    std::string verb, name, rest;
    words >> verb;
    if (verb == "load") return Load(&words);
    if (verb == "latest") return Latest();
    words >> name;
    std::getline(words >> std::ws, rest);
    if (verb == "check") return Check(name, rest);
    if (verb == "file") return Put(name, FileWith(rest)), "";
    EXPECT_EQ(verb, "text");
    return Put(name, rest + "\n"), "";
  }

 private:
  void Put(const std::string& name, const std::string& text) {
    std::ofstream(dir_.path() + "/" + name, std::ios::binary) << text;
  }
  static std::string FileWith(const std::string& options) {
    const auto [db, second] = OptionsOfBoth(options);
    OptionsFile file;
    EXPECT_TRUE(
        GetDBOptionsFromString(ConfigOptions(), DBOptions(), db, &file.db)
            .ok());
    file.families.push_back({"default", ColumnFamilyOptions(), {}});
    file.families.push_back({"second", ColumnFamilyOptions(), {}});
    const Status s = GetColumnFamilyOptionsFromString(
        ConfigOptions(), ColumnFamilyOptions(),
        "num_levels=4;merge_operator=put;" + second, &file.families[1].options);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return PrintOptionsFile(file);
  }
  std::string Latest() const {
    std::string name;
    const Status s =
        GetLatestOptionsFileName(dir_.path(), Env::Default(), &name);
    return s.ok() ? name : Shown(s);
  }
  // The folder has a name of chance.
  std::string Shown(const Status& s) const {
    std::string text = s.ToString();
    for (size_t at = 0; (at = text.find(dir_.path())) != std::string::npos;) {
      text.replace(at, dir_.path().size(), "FOLDER");
    }
    return text;
  }

  std::string Load(std::istream* words) {
    std::string word, path;
    std::string folder = dir_.path();
    std::shared_ptr<Cache> cache;
    while (*words >> word) {
      if (word == "cache") cache = NewLRUCache(1 << 20);
      if (word == "in") {
        *words >> word;
        folder += "/" + word;
      }
      if (word == "from") {
        *words >> word;
        path = dir_.path() + "/" + word;
      }
    }
    DBOptions db;
    std::vector<ColumnFamilyDescriptor> families;
    std::shared_ptr<Cache>* const given = cache == nullptr ? nullptr : &cache;
    const Status s =
        path.empty()
            ? LoadLatestOptions(config_, folder, &db, &families, given)
            : LoadOptionsFromFile(config_, path, &db, &families, given);
    if (!s.ok()) {
      EXPECT_TRUE(families.empty());
      return Shown(s);
    }
    EXPECT_EQ(db.env, Env::Default());
    std::string text = OptionDifference(DBOptions(), db);
    for (const ColumnFamilyDescriptor& family : families) {
      text += "\n" + family.name + ": " +
              OptionDifference(ColumnFamilyOptions(), family.options);
      if (cache != nullptr) text += SharesCache(family.options, cache);
    }
    return text;
  }
  static std::string SharesCache(const ColumnFamilyOptions& options,
                                 const std::shared_ptr<Cache>& cache) {
    const auto* table =
        options.table_factory->GetOptions<BlockBasedTableOptions>();
    return table != nullptr && table->block_cache == cache ? ", with the cache"
                                                           : ", without it";
  }

  std::string Check(const std::string& level, const std::string& options) {
    ConfigOptions config = config_;
    config.sanity_level = level == "none" ? ConfigOptions::kSanityLevelNone
                          : level == "loose"
                              ? ConfigOptions::kSanityLevelLooselyCompatible
                              : ConfigOptions::kSanityLevelExactMatch;
    DBOptions db;
    std::vector<ColumnFamilyDescriptor> families;
    Status s = LoadLatestOptions(config_, dir_.path(), &db, &families);
    if (!s.ok()) return Shown(s);
    const auto [changed_db, changed_family] = OptionsOfBoth(options);
    const DBOptions loaded = db;
    s = GetDBOptionsFromString(config_, loaded, changed_db, &db);
    EXPECT_TRUE(s.ok()) << s.ToString();
    if (changed_family == "only") {
      families.pop_back();
    } else {
      const ColumnFamilyOptions family = families.at(1).options;
      s = GetColumnFamilyOptionsFromString(config_, family, changed_family,
                                           &families[1].options);
      EXPECT_TRUE(s.ok()) << s.ToString();
    }
    return Shown(CheckOptionsCompatibility(config, dir_.path(), db, families));
  }

  TempDir dir_;
  const ConfigOptions config_;
};

std::string RunFolderCase(const ScriptCase& c) {
  EXPECT_EQ(c.command, "folder");
  FolderScript script;
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    const std::string answer = script.Step(line);
    if (!answer.empty()) answers += answer + "\n";
  }
  return answers;
}

TEST(OptionsUtilTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("option_scripts/folders.txt", RunFolderCase), 11u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
