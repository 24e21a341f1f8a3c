#include "db/intake/option_changes.h"

#include <utility>

#include "db/background/background_scheduler.h"
#include "db/files/file_access_chooser.h"
#include "db/files/file_room.h"
#include "db/files/log_keeper.h"
#include "db/intake/family_changes.h"
#include "db/manifest/manifest_log.h"
#include "db/manifest/version_set.h"
#include "db/registry/current_options.h"
#include "db/write/leader_attention.h"
#include "db/write/stall_control.h"
#include "options/constraints.h"
#include "options/sanitize.h"
#include "rocksdb/env.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

OptionChanges::OptionChanges(Context context) : context_(std::move(context)) {
  INVARIANT(context_.options != nullptr);
  INVARIANT(context_.families != nullptr);
  INVARIANT(context_.logs != nullptr);
}

Status OptionChanges::Choose(
    const MutableDBOptions& before,
    const std::unordered_map<std::string, std::string>& new_options,
    std::unique_ptr<MutableDBOptions>* next, std::vector<std::string>* names) {
  std::vector<std::string> paths;
  {
    MutexLock lock(context_.mutex);
    paths = context_.files->DataPaths();
  }
  DBOptions changed;
  Status s = ChangeDBOptions(BuildDBOptions(*context_.db, before), new_options,
                             &changed, names);
  if (s.ok()) s = ValidateDBOptions(changed);
  if (!s.ok()) return s;
  *next = std::make_unique<MutableDBOptions>(
      SanitizeDBOptions(context_.db_name, changed));
  return context_.access->Change(before, paths, next->get());
}

// Alone, as every change of options and families is: what it decides on and
// what the OPTIONS file says are then of one state.
Status OptionChanges::Apply(
    const std::unordered_map<std::string, std::string>& new_options) {
  const auto before = context_.options->Get();
  std::unique_ptr<MutableDBOptions> next;
  std::vector<std::string> names;
  Status s = Choose(*before, new_options, &next, &names);
  if (!s.ok()) return s;
  if (next->wal_bytes_per_sync != before->wal_bytes_per_sync ||
      next->strict_bytes_per_sync != before->strict_bytes_per_sync) {
    context_.logs->SetWriteBack(*next);
  }
  MutexLock lock(context_.mutex);
  INVARIANT(context_.options->held() == before);
  PutInForce(*next);
  return names.empty() ? s : context_.families->WriteOptionsFile();
}

void OptionChanges::PutInForce(const MutableDBOptions& next) {
  context_.options->Set(next);
  context_.versions->manifest()->SetLimits(ManifestLimits(next));
  const BackgroundLimits limits = ComputeBackgroundLimits(next);
  Env* const env = context_.db->env;
  env->IncBackgroundThreadsIfNeeded(limits.flushes, Env::HIGH);
  env->IncBackgroundThreadsIfNeeded(limits.compactions, Env::LOW);
  context_.stalls->SetDelayedRate(next.delayed_write_rate);
  context_.stalls->UpdateWorst();
  context_.scheduler->SetLimits(next);
  context_.attention->Ask();
  context_.scheduler->MaybeSchedule();
}

}  // namespace ROCKSDB_NAMESPACE
