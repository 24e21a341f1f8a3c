#include "db/compaction/compaction_job.h"

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>
#include <thread>

#include "db/compaction/compaction_events.h"
#include "db/compaction/compaction_progress.h"
#include "db/compaction/copied_table.h"
#include "db/compaction/keep_warm.h"
#include "db/compaction/key_split.h"
#include "db/compaction/progress_file.h"
#include "db/compaction/remote_compaction.h"
#include "db/compaction/sub_compaction.h"
#include "db/manifest/version_set.h"
#include "db/outputs/table_output.h"
#include "db/version/version_edit.h"
#include "env/job_threads.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/thread_tracking.h"
#include "rocksdb/env.h"
#include "rocksdb/info_log.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// "4@0 + 2@1"
std::string InputsText(const Compaction& c) {
  std::string text;
  for (const CompactionInputLevel& input : c.inputs) {
    if (!text.empty()) text += " + ";
    text +=
        std::to_string(input.files.size()) + "@" + std::to_string(input.level);
  }
  return text;
}

template <class Visit>
void ForEachInput(const Compaction& c, const Visit& visit) {
  for (const CompactionInputLevel& input : c.inputs) {
    for (const FileRef& file : input.files) visit(input.level, file);
  }
}

template <class Visit>
void ForEachReadInput(const Compaction& c, const Visit& visit) {
  ForEachInput(c, [&](int level, const FileRef& file) {
    if (c.Reads(*file)) visit(level, file);
  });
}

// The age of the oldest data, as far as files know; else `now`.
uint64_t OldestAncestor(const Compaction& c, uint64_t now) {
  uint64_t oldest = UINT64_MAX;
  ForEachInput(c, [&oldest](int /*level*/, const FileRef& file) {
    if (file->oldest_ancestor_time != kUnknownTime) {
      oldest = std::min(oldest, file->oldest_ancestor_time);
    }
  });
  return oldest == UINT64_MAX ? now : oldest;
}

uint64_t SmallestEpoch(const Compaction& c) {
  uint64_t epoch = UINT64_MAX;
  ForEachInput(c, [&epoch](int /*level*/, const FileRef& file) {
    epoch = std::min(epoch, file->epoch_number);
  });
  return epoch;
}

void FillEdit(const Compaction& c, VersionEdit* edit) {
  INVARIANT(edit != nullptr);
  ForEachInput(c, [edit](int level, const FileRef& file) {
    edit->DeleteFile(level, file->number);
  });
  if (c.next_cursor) {
    edit->compaction_cursors.emplace_back(c.start_level(), *c.next_cursor);
  }
}

}  // namespace

class CompactionJob::Impl {
 public:
  Impl(JobContext context, std::unique_ptr<Compaction> compaction)
      : context_(std::move(context)),
        compaction_(std::move(compaction)),
        stripes_(context_.snapshots.sequences),
        progress_(compaction_.get(), context_.cfd->user_comparator(),
                  context_.db->stats) {
    INVARIANT(compaction_ != nullptr && !compaction_->inputs.empty());
    INVARIANT(!compaction_->is_trivial_move && !compaction_->drops_inputs);
  }

  void Prepare();
  Status Resume(CompactionProgressFile* file);
  Status Run();
  Status Adopt(const RemoteCompactionResult& result);
  void HandOver(RemoteCompactionResult* result);
  Status Install(const Status& run_status);
  void FillInfo(const Status& status, CompactionJobInfo* info) const;
  const JobContext& context() const { return context_; }
  const Compaction& compaction() const { return *compaction_; }
  const LevelWork& work() const { return work_; }

 private:
  enum class State : uint8_t { kNew, kPrepared, kRun, kInstalled };

  void Track();
  Env::WriteLifeTimeHint Lifetime(int level) const;
  void PrepareYoung();
  Status CollectTombstones();
  Status TakeRecorded(const CompactionProgressRecord& record);
  void TakeOver(const CompactionProgressRecord& last);
  Status Rewrite();
  Status CopyInput();
  Status MakeParts();
  void RunParts();
  Status Verify() const;
  void KeepWarm(uint64_t start_micros) const;
  Status SyncDirectories() const;
  void CountWork(uint64_t micros);
  void CountStatistics();
  void TakePart(SubCompaction* part);
  void CountBlobs() const;
  void Discard();
  void FillStats(CompactionJobStats* stats) const;

  JobContext context_;  // constant, but Run() sets leaves_page_cache
  const std::unique_ptr<Compaction> compaction_;
  const SnapshotStripes stripes_;
  CompactionProgress progress_;
  SubCompactionPlan plan_;
  std::optional<CompactionProgressRecord> done_;  // by an earlier run
  std::vector<std::unique_ptr<SubCompaction>> parts_;
  std::vector<CompactionOutputs::File> outputs_;
  std::vector<BlobFileAddition> blob_files_;
  BlobFlow blob_flow_;
  SubCompaction::BlobWork blob_work_;
  CompactionIteratorStats totals_;
  uint64_t dropped_tombstones_ = 0;
  LevelWork work_;
  State state_ = State::kNew;
  bool is_remote_ = false;
  std::optional<TrackedOperation> tracked_;  // from Prepare() on
};

void CompactionJob::Impl::Prepare() {
  context_.mutex->AssertHeld();
  INVARIANT(state_ == State::kNew);
  state_ = State::kPrepared;
  Track();
  const Compaction& c = *compaction_;
  plan_.job = &context_;
  plan_.compaction = &c;
  plan_.stripes = &stripes_;
  plan_.progress = &progress_;
  plan_.bulk = CompactionReadPolicy(*context_.db, *context_.mutable_db,
                                    context_.read_file_options);
  plan_.bulk.io_class =
      c.start_level() == 0 ? IoClass::kLevel0 : IoClass::kDeep;
  plan_.bulk.reads_fresh = true;
  ReadOptions& read = plan_.read_options;
  read.verify_checksums = true;
  read.fill_cache = false;
  read.total_order_seek = true;
  read.rate_limiter_priority = Env::IO_LOW;
  const uint64_t now = NowSeconds(context_);
  TableOutputRequest& file = plan_.file;
  file.job = &context_;
  file.options = c.options.get();
  file.reason = TableFileCreationReason::kCompaction;
  file.level = c.output_level;
  file.path_id = c.output_path_id;
  file.is_bottommost = c.is_bottommost;
  file.compression = c.compression;
  file.compression_options = c.compression_options;
  file.epoch_number = SmallestEpoch(c);
  file.oldest_ancestor_time = OldestAncestor(c, now);
  // A file that only changes its place does not become younger.
  const FileMeta& first = *c.inputs.front().files.front();
  const bool keeps_age = c.reason == CompactionReason::kChangeTemperature &&
                         first.file_creation_time != kUnknownTime;
  file.file_creation_time = keeps_age ? first.file_creation_time : now;
  file.temperature = c.output_temperature;
  file.lifetime = Lifetime(file.level);
  file.target_file_bytes = c.max_output_file_bytes;
  const uint64_t expected = std::min(c.max_output_file_bytes, c.ReadBytes());
  file.expected_bytes = expected + expected / 10;
  file.io_priority = Env::IO_LOW;
  file.io_class = plan_.bulk.io_class;
  // Somebody waits for a manual one.
  if (plan_.bulk.io_class == IoClass::kDeep && !c.is_manual) {
    plan_.bulk.pace = context_.deep_pace;
    file.pace = context_.deep_pace;
  }
  INVARIANT(file.epoch_number != kUnknownEpoch);
  PrepareYoung();
}

Env::WriteLifeTimeHint CompactionJob::Impl::Lifetime(int level) const {
  return LifetimeOfTables(context_, level,
                          compaction_->version->storage().base_level());
}

void CompactionJob::Impl::PrepareYoung() {
  const Compaction& c = *compaction_;
  TableOutputRequest& file = plan_.young_file;
  file = plan_.file;
  file.level = c.young.level;
  file.path_id = c.young.path_id;
  file.is_bottommost = false;
  file.compression = c.young.compression;
  file.compression_options = c.young.compression_options;
  file.temperature = c.young.temperature;
  file.lifetime = Lifetime(file.level);
  file.target_file_bytes = c.young.max_file_bytes;
  const uint64_t expected = std::min(c.young.max_file_bytes, c.ReadBytes());
  file.expected_bytes = expected + expected / 10;
}

void CompactionJob::Impl::Track() {
  const Compaction& c = *compaction_;
  tracked_.emplace(TrackedOperation::What{
      context_.db->enable_thread_tracking, ThreadStatus::OP_COMPACTION,
      context_.db_name, context_.cfd->name()});
  tracked_->SetStage(ThreadStatus::STAGE_COMPACTION_PREPARE);
  tracked_->SetProperty(ThreadStatus::COMPACTION_JOB_ID,
                        static_cast<uint64_t>(context_.job_id));
  tracked_->SetProperty(ThreadStatus::COMPACTION_INPUT_OUTPUT_LEVEL,
                        (static_cast<uint64_t>(c.start_level()) << 32) +
                            static_cast<uint64_t>(c.output_level));
  tracked_->SetProperty(ThreadStatus::COMPACTION_PROP_FLAGS,
                        c.is_manual ? 1 : 0);
  tracked_->SetProperty(ThreadStatus::COMPACTION_TOTAL_INPUT_BYTES,
                        c.ReadBytes());
}

// The tombstones of all inputs, each file's clipped to its bounds.
Status CompactionJob::Impl::CollectTombstones() {
  const Compaction& c = *compaction_;
  // They own the bytes that `pieces` point to.
  std::vector<std::shared_ptr<const FragmentedTombstones>> sources;
  std::vector<RangeTombstone> pieces;
  TableCache::IteratorRequest request;
  request.mutable_cf = c.options.get();
  request.table.read_options = &plan_.read_options;
  request.bulk = &plan_.bulk;
  for (const CompactionInputLevel& input : plan_.inputs) {
    request.level = input.level;
    for (const FileRef& file : input.files) {
      if (!file->MayHaveTombstones()) continue;
      request.file = file.get();
      std::shared_ptr<const FragmentedTombstones> own;
      Status s = context_.cfd->tables()->TombstonesForBulk(request, &own);
      if (!s.ok()) return s;
      if (own == nullptr || own->empty()) continue;
      for (size_t i = 0; i < own->size(); ++i) {
        const FragmentedTombstones::Fragment fragment = own->at(i);
        for (size_t n = 0; n < fragment.sequences.size(); ++n) {
          const RangeTombstone one = fragment.tombstone(n);
          if (!c.IsTrimmed(one.timestamp)) pieces.push_back(one);
        }
      }
      sources.push_back(std::move(own));
    }
  }
  if (!pieces.empty()) {
    plan_.tombstones =
        FragmentedTombstones::Build(pieces, context_.cfd->user_comparator());
  }
  return Status::OK();
}

Status CompactionJob::Impl::TakeRecorded(
    const CompactionProgressRecord& record) {
  const size_t timestamp_size = context_.cfd->order().timestamp_size();
  if (record.next && record.next->user_key().size() < timestamp_size) {
    return Status::Corruption("progress of a compaction", "next key");
  }
  std::vector<CompactionOutputs::File> files(record.files.size());
  for (size_t i = 0; i < files.size(); ++i) {
    Status s =
        TakeFinishedFile(context_, *compaction_, *record.files[i], &files[i]);
    if (!s.ok()) return s;
  }
  outputs_.insert(outputs_.end(), files.begin(), files.end());
  return Status::OK();
}

Status CompactionJob::Impl::Resume(CompactionProgressFile* file) {
  INVARIANT(file != nullptr && state_ == State::kPrepared);
  plan_.progress_file = file;
  std::vector<CompactionProgressRecord> records;
  Status s = file->Load(&records);
  if (!s.ok()) return s;
  size_t good = 0;
  while (good < records.size() && s.ok()) {
    s = TakeRecorded(records[good]);
    if (s.ok()) ++good;
  }
  if (!s.ok()) {
    Warn(context_.db->logger, "[%s] [JOB %d] an output is made again: %s",
         context_.cfd->name().c_str(), context_.job_id, s.ToString().c_str());
  }
  records.resize(good);
  if (!records.empty()) TakeOver(records.back());
  return file->Begin(records);
}

void CompactionJob::Impl::TakeOver(const CompactionProgressRecord& last) {
  done_ = last;
  plan_.done = &*done_;
  totals_ = last.counts.records;
  dropped_tombstones_ = last.counts.dropped_tombstones;
  work_.cpu_micros = last.counts.cpu_micros;
  uint64_t bytes = 0;
  for (const CompactionOutputs::File& file : outputs_) {
    bytes += file.meta->size_bytes;
  }
  RecordTick(context_.db->stats, REMOTE_COMPACT_RESUMED_BYTES, bytes);
  if (!outputs_.empty()) {
    progress_.TakeOver(outputs_.back().meta->largest.user_key(), bytes);
  }
  Info(context_.db->logger, "[%s] [JOB %d] goes on after %zu files, %llu bytes",
       context_.cfd->name().c_str(), context_.job_id, outputs_.size(),
       static_cast<unsigned long long>(bytes));
}

Status CompactionJob::Impl::MakeParts() {
  if (plan_.progress_file != nullptr) {
    std::optional<std::string> begin;
    if (done_ && !done_->next) return Status::OK();
    if (done_) begin = done_->next->user_key().ToString();
    parts_.push_back(
        std::make_unique<SubCompaction>(&plan_, 0, begin, std::nullopt));
    return Status::OK();
  }
  std::vector<std::string> borders;
  TableCache::IteratorRequest request;
  request.mutable_cf = compaction_->options.get();
  request.table.read_options = &plan_.read_options;
  request.bulk = &plan_.bulk;
  const uint64_t start = context_.db->clock->NowMicros();
  Status s = SplitCompaction(*compaction_, context_.cfd->tables(),
                             std::move(request), &borders);
  RecordTimeToHistogram(context_.db->stats, SUBCOMPACTION_SETUP_TIME,
                        MicrosSince(context_.db->clock, start));
  if (!s.ok()) return s;
  std::optional<std::string> begin;
  for (size_t i = 0; i <= borders.size(); ++i) {
    std::optional<std::string> end;
    if (i < borders.size()) end = borders[i];
    parts_.push_back(std::make_unique<SubCompaction>(
        &plan_, static_cast<int>(i), begin, end));
    begin = std::move(end);
  }
  RecordInHistogram(context_.db->stats, NUM_SUBCOMPACTIONS_SCHEDULED,
                    parts_.size());
  return s;
}

// The first part in this thread, each other in one of its own; in this one too
// if the system has no more threads.
void CompactionJob::Impl::RunParts() {
  INVARIANT(!parts_.empty());
  std::vector<std::thread> threads;
  std::vector<SubCompaction*> own;
  // Nothing below may throw but the creation of a thread.
  threads.reserve(parts_.size());
  own.reserve(parts_.size());
  own.push_back(parts_.front().get());
  for (size_t i = 1; i < parts_.size(); ++i) {
    SubCompaction* part = parts_[i].get();
    try {
      threads.push_back(JobThreads::StartHelper([part] { part->Run(); }));
    } catch (const std::system_error&) {
      own.push_back(part);
    }
  }
  for (SubCompaction* part : own) part->Run();
  for (std::thread& thread : threads) thread.join();
}

Status CompactionJob::Impl::Run() {
  INVARIANT(state_ == State::kPrepared);
  state_ = State::kRun;
  tracked_->SetStage(ThreadStatus::STAGE_COMPACTION_RUN);
  const Compaction& c = *compaction_;
  Info(context_.db->logger,
       "[%s] [JOB %d] compacting %s files to level %d, score %.2f, %s",
       context_.cfd->name().c_str(), context_.job_id, InputsText(c).c_str(),
       c.output_level, c.score, GetCompactionReasonString(c.reason));
  LogStarted(context_, c);
  SystemClock* clock = context_.db->clock;
  const uint64_t start = clock->NowMicros();
  context_.leaves_page_cache = !HasPageCacheRoom(context_, c);
  Status s = c.copies_input ? CopyInput() : Rewrite();
  if (s.ok()) s = SyncDirectories();
  if (s.ok()) KeepWarm(start);
  CountWork(MicrosSince(clock, start));
  if (s.ok()) CountStatistics();
  return s;
}

Status CompactionJob::Impl::Rewrite() {
  plan_.inputs = compaction_->ReadInputs();
  Status s = CollectTombstones();
  if (s.ok()) s = MakeParts();
  tracked_->SetStage(ThreadStatus::STAGE_COMPACTION_PROCESS_KV);
  if (s.ok() && !parts_.empty()) RunParts();
  for (const auto& part : parts_) {
    if (s.ok()) s = part->status();
    TakePart(part.get());
  }
  return s.ok() ? Verify() : s;
}

// No entry is looked at, so that none is counted.
Status CompactionJob::Impl::CopyInput() {
  CompactionOutputs::File file;
  Status s = CopyTable(context_, *compaction_, &file);
  if (s.ok()) outputs_.push_back(std::move(file));
  return s;
}

// The manifest may name the files only once a crash cannot take them away.
Status CompactionJob::Impl::SyncDirectories() const {
  const uint32_t path_id = compaction_->output_path_id;
  const uint32_t young_path_id = compaction_->young.path_id;
  Status s;
  if (!outputs_.empty()) s = SyncOutputDirectory(context_, path_id);
  if (s.ok() && compaction_->young.level != 0 && young_path_id != path_id) {
    s = SyncOutputDirectory(context_, young_path_id);
  }
  if (s.ok() && !blob_files_.empty() && path_id != kBlobPathId) {
    s = SyncOutputDirectory(context_, kBlobPathId);
  }
  return s;
}

Status CompactionJob::Impl::Adopt(const RemoteCompactionResult& result) {
  INVARIANT(state_ == State::kPrepared);
  INVARIANT(result.status.ok());
  state_ = State::kRun;
  is_remote_ = true;
  LogStarted(context_, *compaction_);
  SystemClock* clock = context_.db->clock;
  const uint64_t start = clock->NowMicros();
  totals_ = result.records;
  dropped_tombstones_ = result.dropped_tombstones;
  work_.cpu_micros = result.cpu_micros;
  Status s = TakeInRemoteFiles(context_, *compaction_, result, &outputs_);
  if (s.ok()) s = Verify();
  if (s.ok()) s = SyncDirectories();
  if (!s.ok()) return s;
  KeepWarm(start);
  CountWork(MicrosSince(clock, start));
  CountStatistics();
  return s;
}

void CompactionJob::Impl::HandOver(RemoteCompactionResult* result) {
  context_.mutex->AssertHeld();
  INVARIANT(result != nullptr);
  INVARIANT(state_ == State::kRun);
  INVARIANT(blob_files_.empty());
  INVARIANT(compaction_->young.level == 0);
  state_ = State::kInstalled;
  for (const CompactionOutputs::File& file : outputs_) {
    // The paths are not those of the process that asked.
    auto meta = std::make_shared<FileMeta>();
    meta->CopyManifestPartFrom(*file.meta);
    meta->path_id = 0;
    result->files.AddFile(compaction_->output_level, std::move(meta));
  }
  result->records = totals_;
  result->dropped_tombstones = dropped_tombstones_;
  result->cpu_micros = work_.cpu_micros;
}

void CompactionJob::Impl::TakePart(SubCompaction* part) {
  INVARIANT(part != nullptr);
  totals_.Add(part->stats());
  dropped_tombstones_ += part->dropped_tombstones();
  work_.cpu_micros += part->cpu_micros();
  const IoTimes& io = part->io_times();
  work_.write_nanos += io.write_nanos;
  work_.range_sync_nanos += io.range_sync_nanos;
  work_.fsync_nanos += io.fsync_nanos;
  work_.prepare_write_nanos += io.prepare_write_nanos;
  for (CompactionOutputs::File& file : part->files()) {
    outputs_.push_back(std::move(file));
  }
  for (BlobFileAddition& file : part->blob_files()) {
    blob_files_.push_back(std::move(file));
  }
  blob_flow_.Add(part->blob_flow());
  const SubCompaction::BlobWork& work = part->blob_work();
  blob_work_.read_count += work.read_count;
  blob_work_.read_bytes += work.read_bytes;
  blob_work_.relocated_count += work.relocated_count;
  blob_work_.relocated_bytes += work.relocated_bytes;
}

// The last step before the inputs may go.
void CompactionJob::Impl::KeepWarm(uint64_t start_micros) const {
  KeepWarmOutputs(context_, *compaction_, outputs_, start_micros);
}

// compaction_verify_record_count: as many records were read as the inputs say
// that they hold. The parts' ranges cover every key once.
Status CompactionJob::Impl::Verify() const {
  if constexpr (kDeepChecks) {
    std::map<int, const FileMeta*> last;  // by level
    for (const CompactionOutputs::File& file : outputs_) {
      const FileMeta*& before = last[file.level];
      INVARIANT(before == nullptr ||
                context_.cfd->order().Compare(before->largest,
                                              file.meta->smallest) < 0);
      before = file.meta.get();
    }
  }
  if (!context_.db->compaction_verify_record_count || totals_.has_skipped) {
    return Status::OK();
  }
  uint64_t expected = 0;
  bool is_known = true;
  ForEachReadInput(*compaction_, [&](int /*level*/, const FileRef& file) {
    is_known = is_known && file->has_properties.load();
    expected += file->entry_count.load() - file->range_deletion_count.load();
  });
  if (!is_known || expected == totals_.records_in) return Status::OK();
  return Status::Corruption("compaction of " + InputsText(*compaction_) +
                                " in column family " + context_.cfd->name(),
                            "read " + std::to_string(totals_.records_in) +
                                " entries, the files' properties say " +
                                std::to_string(expected));
}

void CompactionJob::Impl::CountWork(uint64_t micros) {
  const Compaction& c = *compaction_;
  work_.micros = micros;
  work_.count = 1;
  ForEachReadInput(c, [&](int level, const FileRef& file) {
    const bool is_output = level == c.output_level;
    (is_output ? work_.bytes_read_output : work_.bytes_read_upper) +=
        file->size_bytes;
    ++(is_output ? work_.files_read_output : work_.files_read_upper);
  });
  uint64_t records_out = 0;
  for (const CompactionOutputs::File& file : outputs_) {
    work_.bytes_written += file.meta->size_bytes;
    work_.bytes_before_compression +=
        file.properties->raw_key_size + file.properties->raw_value_size;
    ++work_.files_written;
    records_out +=
        file.properties->num_entries - file.properties->num_range_deletions;
  }
  work_.blob_bytes_read = blob_work_.read_bytes;
  for (const BlobFileAddition& file : blob_files_) {
    work_.blob_bytes_written += file.total_bytes + BlobFile::kFrameBytes;
  }
  work_.records_in = totals_.records_in;
  work_.records_dropped =
      totals_.records_in > records_out ? totals_.records_in - records_out : 0;
}

void CompactionJob::Impl::CountStatistics() {
  Statistics* to = context_.db->stats;
  if (to == nullptr) return;
  const uint64_t read =
      work_.bytes_read_upper + work_.bytes_read_output + work_.blob_bytes_read;
  const uint64_t written = work_.bytes_written + work_.blob_bytes_written;
  if (is_remote_) {
    RecordTick(to, REMOTE_COMPACT_READ_BYTES, read);
    RecordTick(to, REMOTE_COMPACT_WRITE_BYTES, written);
  } else {
    progress_.Finish(read, written);
  }
  switch (compaction_->reason) {
    case CompactionReason::kFilesMarkedForCompaction:
      RecordTick(to, COMPACT_READ_BYTES_MARKED, read);
      RecordTick(to, COMPACT_WRITE_BYTES_MARKED, written);
      break;
    case CompactionReason::kPeriodicCompaction:
      RecordTick(to, COMPACT_READ_BYTES_PERIODIC, read);
      RecordTick(to, COMPACT_WRITE_BYTES_PERIODIC, written);
      break;
    case CompactionReason::kTtl:
      RecordTick(to, COMPACT_READ_BYTES_TTL, read);
      RecordTick(to, COMPACT_WRITE_BYTES_TTL, written);
      break;
    default:
      break;
  }
  RecordTick(to, COMPACTION_KEY_DROP_NEWER_ENTRY, totals_.dropped_hidden);
  RecordTick(to, COMPACTION_KEY_DROP_OBSOLETE,
             totals_.dropped_obsolete + dropped_tombstones_);
  if (!compaction_->is_bottommost) {
    RecordTick(to, COMPACTION_OPTIMIZED_DEL_DROP_OBSOLETE,
               totals_.dropped_obsolete);
  }
  RecordTick(to, COMPACTION_KEY_DROP_RANGE_DEL, totals_.dropped_by_range);
  RecordTick(to, COMPACTION_KEY_DROP_USER, totals_.dropped_by_filter);
  RecordTick(to, COMPACTION_RANGE_DEL_DROP_OBSOLETE, dropped_tombstones_);
  RecordTick(to, COMPACTION_CPU_TOTAL_TIME, work_.cpu_micros);
  RecordTimeToHistogram(to, COMPACTION_TIME, work_.micros);
  RecordTimeToHistogram(to, COMPACTION_CPU_TIME, work_.cpu_micros);
  RecordInHistogram(to, NUM_FILES_IN_SINGLE_COMPACTION,
                    compaction_->InputFileCount());
  CountBlobs();
}

void CompactionJob::Impl::CountBlobs() const {
  Statistics* to = context_.db->stats;
  if (blob_work_.relocated_count == 0) return;
  RecordTick(to, BLOB_DB_GC_NUM_KEYS_RELOCATED, blob_work_.relocated_count);
  RecordTick(to, BLOB_DB_GC_BYTES_RELOCATED, blob_work_.relocated_bytes);
  RecordTick(to, BLOB_DB_GC_NUM_NEW_FILES, blob_files_.size());
}

Status CompactionJob::Impl::Install(const Status& run_status) {
  context_.mutex->AssertHeld();
  INVARIANT(state_ == State::kRun || !run_status.ok());
  INVARIANT(state_ != State::kInstalled);
  state_ = State::kInstalled;
  if (tracked_) {
    tracked_->SetStage(ThreadStatus::STAGE_COMPACTION_INSTALL);
    tracked_->SetProperty(ThreadStatus::COMPACTION_BYTES_WRITTEN,
                          work_.bytes_written);
  }
  Status s = run_status;
  if (!s.ok()) {
    Discard();
  } else {
    VersionEdit edit;
    FillEdit(*compaction_, &edit);
    for (const CompactionOutputs::File& file : outputs_) {
      edit.AddFile(file.level, file.meta);
    }
    edit.blob_additions = blob_files_;
    edit.blob_garbage = blob_flow_.Garbage();
    // A repair may have left references to files that were lost.
    const VersionStorage& blobs = compaction_->version->storage();
    std::erase_if(edit.blob_garbage, [&](const BlobFileGarbage& garbage) {
      return blobs.FindBlob(garbage.number) == nullptr;
    });
    s = context_.versions->LogAndApply({{context_.cfd, &edit}},
                                       context_.db_directory);
    // Nobody knows how much of the edit the manifest holds after an error, so
    // the files stay until there is another one. A dropped family's edit was
    // not written at all.
    if (s.IsColumnFamilyDropped()) Discard();
    // Nobody compacts the inputs again.
    for (const CompactionInputLevel& input : compaction_->inputs) {
      if (s.ok()) DropImages(context_, input.files);
    }
    if (s.ok()) LogFinished(context_, *compaction_, work_, parts_.size());
  }
  if (s.IsIncomplete()) {
    RecordTick(context_.db->stats, s.IsCompactionAborted()
                                       ? COMPACTION_ABORTED
                                       : COMPACTION_CANCELLED);
  }
  Info(context_.db->logger,
       "[%s] [JOB %d] compacted %s files to %zu at level %d: %llu bytes read, "
       "%llu written, %llu of %llu entries dropped, %llu us: %s",
       context_.cfd->name().c_str(), context_.job_id,
       InputsText(*compaction_).c_str(), outputs_.size(),
       compaction_->output_level,
       static_cast<unsigned long long>(work_.bytes_read_upper +
                                       work_.bytes_read_output),
       static_cast<unsigned long long>(work_.bytes_written),
       static_cast<unsigned long long>(work_.records_dropped),
       static_cast<unsigned long long>(work_.records_in),
       static_cast<unsigned long long>(work_.micros), s.ToString().c_str());
  return s;
}

void CompactionJob::Impl::Discard() {
  std::vector<CompactionOutputs::File> files = std::move(outputs_);
  const std::vector<BlobFileAddition> blobs = std::move(blob_files_);
  outputs_.clear();
  blob_files_.clear();
  if (plan_.progress_file != nullptr) {
    std::erase_if(files, [this](const CompactionOutputs::File& file) {
      return plan_.progress_file->Has(file.meta->number);
    });
  }
  if (files.empty() && blobs.empty()) return;
  context_.mutex->AssertHeld();
  MutexUnlock unlock(context_.mutex);
  for (const BlobFileAddition& blob : blobs) {
    DiscardBlobFile(context_, blob.number);
  }
  for (const CompactionOutputs::File& file : files) {
    TableOutput::Discard(context_, *file.meta);
  }
}

void CompactionJob::Impl::FillStats(CompactionJobStats* stats) const {
  INVARIANT(stats != nullptr);
  const Compaction& c = *compaction_;
  stats->elapsed_micros = work_.micros;
  stats->cpu_micros = work_.cpu_micros;
  stats->has_accurate_num_input_records = !totals_.has_skipped;
  stats->num_input_records = totals_.records_in;
  stats->num_input_files = c.InputFileCount() - c.unread.size();
  stats->num_input_files_at_output_level = work_.files_read_output;
  stats->num_filtered_input_files = c.unread.size();
  stats->num_output_files = outputs_.size();
  stats->num_output_records = work_.records_in - work_.records_dropped;
  stats->is_full_compaction =
      c.InputFileCount() == c.version->storage().FileCount();
  stats->is_manual_compaction = c.is_manual;
  stats->is_remote_compaction = is_remote_;
  stats->total_input_bytes = c.ReadBytes();
  stats->total_skipped_input_bytes = c.InputBytes() - c.ReadBytes();
  stats->total_output_bytes = work_.bytes_written;
  stats->num_records_replaced = totals_.dropped_hidden;
  ForEachInput(c, [&](int level, const FileRef& file) {
    if (!c.Reads(*file)) {
      stats->num_filtered_input_files_at_output_level +=
          level == c.output_level;
      return;
    }
    stats->total_input_raw_key_bytes += file->raw_key_bytes.load();
    stats->total_input_raw_value_bytes += file->raw_value_bytes.load();
  });
  stats->num_input_deletion_records = totals_.deletions_in;
  stats->num_expired_deletion_records = totals_.dropped_obsolete;
  stats->num_blobs_read = blob_work_.read_count;
  stats->total_blob_bytes_read = blob_work_.read_bytes;
  stats->num_output_files_blob = blob_files_.size();
  stats->total_output_bytes_blob = work_.blob_bytes_written;
  stats->num_corrupt_keys = totals_.corrupt_keys;
  stats->file_write_nanos = work_.write_nanos;
  stats->file_range_sync_nanos = work_.range_sync_nanos;
  stats->file_fsync_nanos = work_.fsync_nanos;
  stats->file_prepare_write_nanos = work_.prepare_write_nanos;
  stats->num_single_del_fallthru = totals_.single_delete_fallthrough;
  stats->num_single_del_mismatch = totals_.single_delete_mismatch;
  if (outputs_.empty()) return;
  const auto prefix = [](const InternalKey& key) {
    return std::string(
        key.user_key().data(),
        std::min(key.user_key().size(), CompactionJobStats::kMaxPrefixLength));
  };
  stats->smallest_output_key_prefix = prefix(outputs_.front().meta->smallest);
  stats->largest_output_key_prefix = prefix(outputs_.back().meta->largest);
}

namespace {

bool IsAborted(const Status& status) {
  return status.IsShutdownInProgress() || status.IsIncomplete();
}

void DescribePlan(const JobContext& context, const Compaction& c,
                  const Status& status, CompactionJobInfo* info) {
  INVARIANT(info != nullptr);
  *info = CompactionJobInfo();
  info->cf_id = context.cfd->id();
  info->cf_name = context.cfd->name();
  info->status = status;
  info->aborted = IsAborted(status);
  info->thread_id = context.db->env->GetThreadID();
  info->job_id = context.job_id;
  info->num_l0_files =
      static_cast<int>(context.cfd->current()->storage().FileCount(0));
  info->base_input_level = c.start_level();
  info->output_level = c.output_level;
  info->compaction_reason = c.reason;
  info->compression = c.compression;
  TableCache* const tables = context.cfd->tables();
  ReadOptions no_io;
  no_io.read_tier = kBlockCacheTier;
  ForEachInput(c, [&](int level, const FileRef& file) {
    const std::string path = tables->FilePath(*file);
    info->input_files.push_back(path);
    info->input_file_infos.push_back(
        {level, file->number, file->oldest_blob_file});
    // Properties come only from readers that are open: opening one needs I/O.
    std::shared_ptr<const TableReader> reader;
    if (tables->Find(no_io, *file, level, *c.options, &reader).ok()) {
      info->table_properties[path] = reader->properties();
    }
  });
  info->blob_compression_type = c.options->blob_compression_type;
}

}  // namespace

void CompactionJob::Impl::FillInfo(const Status& status,
                                   CompactionJobInfo* info) const {
  const Compaction& c = *compaction_;
  DescribePlan(context_, c, status, info);
  FillStats(&info->stats);
  const TableCache* tables = context_.cfd->tables();
  for (const CompactionOutputs::File& file : outputs_) {
    const std::string path = tables->FilePath(*file.meta);
    info->output_files.push_back(path);
    info->output_file_infos.push_back(
        {file.level, file.meta->number, file.meta->oldest_blob_file});
    info->table_properties[path] = file.properties;
  }
  for (const BlobFileAddition& blob : blob_files_) {
    info->blob_file_addition_infos.emplace_back(
        BlobPathOf(context_.cfd, blob.number), blob.number, blob.total_count,
        blob.total_bytes);
  }
  for (const BlobFileGarbage& garbage : blob_flow_.Garbage()) {
    info->blob_file_garbage_infos.emplace_back(
        BlobPathOf(context_.cfd, garbage.number), garbage.number,
        garbage.garbage_count, garbage.garbage_bytes);
  }
}

void DescribePlannedMove(const JobContext& context,
                         const Compaction& compaction,
                         CompactionJobInfo* info) {
  INVARIANT(compaction.is_trivial_move != compaction.drops_inputs);
  DescribePlan(context, compaction, Status::OK(), info);
  info->stats.num_input_files = compaction.InputFileCount();
  // Nothing is read or written.
  info->stats.is_manual_compaction = compaction.is_manual;
  if (compaction.is_trivial_move) {
    info->stats.num_input_files_trivially_moved = compaction.InputFileCount();
  }
}

void DescribeWithoutRewriting(const JobContext& context,
                              const Compaction& compaction,
                              const Status& status, CompactionJobInfo* info) {
  DescribePlannedMove(context, compaction, info);
  info->status = status;
  info->aborted = IsAborted(status);
  if (!status.ok() || compaction.drops_inputs) return;
  info->output_files = info->input_files;
  info->output_file_infos = info->input_file_infos;
  for (auto& file : info->output_file_infos) {
    file.level = compaction.output_level;
  }
  info->stats.num_output_files = info->output_files.size();
}

CompactionJob::CompactionJob(JobContext context,
                             std::unique_ptr<Compaction> compaction)
    : impl_(std::make_unique<Impl>(std::move(context), std::move(compaction))) {
}

CompactionJob::~CompactionJob() = default;

void CompactionJob::Prepare() { impl_->Prepare(); }

Status CompactionJob::Resume(CompactionProgressFile* file) {
  return impl_->Resume(file);
}

Status CompactionJob::Run() { return impl_->Run(); }

Status CompactionJob::Install(const Status& run_status) {
  return impl_->Install(run_status);
}

Status CompactionJob::Adopt(const RemoteCompactionResult& result) {
  return impl_->Adopt(result);
}

void CompactionJob::HandOver(RemoteCompactionResult* result) {
  impl_->HandOver(result);
}

const JobContext& CompactionJob::context() const { return impl_->context(); }

const Compaction& CompactionJob::compaction() const {
  return impl_->compaction();
}

const LevelWork& CompactionJob::work() const { return impl_->work(); }

void CompactionJob::FillInfo(const Status& status,
                             CompactionJobInfo* info) const {
  INVARIANT(info != nullptr);
  impl_->FillInfo(status, info);
}

Status InstallWithoutRewriting(const JobContext& context,
                               const Compaction& compaction, LevelWork* work) {
  context.mutex->AssertHeld();
  INVARIANT(compaction.is_trivial_move != compaction.drops_inputs);
  INVARIANT(work != nullptr);
  const uint64_t start = context.db->clock->NowMicros();
  VersionEdit edit;
  FillEdit(compaction, &edit);
  if (compaction.is_trivial_move) {
    ForEachInput(compaction, [&](int level, const FileRef& file) {
      INVARIANT(level < compaction.output_level);
      edit.AddFile(compaction.output_level, file);
    });
  }
  Status s = context.versions->LogAndApply({{context.cfd, &edit}},
                                           context.db_directory);
  if (s.ok()) {
    *work = LevelWork();
    // A file that moved kept no thread busy, as users know these figures.
    if (compaction.is_trivial_move) {
      work->bytes_moved = compaction.InputBytes();
    } else {
      work->micros = MicrosSince(context.db->clock, start);
      work->count = 1;
    }
  }
  Info(context.db->logger, "[%s] [JOB %d] %s %s files, level %d, %s: %s",
       context.cfd->name().c_str(), context.job_id,
       compaction.is_trivial_move ? "moved" : "dropped",
       InputsText(compaction).c_str(), compaction.output_level,
       GetCompactionReasonString(compaction.reason), s.ToString().c_str());
  if (s.ok() && compaction.is_trivial_move) LogMoved(context, compaction);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
