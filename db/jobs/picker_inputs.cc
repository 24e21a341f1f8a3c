#include "db/jobs/picker_inputs.h"

#include "db/registry/current_options.h"
#include "db/registry/family_entry.h"
#include "db/registry/sequence_ages.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

CompactionPicker::Input PickerInputs::Make(const FamilyEntry& family) const {
  INVARIANT(family.cfd != nullptr);
  mutex_->AssertHeld();
  CompactionPicker::Input input;
  input.version = family.cfd->current();
  input.family_name = family.cfd->name();
  input.cf = &family.cfd->ioptions();
  input.options = family.cfd->options();
  input.max_subcompactions = (*options_)->max_subcompactions;
  input.cursors = family.cfd->compaction_cursors();
  const AgeLimits limits = ages_->LimitsOf(*family.cfd, *input.options);
  input.last_level_up_to = limits.last_level;
  input.zeroes_up_to = limits.zeroed;
  return input;
}

}  // namespace ROCKSDB_NAMESPACE
