#include "db/compaction/progress_file.h"

#include <algorithm>

#include "db/version/manifest_format.h"
#include "db/version/version_edit.h"
#include "db/wal/log_reader.h"
#include "db/wal/log_writer.h"
#include "file/file_util.h"
#include "file/filename.h"
#include "file/sequential_file_reader.h"
#include "file/writable_file_writer.h"
#include "rocksdb/info_log.h"
#include "rocksdb/system_clock.h"
#include "util/coding.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Fields of a record, and of the part about one level's outputs.
constexpr uint32_t kEnd = 1;
constexpr uint32_t kNextKey = 2;
constexpr uint32_t kRecordsRead = 3;
constexpr uint32_t kOutputLevel = 4;
constexpr uint32_t kUpperLevel = 5;
constexpr uint32_t kNewFiles = 2;
constexpr uint32_t kRecordsWritten = 3;
// A reader that does not know a field with this bit passes it over.
constexpr uint32_t kMayBeSkippedBit = 1 << 16;
// Ours; the first record of a file has the request and nothing else.
constexpr uint32_t kRequest = kMayBeSkippedBit + 16;
constexpr uint32_t kCounts = kMayBeSkippedBit + 17;
// In place of the level of a new file: that of the part it stands in.
constexpr uint32_t kNoLevel = UINT32_MAX;

Status Bad(const char* what) {
  return Status::Corruption("progress of a compaction", what);
}

Status UnknownField(uint32_t tag) {
  return Status::NotSupported("progress of a compaction: field",
                              std::to_string(tag));
}

void PutField(uint32_t tag, const Slice& value, std::string* out) {
  PutVarint32(out, tag);
  PutLengthPrefixedSlice(out, value);
}

void PutNumberField(uint32_t tag, uint64_t number, std::string* out) {
  std::string value;
  PutVarint64(&value, number);
  PutField(tag, value, out);
}

bool GetNumber(Slice value, uint64_t* number) {
  return GetVarint64(&value, number) && value.empty();
}

// Calls `take(tag, value)` for every field of `bytes`.
template <class Take>
Status ForEachField(Slice bytes, const Take& take) {
  while (true) {
    uint32_t tag = 0;
    Slice value;
    if (!GetVarint32(&bytes, &tag)) return Bad("cut short");
    if (tag == kEnd) return bytes.empty() ? Status::OK() : Bad("bytes behind");
    if (!GetLengthPrefixedSlice(&bytes, &value)) return Bad("cut short");
    if (Status s = take(tag, value); !s.ok()) return s;
  }
}

// A file as the manifest describes it, but for the level.
Status EncodeFile(const FileRef& file, std::string* out) {
  VersionEdit edit;
  // Nobody but the worker knows the paths that it has.
  auto meta = std::make_shared<FileMeta>();
  meta->CopyManifestPartFrom(*file);
  meta->path_id = 0;
  edit.AddFile(0, std::move(meta));
  std::string encoded;
  if (Status s = edit.EncodeTo(&encoded); !s.ok()) return s;
  Slice rest(encoded);
  uint32_t tag = 0, level = 0;
  const bool is_one_file =
      GetVarint32(&rest, &tag) && GetVarint32(&rest, &level);
  INVARIANT(is_one_file && level == 0);
  INVARIANT(tag == static_cast<uint32_t>(ManifestTag::kNewFile4));
  PutVarint32(out, kNoLevel);
  out->append(rest.data(), rest.size());
  return Status::OK();
}

Status DecodeFile(Slice bytes, FileRef* file) {
  uint32_t level = 0;
  if (!GetVarint32(&bytes, &level) || level != kNoLevel) return Bad("a file");
  std::string encoded;
  PutVarint32(&encoded, static_cast<uint32_t>(ManifestTag::kNewFile4));
  PutVarint32(&encoded, 0);
  encoded.append(bytes.data(), bytes.size());
  VersionEdit edit;
  if (Status s = edit.DecodeFrom(encoded); !s.ok()) return s;
  if (edit.new_files.size() != 1) return Bad("a file");
  *file = edit.new_files.front().file;
  return Status::OK();
}

Status DecodeFiles(Slice bytes, std::vector<FileRef>* files) {
  uint32_t count = 0;
  if (!GetVarint32(&bytes, &count)) return Bad("the count of files");
  for (uint32_t i = 0; i < count; ++i) {
    Slice encoded;
    if (!GetLengthPrefixedSlice(&bytes, &encoded)) return Bad("a file");
    FileRef file;
    if (Status s = DecodeFile(encoded, &file); !s.ok()) return s;
    files->push_back(std::move(file));
  }
  return bytes.empty() ? Status::OK() : Bad("bytes behind files");
}

// Every number that is counted, in a fixed order.
template <class Counts, class Visit>
bool ForEachCount(Counts& c, const Visit& visit) {
  auto& r = c.records;
  return visit(r.records_in) && visit(r.deletions_in) &&
         visit(r.dropped_hidden) && visit(r.dropped_obsolete) &&
         visit(r.dropped_by_range) && visit(r.dropped_by_filter) &&
         visit(r.single_delete_fallthrough) &&
         visit(r.single_delete_mismatch) && visit(r.corrupt_keys) &&
         visit(c.dropped_tombstones) && visit(c.cpu_micros);
}

std::string EncodeCounts(const CompactionCounts& counts) {
  std::string value;
  ForEachCount(counts, [&value](uint64_t count) {
    PutVarint64(&value, count);
    return true;
  });
  value.push_back(counts.records.has_skipped ? 1 : 0);
  return value;
}

Status DecodeCounts(Slice value, CompactionCounts* counts) {
  const bool is_good = ForEachCount(*counts, [&value](uint64_t& count) {
    return GetVarint64(&value, &count);
  });
  if (!is_good || value.size() != 1) return Bad("counts");
  counts->records.has_skipped = value[0] != 0;
  return Status::OK();
}

// What a file's first record says; nothing else does.
std::string EncodeRequest(const Slice& request) {
  std::string fields;
  PutField(kRequest, request, &fields);
  PutVarint32(&fields, kEnd);
  return fields;
}

// A record of the log: an edit with one field.
std::string AsEdit(const Slice& fields) {
  std::string edit;
  PutField(static_cast<uint32_t>(ManifestTag::kSubcompactionProgress), fields,
           &edit);
  return edit;
}

bool IsRequest(Slice fields) {
  uint32_t tag = 0;
  return GetVarint32(&fields, &tag) && tag == kRequest;
}

bool FieldsOf(Slice edit, Slice* fields) {
  uint32_t tag = 0;
  return GetVarint32(&edit, &tag) &&
         tag == static_cast<uint32_t>(ManifestTag::kSubcompactionProgress) &&
         GetLengthPrefixedSlice(&edit, fields) && edit.empty();
}

std::string NameOf(uint64_t time) {
  return "COMPACTION_PROGRESS-" + std::to_string(time);
}

}  // namespace

// ----------------------------------------------------------------- records

void CompactionCounts::Add(const CompactionCounts& other) {
  records.Add(other.records);
  dropped_tombstones += other.dropped_tombstones;
  cpu_micros += other.cpu_micros;
}

Status CompactionProgressRecord::EncodeTo(std::string* out) const {
  INVARIANT(out != nullptr);
  if (next) PutField(kNextKey, next->Encode(), out);
  PutNumberField(kRecordsRead, counts.records.records_in, out);
  std::string encoded_files;
  PutVarint32(&encoded_files, static_cast<uint32_t>(files.size()));
  for (const FileRef& file : files) {
    std::string encoded;
    if (Status s = EncodeFile(file, &encoded); !s.ok()) return s;
    PutLengthPrefixedSlice(&encoded_files, encoded);
  }
  std::string level;
  PutField(kNewFiles, encoded_files, &level);
  PutNumberField(kRecordsWritten, output_records, &level);
  PutVarint32(&level, kEnd);
  PutField(kOutputLevel, level, out);
  PutField(kCounts, EncodeCounts(counts), out);
  PutVarint32(out, kEnd);
  return Status::OK();
}

Status CompactionProgressRecord::DecodeFrom(Slice bytes) {
  bool is_whole = false;
  const Status s = DecodeFields(bytes, Writer::kThisEngine, &is_whole);
  return s.ok() && !is_whole ? Bad("not ours") : s;
}

Status CompactionProgressRecord::DecodeAnyFrom(Slice bytes) {
  bool is_whole = false;
  return DecodeFields(bytes, Writer::kAnyEngine, &is_whole);
}

Status CompactionProgressRecord::DecodeFields(Slice bytes, Writer writer,
                                              bool* is_whole) {
  *this = CompactionProgressRecord();
  bool has_level = false, has_counts = false;
  const auto take_of_level = [this](uint32_t tag, const Slice& value) {
    if (tag == kNewFiles) return DecodeFiles(value, &files);
    if (tag == kRecordsWritten) {
      uint64_t written = 0;
      if (!GetNumber(value, &written)) return Bad("records written");
      output_records += written;
      return Status::OK();
    }
    return (tag & kMayBeSkippedBit) != 0 ? Status::OK() : UnknownField(tag);
  };
  Status s = ForEachField(bytes, [&](uint32_t tag, const Slice& value) {
    uint64_t ignored = 0;
    switch (tag) {
      case kNextKey:
        if (value.size() < kInternalKeyTrailerBytes) return Bad("next key");
        next.emplace();
        *next->rep() = value.ToString();
        return Status::OK();
      case kRecordsRead:  // Among the counts, too.
        return GetNumber(value, &ignored) ? Status::OK() : Bad("records read");
      case kOutputLevel:
        has_level = true;
        return ForEachField(value, take_of_level);
      case kUpperLevel:
        if (writer == Writer::kAnyEngine) {
          return ForEachField(value, take_of_level);
        }
        // Workers do not write to two levels.
        return Status::NotSupported("progress of a compaction to two levels");
      case kCounts:
        has_counts = true;
        return DecodeCounts(value, &counts);
      default:
        return (tag & kMayBeSkippedBit) != 0 ? Status::OK() : UnknownField(tag);
    }
  });
  *is_whole = has_level && has_counts;
  return s;
}

// -------------------------------------------------------------------- files

CompactionProgressFile::CompactionProgressFile(Context context)
    : context_(std::move(context)) {
  INVARIANT(context_.fs != nullptr && context_.clock != nullptr);
  INVARIANT(context_.directory != nullptr && !context_.path.empty());
  INVARIANT(!context_.request.empty());
}

CompactionProgressFile::~CompactionProgressFile() {
  if (writer_ != nullptr) {
    IgnoreError(writer_->Close(), "every record was synced");
  }
}

Status CompactionProgressFile::List(FileSystem* fs, const std::string& path,
                                    Listing* found) {
  INVARIANT(found != nullptr);
  *found = Listing();
  std::vector<std::string> names;
  Status s = fs->GetChildren(path, IOOptions(), &names, nullptr);
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (!ParseFileName(name, &number, &type)) continue;
    if (type == kTableFile) found->tables.push_back(number);
    const bool is_record = type == kCompactionProgressFile;
    if (is_record) found->newest = std::max(found->newest, number);
    if (is_record || Slice(name).starts_with(NameOf(number))) {
      found->records.push_back(name);
    }
  }
  return s;
}

Status CompactionProgressFile::RemoveAll(FileSystem* fs,
                                         const std::string& path) {
  Listing found;
  Status s = List(fs, path, &found);
  for (const std::string& name : found.records) {
    if (s.ok()) s = DeleteFileIfExists(fs, path + "/" + name);
  }
  return s;
}

Status CompactionProgressFile::Load(
    std::vector<CompactionProgressRecord>* records) {
  INVARIANT(records != nullptr && writer_ == nullptr);
  records->clear();
  Status s = List(context_.fs, context_.path, &earlier_);
  if (!s.ok() || earlier_.newest == 0) return s;
  const std::string path = context_.path + "/" + NameOf(earlier_.newest);
  s = Read(path, records);
  if (!s.ok()) {
    Warn(context_.logger, "of %s %zu records are good: %s", path.c_str(),
         records->size(), s.ToString().c_str());
  }
  return Status::OK();
}

// What comes before a record that is not good is.
Status CompactionProgressFile::Read(
    const std::string& path,
    std::vector<CompactionProgressRecord>* records) const {
  std::unique_ptr<SequentialFileReader> file;
  Status s =
      SequentialFileReader::Create(context_.fs, path, FileOptions(), &file);
  if (!s.ok()) return s;
  log::FirstDamage damage;
  log::Reader::Options options;
  options.name = path;
  log::Reader reader(std::move(file), &damage, options);
  Slice edit;
  std::string scratch;
  const std::string head = EncodeRequest(context_.request);
  bool is_first = true;
  while (reader.ReadRecord(&edit, &scratch) && damage.status().ok()) {
    Slice fields;
    if (!FieldsOf(edit, &fields)) return Bad("an edit of another kind");
    if (is_first) {
      is_first = false;
      if (fields != head) return Bad("of another request");
      continue;
    }
    if (!records->empty() && !records->back().next) return Bad("goes on");
    CompactionProgressRecord record;
    s = record.DecodeFrom(fields);
    if (!s.ok()) return s;
    records->push_back(std::move(record));
  }
  return damage.status();
}

Status CompactionProgressFile::Inspect(
    FileSystem* fs, const std::string& path,
    std::vector<CompactionProgressRecord>* records) {
  std::unique_ptr<SequentialFileReader> file;
  Status s = SequentialFileReader::Create(fs, path, FileOptions(), &file);
  if (!s.ok()) return s;
  log::FirstDamage damage;
  log::Reader::Options options;
  options.name = path;
  log::Reader reader(std::move(file), &damage, options);
  Slice edit;
  std::string scratch;
  while (reader.ReadRecord(&edit, &scratch) && damage.status().ok()) {
    Slice fields;
    if (!FieldsOf(edit, &fields)) return Bad("an edit of another kind");
    if (IsRequest(fields)) continue;
    CompactionProgressRecord record;
    if (s = record.DecodeAnyFrom(fields); !s.ok()) return s;
    records->push_back(std::move(record));
  }
  return damage.status();
}

Status CompactionProgressFile::Begin(
    const std::vector<CompactionProgressRecord>& records) {
  INVARIANT(writer_ == nullptr);
  // The file before has them on record, should this one not come to be.
  for (const CompactionProgressRecord& record : records) {
    for (const FileRef& file : record.files) tables_.insert(file->number);
  }
  name_ = NameOf(std::max(context_.clock->NowMicros(), earlier_.newest + 1));
  const std::string path = context_.path + "/" + name_;
  const std::string temporary = path + ".dbtmp";
  Status s = Write(records, temporary);
  if (s.ok()) {
    s = context_.fs->RenameFile(temporary, path, IOOptions(), nullptr);
  }
  if (s.ok()) {
    s = context_.directory->FsyncWithDirOptions(
        IOOptions(), nullptr, DirFsyncOptions(DirFsyncOptions::kFileRenamed));
  }
  if (!s.ok()) return s;
  for (const std::string& name : earlier_.records) {
    s = DeleteFileIfExists(context_.fs, context_.path + "/" + name);
    if (!s.ok()) return s;
  }
  // Only a directory that has such records is known to be a worker's.
  if (earlier_.records.empty()) return s;
  for (const uint64_t number : earlier_.tables) {
    if (Has(number)) continue;
    s = DeleteFileIfExists(context_.fs, TableFileName(context_.path, number));
    if (!s.ok()) return s;
  }
  return s;
}

Status CompactionProgressFile::Write(
    const std::vector<CompactionProgressRecord>& records,
    const std::string& temporary) {
  std::unique_ptr<WritableFileWriter> file;
  Status s =
      WritableFileWriter::Create(context_.fs, temporary, FileOptions(), &file);
  if (!s.ok()) return s;
  writer_ =
      std::make_unique<log::Writer>(std::move(file), log::WriterOptions());
  s = writer_->AddRecord(AsEdit(EncodeRequest(context_.request)));
  for (const CompactionProgressRecord& record : records) {
    if (s.ok()) s = Append(record);
  }
  return s.ok() ? writer_->Sync(/*use_fsync=*/false) : s;
}

Status CompactionProgressFile::Append(const CompactionProgressRecord& record) {
  INVARIANT(writer_ != nullptr);
  std::string fields;
  Status s = record.EncodeTo(&fields);
  if (s.ok()) s = writer_->AddRecord(AsEdit(fields));
  if (!s.ok()) return s;
  for (const FileRef& file : record.files) tables_.insert(file->number);
  return s;
}

void CompactionProgressFile::Add(const CompactionProgressRecord& record) {
  if (writer_ == nullptr) return;
  Status s = Append(record);
  if (s.ok()) s = writer_->Sync(/*use_fsync=*/false);
  if (s.ok()) return;
  for (const FileRef& file : record.files) tables_.erase(file->number);
  Stop(s);
}

// Those records that are there still count.
void CompactionProgressFile::Stop(const Status& why) {
  Warn(context_.logger, "no more progress is recorded in %s: %s", name_.c_str(),
       why.ToString().c_str());
  IgnoreError(writer_->Close(), "it has failed before");
  writer_.reset();
}

void CompactionProgressFile::Forget() {
  tables_.clear();
  if (writer_ != nullptr) {
    IgnoreError(writer_->Close(), "the file goes away");
  }
  writer_.reset();
  if (name_.empty()) return;
  const Status s = DeleteFileIfExists(context_.fs, context_.path + "/" + name_);
  if (!s.ok()) {
    Warn(context_.logger, "%s stays: %s", name_.c_str(), s.ToString().c_str());
  }
}

}  // namespace ROCKSDB_NAMESPACE
