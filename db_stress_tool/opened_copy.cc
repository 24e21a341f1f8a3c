#include "db_stress_tool/opened_copy.h"

#include <algorithm>
#include <utility>

namespace ROCKSDB_NAMESPACE::stress {

OpenedCopy::OpenedCopy(const Context& context, std::string path,
                       const char* what)
    : c_(context),
      path_(std::move(path)),
      what_(what),
      options_(c_.database->options()) {
  options_.create_if_missing = false;
  options_.create_missing_column_families = false;
  options_.best_efforts_recovery = false;
  // Jobs of the copy would be taken for the database's own.
  options_.compaction_service = nullptr;
}

OpenedCopy::~OpenedCopy() {
  const WithoutFaults no_faults;
  Status s;
  for (ColumnFamilyHandle* handle : handles_) {
    Status freed = db_->DestroyColumnFamilyHandle(handle);
    if (s.ok()) s = freed;
  }
  if (db_ != nullptr && s.ok()) s = db_->Close();
  db_.reset();
  if (s.ok()) s = Clear();
  c_.report->Check(s, what_);
}

Status OpenedCopy::Clear() const { return DestroyDB(path_, options_); }

Status OpenedCopy::Open(bool is_read_only, Families which) {
  std::vector<std::string> names;
  Status s = DB::ListColumnFamilies(options_, path_, &names);
  if (!s.ok()) return s;
  std::vector<ColumnFamilyDescriptor> families;
  std::vector<size_t> indexes;
  for (size_t i = 0; i < c_.database->family_count(); ++i) {
    const std::string& name = c_.database->family(i)->GetName();
    if (which == Families::kSome &&
        std::find(names.begin(), names.end(), name) == names.end()) {
      continue;
    }
    families.emplace_back(name, ColumnFamilyOptions(options_));
    indexes.push_back(i);
  }
  // What another worker has just imported may be there, too.
  for (const std::string& name : names) {
    if (name.rfind("imported", 0) != 0) continue;
    families.emplace_back(name, ColumnFamilyOptions(options_));
  }
  DB* db = nullptr;
  s = is_read_only
          ? DB::OpenForReadOnly(options_, path_, families, &handles_, &db)
          : DB::Open(options_, path_, families, &handles_, &db);
  db_.reset(db);
  if (!s.ok()) return s;
  by_index_.assign(c_.database->family_count(), nullptr);
  for (size_t i = 0; i < indexes.size(); ++i) {
    by_index_[indexes[i]] = handles_[i];
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE::stress
