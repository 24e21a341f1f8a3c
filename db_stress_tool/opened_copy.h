// A copy of the database that is a directory, opened as a database of its own.
//
// Threads    One at a time.
// Ownership  Removes the directory when it is destroyed.
// Errors     Those of the engine; of closing and removing it: to the Report.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db_stress_tool/workload.h"

namespace ROCKSDB_NAMESPACE::stress {

class OpenedCopy : public DatabaseCopy {
 public:
  // `what` names such a copy where it cannot be removed.
  OpenedCopy(const Context& context, std::string path, const char* what);
  ~OpenedCopy() override;

  // Removes what a process that was killed may have left.
  Status Clear() const;
  // When the files are there. Some: of those that are not there, family() is
  // null.
  enum class Families { kAll, kSome };
  Status Open(bool is_read_only, Families which = Families::kAll);

  const Context& context() const { return c_; }
  const std::string& path() const { return path_; }
  DB* db() const override { return db_.get(); }
  ColumnFamilyHandle* family(size_t index) const override {
    return by_index_[index];
  }

 private:
  const Context c_;
  const std::string path_;
  const char* const what_;
  Options options_;
  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> handles_;
  std::vector<ColumnFamilyHandle*> by_index_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
