#include "db/compaction/partitioning.h"

#include <exception>
#include <string>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

std::unique_ptr<SstPartitioner> NewPartitioner(const ImmutableCFOptions& cf,
                                               const Compaction& compaction) {
  const SstPartitionerFactory* factory = cf.sst_partitioner_factory.get();
  if (factory == nullptr || compaction.output_level == 0) return nullptr;
  INVARIANT(!compaction.inputs.empty());
  std::string smallest, largest;
  compaction.KeyRange(&smallest, &largest);
  SstPartitioner::Context context;
  context.is_full_compaction = compaction.InputFileCount() ==
                               compaction.version->storage().FileCount();
  context.is_manual_compaction = compaction.is_manual;
  context.output_level = compaction.output_level;
  context.smallest_user_key = smallest;
  context.largest_user_key = largest;
  return factory->CreatePartitioner(context);
}

Status AskForMove(const ImmutableCFOptions& cf, const Compaction& compaction,
                  bool* may_move) {
  INVARIANT(compaction.is_trivial_move);
  INVARIANT(may_move != nullptr);
  bool all_may = true;
  try {
    const auto partitioner = NewPartitioner(cf, compaction);
    for (const CompactionInputLevel& input : compaction.inputs) {
      for (const FileRef& file : input.files) {
        all_may =
            all_may && (partitioner == nullptr ||
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
