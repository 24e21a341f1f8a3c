// Where the files of backups lie, and what shared ones are called.
//
// In shared_checksum/, for number N, checksum c, size z and session S:
//
//   N_c_z.sst  N_c_z.blob     kLegacyCrc32cAndFileSize, and what has no session
//   N_sS.sst                  kUseDbSessionId
//   N_sS_z.sst                the same with kFlagIncludeFileSize
//
// In shared/ and private/<id>/, as in the database.
//
// Threads  Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rocksdb/utilities/backup_engine.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr char kBackupMetaDir[] = "meta";
inline constexpr char kBackupPrivateDir[] = "private";
inline constexpr char kBackupSharedDir[] = "shared";
inline constexpr char kBackupSharedChecksumDir[] = "shared_checksum";
inline constexpr char kBackupTempSuffix[] = ".tmp";

// False unless `name` is the plain decimal form of an id.
bool ParseBackupId(std::string_view name, BackupID* id);

// Is it where a file of a backup may lie? Whatever a description says, nothing
// outside is ever read or deleted.
bool IsBackupPath(std::string_view path);

std::string PrivateDirOf(BackupID id);
bool IsSharedPath(std::string_view path);

// The last part of a path.
std::string_view NameInPath(std::string_view path);
// What the file is called in the database.
std::string DbNameOf(std::string_view path);

// What a name in shared_checksum/ says.
struct SharedNameParts {
  std::string session_id;  // empty: the name has the checksum instead
  uint64_t crc32c = 0;     // only in names without a session
  bool has_size = false;
  uint64_t size_bytes = 0;
};
// False if it is no such name.
bool ParseSharedName(std::string_view name, SharedNameParts* parts);

// The parts are those that the file has; `naming` says which of them are used.
std::string SharedNameOf(const std::string& db_name,
                         const SharedNameParts& parts,
                         BackupEngineOptions::ShareFilesNaming naming);

}  // namespace ROCKSDB_NAMESPACE
