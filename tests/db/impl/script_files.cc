#include "tests/db/impl/script_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "rocksdb/sst_file_writer.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/script_updates.h"

namespace ROCKSDB_NAMESPACE {

std::string ShowFiles(ScriptDatabase& database, const ScriptLine& /*line*/) {
  if (!std::filesystem::exists(database.path())) return "no directory";
  if (database.db() != nullptr) {
    WaitForCompactOptions purge;
    purge.wait_for_purge = true;
    const Status s = database.db()->WaitForCompact(purge);
    EXPECT_TRUE(s.ok()) << s.ToString();
  }
  std::string text;
  for (const auto& [name, type] :
       {std::pair("log", kWalFile), std::pair("table", kTableFile),
        std::pair("blob", kBlobFile), std::pair("manifest", kDescriptorFile)}) {
    const size_t count = FilesOf(database.path(), type).size();
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name +
            (count > 1 ? "s" : "");
  }
  return text.empty() ? "no files" : text;
}

std::string ShowLost(ScriptDatabase& database, const ScriptLine& /*line*/) {
  const std::string lost = database.path() + "/lost";
  if (!std::filesystem::exists(lost)) return "lost: nothing";
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(lost)) {
    names.insert(database.NameOf(entry.path().string()));
  }
  std::string text = "lost:";
  for (const std::string& name : names) text += " " + name;
  return text;
}

std::string DamageOne(ScriptDatabase& database, const ScriptLine& line) {
  static const std::map<std::string, Harm> kHarms{{"cut", Harm::kCut},
                                                  {"flip", Harm::kFlip},
                                                  {"zero", Harm::kZero},
                                                  {"append", Harm::kAppend}};
  const ScriptWords& words = line.words;
  const std::vector<std::string>& rest = words.words();
  const std::string path = database.FileAt(rest.at(0));
  Damage damage;
  damage.harm = kHarms.at(words.verb());
  if (damage.harm == Harm::kZero && words.Has("to")) {
    std::string bytes = ReadBytes(path);
    const size_t from = words.Number("at", 0), to = words.Number("to", 0);
    EXPECT_LE(to, bytes.size());
    WriteBytes(path, bytes.replace(from, to - from, to - from, '\0'));
    return "";
  }
  if (words.Has("to") || words.Has("at")) {
    const uint64_t place = words.Number("to", words.Number("at", 0));
    damage.at = static_cast<int64_t>(ReadBytes(path).size() - place);
  } else {
    damage.at = std::stoll(rest.at(1));
  }
  if (rest.size() > 2) damage.filler = BytesOfText(rest[2]).at(0);
  DamageFile(path, damage);
  return "";
}

std::string RemoveFiles(ScriptDatabase& database, const ScriptLine& line) {
  std::vector<std::string> paths;
  for (const std::string& name : line.words.words()) {
    paths.push_back(database.FileAt(name));
  }
  for (const std::string& path : paths) {
    EXPECT_TRUE(std::filesystem::remove(path)) << path;
  }
  return "";
}

std::string CopyOne(ScriptDatabase& database, const ScriptLine& line) {
  const std::vector<std::string>& words = line.words.words();
  std::filesystem::copy_file(database.FileAt(words.at(0)),
                             database.path() + "/" + words.at(1));
  return "";
}

std::string KeepFiles(ScriptDatabase& database, const ScriptLine& line) {
  for (const std::string& name : line.words.words()) {
    const std::string path = database.FileAt(name);
    database.kept_files()[path] = ReadBytes(path);
  }
  return "";
}

std::string RestoreFiles(ScriptDatabase& database, const ScriptLine& /*line*/) {
  EXPECT_FALSE(database.kept_files().empty());
  for (const auto& [path, bytes] : database.kept_files()) {
    WriteBytes(path, bytes);
  }
  return "";
}

std::string ShowUnchanged(ScriptDatabase& database,
                          const ScriptLine& /*line*/) {
  EXPECT_FALSE(database.kept_files().empty());
  for (const auto& [path, bytes] : database.kept_files()) {
    if (!std::filesystem::exists(path)) return "gone: " + path;
    if (ReadBytes(path) != bytes) return "changed: " + path;
  }
  return "unchanged";
}

std::string PutFile(ScriptDatabase& database, const ScriptLine& line) {
  const std::vector<std::string>& words = line.words.words();
  const bool is_named = words.at(0) == "current" || words[0] == "manifest";
  const std::string path =
      is_named ? database.FileAt(words[0]) : database.path() + "/" + words[0];
  std::filesystem::create_directories(database.path());
  WriteBytes(path, words.size() > 1 ? BytesOfValue(words[1]) : "");
  return "";
}

std::string RepairFiles(ScriptDatabase& database, const ScriptLine& line) {
  database.Close();
  const std::string name = line.words.Text("families", "");
  if (name.empty()) {
    return AnswerOf(line, RepairDB(database.path(), database.options()));
  }
  std::vector<ColumnFamilyDescriptor> families;
  for (const std::string& family : ListOf(name)) {
    families.emplace_back(family, database.OptionsOf(family));
  }
  const DBOptions options(database.options());
  if (line.words.HasWord("others")) {
    return AnswerOf(line, RepairDB(database.path(), options, families,
                                   ColumnFamilyOptions(database.options())));
  }
  return AnswerOf(line, RepairDB(database.path(), options, families));
}

std::string MakeTable(ScriptDatabase& database, const ScriptLine& line) {
  const std::string name = line.words.Word(0);
  const size_t space = line.rest.find(' ');
  SstFileWriter writer(EnvOptions(), database.options());
  Status s = writer.Open(database.Beside(name));
  if (space != std::string::npos) {
    for (const ScriptEntry& entry : EntriesOf(line.rest.substr(space))) {
      if (!s.ok()) break;
      s = AddToFile(entry, &writer);
    }
  }
  if (s.ok()) s = writer.Finish();
  return AnswerOf(line, s);
}

std::string IngestTables(ScriptDatabase& database, const ScriptLine& line) {
  const ScriptWords& words = line.words;
  IngestExternalFileOptions options;
  options.ingest_behind = words.HasWord("behind");
  options.move_files = words.HasWord("move");
  options.allow_blocking_flush = !words.HasWord("no_flush");
  // A "strict" file gets no sequence of its own and goes to the last level; if
  // it cannot, the ingestion fails.
  options.allow_global_seqno =
      !words.HasWord("strict") && !words.HasWord("no_sequence");
  options.fail_if_not_bottommost_level =
      words.HasWord("strict") || words.HasWord("last_level");
  std::vector<std::string> paths;
  for (const std::string& name : words.words()) {
    if (std::filesystem::exists(database.Beside(name)) ||
        name.ends_with(".sst")) {
      paths.push_back(database.Beside(name));
    }
  }
  return AnswerOf(
      line, database.db()->IngestExternalFile(
                database.Family(words.Text("family", kDefaultColumnFamilyName)),
                paths, options));
}

}  // namespace ROCKSDB_NAMESPACE
