#include "db/compaction/partitioning.h"

#include <exception>

#include "db/compaction/compaction_outputs.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status AskForMove(const ImmutableCFOptions& cf, const Compaction& compaction,
                  bool* may_move) {
  INVARIANT(compaction.is_trivial_move);
  INVARIANT(may_move != nullptr);
  bool all_may = true;
  try {
    const auto partitioner = NewPartitioner(cf, compaction);
    for (const CompactionInputLevel& input : compaction.inputs) {
      for (const FileRef& file : input.files) {
        all_may = all_may &&
                  (partitioner == nullptr ||
                   partitioner->CanDoTrivialMove(file->smallest.user_key(),
                                                 file->largest.user_key()));
      }
    }
  } catch (const std::exception& e) {
    return Status::Aborted("sst_partitioner_factory threw", e.what());
  } catch (...) {
    return Status::Aborted("sst_partitioner_factory threw");
  }
  *may_move = all_may;
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
