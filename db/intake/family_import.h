// A new family from the tables of an exported one.
//
// Threads    Any, without the DB mutex.
// Ownership  Borrows what it is given.
#pragma once

#include <string>
#include <vector>

#include "db/family/column_family.h"
#include "db/jobs/edit_context.h"
#include "rocksdb/metadata.h"
#include "rocksdb/options.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ImportJob;
class JobContexts;
class LevelPlacing;
class LogKeeper;
class WalLock;
class WriteThread;

class FamilyImport {
 public:
  struct Context : EditContext {
    LevelPlacing* placing PT_GUARDED_BY(mutex) = nullptr;
    WriteThread* writes = nullptr;
    WalLock* wal_lock = nullptr;
    LogKeeper* logs = nullptr;
    JobContexts* jobs = nullptr;
  };
  explicit FamilyImport(const Context& context) : context_(context) {}
  FamilyImport(const FamilyImport&) = delete;
  FamilyImport& operator=(const FamilyImport&) = delete;

  // Into a family that was just made.
  Status Import(const ColumnFamilyRef& cfd,
                const ImportColumnFamilyOptions& options,
                const std::vector<const ExportImportFilesMetaData*>& metadatas)
      EXCLUDES(context_.mutex);

 private:
  // In the turn of a write.
  Status Install(ImportJob* job, bool* is_unknown) EXCLUDES(context_.mutex);
  Status Log(ImportJob* job, bool* is_unknown) REQUIRES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
