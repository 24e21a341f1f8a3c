#include "db/intake/family_changes.h"

#include <memory>
#include <utility>
#include <vector>

#include "db/background/background_scheduler.h"
#include "db/background/job_errors.h"
#include "db/files/file_access_chooser.h"
#include "db/files/log_keeper.h"
#include "db/files/options_files.h"
#include "db/intake/family_attacher.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/flush_desk.h"
#include "db/manifest/version_set.h"
#include "db/registry/change_signal.h"
#include "db/registry/current_options.h"
#include "db/registry/family_registry.h"
#include "db/registry/sequence_ages.h"
#include "db/version/version_edit.h"
#include "db/wal/wal_manager.h"
#include "db/write/exclusive.h"
#include "db/write/family_publisher.h"
#include "db/write/leader_attention.h"
#include "memtable/memtable.h"
#include "options/constraints.h"
#include "options/sanitize.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

FamilyChanges::FamilyChanges(const Context& context) : context_(context) {
  INVARIANT(context_.attacher != nullptr);
  INVARIANT(context_.options_files != nullptr);
}

Status FamilyChanges::CheckPaths(const ColumnFamilyOptions& options) const {
  if (options.cf_paths.empty()) return Status::OK();
  std::vector<std::string> paths;
  for (const DbPath& path : options.cf_paths) paths.push_back(path.path);
  return context_.access->Check(*context_.options->Get(), paths);
}

Status FamilyChanges::Add(const ColumnFamilyOptions& options,
                          const std::string& name, ColumnFamilyRef* result) {
  INVARIANT(result != nullptr);
  if (name.empty()) {
    return Status::InvalidArgument(
        "Column family name cannot be the empty string");
  }
  Status s = ValidateColumnFamilyOptions(
      BuildDBOptions(*context_.db, *context_.options->Get()), options);
  if (!s.ok()) return s;
  const ColumnFamilyOptions sanitized =
      SanitizeColumnFamilyOptions(*context_.db, options);
  const Exclusive exclusive(context_.writes);
  if (s = CheckPaths(options); !s.ok()) return s;
  // Before the manifest names it: nobody could use it without them, nor drop
  // it.
  FamilyAttacher::Directories directories;
  s = context_.attacher->OpenDirectories(sanitized, &directories);
  if (!s.ok()) return s;
  MutexLock lock(context_.mutex);
  s = context_.wal_lock->Await(context_.writes, /*may_wait=*/true);
  if (!s.ok()) return s;
  const WalManager& wal = *context_.logs->wal();
  ColumnFamilyData* cfd = nullptr;
  s = context_.versions->CreateFamily(name, sanitized, wal.current_number(),
                                      context_.directory, &cfd);
  if (!s.ok()) {
    context_.errors->OnManifestError(s);
    return s;
  }
  context_.attacher->Attach(cfd->shared_from_this(), std::move(directories));
  INVARIANT(cfd->id() != 0);
  INVARIANT(context_.families->Has(cfd->id()));
  cfd->mem()->set_log_number(wal.current_number());
  context_.attention->Ask();
  *result = cfd->shared_from_this();
  return s;
}

Status FamilyChanges::Remove(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  if (cfd->id() == 0) {
    return Status::InvalidArgument("Can't drop default column family");
  }
  const Exclusive exclusive(context_.writes);
  MutexLock lock(context_.mutex);
  Status s = context_.wal_lock->Await(context_.writes, /*may_wait=*/true);
  if (!s.ok()) return s;
  if (cfd->is_dropped()) {
    return Status::InvalidArgument("Column family already dropped!\n");
  }
  s = context_.versions->DropFamily(cfd, context_.directory);
  if (!s.ok()) {
    context_.errors->OnManifestError(s);
    return s;
  }
  INVARIANT(cfd->is_dropped());
  context_.families->Remove(cfd->id());
  context_.publisher->NoteRemoved();
  context_.changes->Note();
  return s;
}

Status FamilyChanges::Note() {
  const Status s = context_.wal_lock->WithLogAtRest([&] {
    MutexLock lock(context_.mutex);
    context_.ages->Set();
    return WriteOptionsFile();
  });
  context_.ages->Restart();
  return s;
}

Status FamilyChanges::WriteOptionsFile() {
  context_.mutex->AssertHeld();
  return context_.options_files->Write(**context_.options,
                                       context_.scheduler->is_open()
                                           ? OptionsFiles::Old::kRemoved
                                           : OptionsFiles::Old::kKept);
}

Status FamilyChanges::SetOptions(const std::vector<Inputs>& inputs) {
  const Status s =
      context_.wal_lock->WithLogAtRest([&] { return Apply(inputs); });
  context_.ages->Restart();
  context_.publisher->FreeAndTell();
  return s;
}

// Alone, as every change of options and families is: what it decides on and
// what the OPTIONS file says are then of one state. Nothing changes before all
// are found to be good.
Status FamilyChanges::Apply(const std::vector<Inputs>& inputs) {
  MutexLock lock(context_.mutex);
  const DBOptions now = BuildDBOptions(*context_.db, **context_.options);
  std::vector<std::shared_ptr<const MutableCFOptions>> changes;
  bool is_changed = false;
  for (const auto& [cfd, new_options] : inputs) {
    if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
    ColumnFamilyOptions changed;
    std::vector<std::string> names;
    Status s = ChangeColumnFamilyOptions(
        BuildColumnFamilyOptions(cfd->ioptions(), *cfd->options()),
        *new_options, &changed, &names);
    if (s.ok()) s = ValidateColumnFamilyOptions(now, changed);
    if (!s.ok()) return s;
    is_changed = is_changed || !names.empty();
    changes.push_back(std::make_shared<const MutableCFOptions>(
        SanitizeColumnFamilyOptions(*context_.db, changed)));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    ColumnFamilyData* const cfd = inputs[i].cfd;
    cfd->SetOptions(changes[i]);
    context_.ages->Set();
    context_.compactions->Score(cfd);
    context_.publisher->Publish(cfd);
    context_.flushes->QueueRetained(cfd, FlushReason::kWriteBufferFull);
    context_.compactions->Add(cfd);
  }
  context_.scheduler->MaybeSchedule();
  return is_changed ? WriteOptionsFile() : Status::OK();
}

Status FamilyChanges::RaiseHistory(ColumnFamilyData* cfd, const Slice& ts_low) {
  INVARIANT(cfd != nullptr);
  const Comparator& order = *cfd->user_comparator();
  if (order.timestamp_size() == 0) {
    return Status::InvalidArgument(
        "Timestamp is not enabled in this column family", cfd->name());
  }
  if (ts_low.size() != order.timestamp_size()) {
    return Status::InvalidArgument(
        "ts_low size mismatch",
        "it has " + std::to_string(ts_low.size()) +
            " bytes, the timestamps of the column family have " +
            std::to_string(order.timestamp_size()));
  }
  // One at a time: the last one in the manifest is the one that counts.
  MutexLock one(&history_mutex_);
  MutexLock lock(context_.mutex);
  if (cfd->is_dropped()) return Status::ColumnFamilyDropped(cfd->name());
  const std::string& now = cfd->full_history_ts_low();
  if (!now.empty()) {
    const int above = order.CompareTimestamp(ts_low, now);
    if (above == 0) return Status::OK();
    if (above < 0) {
      return Status::InvalidArgument(
          "Current full_history_ts_low: " + order.TimestampToString(now) +
          " is higher than provided ts: " + order.TimestampToString(ts_low));
    }
  }
  VersionEdit edit;
  edit.full_history_ts_low = ts_low.ToString();
  Status s = context_.versions->LogAndApply({{cfd, &edit}}, context_.directory);
  if (!s.ok()) {
    context_.errors->OnManifestError(s);
    return s;
  }
  context_.publisher->Publish(cfd);
  context_.flushes->QueueRetained(cfd, FlushReason::kWriteBufferFull);
  context_.scheduler->MaybeSchedule();
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
