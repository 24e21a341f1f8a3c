// The tables of a family, for an export, which has no blob files.
//
// Threads    Any, without the DB mutex.
// Ownership  Borrows what it is given.
#pragma once

#include <string>
#include <vector>

#include "db/family/column_family.h"
#include "rocksdb/metadata.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class FamilyRegistry;
class JobContexts;
class StopSignals;

class TableExport {
 public:
  // `mutex`: the DB mutex.
  TableExport(Mutex* mutex, const FamilyRegistry* families,
              const JobContexts* jobs, const StopSignals* stop)
      : mutex_(mutex), families_(families), jobs_(jobs), stop_(stop) {}
  TableExport(const TableExport&) = delete;
  TableExport& operator=(const TableExport&) = delete;

  // The family's tables as they are now. Those with blobs are written anew, as
  // files of `directory` that hold the blobs themselves.
  Status Export(ColumnFamilyData* cfd, const std::string& directory,
                std::vector<LiveFileMetaData>* files) EXCLUDES(mutex_);

 private:
  Status WriteWholeTables(SuperVersion* state, const std::string& directory,
                          std::vector<LiveFileMetaData>* files)
      EXCLUDES(mutex_);

  Mutex* const mutex_;
  const FamilyRegistry* const families_ PT_GUARDED_BY(mutex_);
  const JobContexts* const jobs_;
  const StopSignals* const stop_;
};

}  // namespace ROCKSDB_NAMESPACE
