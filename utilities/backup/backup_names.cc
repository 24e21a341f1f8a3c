#include "utilities/backup/backup_names.h"

#include <limits>

#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kSessionMark = 's';

// All of `text`, without a sign or a leading zero.
bool ParsePlainDecimal(std::string_view text, uint64_t* value) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return false;
  Slice rest(text);
  return ConsumeDecimalNumber(&rest, value) && rest.empty();
}

bool IsFileName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

// Cuts off the part before the next slash.
std::string_view TakeDirectory(std::string_view* path) {
  const size_t end = path->find('/');
  if (end == std::string_view::npos) return {};
  const std::string_view directory = path->substr(0, end);
  path->remove_prefix(end + 1);
  return directory;
}

}  // namespace

bool ParseBackupId(std::string_view name, BackupID* id) {
  uint64_t value = 0;
  if (!ParsePlainDecimal(name, &value)) return false;
  if (value == 0 || value > std::numeric_limits<BackupID>::max()) return false;
  *id = static_cast<BackupID>(value);
  return true;
}

bool IsBackupPath(std::string_view path) {
  const std::string_view directory = TakeDirectory(&path);
  if (directory == kBackupPrivateDir) {
    BackupID id = 0;
    if (!ParseBackupId(TakeDirectory(&path), &id)) return false;
  } else if (directory != kBackupSharedDir &&
             directory != kBackupSharedChecksumDir) {
    return false;
  }
  return IsFileName(path);
}

std::string PrivateDirOf(BackupID id) {
  return std::string(kBackupPrivateDir) + "/" + std::to_string(id);
}

bool IsSharedPath(std::string_view path) {
  const std::string_view directory = TakeDirectory(&path);
  return directory == kBackupSharedDir || directory == kBackupSharedChecksumDir;
}

std::string_view NameInPath(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

std::string DbNameOf(std::string_view path) {
  const std::string_view name = NameInPath(path);
  std::string_view rest = path;
  if (TakeDirectory(&rest) != kBackupSharedChecksumDir) {
    return std::string(name);
  }
  const size_t parts = name.find('_');
  const size_t ending = name.find_last_of('.');
  if (parts == std::string_view::npos || ending == std::string_view::npos ||
      ending < parts) {
    return std::string(name);
  }
  return std::string(name.substr(0, parts)).append(name.substr(ending));
}

bool ParseSharedName(std::string_view name, SharedNameParts* parts) {
  INVARIANT(parts != nullptr);
  const size_t ending = name.find_last_of('.');
  if (ending == std::string_view::npos) return false;
  const std::vector<std::string> words =
      SplitString(name.substr(0, ending), '_');
  if (words.size() < 2 || words.size() > 3) return false;
  if (words[0].empty() || words[1].empty()) return false;
  SharedNameParts found;
  if (words[1][0] == kSessionMark) {
    found.session_id = words[1].substr(1);
    if (found.session_id.empty()) return false;
  } else if (words.size() != 3 || !ParsePlainDecimal(words[1], &found.crc32c) ||
             found.crc32c > std::numeric_limits<uint32_t>::max()) {
    return false;
  }
  found.has_size = words.size() == 3;
  if (found.has_size && !ParsePlainDecimal(words[2], &found.size_bytes)) {
    return false;
  }
  *parts = std::move(found);
  return true;
}

std::string SharedNameOf(const std::string& db_name,
                         const SharedNameParts& parts,
                         BackupEngineOptions::ShareFilesNaming naming) {
  const size_t ending = db_name.find_last_of('.');
  INVARIANT(ending != std::string::npos);
  std::string name = db_name.substr(0, ending) + "_";
  if (parts.session_id.empty()) {
    name +=
        std::to_string(parts.crc32c) + "_" + std::to_string(parts.size_bytes);
  } else {
    name += kSessionMark + parts.session_id;
    if ((naming & BackupEngineOptions::kFlagIncludeFileSize) != 0) {
      name += "_" + std::to_string(parts.size_bytes);
    }
  }
  return name + db_name.substr(ending);
}

}  // namespace ROCKSDB_NAMESPACE
