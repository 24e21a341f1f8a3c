// ManagedDB: options that change at run time.
#include "db/files/open_tables.h"
#include "db/impl/job_parts.h"
#include "db/impl/managed_db.h"
#include "db/intake/changes.h"
#include "db/intake/family_changes.h"
#include "db/intake/option_changes.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/compaction_queue.h"
#include "db/observe/observatory.h"
#include "db/registry/family_handle.h"
#include "rocksdb/info_log.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using OptionInputs = std::unordered_map<std::string, std::string>;

// Logs what `call` was asked to set, in the words of RocksDB's log: operators
// look for them.
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

Status ManagedDB::SetOptions(ColumnFamilyHandle* handle,
                             const OptionInputs& new_options) {
  const std::unordered_map<ColumnFamilyHandle*, OptionInputs> one{
      {handle, new_options}};
  return SetOptions(one);
}

Status ManagedDB::SetOptions(
    const std::unordered_map<ColumnFamilyHandle*, OptionInputs>&
        options_of_families) {
  if (options_of_families.empty()) {
    return Status::InvalidArgument("no column family was given");
  }
  // In one order, also for LOG.
  std::map<uint32_t, FamilyChanges::Inputs> by_id;
  for (const auto& [handle, new_options] : options_of_families) {
    if (Status s = CheckHandle(handle); !s.ok()) return s;
    ColumnFamilyData* const cfd = FamilyOf(handle);
    if (!by_id.insert({cfd->id(), {cfd, &new_options}}).second) {
      return Status::InvalidArgument("a column family was given twice",
                                     cfd->name());
    }
  }
  if (Status s = CheckOpen(); !s.ok()) return s;
  std::vector<FamilyChanges::Inputs> inputs;
  for (const auto& [id, input] : by_id) {
    const std::string call =
        "SetOptions() on column family [" + input.cfd->name() + "]";
    TellInputs(base_.options.logger, call.c_str(), *input.options);
    inputs.push_back(input);
  }
  const Status s = on_demand_->families()->SetOptions(inputs);
  for (const FamilyChanges::Inputs& input : inputs) {
    const std::string call = "[" + input.cfd->name() + "] SetOptions()";
    TellOutcome(base_.options.logger, call, s);
  }
  return s;
}

Status ManagedDB::SetDBOptions(const OptionInputs& new_options) {
  if (Status s = CheckOpen(); !s.ok()) return s;
  TellInputs(base_.options.logger, "SetDBOptions()", new_options);
  Status s = lines_.wal_lock()->WithLogAtRest(
      [&] { return on_demand_->options()->Apply(new_options); });
  TellOutcome(base_.options.logger, "SetDBOptions()", s);
  if (s.ok()) observatory_->Apply(*base_.current.Get());
  if (s.ok()) files_->open_tables()->Apply(*base_.current.Get());
  if (s.ok()) jobs_->queue()->StartAgeChecks();
  if (s.ok()) jobs_->queue()->CheckAges();
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
