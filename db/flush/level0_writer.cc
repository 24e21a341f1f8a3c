#include "db/flush/level0_writer.h"

#include <algorithm>
#include <exception>
#include <new>
#include <string>

#include "db/blob/blob_flow.h"
#include "db/flush/minimal_timestamps.h"
#include "db/read/compaction_iterator.h"
#include "db/read/tombstone_survivors.h"
#include "db/read/value_separator.h"
#include "db/version/column_family.h"
#include "db/version/table_output.h"
#include "memtable/memtable.h"
#include "options/compaction_styles.h"
#include "util/invariant.h"
#include "util/key/merging_iterator.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What the memtables hold, as one stream.
struct Input {
  std::unique_ptr<InternalIterator> entries;
  // Where files leave out timestamps: the same as `entries`. Else null.
  const MinimalTimestamps* minimal = nullptr;
  std::shared_ptr<const FragmentedTombstones> tombstones;
  uint64_t point_count = 0;
  uint64_t bytes = 0;
};

Input Gather(const Level0Request& request) {
  const ColumnFamilyData& cfd = *request.job->cfd;
  const InternalKeyComparator* const order = &cfd.order();
  const bool leaves_out = cfd.ioptions().left_out_timestamp_bytes() != 0;
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

// Points are verified on the way.
Status VerifyTombstones(const Level0Request& request) {
  for (const MemTable* memtable : request.memtables) {
    Status s = memtable->VerifyRangeTombstones();
    if (!s.ok()) return s;
  }
  return Status::OK();
}

// A filter that the application wants for flushes; most want none.
Status MakeFilter(const Level0Request& request,
                  std::unique_ptr<CompactionFilter>* filter) {
  CompactionFilterFactory* factory =
      request.job->cfd->ioptions().compaction_filter_factory.get();
  if (factory == nullptr) return Status::OK();
  CompactionFilter::Context context;
  context.column_family_id = request.job->cfd->id();
  context.reason = request.reason;
  try {
    if (!factory->ShouldFilterTableFileCreation(request.reason)) {
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

// What the application's parts throw, filters and merge operators apart, which
// are asked elsewhere.
template <class Work>
Status WithoutExceptions(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Status::MemoryLimit("flush");
  } catch (const std::exception& e) {
    return Status::Aborted("flush threw", e.what());
  } catch (...) {
    return Status::Aborted("flush threw");
  }
}

// Where runs are merged, compression_size_percent leaves the choice to the
// compactions that follow.
CompressionType FlushCodec(CompactionStyle style,
                           const MutableCFOptions& options, int base_level) {
  const bool is_open =
      TraitsOf(style).merges_runs &&
      options.compaction_options_universal.compression_size_percent >= 0;
  return is_open ? kNoCompression
                 : options.CompressionForLevel(0, base_level,
                                               /*is_bottommost=*/false);
}

// When the first of their entries came; 0: nobody knows.
uint64_t OldestKeySeconds(const std::vector<const MemTable*>& memtables) {
  uint64_t oldest = 0;
  for (const MemTable* memtable : memtables) {
    const uint64_t seconds = memtable->oldest_key_seconds();
    if (oldest == 0 || (seconds != 0 && seconds < oldest)) oldest = seconds;
  }
  return oldest;
}

TableOutputRequest OutputRequest(const Level0Request& request,
                                 const Input& input) {
  TableOutputRequest output;
  output.job = request.job;
  output.options = request.options;
  output.reason = request.reason;
  output.compression = FlushCodec(request.job->cfd->ioptions().compaction_style,
                                  *request.options, request.base_level);
  output.compression_options =
      request.options->CompressionOptionsForLevel(/*is_bottommost=*/false);
  output.file_number = request.file_number;
  output.epoch_number = request.epoch_number;
  output.temperature = request.options->default_write_temperature;
  output.lifetime =
      LifetimeOfTables(*request.job, output.level, request.base_level);
  output.oldest_ancestor_time = NowSeconds(*request.job);
  // Recovery does not know when the data came (db-format.md 4.3).
  if (request.reason != TableFileCreationReason::kRecovery) {
    output.file_creation_time = output.oldest_ancestor_time;
    output.oldest_key_time = OldestKeySeconds(request.memtables);
    if (output.oldest_key_time != 0) {
      output.oldest_ancestor_time =
          std::min(output.oldest_ancestor_time, output.oldest_key_time);
    }
  }
  output.expected_bytes =
      std::min<uint64_t>(input.bytes, request.options->write_buffer_size);
  output.io_priority = Env::IO_HIGH;
  output.io_class = IoClass::kFlush;
  return output;
}

// What a flush writes.
struct Output {
  explicit Output(size_t left_out_timestamp_bytes)
      : blob_flow(left_out_timestamp_bytes) {}

  BlobFlow blob_flow;
  std::unique_ptr<ValueSeparator> values;
  std::unique_ptr<TableOutput> table;  // null: nothing is left so far
  uint64_t live_bytes = 0;             // before values go elsewhere
};

void PrepareValues(const TableOutputRequest& table, Output* output) {
  INVARIANT(output != nullptr && output->values == nullptr);
  ValueSeparator::Request to;
  to.output.job = table.job;
  to.output.options = table.options;
  to.output.reason = table.reason == TableFileCreationReason::kRecovery
                         ? BlobFileCreationReason::kRecovery
                         : BlobFileCreationReason::kFlush;
  to.output.io_priority = table.io_priority;
  to.output.io_class = table.io_class;
  to.separates = ValueSeparator::Separates(*table.options, /*level=*/0);
  output->values = std::make_unique<ValueSeparator>(to);
}

// Opens the table at the first thing that is to be written.
Status Copy(const TableOutputRequest& request, const Input& input,
            const SnapshotStripes& stripes, CompactionIterator* entries,
            Output* output) {
  INVARIANT(entries != nullptr);
  std::unique_ptr<TableOutput>* table = &output->table;
  Status s;
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    if (*table == nullptr) {
      if (s = TableOutput::Open(request, table); !s.ok()) return s;
    }
    Slice key = entries->key();
    Slice value = entries->value();
    output->live_bytes += key.size() + value.size();
    if (s = output->values->Apply(&key, &value); !s.ok()) return s;
    (*table)->Add(key, value);
  }
  if (!entries->status().ok()) return entries->status();
  if (input.tombstones == nullptr) return s;
  std::vector<RangeTombstone> survivors;
  TombstoneRange range;
  range.full_history_ts_low = request.job->full_history_ts_low;
  AppendSurvivors(*input.tombstones, range, stripes, /*older=*/nullptr,
                  &survivors);
  if (*table == nullptr && !survivors.empty()) {
    if (s = TableOutput::Open(request, table); !s.ok()) return s;
  }
  for (const RangeTombstone& t : survivors) {
    output->live_bytes +=
        t.begin.size() + kInternalKeyTrailerBytes + t.end.size();
    (*table)->AddTombstone(t);
  }
  return s;
}

// Makes all durable, and fills in *made; on failure it says what is left.
Status Finish(const JobContext& job, Output* output, Level0Result* made) {
  INVARIANT(output != nullptr && made != nullptr);
  Status s = output->values->Finish();
  made->blob_files = output->values->files();
  if (!s.ok() || output->table == nullptr) return s;
  made->payload_bytes = output->table->payload_bytes();
  if (s = output->table->Finish(); !s.ok()) return s;
  made->file = output->table->file();
  made->properties = output->table->properties();
  // The manifest may name the files only once a crash cannot take them away.
  static_assert(kBlobPathId == 0, "tables of level 0 lie there too");
  return SyncOutputDirectory(job, /*path_id=*/0);
}

}  // namespace

Status WriteLevel0(const Level0Request& request, Level0Result* result) {
  INVARIANT(request.job != nullptr && request.options != nullptr);
  INVARIANT(result != nullptr && !request.memtables.empty());
  INVARIANT(request.epoch_number != kUnknownEpoch);
  const JobContext& job = *request.job;
  const ImmutableCFOptions& cf = job.cfd->ioptions();
  const Input input = Gather(request);
  const SnapshotStripes stripes(job.snapshots.sequences);
  if (Status s = VerifyTombstones(request); !s.ok()) return s;
  std::unique_ptr<CompactionFilter> filter;
  if (Status s = MakeFilter(request, &filter); !s.ok()) return s;

  Output output(cf.left_out_timestamp_bytes());
  CompactionIteratorRequest reads;
  reads.order = &job.cfd->order();
  reads.input.stream = input.entries.get();
  reads.rules.stripes = &stripes;
  reads.tombstones = input.tombstones;
  reads.merge = {cf.merge_operator.get(), job.db->logger, job.db->stats,
                 job.db->clock};
  reads.filter = filter.get();
  reads.input.blob_flow = &output.blob_flow;
  reads.rules.full_history_ts_low = job.full_history_ts_low;
  reads.timed_values = {TimedValues::Suffix::kWritten, job.sequence_times.get(),
                        job.old_by_seconds};
  reads.enforce_single_delete_contracts = job.db->enforce_single_del_contracts;
  reads.input.key_text = KeyTextOf(job.db->allow_data_in_errors);
  CompactionIterator entries(reads);
  TableOutputRequest writes = OutputRequest(request, input);
  writes.blob_flow = &output.blob_flow;
  PrepareValues(writes, &output);
  Status s = WithoutExceptions(
      [&] { return Copy(writes, input, stripes, &entries, &output); });
  const CompactionIteratorStats& stats = entries.stats();
  const uint64_t read_count =
      stats.records_in +
      (input.minimal != nullptr ? input.minimal->hidden_count() : 0);
  if (s.ok() && job.db->flush_verify_memtable_count && !stats.has_skipped &&
      read_count != input.point_count) {
    s = Status::Corruption("flush of column family " + job.cfd->name(),
                           "read " + std::to_string(read_count) + " entries, " +
                               std::to_string(input.point_count) +
                               " were added");
  }
  Level0Result made;
  made.memtable_bytes = input.bytes;
  made.live_bytes = output.live_bytes;
  if (s.ok()) {
    s = WithoutExceptions([&] { return Finish(job, &output, &made); });
  } else {
    made.blob_files = output.values->files();
  }
  if (!s.ok()) {
    output.values->Abandon();
    DiscardLevel0(job, made);
    return s;
  }
  *result = std::move(made);
  return s;
}

void DiscardLevel0(const JobContext& job, const Level0Result& result) {
  if (result.file != nullptr) TableOutput::Discard(job, *result.file);
  for (const BlobFileAddition& blob : result.blob_files) {
    DiscardBlobFile(job, blob.number);
  }
}

}  // namespace ROCKSDB_NAMESPACE
