#include "db/compaction/sub_compaction.h"

#include <exception>
#include <new>

#include "db/compaction/deeper_levels.h"
#include "db/compaction/resume_points.h"
#include "db/family/column_family.h"
#include "db/semantics/compaction_iterator.h"
#include "db/semantics/job_blobs.h"
#include "db/semantics/value_separator.h"
#include "monitoring/io_activity.h"
#include "rocksdb/env.h"
#include "rocksdb/system_clock.h"
#include "util/caught_exceptions.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/key/whole_block.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Smaller values do not fill a block, but for tiny blocks.
constexpr size_t kLeastWholeValue = 512;

std::optional<Slice> SliceOf(const std::optional<std::string>& key) {
  return key ? std::optional<Slice>(*key) : std::nullopt;
}

}  // namespace

SubCompaction::SubCompaction(const SubCompactionPlan* plan, int index,
                             std::optional<std::string> begin,
                             std::optional<std::string> end)
    : plan_(plan),
      index_(index),
      begin_(std::move(begin)),
      end_(std::move(end)),
      older_(std::make_unique<DeeperLevels>(plan->job->cfd->ioptions(),
                                            *plan->compaction)) {
  INVARIANT(plan_->job != nullptr && plan_->stripes != nullptr);
}

SubCompaction::~SubCompaction() = default;

void SubCompaction::Run() {
  const IoActivityScope activity(Env::IOActivity::kCompaction);
  SystemClock* clock = plan_->job->db->clock;
  const auto& listeners = plan_->job->db->listeners;
  for (const auto& listener : listeners) {
    listener->OnSubcompactionBegin(Describe());
  }
  const uint64_t start = clock->CPUMicros();
  try {
    const CaughtExceptionsScope caught;
    const IoTimesScope times(plan_->compaction->options->report_bg_io_stats,
                             &io_times_);
    status_ = Execute();
  } catch (const std::bad_alloc&) {
    status_ = Status::MemoryLimit("compaction");
  } catch (const std::exception& e) {
    status_ = Status::Aborted("compaction threw", e.what());
  } catch (...) {
    status_ = Status::Aborted("compaction threw");
  }
  if (!status_.ok() && outputs_ != nullptr) outputs_->Abandon();
  if (!status_.ok() && young_ != nullptr) young_->Abandon();
  if (!status_.ok() && values_ != nullptr) values_->Abandon();
  blobs_.reset();  // Its streams belong to this thread.
  cpu_micros_ = clock->CPUMicros() - start;
  for (const auto& listener : listeners) {
    listener->OnSubcompactionCompleted(Describe());
  }
}

SubcompactionJobInfo SubCompaction::Describe() const {
  const JobContext& job = *plan_->job;
  const Compaction& c = *plan_->compaction;
  SubcompactionJobInfo info;
  info.cf_id = job.cfd->id();
  info.cf_name = job.cfd->name();
  info.status = status_;
  info.thread_id = job.db->env->GetThreadID();
  info.job_id = job.job_id;
  info.subcompaction_job_id = index_;
  info.base_input_level = c.start_level();
  info.output_level = c.output_level;
  info.compaction_reason = c.reason;
  info.compression = c.compression;
  info.stats.cpu_micros = cpu_micros_;
  info.stats.num_input_records = stats_.records_in;
  info.stats.num_output_files = files().size();
  info.stats.file_write_nanos = io_times_.write_nanos;
  info.stats.file_range_sync_nanos = io_times_.range_sync_nanos;
  info.stats.file_fsync_nanos = io_times_.fsync_nanos;
  info.stats.file_prepare_write_nanos = io_times_.prepare_write_nanos;
  return info;
}

std::vector<CompactionOutputs::File> SubCompaction::files() const {
  if (outputs_ == nullptr) return {};
  std::vector<CompactionOutputs::File> all = outputs_->files();
  if (young_ != nullptr) {
    all.insert(all.end(), young_->files().begin(), young_->files().end());
  }
  return all;
}

std::vector<BlobFileAddition> SubCompaction::blob_files() const {
  if (values_ == nullptr) return {};
  return values_->files();
}

uint64_t SubCompaction::dropped_tombstones() const {
  return outputs_ != nullptr ? outputs_->dropped_tombstones() : 0;
}

Status SubCompaction::MakeFilter() {
  const ImmutableCFOptions& cf = plan_->job->cfd->ioptions();
  filter_ = cf.compaction_filter;
  CompactionFilterFactory* factory = cf.compaction_filter_factory.get();
  const auto reason = TableFileCreationReason::kCompaction;
  if (filter_ != nullptr || factory == nullptr ||
      !factory->ShouldFilterTableFileCreation(reason)) {
    return Status::OK();
  }
  const Compaction& c = *plan_->compaction;
  CompactionFilter::Context context;
  context.is_full_compaction =
      c.InputFileCount() == c.version->storage().FileCount();
  context.is_manual_compaction = c.is_manual;
  context.input_start_level = c.start_level();
  context.column_family_id = plan_->job->cfd->id();
  context.reason = reason;
  Status s = AddInputProperties(&context.input_table_properties);
  if (!s.ok()) return s;
  made_filter_ = factory->CreateCompactionFilter(context);
  filter_ = made_filter_.get();
  return Status::OK();
}

Status SubCompaction::AddInputProperties(
    TablePropertiesCollection* properties) const {
  INVARIANT(properties != nullptr);
  const Compaction& c = *plan_->compaction;
  const TableCache* tables = plan_->job->cfd->tables();
  for (const CompactionInputLevel& input : c.inputs) {
    for (const FileRef& file : input.files) {
      std::shared_ptr<const TableReader> reader;
      Status s =
          tables->Find(ReadOptions(), *file, input.level, *c.options, &reader);
      if (!s.ok()) return s;
      (*properties)[tables->FilePath(*file)] = reader->properties();
    }
  }
  return Status::OK();
}

std::shared_ptr<const FragmentedTombstones> SubCompaction::OwnTombstones()
    const {
  if (plan_->tombstones == nullptr || (!begin_ && !end_)) {
    return plan_->tombstones;
  }
  const Slice lower = begin_ ? Slice(*begin_) : Slice();
  const Slice upper = end_ ? Slice(*end_) : Slice();
  return plan_->tombstones->Clip(begin_ ? &lower : nullptr,
                                 end_ ? &upper : nullptr);
}

Status SubCompaction::Execute() {
  const Compaction& c = *plan_->compaction;
  Status s = MakeFilter();
  if (!s.ok()) return s;
  InputIteratorRequest request;
  request.inputs = &plan_->inputs;
  request.tables = plan_->job->cfd->tables();
  request.mutable_cf = c.options.get();
  request.order = &plan_->job->cfd->order();
  request.read_options = &plan_->read_options;
  request.bulk = plan_->bulk;
  request.begin = SliceOf(begin_);
  request.end = SliceOf(end_);
  std::unique_ptr<InternalIterator> input;
  s = MakeInputIterator(request, &input);
  return s.ok() ? Copy(input.get()) : s;
}

// Where blobs come from and values go to.
void SubCompaction::PrepareValues() {
  INVARIANT(values_ == nullptr);
  const Compaction& c = *plan_->compaction;
  const JobContext& job = *plan_->job;
  JobBlobs::Context from;
  from.storage = &c.version->storage();
  from.source = job.cfd->blobs();
  from.read_options = &plan_->read_options;
  from.bulk = &plan_->bulk;
  from.db = job.db;
  from.readahead_bytes = c.options->blob_compaction_readahead_size;
  blobs_ = std::make_unique<JobBlobs>(from);
  ValueSeparator::Request to;
  to.output.job = plan_->job;
  to.output.options = c.options.get();
  to.output.reason = BlobFileCreationReason::kCompaction;
  to.output.io_priority = plan_->file.io_priority;
  to.output.io_class = plan_->file.io_class;
  to.output.pace = plan_->file.pace;
  to.separates = ValueSeparator::Separates(*c.options, c.output_level);
  to.relocates_below = c.relocates_blobs_below;
  to.blobs = blobs_.get();
  values_ = std::make_unique<ValueSeparator>(to);
}

void SubCompaction::PrepareOutputs() {
  INVARIANT(outputs_ == nullptr && young_ == nullptr);
  const JobContext& job = *plan_->job;
  const Compaction& c = *plan_->compaction;
  CompactionOutputs::Context writes;
  writes.compaction = &c;
  writes.file = plan_->file;
  writes.file.blob_flow = &blob_flow_;
  writes.tombstones = OwnTombstones();
  writes.stripes = plan_->stripes;
  writes.older = older_.get();
  writes.range = {SliceOf(begin_), SliceOf(end_), job.full_history_ts_low};
  writes.max_file_bytes = c.max_output_file_bytes;
  writes.grandparents = &c.grandparents;
  if (c.young.level != 0) {
    CompactionOutputs::Context young = writes;
    young.file = plan_->young_file;
    young.file.blob_flow = &blob_flow_;
    young.max_file_bytes = c.young.max_file_bytes;
    young.first_tombstone = c.young.after + 1;
    young.partitioner = NewPartitioner(job.cfd->ioptions(), c);
    young_ = std::make_unique<CompactionOutputs>(std::move(young));
    writes.last_tombstone = c.young.after;
  }
  writes.partitioner = NewPartitioner(job.cfd->ioptions(), c);
  // The young ones run beside these, over the same inputs.
  writes.progress = plan_->progress;
  outputs_ = std::make_unique<CompactionOutputs>(std::move(writes));
  if (plan_->progress_file == nullptr) return;
  INVARIANT(young_ == nullptr);
  points_ = std::make_unique<ResumePoints>(plan_->progress_file, plan_->done,
                                           job.cfd->order().timestamp_size(),
                                           job.db->clock);
}

Status SubCompaction::Copy(InternalIterator* input) {
  INVARIANT(input != nullptr);
  const JobContext& job = *plan_->job;
  const Compaction& c = *plan_->compaction;
  CompactionIteratorRequest reads;
  reads.order = &job.cfd->order();
  reads.input.stream = input;
  reads.rules.stripes = plan_->stripes;
  reads.tombstones = OwnTombstones();
  reads.merge = {job.cfd->ioptions().merge_operator.get(), job.db->logger,
                 job.db->stats, job.db->clock};
  reads.filter = filter_;
  reads.start_level = c.start_level();
  reads.rules.older = older_.get();
  reads.rules.is_bottommost = c.is_bottommost;
  reads.rules.zeroes_up_to = c.zeroes_up_to;
  reads.enforce_single_delete_contracts = job.db->enforce_single_del_contracts;
  reads.input.key_text = KeyTextOf(job.db->allow_data_in_errors);
  reads.rules.full_history_ts_low = job.full_history_ts_low;
  reads.rules.trim_ts = c.trim_ts;
  reads.input.begin = SliceOf(begin_);
  reads.input.end = SliceOf(end_);
  reads.keeps_stats_before_key = plan_->progress_file != nullptr;
  reads.input.stop = job.stop;

  PrepareValues();
  reads.input.blobs = blobs_.get();
  reads.input.blob_flow = &blob_flow_;
  PrepareOutputs();
  CompactionIterator entries(reads);
  const Status s = CopyEntries(&entries);
  stats_ = entries.stats();
  blob_work_ = {blobs_->read_count(), blobs_->read_bytes(),
                values_->relocated_count(), values_->relocated_bytes()};
  return s;
}

Status SubCompaction::CopyEntries(CompactionIterator* entries) {
  INVARIANT(entries != nullptr);
  Status s;
  const bool compresses = plan_->compaction->compression != kNoCompression;
  WholeBlock block;
  // Was the entry before for young_? A user key's versions for young_ come
  // before those for the last level.
  bool was_young = false;
  for (entries->SeekToFirst(); entries->Valid() && s.ok(); entries->Next()) {
    Slice key = entries->key();
    Slice value = entries->value();
    const WholeBlock* const source = compresses &&
                                             value.size() >= kLeastWholeValue &&
                                             entries->GetWholeBlock(&block)
                                         ? &block
                                         : nullptr;
    s = values_->Apply(&key, &value);
    if (!s.ok()) break;
    const bool is_first = entries->IsFirstOfUserKey();
    const bool is_young = young_ != nullptr &&
                          ExtractSequence(key) > plan_->compaction->young.after;
    assert(!is_young || is_first || was_young);
    s = is_young ? young_->Add(key, value, is_first, source)
                 : outputs_->Add(key, value, is_first || was_young, source);
    if (points_ != nullptr && s.ok()) [[unlikely]] {
      points_->Added(*entries, *outputs_);
    }
    was_young = is_young;
  }
  // An input that ended by an error looks like one that is read.
  if (s.ok()) s = entries->status();
  // All of both are durable when this returns, before anything names them.
  if (s.ok()) s = values_->Finish();
  if (s.ok() && young_ != nullptr) s = young_->Finish();
  if (s.ok()) s = outputs_->Finish();
  if (points_ != nullptr) RecordEnd(s, *entries);
  return s;
}

// What is done counts also where the rest is not.
void SubCompaction::RecordEnd(const Status& status,
                              const CompactionIterator& entries) {
  INVARIANT(points_ != nullptr);
  if (status.ok()) return points_->RecordEnd(entries.stats(), *outputs_);
  IgnoreError(outputs_->FinishFull(), "the first error is the one to tell");
  points_->RecordFinished(*outputs_);
}

}  // namespace ROCKSDB_NAMESPACE
