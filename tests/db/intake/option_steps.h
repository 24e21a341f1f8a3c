// Steps of scripts over a ChangingWorld: what is common to those that change
// options of the database and of its families.
//
//   seal FAMILY..         an entry in the memtable of each, which is sealed
//   flush ENTRY..         a table file, ENTRYs as in text_entries.h
//   jobs                  how many are to run in the background
//   run                   the next of them
//   tables                those of the default family
//   fail NAME             the next change of a file with NAME in its path fails
//   family NAME [PATH]    another family, whose files are in that directory
//   drop NAME             and no more
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "options/options_file.h"
#include "rocksdb/convenience.h"
#include "tests/db/intake/changing_world.h"
#include "tests/options/option_lines.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {

class OptionSteps {
 public:
  using Values = std::unordered_map<std::string, std::string>;

  virtual ~OptionSteps() = default;

  std::string Run(const ScriptCase& c) {
    SetOptionsOf(ScriptWords(c.command));
    world_.Open();
    families_["default"] = world_.default_family->shared_from_this();
    Begin();
    std::string answers;
    for (const std::string& line : LinesOf(c.body)) {
      std::istringstream input(line);
      std::string verb;
      input >> verb;
      std::vector<std::string> words;
      for (std::string word; input >> word;) words.push_back(word);
      const std::string answer = Step(verb, words);
      if (!answer.empty()) answers += answer + "\n";
    }
    return answers;
  }

 protected:
  // With the world open.
  virtual void Begin() = 0;
  // Empty: the step has no answer.
  virtual std::string Step(const std::string& verb,
                           const std::vector<std::string>& words) {
    if (verb == "seal") return Seal(words), "";
    if (verb == "flush") return Flush(words), "";
    if (verb == "jobs") return std::to_string(world_.env.job_count());
    if (verb == "run") return world_.env.RunNext(), "";
    if (verb == "tables") return TextOfBytes(world_.Tables());
    if (verb == "fail") return world_.FailNext(words.at(0)), "";
    if (verb == "family") return AddFamily(words), "";
    if (verb == "drop") {
      world_.Drop(families_.at(words.at(0)).get());
      return "";
    }
    ADD_FAILURE() << "what is " << verb << "?";
    return "";
  }

  // "a=1 b=2"
  static Values ValuesOf(const std::vector<std::string>& words) {
    Values values;
    for (const std::string& word : words) {
      const size_t equals = word.find('=');
      EXPECT_NE(equals, std::string::npos) << word;
      values[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return values;
  }
  ColumnFamilyData* Family(const std::string& name) {
    return families_.at(name).get();
  }
  // Do the options of the database and of its families stand in the current
  // file as they are in force?
  std::string File() {
    const uint64_t number = world_.CurrentOptionsFile();
    if (number == 0) return "no file";
    std::string text;
    Status s = ReadFileToString(
        world_.f.fs.get(), OptionsFileName("/db", number), IOOptions(), &text);
    EXPECT_TRUE(s.ok()) << s.ToString();
    OptionsFile file;
    ConfigOptions config;
    config.env = world_.f.env.get();
    s = ParseOptionsFile(config, "OPTIONS", text, &file);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return "file " + std::to_string(number) +
           (FileDiffers(file) ? " is older" : " says so");
  }

  ChangingWorld world_;
  std::map<std::string, ColumnFamilyRef> families_;

 private:
  // db:TEXT family:TEXT
  void SetOptionsOf(const ScriptWords& command) {
    ConfigOptions config;
    // An opening puts this default in place of 0.
    world_.f.db_options.delayed_write_rate = 16 << 20;
    const DBOptions db = world_.f.db_options;
    Status s = GetDBOptionsFromString(config, db, command.Text("db", ""),
                                      &world_.f.db_options);
    EXPECT_TRUE(s.ok()) << s.ToString();
    const ColumnFamilyOptions family = world_.f.family;
    s = GetColumnFamilyOptionsFromString(
        config, family, command.Text("family", ""), &world_.f.family);
    EXPECT_TRUE(s.ok()) << s.ToString();
  }
  bool FileDiffers(const OptionsFile& file) {
    ConfigOptions config;
    const auto now = world_.options->Get();
    const DBOptions db = BuildDBOptions(*world_.f.db, *now);
    for (const OptionRow& row : DBOptionStruct().rows) {
      if (!row.IsDynamic() || !row.traits.written) continue;
      if (PrintOption(config, row, &db) != PrintOption(config, row, &file.db)) {
        return true;
      }
    }
    for (const NamedFamily& said : file.families) {
      const auto held = families_.find(said.name);
      if (held == families_.end()) continue;
      const ColumnFamilyData& cfd = *held->second;
      const ColumnFamilyOptions family =
          BuildColumnFamilyOptions(cfd.ioptions(), *cfd.options());
      for (const OptionRow& row : ColumnFamilyOptionStruct().rows) {
        if (!row.IsDynamic() || !row.traits.written) continue;
        if (PrintOption(config, row, &family) !=
            PrintOption(config, row, &said.options)) {
          return true;
        }
      }
    }
    return false;
  }
  void Seal(const std::vector<std::string>& names) {
    std::vector<ColumnFamilyData*> sealed;
    for (const std::string& name : names) {
      world_.Insert(Family(name), "k");
      sealed.push_back(Family(name));
    }
    MutexLock lock(world_.mutex);
    const Status s =
        world_.memtables->SealAndQueue(sealed, FlushReason::kManualFlush);
    EXPECT_TRUE(s.ok()) << s.ToString();
  }
  void Flush(const std::vector<std::string>& entries) {
    std::string text;
    for (const std::string& entry : entries) {
      text += (text.empty() ? "" : " ") + entry;
    }
    const Status s = world_.stored.Flush(text);
    EXPECT_TRUE(s.ok()) << s.ToString();
    MutexLock lock(world_.mutex);
    world_.publisher->Publish(world_.default_family);
  }
  void AddFamily(const std::vector<std::string>& words) {
    ColumnFamilyOptions options = world_.f.family;
    if (words.size() == 1) {
      families_[words[0]] = world_.Add(words[0], options)->shared_from_this();
      return;
    }
    options.cf_paths.emplace_back(words[1], 1 << 20);
    const Status s =
        world_.family_changes->Add(options, words[0], &families_[words[0]]);
    EXPECT_TRUE(s.ok()) << s.ToString();
    world_.attention.Clear();
  }
};

}  // namespace ROCKSDB_NAMESPACE
