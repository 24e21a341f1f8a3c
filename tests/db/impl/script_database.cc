#include "tests/db/impl/script_database.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "rocksdb/convenience.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/hasty_file_system.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct NamedKind {
  const char* name;
  FileType type;
};
constexpr NamedKind kNamedKinds[] = {{"log", kWalFile},
                                     {"table", kTableFile},
                                     {"blob", kBlobFile},
                                     {"manifest", kDescriptorFile},
                                     {"options", kOptionsFile}};

bool IsWordOfOpen(const std::string& name) { return name == "families"; }

std::string FileNameOf(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

void ReplaceAll(const std::string& from, const std::string& to,
                std::string* text) {
  for (size_t at = 0; (at = text->find(from, at)) != std::string::npos;) {
    text->replace(at, from.size(), to);
    at += to.size();
  }
}

}  // namespace

ScriptLine::ScriptLine(const std::string& line) : words(line) {
  const size_t space = line.find(' ');
  if (space != std::string::npos) rest = line.substr(space + 1);
}

std::string AnswerOf(const ScriptLine& line, const Status& s) {
  return s.ok() ? "" : line.words.verb() + ": " + s.ToString();
}

std::vector<std::string> ListOf(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream input(text);
  for (std::string part; std::getline(input, part, ',');) list.push_back(part);
  return list;
}

ScriptDatabase::ScriptDatabase(const Options& options)
    : path_(directory_.path() + "/db"), options_(options) {
  options_.statistics = CreateDBStatistics();
  options_.env = HastyEnv();
}
ScriptDatabase::~ScriptDatabase() {
  now_ = &main_;
  Close();
  CloseInstance(&reader_);
}

Options ScriptDatabase::Defaults() {
  Options options;
  options.create_if_missing = true;
  options.compression = kNoCompression;
  return options;
}

Status ScriptDatabase::ApplyOptions(const Named& named, Options* options) {
  ConfigOptions config;
  for (const auto& [name, value] : named) {
    if (IsWordOfOpen(name)) continue;
    Status s;
    if (name.starts_with("table.")) {
      const auto* old =
          options->table_factory->GetOptions<BlockBasedTableOptions>();
      BlockBasedTableOptions table;
      s = GetBlockBasedTableOptionsFromString(
          config, old != nullptr ? *old : table, name.substr(6) + "=" + value,
          &table);
      if (s.ok())
        options->table_factory.reset(NewBlockBasedTableFactory(table));
    } else {
      const Options old = *options;
      s = GetOptionsFromString(config, old, name + "=" + value, options);
    }
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status ScriptDatabase::SetOptions(const Named& named) {
  return ApplyOptions(named, &options_);
}

ColumnFamilyOptions ScriptDatabase::OptionsOf(const std::string& family) const {
  const auto own = own_options_.find(family);
  return own != own_options_.end() ? own->second
                                   : ColumnFamilyOptions(options_);
}

Status ScriptDatabase::OpenAs(
    const std::string& kind, bool refuses_logs,
    const std::vector<ColumnFamilyDescriptor>& families,
    std::vector<ColumnFamilyHandle*>* handles) {
  std::unique_ptr<DB>* const db = &now_->db;
  if (kind == "read_only") {
    return DB::OpenForReadOnly(options_, path_, families, handles, db,
                               refuses_logs);
  }
  const std::string own = Beside(kind);
  if (kind == "secondary") {
    return DB::OpenAsSecondary(options_, path_, own, families, handles, db);
  }
  if (kind == "follower") {
    return DB::OpenAsFollower(options_, own, path_, families, handles, db);
  }
  return DB::Open(options_, path_, families, handles, db);
}

Status ScriptDatabase::Open(const ScriptLine& line) {
  Close();
  if (Status s = SetOptions(line.words.named()); !s.ok()) return s;
  std::vector<std::string> names = families_;
  if (line.words.Has("families")) {
    names = ListOf(line.words.Text("families", ""));
  }
  std::vector<ColumnFamilyDescriptor> families;
  for (const std::string& name : names) {
    families.emplace_back(name, OptionsOf(name));
  }
  std::string kind;
  for (const char* one : {"read_only", "secondary", "follower"}) {
    if (line.words.HasWord(one)) kind = one;
  }
  std::vector<ColumnFamilyHandle*> handles;
  Status s = OpenAs(kind, line.words.HasWord("no_logs"), families, &handles);
  EXPECT_EQ(s.ok(), now_->db != nullptr);
  if (!s.ok()) return s;
  for (size_t i = 0; i < names.size(); ++i)
    now_->handles[names[i]] = handles[i];
  if (now_ == &main_) families_ = names;
  return s;
}

void ScriptDatabase::CloseInstance(Instance* instance) {
  for (const auto& [name, snapshot] : instance->snapshots) {
    instance->db->ReleaseSnapshot(snapshot);
  }
  instance->snapshots.clear();
  for (const auto& [name, handle] : instance->handles) {
    const Status s = instance->db->DestroyColumnFamilyHandle(handle);
    EXPECT_TRUE(s.ok()) << s.ToString();
  }
  instance->handles.clear();
  instance->db.reset();
}

void ScriptDatabase::Close() {
  iterator_.it.reset();
  CloseInstance(now_);
}

void ScriptDatabase::Kill() {
  const std::string copy = path_ + ".killed";
  CopyDatabase(path_, copy);
  Close();
  path_ = copy;
}

ColumnFamilyHandle* ScriptDatabase::Family(const std::string& name) const {
  const auto found = now_->handles.find(name);
  if (found != now_->handles.end()) return found->second;
  // Null would be taken for the default family.
  ADD_FAILURE() << "no family " << name;
  return nullptr;
}

std::vector<ColumnFamilyHandle*> ScriptDatabase::Families(
    const std::vector<std::string>& names) const {
  std::vector<ColumnFamilyHandle*> handles;
  for (const std::string& name : names) handles.push_back(Family(name));
  return handles;
}

Status ScriptDatabase::CreateFamily(const std::string& name,
                                    const Named& named) {
  Options options = options_;
  if (Status s = ApplyOptions(named, &options); !s.ok()) return s;
  ColumnFamilyHandle* handle = nullptr;
  Status s = db()->CreateColumnFamily(options, name, &handle);
  EXPECT_EQ(s.ok(), handle != nullptr);
  if (!s.ok()) return s;
  // That of a dropped family of the same name.
  if (const auto old = now_->handles.find(name); old != now_->handles.end()) {
    s = db()->DestroyColumnFamilyHandle(old->second);
  }
  now_->handles[name] = handle;
  families_.push_back(name);
  if (!named.empty()) own_options_[name] = options;
  return s;
}

Status ScriptDatabase::DropFamily(const std::string& name) {
  Status s = db()->DropColumnFamily(Family(name));
  // The handle stays, for whoever wants to see what it is good for.
  if (s.ok()) std::erase(families_, name);
  return s;
}

void ScriptDatabase::NoteFiles() {
  if (!std::filesystem::exists(path_)) return;
  for (const auto& [name, type] : kNamedKinds) {
    int count = 0;
    for (const std::string& file : FilesOf(path_, type)) {
      names_[FileNameOf(file)] = name + std::to_string(++count);
    }
  }
}

std::string ScriptDatabase::FileAt(const std::string& name) const {
  if (name == "current") return path_ + "/CURRENT";
  for (const auto& [kind, type] : kNamedKinds) {
    if (!name.starts_with(kind)) continue;
    const std::string number = name.substr(std::string(kind).size());
    if (number.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::vector<std::string> files = FilesOf(path_, type);
    const size_t index = number.empty() ? files.size() : std::stoull(number);
    if (index == 0 || index > files.size()) {
      ADD_FAILURE() << "there is no " << name << " among " << files.size();
      return Beside(name);
    }
    return files[index - 1];
  }
  return Beside(name);
}

std::string ScriptDatabase::NameOf(const std::string& file) const {
  const auto found = names_.find(FileNameOf(file));
  return found == names_.end() ? FileNameOf(file) : found->second;
}

std::string ScriptDatabase::Told(std::string text) const {
  for (const auto& [file, name] : names_) ReplaceAll(file, name, &text);
  ReplaceAll(directory_.path(), "PATH", &text);
  // Times, numbers of files, and what depends on the ids and the host's name
  // that a table has among its properties.
  static const std::regex kVarying(
      "\\b(acquire time |acquiring thread |offset |checksum is |, expected "
      "|between expected )[0-9]+|\\b[0-9]{6}(\\.(log|sst|blob))");
  static const std::regex kId("\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  return std::regex_replace(std::regex_replace(text, kVarying, "$1N$2"), kId,
                            "ID");
}

}  // namespace ROCKSDB_NAMESPACE
