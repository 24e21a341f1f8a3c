#include "tests/db/impl/database_script.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "tests/db/impl/damage.h"
#include "tests/db/impl/script_files.h"
#include "tests/db/impl/script_reads.h"
#include "tests/db/impl/script_updates.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string OpenDatabase(ScriptDatabase& database, const ScriptLine& line) {
  return AnswerOf(line, database.Open(line));
}
std::string ChangeOptions(ScriptDatabase& database, const ScriptLine& line) {
  return AnswerOf(line, database.SetOptions(line.words.named()));
}
std::string CloseDatabase(ScriptDatabase& database, const ScriptLine& line) {
  if (database.db() == nullptr) return "";
  const Status s = database.db()->Close();
  database.Close();
  return AnswerOf(line, s);
}
std::string KillDatabase(ScriptDatabase& database, const ScriptLine& /*line*/) {
  database.Kill();
  return "";
}
std::string DestroyFiles(ScriptDatabase& database, const ScriptLine& line) {
  database.Close();
  return AnswerOf(line, DestroyDB(database.path(), database.options()));
}
// Where a placeholder stands for no command.
std::string DoNothing(ScriptDatabase& /*database*/, const ScriptLine& /*l*/) {
  return "";
}
std::string CatchUp(ScriptDatabase& database, const ScriptLine& line) {
  return AnswerOf(line, database.db()->TryCatchUpWithPrimary());
}

std::string MakeFamily(ScriptDatabase& database, const ScriptLine& line) {
  return AnswerOf(
      line, database.CreateFamily(line.words.Word(0), line.words.named()));
}
std::string DropFamilies(ScriptDatabase& database, const ScriptLine& line) {
  for (const std::string& name : line.words.words()) {
    if (const Status s = database.DropFamily(name); !s.ok()) {
      return AnswerOf(line, s);
    }
  }
  return "";
}
std::string ListFamilies(ScriptDatabase& database, const ScriptLine& line) {
  std::vector<std::string> names;
  const Status s =
      DB::ListColumnFamilies(database.options(), database.path(), &names);
  if (!s.ok()) return AnswerOf(line, s);
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : " ") + name;
  return text;
}

// Each by itself, unless "together" is said.
std::string FlushFamilies(ScriptDatabase& database, const ScriptLine& line) {
  std::vector<std::string> names = line.words.words();
  const bool is_together = std::erase(names, "together") > 0;
  if (names.empty()) names.emplace_back(kDefaultColumnFamilyName);
  DB* const db = database.db();
  if (is_together) {
    return AnswerOf(line, db->Flush(FlushOptions(), database.Families(names)));
  }
  for (const std::string& name : names) {
    const Status s = db->Flush(FlushOptions(), database.Family(name));
    if (!s.ok()) return AnswerOf(line, s);
  }
  return "";
}

std::string CompactFamily(ScriptDatabase& database, const ScriptLine& line) {
  const ScriptWords& words = line.words;
  CompactRangeOptions options;
  using Bottom = BottommostLevelCompaction;
  if (words.HasWord("force")) {
    options.bottommost_level_compaction = Bottom::kForce;
  } else if (words.HasWord("optimized")) {
    options.bottommost_level_compaction = Bottom::kForceOptimized;
  } else if (words.HasWord("skip")) {
    options.bottommost_level_compaction = Bottom::kSkip;
  }
  options.change_level = words.Has("to");
  options.target_level = std::stoi(words.Text("to", "-1"));
  options.target_path_id = static_cast<uint32_t>(words.Number("path", 0));
  std::string low_bytes;
  Slice low;
  if (words.Has("history")) {
    low_bytes = TimestampBytes(words.Text("history", ""));
    low = low_bytes;
    options.full_history_ts_low = &low;
  }
  std::string range;
  for (const std::string& word : words.words()) {
    if (word.find('-') != std::string::npos) range = word;
  }
  const size_t dash = range.find('-');
  const std::string first_key = BytesOfValue(range.substr(0, dash));
  const std::string last_key =
      range.empty() ? "" : BytesOfValue(range.substr(dash + 1));
  const Slice first(first_key), last(last_key);
  return AnswerOf(
      line, database.db()->CompactRange(
                options,
                database.Family(words.Text("family", kDefaultColumnFamilyName)),
                first_key.empty() ? nullptr : &first,
                last_key.empty() ? nullptr : &last));
}

std::string CompactSomeFiles(ScriptDatabase& database, const ScriptLine& line) {
  std::vector<std::string> names;
  for (const std::string& word : line.words.words()) {
    const bool is_known = word.starts_with("table");
    names.push_back(
        is_known
            ? std::filesystem::path(database.FileAt(word)).filename().string()
            : word);
  }
  return AnswerOf(
      line, database.db()->CompactFiles(CompactionOptions(), names,
                                        std::stoi(line.words.Text("to", "1"))));
}

std::string WaitFor(ScriptDatabase& database, const ScriptLine& line) {
  WaitForCompactOptions options;
  options.wait_for_purge = line.words.verb() == "purge";
  return AnswerOf(line, database.db()->WaitForCompact(options));
}

std::string SyncLog(ScriptDatabase& database, const ScriptLine& line) {
  return AnswerOf(line,
                  database.db()->FlushWAL(line.words.verb() == "sync_log"));
}

std::string SetFamilyOptions(ScriptDatabase& database, const ScriptLine& line) {
  ScriptDatabase::Named named = line.words.named();
  std::string family = kDefaultColumnFamilyName;
  if (const auto found = named.find("family"); found != named.end()) {
    family = found->second;
    named.erase(found);
  }
  return AnswerOf(line,
                  database.db()->SetOptions(database.Family(family),
                                            {named.begin(), named.end()}));
}
std::string SetDatabaseOptions(ScriptDatabase& database,
                               const ScriptLine& line) {
  const ScriptDatabase::Named named = line.words.named();
  return AnswerOf(line,
                  database.db()->SetDBOptions({named.begin(), named.end()}));
}

std::string TakeSnapshot(ScriptDatabase& database, const ScriptLine& line) {
  const Snapshot* const snapshot = database.db()->GetSnapshot();
  if (snapshot == nullptr) return "no snapshot";
  const std::string name = line.words.Word(0);
  EXPECT_TRUE(database.snapshots().emplace(name, snapshot).second) << name;
  return "";
}
std::string ReleaseSnapshot(ScriptDatabase& database, const ScriptLine& line) {
  const auto found = database.snapshots().find(line.words.Word(0));
  database.db()->ReleaseSnapshot(found->second);
  database.snapshots().erase(found);
  return "";
}
std::string RaiseHistory(ScriptDatabase& database, const ScriptLine& line) {
  return AnswerOf(
      line,
      database.db()->IncreaseFullHistoryTsLow(
          database.Family(line.words.Text("family", kDefaultColumnFamilyName)),
          TimestampBytes(line.words.Word(0))));
}
std::string ShowSequence(ScriptDatabase& database, const ScriptLine& /*line*/) {
  return "sequence " + std::to_string(database.db()->GetLatestSequenceNumber());
}

const DatabaseCommands& CommonCommands() {
  static const DatabaseCommands kCommands{
      {"open", OpenDatabase},
      {"reopen", OpenDatabase},
      {"options", ChangeOptions},
      {"close", CloseDatabase},
      {"kill", KillDatabase},
      {"destroy", DestroyFiles},
      {"catch_up", CatchUp},
      {"family", MakeFamily},
      {"drop", DropFamilies},
      {"families", ListFamilies},
      {"write", WriteEach},
      {"batch", WriteBatchOf},
      {"flush", FlushFamilies},
      {"compact", CompactFamily},
      {"wait", WaitFor},
      {"purge", WaitFor},
      {"sync_log", SyncLog},
      {"flush_log", SyncLog},
      {"set", SetFamilyOptions},
      {"set_db", SetDatabaseOptions},
      {"snapshot", TakeSnapshot},
      {"release", ReleaseSnapshot},
      {"history", RaiseHistory},
      {"compact_files", CompactSomeFiles},
      {"get", GetKeys},
      {"entity", GetEntities},
      {"operands", GetOperands},
      {"may_exist", AskWhetherKeysMayExist},
      {"scan", ScanFamily},
      {"count", CountKeys},
      {"iterator", MakeIterator},
      {">", StepIterator},
      {"levels", ShowLevels},
      {"property", ShowProperty},
      {"ticker", ShowTicker},
      {"option", ShowOption},
      {"sequence", ShowSequence},
      {"files", ShowFiles},
      {"lost", ShowLost},
      {"cut", DamageOne},
      {"flip", DamageOne},
      {"zero", DamageOne},
      {"append", DamageOne},
      {"remove", RemoveFiles},
      {"keep", KeepFiles},
      {"restore", RestoreFiles},
      {"unchanged", ShowUnchanged},
      {"put_file", PutFile},
      {"copy", CopyOne},
      {"nothing", DoNothing},
      {"repair", RepairFiles},
      {"table", MakeTable},
      {"ingest", IngestTables},
  };
  return kCommands;
}

// What needs no open database.
bool IsForClosed(const std::string& verb) {
  static const std::set<std::string> kVerbs{
      "open",     "reopen", "options", "close",   "kill",    "destroy",
      "files",    "lost",   "cut",     "flip",    "zero",    "append",
      "remove",   "copy",   "keep",    "restore", "repair",  "unchanged",
      "put_file", "table",  "ticker",  "nothing", "families"};
  return kVerbs.contains(verb);
}

// The commands of a line: "a; b" has two.
std::vector<std::string> CommandsOf(const std::string& line) {
  std::vector<std::string> commands;
  for (size_t at = 0; at <= line.size();) {
    const size_t end = std::min(line.find("; ", at), line.size());
    if (end > at) commands.push_back(line.substr(at, end - at));
    at = end + 2;
  }
  return commands;
}

std::string RunCommand(ScriptDatabase& database, std::string command,
                       const DatabaseCommands& more) {
  const std::string kReader = "reader ";
  const bool is_reader = command.starts_with(kReader);
  if (is_reader) command.erase(0, kReader.size());
  database.UseReader(is_reader);
  const ScriptLine line(command);
  const std::string& verb = line.words.verb();
  auto found = more.find(verb);
  if (found == more.end()) {
    found = CommonCommands().find(verb);
    if (found == CommonCommands().end()) return "what is " + verb + "?\n";
    if (database.db() == nullptr && !IsForClosed(verb)) {
      return verb + ": it is closed\n";
    }
  }
  database.NoteFiles();
  std::string answer = found->second(database, line);
  if (is_reader && !answer.empty()) answer.insert(0, kReader);
  answer = database.Told(std::move(answer));
  answer.resize(answer.find_last_not_of(" \n") + 1);
  return answer.empty() ? "" : answer + "\n";
}

using Named = ScriptDatabase::Named;

bool IsPlaceholder(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isupper(c) != 0 || c == '_';
  });
}

// Every choice of one value for each name.
std::vector<Named> Choices(const Named& named) {
  std::vector<Named> all{{}};
  for (const auto& [name, values] : named) {
    std::vector<Named> longer;
    std::istringstream input(values + "|");
    for (std::string value; std::getline(input, value, '|');) {
      for (Named choice : all) {
        choice[name] = value;
        longer.push_back(std::move(choice));
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::string WithPlaceholders(const Named& choice, std::string line) {
  for (const auto& [name, value] : choice) {
    if (!IsPlaceholder(name)) continue;
    for (size_t at = 0; (at = line.find(name, at)) != std::string::npos;) {
      line.replace(at, name.size(), value);
      at += value.size();
    }
  }
  return line;
}

std::string RunChoice(const ScriptCase& c, const ScriptWords& words,
                      const Named& choice, const Options& options,
                      const DatabaseCommands& more) {
  ScriptDatabase database(options);
  Named of_options = choice;
  std::erase_if(of_options,
                [](const auto& one) { return IsPlaceholder(one.first); });
  const Status s = database.SetOptions(of_options);
  if (!s.ok()) return "options: " + s.ToString() + "\n";
  std::string text;
  if (!words.HasWord("closed")) text += RunCommand(database, "open", more);
  for (const std::string& line : LinesOf(c.body)) {
    if (line.starts_with("#")) continue;
    for (const std::string& command :
         CommandsOf(WithPlaceholders(choice, line))) {
      text += RunCommand(database, command, more);
    }
  }
  database.UseReader(false);
  return text;
}

// What the choices have in common: "A:1|2 B:x", without what all values agree
// in; or each by itself where they are no product.
std::string NameOfChoices(const std::vector<Named>& group,
                          const std::map<std::string, size_t>& counts) {
  std::string product, list;
  size_t combinations = 1;
  for (const auto& [name, count] : counts) {
    std::vector<std::string> values;
    for (const Named& choice : group) {
      const std::string& value = choice.at(name);
      if (std::find(values.begin(), values.end(), value) == values.end()) {
        values.push_back(value);
      }
    }
    combinations *= values.size();
    if (values.size() == count) continue;
    product += " " + name + ":";
    for (const std::string& value : values) {
      product += (value == values.front() ? "" : "|") + value;
    }
  }
  if (combinations == group.size()) return "with" + product;
  for (const Named& choice : group) {
    list += list.empty() ? "with" : ", and";
    for (const auto& [name, count] : counts) {
      list += " " + name + ":" + choice.at(name);
    }
  }
  return list;
}

}  // namespace

std::string RunDatabaseCase(const ScriptCase& c, const Options& options,
                            const DatabaseCommands& more) {
  const ScriptWords words(c.command);
  EXPECT_EQ(words.verb(), "database");
  // How many values each name has that has several.
  std::map<std::string, size_t> counts;
  for (const auto& [name, values] : words.named()) {
    const auto bars = std::count(values.begin(), values.end(), '|');
    if (bars > 0) counts[name] = static_cast<size_t>(bars) + 1;
  }
  // Choices that answer alike, in the order of the first.
  std::vector<std::pair<std::string, std::vector<Named>>> answers;
  for (const Named& choice : Choices(words.named())) {
    const std::string answer = RunChoice(c, words, choice, options, more);
    const auto same =
        std::find_if(answers.begin(), answers.end(),
                     [&](const auto& one) { return one.first == answer; });
    if (same == answers.end()) {
      answers.push_back({answer, {choice}});
    } else {
      same->second.push_back(choice);
    }
  }
  if (answers.size() == 1) return answers[0].first;
  std::string text;
  for (const auto& [answer, choices] : answers) {
    text += NameOfChoices(choices, counts) + "\n" + answer;
  }
  return text;
}

size_t RunDatabases(const std::string& file, const Options& options,
                    const DatabaseCommands& more) {
  return RunScript(file, [&](const ScriptCase& c) {
    return RunDatabaseCase(c, options, more);
  });
}

}  // namespace ROCKSDB_NAMESPACE
