#include "tools/ldb/doctor/value_examination.h"

#include <utility>

#include "db/blob/blob_contents.h"
#include "db/blob/blob_file_reader.h"
#include "env/resident_pages.h"
#include "file/input_stream.h"
#include "file/io_lane.h"
#include "file/random_access_file_reader.h"
#include "tools/sst_dump/lone_table.h"
#include "util/key/internal_key.h"
#include "util/value/blob_index.h"
#include "util/value/blob_references.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Bad values beyond this number are only counted.
constexpr size_t kMostBadValues = 1000;
// At most so many blob files are open at once; a table refers to few.
constexpr size_t kMostOpenFiles = 16;
constexpr size_t kValueReadaheadBytes = 2 << 20;

}  // namespace

struct ValueExaminer::OpenFile {
  Status status;
  std::unique_ptr<BlobFileReader> reader;
  std::unique_ptr<InputStream> data;
};

// One value: whose it is, and where it lies.
struct ValueExaminer::Reference {
  const std::string& family;
  const ParsedInternalKey& key;
  Slice user_key;  // the key in the blob file's record
  bool has_timestamp = false;
  size_t left_out_bytes = 0;  // the size of its timestamp
  BlobIndex index;
};

ValueExaminer::ValueExaminer(FileSystem* fs, RateLimiter* limiter,
                             Health* health)
    : fs_(fs), limiter_(limiter), governor_(fs, IoLimits()), health_(*health) {
  for (const ListedBlobFile& blob : health->blobs) {
    listed_[blob.number] = &blob;
  }
}

ValueExaminer::~ValueExaminer() = default;

Status ValueExaminer::LookAt(const LoneTable& table,
                             const std::string& family) {
  ReadOptions read;
  read.fill_cache = false;
  read.total_order_seek = true;
  read.readahead_size = kValueReadaheadBytes;
  std::unique_ptr<InternalIterator> entries;
  Status s = table.NewIterator(read, &entries);
  if (!s.ok()) return s;
  // Records of blobs leave out what tables do not keep.
  const bool has_timestamp = table.order()->timestamp_size() > 0;
  const bool keeps_them =
      table.properties()->user_defined_timestamps_persisted != 0;
  const size_t left_out_bytes =
      keeps_them ? 0 : table.order()->timestamp_size();
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    ParsedInternalKey key;
    if (!ParseInternalKey(entries->key(), &key)) {
      return Status::Corruption(table.path(), "a key is none");
    }
    if (!RefersToBlobs(key.type, entries->value())) continue;
    const Slice user_key =
        keeps_them ? key.user_key : table.UserKeyOf(entries->key());
    s = ForEachReference(
        key.type, entries->value(), [&](const BlobIndex& index) {
          const Reference reference{
              family, key, user_key, has_timestamp, left_out_bytes, index};
          const Status found = Read(reference);
          if (!found.ok()) Tell(reference, found);
        });
    if (!s.ok()) return s;
  }
  return entries->status();
}

Status ValueExaminer::ForgetHidden(const LoneTable& table,
                                   const std::string& family) {
  ReadOptions read;
  read.fill_cache = false;
  read.total_order_seek = true;
  std::unique_ptr<InternalIterator> entries;
  Status s = table.NewIterator(read, &entries);
  if (!s.ok()) return s;
  const size_t count = health_.bad_values.size();
  std::erase_if(health_.bad_values, [&](const BadValue& value) {
    return value.family == family && IsHidden(value, table, entries.get());
  });
  health_.bad_value_count -= count - health_.bad_values.size();
  return entries->status();
}

bool ValueExaminer::IsHidden(const BadValue& value, const LoneTable& table,
                             InternalIterator* entries) {
  if (value.has_timestamp) return false;  // Reads as of then ask for it.
  entries->Seek(table.SeekKey(value.key));
  for (; entries->Valid(); entries->Next()) {
    ParsedInternalKey key;
    if (!ParseInternalKey(entries->key(), &key) || key.user_key != value.key ||
        key.sequence <= value.sequence) {
      return false;
    }
    // An operand asks for what it is merged with.
    if (key.type != kTypeMerge) return true;
  }
  return false;
}

Status ValueExaminer::Read(const Reference& reference) {
  Status s;
  OpenFile* const file = Find(reference, &s);
  if (file == nullptr) return s;
  const BlobRead read{.user_key = reference.user_key,
                      .index = reference.index,
                      .verify_checksums = true};
  BlobFileReader::Range range;
  s = file->reader->RangeOf(read, &range);
  Slice bytes;
  if (s.ok()) s = file->data->Read(range.offset, range.size, &bytes);
  std::unique_ptr<BlobContents> contents;
  return s.ok() ? file->reader->Decode(read, bytes, &contents) : s;
}

ValueExaminer::OpenFile* ValueExaminer::Find(const Reference& reference,
                                             Status* status) {
  const uint64_t file_number = reference.index.file_number;
  const auto found = listed_.find(file_number);
  if (found == listed_.end()) {
    *status = Status::Corruption("the manifest lists no blob file " +
                                 std::to_string(file_number));
    return nullptr;
  }
  const ListedBlobFile& blob = *found->second;
  if (!blob.trouble.empty()) {
    *status = Status::Corruption(blob.trouble);
    return nullptr;
  }
  if (open_.size() >= kMostOpenFiles && !open_.contains(file_number)) {
    open_.erase(open_.begin());
  }
  std::unique_ptr<OpenFile>& file = open_[file_number];
  if (file == nullptr) {
    file = std::make_unique<OpenFile>();
    std::unique_ptr<RandomAccessFileReader> handle;
    file->status =
        RandomAccessFileReader::Create(fs_, blob.path, FileOptions(), &handle);
    if (file->status.ok()) {
      file->status = BlobFileReader::Open(
          std::move(handle),
          {.column_family = blob.family_id,
           .size_bytes = blob.size_bytes,
           .left_out_timestamp_bytes = reference.left_out_bytes},
          &file->reader);
    }
    if (file->status.ok()) {
      file->status = NewStream(blob, file->reader->file(), &file->data);
    }
  }
  *status = file->status;
  return file->status.ok() ? file.get() : nullptr;
}

Status ValueExaminer::NewStream(const ListedBlobFile& blob,
                                FSRandomAccessFile* buffered,
                                std::unique_ptr<InputStream>* stream) const {
  FileOptions options;
  options.use_direct_reads = true;
  std::unique_ptr<FSRandomAccessFile> file;
  IOStatus s = fs_->NewRandomAccessFile(blob.path, options, &file, nullptr);
  if (!s.ok()) {
    options.use_direct_reads = false;
    s = fs_->NewRandomAccessFile(blob.path, options, &file, nullptr);
  }
  if (!s.ok()) return s;
  InputStreamOptions how;
  how.file_size = blob.size_bytes;
  how.readahead_bytes = kValueReadaheadBytes;
  how.rate_limiter = limiter_;
  how.governor = governor_.governor();
  how.backend = BestReadBackend(fs_);
  how.fs = fs_;
  if (file->use_direct_io()) {
    how.resident = dynamic_cast<ResidentPages*>(buffered);
  }
  *stream =
      std::make_unique<InputStream>(std::move(file), blob.path, std::move(how));
  return s;
}

void ValueExaminer::Tell(const Reference& reference, const Status& status) {
  ++health_.bad_value_count;
  if (health_.bad_values.size() == kMostBadValues) return;
  BadValue value;
  value.file_number = reference.index.file_number;
  value.family = reference.family;
  value.key = reference.key.user_key.ToString();
  value.has_timestamp = reference.has_timestamp;
  value.sequence = reference.key.sequence;
  const auto listed = listed_.find(value.file_number);
  const bool is_told =
      listed != listed_.end() && !listed->second->trouble.empty();
  if (!is_told) value.reason = status.ToString();
  health_.bad_values.push_back(std::move(value));
}

}  // namespace ROCKSDB_NAMESPACE
