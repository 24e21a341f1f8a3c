#include "tools/ldb/doctor/log_examination.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "db/wal/log_reader.h"
#include "db/wal/write_batch_format.h"
#include "file/filename.h"
#include "file/sequential_file_reader.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Follows the records of all logs in one go, since what a gap has cost is known
// by the first good record behind it, which may be in a later log.
class LogFollower final : public log::Reader::Reporter {
 public:
  LogFollower(const LogExamination& request, LogHealth* health)
      : request_(request), health_(*health) {}

  Status Follow(uint64_t number) {
    number_ = number;
    path_ = LogFileName(request_.wal_dir, number);
    std::unique_ptr<SequentialFileReader> file;
    Status s =
        SequentialFileReader::Create(request_.fs, path_, FileOptions(), &file);
    if (!s.ok()) {
      AddGap(s.ToString());
      return Status::OK();
    }
    log::Reader::Options options;
    options.log_number = number;
    options.name = path_;
    log::Reader reader(std::move(file), this, options);
    reader_ = &reader;
    record_end_ = 0;
    Slice record;
    std::string scratch;
    // In this mode all that is wrong is reported, and reading goes on.
    while (reader.ReadRecord(&record, &scratch,
                             WALRecoveryMode::kPointInTimeRecovery)) {
      if (reader.is_behind_zeros()) NoteZeros(record);
      record_end_ = reader.LastRecordEnd();
      Take(record);
    }
    reader_ = nullptr;
    return Status::OK();
  }

  void Corruption(size_t /*bytes*/, const Status& status) override {
    AddGap(status.ToString());
  }

  // Gaps that nothing came behind.
  void Finish() {
    for (LogGap& gap : health_.gaps) {
      if (gap.last_sequence == kMaxSequenceNumber) gap.is_at_end = true;
    }
  }

 private:
  // Zeros may be padding, or a block that a crash has left without its bytes.
  void NoteZeros(const Slice& record) {
    if (next_sequence_ == 0 || record.size() < kBatchHeaderBytes) return;
    if (DecodeFixed64(record.data()) > next_sequence_) {
      AddGap("Corruption: zeros stand where records were");
    }
  }

  void AddGap(const std::string& reason) {
    // One damaged place may be told of twice: where it begins, and where
    // reading goes on.
    if (!health_.gaps.empty()) {
      const LogGap& last = health_.gaps.back();
      if (last.log_number == number_ && last.offset == record_end_) return;
    }
    LogGap gap;
    gap.log_number = number_;
    gap.path = path_;
    gap.offset = record_end_;
    gap.reason = reason;
    // Before the first good record this is 0: nothing says where the writes
    // begin.
    gap.first_sequence = next_sequence_;
    // In a recycled file, what cannot be read may be the rest of the old log,
    // so it counts as torn.
    gap.is_torn = reason.find("the log ends inside") != std::string::npos ||
                  reason.find("longer than the log") != std::string::npos ||
                  (reader_ != nullptr && reader_->is_recycled());
    health_.gaps.push_back(std::move(gap));
  }

  void Take(const Slice& record) {
    if (record.size() < kBatchHeaderBytes) {
      return AddGap("Corruption: a record is too small for a batch");
    }
    const SequenceNumber sequence = DecodeFixed64(record.data());
    const uint64_t count = DecodeFixed32(record.data() + sizeof(uint64_t));
    for (LogGap& gap : health_.gaps) {
      if (gap.last_sequence != kMaxSequenceNumber) continue;
      gap.last_sequence = sequence == 0 ? 0 : sequence - 1;
    }
    health_.write_count += count;
    if (!health_.gaps.empty()) health_.writes_behind_first_gap += count;
    next_sequence_ = std::max(next_sequence_, sequence + count);
    health_.next_sequence = next_sequence_;
    if (health_.first_sequence == 0) health_.first_sequence = sequence;
  }

  const LogExamination& request_;
  LogHealth& health_;
  log::Reader* reader_ = nullptr;
  uint64_t number_ = 0;
  std::string path_;
  uint64_t record_end_ = 0;
  SequenceNumber next_sequence_ = 0;
};

}  // namespace

Status ExamineLogs(const LogExamination& request, LogHealth* health) {
  LogFollower follower(request, health);
  for (const uint64_t number : request.numbers) {
    if (Status s = follower.Follow(number); !s.ok()) return s;
  }
  follower.Finish();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
