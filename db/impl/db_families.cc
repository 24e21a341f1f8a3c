// ManagedDB: column families that come and go while the database is open.
#include "db/impl/job_parts.h"
#include "db/impl/log_head.h"
#include "db/impl/managed_db.h"
#include "db/intake/changes.h"
#include "db/intake/family_changes.h"
#include "db/registry/family_handle.h"
#include "db/registry/family_registry.h"
#include "options/constraints.h"
#include "options/sanitize.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

ManagedDB::ManagedDB(const DBOptions& sanitized, const std::string& name,
                     const std::string& manifest_directory)
    : WritingDB(sanitized, name, manifest_directory) {}

ManagedDB::~ManagedDB() = default;

Status ManagedDB::CreateColumnFamily(const ColumnFamilyOptions& options,
                                     const std::string& name,
                                     ColumnFamilyHandle** handle) {
  if (handle == nullptr) return Status::InvalidArgument("handle is null");
  *handle = nullptr;
  std::vector<ColumnFamilyHandle*> handles;
  Status s =
      CreateColumnFamilies({ColumnFamilyDescriptor(name, options)}, &handles);
  if (!handles.empty()) *handle = handles.front();
  return s;
}

Status ManagedDB::AddFamily(const ColumnFamilyOptions& options,
                            const std::string& name, ColumnFamilyRef* cfd) {
  INVARIANT(cfd != nullptr);
  Status s = on_demand_->families()->Add(options, name, cfd);
  if (!s.ok()) return s;
  size_t index = 0;
  {
    MutexLock lock(&base_.mutex);
    index = families_->registry()->size() - 1;
  }
  LogFamily(name, (*cfd)->CopyOptions(), index, INFO_LEVEL,
            base_.options.logger);
  return s;
}

Status ManagedDB::CreateColumnFamilies(
    const ColumnFamilyOptions& options, const std::vector<std::string>& names,
    std::vector<ColumnFamilyHandle*>* handles) {
  std::vector<ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, options);
  return CreateColumnFamilies(families, handles);
}

Status ManagedDB::CreateColumnFamilies(
    const std::vector<ColumnFamilyDescriptor>& families,
    std::vector<ColumnFamilyHandle*>* handles) {
  if (handles == nullptr) return Status::InvalidArgument("handles is null");
  handles->clear();
  if (Status s = CheckOpen(); !s.ok()) return s;
  Status s;
  for (const ColumnFamilyDescriptor& family : families) {
    ColumnFamilyRef cfd;
    s = AddFamily(family.options, family.name, &cfd);
    if (!s.ok()) break;
    TellChangedOptions(DBOptions(), {family});
    MutexLock lock(&base_.mutex);
    handles->push_back(NewHandle(std::move(cfd)));
  }
  if (handles->empty()) return s;
  // Those that came before an error stay.
  const Status noted = on_demand_->families()->Note();
  return s.ok() ? noted : s;
}

Status ManagedDB::DropColumnFamily(ColumnFamilyHandle* handle) {
  return DropColumnFamilies({handle});
}

Status ManagedDB::DropColumnFamilies(
    const std::vector<ColumnFamilyHandle*>& families) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  Status s;
  size_t gone = 0;
  for (ColumnFamilyHandle* family : families) {
    s = CheckHandle(family);
    if (s.ok()) s = on_demand_->families()->Remove(FamilyOf(family));
    if (!s.ok()) break;
    ++gone;
  }
  if (gone == 0) return s;
  const Status noted = on_demand_->families()->Note();
  return s.ok() ? noted : s;
}

}  // namespace ROCKSDB_NAMESPACE
