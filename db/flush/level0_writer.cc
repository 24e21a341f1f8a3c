#include "db/flush/level0_writer.h"

#include <algorithm>
#include <exception>
#include <string>

#include "db/read/compaction_iterator.h"
#include "db/read/tombstone_survivors.h"
#include "db/version/table_output.h"
#include "util/invariant.h"
#include "util/key/merging_iterator.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What the memtables hold, as one stream.
struct Input {
  std::unique_ptr<InternalIterator> entries;
  std::shared_ptr<const FragmentedTombstones> tombstones;
  uint64_t point_count = 0;
  uint64_t bytes = 0;
};

Input Gather(const Level0Request& request, const InternalKeyComparator* order) {
  INVARIANT(order != nullptr);
  Input input;
  std::vector<std::unique_ptr<InternalIterator>> children;
  // They own the bytes that `pieces` point to.
  std::vector<std::shared_ptr<const FragmentedTombstones>> sources;
  std::vector<RangeTombstone> pieces;
  for (const MemTable* memtable : request.memtables) {
    children.push_back(memtable->NewIterator());
    INVARIANT(memtable->entry_count() >= memtable->range_deletion_count());
    input.point_count +=
        memtable->entry_count() - memtable->range_deletion_count();
    input.bytes += memtable->data_bytes();
    if (!memtable->HasRangeTombstones()) continue;
    sources.push_back(memtable->RangeTombstones());
    const FragmentedTombstones& fragments = *sources.back();
    for (size_t i = 0; i < fragments.size(); ++i) {
      const FragmentedTombstones::Fragment fragment = fragments.at(i);
      for (SequenceNumber sequence : fragment.sequences) {
        pieces.push_back({fragment.begin, fragment.end, sequence});
      }
    }
  }
  input.entries = NewMergingIterator(order, std::move(children));
  if (!pieces.empty()) {
    input.tombstones =
        FragmentedTombstones::Build(pieces, order->user_comparator());
  }
  return input;
}

// A filter that the application wants for flushes; most want none.
Status MakeFilter(const Level0Request& request,
                  std::unique_ptr<CompactionFilter>* filter) {
  CompactionFilterFactory* factory =
      request.job->cfd->ioptions().compaction_filter_factory.get();
  if (factory == nullptr ||
      !factory->ShouldFilterTableFileCreation(request.reason)) {
    return Status::OK();
  }
  CompactionFilter::Context context;
  context.column_family_id = request.job->cfd->id();
  context.reason = request.reason;
  try {
    *filter = factory->CreateCompactionFilter(context);
  } catch (const std::exception& e) {
    return Status::Aborted(std::string(factory->Name()) + " threw", e.what());
  } catch (...) {
    return Status::Aborted(factory->Name(), "threw");
  }
  return Status::OK();
}

TableOutputRequest OutputRequest(const Level0Request& request,
                                 const Input& input) {
  TableOutputRequest output;
  output.job = request.job;
  output.options = request.options;
  output.reason = request.reason;
  output.compression = request.options->CompressionForLevel(
      0, request.base_level, /*is_bottommost=*/false);
  output.compression_options =
      request.options->CompressionOptionsForLevel(/*is_bottommost=*/false);
  output.epoch_number = request.epoch_number;
  output.oldest_ancestor_time = NowSeconds(*request.job);
  // Recovery does not know when the data came (db-format.md 4.3).
  const bool is_recovery = request.reason == TableFileCreationReason::kRecovery;
  output.file_creation_time =
      is_recovery ? kUnknownTime : output.oldest_ancestor_time;
  output.expected_bytes =
      std::min<uint64_t>(input.bytes, request.options->write_buffer_size);
  output.io_priority = Env::IO_HIGH;
  output.io_class = IoClass::kFlush;
  return output;
}

// Opens *output at the first thing that is to be written.
Status Copy(const TableOutputRequest& request, const Input& input,
            const SnapshotStripes& stripes, CompactionIterator* entries,
            std::unique_ptr<TableOutput>* output) {
  INVARIANT(entries != nullptr);
  Status s;
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    if (*output == nullptr) {
      if (s = TableOutput::Open(request, output); !s.ok()) return s;
    }
    (*output)->Add(entries->key(), entries->value());
  }
  if (!entries->status().ok()) return entries->status();
  if (input.tombstones == nullptr) return s;
  std::vector<RangeTombstone> survivors;
  AppendSurvivors(*input.tombstones, TombstoneRange(), stripes,
                  /*older=*/nullptr, &survivors);
  if (*output == nullptr && !survivors.empty()) {
    if (s = TableOutput::Open(request, output); !s.ok()) return s;
  }
  for (const RangeTombstone& t : survivors) (*output)->AddTombstone(t);
  return s;
}

}  // namespace

Status WriteLevel0(const Level0Request& request, Level0Result* result) {
  INVARIANT(request.job != nullptr && request.options != nullptr);
  INVARIANT(result != nullptr && !request.memtables.empty());
  INVARIANT(request.epoch_number != kUnknownEpoch);
  const JobContext& job = *request.job;
  const ImmutableCFOptions& cf = job.cfd->ioptions();
  const Input input = Gather(request, &job.cfd->order());
  const SnapshotStripes stripes(job.snapshots.sequences);
  std::unique_ptr<CompactionFilter> filter;
  if (Status s = MakeFilter(request, &filter); !s.ok()) return s;

  CompactionIteratorRequest reads;
  reads.input = input.entries.get();
  reads.order = &job.cfd->order();
  reads.stripes = &stripes;
  reads.tombstones = input.tombstones;
  reads.merge = {cf.merge_operator.get(), job.db->logger, job.db->stats,
                 job.db->clock};
  reads.filter = filter.get();
  reads.enforce_single_delete_contracts = job.db->enforce_single_del_contracts;
  CompactionIterator entries(std::move(reads));
  std::unique_ptr<TableOutput> output;
  Status s =
      Copy(OutputRequest(request, input), input, stripes, &entries, &output);
  const CompactionIteratorStats& stats = entries.stats();
  if (s.ok() && job.db->flush_verify_memtable_count && !stats.has_skipped &&
      stats.records_in != input.point_count) {
    s = Status::Corruption(
        "flush of column family " + job.cfd->name(),
        "read " + std::to_string(stats.records_in) + " entries, " +
            std::to_string(input.point_count) + " were added");
  }
  if (!s.ok()) return s;
  Level0Result made;
  made.memtable_bytes = input.bytes;
  if (output != nullptr) {
    made.payload_bytes = output->payload_bytes();
    if (s = output->Finish(); !s.ok()) return s;
    made.file = output->file();
    made.properties = output->properties();
    // The manifest may name the file only once a crash cannot take it away.
    s = SyncOutputDirectory(job, /*path_id=*/0);
    if (!s.ok()) {
      TableOutput::Discard(job, *made.file);
      return s;
    }
  }
  *result = std::move(made);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
