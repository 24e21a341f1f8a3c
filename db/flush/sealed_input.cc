#include "db/flush/sealed_input.h"

#include <string>
#include <utility>

#include "db/family/column_family.h"
#include "db/semantics/tombstone_survivors.h"
#include "memtable/memtable.h"
#include "util/invariant.h"
#include "util/key/merging_iterator.h"

namespace ROCKSDB_NAMESPACE {

SealedInput GatherSealed(const ColumnFamilyData& cfd,
                         const SealedMemTables& memtables) {
  const InternalKeyComparator* const order = &cfd.order();
  const bool leaves_out = cfd.ioptions().left_out_timestamp_bytes() != 0;
  SealedInput input;
  std::vector<std::unique_ptr<InternalIterator>> children;
  // They own the bytes that `pieces` point to.
  std::vector<std::shared_ptr<const FragmentedTombstones>> sources;
  std::vector<RangeTombstone> pieces;
  for (const MemTable* memtable : memtables) {
    children.push_back(memtable->NewIterator());
    INVARIANT(memtable->entry_count() >= memtable->counts().range_deletes());
    input.point_count +=
        memtable->entry_count() - memtable->counts().range_deletes();
    input.bytes += memtable->counts().data_bytes();
    if (!memtable->tombstones().IsAny()) continue;
    sources.push_back(memtable->tombstones().All());
    const FragmentedTombstones& fragments = *sources.back();
    for (size_t i = 0; i < fragments.size(); ++i) {
      const FragmentedTombstones::Fragment fragment = fragments.at(i);
      for (size_t n = 0; n < fragment.sequences.size(); ++n) {
        pieces.push_back(fragment.tombstone(n));
        if (leaves_out) {
          pieces.back().timestamp = MinU64Ts();
        }
      }
    }
  }
  input.entries = NewMergingIterator(order, std::move(children));
  if (leaves_out) {
    auto minimal =
        std::make_unique<MinimalTimestamps>(order, std::move(input.entries));
    input.minimal = minimal.get();
    input.entries = std::move(minimal);
  }
  if (!pieces.empty()) {
    input.tombstones =
        FragmentedTombstones::Build(pieces, order->user_comparator());
  }
  return input;
}

Status VerifyTombstones(const SealedMemTables& memtables) {
  for (const MemTable* memtable : memtables) {
    Status s = memtable->tombstones().Verify();
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status MakeFlushFilter(const ColumnFamilyData& cfd,
                       TableFileCreationReason reason,
                       std::unique_ptr<CompactionFilter>* filter) {
  CompactionFilterFactory* factory =
      cfd.ioptions().compaction_filter_factory.get();
  if (factory == nullptr) return Status::OK();
  CompactionFilter::Context context;
  context.column_family_id = cfd.id();
  context.reason = reason;
  try {
    if (!factory->ShouldFilterTableFileCreation(reason)) {
      return Status::OK();
    }
    *filter = factory->CreateCompactionFilter(context);
  } catch (const std::exception& e) {
    return Status::Aborted(std::string(factory->Name()) + " threw", e.what());
  } catch (...) {
    return Status::Aborted(factory->Name(), "threw");
  }
  return Status::OK();
}

CompactionIteratorRequest SurvivorsOf(const JobContext& job,
                                      const SealedInput& input,
                                      const SnapshotStripes& stripes,
                                      const CompactionFilter* filter) {
  const ImmutableCFOptions& cf = job.cfd->ioptions();
  CompactionIteratorRequest reads;
  reads.order = &job.cfd->order();
  reads.input.stream = input.entries.get();
  reads.rules.stripes = &stripes;
  reads.tombstones = input.tombstones;
  reads.merge = {cf.merge_operator.get(), job.db->logger, job.db->stats,
                 job.db->clock};
  reads.filter = filter;
  reads.rules.full_history_ts_low = job.full_history_ts_low;
  reads.timed_values = {TimedValues::Suffix::kWritten, job.sequence_times.get(),
                        job.old_by_seconds};
  reads.enforce_single_delete_contracts = job.db->enforce_single_del_contracts;
  reads.input.key_text = KeyTextOf(job.db->allow_data_in_errors);
  return reads;
}

std::vector<RangeTombstone> SurvivingTombstones(
    const JobContext& job, const SealedInput& input,
    const SnapshotStripes& stripes) {
  std::vector<RangeTombstone> survivors;
  if (input.tombstones == nullptr) return survivors;
  TombstoneRange range;
  range.full_history_ts_low = job.full_history_ts_low;
  AppendSurvivors(*input.tombstones, range, stripes, /*older=*/nullptr,
                  &survivors);
  return survivors;
}

Status CheckReadCount(const JobContext& job, const SealedInput& input,
                      const CompactionIteratorStats& stats) {
  const uint64_t read_count =
      stats.records_in +
      (input.minimal != nullptr ? input.minimal->hidden_count() : 0);
  if (!job.db->flush_verify_memtable_count || stats.has_skipped ||
      read_count == input.point_count) {
    return Status::OK();
  }
  return Status::Corruption(
      "flush of column family " + job.cfd->name(),
      "read " + std::to_string(read_count) + " entries, " +
          std::to_string(input.point_count) + " were added");
}

}  // namespace ROCKSDB_NAMESPACE
