#include "file/filename.h"

#include <cassert>
#include <cstdio>
#include <string_view>

#include "file/file_util.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr std::string_view kArchiveDir = "archive";
constexpr std::string_view kTempSuffix = "dbtmp";
constexpr std::string_view kInfoLog = "LOG";
static_assert(kArchiveDir.find('/') == std::string_view::npos);

// 000012
std::string Digits(uint64_t number) {
  char text[24];
  const int length = snprintf(text, sizeof(text), "%06llu",
                              static_cast<unsigned long long>(number));
  INVARIANT(length >= 6 && length < static_cast<int>(sizeof(text)));
  return std::string(text, static_cast<size_t>(length));
}

std::string Numbered(uint64_t number, std::string_view suffix) {
  assert(!suffix.empty() && suffix.front() != '.');
  std::string name = Digits(number);
  name.append(".").append(suffix);
  return name;
}

std::string InDir(const std::string& dir, std::string_view name) {
  assert(!name.empty() && name.front() != '/');
  std::string path;
  path.reserve(dir.size() + 1 + name.size());
  path.append(dir).append("/").append(name);
  return path;
}

// All of `text` is a number, maybe followed by a suffix of ours.
bool ParseNumber(Slice text, uint64_t* number, bool* is_temporary) {
  assert(number != nullptr && is_temporary != nullptr);
  *is_temporary = false;
  if (!ConsumeDecimalNumber(&text, number)) return false;
  if (text.empty()) return true;
  *is_temporary = text == ".dbtmp";
  return *is_temporary;
}

struct Kind {
  std::string_view text;
  FileType type;
};

// Names that are whole words.
constexpr Kind kPlainNames[] = {
    {"CURRENT", kCurrentFile},
    {"LOCK", kDBLockFile},
    {"IDENTITY", kIdentityFile},
};
// Names with a number behind.
struct PrefixKind {
  std::string_view text;
  FileType type;
  bool may_be_temporary;
};
constexpr PrefixKind kPrefixes[] = {
    {"MANIFEST-", kDescriptorFile, false},
    {"METADB-", kMetaDatabase, false},
    {"OPTIONS-", kOptionsFile, true},
    {"COMPACTION_PROGRESS-", kCompactionProgressFile, true},
};
// Names with a number in front.
constexpr Kind kSuffixes[] = {
    {".log", kWalFile},   {".sst", kTableFile},  {".ldb", kTableFile},
    {".blob", kBlobFile}, {".dbtmp", kTempFile},
};

bool ParseInfoLogName(Slice rest, uint64_t* number) {
  assert(number != nullptr);
  *number = 0;
  if (rest.empty() || rest == ".old") return true;
  if (!rest.starts_with(".old.")) return false;
  rest.remove_prefix(5);
  return ConsumeDecimalNumber(&rest, number) && rest.empty();
}

bool ParsePrefixed(const Slice& name, uint64_t* number, FileType* type) {
  for (const PrefixKind& kind : kPrefixes) {
    const Slice prefix(kind.text.data(), kind.text.size());
    assert(kind.text.back() == '-');
    if (!name.starts_with(prefix)) continue;
    Slice rest = name;
    rest.remove_prefix(prefix.size());
    bool is_temporary = false;
    if (!ParseNumber(rest, number, &is_temporary)) return false;
    if (is_temporary && !kind.may_be_temporary) return false;
    *type = is_temporary ? kTempFile : kind.type;
    return true;
  }
  return false;
}

bool ParseNumbered(Slice name, bool is_archived, uint64_t* number,
                   FileType* type) {
  if (!ConsumeDecimalNumber(&name, number)) return false;
  for (const Kind& kind : kSuffixes) {
    if (name.ToStringView() != kind.text) continue;
    *type = kind.type;
    return !is_archived || kind.type == kWalFile;
  }
  return false;
}

// Writes `contents` to `temporary`, syncs it and makes it `final_name`.
struct Replacement {
  std::string db_name;
  std::string temporary;
  std::string final_name;
  std::string contents;
  FSDirectory* directory = nullptr;
};

IOStatus ReplaceFile(const IOOptions& options, FileSystem* fs,
                     const Replacement& file) {
  INVARIANT(file.temporary != file.final_name);
  INVARIANT(!file.contents.empty());
  IOStatus s =
      CreateFile(fs, file.temporary, file.contents, FileDurability::kSynced);
  if (!s.ok()) return s;
  s = fs->RenameFile(file.temporary, file.final_name, options, nullptr);
  // A rename that reports failure may have happened all the same, and the
  // temporary file may be gone: what is left of it is harmless.
  if (!s.ok()) return s;
  const DirFsyncOptions reason(file.final_name);
  if (file.directory != nullptr) {
    return file.directory->FsyncWithDirOptions(options, nullptr, reason);
  }
  return SyncDirectory(fs, file.db_name, reason);
}

}  // namespace

std::string LogFileName(uint64_t number) { return Numbered(number, "log"); }

std::string LogFileName(const std::string& dir, uint64_t number) {
  return InDir(dir, LogFileName(number));
}

std::string MakeTableFileName(uint64_t number) {
  return Numbered(number, "sst");
}

std::string TableFileName(const std::string& dir, uint64_t number) {
  return InDir(dir, MakeTableFileName(number));
}

std::string TableFileName(const std::vector<DbPath>& paths, uint64_t number,
                          uint32_t path_id) {
  INVARIANT(!paths.empty());
  const size_t last = paths.size() - 1;
  return TableFileName(paths[path_id < last ? path_id : last].path, number);
}

std::string LegacyTableFileName(const std::string& name) {
  if (!EndsWith(name, ".sst")) return name;
  assert(name.size() > 4);
  return name.substr(0, name.size() - 3) + "ldb";
}

std::string BlobFileName(uint64_t number) { return Numbered(number, "blob"); }

std::string BlobFileName(const std::string& dir, uint64_t number) {
  return InDir(dir, BlobFileName(number));
}

std::string DescriptorFileName(uint64_t number) {
  return "MANIFEST-" + Digits(number);
}

std::string DescriptorFileName(const std::string& dir, uint64_t number) {
  return InDir(dir, DescriptorFileName(number));
}

std::string OptionsFileName(uint64_t number) {
  return "OPTIONS-" + Digits(number);
}

std::string OptionsFileName(const std::string& dir, uint64_t number) {
  return InDir(dir, OptionsFileName(number));
}

std::string TempOptionsFileName(const std::string& dir, uint64_t number) {
  std::string name = OptionsFileName(number);
  name.append(".").append(kTempSuffix);
  return InDir(dir, name);
}

std::string TempFileName(const std::string& dir, uint64_t number) {
  return InDir(dir, Numbered(number, kTempSuffix));
}

std::string CurrentFileName(const std::string& dir) {
  return InDir(dir, "CURRENT");
}

std::string IdentityFileName(const std::string& dir) {
  return InDir(dir, "IDENTITY");
}

std::string LockFileName(const std::string& dir) { return InDir(dir, "LOCK"); }

std::string MetaDatabaseName(const std::string& dir, uint64_t number) {
  return InDir(dir, "METADB-" + std::to_string(number));
}

std::string ArchivalDirectory(const std::string& wal_dir) {
  return InDir(wal_dir, kArchiveDir);
}

std::string ArchivedLogFileName(const std::string& wal_dir, uint64_t number) {
  return LogFileName(ArchivalDirectory(wal_dir), number);
}

std::string InfoLogPrefix(bool has_log_dir, const std::string& db_path) {
  if (!has_log_dir) return std::string(kInfoLog);
  std::string flat;
  flat.reserve(db_path.size() + 1 + kInfoLog.size());
  for (size_t i = 0; i < db_path.size(); ++i) {
    const char c = db_path[i];
    const bool is_kept = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                         (c >= 'A' && c <= 'Z') || c == '.' || c == '_' ||
                         c == '-';
    if (is_kept) {
      flat.push_back(c);
    } else if (i > 0) {
      flat.push_back('_');
    }
  }
  flat.append("_").append(kInfoLog);
  assert(flat.find('/') == std::string::npos);
  return flat;
}

std::string InfoLogFileName(const std::string& db_name,
                            const std::string& db_path,
                            const std::string& log_dir) {
  if (log_dir.empty()) return InDir(db_name, kInfoLog);
  return InDir(log_dir, InfoLogPrefix(true, db_path));
}

std::string OldInfoLogFileName(const std::string& db_name, uint64_t timestamp,
                               const std::string& db_path,
                               const std::string& log_dir) {
  return InfoLogFileName(db_name, db_path, log_dir) + ".old." +
         std::to_string(timestamp);
}

bool ParseFileName(const std::string& name, const Slice& info_log_prefix,
                   uint64_t* number, FileType* type, WalFileType* wal_type) {
  assert(number != nullptr && type != nullptr);
  Slice rest(name);
  for (const Kind& kind : kPlainNames) {
    if (rest.ToStringView() != kind.text) continue;
    *number = 0;
    *type = kind.type;
    return true;
  }
  if (!info_log_prefix.empty() && rest.starts_with(info_log_prefix)) {
    Slice behind = rest;
    behind.remove_prefix(info_log_prefix.size());
    if (ParseInfoLogName(behind, number)) {
      *type = kInfoLogFile;
      return true;
    }
  }
  if (ParsePrefixed(rest, number, type)) return true;
  constexpr std::string_view kArchivePrefix = "archive/";
  const bool is_archived =
      rest.starts_with(Slice(kArchivePrefix.data(), kArchivePrefix.size()));
  if (is_archived) rest.remove_prefix(kArchivePrefix.size());
  if (!ParseNumbered(rest, is_archived, number, type)) return false;
  if (wal_type != nullptr && *type == kWalFile) {
    *wal_type = is_archived ? kArchivedLogFile : kAliveLogFile;
  }
  return true;
}

bool ParseFileName(const std::string& name, uint64_t* number, FileType* type,
                   WalFileType* wal_type) {
  return ParseFileName(name, Slice(kInfoLog.data(), kInfoLog.size()), number,
                       type, wal_type);
}

std::string NormalizePath(const std::string& path) {
  std::string result;
  result.reserve(path.size());
  for (const char c : path) {
    if (c == '/' && !result.empty() && result.back() == '/') continue;
    result.push_back(c);
  }
  if (result.size() > 1 && result.back() == '/') result.pop_back();
  return result;
}

Status GetInfoLogFiles(FileSystem* fs, const std::string& db_log_dir,
                       const std::string& db_name, std::string* parent_dir,
                       std::vector<std::string>* names) {
  assert(parent_dir != nullptr && names != nullptr);
  const IOOptions options;
  std::string prefix(kInfoLog);
  std::string dir = db_name;
  if (!db_log_dir.empty()) {
    std::string absolute;
    Status s = fs->GetAbsolutePath(db_name, options, &absolute, nullptr);
    if (!s.ok()) return s;
    prefix = InfoLogPrefix(true, absolute);
    dir = db_log_dir;
  }
  std::vector<std::string> children;
  Status s = fs->GetChildren(dir, options, &children, nullptr);
  if (!s.ok()) return s;
  std::vector<std::string> found;
  for (std::string& child : children) {
    uint64_t number = 0;
    FileType type;
    if (ParseFileName(child, prefix, &number, &type) && type == kInfoLogFile) {
      found.push_back(std::move(child));
    }
  }
  *parent_dir = std::move(dir);
  *names = std::move(found);
  return s;
}

IOStatus SetCurrentFile(FileSystem* fs, const std::string& db_name,
                        uint64_t number, FSDirectory* directory,
                        const IOOptions& options) {
  return ReplaceFile(options, fs,
                     {.db_name = db_name,
                      .temporary = TempFileName(db_name, number),
                      .final_name = CurrentFileName(db_name),
                      .contents = DescriptorFileName(number) + "\n",
                      .directory = directory});
}

Status ReadCurrentFile(FileSystem* fs, const std::string& db_name,
                       std::string* manifest_path, uint64_t* number) {
  assert(manifest_path != nullptr && number != nullptr);
  const std::string path = CurrentFileName(db_name);
  std::string text;
  Status s = ReadFileToString(fs, path, &text);
  if (!s.ok()) return s;
  if (text.empty() || text.back() != '\n') {
    return Status::Corruption("CURRENT file does not end with newline", path);
  }
  text.pop_back();
  FileType type;
  uint64_t found = 0;
  if (!ParseFileName(text, &found, &type) || type != kDescriptorFile) {
    return Status::Corruption("CURRENT file corrupted",
                              path +
                                  ": expected the name of a MANIFEST, found " +
                                  EscapeString(text));
  }
  *manifest_path = InDir(db_name, text);
  *number = found;
  return s;
}

IOStatus SetIdentityFile(FileSystem* fs, const std::string& db_name,
                         const std::string& db_id, FSDirectory* directory,
                         const IOOptions& options) {
  INVARIANT(!db_id.empty());
  return ReplaceFile(options, fs,
                     {.db_name = db_name,
                      .temporary = TempFileName(db_name, 0),
                      .final_name = IdentityFileName(db_name),
                      .contents = db_id,
                      .directory = directory});
}

Status ReadIdentityFile(FileSystem* fs, const std::string& db_name,
                        std::string* db_id) {
  std::string text;
  Status s = ReadFileToString(fs, IdentityFileName(db_name), &text);
  if (!s.ok()) return s;
  if (!text.empty() && text.back() == '\n') text.pop_back();
  assert(db_id != nullptr);
  *db_id = std::move(text);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
