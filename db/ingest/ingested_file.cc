#include "db/ingest/ingested_file.h"

#include <algorithm>

#include "db/ingest/prepared_file_info.h"
#include "db/manifest/version_set.h"
#include "db/outputs/table_output.h"
#include "db/tables/external_table.h"
#include "db/tables/input_iterator.h"
#include "file/file_util.h"
#include "file/filename.h"
#include "file/sst_file_manager_impl.h"
#include "file/whole_file.h"
#include "file/writable_file_writer.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/info_log.h"
#include "table/properties_block.h"
#include "table/unique_id.h"
#include "util/coding.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool IsRefused(const Status& s) {
  return s.IsNotSupported() || s.IsInvalidArgument();
}

}  // namespace

IngestedFile::IngestedFile(IngestedFileRequest request)
    : request_(std::move(request)), meta_(std::make_shared<FileMeta>()) {
  INVARIANT(request_.job != nullptr && request_.options != nullptr);
  INVARIANT(!request_.path.empty());
}

IngestedFile::~IngestedFile() {
  reader_.reset();
  if (!is_inside_ || is_kept_) return;
  job().cfd->tables()->Evict(meta_->number);
  DiscardFile(job(), InternalPath(), meta_->size_bytes);
}

std::string IngestedFile::InternalPath() const {
  INVARIANT(meta_->number != 0);
  return job().cfd->tables()->FilePath(*meta_);
}

KeySpan IngestedFile::span() const {
  INVARIANT(!meta_->smallest.empty());
  return {meta_->smallest.user_key(), meta_->largest.user_key()};
}

// What is known serves where the file is not read for anything else, and where
// it can be told from others once it is inside.
bool IngestedFile::TakesPrepared() const {
  if (request_.prepared == nullptr) return false;
  const TableProperties& known = *request_.prepared->properties;
  TableUniqueId id;
  return !request_.ingest.verify_checksums_before_ingest &&
         !request_.is_described &&
         known.user_collected_properties.count(kExternalSstVersionProperty) >
             0 &&
         known.comparator_name ==
             job().cfd->order().user_comparator()->Name() &&
         InternalUniqueIdOf(known, &id).ok();
}

Status IngestedFile::TakePrepared() {
  const FileMeta& known = request_.prepared->meta;
  uint64_t size_bytes = 0;
  Status s = job().db->fs->GetFileSize(request_.path, IOOptions(), &size_bytes,
                                       nullptr);
  if (!s.ok()) return s;
  if (size_bytes != known.size_bytes) {
    return Status::InvalidArgument(
        "file_infos: the file is " + std::to_string(size_bytes) +
            " bytes long, where " + std::to_string(known.size_bytes) +
            " are known",
        request_.path);
  }
  properties_ = request_.prepared->properties;
  meta_->size_bytes = size_bytes;
  meta_->smallest = known.smallest;
  meta_->largest = known.largest;
  meta_->smallest_sequence = known.smallest_sequence;
  meta_->largest_sequence = known.largest_sequence;
  meta_->smallest_timestamp = known.smallest_timestamp;
  meta_->largest_timestamp = known.largest_timestamp;
  return s;
}

Status IngestedFile::Learn() {
  if (TakesPrepared()) return TakePrepared();
  ExternalTableRequest open;
  open.db = job().db;
  open.cf = &job().cfd->ioptions();
  open.mutable_cf = request_.options.get();
  open.file_options = job().read_file_options;
  open.path = request_.path;
  Status s = OpenExternalTable(open, &reader_, &meta_->size_bytes);
  if (!s.ok()) return s;
  properties_ = reader_->properties();
  INVARIANT(properties_ != nullptr);
  s = CheckProperties();
  if (s.ok()) s = DescribeTable(*reader_, job().cfd->order(), meta_.get());
  return s.ok() ? s : Status::CopyAppendMessage(s, "; ", request_.path);
}

Status IngestedFile::Inspect() {
  Status s = Learn();
  if (!s.ok()) return s;
  if (reader_ == nullptr) s = CheckProperties();
  if (s.ok()) {
    meta_->LeaveOutTimestamps(job().cfd->ioptions().left_out_timestamp_bytes());
  }
  if (s.ok() && request_.ingest.verify_checksums_before_ingest) {
    s = VerifyBlocks();
  }
  if (s.ok()) s = CheckValuesInside();
  if (s.ok()) s = CheckGivenChecksum();
  if (!s.ok()) return Status::CopyAppendMessage(s, "; ", request_.path);
  meta_->temperature = request_.temperature;
  meta_->oldest_ancestor_time = meta_->file_creation_time = NowSeconds(job());
  if (properties_->tail_start_offset > 0 &&
      properties_->tail_start_offset < meta_->size_bytes) {
    meta_->tail_size_bytes = meta_->size_bytes - properties_->tail_start_offset;
  }
  TableUniqueId id;
  s = InternalUniqueIdOf(*properties_, &id);
  if (s.ok()) meta_->unique_id = {id[0], id[1]};
  // A file without an origin has no unique id.
  return Status::OK();
}

Status IngestedFile::CheckProperties() {
  if (properties_->user_defined_timestamps_persisted == 0 &&
      job().cfd->order().timestamp_size() != 0 &&
      job().cfd->ioptions().left_out_timestamp_bytes() == 0) {
    return Status::InvalidArgument(
        "the file leaves out its timestamps, the column family keeps them");
  }
  const uint64_t id = properties_->column_family_id;
  constexpr uint64_t kUnknown =
      TablePropertiesCollectorFactory::Context::kUnknownColumnFamily;
  if (!request_.ingest.allow_db_generated_files && id != kUnknown &&
      id != job().cfd->id()) {
    return Status::InvalidArgument("the file is for column family " +
                                   std::to_string(id) + " '" +
                                   properties_->column_family_name +
                                   "', not for '" + job().cfd->name() + "'");
  }
  return CheckVersion();
}

Status IngestedFile::CheckVersion() {
  constexpr uint32_t kNone = UINT32_MAX;
  const uint32_t version =
      CollectedFixed32(*properties_, kExternalSstVersionProperty, kNone);
  if (version == kNone) {
    if (request_.ingest.allow_db_generated_files) return Status::OK();
    return Status::Corruption("External file version not found");
  }
  if (version == 1) {
    if (!request_.ingest.allow_global_seqno) return Status::OK();
    return Status::InvalidArgument(
        "a file of version 1 has no place for a sequence number: set "
        "allow_global_seqno = false");
  }
  if (version != 2) {
    return Status::InvalidArgument("External file version " +
                                   std::to_string(version) +
                                   " is not supported");
  }
  const auto found = properties_->user_collected_properties.find(
      kExternalSstGlobalSeqnoProperty);
  if (found == properties_->user_collected_properties.end() ||
      found->second.size() != sizeof(uint64_t) ||
      properties_->external_sst_file_global_seqno_offset == 0) {
    return Status::Corruption("External file has no global sequence number");
  }
  stored_sequence_ = DecodeFixed64(found->second.data());
  has_sequence_field_ = true;
  if (properties_->key_largest_seqno != UINT64_MAX &&
      properties_->key_largest_seqno != 0) {
    return Status::Corruption("External file has sequence numbers");
  }
  return Status::OK();
}

std::unique_ptr<InputStream> IngestedFile::OpenStream(const std::string& path,
                                                      Status* s) {
  const BulkReadPolicy policy = CompactionReadPolicy(
      *job().db, *job().mutable_db, job().read_file_options);
  std::unique_ptr<FSRandomAccessFile> handle;
  *s = job().db->fs->NewRandomAccessFile(path, policy.file_options, &handle,
                                         nullptr);
  if (!s->ok()) return nullptr;
  InputStreamOptions options;
  options.clock = job().db->clock;
  options.statistics = job().db->stats;
  options.rate_limiter = job().db->rate_limiter.get();
  options.governor = job().cfd->tables()->governor();
  options.io_class = policy.io_class;
  options.backend = policy.backend;
  options.fs = job().db->fs;
  options.file_size = meta_->size_bytes;
  options.readahead_bytes =
      request_.ingest.verify_checksums_readahead_size > 0
          ? request_.ingest.verify_checksums_readahead_size
          : policy.readahead_bytes;
  return std::make_unique<InputStream>(std::move(handle), path,
                                       std::move(options));
}

Status IngestedFile::VerifyBlocks() {
  Status s;
  const std::unique_ptr<InputStream> data = OpenStream(request_.path, &s);
  if (!s.ok()) return s;
  ReadOptions read;
  read.fill_cache = false;
  return reader_->VerifyChecksum(read, data.get());
}

// A reference names a file of the database that wrote it. Only the entries
// tell whether there is one, so all of them are looked at; an export says it,
// and SstFileWriter writes none.
Status IngestedFile::CheckValuesInside() {
  const UserCollectedProperties& own = properties_->user_collected_properties;
  const bool is_of_database =
      own.count(kExternalSstVersionProperty) == 0 && !request_.is_described;
  if (!is_of_database) return Status::OK();
  Status s;
  std::unique_ptr<InputStream> data = OpenStream(request_.path, &s);
  if (!s.ok()) return s;
  ReadOptions read;
  read.fill_cache = false;
  TableIteratorOptions options;
  options.read_options = &read;
  options.skip_filters = true;
  std::unique_ptr<InternalIterator> entries;
  s = reader_->NewBulkIterator(options, std::move(data), &entries);
  if (!s.ok()) return s;
  WideColumns columns;
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    const ValueType type = ExtractType(entries->key());
    if (type == kTypeBlobIndex) {
      return Status::NotSupported("a file with references to blob files");
    }
    if (type != kTypeWideColumnEntity) continue;
    columns.clear();
    s = DecodeWideColumns(entries->value(), &columns);
    if (!s.ok()) return s;
  }
  return entries->status();
}

// What the caller says must fit what the database keeps.
Status IngestedFile::CheckGivenChecksum() const {
  const bool is_given = !request_.checksum_function.empty();
  if (is_given && job().db->file_checksum_gen_factory == nullptr) {
    return Status::InvalidArgument(
        "a file checksum is given, but there is no "
        "file_checksum_gen_factory");
  }
  return Status::OK();
}

Status IngestedFile::BringIn() {
  INVARIANT(properties_ != nullptr && !is_inside_);
  // No handle of the original stays open.
  reader_.reset();
  meta_->number = job().versions->NewFileNumber();
  is_inside_ = true;
  const IngestExternalFileOptions& options = request_.ingest;
  Status s;
  // A link is the caller's file, which is to stay as it is unless the files
  // come, and in doubt too: what is written into must be a copy.
  if ((options.move_files || options.link_files) && !KeepsSequenceInside()) {
    s = Link(&is_linked_);
  }
  if (s.ok() && !is_linked_) s = Copy();
  if (s.ok()) {
    NoteFileAdded(job().db->sst_file_manager.get(), InternalPath(),
                  meta_->size_bytes);
    s = NoteChecksum();
  }
  return s.ok() ? s : Status::CopyAppendMessage(s, "; ", request_.path);
}

// A number that the file has must be the one that it gets.
bool IngestedFile::KeepsSequenceInside() const {
  return has_sequence_field_ &&
         (request_.ingest.write_global_seqno || stored_sequence_ != 0);
}

Status IngestedFile::Link(bool* is_linked) {
  FileSystem* fs = job().db->fs;
  Status s = fs->LinkFile(request_.path, InternalPath(), IOOptions(), nullptr);
  if (!s.ok()) {
    if (!request_.ingest.failed_move_fall_back_to_copy) return s;
    Info(job().db->logger, "%s is copied, as it cannot be linked: %s",
         request_.path.c_str(), s.ToString().c_str());
    return Status::OK();
  }
  // Whoever wrote it may not have synced it.
  s = fs->SyncFile(InternalPath(), FileOptions(), IOOptions(),
                   job().db->use_fsync, nullptr);
  *is_linked = s.ok();
  return s;
}

Status IngestedFile::Copy() {
  Status s;
  const std::unique_ptr<InputStream> data = OpenStream(request_.path, &s);
  if (!s.ok()) return s;
  FileIoContext context;
  context.clock = job().db->clock;
  context.statistics = job().db->stats;
  context.rate_limiter = job().db->rate_limiter.get();
  context.governor = job().cfd->tables()->governor();
  context.io_class = IoClass::kMaintenance;
  context.overlaps_writes = true;
  context.hands_checksums =
      job().db->checksum_handoff_file_types.Contains(kTableFile);
  context.io_options.rate_limiter_priority = Env::IO_LOW;
  context.temperature = request_.temperature;
  FileOptions options = job().output_file_options;
  options.bytes_per_sync = job().mutable_db->bytes_per_sync;
  options.temperature = request_.temperature;
  std::unique_ptr<WritableFileWriter> writer;
  s = WritableFileWriter::Create(job().db->fs, InternalPath(), options, &writer,
                                 std::move(context));
  if (!s.ok()) return s;
  s = ForEachPiece(data.get(), meta_->size_bytes,
                   [&](const Slice& piece) { return writer->Append(piece); });
  if (s.ok()) s = writer->Sync(job().db->use_fsync);
  const Status closed = writer->Close();
  return s.ok() ? closed : s;
}

Status IngestedFile::ComputeChecksum(const std::string& path) {
  FileChecksumGenFactory* factory = job().db->file_checksum_gen_factory.get();
  INVARIANT(factory != nullptr);
  const std::unique_ptr<FileChecksumGenerator> generator =
      factory->CreateFileChecksumGenerator({path, request_.checksum_function});
  if (generator == nullptr) {
    return Status::InvalidArgument("no checksum function",
                                   request_.checksum_function);
  }
  Status s;
  const std::unique_ptr<InputStream> data = OpenStream(path, &s);
  if (!s.ok()) return s;
  s = DigestFile(data.get(), meta_->size_bytes, generator.get());
  if (!s.ok()) return s;
  meta_->checksum = generator->GetChecksum();
  meta_->checksum_function = generator->Name();
  return s;
}

// The checksum is taken of the file inside the database, so that a copy that
// went wrong is noticed. Without verify_file_checksum, a given one is trusted.
Status IngestedFile::NoteChecksum() {
  if (job().db->file_checksum_gen_factory == nullptr) return Status::OK();
  const bool is_given = !request_.checksum_function.empty();
  if (is_given && !request_.ingest.verify_file_checksum) {
    meta_->checksum = request_.checksum;
    meta_->checksum_function = request_.checksum_function;
    return Status::OK();
  }
  Status s = ComputeChecksum(InternalPath());
  if (!s.ok() || !is_given) return s;
  if (meta_->checksum_function != request_.checksum_function) {
    return Status::InvalidArgument(
        "the checksum is by " + request_.checksum_function +
        ", the database uses " + meta_->checksum_function);
  }
  if (meta_->checksum == request_.checksum) return s;
  return Status::Corruption("file checksum mismatch: expected " +
                            Slice(request_.checksum).ToString(true) +
                            ", found " + Slice(meta_->checksum).ToString(true));
}

// One number for all entries; the bounds carry it.
void IngestedFile::SetPlace(const Placement& placement, uint64_t epoch_number) {
  INVARIANT(is_inside_);
  placement_ = placement;
  meta_->epoch_number = epoch_number;
  if (!has_sequence_field_) {
    INVARIANT(placement.sequence == 0);
    return;
  }
  Renumber(placement.sequence);
}

void IngestedFile::Renumber(SequenceNumber sequence) {
  const auto renumber = [sequence](InternalKey* key) {
    if (key->IsTombstoneSentinel()) return;
    const InternalKey numbered(key->user_key(), sequence, key->type());
    *key = numbered;
  };
  renumber(&meta_->smallest);
  renumber(&meta_->largest);
  INVARIANT(job().cfd->order().Compare(meta_->smallest, meta_->largest) <= 0);
  meta_->smallest_sequence = meta_->largest_sequence = sequence;
}

// Bounds of the export count where it says them: tombstones may reach beyond.
Status IngestedFile::CheckImported(const LiveFileMetaData& exported) {
  INVARIANT(!is_inside_);
  if (exported.size != 0 && exported.size != meta_->size_bytes) {
    return Status::Corruption(request_.path,
                              "is " + std::to_string(meta_->size_bytes) +
                                  " bytes long, the export says " +
                                  std::to_string(exported.size));
  }
  if (exported.smallest_seqno > exported.largest_seqno ||
      exported.largest_seqno > kMaxSequenceNumber) {
    return Status::InvalidArgument(request_.path, "has impossible sequences");
  }
  if (exported.oldest_blob_file_number != 0) {
    return Status::NotSupported(
        request_.path,
        "has values in blob file " +
            std::to_string(exported.oldest_blob_file_number) +
            ", which are no part of an export: export the family with this "
            "engine");
  }
  if (exported.smallest.empty() || exported.largest.empty()) {
    return Status::OK();
  }
  ParsedInternalKey smallest, largest;
  if (!ParseInternalKey(exported.smallest, &smallest) ||
      !ParseInternalKey(exported.largest, &largest) ||
      job().cfd->order().Compare(Slice(exported.smallest),
                                 Slice(exported.largest)) > 0) {
    return Status::InvalidArgument(request_.path, "has impossible bounds");
  }
  meta_->smallest = InternalKey::FromEncoded(exported.smallest);
  meta_->largest = InternalKey::FromEncoded(exported.largest);
  return Status::OK();
}

void IngestedFile::SetImported(const LiveFileMetaData& exported,
                               uint64_t epoch_number) {
  INVARIANT(is_inside_);
  placement_.level = exported.level;
  meta_->epoch_number = epoch_number;
  if (has_sequence_field_) {
    placement_.sequence = exported.largest_seqno;
    Renumber(exported.largest_seqno);
  } else if (exported.largest_seqno > 0) {
    meta_->smallest_sequence = exported.smallest_seqno;
    meta_->largest_sequence = exported.largest_seqno;
  }
  if (exported.oldest_ancester_time != kUnknownTime) {
    meta_->oldest_ancestor_time = exported.oldest_ancester_time;
  }
  if (exported.file_creation_time != kUnknownTime) {
    meta_->file_creation_time = exported.file_creation_time;
  }
}

TableCache::Metadata IngestedFile::WhenMetadataCome() const {
  const int last_level = job().cfd->ioptions().num_levels - 1;
  INVARIANT(placement_.level <= last_level);
  return request_.ingest.prefetch_lmax_index_and_filter_blocks ||
                 placement_.level < last_level
             ? TableCache::Metadata::kNow
             : TableCache::Metadata::kWhenFirstRead;
}

Status IngestedFile::Seal() {
  if (is_sealed_) return Status::OK();
  Status s;
  const SequenceNumber sequence = placement_.sequence;
  if (KeepsSequenceInside() &&
      written_sequence_.value_or(stored_sequence_) != sequence) {
    INVARIANT(!is_linked_);
    s = WriteSequence(sequence);
    written_sequence_ = sequence;
    if (s.ok() && job().db->file_checksum_gen_factory != nullptr) {
      s = ComputeChecksum(InternalPath());
    }
  }
  ReadOptions read;
  read.fill_cache = request_.ingest.fill_cache;
  if (s.ok()) {
    // A reader that an earlier Seal() has opened shows the number of then.
    job().cfd->tables()->Forget(*meta_);
    meta_->open_metadata.clear();
    s = job().cfd->tables()->LoadFigures(meta_.get(), placement_.level,
                                         *request_.options, read,
                                         WhenMetadataCome());
  }
  if (s.ok() && meta_->entry_count.load() != properties_->num_entries) {
    s = Status::Corruption("another file than was looked at");
  }
  if (s.ok()) job().cfd->tables()->NoteOpenMetadata(meta_.get());
  is_sealed_ = s.ok();
  return s.ok() ? s : Status::CopyAppendMessage(s, "; ", request_.path);
}

void IngestedFile::SetSequence(SequenceNumber sequence) {
  INVARIANT(is_sealed_ && !is_kept_);
  INVARIANT(has_sequence_field_ && placement_.sequence == 0);
  is_sealed_ = false;
  placement_.sequence = sequence;
  Renumber(sequence);
}

Status IngestedFile::WriteSequence(SequenceNumber sequence) {
  const uint64_t at = properties_->external_sst_file_global_seqno_offset;
  if (at == kNoPlaceForSequence) {
    return Status::NotSupported(
        "write_global_seqno: the table format has no place for it");
  }
  std::unique_ptr<FSRandomRWFile> file;
  Status s = job().db->fs->NewRandomRWFile(InternalPath(), FileOptions(), &file,
                                           nullptr);
  if (!s.ok()) {
    return IsRefused(s) ? Status::NotSupported(
                              "write_global_seqno: the file system cannot "
                              "write into a file",
                              s.ToString())
                        : s;
  }
  std::string bytes;
  PutFixed64(&bytes, sequence);
  INVARIANT(at > 0 && at + bytes.size() <= meta_->size_bytes);
  s = file->Write(at, bytes, IOOptions(), nullptr);
  if (s.ok()) s = file->Fsync(IOOptions(), nullptr);
  const Status closed = file->Close(IOOptions(), nullptr);
  return s.ok() ? closed : s;
}

void IngestedFile::RemoveOriginal() {
  INVARIANT(is_kept_);
  if (!request_.ingest.move_files) return;
  // At once: trash in a directory of the user's would be nobody's after a
  // crash. Most often it is the second name of the file that was taken in.
  const IOStatus s = DeleteFileIfExists(job().db->fs, request_.path);
  if (s.ok()) return;
  Warn(job().db->logger, "%s was ingested and cannot be removed: %s",
       request_.path.c_str(), s.ToString().c_str());
}

void IngestedFile::FillInfo(ExternalFileIngestionInfo* info) const {
  INVARIANT(info != nullptr && properties_ != nullptr);
  info->cf_name = job().cfd->name();
  info->external_file_path = request_.path;
  info->internal_file_path = InternalPath();
  info->global_seqno = placement_.sequence;
  info->table_properties = *properties_;
}

}  // namespace ROCKSDB_NAMESPACE
