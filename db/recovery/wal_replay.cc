#include "db/recovery/wal_replay.h"

#include <algorithm>

#include "db/wal/log_reader.h"
#include "db/wal/prepared_sections.h"
#include "db/wal/sub_batches.h"
#include "db/wal/timestamp_fit.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "file/filename.h"
#include "file/sequential_file_reader.h"
#include "memtable/memtable.h"
#include "options/user_code.h"
#include "rocksdb/file_system.h"
#include "rocksdb/wal_filter.h"
#include "util/coding.h"
#include "util/event_text.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// Collects what the reader could not read.
class WalReplay::Report : public log::Reader::Reporter {
 public:
  Report(Logger* logger, std::string path)
      : logger_(logger), path_(std::move(path)) {}

  void Corruption(size_t bytes, const Status& status) override {
    ROCKSDB_NAMESPACE::Warn(logger_, "%s: dropped %zu bytes: %s", path_.c_str(),
                            bytes, status.ToString().c_str());
    if (status_.ok()) status_ = status;
  }
  void OldLogRecord(size_t bytes) override {
    ROCKSDB_NAMESPACE::Info(logger_, "%s: %zu bytes of an older log follow",
                            path_.c_str(), bytes);
    old_record_ = true;
  }

  const Status& status() const { return status_; }
  bool old_record() const { return old_record_; }

 private:
  Logger* logger_;
  const std::string path_;
  Status status_;
  bool old_record_ = false;
};

WalReplay::WalReplay(Context context)
    : context_(std::move(context)),
      prepared_(
          std::make_unique<PreparedSections>(context_.db->section_policy)) {
  INVARIANT(context_.db != nullptr);
  INVARIANT(context_.families != nullptr);
  INVARIANT(context_.after_batch != nullptr);
}

WalReplay::~WalReplay() = default;

Status WalReplay::Run(const std::vector<uint64_t>& numbers) {
  INVARIANT(std::is_sorted(numbers.begin(), numbers.end()));
  if (WalFilter* filter = context_.db->wal_filter; filter != nullptr) {
    Status s = CallUserCode(filter->Name(), [&] {
      filter->ColumnFamilyLogNumberMap(context_.family_log_numbers,
                                       context_.family_ids);
      return Status::OK();
    });
    if (!s.ok()) return s;
  }
  for (uint64_t number : numbers) {
    INVARIANT(outcome_.newest_log <= number);
    if (Status s = ReplayLog(number); !s.ok()) return s;
    outcome_.newest_log = number;
    if (is_ended_) break;
  }
  return Status::OK();
}

Status WalReplay::ReplayLog(uint64_t number) {
  const std::string path = LogFileName(context_.wal_dir, number);
  FileSystem* fs = context_.db->fs;
  std::unique_ptr<FSSequentialFile> file;
  Status s = fs->NewSequentialFile(path, fs->OptimizeForLogRead(FileOptions()),
                                   &file, nullptr);
  if (!s.ok()) return s;
  log::PredecessorInfo found{.log_number = number};
  s = fs->GetFileSize(path, IOOptions(), &found.size_bytes, nullptr);
  if (!s.ok()) return s;
  const size_t readahead_bytes =
      std::min<uint64_t>(context_.db->log_readahead_size, found.size_bytes);
  Report report(context_.db->logger, path);
  log::Reader::Options options;
  options.log_number = number;
  options.name = path;
  options.is_growing = context_.is_following;
  // Without paranoid_checks a bad checksum is logged and its record dropped.
  log::Reader reader(std::make_unique<SequentialFileReader>(
                         std::move(file), path, readahead_bytes),
                     &report, options);
  const WALRecoveryMode mode = context_.db->wal_recovery_mode;
  logged_sizes_.clear();
  Slice record;
  std::string scratch;
  bool go_on = true;
  bool is_verified = is_stopped_;
  uint64_t& read_bytes = outcome_.read_bytes[number];
  while (go_on && reader.ReadRecord(&record, &scratch, mode)) {
    if (!is_verified && reader.predecessor()) {
      is_verified = true;
      Verify(*reader.predecessor(), &report);
    }
    if (reader.is_behind_zeros()) LookForLoss(record, &report);
    // In point-in-time mode nothing behind a damaged place counts.
    const bool damaged = !report.status().ok();
    if (damaged && context_.db->paranoid_checks &&
        mode != WALRecoveryMode::kSkipAnyCorruptedRecords) {
      break;
    }
    if (reader.timestamp_sizes().size() != logged_sizes_.size()) {
      logged_sizes_ = reader.timestamp_sizes();
    }
    s = ApplyRecord(record, number, &report, &go_on);
    if (!s.ok()) return s;
    if (go_on) read_bytes = reader.LastRecordEnd();
    if (record.size() >= kBatchHeaderBytes) {
      found.last_sequence = DecodeFixed64(record.data());
    }
  }
  // One without records tells of the log before it, too.
  if (!is_verified && reader.predecessor()) {
    Verify(*reader.predecessor(), &report);
  }
  before_ = found;
  return AfterReport(report, number);
}

// A block of the log that did not survive reads as zeros. Where those are but
// padding, the next record goes on where the one before ended.
void WalReplay::LookForLoss(const Slice& record, Report* report) const {
  INVARIANT(report != nullptr);
  if (context_.db->wal_recovery_mode != WALRecoveryMode::kPointInTimeRecovery ||
      is_stopped_ || outcome_.next_sequence == 0 ||
      record.size() < kBatchHeaderBytes) {
    return;
  }
  if (DecodeFixed64(record.data()) <= outcome_.next_sequence) return;
  report->Corruption(record.size(),
                     Status::Corruption("zeros where records are missing"));
}

Status WalReplay::AfterReport(const Report& report, uint64_t number) {
  const WALRecoveryMode mode = context_.db->wal_recovery_mode;
  const bool noted =
      report.old_record() && mode == WALRecoveryMode::kPointInTimeRecovery;
  if (report.status().ok() && !noted) return Status::OK();
  if (report.status().IsIOError()) return report.status();
  if (!context_.db->paranoid_checks) return Status::OK();
  switch (mode) {
    case WALRecoveryMode::kSkipAnyCorruptedRecords:
      return Status::OK();
    case WALRecoveryMode::kPointInTimeRecovery:
      is_stopped_ = true;
      outcome_.dropped_something = true;
      outcome_.stopped_at_log = number;
      return Status::OK();
    default:
      return Status::Corruption(LogFileName(context_.wal_dir, number),
                                report.status().ToString());
  }
}

Status WalReplay::ApplyRecord(const Slice& record, uint64_t number,
                              Report* report, bool* go_on) {
  INVARIANT(report != nullptr);
  INVARIANT(go_on != nullptr);
  if (record.size() < kBatchHeaderBytes) {
    report->Corruption(record.size(),
                       Status::Corruption("log record too small"));
    return Status::OK();
  }
  WriteBatch batch;
  Status s = WriteBatchInternal::SetContents(&batch, record);
  if (!s.ok()) return s;
  LogPredecessor predecessor;
  bool is_whole_before = false;  // This log says so.
  if (DecodePredecessor(record, &predecessor)) {
    s = CheckPredecessor(predecessor, number);
    if (!s.ok() || is_cut_off_) return s;
    // What is damaged is behind all that this log goes on from. Its own
    // sequences may begin later: the manifest's went further than what was
    // left of the log before.
    is_whole_before = predecessor.log_number == outcome_.stopped_at_log &&
                      EndMissed(predecessor).empty();
  }
  const SequenceNumber first = WriteBatchInternal::Sequence(batch);
  if (is_stopped_) {
    INVARIANT(outcome_.dropped_something);
    // An open that has dropped what follows has left an empty batch.
    const bool continues =
        !is_cut_off_ || batch.GetDataSize() == kBatchHeaderBytes;
    const bool follows =
        is_whole_before || (continues && first == outcome_.next_sequence);
    if (!follows) {
      *go_on = false;
      return Status::OK();
    }
    is_stopped_ = false;
    is_cut_off_ = false;
    outcome_.stopped_at_log = 0;
  }
  if (first < outcome_.next_sequence) {
    return Status::Corruption(LogFileName(context_.wal_dir, number),
                              "sequence numbers go backwards");
  }
  Numbering numbering = Numbering::kByEntry;
  if (s = FindNumbering(batch, &numbering); !s.ok()) return s;
  if (numbering == Numbering::kBySubBatch) {
    return ApplySubBatches(batch, number);
  }
  // From here on the batch is what takes effect; of prepared transactions
  // nothing does, and they take no sequences.
  uint64_t taken = 0;
  if (context_.db->allow_2pc && PreparedSections::Concerns(batch)) {
    s = prepared_->Expand(number, KnownSizes(), &batch, &taken);
    if (!s.ok()) return s;
  }
  const SequenceNumber next = first + taken + WriteBatchInternal::Count(batch);
  Filtered filtered = Filtered::kApply;
  if (s = Filter(number, report, &batch, &filtered); !s.ok()) return s;
  if (filtered == Filtered::kApply && context_.check_blobs != nullptr) {
    s = CheckBlobs(batch, number, report, &filtered);
    if (!s.ok()) return s;
  }
  *go_on = filtered != Filtered::kEnd;
  if (filtered == Filtered::kApply) s = Apply(&batch, number);
  if (!s.ok() || filtered == Filtered::kEnd) return s;
  // The writer counts every entry, also one that then took no sequence.
  outcome_.next_sequence = std::max(outcome_.next_sequence, next);
  if (next > first) outcome_.reached[number] = next;
  return context_.after_batch();
}

// Most records are of no policy that shares sequences: they end in no Noop, and
// have no markers.
Status WalReplay::FindNumbering(const WriteBatch& batch,
                                Numbering* numbering) const {
  *numbering = Numbering::kByEntry;
  const bool may_share =
      batch.Data().back() == static_cast<char>(kTypeNoop) ||
      (context_.db->allow_2pc && PreparedSections::Concerns(batch));
  if (!may_share) return Status::OK();
  const bool is_committed =
      context_.db->section_policy == SectionPolicy::kWriteCommitted;
  return NumberingOf(
      batch, is_committed ? Numbering::kByEntry : Numbering::kBySubBatch,
      numbering);
}

Status WalReplay::ApplySubBatches(const WriteBatch& batch, uint64_t number) {
  if (context_.db->wal_filter != nullptr) {
    return Status::NotSupported(
        "DBOptions::wal_filter over a log of the policies write-prepared and "
        "write-unprepared");
  }
  const CompareKeys compare = [this](uint32_t family, const Slice& a,
                                     const Slice& b) {
    ColumnFamilyMemTables::Target target;
    return context_.families->Find(family, &target)
               ? target.memtable->order().CompareUserKeys(a, b)
               : a.compare(b);
  };
  std::vector<SubBatch> parts;
  SequenceNumber next = 0;
  Status s = CutIntoSubBatches(batch, compare, &parts, &next);
  const bool has_markers = std::any_of(
      parts.begin(), parts.end(),
      [](const SubBatch& part) { return part.kind != SubBatch::Kind::kPlain; });
  if (s.ok() && has_markers && !context_.db->allow_2pc) {
    s = Status::NotSupported(
        "WAL contains prepared transactions. Open with "
        "TransactionDB::Open().");
  }
  std::vector<ReplayedBatch> effects;
  if (s.ok()) {
    s = prepared_->ExpandSubBatches(number, std::move(parts), context_.families,
                                    &effects);
  }
  for (const ReplayedBatch& effect : effects) {
    if (!s.ok()) break;
    InsertOptions options;
    options.ignore_missing_column_families = true;
    options.shares_sequence = true;
    options.replayed_log_number = effect.log_number;
    InsertResult result;
    s = InsertBatch(effect.updates, options, context_.families, &result);
  }
  if (!s.ok()) return s;
  outcome_.next_sequence = std::max(outcome_.next_sequence, next);
  outcome_.reached[number] = next;
  return context_.after_batch();
}

Status WalReplay::CheckBlobs(const WriteBatch& batch, uint64_t number,
                             Report* report, Filtered* filtered) {
  INVARIANT(report != nullptr && filtered != nullptr);
  LostBlob lost;
  Status s = context_.check_blobs(batch, number, &lost);
  if (!s.ok() || !lost.is_lost) return s;
  const WALRecoveryMode mode = context_.db->wal_recovery_mode;
  *filtered = mode == WALRecoveryMode::kSkipAnyCorruptedRecords
                  ? Filtered::kPass
                  : Filtered::kEnd;
  if (mode == WALRecoveryMode::kTolerateCorruptedTailRecords &&
      lost.is_cut_off) {
    // Blobs are synced before logs are: nothing from here on was.
    ROCKSDB_NAMESPACE::Warn(context_.db->logger, "%s ends here: %s",
                            LogFileName(context_.wal_dir, number).c_str(),
                            lost.what.c_str());
    is_ended_ = true;
    outcome_.dropped_something = true;
    outcome_.stopped_at_log = number;
    return s;
  }
  report->Corruption(batch.GetDataSize(), Status::Corruption(lost.what));
  return s;
}

Status WalReplay::Apply(WriteBatch* batch, uint64_t number) {
  INVARIANT(batch != nullptr);
  if (!logged_sizes_.empty() || !context_.timestamp_sizes.empty()) {
    Status s = FitTimestamps(logged_sizes_, KnownSizes(), batch);
    if (!s.ok()) return s;
  }
  InsertOptions options;
  options.ignore_missing_column_families = true;
  options.replayed_log_number = number;
  InsertResult result;
  Status s = InsertBatch(*batch, options, context_.families, &result);
  INVARIANT(!s.ok() ||
            result.next_sequence <= WriteBatchInternal::Sequence(*batch) +
                                        WriteBatchInternal::Count(*batch));
  return s;
}

// A family that is gone keeps the size that the log gives, so that its keys are
// left as they are: nobody will read them.
std::map<uint32_t, uint16_t> WalReplay::KnownSizes() const {
  TimestampSizes sizes = context_.timestamp_sizes;
  for (const auto& [id, size] : logged_sizes_) {
    ColumnFamilyMemTables::Target unused;
    if (!context_.families->Find(id, &unused)) sizes[id] = size;
  }
  return sizes;
}

Status WalReplay::Filter(uint64_t number, Report* report, WriteBatch* batch,
                         Filtered* filtered) {
  INVARIANT(report != nullptr && filtered != nullptr);
  *filtered = Filtered::kApply;
  WalFilter* filter = context_.db->wal_filter;
  if (filter == nullptr) return Status::OK();
  WriteBatch changed;
  bool is_changed = false;
  using Option = WalFilter::WalProcessingOption;
  const std::string path = LogFileName(context_.wal_dir, number);
  Option answer = Option::kContinueProcessing;
  Status s = CallUserCode(filter->Name(), [&] {
    answer =
        filter->LogRecordFound(number, path, *batch, &changed, &is_changed);
    return Status::OK();
  });
  if (!s.ok()) return s;
  switch (answer) {
    case Option::kContinueProcessing:
      break;
    case Option::kIgnoreCurrentRecord:
      *filtered = Filtered::kPass;
      return Status::OK();
    case Option::kStopReplay:
      is_ended_ = true;
      *filtered = Filtered::kEnd;
      return Status::OK();
    case Option::kCorruptedRecord:
      report->Corruption(
          batch->GetDataSize(),
          Status::Corruption(filter->Name(), "the filter rejects a record"));
      *filtered = Filtered::kEnd;
      if (context_.db->wal_recovery_mode ==
          WALRecoveryMode::kSkipAnyCorruptedRecords) {
        *filtered = Filtered::kPass;
      }
      return Status::OK();
    default:
      return Status::NotSupported(filter->Name(), "unknown processing option");
  }
  if (!is_changed) return Status::OK();
  // The sequences of what follows are taken.
  if (changed.Count() > batch->Count()) {
    return Status::NotSupported(
        filter->Name(), "a changed batch has more updates than the log's");
  }
  WriteBatchInternal::SetSequence(&changed,
                                  WriteBatchInternal::Sequence(*batch));
  *batch = std::move(changed);
  return Status::OK();
}

void WalReplay::Verify(const log::PredecessorInfo& info, Report* report) const {
  INVARIANT(report != nullptr);
  if (!context_.db->track_and_verify_wals ||
      context_.db->wal_recovery_mode ==
          WALRecoveryMode::kSkipAnyCorruptedRecords) {
    return;
  }
  std::string what;
  if (before_.log_number == 0) {
    if (info.log_number < context_.min_log_number) return;
    what = "is missing";
  } else if (info.log_number != before_.log_number) {
    what = "is missing, log " + std::to_string(before_.log_number) +
           " comes before";
  } else if (info.last_sequence != before_.last_sequence ||
             info.size_bytes > before_.size_bytes) {
    what = "has " + std::to_string(before_.size_bytes) +
           " bytes and last sequence " + std::to_string(before_.last_sequence) +
           ", and had " + std::to_string(info.size_bytes) + " and " +
           std::to_string(info.last_sequence);
  }
  if (what.empty()) return;
  report->Corruption(
      0,
      Status::Corruption(LogFileName(context_.wal_dir, info.log_number), what));
}

Status WalReplay::CheckPredecessor(const LogPredecessor& predecessor,
                                   uint64_t number) {
  INVARIANT(predecessor.log_number < number);
  if (predecessor.log_number < context_.min_log_number) return Status::OK();
  const std::string missed = EndMissed(predecessor);
  if (missed.empty()) return Status::OK();
  const std::string what = "ends before " + missed + ", to which log " +
                           std::to_string(number) + " says that it went on";
  const std::string path =
      LogFileName(context_.wal_dir, predecessor.log_number);
  ROCKSDB_NAMESPACE::Warn(context_.db->logger, "%s %s", path.c_str(),
                          what.c_str());
  switch (context_.db->wal_recovery_mode) {
    case WALRecoveryMode::kPointInTimeRecovery:
      // Where a damaged place has stopped it already, that one counts.
      if (!is_stopped_) outcome_.stopped_at_log = predecessor.log_number;
      is_stopped_ = true;
      outcome_.dropped_something = true;
      is_cut_off_ = is_cut_off_ || ReachedBy(predecessor.log_number) >=
                                       predecessor.next_sequence;
      return Status::OK();
    case WALRecoveryMode::kAbsoluteConsistency:
      return Status::Corruption(path, what);
    default:
      return Status::OK();
  }
}

SequenceNumber WalReplay::ReachedBy(uint64_t number) const {
  const auto found = outcome_.reached.find(number);
  return found != outcome_.reached.end() ? found->second : 0;
}

// Where a record ends says more than sequences do. Only sections of
// transactions take none and are missed by somebody.
std::string WalReplay::EndMissed(const LogPredecessor& predecessor) const {
  if (ReachedBy(predecessor.log_number) < predecessor.next_sequence) {
    return "sequence " + std::to_string(predecessor.next_sequence);
  }
  if (!context_.db->allow_2pc || context_.is_following) return "";
  const auto read = outcome_.read_bytes.find(predecessor.log_number);
  if (read != outcome_.read_bytes.end() && read->second >= predecessor.end) {
    return "";
  }
  return predecessor.end > 0 ? "byte " + std::to_string(predecessor.end) : "";
}

Status CheckLogsPresent(const ImmutableDBOptions& options,
                        const std::string& wal_dir,
                        const ExpectedLogs& expected,
                        const std::vector<uint64_t>& present) {
  INVARIANT(std::is_sorted(present.begin(), present.end()));
  // Every session leaves its last log behind; only a database that is new has
  // none.
  if (options.track_and_verify_wals && present.empty() &&
      expected.last_sequence > 0) {
    return Status::Corruption("the logs are missing", wal_dir);
  }
  if (!options.track_and_verify_wals_in_manifest) return Status::OK();
  for (const auto& [number, synced_size] : expected.synced_sizes) {
    if (synced_size == 0 || number < expected.min_to_keep) continue;
    const std::string path = LogFileName(wal_dir, number);
    if (!std::binary_search(present.begin(), present.end(), number)) {
      return Status::Corruption(path, "a log in the manifest is missing");
    }
    uint64_t size = 0;
    const Status s = options.fs->GetFileSize(path, IOOptions(), &size, nullptr);
    if (!s.ok()) return s;
    if (size < synced_size) {
      return Status::Corruption(
          path, "is " + std::to_string(size) + " bytes long, " +
                    std::to_string(synced_size) + " were synced");
    }
  }
  return Status::OK();
}

Status CheckNotAhead(const WalReplayOutcome& outcome,
                     const std::string& wal_dir, const std::string& family,
                     uint64_t log_number) {
  if (outcome.stopped_at_log == 0 || log_number <= outcome.stopped_at_log) {
    return Status::OK();
  }
  INVARIANT(outcome.stopped_at_log <= outcome.newest_log);
  INVARIANT(outcome.dropped_something);
  return Status::Corruption(
      "SST file is ahead of WALs",
      "column family " + family + " has tables newer than the log " +
          LogFileName(wal_dir, outcome.stopped_at_log) + ", which is damaged");
}

Status ListLogs(FileSystem* fs, const std::string& dir,
                std::vector<uint64_t>* numbers) {
  INVARIANT(fs != nullptr);
  INVARIANT(numbers != nullptr);
  std::vector<std::string> names;
  Status s = fs->GetChildren(dir, IOOptions(), &names, nullptr);
  if (!s.ok()) return s;
  numbers->clear();
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (ParseFileName(name, &number, &type) && type == kWalFile) {
      numbers->push_back(number);
    }
  }
  std::sort(numbers->begin(), numbers->end());
  return Status::OK();
}

void LogRecoveryEvent(Logger* logger, const char* what,
                      const std::vector<uint64_t>& logs) {
  if (logs.empty()) return;
  const std::string event = EventText(what).Add("wal_files", logs).Finish();
  ROCKSDB_NAMESPACE::Info(logger, "%s", event.c_str());
}

}  // namespace ROCKSDB_NAMESPACE
