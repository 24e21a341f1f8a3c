#include "db/semantics/job_blobs.h"

#include <algorithm>

#include "db/blob/blob_contents.h"
#include "db/blob/blob_source.h"
#include "db/version/version_blobs.h"
#include "file/input_stream.h"
#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A handle that outlives the stream over it.
class BorrowedBlobFile final : public FSRandomAccessFileWrapper {
 public:
  explicit BorrowedBlobFile(FSRandomAccessFile* file)
      : FSRandomAccessFileWrapper(file) {
    INVARIANT(file != nullptr);
  }
};

void DropPlainBlob(void* contents, void* /*unused*/) {
  const std::unique_ptr<BlobContents> last(
      static_cast<BlobContents*>(contents));
}

}  // namespace

struct JobBlobs::Stream {
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    data.reset();
    if (is_ephemeral) {
      RecordTick(statistics, COMPACTION_EPHEMERAL_READERS_CLOSED);
    }
  }

  Statistics* statistics = nullptr;
  bool is_ephemeral = false;
  uint64_t last_used = 0;
  // Checks and expands; owns the handle of `data`, or what it borrows.
  BlobSource::ReaderRef reader;
  std::unique_ptr<InputStream> data;
};

JobBlobs::JobBlobs(const Context& context) : context_(context) {
  INVARIANT(context_.storage != nullptr && context_.source != nullptr);
  INVARIANT(context_.read_options != nullptr && context_.bulk != nullptr);
  INVARIANT(context_.db != nullptr);
  INVARIANT(!context_.bulk->open_ephemeral_reader ||
            context_.bulk->spares_page_cache());
}

JobBlobs::~JobBlobs() = default;

Status JobBlobs::Fetch(const Slice& user_key, const Slice& reference,
                       PinnableSlice* value) const {
  INVARIANT(value != nullptr);
  BlobRead read;
  read.user_key = context_.source->RecordKey(user_key);
  read.verify_checksums = context_.read_options->verify_checksums;
  const BlobFileState* file = nullptr;
  Status s = ResolveBlob(*context_.storage, *context_.source, reference,
                         &read.index, &file);
  if (!s.ok()) return s;
  s = UsesStreams() && !file->file->is_growing
          ? ReadStream(*file->file, read, value)
          : context_.source->Get(*context_.read_options, *file->file, read,
                                 value);
  if (!s.ok()) return s;
  ++read_count_;
  read_bytes_ += read.index.size;
  return s;
}

Status JobBlobs::ReadStream(const BlobFile& file, const BlobRead& read,
                            PinnableSlice* value) const {
  if (context_.read_options->read_tier == kBlockCacheTier) {
    return Status::Incomplete("a bulk read opens a file",
                              context_.source->FilePath(file.record.number));
  }
  Stream* stream = nullptr;
  Status s = FindStream(file, &stream);
  if (!s.ok()) return s;
  BlobFileReader::Range range;
  s = stream->reader->RangeOf(read, &range);
  if (!s.ok()) return s;
  Slice bytes;
  s = stream->data->Read(range.offset, range.size, &bytes);
  if (!s.ok()) return s;
  std::unique_ptr<BlobContents> blob;
  s = stream->reader->Decode(read, bytes, &blob);
  if (!s.ok()) return s;
  const Slice plain = blob->value();
  value->PinSlice(plain, &DropPlainBlob, blob.release(), nullptr);
  return s;
}

Status JobBlobs::FindStream(const BlobFile& file, Stream** stream) const {
  INVARIANT(stream != nullptr);
  std::unique_ptr<Stream>& slot = streams_[file.record.number];
  if (slot == nullptr) {
    auto opened = std::make_unique<Stream>();
    if (Status s = OpenStream(file, opened.get()); !s.ok()) {
      streams_.erase(file.record.number);
      return s;
    }
    slot = std::move(opened);
    slot->last_used = read_count_;
    if (streams_.size() > kMostStreams) CloseOldest();
  }
  slot->last_used = read_count_ + 1;
  *stream = slot.get();
  return Status::OK();
}

void JobBlobs::CloseOldest() const {
  const auto oldest = std::min_element(
      streams_.begin(), streams_.end(), [](const auto& a, const auto& b) {
        return a.second->last_used < b.second->last_used;
      });
  INVARIANT(oldest != streams_.end());
  streams_.erase(oldest);
  INVARIANT(streams_.size() <= kMostStreams);
}

Status JobBlobs::OpenHandle(const BlobFile& file, Stream* stream,
                            std::unique_ptr<FSRandomAccessFile>* handle) const {
  INVARIANT(stream != nullptr && handle != nullptr);
  const BlobSource& source = *context_.source;
  const BulkReadPolicy& bulk = *context_.bulk;
  Status s;
  if (!bulk.open_ephemeral_reader) {
    s = source.Find(file, &stream->reader);
  } else {
    stream->reader = source.FindOpen(file);
    if (stream->reader != nullptr) {
      return source.OpenHandle(file, bulk.file_options, handle);
    }
    s = source.OpenPrivate(file, bulk.file_options, &stream->reader);
  }
  if (!s.ok()) return s;
  *handle = std::make_unique<BorrowedBlobFile>(stream->reader->file());
  return s;
}

Status JobBlobs::OpenStream(const BlobFile& file, Stream* stream) const {
  const BulkReadPolicy& bulk = *context_.bulk;
  std::unique_ptr<FSRandomAccessFile> handle;
  Status s = OpenHandle(file, stream, &handle);
  if (!s.ok()) return s;
  stream->statistics = context_.db->stats;
  if (bulk.open_ephemeral_reader) {
    stream->is_ephemeral = true;
    RecordTick(stream->statistics, COMPACTION_EPHEMERAL_READERS_OPENED);
    if (bulk.file_options.use_direct_reads) {
      RecordTick(stream->statistics, COMPACTION_DIRECT_READ_OPENS);
    }
  }
  InputStreamOptions options;
  static_cast<FileIoContext&>(options) = context_.source->IoContext();
  options.io_class = bulk.io_class;
  options.pace = bulk.pace;
  options.file_size = file.size_bytes();
  options.readahead_bytes = context_.readahead_bytes > 0
                                ? context_.readahead_bytes
                                : bulk.readahead_bytes;
  options.rate_limiter_priority = bulk.rate_limiter_priority;
  options.backend = bulk.backend;
  options.fs = context_.db->fs;
  const uint64_t end = stream->reader->records_end();
  stream->data = std::make_unique<InputStream>(
      std::move(handle), stream->reader->file_name(), std::move(options));
  return stream->data->SetRange(0, end);
}

}  // namespace ROCKSDB_NAMESPACE
