// DBImpl: column families that come and go while the database is open.
#include <optional>

#include "db/family/sequence_ages.h"
#include "db/files/file_room.h"
#include "db/files/obsolete_files.h"
#include "db/impl/db_impl.h"
#include "db/impl/log_head.h"
#include "db/jobs/compaction_queue.h"
#include "db/observe/observatory.h"
#include "db/read/read_timestamp.h"
#include "db/wal/wal_manager.h"
#include "db/write/exclusive.h"
#include "options/constraints.h"
#include "options/sanitize.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status DBImpl::CheckHandle(ColumnFamilyHandle* family) const {
  return CheckFamilyHandle(this, family);
}

Status DBImpl::CheckWriteHandle(ColumnFamilyHandle* family,
                                const Slice* ts) const {
  // None is the default family, as in a batch.
  if (family == nullptr) family = DefaultColumnFamily();
  if (Status s = CheckHandle(family); !s.ok()) return s;
  const ColumnFamilyData& cfd = *FamilyOf(family);
  return CheckTimestampSize(cfd.name(), cfd.order().timestamp_size(), ts);
}

ColumnFamilyHandle* DBImpl::DefaultColumnFamily() const {
  return default_handle_.get();
}

ColumnFamilyHandle* DBImpl::NewHandle(ColumnFamilyRef cfd) {
  INVARIANT(cfd != nullptr);
  ++cfd->handle_count;
  return std::make_unique<ColumnFamilyHandleImpl>(
             this, std::move(cfd),
             [this](ColumnFamilyHandleImpl* released) {
               NotifyListeners([released](EventListener* l) {
                 l->OnColumnFamilyHandleDeletionStarted(released);
               });
               ForgetHandle(released->TakeFamily());
             })
      .release();
}

// The last handle of a dropped family frees its data, as far as no iterator
// holds them.
void DBImpl::ForgetHandle(ColumnFamilyRef cfd) {
  INVARIANT(cfd != nullptr);
  std::optional<ObsoleteFiles::PurgeAtEnd> purge;
  if (!options_.avoid_unnecessary_blocking_io) purge.emplace(obsolete_.get());
  {
    MutexLock lock(&mutex_);
    INVARIANT(cfd->handle_count > 0);
    if (--cfd->handle_count == 0 && cfd->is_dropped()) {
      states_.Withdraw(cfd.get());
    }
  }
  FreeGarbage();
  cfd.reset();
}

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
  INVARIANT(wal_ != nullptr);
  size_t index = 0;
  const Exclusive exclusive(&write_thread_);
  if (!options.cf_paths.empty()) {
    std::vector<std::string> paths;
    for (const DbPath& path : options.cf_paths) paths.push_back(path.path);
    if (s = file_access_.Check(*mutable_options_.Get(), paths); !s.ok())
      return s;
  }
  {
    MutexLock lock(&mutex_);
    s = WaitForWalLock(&write_thread_, /*may_wait=*/true);
    if (!s.ok()) return s;
    ColumnFamilyData* cfd = nullptr;
    s = versions_->CreateFamily(
        name, SanitizeColumnFamilyOptions(options_, options),
        wal_->current_number(), db_directory_.get(), &cfd);
    if (!s.ok()) {
      OnManifestError(s);
      return s;
    }
    if (s = AttachFamily(cfd->shared_from_this()); !s.ok()) return s;
    INVARIANT(cfd->id() != 0);
    INVARIANT(families_.Has(cfd->id()));
    index = families_.size() - 1;
    cfd->mem()->set_log_number(wal_->current_number());
    attention_.Ask();
    *result = cfd->shared_from_this();
  }
  LogFamily(name, (*result)->CopyOptions(), index, INFO_LEVEL, options_.logger);
  return s;
}

// What is to be done once, however many families have come or gone: it costs as
// much as there are families.
Status DBImpl::NoteFamilies() {
  const Status s = WithLogAtRest([&] {
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
  Status s = WaitForWalLock(&write_thread_, /*may_wait=*/true);
  if (!s.ok()) return s;
  if (cfd->is_dropped()) {
    return Status::InvalidArgument("Column family already dropped!\n");
  }
  if (s = versions_->DropFamily(cfd, db_directory_.get()); !s.ok()) {
    OnManifestError(s);
    return s;
  }
  INVARIANT(cfd->is_dropped());
  INVARIANT(cfd != default_cfd_);
  families_.Remove(cfd->id());
  publisher_.NoteRemoved();
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

namespace {

using OptionInputs = std::unordered_map<std::string, std::string>;

// Who asked for what, in RocksDB's words: operators look for them.
void TellInputs(Logger* logger, const char* call, const OptionInputs& inputs) {
  if (inputs.empty()) {
    Warn(logger, "%s, empty input.", call);
    return;
  }
  Info(logger, "%s, inputs:", call);
  for (const auto& [name, value] : inputs) {
    Info(logger, "%s: %s", name.c_str(), value.c_str());
  }
}

void TellOutcome(Logger* logger, const std::string& call, const Status& s) {
  if (s.ok()) {
    Info(logger, "%s succeeded", call.c_str());
  } else {
    Warn(logger, "%s failed: %s", call.c_str(), s.ToString().c_str());
  }
}

}  // namespace

Status DBImpl::SetOptions(ColumnFamilyHandle* handle,
                          const OptionInputs& new_options) {
  if (Status s = CheckHandle(handle); !s.ok()) return s;
  if (Status s = CheckWritable(); !s.ok()) return s;
  ColumnFamilyData* cfd = FamilyOf(handle);
  const std::string& name = cfd->name();
  TellInputs(options_.logger,
             ("SetOptions() on column family [" + name + "]").c_str(),
             new_options);
  const Status s =
      WithLogAtRest([&] { return ApplyFamilyOptions(cfd, new_options); });
  TellOutcome(options_.logger, "[" + name + "] SetOptions()", s);
  ages_->Restart();
  FreeGarbage();
  return s;
}

Status DBImpl::ApplyFamilyOptions(ColumnFamilyData* cfd,
                                  const OptionInputs& new_options) {
  MutexLock lock(&mutex_);
  if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
  ColumnFamilyOptions changed;
  std::vector<std::string> names;
  Status s =
      ChangeColumnFamilyOptions(*cfd->options(), new_options, &changed, &names);
  if (s.ok()) s = ValidateColumnFamilyOptions(options_, changed);
  if (!s.ok()) return s;
  cfd->SetOptions(std::make_shared<const MutableCFOptions>(
      SanitizeColumnFamilyOptions(options_, changed)));
  ages_->Set();
  compactions_->Score(cfd);
  publisher_.Publish(cfd);
  FlushRetained(cfd, FlushReason::kWriteBufferFull);
  compactions_->Add(cfd);
  background_.MaybeSchedule();
  return names.empty() ? s : WriteOptionsFile();
}

Status DBImpl::SetDBOptions(const OptionInputs& new_options) {
  if (Status s = CheckWritable(); !s.ok()) return s;
  TellInputs(options_.logger, "SetDBOptions()", new_options);
  Status s = WithLogAtRest([&] { return ApplyDBOptions(new_options); });
  TellOutcome(options_.logger, "SetDBOptions()", s);
  if (s.ok()) observatory_->Apply(*mutable_options_.Get());
  if (s.ok()) LimitOpenFiles();
  if (s.ok()) compactions_->StartAgeChecks();
  if (s.ok()) compactions_->CheckAges();
  return s;
}

// Alone, as every change of options and families is: what it decides on and
// what the OPTIONS file says are then of one state.
Status DBImpl::ApplyDBOptions(
    const std::unordered_map<std::string, std::string>& new_options) {
  std::shared_ptr<const MutableDBOptions> before;
  std::vector<std::string> paths;
  {
    MutexLock lock(&mutex_);
    before = mutable_options_.held();
    paths = file_room_->DataPaths();
  }
  DBOptions changed;
  std::vector<std::string> names;
  Status s = ChangeDBOptions(*before, new_options, &changed, &names);
  if (s.ok()) s = ValidateDBOptions(changed);
  if (!s.ok()) return s;
  MutableDBOptions next(SanitizeDBOptions(name_, changed));
  if (s = file_access_.Change(*before, paths, &next); !s.ok()) return s;
  if (next.wal_bytes_per_sync != before->wal_bytes_per_sync ||
      next.strict_bytes_per_sync != before->strict_bytes_per_sync) {
    MutexLock turn(&log_turn_);
    wal_->SetWriteBack(next);
  }
  MutexLock lock(&mutex_);
  INVARIANT(mutable_options_.held() == before);
  mutable_options_.Set(next);
  versions_->SetManifestLimits(ManifestLimits(*mutable_options_));
  const BackgroundLimits limits = ComputeBackgroundLimits(*mutable_options_);
  options_.env->IncBackgroundThreadsIfNeeded(limits.flushes, Env::HIGH);
  options_.env->IncBackgroundThreadsIfNeeded(limits.compactions, Env::LOW);
  stalls_.SetDelayedRate(mutable_options_->delayed_write_rate);
  stalls_.UpdateWorst();
  background_.SetLimits(*mutable_options_);
  attention_.Ask();
  background_.MaybeSchedule();
  return names.empty() ? s : WriteOptionsFile();
}

Options DBImpl::GetOptions(ColumnFamilyHandle* family) const {
  if (!CheckHandle(family).ok()) return Options(GetDBOptions(), {});
  return Options(GetDBOptions(), FamilyOf(family)->CopyOptions());
}

DBOptions DBImpl::GetDBOptions() const { return *mutable_options_.Get(); }

}  // namespace ROCKSDB_NAMESPACE
