#include "tools/ldb/at_rest_command.h"

#include <string>

#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE {

ColumnFamilyOptions* AtRestCommand::FamilyOptions() {
  for (ColumnFamilyDescriptor& family : column_families_) {
    if (family.name == column_family_name_) return &family.options;
  }
  return &options_;
}

void AtRestCommand::PrepareOptions() {
  Command::PrepareOptions();
  if (exec_state_.IsFailed()) return;
  ColumnFamilyOptions* const options = FamilyOptions();
  own_ = *options;
  options->disable_auto_compactions = true;
  Adapt(options);
}

void AtRestCommand::DoCommand() {
  if (db_ == nullptr) return;
  Work();
  GiveBack();
}

void AtRestCommand::GiveBack() {
  // What the own values would have compacted waits for another session.
  Status s = db_->PauseBackgroundWork();
  if (s.ok()) {
    s = db_->SetOptions(
        GetCfHandle(),
        {{"disable_auto_compactions",
          own_.disable_auto_compactions ? "true" : "false"},
         {"target_file_size_base", std::to_string(own_.target_file_size_base)},
         {"target_file_size_multiplier",
          std::to_string(own_.target_file_size_multiplier)},
         {"max_compaction_bytes", std::to_string(own_.max_compaction_bytes)}});
  }
  // An instance that changes no file has left none of them.
  if (s.ok() || s.IsNotSupported() || exec_state_.IsFailed()) return;
  Fail("The options of the family could not be given back", s);
}

}  // namespace ROCKSDB_NAMESPACE
