// DBImpl: column families that come and go while the database is open.
#include "db/family/family_handle.h"
#include "db/family/family_registry.h"
#include "db/impl/db_impl.h"
#include "db/impl/log_head.h"
#include "db/intake/changes.h"
#include "db/intake/family_changes.h"
#include "options/constraints.h"
#include "options/sanitize.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::CreateColumnFamily(const ColumnFamilyOptions& options,
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

void DBImpl::TellChangedOptions(
    const DBOptions& given,
    const std::vector<ColumnFamilyDescriptor>& families) const {
  for (const std::string& line :
       DescribeChanges(given, SanitizeDBOptions(base_.source, given))) {
    Warn(base_.options.logger, "option %s", line.c_str());
  }
  for (const ColumnFamilyDescriptor& family : families) {
    const ColumnFamilyOptions used =
        SanitizeColumnFamilyOptions(base_.options, family.options);
    for (const std::string& line : DescribeChanges(family.options, used)) {
      Warn(base_.options.logger, "option of column family %s: %s",
           family.name.c_str(), line.c_str());
    }
  }
}

Status DBImpl::AddFamily(const ColumnFamilyOptions& options,
                         const std::string& name, ColumnFamilyRef* cfd) {
  INVARIANT(cfd != nullptr);
  Status s = on_demand_->families()->Add(options, name, cfd);
  if (!s.ok()) return s;
  size_t index = 0;
  {
    MutexLock lock(&base_.mutex);
    index = families_->size() - 1;
  }
  LogFamily(name, (*cfd)->CopyOptions(), index, INFO_LEVEL,
            base_.options.logger);
  return s;
}

Status DBImpl::CreateColumnFamilies(const ColumnFamilyOptions& options,
                                    const std::vector<std::string>& names,
                                    std::vector<ColumnFamilyHandle*>* handles) {
  std::vector<ColumnFamilyDescriptor> families;
  for (const std::string& name : names) families.emplace_back(name, options);
  return CreateColumnFamilies(families, handles);
}

Status DBImpl::CreateColumnFamilies(
    const std::vector<ColumnFamilyDescriptor>& families,
    std::vector<ColumnFamilyHandle*>* handles) {
  if (handles == nullptr) return Status::InvalidArgument("handles is null");
  handles->clear();
  if (Status s = CheckWritable(); !s.ok()) return s;
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

Status DBImpl::DropColumnFamily(ColumnFamilyHandle* handle) {
  return DropColumnFamilies({handle});
}

Status DBImpl::DropColumnFamilies(
    const std::vector<ColumnFamilyHandle*>& families) {
  if (Status s = CheckWritable(); !s.ok()) return s;
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
