// DBImpl: options that change at run time.
#include "db/family/family_handle.h"
#include "db/impl/db_impl.h"
#include "db/intake/changes.h"
#include "db/intake/family_changes.h"
#include "db/intake/option_changes.h"
#include "db/intake/wal_lock.h"
#include "db/jobs/compaction_queue.h"
#include "db/observe/observatory.h"
#include "rocksdb/info_log.h"

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
  const Status s = on_demand_->families()->SetOptions(cfd, new_options);
  TellOutcome(options_.logger, "[" + name + "] SetOptions()", s);
  return s;
}

Status DBImpl::SetDBOptions(const OptionInputs& new_options) {
  if (Status s = CheckWritable(); !s.ok()) return s;
  TellInputs(options_.logger, "SetDBOptions()", new_options);
  Status s = wal_lock_->WithLogAtRest(
      [&] { return on_demand_->options()->Apply(new_options); });
  TellOutcome(options_.logger, "SetDBOptions()", s);
  if (s.ok()) observatory_->Apply(*mutable_options_.Get());
  if (s.ok()) LimitOpenFiles();
  if (s.ok()) compactions_->StartAgeChecks();
  if (s.ok()) compactions_->CheckAges();
  return s;
}

Options DBImpl::GetOptions(ColumnFamilyHandle* family) const {
  if (!CheckHandle(family).ok()) return Options(GetDBOptions(), {});
  return Options(GetDBOptions(), FamilyOf(family)->CopyOptions());
}

DBOptions DBImpl::GetDBOptions() const { return *mutable_options_.Get(); }

}  // namespace ROCKSDB_NAMESPACE
