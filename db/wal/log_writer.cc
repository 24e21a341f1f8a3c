#include "db/wal/log_writer.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/wal/log_compression.h"
#include "file/writable_file_writer.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE::log {

Writer::Writer(std::unique_ptr<WritableFileWriter> file,
               const WriterOptions& options)
    : options_(options),
      header_size_(options.recyclable ? kRecyclableHeaderSize : kHeaderSize),
      file_(std::move(file)),
      block_offset_(options.file_offset % kBlockSize),
      size_(options.file_offset) {
  INVARIANT(file_ != nullptr);
  INVARIANT(block_offset_ < kBlockSize);
  static_assert(kTypeCount > kRecyclableLastType);
  for (size_t type = 0; type < kTypeCount; ++type) {
    const char byte = static_cast<char>(type);
    type_crc_[type] = crc32c::Value(&byte, 1);
    if (IsRecyclable(static_cast<uint8_t>(type))) {
      char number[4];
      EncodeFixed32(number, static_cast<uint32_t>(options.log_number));
      type_crc_[type] = crc32c::Extend(type_crc_[type], number, sizeof(number));
    }
  }
}

Writer::~Writer() = default;

// The first record of a compressed log says so; it is never recyclable.
IOStatus Writer::Begin() {
  if (!options_.is_compressed || compression_ != nullptr) return IOStatus::OK();
  if (Status s = Compression::Create(&compression_); !s.ok()) {
    return status_to_io_status(std::move(s));
  }
  if (size_ > 0) return IOStatus::OK();
  char codec[sizeof(uint32_t)];
  EncodeFixed32(codec, kLogCompressionZstd);
  return EmitPhysicalRecord(kSetCompressionType, Slice(codec, sizeof(codec)));
}

IOStatus Writer::AddPredecessor(const PredecessorInfo& predecessor) {
  if (!status_.ok()) return status_;
  if (IOStatus s = Begin(); !s.ok()) return s;
  std::string payload;
  PutFixed64(&payload, predecessor.log_number);
  PutFixed64(&payload, predecessor.size_bytes);
  PutFixed64(&payload, predecessor.last_sequence);
  // Never cut into pieces: it is at the head of the log.
  INVARIANT(block_offset_ + header_size_ + payload.size() <= kBlockSize);
  return EmitPhysicalRecord(options_.recyclable ? kRecyclablePredecessorInfoType
                                                : kPredecessorInfoType,
                            payload);
}

IOStatus Writer::AddTimestampSizes(const std::map<uint32_t, uint16_t>& sizes) {
  if (!status_.ok()) return status_;
  if (sizes.size() == timestamp_sizes_.size()) return IOStatus::OK();
  INVARIANT(sizes.size() > timestamp_sizes_.size());
  if (IOStatus s = Begin(); !s.ok()) return s;
  std::string payload;
  for (const auto& [id, size] : sizes) {
    INVARIANT(size != 0);
    if (timestamp_sizes_.contains(id)) continue;
    PutFixed32(&payload, id);
    PutFixed16(&payload, size);
  }
  // Never cut into pieces.
  if (header_size_ + payload.size() > kBlockSize) {
    return Remember(IOStatus::NotSupported(
        "too many column families with timestamps for one log"));
  }
  if (block_offset_ + header_size_ + payload.size() > kBlockSize) {
    if (IOStatus s = EndBlock(); !s.ok()) return s;
  }
  IOStatus s = EmitPhysicalRecord(
      options_.recyclable ? kRecyclableTimestampSizeType : kTimestampSizeType,
      payload);
  if (s.ok()) timestamp_sizes_ = sizes;
  return s;
}

IOStatus Writer::AddRecord(const Slice& record) {
  if (!status_.ok()) return status_;
  if (!options_.is_compressed) return AddPieces(record);
  IOStatus s = Begin();
  if (!s.ok()) return s;
  Status compressed = compression_->Compress(record, &frame_);
  if (!compressed.ok()) return status_to_io_status(std::move(compressed));
  return AddPieces(frame_);
}

IOStatus Writer::AddPieces(const Slice& record) {
  const char* data = record.data();
  size_t left = record.size();
  // An empty record is written too: a full one of length zero.
  for (bool is_first = true, is_last = false; !is_last; is_first = false) {
    if (kBlockSize - block_offset_ < header_size_) {
      if (IOStatus s = PadBlock(); !s.ok()) return s;
    }
    assert(block_offset_ + header_size_ <= kBlockSize);
    const size_t room = kBlockSize - block_offset_ - header_size_;
    const size_t piece = std::min(left, room);
    is_last = piece == left;
    uint8_t type = is_first ? (is_last ? kFullType : kFirstType)
                            : (is_last ? kLastType : kMiddleType);
    if (options_.recyclable) type += kRecyclableTypeOffset;
    IOStatus s = EmitPhysicalRecord(type, Slice(data, piece));
    if (!s.ok()) return s;
    assert(piece <= left);
    data += piece;
    left -= piece;
  }
  // Two accounts of one place.
  assert(block_offset_ % kBlockSize == size_ % kBlockSize);
  assert(left == 0);
  return options_.manual_flush ? IOStatus::OK() : Flush();
}

// Fills the rest of a block, too short for a header, with zeros.
IOStatus Writer::PadBlock() {
  static constexpr char kZeros[kRecyclableHeaderSize] = {};
  static_assert(sizeof(kZeros) >= kHeaderSize);
  const size_t bytes = kBlockSize - block_offset_;
  INVARIANT(bytes < header_size_);
  if (bytes > 0) {
    IOStatus s = Remember(file_->Append(Slice(kZeros, bytes)));
    if (!s.ok()) return s;
    size_ += bytes;
  }
  block_offset_ = 0;
  assert(size_ % kBlockSize == 0);
  return IOStatus::OK();
}

// The same of a rest of any length.
IOStatus Writer::EndBlock() {
  const std::string zeros(kBlockSize - block_offset_, '\0');
  IOStatus s = Remember(file_->Append(zeros));
  if (!s.ok()) return s;
  size_ += zeros.size();
  block_offset_ = 0;
  assert(size_ % kBlockSize == 0);
  return s;
}

IOStatus Writer::EmitPhysicalRecord(uint8_t type, const Slice& payload) {
  const bool recyclable = IsRecyclable(type);
  const size_t header_size = recyclable ? kRecyclableHeaderSize : kHeaderSize;
  INVARIANT(payload.size() <= 0xffff);
  INVARIANT(block_offset_ + header_size + payload.size() <= kBlockSize);
  assert(type >= kFullType && type < kTypeCount);
  assert(recyclable == options_.recyclable || type == kSetCompressionType);

  char header[kRecyclableHeaderSize];
  const uint32_t crc =
      crc32c::Extend(type_crc_[type], payload.data(), payload.size());
  EncodeFixed32(header, crc32c::Mask(crc));
  EncodeFixed16(header + 4, static_cast<uint16_t>(payload.size()));
  header[6] = static_cast<char>(type);
  if (recyclable) {
    EncodeFixed32(header + kHeaderSize,
                  static_cast<uint32_t>(options_.log_number));
  }
  IOStatus s = Remember(file_->Append(Slice(header, header_size)));
  if (s.ok()) s = Remember(file_->Append(payload));
  if (!s.ok()) return s;
  block_offset_ += header_size + payload.size();
  assert(block_offset_ <= kBlockSize);
  size_ += header_size + payload.size();
  return s;
}

IOStatus Writer::SyncFlushed(bool use_fsync) {
  return file_->SyncWithoutFlush(use_fsync);
}

bool Writer::has_failed() const { return !status_.ok() || file_->seen_error(); }

IOStatus Writer::CutTail() {
  if (!options_.recyclable) return status_;
  if (IOStatus s = Flush(); !s.ok()) return s;
  return Remember(
      file_->writable_file()->Truncate(size_, IOOptions(), nullptr));
}

IOStatus Writer::Flush() {
  if (!status_.ok()) return status_;
  return Remember(file_->Flush());
}

IOStatus Writer::Sync(bool use_fsync) {
  if (!status_.ok()) return status_;
  return Remember(file_->Sync(use_fsync));
}

IOStatus Writer::Close() {
  // The file is closed in any case; the first error is the answer.
  IOStatus closed = file_->Close();
  if (!status_.ok()) return status_;
  return Remember(std::move(closed));
}

void Writer::KeepFirst(const IOStatus& error) {
  if (status_.ok()) status_ = error;
}

}  // namespace ROCKSDB_NAMESPACE::log
