#include "db/outputs/table_output.h"

#include <algorithm>
#include <bit>

#include "db/blob/blob_flow.h"
#include "db/manifest/version_set.h"
#include "db/outputs/output_reader.h"
#include "db/outputs/table_file_events.h"
#include "db/tables/fresh_stage.h"
#include "db/tables/input_iterator.h"
#include "file/sst_file_manager_impl.h"
#include "monitoring/statistics_impl.h"
#include "options/compaction_styles.h"
#include "rocksdb/info_log.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table.h"
#include "table/unique_id.h"
#include "util/hash.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/key/sequence_times.h"
#include "util/key/timestamps.h"
#include "util/value/blob_index.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool IsCompaction(const TableOutputRequest& request) {
  return request.reason == TableFileCreationReason::kCompaction;
}

Histograms HistogramOfWrites(const TableOutputRequest& request) {
  if (IsCompaction(request)) return FILE_WRITE_COMPACTION_MICROS;
  return request.reason == TableFileCreationReason::kRecovery
             ? FILE_WRITE_DB_OPEN_MICROS
             : FILE_WRITE_FLUSH_MICROS;
}

// Entries up to it were, when the file was begun, old enough for the last
// level.
SequenceNumber LastLevelUpTo(const TableOutputRequest& request) {
  const uint64_t age = request.options->preclude_last_level_data_seconds;
  const CompactionStyleTraits& style =
      TraitsOf(request.job->cfd->ioptions().compaction_style);
  if (age == 0 || request.job->sequence_times == nullptr || !style.moves_down) {
    return kMaxSequenceNumber;
  }
  const uint64_t now = request.file_creation_time;
  return now > age ? request.job->sequence_times->WrittenBy(now - age) : 0;
}

TableBuilderOptions BuilderOptions(const TableOutputRequest& request,
                                   uint64_t number) {
  const JobContext& job = *request.job;
  TableBuilderOptions options;
  options.db = job.db;
  options.cf = &job.cfd->ioptions();
  options.mutable_cf = request.options;
  options.compression = request.compression;
  options.compression_options = request.compression_options;
  options.column_family_id = job.cfd->id();
  options.column_family_name = job.cfd->name();
  options.level = request.level;
  options.is_bottommost = request.is_bottommost;
  options.reason = request.reason;
  // A file that goes as a whole, by this time, does not go while it has keys
  // that came much later than its first one.
  const bool goes_as_whole =
      request.reason == TableFileCreationReason::kFlush &&
      TraitsOf(job.cfd->ioptions().compaction_style).drops_old_files;
  options.creation_time =
      goes_as_whole ? request.file_creation_time : request.oldest_ancestor_time;
  options.oldest_key_time = request.oldest_key_time;
  options.file_creation_time = request.file_creation_time;
  options.target_file_size = request.target_file_bytes;
  options.db_id = job.db_id;
  options.db_session_id = job.db_session_id;
  options.file_number = number;
  options.sequence_times = job.sequence_times;
  options.last_level_up_to = LastLevelUpTo(request);
  return options;
}

// Where memory is given to files of level 0 until they are compacted.
std::shared_ptr<FreshImage> BeginImage(const TableOutputRequest& request) {
  FreshStage* const stage = request.job->cfd->tables()->fresh();
  if (stage == nullptr || request.level != 0 || IsCompaction(request)) {
    return nullptr;
  }
  return stage->Begin(request.expected_bytes);
}

std::string PathOf(const JobContext& job, uint32_t path_id, uint64_t number) {
  FileMeta meta;
  meta.number = number;
  meta.path_id = path_id;
  return job.cfd->tables()->FilePath(meta);
}

}  // namespace

Env::WriteLifeTimeHint LifetimeOfTables(const JobContext& job, int level,
                                        int base_level) {
  const CompactionStyle style = job.cfd->ioptions().compaction_style;
  if (!job.db->calculate_sst_write_lifetime_hint_set.Contains(style)) {
    return Env::WLTH_NOT_SET;
  }
  const int depth = level - std::max(1, base_level);
  if (depth <= 0) return Env::WLTH_MEDIUM;
  return depth == 1 ? Env::WLTH_LONG : Env::WLTH_EXTREME;
}

Status TableOutput::Open(const TableOutputRequest& request,
                         std::unique_ptr<TableOutput>* result) {
  INVARIANT(request.job != nullptr && request.options != nullptr);
  INVARIANT(result != nullptr);
  const JobContext& job = *request.job;
  const uint64_t number = request.file_number != 0
                              ? request.file_number
                              : job.versions->NewFileNumber();
  const std::shared_ptr<FreshImage> image = BeginImage(request);
  FileOptions file_options = OutputFileOptions(job);
  file_options.temperature = request.temperature;
  file_options.write_hint = request.lifetime;
  std::unique_ptr<OutputFile> output;
  Status s = OutputFile::Create(
      {.job = &job,
       .type = kTableFile,
       .options = file_options,
       .io_priority = request.io_priority,
       .io_class = request.io_class,
       .pace = request.pace,
       .image = image.get(),
       .reserved_bytes = std::min(request.expected_bytes,
                                  WritableFileWriter::kMostReservedBytes),
       .write_histogram = HistogramOfWrites(request),
       .sync_histogram = IsCompaction(request) ? COMPACTION_OUTFILE_SYNC_MICROS
                                               : TABLE_SYNC_MICROS},
      PathOf(job, request.path_id, number), &output);
  if (!s.ok()) return s;
  auto made = std::make_unique<TableOutput>(PassKey{}, request,
                                            std::move(output), number, image);
  if (made->builder_ == nullptr) {
    return Status::NotSupported(
        made->output_->path(),
        std::string("table_factory=") + request.options->table_factory->Name());
  }
  *result = std::move(made);
  return s;
}

TableOutput::TableOutput(PassKey, const TableOutputRequest& request,
                         std::unique_ptr<OutputFile> output, uint64_t number,
                         std::shared_ptr<FreshImage> image)
    : request_(request),
      image_(std::move(image)),
      output_(std::move(output)),
      meta_(std::make_shared<FileMeta>()),
      is_hashing_(request.options->paranoid_file_checks ||
                  IsAskedToCheck(VerifyOutputFlags::kVerifyIteration)) {
  meta_->number = number;
  meta_->path_id = request.path_id;
  meta_->epoch_number = request.epoch_number;
  meta_->oldest_ancestor_time = request.oldest_ancestor_time;
  meta_->file_creation_time = request.file_creation_time;
  builder_.reset(request.options->table_factory->NewTableBuilder(
      BuilderOptions(request_, number), output_->writer()));
  NotifyStarted();
}

TableOutput::~TableOutput() {
  if (is_closed_) return;
  // A format may have none: then there was nothing to write.
  if (!is_sealed_ && builder_ != nullptr) builder_->Abandon();
  Drop();
  NotifyFinished(Status::Aborted("the job did not finish this file"));
}

void TableOutput::NoteReferences(const Slice& key, const Slice& value) {
  INVARIANT(!is_closed_);
  const auto note = [&](const BlobIndex& index) {
    uint64_t* oldest = &meta_->oldest_blob_file;
    if (*oldest == 0 || index.file_number < *oldest) {
      *oldest = index.file_number;
    }
    if (request_.blob_flow == nullptr) return;
    request_.blob_flow->NoteWritten(ExtractUserKey(key), index);
  };
  // Whoever made the entry has decoded or encoded it.
  const Status s = ForEachReference(ExtractType(key), value, note);
  INVARIANT(s.ok());
}

uint64_t TableOutput::Fold(uint64_t hash, const Slice& key,
                           const Slice& value) {
  return std::rotl(hash, 7) * 0x9e3779b97f4a7c15u + Hash64(key) +
         std::rotl(Hash64(value), 31);
}

void TableOutput::AddTombstone(const RangeTombstone& tombstone) {
  INVARIANT(!is_closed_);
  assert(tombstone.sequence <= kMaxSequenceNumber);
  has_tombstones_ = true;
  const InternalKeyComparator& order = request_.job->cfd->order();
  const size_t timestamp_size = order.timestamp_size();
  INVARIANT(tombstone.timestamp.size() == timestamp_size);
  const InternalKey begin(WithTimestamp(tombstone.begin, tombstone.timestamp),
                          tombstone.sequence, kTypeRangeDeletion);
  builder_->AddTombstone(begin.Encode(),
                         WithTimestamp(tombstone.end, tombstone.timestamp));
  // Before every version of the key that it ends at.
  const Slice end = WithoutTimestamp(tombstone.end, timestamp_size);
  meta_->NoteTombstone(
      begin,
      InternalKey::TombstoneSentinel(WithMaxTimestamp(end, timestamp_size)),
      tombstone.sequence, order);
}

void TableOutput::Seal() {
  INVARIANT(!is_sealed_ && !is_closed_);
  is_sealed_ = true;
  status_ = FinishBuilder();
  if (!status_.ok()) return;
  status_ = output_->Seal();
  if (status_.ok()) DescribeFile();
}

Status TableOutput::Join() {
  INVARIANT(is_sealed_ && !is_closed_);
  is_closed_ = true;
  if (status_.ok()) status_ = output_->Join();
  if (status_.ok()) {
    output_->GetChecksum(&meta_->checksum, &meta_->checksum_function);
    status_ = ReadBack();
  }
  if (status_.ok()) {
    KeepImage();
    NoteFileAdded(request_.job->db->sst_file_manager.get(), output_->path(),
                  meta_->size_bytes);
  }
  if (!status_.ok()) Drop();
  NotifyFinished(status_);
  return status_;
}

Status TableOutput::FinishBuilder() {
  Status s = builder_->status();
  if (!s.ok()) {
    builder_->Abandon();
    return s;
  }
  s = builder_->Finish();
  properties_ = std::make_shared<TableProperties>(builder_->properties());
  return s;
}

void TableOutput::DescribeFile() {
  FileMeta* meta = meta_.get();
  const InternalKeyComparator& order = request_.job->cfd->order();
  if (!last_key_.empty()) {
    InternalKey last = InternalKey::FromEncoded(last_key_);
    if (meta->largest.empty() || order.Compare(meta->largest, last) < 0) {
      meta->largest = std::move(last);
    }
  }
  INVARIANT(!meta->smallest.empty() && !meta->largest.empty());
  // A single key is not compared with itself: programs that let go of their
  // comparator before they close the database get away with it in RocksDB.
  const bool has_one_key = meta->smallest.Encode() == meta->largest.Encode();
  INVARIANT(has_one_key || order.Compare(meta->smallest, meta->largest) < 0);
  meta->smallest_sequence =
      std::min(meta->smallest_sequence, smallest_sequence_);
  meta->largest_sequence = std::max(meta->largest_sequence, largest_sequence_);
  INVARIANT(meta->smallest_sequence <= meta->largest_sequence);
  meta->size_bytes = builder_->FileSize();
  meta->tail_size_bytes = builder_->TailSize();
  // Nothing is below the last level: a file there is as clean as it can be.
  meta->is_marked_for_compaction =
      builder_->NeedCompact() && !request_.is_bottommost;
  meta->temperature = request_.temperature;
  meta->NoteTimestamps(*properties_);
  meta->LeaveOutTimestamps(
      request_.job->cfd->ioptions().left_out_timestamp_bytes());
  TableUniqueId id{};
  const Status s = InternalUniqueIdOf(*properties_, &id);
  if (s.ok()) meta->unique_id = {id[0], id[1]};
  IgnoreError(s, "a file without an origin has no unique id");
}

void TableOutput::KeepImage() {
  if (image_ == nullptr) return;
  INVARIANT(image_->size() == meta_->size_bytes);
  FreshStage* const stage = request_.job->cfd->tables()->fresh();
  if (stage->Keep(meta_->number, std::move(image_))) {
    RecordTick(request_.job->db->stats, FRESH_FILES_KEPT);
  }
}

// The inputs go once the file is in the manifest: it must be readable now.
Status TableOutput::ReadBack() const {
  TableCache* tables = request_.job->cfd->tables();
  Status s =
      tables->LoadFigures(meta_.get(), request_.level, *request_.options);
  if (!s.ok()) return s;
  if (meta_->entry_count.load() != properties_->num_entries) {
    return Status::Corruption(
        output_->path(),
        "holds " + std::to_string(meta_->entry_count.load()) + " entries, " +
            std::to_string(properties_->num_entries) + " were written");
  }
  tables->NoteOpenMetadata(meta_.get());
  return CheckContent();
}

bool TableOutput::IsAskedToCheck(VerifyOutputFlags what) const {
  return IsCompaction(request_) &&
         OutputReader::IsAsked(*request_.options,
                               VerifyOutputFlags::kEnableForLocalCompaction,
                               what);
}

// verify_output_flags and paranoid_file_checks.
Status TableOutput::CheckContent() const {
  const bool checks_blocks =
      IsAskedToCheck(VerifyOutputFlags::kVerifyBlockChecksum);
  const bool checks_file =
      IsAskedToCheck(VerifyOutputFlags::kVerifyFileChecksum);
  if (!is_hashing_ && !checks_blocks && !checks_file) return Status::OK();
  const OutputReader output(*request_.job,
                            {meta_.get(), request_.level, request_.options});
  Status s;
  if (checks_file) s = output.CheckFile();
  if (s.ok() && checks_blocks) s = output.CheckBlocks();
  if (!s.ok() || !is_hashing_) return s;
  std::unique_ptr<InternalIterator> iterator;
  s = output.NewIterator(&iterator);
  if (!s.ok()) return s;
  uint64_t hash = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    hash = Fold(hash, iterator->key(), iterator->value());
  }
  s = iterator->status();
  if (s.ok() && hash != content_hash_) {
    s = Status::Corruption(output_->path(),
                           "reads other entries than were written");
  }
  return s;
}

void TableOutput::NotifyStarted() const {
  TableFileCreationBriefInfo info;
  info.db_name = request_.job->db_name;
  info.cf_name = request_.job->cfd->name();
  info.file_path = output_->path();
  info.job_id = request_.job->job_id;
  info.reason = request_.reason;
  for (const auto& listener : request_.job->db->listeners) {
    listener->OnTableFileCreationStarted(info);
  }
}

void TableOutput::NotifyFinished(const Status& status) const {
  const JobContext& job = *request_.job;
  Info(job.db->logger,
       "[%s] [JOB %d] table #%llu for level %d: %llu bytes, %llu entries: %s",
       job.cfd->name().c_str(), job.job_id,
       static_cast<unsigned long long>(meta_->number), request_.level,
       static_cast<unsigned long long>(meta_->size_bytes),
       static_cast<unsigned long long>(
           properties_ != nullptr ? properties_->num_entries : 0),
       status.ToString().c_str());
  LogTableCreation(job, *meta_, properties_.get(), status);
  if (job.db->listeners.empty()) return;
  TableFileCreationInfo info;
  info.db_name = job.db_name;
  info.cf_name = job.cfd->name();
  info.file_path = output_->path();
  info.job_id = job.job_id;
  info.reason = request_.reason;
  info.file_size = meta_->size_bytes;
  if (properties_ != nullptr) info.table_properties = *properties_;
  info.status = status;
  info.file_checksum = meta_->checksum;
  info.file_checksum_func_name = ChecksumFunctionName(meta_->checksum_function);
  for (const auto& listener : job.db->listeners) {
    listener->OnTableFileCreated(info);
  }
}

void TableOutput::Drop() {
  output_->GiveUp();
  Discard(*request_.job, *meta_);
}

void TableOutput::Discard(const JobContext& job, const FileMeta& file) {
  job.cfd->tables()->Evict(file.number);
  DiscardFile(job, PathOf(job, file.path_id, file.number), file.size_bytes);
}

void DropImages(const JobContext& job, const std::vector<FileRef>& files) {
  FreshStage* const stage = job.cfd->tables()->fresh();
  if (stage == nullptr) return;
  for (const FileRef& file : files) stage->Drop(file->number);
}

Status SyncOutputDirectory(const JobContext& job, uint32_t path_id) {
  FSDirectory* directory = job.output_directory(path_id);
  INVARIANT(directory != nullptr);
  return directory->FsyncWithDirOptions(
      IOOptions(), nullptr, DirFsyncOptions(DirFsyncOptions::kNewFileSynced));
}

uint64_t NowSeconds(const JobContext& job) {
  int64_t now = 0;
  if (!job.db->clock->GetCurrentTime(&now).ok() || now < 0) return 0;
  return static_cast<uint64_t>(now);
}

}  // namespace ROCKSDB_NAMESPACE
