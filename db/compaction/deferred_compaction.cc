#include "db/compaction/deferred_compaction.h"

#include <utility>

#include "db/compaction/compaction_picker.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void MarkOldestRun(const Compaction& compaction, bool is_held) {
  const CompactionInputLevel* oldest = nullptr;
  for (const CompactionInputLevel& input : compaction.inputs) {
    if (!input.files.empty()) oldest = &input;
  }
  INVARIANT(oldest != nullptr);
  // Each file of level 0 is a run, the newest first.
  const size_t begin = oldest->level == 0 ? oldest->files.size() - 1 : 0;
  for (size_t i = begin; i < oldest->files.size(); ++i) {
    INVARIANT(oldest->files[i]->being_compacted != is_held);
    oldest->files[i]->being_compacted = is_held;
  }
}

}  // namespace

DeferredCompaction::DeferredCompaction(CompactionPicker* picker,
                                       std::unique_ptr<Compaction> compaction,
                                       Hold hold)
    : picker_(picker), compaction_(std::move(compaction)), hold_(hold) {
  INVARIANT(picker_ != nullptr);
  INVARIANT(compaction_ != nullptr);
  HoldInputs(true);
}

DeferredCompaction::~DeferredCompaction() { INVARIANT(compaction_ == nullptr); }

void DeferredCompaction::HoldInputs(bool is_held) const {
  if (hold_ == Hold::kOldestRun) {
    MarkOldestRun(*compaction_, is_held);
    return;
  }
  compaction_->MarkInputs(is_held);
  if (is_held) {
    picker_->Register(compaction_.get());
  } else {
    picker_->Unregister(compaction_.get());
  }
}

std::unique_ptr<Compaction> DeferredCompaction::Take() {
  INVARIANT(compaction_ != nullptr);
  HoldInputs(false);
  if (hold_ == Hold::kOldestRun) compaction_.reset();
  return std::move(compaction_);
}

}  // namespace ROCKSDB_NAMESPACE
