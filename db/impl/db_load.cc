// DBImpl: opening: versions and families loaded.
#include <algorithm>

#include "db/family/family_registry.h"
#include "db/files/log_keeper.h"
#include "db/impl/db_impl.h"
#include "db/intake/family_attacher.h"
#include "db/intake/intake.h"
#include "db/lookup/read_port.h"
#include "db/recovery/home_directory.h"
#include "db/version/column_family.h"
#include "db/version/version_set.h"
#include "db/wal/wal_manager.h"
#include "memtable/memtable.h"
#include "options/sanitize.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::LoadVersions(
    const std::vector<ColumnFamilyDescriptor>& families) {
  INVARIANT(obsolete_ != nullptr);
  MakeVersions();
  if (mode_ == Mode::kReadWrite) {
    if (Status s = SetUpLogs(); !s.ok()) return s;
    SetUpFileRoom();
  } else {
    SetUpCatchUp();
  }
  SetUpCleanUp();
  SetUpReadPort();
  SetUpJobs();
  SetUpDesks();
  const bool writes = mode_ == Mode::kReadWrite;
  if (writes) {
    SetUpFlushes();
    SetUpIntake();
  }
  SetUpAttacher();
  if (writes) SetUpChanges();
  SetUpTransactions();
  SetUpObservatory();
  MutexLock lock(&base_.mutex);
  VersionSet::RecoverOptions options;
  options.read_only = mode_ != Mode::kReadWrite;
  options.create_missing_families =
      base_.options.create_missing_column_families;
  options.best_efforts = RecoversWithBestEfforts();
  Status s = versions_->Recover(families, options);
  if (!s.ok()) return s;
  for (const ColumnFamilyRef& cfd : versions_->families()->all()) {
    if (s = attacher_->Attach(cfd); !s.ok()) return s;
  }
  default_cfd_ = versions_->families()->default_family();
  INVARIANT(default_cfd_ != nullptr);
  INVARIANT(default_cfd_->id() == 0);
  return mode_ == Mode::kReadWrite ? home_->EnsureIdentity(versions_.get())
                                   : Status::OK();
}

Status DBImpl::CreateMissingFamilies() {
  INVARIANT(logs_->wal()->current_number() > 0);
  const std::vector<ColumnFamilyDescriptor> missing =
      versions_->missing_families();
  for (const ColumnFamilyDescriptor& descriptor : missing) {
    ColumnFamilyData* cfd = nullptr;
    Status s = versions_->CreateFamily(
        descriptor.name,
        SanitizeColumnFamilyOptions(base_.options, descriptor.options),
        logs_->wal()->current_number(), home_->directory(), &cfd);
    if (s.ok()) s = attacher_->Attach(cfd->shared_from_this());
    if (!s.ok()) return s;
    cfd->mem()->set_log_number(logs_->wal()->current_number());
  }
  return Status::OK();
}

Status DBImpl::OpenHandles(const std::vector<ColumnFamilyDescriptor>& families,
                           std::vector<ColumnFamilyHandle*>* handles) {
  MutexLock lock(&base_.mutex);
  INVARIANT(default_cfd_ != nullptr);
  INVARIANT(default_handle_ == nullptr);
  default_handle_.reset(NewHandle(default_cfd_->shared_from_this()));
  if (handles == nullptr) return Status::OK();
  for (const ColumnFamilyDescriptor& descriptor : families) {
    ColumnFamilyData* cfd = versions_->families()->Find(descriptor.name);
    if (cfd == nullptr) {
      return Status::InvalidArgument("Column family not found",
                                     descriptor.name);
    }
    handles->push_back(NewHandle(cfd->shared_from_this()));
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
