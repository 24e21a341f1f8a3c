// DBImpl: column families that come and go while the database is open.
#include <optional>

#include "db/family/family_handle.h"
#include "db/family/family_registry.h"
#include "db/family/sequence_ages.h"
#include "db/files/file_access_chooser.h"
#include "db/files/log_keeper.h"
#include "db/impl/db_impl.h"
#include "db/impl/log_head.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/resume_control.h"
#include "db/version/version_set.h"
#include "db/wal/wal_manager.h"
#include "db/write/exclusive.h"
#include "db/write/family_publisher.h"
#include "memtable/memtable.h"
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
       DescribeChanges(given, SanitizeDBOptions(source_, given))) {
    Warn(options_.logger, "option %s", line.c_str());
  }
  for (const ColumnFamilyDescriptor& family : families) {
    const ColumnFamilyOptions used =
        SanitizeColumnFamilyOptions(options_, family.options);
    for (const std::string& line : DescribeChanges(family.options, used)) {
      Warn(options_.logger, "option of column family %s: %s",
           family.name.c_str(), line.c_str());
    }
  }
}

Status DBImpl::AddFamily(const ColumnFamilyOptions& options,
                         const std::string& name, ColumnFamilyRef* result) {
  INVARIANT(result != nullptr);
  if (name.empty()) {
    return Status::InvalidArgument("a column family needs a name");
  }
  Status s = ValidateColumnFamilyOptions(options_, options);
  if (!s.ok()) return s;
  size_t index = 0;
  const Exclusive exclusive(&write_thread_);
  if (!options.cf_paths.empty()) {
    std::vector<std::string> paths;
    for (const DbPath& path : options.cf_paths) paths.push_back(path.path);
    if (s = file_access_->Check(*mutable_options_.Get(), paths); !s.ok())
      return s;
  }
  {
    MutexLock lock(&mutex_);
    s = wal_lock_->Await(&write_thread_, /*may_wait=*/true);
    if (!s.ok()) return s;
    ColumnFamilyData* cfd = nullptr;
    s = versions_->CreateFamily(
        name, SanitizeColumnFamilyOptions(options_, options),
        logs_->wal()->current_number(), db_directory_.get(), &cfd);
    if (!s.ok()) {
      resume_->OnManifestError(s);
      return s;
    }
    if (s = AttachFamily(cfd->shared_from_this()); !s.ok()) return s;
    INVARIANT(cfd->id() != 0);
    INVARIANT(families_->Has(cfd->id()));
    index = families_->size() - 1;
    cfd->mem()->set_log_number(logs_->wal()->current_number());
    attention_.Ask();
    *result = cfd->shared_from_this();
  }
  LogFamily(name, (*result)->CopyOptions(), index, INFO_LEVEL, options_.logger);
  return s;
}

// What is to be done once, however many families have come or gone: it costs as
// much as there are families.
Status DBImpl::NoteFamilies() {
  const Status s = wal_lock_->WithLogAtRest([&] {
    MutexLock lock(&mutex_);
    ages_->Set();
    return WriteOptionsFile();
  });
  ages_->Restart();
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
    MutexLock lock(&mutex_);
    handles->push_back(NewHandle(std::move(cfd)));
  }
  if (handles->empty()) return s;
  // Those that came before an error stay.
  const Status noted = NoteFamilies();
  return s.ok() ? noted : s;
}

Status DBImpl::DropColumnFamily(ColumnFamilyHandle* handle) {
  return DropColumnFamilies({handle});
}

Status DBImpl::RemoveFamily(ColumnFamilyHandle* handle) {
  if (Status s = CheckHandle(handle); !s.ok()) return s;
  ColumnFamilyData* cfd = FamilyOf(handle);
  if (cfd->id() == 0) {
    return Status::InvalidArgument("Can't drop default column family");
  }
  const Exclusive exclusive(&write_thread_);
  MutexLock lock(&mutex_);
  Status s = wal_lock_->Await(&write_thread_, /*may_wait=*/true);
  if (!s.ok()) return s;
  if (cfd->is_dropped()) {
    return Status::InvalidArgument("Column family already dropped!\n");
  }
  if (s = versions_->DropFamily(cfd, db_directory_.get()); !s.ok()) {
    resume_->OnManifestError(s);
    return s;
  }
  INVARIANT(cfd->is_dropped());
  INVARIANT(cfd != default_cfd_);
  families_->Remove(cfd->id());
  publisher_->NoteRemoved();
  changes_.Note();
  return s;
}

Status DBImpl::DropColumnFamilies(
    const std::vector<ColumnFamilyHandle*>& families) {
  if (Status s = CheckWritable(); !s.ok()) return s;
  Status s;
  size_t gone = 0;
  for (ColumnFamilyHandle* family : families) {
    if (s = RemoveFamily(family); !s.ok()) break;
    ++gone;
  }
  if (gone == 0) return s;
  const Status noted = NoteFamilies();
  return s.ok() ? noted : s;
}

}  // namespace ROCKSDB_NAMESPACE
