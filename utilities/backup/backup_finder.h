// Where a file of a backup is that its own directory does not have.
//
// Threads  Any.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/file_system.h"
#include "utilities/backup/backup_description.h"

namespace ROCKSDB_NAMESPACE {

class BackupCatalog;

struct FoundBackupFile {
  std::shared_ptr<FileSystem> fs;
  // Full; `file.path` is the one that was asked for.
  std::string path;
  BackupFile file;
};

// What engines are beside what the public interface says.
class BackupFinder {
 public:
  virtual ~BackupFinder() = default;
  // A shared file of a valid backup there; false if none has it, or if it is
  // the engine with this catalog that asks: it has looked.
  virtual bool FindFile(const std::string& path, const BackupCatalog* asker,
                        FoundBackupFile* result) const = 0;
};

}  // namespace ROCKSDB_NAMESPACE
