// A database that is only read, as it was when it was opened: its manifest and,
// once, its logs.
//
// Threads    See README.md beside this file for the order of locks.
#pragma once

#include "db/impl/unwritable_db.h"

namespace ROCKSDB_NAMESPACE {

class ReadOnlyDB final : public UnwritableDB {
 public:
  ReadOnlyDB(const DBOptions& sanitized, const OpenRequest& request);
  ~ReadOnlyDB() override;

 private:
  const char* refusal() const override {
    return "Not supported operation in read only mode.";
  }
  Status MakeParts() override { return MakePartsFor({.reads_logs = true}); }
  Status ReadLogs() override;
  bool OpensTablesLater() const override {
    return base_.options.open_files_async;
  }

  const CatchUp::FoundLogs found_logs_;
};

}  // namespace ROCKSDB_NAMESPACE
