#include "db/blob/blob_file_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "db/blob/blob_contents.h"
#include "db/blob/blob_format.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/advanced_compression.h"
#include "util/compression.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Adds the time of its scope to a histogram, where times are wanted.
class Timer {
 public:
  Timer(const FileIoContext& context, uint32_t histogram)
      : context_(context), histogram_(histogram) {
    if (context.clock != nullptr && ShouldMeasureTime(context.statistics)) {
      start_ = context.clock->NowMicros();
    }
  }
  ~Timer() {
    if (start_ == 0) return;
    RecordTimeToHistogram(context_.statistics, histogram_,
                          MicrosSince(context_.clock, start_));
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  const FileIoContext& context_;
  const uint32_t histogram_;
  uint64_t start_ = 0;
};

}  // namespace

BlobFileReader::BlobFileReader(PassKey,
                               std::unique_ptr<RandomAccessFileReader> file,
                               uint64_t records_end)
    : file_(std::move(file)), records_end_(records_end) {
  INVARIANT(file_ != nullptr);
}

BlobFileReader::~BlobFileReader() = default;

Status BlobFileReader::Open(std::unique_ptr<RandomAccessFileReader> file,
                            const Expected& expected,
                            std::unique_ptr<BlobFileReader>* result) {
  INVARIANT(result != nullptr);
  constexpr uint64_t kFrame = BlobFileHeader::kBytes + BlobFileFooter::kBytes;
  if (expected.size_bytes < kFrame) {
    return Status::Corruption(
        file->file_name(), "is too small for a blob file: " +
                               std::to_string(expected.size_bytes) + " bytes");
  }
  auto reader = std::make_unique<BlobFileReader>(
      PassKey{}, std::move(file), expected.size_bytes - BlobFileFooter::kBytes);
  reader->left_out_timestamp_bytes_ = expected.left_out_timestamp_bytes;
  Status s = reader->Init(expected);
  if (s.ok()) *result = std::move(reader);
  return s;
}

Status BlobFileReader::OpenGrowing(std::unique_ptr<RandomAccessFileReader> file,
                                   CompressionType compression,
                                   size_t left_out_timestamp_bytes,
                                   std::unique_ptr<BlobFileReader>* result) {
  INVARIANT(result != nullptr);
  auto reader = std::make_unique<BlobFileReader>(PassKey{}, std::move(file),
                                                 BlobFileHeader::kBytes);
  reader->left_out_timestamp_bytes_ = left_out_timestamp_bytes;
  Status s = reader->SetCompression(compression);
  if (s.ok()) *result = std::move(reader);
  return s;
}

Status BlobFileReader::Init(const Expected& expected) {
  constexpr size_t kHeader = BlobFileHeader::kBytes;
  constexpr size_t kFooter = BlobFileFooter::kBytes;
  char buffer[kHeader + kFooter];
  Status s = ReadExactly(IOOptions(), {0, kHeader}, buffer);
  if (!s.ok()) return s;
  BlobFileHeader header;
  s = header.DecodeFrom(Slice(buffer, kHeader));
  if (!s.ok()) return Name(s, 0);
  if (header.column_family != expected.column_family) {
    return Name(Status::Corruption(
                    "blob file header: belongs to column family " +
                    std::to_string(header.column_family) + ", expected " +
                    std::to_string(expected.column_family)),
                0);
  }
  s = ReadExactly(IOOptions(), {records_end(), kFooter}, buffer);
  if (!s.ok()) return s;
  BlobFileFooter footer;
  s = footer.DecodeFrom(Slice(buffer, kFooter));
  if (!s.ok()) return Name(s, records_end());
  return SetCompression(header.compression);
}

Status BlobFileReader::SetCompression(CompressionType type) {
  compression_ = type;
  if (compression_ == kNoCompression) return Status::OK();
  if (!CompressionTypeSupported(compression_)) {
    return Status::NotSupported(
        file_name(),
        "is compressed with " + CompressionTypeToString(compression_));
  }
  decompressor_ = GetBuiltinV2CompressionManager()->GetDecompressor();
  return Status::OK();
}

Status BlobFileReader::Name(const Status& status, uint64_t offset) const {
  assert(!status.ok());
  return Status::CopyAppendMessage(
      status, "; ", file_name() + ", offset " + std::to_string(offset));
}

Status BlobFileReader::EndsTooEarly(size_t bytes, const Range& range) const {
  assert(bytes < range.size);
  return Name(
      Status::Corruption("the file ends too early: " + std::to_string(bytes) +
                         " of " + std::to_string(range.size) + " bytes"),
      range.offset);
}

Status BlobFileReader::ReadExactly(const IOOptions& io, const Range& range,
                                   char* buffer) const {
  assert(buffer != nullptr);
  Slice bytes;
  const IOStatus s =
      file_->Read(io, range.offset, range.size, &bytes, buffer, nullptr);
  if (!s.ok()) return s;
  if (bytes.size() != range.size) {
    return EndsTooEarly(bytes.size(), range);
  }
  if (bytes.data() != buffer) memcpy(buffer, bytes.data(), bytes.size());
  return s;
}

uint64_t BlobFileReader::BytesBefore(const BlobRead& read) const {
  if (!read.verify_checksums) return 0;
  // In front of the first record there is the header of the file.
  const uint64_t most =
      BlobValueOffset(read.user_key.size()) + left_out_timestamp_bytes_;
  return std::min(most, read.index.offset);
}

Status BlobFileReader::RangeOf(const BlobRead& read, Range* range) const {
  assert(range != nullptr);
  const BlobIndex& index = read.index;
  const uint64_t before = BlobValueOffset(read.user_key.size());
  const bool is_within = index.offset >= BlobFileHeader::kBytes + before &&
                         index.offset <= records_end() &&
                         index.size <= records_end() - index.offset;
  if (!is_within) {
    return Name(
        Status::Corruption("blob reference: " + std::to_string(index.size) +
                           " bytes are not within the file"),
        index.offset);
  }
  if (index.compression != compression_) {
    return Name(Status::Corruption("blob reference: compressed with " +
                                   CompressionTypeToString(index.compression) +
                                   ", the file says " +
                                   CompressionTypeToString(compression_)),
                index.offset);
  }
  const uint64_t skipped = BytesBefore(read);
  range->offset = index.offset - skipped;
  range->size = static_cast<size_t>(index.size + skipped);
  return Status::OK();
}

Status BlobFileReader::CheckRecord(const BlobRead& read, Slice bytes) const {
  const uint64_t bare = BlobValueOffset(read.user_key.size()) + read.index.size;
  assert(bytes.size() >= bare);
  const Slice last(bytes.data() + (bytes.size() - bare), bare);
  Status s = CheckBlobRecord(last, read.user_key, read.index.size);
  if (s.ok()) return s;
  if (left_out_timestamp_bytes_ == 0) {
    return CheckFormerRecord(read, bytes).ok() ? Status::OK() : s;
  }
  std::string padded = read.user_key.ToString();
  padded.append(left_out_timestamp_bytes_, '\0');
  const Status other = CheckBlobRecord(bytes, padded, read.index.size);
  return other.ok() ? other : s;
}

// A family that has no timestamps any more had those of
// BytewiseComparatorWithU64Ts(), which files left out.
Status BlobFileReader::CheckFormerRecord(const BlobRead& read,
                                         Slice bytes) const {
  std::string key = read.user_key.ToString();
  key.append(sizeof(uint64_t), '\0');
  const uint64_t before = BlobValueOffset(key.size());
  if (read.index.offset < BlobFileHeader::kBytes + before) {
    return Status::Corruption("blob record: no room for another key");
  }
  std::string record(static_cast<size_t>(before), '\0');
  Status s = ReadExactly(
      IOOptions(), {read.index.offset - before, record.size()}, record.data());
  if (!s.ok()) return s;
  bytes.remove_prefix(bytes.size() - static_cast<size_t>(read.index.size));
  record.append(bytes.data(), bytes.size());
  return CheckBlobRecord(record, key, read.index.size);
}

Status BlobFileReader::Check(const BlobRead& read, const Slice& bytes,
                             Slice* stored) const {
  assert(stored != nullptr);
  *stored = bytes;
  if (read.verify_checksums) {
    PERF_TIMER_GUARD(blob_checksum_time);
    const Status s = CheckRecord(read, bytes);
    if (!s.ok()) return Name(s, read.index.offset);
    stored->remove_prefix(static_cast<size_t>(BytesBefore(read)));
  }
  assert(stored->size() == read.index.size);
  return Status::OK();
}

Status BlobFileReader::Uncompress(const Slice& stored,
                                  std::unique_ptr<BlobContents>* result) const {
  INVARIANT(decompressor_ != nullptr);
  PERF_TIMER_GUARD(blob_decompress_time);
  const Timer timer(file_->context(), BLOB_DB_DECOMPRESSION_MICROS);
  Decompressor::Args args;
  args.compression_type = compression_;
  args.compressed_data = stored;
  Status s = decompressor_->ExtractUncompressedSize(args);
  if (!s.ok()) return s;
  const size_t size = static_cast<size_t>(args.uncompressed_size);
  auto plain = std::make_unique<BlobContents>(size);
  s = decompressor_->DecompressBlock(args, plain->buffer());
  if (!s.ok()) return s;
  plain->SetValue(Slice(plain->buffer(), size));
  *result = std::move(plain);
  return s;
}

Status BlobFileReader::Read(const IOOptions& io, const BlobRead& read,
                            std::unique_ptr<BlobContents>* result) const {
  assert(result != nullptr);
  Range range;
  Status s = RangeOf(read, &range);
  if (!s.ok()) return s;
  auto raw = std::make_unique<BlobContents>(range.size);
  {
    PERF_TIMER_GUARD(blob_read_time);
    s = ReadExactly(io, range, raw->buffer());
  }
  if (!s.ok()) return s;
  PERF_COUNTER_ADD(blob_read_count, 1);
  PERF_COUNTER_ADD(blob_read_byte, range.size);
  RecordTick(file_->context().statistics, BLOB_DB_BLOB_FILE_BYTES_READ,
             range.size);
  raw->SetValue(Slice(raw->buffer(), range.size));
  return Finish(read, std::move(raw), result);
}

Status BlobFileReader::Finish(const BlobRead& read,
                              std::unique_ptr<BlobContents> raw,
                              std::unique_ptr<BlobContents>* result) const {
  Slice stored;
  Status s = Check(read, raw->value(), &stored);
  if (!s.ok()) return s;
  if (decompressor_ != nullptr) {
    s = Uncompress(stored, result);
    return s.ok() ? s : Name(s, read.index.offset);
  }
  raw->SetValue(stored);
  *result = std::move(raw);
  return s;
}

Status BlobFileReader::PlaceOf(const WantedBlob& blob, Range* range) const {
  Status s = RangeOf(blob.read, range);
  if (!s.ok() || !blob.part.has_value()) return s;
  const WantedBlob::Part& part = *blob.part;
  INVARIANT(decompressor_ == nullptr);
  INVARIANT(part.offset <= blob.read.index.size);
  INVARIANT(part.size <= blob.read.index.size - part.offset);
  *range = {blob.read.index.offset + part.offset, part.size};
  return s;
}

void BlobFileReader::ReadTogether(const IOOptions& io,
                                  std::vector<Together>* wanted) const {
  std::vector<std::pair<Range, Together*>> asked;
  for (Together& one : *wanted) {
    Range range;
    one.blob->status = PlaceOf(*one.blob, &range);
    if (!one.blob->status.ok()) continue;
    one.contents = std::make_unique<BlobContents>(range.size);
    one.contents->SetValue(Slice(one.contents->buffer(), range.size));
    if (range.size > 0) asked.emplace_back(range, &one);
  }
  std::sort(asked.begin(), asked.end(), [](const auto& a, const auto& b) {
    return a.first.offset < b.first.offset;
  });
  std::vector<FSReadRequest> requests(asked.size());
  for (size_t i = 0; i < asked.size(); ++i) {
    requests[i].offset = asked[i].first.offset;
    requests[i].len = asked[i].first.size;
    requests[i].scratch = asked[i].second->contents->buffer();
  }
  ReadAll(io, &requests);
  for (size_t i = 0; i < requests.size(); ++i) {
    Status& s = asked[i].second->blob->status;
    s = requests[i].status;
    const size_t bytes = requests[i].result.size();
    if (s.ok() && bytes < requests[i].len) {
      s = EndsTooEarly(bytes, asked[i].first);
    }
  }
  for (Together& one : *wanted) {
    if (!one.blob->status.ok() || one.blob->part.has_value()) continue;
    one.blob->status =
        Finish(one.blob->read, std::move(one.contents), &one.contents);
  }
}

void BlobFileReader::ReadAll(const IOOptions& io,
                             std::vector<FSReadRequest>* requests) const {
  AlignedBuf aligned;
  IOStatus all;
  {
    PERF_TIMER_GUARD(blob_read_time);
    all = file_->MultiRead(io, requests->data(), requests->size(), &aligned);
  }
  for (FSReadRequest& request : *requests) {
    if (!all.ok()) request.status = all;
    if (!request.status.ok() || request.result.size() != request.len) continue;
    PERF_COUNTER_ADD(blob_read_count, 1);
    PERF_COUNTER_ADD(blob_read_byte, request.len);
    RecordTick(file_->context().statistics, BLOB_DB_BLOB_FILE_BYTES_READ,
               request.len);
    // A direct file has them in `aligned`.
    if (request.result.data() != request.scratch) {
      memcpy(request.scratch, request.result.data(), request.len);
    }
  }
}

Status BlobFileReader::Decode(const BlobRead& read, const Slice& bytes,
                              std::unique_ptr<BlobContents>* result) const {
  assert(result != nullptr);
  RecordTick(file_->context().statistics, BLOB_DB_BLOB_FILE_BYTES_READ,
             bytes.size());
  Slice stored;
  Status s = Check(read, bytes, &stored);
  if (!s.ok()) return s;
  if (decompressor_ != nullptr) {
    s = Uncompress(stored, result);
    return s.ok() ? s : Name(s, read.index.offset);
  }
  auto plain = std::make_unique<BlobContents>(stored.size());
  if (!stored.empty()) {
    memcpy(plain->buffer(), stored.data(), stored.size());
  }
  plain->SetValue(Slice(plain->buffer(), stored.size()));
  *result = std::move(plain);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
