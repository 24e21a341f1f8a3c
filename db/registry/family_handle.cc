#include "db/registry/family_handle.h"

namespace ROCKSDB_NAMESPACE {

Status ColumnFamilyHandleImpl::GetDescriptor(
    ColumnFamilyDescriptor* descriptor) {
  if (descriptor == nullptr) {
    return Status::InvalidArgument("descriptor is null");
  }
  if (cfd_->is_dropped()) return Status::ColumnFamilyDropped(cfd_->name());
  descriptor->name = cfd_->name();
  descriptor->options = cfd_->CopyOptions();
  return Status::OK();
}

Status CheckFamilyHandle(const DB* owner, ColumnFamilyHandle* family) {
  if (family == nullptr) [[unlikely]] {
    return Status::InvalidArgument("column family handle is null");
  }
  if (static_cast<ColumnFamilyHandleImpl*>(family)->owner() != owner)
      [[unlikely]] {
    return Status::InvalidArgument("column family handle of another database",
                                   family->GetName());
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
