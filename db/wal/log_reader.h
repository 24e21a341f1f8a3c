// Reads logical records from a log file (log_format.h) that may be torn or
// damaged, and says what it could not read.
//
// Contract   What a damaged place means depends on the recovery mode; see the
//            table in ReadRecord(). A record is either returned as it was
//            written or not at all.
// Threads    One thread.
// Ownership  Owns the file. A returned record is good until the next call.
// Errors     Reported to the Reporter: Corruption, or IOError when the file
//            cannot be read; then ReadRecord() returns false for good.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "db/wal/log_format.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class SequentialFileReader;

namespace log {

class Decompression;

class Reader {
 public:
  class Reporter {
   public:
    virtual ~Reporter() = default;
    // About `bytes` bytes were dropped because of `status`.
    virtual void Corruption(size_t bytes, const Status& status) = 0;
    // The log ends at a record that belongs to a former life of the file.
    virtual void OldLogRecord(size_t /*bytes*/) {}
  };

  struct Options {
    uint64_t log_number = 0;
    std::string name;  // for messages
    // Where `file` stands: a multiple of the block size. Pieces of a record
    // that began before are passed over.
    uint64_t start_offset = 0;
    // What the first record of the log says, when reading starts behind it.
    bool is_compressed = false;
    bool verify_checksums = true;
    // The log is being written: zeros are what will be data, damage may be half
    // of it, and the log ends at either. Else blocks could be passed over that
    // were written meanwhile.
    bool is_growing = false;
  };

  // `reporter` may be null; else it must outlive the reader.
  Reader(std::unique_ptr<SequentialFileReader> file, Reporter* reporter,
         const Options& options);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // The next record: true, with *record pointing into the reader or into
  // *scratch. False at the end of what can be read.
  //
  //                        tolerate   absolute   point in    skip
  //                        torn tail  consist.   time        any
  //   torn at the end      end        report     report      end
  //   bad checksum, order, report, go on, in all four; a recycled file ends
  //     unknown type         at a bad checksum when tolerating
  //   record of an old log end        end        note, end   go on
  //   zeros                skipped with the rest of the block, in all four
  bool ReadRecord(
      Slice* record, std::string* scratch,
      WALRecoveryMode mode = WALRecoveryMode::kTolerateCorruptedTailRecords);

  // Offset of the first byte of the record returned last, and of the first
  // byte after what has been read.
  uint64_t LastRecordOffset() const { return last_record_offset_; }
  uint64_t LastRecordEnd() const { return buffer_end_offset_ - buffer_.size(); }
  bool IsEof() const { return eof_; }

  uint64_t log_number() const { return options_.log_number; }
  bool is_recycled() const { return recycled_; }
  // Were zeros passed over on the way to the last record? Some are padding; a
  // block that did not survive a crash is zeros, too.
  bool is_behind_zeros() const { return is_behind_zeros_; }
  bool is_compressed() const { return decompression_ != nullptr; }
  const std::optional<PredecessorInfo>& predecessor() const {
    return predecessor_;
  }
  // Timestamp sizes by column family id, as recorded so far.
  const std::map<uint32_t, uint16_t>& timestamp_sizes() const {
    return timestamp_sizes_;
  }

 private:
  // What ReadPhysicalRecord() found: a record type, or one of these.
  enum Event : unsigned {
    kEof = 256,
    kTruncatedHeader,
    kBadLength,
    kBadLengthAtEof,
    kOldRecord,
    kZeroRecord,
    kBadChecksum,
    kIoError,
  };
  struct Fragment {
    unsigned event = kEof;
    Slice payload;
    size_t dropped_bytes = 0;  // what an event other than a record consumed
  };
  // The header of a physical record.
  struct Header {
    uint8_t type = 0;
    size_t size = 0;
    size_t length = 0;
  };
  enum class Step { kGoOn, kRecord, kStop };

  Fragment ReadPhysicalRecord();
  size_t ShortestHeader() const;
  bool RefillBuffer(Fragment* fragment);
  Fragment CheckRecord(const Header& header);
  bool IsOld(const Header& header) const;
  bool HasRightChecksum(const Header& header) const;
  Fragment DropBlock(Event event);

  Step Handle(const Fragment& fragment, WALRecoveryMode mode, Slice* record);
  Step HandleData(uint8_t type, const Slice& payload, Slice* record);
  Step HandleSpecial(uint8_t type, const Slice& payload);
  Step HandleOldRecord(const Fragment& fragment, WALRecoveryMode mode);
  Step HandleTornTail(const char* what, const Fragment& fragment,
                      WALRecoveryMode mode);
  Step HandleDamage(const char* what, const Fragment& fragment,
                    WALRecoveryMode mode);
  Step Deliver(const Slice& bytes, uint64_t offset, Slice* record);

  Status SetCompression(const Slice& payload);
  Status SetPredecessor(const Slice& payload);
  Status AddTimestampSizes(const Slice& payload);

  // Drops the pieces that wait for more, and says how many bytes they were.
  size_t DropPieces();
  void Report(size_t bytes, const Status& status);
  void Report(size_t bytes, const char* what);

  const std::unique_ptr<SequentialFileReader> file_;
  Reporter* const reporter_;
  const Options options_;

  const std::unique_ptr<char[]> block_;
  Slice buffer_;  // what is left of the block
  uint64_t buffer_end_offset_ = 0;
  uint64_t fragment_offset_ = 0;
  uint64_t last_record_offset_ = 0;
  bool is_behind_zeros_ = false;
  bool eof_ = false;  // the last block read was short
  bool stopped_ = false;

  // The pieces of a logical record so far.
  std::string* pieces_ = nullptr;  // the caller's scratch
  bool has_pieces_ = false;
  uint64_t pieces_offset_ = 0;

  bool recycled_ = false;         // a recyclable record was seen
  bool seen_plain_data_ = false;  // a data record with a plain header
  bool seen_data_ = false;
  // Reading began inside the log, maybe inside a record.
  bool passes_over_ = false;
  bool damaged_head_ = false;  // the first record could not be read

  std::unique_ptr<Decompression> decompression_;
  std::string expanded_;
  std::optional<PredecessorInfo> predecessor_;
  std::map<uint32_t, uint16_t> timestamp_sizes_;
};

// Remembers the first damage that a reader meets.
class FirstDamage final : public Reader::Reporter {
 public:
  void Corruption(size_t /*bytes*/, const Status& status) override {
    if (status_.ok()) status_ = status;
  }
  void Forget() { status_ = Status::OK(); }
  // OK: none so far.
  const Status& status() const { return status_; }

 private:
  Status status_;
};

}  // namespace log
}  // namespace ROCKSDB_NAMESPACE
