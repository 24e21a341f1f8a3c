#include "db/flush/level0_writer.h"

#include <algorithm>

#include "db/blob/blob_flow.h"
#include "db/family/column_family.h"
#include "db/flush/sealed_input.h"
#include "db/outputs/table_output.h"
#include "db/semantics/compaction_iterator.h"
#include "db/semantics/value_separator.h"
#include "db/version/size_estimate.h"
#include "db/version/version_blobs.h"
#include "memtable/memtable.h"
#include "options/compaction_styles.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

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
    const uint64_t seconds = memtable->counts().oldest_key_seconds();
    if (oldest == 0 || (seconds != 0 && seconds < oldest)) oldest = seconds;
  }
  return oldest;
}

TableOutputRequest OutputRequest(const Level0Request& request,
                                 const SealedInput& input) {
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
  explicit Output(const VersionStorage* older) : storage(older) {}

  const VersionStorage* const storage;
  BlobFlow blob_flow;
  std::unique_ptr<ValueSeparator> values;
  std::unique_ptr<TableOutput> table;  // null: nothing is left so far
  uint64_t live_bytes = 0;             // before values go to blob files
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
Status Copy(const TableOutputRequest& request, const SealedInput& input,
            const SnapshotStripes& stripes, CompactionIterator* entries,
            Output* output) {
  INVARIANT(entries != nullptr && output->storage != nullptr);
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
  const std::vector<RangeTombstone> survivors =
      SurvivingTombstones(*request.job, input, stripes);
  if (*table == nullptr && !survivors.empty()) {
    if (s = TableOutput::Open(request, table); !s.ok()) return s;
  }
  for (const RangeTombstone& t : survivors) {
    output->live_bytes +=
        t.begin.size() + kInternalKeyTrailerBytes + t.end.size();
    (*table)->AddTombstone(t);
  }
  if (!survivors.empty()) {
    (*table)->NoteCoveredBytes(
        CoveredTableBytes(*request.job->cfd->tables(), *output->storage,
                          *request.options, {0, survivors}));
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
  INVARIANT(request.storage != nullptr);
  const JobContext& job = *request.job;
  const SealedInput input = GatherSealed(*job.cfd, request.memtables);
  const SnapshotStripes stripes(job.snapshots.sequences);
  if (Status s = VerifyTombstones(request.memtables); !s.ok()) return s;
  std::unique_ptr<CompactionFilter> filter;
  Status s = MakeFlushFilter(*job.cfd, request.reason, &filter);
  if (!s.ok()) return s;

  Output output(request.storage);
  CompactionIteratorRequest reads =
      SurvivorsOf(job, input, stripes, filter.get());
  reads.input.blob_flow = &output.blob_flow;
  ReadOptions blob_reads;
  blob_reads.fill_cache = false;
  const VersionBlobs blobs(&blob_reads, request.storage, job.cfd->blobs());
  reads.input.blobs = &blobs;
  CompactionIterator entries(reads);
  TableOutputRequest writes = OutputRequest(request, input);
  writes.blob_flow = &output.blob_flow;
  PrepareValues(writes, &output);
  s = WithoutExceptions(
      [&] { return Copy(writes, input, stripes, &entries, &output); });
  if (s.ok()) s = CheckReadCount(job, input, entries.stats());
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
  if (request.blob_flow != nullptr) request.blob_flow->Add(output.blob_flow);
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
