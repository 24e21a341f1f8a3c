// Names of the files of a database, both ways, and the two small files that
// are replaced as a whole: CURRENT and IDENTITY.
//
// Numbers have at least 6 decimal digits when written; any count of digits is
// accepted when read, whatever the locale.
//
// Threads  Any.
// Errors   ParseFileName() answers false for a name that is none of ours; such
//          a file is left alone for ever.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "rocksdb/wal_iterator.h"

namespace ROCKSDB_NAMESPACE {

// N.log
std::string LogFileName(const std::string& dir, uint64_t number);
std::string LogFileName(uint64_t number);
// N.sst
std::string TableFileName(const std::string& dir, uint64_t number);
std::string MakeTableFileName(uint64_t number);
// In the directory of `path_id`; an id beyond the list means its last entry.
std::string TableFileName(const std::vector<DbPath>& paths, uint64_t number,
                          uint32_t path_id);
// The same file under its old ending: N.ldb for N.sst; else `name` itself.
std::string LegacyTableFileName(const std::string& name);
// N.blob
std::string BlobFileName(const std::string& dir, uint64_t number);
std::string BlobFileName(uint64_t number);
// MANIFEST-N
std::string DescriptorFileName(const std::string& dir, uint64_t number);
std::string DescriptorFileName(uint64_t number);
// OPTIONS-N and OPTIONS-N.dbtmp
std::string OptionsFileName(const std::string& dir, uint64_t number);
std::string OptionsFileName(uint64_t number);
std::string TempOptionsFileName(const std::string& dir, uint64_t number);
// N.dbtmp
std::string TempFileName(const std::string& dir, uint64_t number);
std::string CurrentFileName(const std::string& dir);
std::string IdentityFileName(const std::string& dir);
std::string LockFileName(const std::string& dir);
std::string MetaDatabaseName(const std::string& dir, uint64_t number);
// archive, and archive/N.log, below the directory of the WALs.
std::string ArchivalDirectory(const std::string& wal_dir);
std::string ArchivedLogFileName(const std::string& wal_dir, uint64_t number);

// The base name of the info log: LOG in the DB directory, or, in an own
// directory, the flattened absolute path of the DB followed by _LOG.
std::string InfoLogPrefix(bool has_log_dir, const std::string& db_path);
// Full names. `log_dir` empty: the DB directory. `db_path` is absolute.
std::string InfoLogFileName(const std::string& db_name,
                            const std::string& db_path = "",
                            const std::string& log_dir = "");
std::string OldInfoLogFileName(const std::string& db_name, uint64_t timestamp,
                               const std::string& db_path = "",
                               const std::string& log_dir = "");

// What a directory entry is. `number` is 0 for a kind without one, and the
// time for LOG.old.T. With `info_log_prefix`, that is the name of the info log
// instead of LOG. `wal_type` tells archive/N.log from N.log.
bool ParseFileName(const std::string& name, const Slice& info_log_prefix,
                   uint64_t* number, FileType* type,
                   WalFileType* wal_type = nullptr);
bool ParseFileName(const std::string& name, uint64_t* number, FileType* type,
                   WalFileType* wal_type = nullptr);

// A path without doubled slashes and without one at the end.
std::string NormalizePath(const std::string& path);

// Names (not paths) of the info logs of a database, and their directory.
Status GetInfoLogFiles(FileSystem* fs, const std::string& db_log_dir,
                       const std::string& db_name, std::string* parent_dir,
                       std::vector<std::string>* names);

// Makes CURRENT name MANIFEST-`number`, which must be durable already: writes
// and syncs N.dbtmp, renames it, syncs the directory. `directory` null: opens
// it. A failure before the rename leaves no N.dbtmp behind; after a failure of
// the rename itself, either MANIFEST may be the current one.
IOStatus SetCurrentFile(FileSystem* fs, const std::string& db_name,
                        uint64_t number, FSDirectory* directory = nullptr,
                        const IOOptions& options = IOOptions());

// The MANIFEST that CURRENT names. Corruption if the text is not exactly that
// of a MANIFEST and a newline.
Status ReadCurrentFile(FileSystem* fs, const std::string& db_name,
                       std::string* manifest_path, uint64_t* number);

// Stores the id of the database in IDENTITY, in the same safe order.
IOStatus SetIdentityFile(FileSystem* fs, const std::string& db_name,
                         const std::string& db_id,
                         FSDirectory* directory = nullptr,
                         const IOOptions& options = IOOptions());

// The id in IDENTITY, without a newline at its end.
Status ReadIdentityFile(FileSystem* fs, const std::string& db_name,
                        std::string* db_id);

}  // namespace ROCKSDB_NAMESPACE
