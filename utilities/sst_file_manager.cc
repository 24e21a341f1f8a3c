#include "rocksdb/sst_file_manager.h"

#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A database given a manager would have to refuse it, so none is made.
SstFileManager* NotBuiltYet(Status* status) {
  if (status != nullptr) *status = Status::NotSupported("NewSstFileManager");
  return nullptr;
}

}  // namespace

SstFileManager* NewSstFileManager(Env*, std::shared_ptr<Logger>, std::string,
                                  int64_t, bool, Status* status, double,
                                  uint64_t) {
  return NotBuiltYet(status);
}

SstFileManager* NewSstFileManager(Env*, std::shared_ptr<FileSystem>,
                                  std::shared_ptr<Logger>, const std::string&,
                                  int64_t, bool, Status* status, double,
                                  uint64_t) {
  return NotBuiltYet(status);
}

}  // namespace ROCKSDB_NAMESPACE
