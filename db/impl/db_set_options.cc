// DBImpl: options that change at run time.
#include <optional>

#include "db/background/background_scheduler.h"
#include "db/family/family_handle.h"
#include "db/family/sequence_ages.h"
#include "db/files/file_access_chooser.h"
#include "db/files/file_room.h"
#include "db/files/log_keeper.h"
#include "db/impl/db_impl.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/flush_desk.h"
#include "db/observe/observatory.h"
#include "db/version/version_set.h"
#include "db/wal/wal_manager.h"
#include "db/write/family_publisher.h"
#include "db/write/stall_control.h"
#include "options/constraints.h"
#include "options/sanitize.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

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
  const Status s = wal_lock_->WithLogAtRest(
      [&] { return ApplyFamilyOptions(cfd, new_options); });
  TellOutcome(options_.logger, "[" + name + "] SetOptions()", s);
  ages_->Restart();
  publisher_->FreeAndTell();
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
  publisher_->Publish(cfd);
  flushes_->QueueRetained(cfd, FlushReason::kWriteBufferFull);
  compactions_->Add(cfd);
  background_->MaybeSchedule();
  return names.empty() ? s : WriteOptionsFile();
}

Status DBImpl::SetDBOptions(const OptionInputs& new_options) {
  if (Status s = CheckWritable(); !s.ok()) return s;
  TellInputs(options_.logger, "SetDBOptions()", new_options);
  Status s =
      wal_lock_->WithLogAtRest([&] { return ApplyDBOptions(new_options); });
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
  if (s = file_access_->Change(*before, paths, &next); !s.ok()) return s;
  if (next.wal_bytes_per_sync != before->wal_bytes_per_sync ||
      next.strict_bytes_per_sync != before->strict_bytes_per_sync) {
    logs_->SetWriteBack(next);
  }
  MutexLock lock(&mutex_);
  INVARIANT(mutable_options_.held() == before);
  mutable_options_.Set(next);
  versions_->SetManifestLimits(ManifestLimits(*mutable_options_));
  const BackgroundLimits limits = ComputeBackgroundLimits(*mutable_options_);
  options_.env->IncBackgroundThreadsIfNeeded(limits.flushes, Env::HIGH);
  options_.env->IncBackgroundThreadsIfNeeded(limits.compactions, Env::LOW);
  stalls_->SetDelayedRate(mutable_options_->delayed_write_rate);
  stalls_->UpdateWorst();
  background_->SetLimits(*mutable_options_);
  attention_.Ask();
  background_->MaybeSchedule();
  return names.empty() ? s : WriteOptionsFile();
}

Options DBImpl::GetOptions(ColumnFamilyHandle* family) const {
  if (!CheckHandle(family).ok()) return Options(GetDBOptions(), {});
  return Options(GetDBOptions(), FamilyOf(family)->CopyOptions());
}

DBOptions DBImpl::GetDBOptions() const { return *mutable_options_.Get(); }

}  // namespace ROCKSDB_NAMESPACE
