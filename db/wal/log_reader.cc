#include "db/wal/log_reader.h"

#include <cassert>
#include <utility>

#include "db/wal/log_decompression.h"
#include "file/sequential_file_reader.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE::log {

namespace {

bool IsData(uint8_t type) {
  return type >= kFullType && type <= kRecyclableLastType;
}

bool IsSpecial(uint8_t type) {
  return type == kSetCompressionType || type == kTimestampSizeType ||
         type == kRecyclableTimestampSizeType || type == kPredecessorInfoType ||
         type == kRecyclablePredecessorInfoType;
}

bool ReportsTornTail(WALRecoveryMode mode) {
  return mode == WALRecoveryMode::kAbsoluteConsistency ||
         mode == WALRecoveryMode::kPointInTimeRecovery;
}

}  // namespace

Reader::Reader(std::unique_ptr<SequentialFileReader> file, Reporter* reporter,
               const Options& options)
    : file_(std::move(file)),
      reporter_(reporter),
      options_(options),
      block_(std::make_unique<char[]>(kBlockSize)) {
  INVARIANT(file_ != nullptr);
  INVARIANT(options_.start_offset % kBlockSize == 0);
  buffer_end_offset_ = options_.start_offset;
  passes_over_ = options_.start_offset > 0;
  if (!options_.is_compressed) return;
  if (Status s = Decompression::Create(&decompression_); !s.ok()) {
    Report(0, s);
    stopped_ = true;
  }
}

Reader::~Reader() = default;

bool Reader::ReadRecord(Slice* record, std::string* scratch,
                        WALRecoveryMode mode) {
  INVARIANT(scratch != nullptr);
  assert(record != nullptr);
  pieces_ = scratch;
  pieces_->clear();
  has_pieces_ = false;
  is_behind_zeros_ = false;
  while (!stopped_) {
    const Fragment fragment = ReadPhysicalRecord();
    switch (Handle(fragment, mode, record)) {
      case Step::kGoOn:
        break;
      case Step::kRecord:
        assert(!has_pieces_);
        assert(last_record_offset_ < LastRecordEnd());
        return true;
      case Step::kStop:
        stopped_ = true;
        break;
    }
  }
  return false;
}

// --- Physical records

Reader::Fragment Reader::ReadPhysicalRecord() {
  // The rest of a block that is too short for a header is padding.
  while (buffer_.size() < ShortestHeader()) {
    Fragment fragment;
    if (!RefillBuffer(&fragment)) return fragment;
  }
  assert(buffer_.size() <= kBlockSize);
  assert(buffer_end_offset_ >= buffer_.size());
  fragment_offset_ = LastRecordEnd();
  Header header;
  header.type = static_cast<uint8_t>(buffer_[6]);
  header.size = IsRecyclable(header.type) ? kRecyclableHeaderSize : kHeaderSize;
  header.length = DecodeFixed16(buffer_.data() + 4);
  if (header.type == kZeroType && header.length == 0) {
    return DropBlock(kZeroRecord);
  }
  if (buffer_.size() < header.size && eof_) return DropBlock(kTruncatedHeader);
  if (buffer_.size() < header.size + header.length) {
    return DropBlock(eof_ ? kBadLengthAtEof : kBadLength);
  }
  return CheckRecord(header);
}

// The size of the shortest header that may come next. All headers of a
// recyclable log are long, except for one at its beginning: fewer bytes at the
// end of a whole block are padding.
size_t Reader::ShortestHeader() const {
  return recycled_ && !eof_ ? kRecyclableHeaderSize : kHeaderSize;
}

// Reads the next block. False if there is none: *fragment says why.
bool Reader::RefillBuffer(Fragment* fragment) {
  assert(fragment != nullptr);
  if (eof_) {
    *fragment = buffer_.empty() ? Fragment() : DropBlock(kTruncatedHeader);
    return false;
  }
  assert(buffer_.size() < kRecyclableHeaderSize);
  buffer_.clear();
  // Every block before this one was whole.
  assert(buffer_end_offset_ % kBlockSize == 0);
  Slice block;
  Status s = file_->Read(kBlockSize, &block, block_.get());
  if (!s.ok()) {
    eof_ = true;
    Report(kBlockSize, s);
    fragment->event = kIoError;
    return false;
  }
  INVARIANT(block.size() <= kBlockSize);
  buffer_ = block;
  buffer_end_offset_ += block.size();
  eof_ = block.size() < kBlockSize;
  return true;
}

Reader::Fragment Reader::CheckRecord(const Header& header) {
  const size_t size = header.size + header.length;
  assert(buffer_.size() >= size);
  Fragment fragment;
  const bool is_old = IsOld(header);
  // What an older log left behind need not be whole where this log has been
  // written over it.
  const bool may_be_cut = is_old && recycled_;
  // The length cannot be trusted if the checksum is wrong, nor can anything
  // in the block after it.
  if (options_.verify_checksums && !may_be_cut && !HasRightChecksum(header)) {
    return DropBlock(kBadChecksum);
  }
  if (is_old) {
    fragment.event = kOldRecord;
    fragment.dropped_bytes = size;
    buffer_.remove_prefix(size);
    return fragment;
  }
  assert(header.type != kZeroType || header.length > 0);
  fragment.event = header.type;
  fragment.payload = Slice(buffer_.data() + header.size, header.length);
  buffer_.remove_prefix(size);
  return fragment;
}

bool Reader::IsOld(const Header& header) const {
  if (!IsRecyclable(header.type)) return false;
  assert(buffer_.size() >= kRecyclableHeaderSize);
  const uint32_t number = DecodeFixed32(buffer_.data() + kHeaderSize);
  return number != static_cast<uint32_t>(options_.log_number);
}

bool Reader::HasRightChecksum(const Header& header) const {
  constexpr size_t unchecked = 6;  // the checksum itself and the length
  static_assert(unchecked < kHeaderSize);
  assert(buffer_.size() >= header.size + header.length);
  const uint32_t actual = crc32c::Value(
      buffer_.data() + unchecked, header.size + header.length - unchecked);
  return crc32c::Unmask(DecodeFixed32(buffer_.data())) == actual;
}

Reader::Fragment Reader::DropBlock(Event event) {
  assert(event > 0xff);
  Fragment fragment;
  fragment.event = event;
  fragment.dropped_bytes = buffer_.size();
  buffer_.clear();
  return fragment;
}

// --- What to make of them

Reader::Step Reader::Handle(const Fragment& fragment, WALRecoveryMode mode,
                            Slice* record) {
  assert(record != nullptr);
  switch (fragment.event) {
    case kEof:
      if (!has_pieces_) return Step::kStop;
      return HandleTornTail("the log ends inside a record", fragment, mode);
    case kTruncatedHeader:
      return HandleTornTail("the log ends inside a header", fragment, mode);
    case kBadLengthAtEof:
      return HandleTornTail("record longer than the log", fragment, mode);
    case kBadLength:
      return HandleDamage("record longer than its block", fragment, mode);
    case kBadChecksum:
      return HandleDamage("checksum mismatch", fragment, mode);
    case kOldRecord:
      return HandleOldRecord(fragment, mode);
    case kZeroRecord:
      is_behind_zeros_ = true;
      if (options_.is_growing) return Step::kStop;
      if (const size_t bytes = DropPieces(); bytes > 0) {
        Report(bytes, "zeros inside a record");
      }
      return Step::kGoOn;
    case kIoError:
      return Step::kStop;
    default:
      break;
  }
  INVARIANT(fragment.event <= 0xff);
  const auto type = static_cast<uint8_t>(fragment.event);
  if (IsData(type)) return HandleData(type, fragment.payload, record);
  if (IsSpecial(type)) return HandleSpecial(type, fragment.payload);
  if ((type & kIgnorableTypeMask) != 0) return Step::kGoOn;
  Report(fragment.payload.size() + DropPieces(), "unknown record type");
  return Step::kGoOn;
}

Reader::Step Reader::HandleTornTail(const char* what, const Fragment& fragment,
                                    WALRecoveryMode mode) {
  assert(what != nullptr);
  assert(eof_);
  const size_t bytes = fragment.dropped_bytes + DropPieces();
  if (ReportsTornTail(mode)) Report(bytes, what);
  return Step::kStop;
}

Reader::Step Reader::HandleDamage(const char* what, const Fragment& fragment,
                                  WALRecoveryMode mode) {
  assert(what != nullptr);
  if (fragment_offset_ == 0) damaged_head_ = true;
  // A log that took over an old file ends where the old one's bytes begin.
  if (recycled_ && mode == WALRecoveryMode::kTolerateCorruptedTailRecords) {
    return Step::kStop;
  }
  Report(fragment.dropped_bytes + DropPieces(), what);
  return options_.is_growing ? Step::kStop : Step::kGoOn;
}

Reader::Step Reader::HandleOldRecord(const Fragment& fragment,
                                     WALRecoveryMode mode) {
  assert(fragment.event == kOldRecord);
  const size_t pieces = DropPieces();
  switch (mode) {
    case WALRecoveryMode::kSkipAnyCorruptedRecords:
      return Step::kGoOn;
    case WALRecoveryMode::kTolerateCorruptedTailRecords:
      return Step::kStop;
    case WALRecoveryMode::kAbsoluteConsistency:
      if (pieces > 0) {
        Report(pieces, "the log ends inside a record, at one of an older log");
      }
      return Step::kStop;
    case WALRecoveryMode::kPointInTimeRecovery:
      if (pieces > 0) {
        Report(pieces, "the log ends inside a record, at one of an older log");
      } else if (reporter_ != nullptr) {
        reporter_->OldLogRecord(fragment.dropped_bytes);
      }
      return Step::kStop;
  }
  INVARIANT(false);
}

Reader::Step Reader::HandleData(uint8_t type, const Slice& payload,
                                Slice* record) {
  assert(record != nullptr);
  assert(IsData(type));
  assert(!recycled_ || !seen_plain_data_);
  const bool recyclable = IsRecyclable(type);
  // The two kinds do not mix: a plain record behind recyclable ones has no
  // log number to tell that it is of this log.
  if (recyclable ? seen_plain_data_ : recycled_) {
    Report(payload.size() + DropPieces(),
           "plain and recyclable records in one log");
    return Step::kGoOn;
  }
  recycled_ = recyclable;
  seen_plain_data_ = !recyclable;
  seen_data_ = true;
  if (recyclable) type -= kRecyclableTypeOffset;

  if (type == kFullType || type == kFirstType) {
    passes_over_ = false;
    if (const size_t bytes = DropPieces(); bytes > 0) {
      Report(bytes, "record without an end");
    }
    if (type == kFullType) return Deliver(payload, fragment_offset_, record);
    pieces_offset_ = fragment_offset_;
    has_pieces_ = true;
    pieces_->assign(payload.data(), payload.size());
    return Step::kGoOn;
  }
  if (!has_pieces_) {
    if (passes_over_) return Step::kGoOn;
    Report(payload.size(), "record without a begin");
    return Step::kGoOn;
  }
  assert(pieces_offset_ <= fragment_offset_);
  pieces_->append(payload.data(), payload.size());
  if (type == kMiddleType) return Step::kGoOn;
  assert(type == kLastType);
  has_pieces_ = false;
  return Deliver(*pieces_, pieces_offset_, record);
}

Reader::Step Reader::Deliver(const Slice& bytes, uint64_t offset,
                             Slice* record) {
  assert(record != nullptr);
  assert(!has_pieces_);
  assert(offset <= fragment_offset_);
  if (decompression_ == nullptr) {
    // If the record that says so could not be read, the log may be compressed.
    if (damaged_head_ && LooksCompressed(bytes)) {
      Report(bytes.size(), "compressed record in a log of unknown form");
      return Step::kGoOn;
    }
    *record = bytes;
  } else {
    if (Status s = decompression_->Expand(bytes, &expanded_); !s.ok()) {
      Report(bytes.size(), s);
      return Step::kGoOn;
    }
    *record = expanded_;
  }
  last_record_offset_ = offset;
  return Step::kRecord;
}

Reader::Step Reader::HandleSpecial(uint8_t type, const Slice& payload) {
  assert(IsSpecial(type));
  if (IsRecyclable(type) && !seen_plain_data_) recycled_ = true;
  Status s;
  switch (type) {
    case kSetCompressionType:
      s = SetCompression(payload);
      break;
    case kPredecessorInfoType:
    case kRecyclablePredecessorInfoType:
      s = SetPredecessor(payload);
      break;
    case kTimestampSizeType:
    case kRecyclableTimestampSizeType:
      s = AddTimestampSizes(payload);
      break;
    default:
      INVARIANT(false);
  }
  if (!s.ok()) Report(payload.size(), s);
  return Step::kGoOn;
}

Status Reader::SetCompression(const Slice& payload) {
  if (fragment_offset_ != 0 || seen_data_) {
    return Status::Corruption("compression is set inside the log");
  }
  if (payload.size() != sizeof(uint32_t)) {
    return Status::Corruption("compression record of a wrong size");
  }
  assert(decompression_ == nullptr);
  const uint32_t codec = DecodeFixed32(payload.data());
  if (codec == 0) return Status::OK();
  if (codec != kLogCompressionZstd) {
    return Status::Corruption("unknown compression of the log",
                              std::to_string(codec));
  }
  damaged_head_ = true;  // until the codec is there
  Status s = Decompression::Create(&decompression_);
  if (s.ok()) damaged_head_ = false;
  return s;
}

Status Reader::SetPredecessor(const Slice& payload) {
  if (predecessor_.has_value()) {
    return Status::Corruption("predecessor of the log is told twice");
  }
  Slice input = payload;
  PredecessorInfo info;
  if (!GetFixed64(&input, &info.log_number) ||
      !GetFixed64(&input, &info.size_bytes) ||
      !GetFixed64(&input, &info.last_sequence) || !input.empty()) {
    return Status::Corruption("predecessor record of a wrong size");
  }
  predecessor_ = info;
  return Status::OK();
}

Status Reader::AddTimestampSizes(const Slice& payload) {
  constexpr size_t kEntryBytes = sizeof(uint32_t) + sizeof(uint16_t);
  if (payload.empty() || payload.size() % kEntryBytes != 0) {
    return Status::Corruption("timestamp-size record of a wrong size");
  }
  static_assert(kEntryBytes == 6);
  // Taken over as a whole, or not at all.
  std::map<uint32_t, uint16_t> sizes = timestamp_sizes_;
  for (size_t at = 0; at < payload.size(); at += kEntryBytes) {
    const uint32_t id = DecodeFixed32(payload.data() + at);
    const uint16_t size = DecodeFixed16(payload.data() + at + sizeof(id));
    if (size == 0 || !sizes.emplace(id, size).second) {
      return Status::Corruption("bad timestamp size of column family",
                                std::to_string(id));
    }
  }
  timestamp_sizes_ = std::move(sizes);
  return Status::OK();
}

size_t Reader::DropPieces() {
  assert(pieces_ != nullptr);
  const size_t bytes = has_pieces_ ? pieces_->size() : 0;
  has_pieces_ = false;
  pieces_->clear();
  return bytes;
}

void Reader::Report(size_t bytes, const char* what) {
  assert(what != nullptr);
  Report(bytes, Status::Corruption(what));
}

void Reader::Report(size_t bytes, const Status& status) {
  assert(!status.ok());
  if (reporter_ == nullptr) return;
  const std::string place =
      options_.name + " near offset " + std::to_string(fragment_offset_);
  reporter_->Corruption(bytes,
                        Status::CopyAppendMessage(status, " in ", place));
}

}  // namespace ROCKSDB_NAMESPACE::log
