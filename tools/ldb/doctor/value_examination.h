// Reads the values that tables keep in blob files, each as a read of its key
// would, so that what nothing refers to any more is not looked at.
//
// Threads  One.
// Reading  Blob files are read past the page cache where that is possible.
// Errors   Values that cannot be read are told; a status says that the table
//          itself cannot be.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "file/io_governor.h"
#include "rocksdb/file_system.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/status.h"
#include "tools/ldb/doctor/health.h"
#include "util/key/internal_iterator.h"

namespace ROCKSDB_NAMESPACE {

class InputStream;
class LoneTable;

class ValueExaminer {
 public:
  // What is found goes to `health`, whose blob files are known by now. Those
  // that have trouble are not read. Null limiter: reads are not limited.
  ValueExaminer(FileSystem* fs, RateLimiter* limiter, Health* health);
  ~ValueExaminer();

  // All values of a table of `family`.
  Status LookAt(const LoneTable& table, const std::string& family);
  // Takes back what a newer entry of the table hides from reads.
  Status ForgetHidden(const LoneTable& table, const std::string& family);

 private:
  struct OpenFile;
  struct Reference;

  static bool IsHidden(const BadValue& value, const LoneTable& table,
                       InternalIterator* entries);
  Status Read(const Reference& reference);
  // Null, with the reason in *status: it cannot be read.
  OpenFile* Find(const Reference& reference, Status* status);
  void Tell(const Reference& reference, const Status& status);

  // `buffered` is a handle of the same file.
  Status NewStream(const ListedBlobFile& blob, FSRandomAccessFile* buffered,
                   std::unique_ptr<InputStream>* stream) const;

  FileSystem* const fs_;
  RateLimiter* const limiter_;
  const GovernorMembership governor_;
  Health& health_;
  std::map<uint64_t, const ListedBlobFile*> listed_;
  std::map<uint64_t, std::unique_ptr<OpenFile>> open_;
};

}  // namespace ROCKSDB_NAMESPACE
