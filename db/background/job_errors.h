// Where jobs bring errors. What stops by them, and what goes on by itself, is
// not the jobs' to know.
//
// Threads    Under the DB mutex, which is given back while listeners are told.
#pragma once

#include "rocksdb/listener.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class JobErrors {
 public:
  virtual ~JobErrors() = default;
  virtual void OnBackgroundError(const Status& status,
                                 BackgroundErrorReason reason) = 0;
  // A manifest could not be written. False: it was refused before.
  virtual bool OnManifestError(const Status& status) = 0;
  // More was written, which an SstFileManager may not allow.
  virtual void CheckSpaceLimit() = 0;
};

}  // namespace ROCKSDB_NAMESPACE
