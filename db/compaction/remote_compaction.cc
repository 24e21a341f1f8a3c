#include "db/compaction/remote_compaction.h"

#include <algorithm>

#include "db/manifest/version_set.h"
#include "db/outputs/output_reader.h"
#include "file/filename.h"
#include "file/sst_file_manager_impl.h"
#include "table/table_reader.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kRequestTag[] = "basalt compaction request 2";
constexpr char kResultTag[] = "basalt compaction result 1";

class FieldWriter {
 public:
  explicit FieldWriter(const char* tag) { Text(tag); }

  void Number(uint64_t number) { PutVarint64(&bytes_, number); }
  void Text(const Slice& text) { PutLengthPrefixedSlice(&bytes_, text); }
  void Numbers(const std::vector<uint64_t>& numbers) {
    Number(numbers.size());
    for (const uint64_t number : numbers) Number(number);
  }
  std::string Finish() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// After a field that is not there every other one is empty, too.
class FieldReader {
 public:
  FieldReader(const Slice& bytes, const char* tag) : rest_(bytes) {
    is_good_ = Text() == tag;
  }

  uint64_t Number() {
    uint64_t number = 0;
    is_good_ = is_good_ && GetVarint64(&rest_, &number);
    return is_good_ ? number : 0;
  }
  // At most `last`.
  uint64_t NumberTo(uint64_t last) {
    const uint64_t number = Number();
    is_good_ = is_good_ && number <= last;
    return is_good_ ? number : 0;
  }
  // How many fields follow, each of a byte at least.
  uint64_t Count() { return NumberTo(rest_.size()); }
  std::string Text() {
    Slice text;
    is_good_ = is_good_ && GetLengthPrefixedSlice(&rest_, &text);
    return is_good_ ? text.ToString() : "";
  }
  std::vector<uint64_t> Numbers() {
    std::vector<uint64_t> numbers(Count());
    for (uint64_t& number : numbers) number = Number();
    return numbers;
  }
  Status Finish(const char* what) const {
    return is_good_ && rest_.empty() ? Status::OK() : Status::Corruption(what);
  }

 private:
  Slice rest_;
  bool is_good_ = true;
};

void PutStatus(const Status& status, FieldWriter* out) {
  out->Number(static_cast<uint64_t>(status.code()));
  out->Number(static_cast<uint64_t>(status.subcode()));
  out->Text(status.getState() == nullptr ? "" : status.getState());
}

// A status of any code, as the worker had it.
class WorkerStatus : public Status {
 public:
  WorkerStatus(Code code, SubCode subcode, const std::string& text)
      : Status(code, subcode, "on the worker", text, Severity::kNoError) {}
};

Status GetStatus(FieldReader* in) {
  const auto code = static_cast<Status::Code>(
      in->NumberTo(static_cast<uint64_t>(Status::Code::kMaxCode) - 1));
  const auto subcode = static_cast<Status::SubCode>(
      in->NumberTo(static_cast<uint64_t>(Status::SubCode::kMaxSubCode) - 1));
  const std::string text = in->Text();
  if (code == Status::Code::kOk) return Status::OK();
  return WorkerStatus(code, subcode, text);
}

// The file `number` of a level that is searched from `first` to `last`.
FileRef FindFile(const VersionStorage& storage, uint64_t number, int first,
                 int last) {
  for (int level = first; level <= last; ++level) {
    for (const FileRef& file : storage.files(level)) {
      if (file->number == number) return file;
    }
  }
  return nullptr;
}

Status NoSuchInput(uint64_t number) {
  return Status::NotFound("an input of the compaction",
                          "table file " + std::to_string(number));
}

std::vector<uint64_t> NumbersOf(const std::vector<FileRef>& files) {
  std::vector<uint64_t> numbers;
  for (const FileRef& file : files) numbers.push_back(file->number);
  return numbers;
}

// Ascending numbers of some inputs, but never of all.
bool IsPartOf(
    const std::vector<uint64_t>& unread,
    const std::vector<std::pair<int, std::vector<uint64_t>>>& inputs) {
  std::vector<uint64_t> all;
  for (const auto& [level, numbers] : inputs) {
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  std::sort(all.begin(), all.end());
  return std::is_sorted(unread.begin(), unread.end()) &&
         std::includes(all.begin(), all.end(), unread.begin(), unread.end()) &&
         (unread.empty() || unread.size() < all.size());
}

}  // namespace

RemoteCompactionRequest RemoteCompactionRequest::Of(const JobContext& job,
                                                    const Compaction& c) {
  RemoteCompactionRequest r;
  r.db_id = job.db_id;
  r.family = job.cfd->name();
  r.paths = job.cfd->tables()->paths();
  for (const CompactionInputLevel& level : c.inputs) {
    r.inputs.emplace_back(level.level, NumbersOf(level.files));
  }
  r.unread = c.unread;
  r.grandparents = NumbersOf(c.grandparents);
  r.output_level = c.output_level;
  r.max_output_file_bytes = c.max_output_file_bytes;
  r.max_grandparent_overlap_bytes = c.max_grandparent_overlap_bytes;
  r.max_subcompactions = c.max_subcompactions;
  r.compression = c.compression;
  r.reason = c.reason;
  r.output_temperature = c.output_temperature;
  r.is_manual = c.is_manual;
  r.is_bottommost = c.is_bottommost;
  r.snapshots = job.snapshots.sequences;
  return r;
}

std::string RemoteCompactionRequest::Encode() const {
  FieldWriter out(kRequestTag);
  out.Text(db_id);
  out.Text(family);
  out.Number(paths.size());
  for (const std::string& path : paths) out.Text(path);
  out.Number(inputs.size());
  for (const auto& [level, numbers] : inputs) {
    out.Number(static_cast<uint64_t>(level));
    out.Numbers(numbers);
  }
  out.Numbers(unread);
  out.Numbers(grandparents);
  out.Number(static_cast<uint64_t>(output_level));
  out.Number(max_output_file_bytes);
  out.Number(max_grandparent_overlap_bytes);
  out.Number(max_subcompactions);
  out.Number(static_cast<uint64_t>(compression));
  out.Number(static_cast<uint64_t>(reason));
  out.Number(static_cast<uint64_t>(output_temperature));
  out.Number(is_manual ? 1 : 0);
  out.Number(is_bottommost ? 1 : 0);
  out.Numbers(snapshots);
  return out.Finish();
}

Status RemoteCompactionRequest::Decode(const Slice& bytes) {
  FieldReader in(bytes, kRequestTag);
  db_id = in.Text();
  family = in.Text();
  paths.resize(in.Count());
  for (std::string& path : paths) path = in.Text();
  inputs.resize(in.Count());
  for (auto& [level, numbers] : inputs) {
    level = static_cast<int>(in.NumberTo(INT_MAX));
    numbers = in.Numbers();
  }
  unread = in.Numbers();
  grandparents = in.Numbers();
  output_level = static_cast<int>(in.NumberTo(INT_MAX));
  max_output_file_bytes = in.Number();
  max_grandparent_overlap_bytes = in.Number();
  max_subcompactions = static_cast<uint32_t>(in.NumberTo(UINT32_MAX));
  compression = static_cast<CompressionType>(in.NumberTo(UINT8_MAX));
  reason = static_cast<CompactionReason>(
      in.NumberTo(static_cast<uint64_t>(CompactionReason::kNumOfReasons) - 1));
  output_temperature = static_cast<Temperature>(in.NumberTo(UINT8_MAX));
  is_manual = in.NumberTo(1) != 0;
  is_bottommost = in.NumberTo(1) != 0;
  snapshots = in.Numbers();
  Status s = in.Finish("not a request for a remote compaction");
  const bool is_empty =
      inputs.empty() ||
      std::any_of(inputs.begin(), inputs.end(),
                  [](const auto& level) { return level.second.empty(); });
  if (s.ok() && (is_empty || paths.empty() || max_subcompactions == 0)) {
    s = Status::Corruption("a remote compaction without inputs");
  }
  if (s.ok() && !IsPartOf(unread, inputs)) {
    s = Status::Corruption("a remote compaction leaves out what is no input");
  }
  if (s.ok() && !std::is_sorted(snapshots.begin(), snapshots.end())) {
    s = Status::Corruption("snapshots of a remote compaction out of order");
  }
  return s;
}

Status RemoteCompactionRequest::Restore(
    VersionRef version, std::shared_ptr<const MutableCFOptions> options,
    std::unique_ptr<Compaction>* compaction) const {
  INVARIANT(compaction != nullptr && version != nullptr);
  const VersionStorage& storage = version->storage();
  const int last = storage.level_count() - 1;
  if (output_level > last || inputs.back().first > last) {
    return Status::InvalidArgument("a remote compaction of level",
                                   std::to_string(output_level));
  }
  auto c = std::make_unique<Compaction>();
  for (const auto& [level, numbers] : inputs) {
    if (level > last) return NoSuchInput(numbers.front());
    CompactionInputLevel input;
    input.level = level;
    for (const uint64_t number : numbers) {
      FileRef file = FindFile(storage, number, level, level);
      if (file == nullptr) return NoSuchInput(number);
      input.files.push_back(std::move(file));
    }
    if (level > 0) {
      Status s = LevelFiles::Build(input.files, storage.order(),
                                   /*check_consistency=*/true, &input.sorted);
      if (!s.ok()) return s;
    }
    c->inputs.push_back(std::move(input));
  }
  // They only say where files are cut.
  for (const uint64_t number : grandparents) {
    FileRef file = FindFile(storage, number, output_level + 1, last);
    if (file != nullptr) c->grandparents.push_back(std::move(file));
  }
  c->unread = unread;
  c->options = std::move(options);
  c->output_level = output_level;
  c->max_output_file_bytes = max_output_file_bytes;
  c->max_grandparent_overlap_bytes = max_grandparent_overlap_bytes;
  c->max_subcompactions = max_subcompactions;
  c->compression = compression;
  c->compression_options =
      c->options->CompressionOptionsForLevel(is_bottommost);
  c->reason = reason;
  c->output_temperature = output_temperature;
  c->is_manual = is_manual;
  c->is_bottommost = is_bottommost;
  c->version = std::move(version);
  *compaction = std::move(c);
  return Status::OK();
}

Status RemoteCompactionResult::Encode(std::string* bytes) const {
  INVARIANT(bytes != nullptr);
  FieldWriter out(kResultTag);
  PutStatus(status, &out);
  out.Text(directory);
  std::string edit;
  if (Status s = files.EncodeTo(&edit); !s.ok()) return s;
  out.Text(edit);
  for (const uint64_t count :
       {records.records_in, records.deletions_in, records.dropped_hidden,
        records.dropped_obsolete, records.dropped_by_range,
        records.dropped_by_filter, records.single_delete_fallthrough,
        records.single_delete_mismatch, records.corrupt_keys}) {
    out.Number(count);
  }
  out.Number(records.has_skipped ? 1 : 0);
  out.Number(dropped_tombstones);
  out.Number(cpu_micros);
  *bytes = out.Finish();
  return Status::OK();
}

Status RemoteCompactionResult::Decode(const Slice& bytes) {
  FieldReader in(bytes, kResultTag);
  status = GetStatus(&in);
  directory = in.Text();
  const std::string edit = in.Text();
  for (uint64_t* count :
       {&records.records_in, &records.deletions_in, &records.dropped_hidden,
        &records.dropped_obsolete, &records.dropped_by_range,
        &records.dropped_by_filter, &records.single_delete_fallthrough,
        &records.single_delete_mismatch, &records.corrupt_keys}) {
    *count = in.Number();
  }
  records.has_skipped = in.NumberTo(1) != 0;
  dropped_tombstones = in.Number();
  cpu_micros = in.Number();
  Status s = in.Finish("not a result of a remote compaction");
  return s.ok() ? files.DecodeFrom(edit) : s;
}

// Blob files lie in directories and are counted by numbers that only this
// process gives out.
std::string WhyNotRemote(const Compaction& compaction) {
  if (compaction.copies_input) return "a file is copied as it is";
  if (!compaction.trim_ts.empty()) return "newer versions go";
  if (compaction.options->enable_blob_files) return "blob files are enabled";
  if (compaction.zeroes_up_to != kMaxSequenceNumber) {
    return "sequence numbers tell the age of data";
  }
  for (const CompactionInputLevel& level : compaction.inputs) {
    for (const FileRef& file : level.files) {
      if (file->oldest_blob_file != 0) return "inputs refer to blob files";
    }
  }
  return "";
}

CompactionServiceJobInfo DescribeForService(const JobContext& job,
                                            const Compaction& c) {
  CompactionServiceJobInfo info;
  info.db_name = job.db_name;
  info.db_id = job.db_id;
  info.db_session_id = job.db_session_id;
  info.cf_id = job.cfd->id();
  info.cf_name = job.cfd->name();
  info.job_id = static_cast<uint64_t>(job.job_id);
  info.priority = Env::LOW;
  info.compaction_reason = c.reason;
  info.is_full_compaction =
      c.InputFileCount() == c.version->storage().FileCount();
  info.is_manual_compaction = c.is_manual;
  info.bottommost_level = c.is_bottommost;
  info.base_input_level = c.start_level();
  info.output_level = c.output_level;
  return info;
}

namespace {

std::shared_ptr<FileMeta> MetaOf(const JobContext& job, const Compaction& c,
                                 const FileMeta& recorded) {
  auto meta = std::make_shared<FileMeta>();
  meta->CopyManifestPartFrom(recorded);
  meta->RestoreTimestamps(job.cfd->order().timestamp_size());
  meta->path_id = c.output_path_id;
  meta->open_metadata.clear();  // That of another file.
  return meta;
}

// Its figures and properties.
Status OpenOutput(const JobContext& job, const Compaction& c,
                  CompactionOutputFile* output) {
  const TableCache& tables = *job.cfd->tables();
  FileMeta* meta = output->meta.get();
  Status s = tables.LoadFigures(meta, output->level, *c.options);
  std::shared_ptr<const TableReader> reader;
  if (s.ok()) tables.NoteOpenMetadata(meta);
  if (s.ok()) {
    s = tables.Find(ReadOptions(), *meta, output->level, *c.options, &reader);
  }
  if (s.ok()) output->properties = reader->properties();
  return s;
}

}  // namespace

Status TakeFinishedFile(const JobContext& job, const Compaction& c,
                        const FileMeta& recorded,
                        CompactionOutputFile* output) {
  INVARIANT(output != nullptr);
  const std::shared_ptr<FileMeta> meta = MetaOf(job, c, recorded);
  *output = {meta, nullptr, c.output_level};
  Status s = job.cfd->tables()->CheckPresence(*meta);
  if (s.ok()) s = OpenOutput(job, c, output);
  if (s.ok()) job.versions->MarkFileNumberUsed(meta->number);
  return s;
}

Status TakeInRemoteFiles(const JobContext& job, const Compaction& c,
                         const RemoteCompactionResult& result,
                         std::vector<CompactionOutputFile>* outputs) {
  INVARIANT(outputs != nullptr);
  const TableCache& tables = *job.cfd->tables();
  for (const VersionEdit::NewFile& added : result.files.new_files) {
    if (added.level != c.output_level) {
      return Status::Corruption("a file of a remote compaction for level",
                                std::to_string(added.level));
    }
    const std::shared_ptr<FileMeta> meta = MetaOf(job, c, *added.file);
    meta->number = job.versions->NewFileNumber();
    Status s = job.db->fs->RenameFile(
        TableFileName(result.directory, added.file->number),
        tables.FilePath(*meta), IOOptions(), nullptr);
    if (!s.ok()) return s;
    outputs->push_back({meta, nullptr, c.output_level});
    s = OpenOutput(job, c, &outputs->back());
    if (!s.ok()) return s;
    s = OutputReader(job, {meta.get(), c.output_level, c.options.get()})
            .CheckAsAsked(VerifyOutputFlags::kEnableForRemoteCompaction);
    // What came back is bad, not what the database has.
    if (!s.ok()) return Status::Incomplete("remote compaction", s.ToString());
    NoteFileAdded(job.db->sst_file_manager.get(), tables.FilePath(*meta),
                  meta->size_bytes);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
