// EventListener: what the engine tells an application while it runs.
//
// Threads    Calls come from the thread on which the event happened, several
//            at a time. No lock of the engine is held, so a listener may read
//            from the database; it must not wait for background work.
// Errors     An exception must not leave a callback.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocksdb/advanced_options.h"
#include "rocksdb/compaction_job_stats.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/customizable.h"
#include "rocksdb/io_status.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class DB;

using TablePropertiesCollection =
    std::unordered_map<std::string, std::shared_ptr<const TableProperties>>;

struct FileCreationBriefInfo {
  FileCreationBriefInfo() = default;
  FileCreationBriefInfo(const std::string& db, const std::string& cf,
                        const std::string& path, int job)
      : db_name(db), cf_name(cf), file_path(path), job_id(job) {}

  std::string db_name;
  std::string cf_name;
  std::string file_path;
  int job_id = 0;
};

struct TableFileCreationBriefInfo : public FileCreationBriefInfo {
  TableFileCreationReason reason = TableFileCreationReason::kMisc;
};

struct TableFileCreationInfo : public TableFileCreationBriefInfo {
  TableFileCreationInfo() = default;
  explicit TableFileCreationInfo(TableProperties&& properties)
      : table_properties(std::move(properties)) {}

  uint64_t file_size = 0;
  TableProperties table_properties;
  Status status;
  std::string file_checksum;
  std::string file_checksum_func_name;
};

struct BlobFileCreationBriefInfo : public FileCreationBriefInfo {
  BlobFileCreationBriefInfo() = default;
  BlobFileCreationBriefInfo(const std::string& _db_name,
                            const std::string& _cf_name,
                            const std::string& _file_path, int _job_id,
                            BlobFileCreationReason _reason)
      : FileCreationBriefInfo(_db_name, _cf_name, _file_path, _job_id),
        reason(_reason) {}

  BlobFileCreationReason reason = BlobFileCreationReason::kFlush;
};

struct BlobFileCreationInfo : public BlobFileCreationBriefInfo {
  BlobFileCreationInfo() = default;
  BlobFileCreationInfo(const std::string& _db_name, const std::string& _cf_name,
                       const std::string& _file_path, int _job_id,
                       BlobFileCreationReason _reason,
                       uint64_t _total_blob_count, uint64_t _total_blob_bytes,
                       Status _status, const std::string& _file_checksum,
                       const std::string& _file_checksum_func_name)
      : BlobFileCreationBriefInfo(_db_name, _cf_name, _file_path, _job_id,
                                  _reason),
        total_blob_count(_total_blob_count),
        total_blob_bytes(_total_blob_bytes),
        status(std::move(_status)),
        file_checksum(_file_checksum),
        file_checksum_func_name(_file_checksum_func_name) {}

  uint64_t total_blob_count = 0;
  uint64_t total_blob_bytes = 0;
  Status status;
  std::string file_checksum;
  std::string file_checksum_func_name;
};

// Why a compaction ran. GetCompactionReasonString() has the texts.
enum class CompactionReason : int {
  kUnknown = 0,
  kLevelL0FilesNum,
  kLevelMaxLevelSize,
  kUniversalSizeAmplification,
  kUniversalSizeRatio,
  kUniversalSortedRunNum,
  kFIFOMaxSize,
  kFIFOReduceNumFiles,
  kFIFOTtl,
  kManualCompaction,
  kFilesMarkedForCompaction,
  kBottommostFiles,
  kTtl,
  kFlush,
  kExternalSstIngestion,
  kPeriodicCompaction,
  kChangeTemperature,
  kForcedBlobGC,
  kRoundRobinTtl,
  kRefitLevel,
  kReadTriggered,
  kNumOfReasons,
};

const char* GetCompactionReasonString(CompactionReason compaction_reason);

// Why a flush ran. GetFlushReasonString() has the texts.
enum class FlushReason : int {
  kOthers = 0x00,
  kGetLiveFiles = 0x01,
  kShutDown = 0x02,
  kExternalFileIngestion = 0x03,
  kManualCompaction = 0x04,
  kWriteBufferManager = 0x05,
  kWriteBufferFull = 0x06,
  kTest = 0x07,
  kDeleteFiles = 0x08,
  kAutoCompaction = 0x09,
  kManualFlush = 0x0a,
  kErrorRecovery = 0x0b,
  kErrorRecoveryRetryFlush = 0x0c,
  kWalFull = 0x0d,
  kCatchUpAfterErrorRecovery = 0x0e,
  kMemtableMaxRangeDeletions = 0x0f,
};

const char* GetFlushReasonString(FlushReason flush_reason);

// What was being done when a background error happened.
enum class BackgroundErrorReason {
  kFlush,
  kCompaction,
  kWriteCallback,
  kMemTable,
  kManifestWrite,
  kFlushNoWAL,
  kManifestWriteNoWAL,
  kAsyncFileOpen,
};

struct WriteStallInfo {
  std::string cf_name;
  struct {
    WriteStallCondition cur = WriteStallCondition::kNormal;
    WriteStallCondition prev = WriteStallCondition::kNormal;
  } condition;
};

struct FileDeletionInfo {
  FileDeletionInfo() = default;
  FileDeletionInfo(const std::string& db, const std::string& path, int job,
                   Status result)
      : db_name(db), file_path(path), job_id(job), status(std::move(result)) {}

  std::string db_name;
  std::string file_path;
  int job_id = 0;
  Status status;
};

struct TableFileDeletionInfo : public FileDeletionInfo {};
struct BlobFileDeletionInfo : public FileDeletionInfo {
  BlobFileDeletionInfo() = default;
  BlobFileDeletionInfo(const std::string& _db_name,
                       const std::string& _file_path, int _job_id,
                       Status _status)
      : FileDeletionInfo(_db_name, _file_path, _job_id, std::move(_status)) {}
};

enum class FileOperationType {
  kRead,
  kWrite,
  kTruncate,
  kClose,
  kFlush,
  kSync,
  kFsync,
  kRangeSync,
  kAppend,
  kPositionedAppend,
  kOpen,
  kVerify,
};

struct FileOperationInfo {
  using Duration = std::chrono::nanoseconds;
  using SteadyTimePoint =
      std::chrono::time_point<std::chrono::steady_clock, Duration>;
  using SystemTimePoint =
      std::chrono::time_point<std::chrono::system_clock, Duration>;
  using StartTimePoint = std::pair<SystemTimePoint, SteadyTimePoint>;
  using FinishTimePoint = SteadyTimePoint;

  FileOperationType type = FileOperationType::kRead;
  // Good as long as the call that tells it.
  const std::string& path;
  Temperature temperature;
  uint64_t offset = 0;
  size_t length = 0;
  const Duration duration;
  const SystemTimePoint& start_ts;
  Status status;

  // `_path` and `_start_ts` must outlive it.
  FileOperationInfo(const FileOperationType _type, const std::string& _path,
                    const StartTimePoint& _start_ts,
                    const FinishTimePoint& _finish_ts, const Status& _status,
                    const Temperature _temperature = Temperature::kUnknown)
      : type(_type),
        path(_path),
        temperature(_temperature),
        duration(_finish_ts - _start_ts.second),
        start_ts(_start_ts.first),
        status(_status) {}

  static StartTimePoint StartNow() {
    return {std::chrono::time_point_cast<Duration>(
                std::chrono::system_clock::now()),
            FinishNow()};
  }
  static FinishTimePoint FinishNow() {
    return std::chrono::time_point_cast<Duration>(
        std::chrono::steady_clock::now());
  }
};

struct BlobFileInfo {
  BlobFileInfo() = default;
  BlobFileInfo(const std::string& path, uint64_t number)
      : blob_file_path(path), blob_file_number(number) {}

  std::string blob_file_path;
  uint64_t blob_file_number = 0;
};

struct BlobFileAdditionInfo : public BlobFileInfo {
  BlobFileAdditionInfo() = default;
  BlobFileAdditionInfo(const std::string& path, uint64_t number, uint64_t count,
                       uint64_t bytes)
      : BlobFileInfo(path, number),
        total_blob_count(count),
        total_blob_bytes(bytes) {}

  uint64_t total_blob_count = 0;
  uint64_t total_blob_bytes = 0;
};

struct BlobFileGarbageInfo : public BlobFileInfo {
  BlobFileGarbageInfo() = default;
  BlobFileGarbageInfo(const std::string& path, uint64_t number, uint64_t count,
                      uint64_t bytes)
      : BlobFileInfo(path, number),
        garbage_blob_count(count),
        garbage_blob_bytes(bytes) {}

  uint64_t garbage_blob_count = 0;
  uint64_t garbage_blob_bytes = 0;
};

struct FlushJobInfo {
  uint32_t cf_id = 0;
  std::string cf_name;
  // The table file, empty if the flush made none.
  std::string file_path;
  uint64_t file_number = 0;
  uint64_t oldest_blob_file_number = 0;
  uint64_t thread_id = 0;
  int job_id = 0;
  bool triggered_writes_slowdown = false;
  bool triggered_writes_stop = false;
  SequenceNumber smallest_seqno = 0;
  SequenceNumber largest_seqno = 0;
  TableProperties table_properties;
  FlushReason flush_reason = FlushReason::kOthers;
  CompressionType blob_compression_type = kNoCompression;
  std::vector<BlobFileAdditionInfo> blob_file_addition_infos;
};

// A family that DB::Flush() was asked for.
struct ManualFlushInfo {
  uint32_t cf_id = 0;
  std::string cf_name;
  FlushReason flush_reason = FlushReason::kOthers;
};

struct CompactionFileInfo {
  int level = 0;
  uint64_t file_number = 0;
  uint64_t oldest_blob_file_number = 0;
};

struct SubcompactionJobInfo {
  uint32_t cf_id = 0;
  std::string cf_name;
  Status status;
  uint64_t thread_id = 0;
  int job_id = 0;
  int subcompaction_job_id = 0;
  int base_input_level = 0;
  int output_level = 0;
  CompactionReason compaction_reason = CompactionReason::kUnknown;
  CompressionType compression = kNoCompression;
  CompactionJobStats stats;
  CompressionType blob_compression_type = kNoCompression;
};

struct CompactionJobInfo {
  uint32_t cf_id = 0;
  std::string cf_name;
  Status status;
  // It stopped before the end, by request or error.
  bool aborted = false;
  uint64_t thread_id = 0;
  int job_id = 0;
  // Files of level 0 of the family, inputs or not, at the time of the call.
  int num_l0_files = 0;
  int base_input_level = 0;
  int output_level = 0;
  // Paths, and the same files as numbers and levels.
  std::vector<std::string> input_files;
  std::vector<CompactionFileInfo> input_file_infos;
  std::vector<std::string> output_files;
  std::vector<CompactionFileInfo> output_file_infos;
  TablePropertiesCollection table_properties;
  CompactionReason compaction_reason = CompactionReason::kUnknown;
  CompressionType compression = kNoCompression;
  CompactionJobStats stats;
  CompressionType blob_compression_type = kNoCompression;
  std::vector<BlobFileAdditionInfo> blob_file_addition_infos;
  std::vector<BlobFileGarbageInfo> blob_file_garbage_infos;
};

struct MemTableInfo {
  std::string cf_name;
  // Sequence number of the first entry, and one not above any entry's.
  SequenceNumber first_seqno = 0;
  SequenceNumber earliest_seqno = 0;
  uint64_t num_entries = 0;
  uint64_t num_deletes = 0;  // without those of ranges
  // Newest user-defined timestamp, where those are kept in memory only.
  std::string newest_udt;
};

struct ExternalFileIngestionInfo {
  std::string cf_name;
  // The path that was given, and the file's path in the database.
  std::string external_file_path;
  std::string internal_file_path;
  SequenceNumber global_seqno = 0;
  TableProperties table_properties;
};

struct BackgroundErrorRecoveryInfo {
  Status old_bg_error;
  Status new_bg_error;
};

struct IOErrorInfo {
  IOErrorInfo(const IOStatus& status, FileOperationType type,
              const std::string& path, size_t size, uint64_t at)
      : io_status(status),
        operation(type),
        file_path(path),
        length(size),
        offset(at) {}

  IOStatus io_status;
  FileOperationType operation;
  std::string file_path;
  size_t length;
  uint64_t offset;
};

// How busy the background threads of a database are, and how near its writers
// are to being held up.
struct BackgroundJobPressure {
  // Compactions that are scheduled, which wait for a thread or run, and those
  // that run: all of them, and those of the LOW and of the BOTTOM pool. One in
  // a user's thread counts as one of the LOW pool.
  int compaction_scheduled = 0;
  int compaction_running = 0;
  int compaction_low_scheduled = 0;
  int compaction_low_running = 0;
  int compaction_bottom_scheduled = 0;
  int compaction_bottom_running = 0;
  int flush_scheduled = 0;
  int flush_running = 0;
  // How near writers are to being slowed down, in percent of the memtables,
  // level-0 files or pending bytes that do it: the value of the family and the
  // limit that are nearest. 100 or more: they are slowed down or stopped.
  int write_stall_proximity_pct = 0;
  // Compactions may have more threads than usual.
  bool compaction_speedup_active = false;

  bool operator==(const BackgroundJobPressure& that) const {
    return compaction_scheduled == that.compaction_scheduled &&
           compaction_running == that.compaction_running &&
           compaction_low_scheduled == that.compaction_low_scheduled &&
           compaction_low_running == that.compaction_low_running &&
           compaction_bottom_scheduled == that.compaction_bottom_scheduled &&
           compaction_bottom_running == that.compaction_bottom_running &&
           flush_scheduled == that.flush_scheduled &&
           flush_running == that.flush_running &&
           write_stall_proximity_pct == that.write_stall_proximity_pct &&
           compaction_speedup_active == that.compaction_speedup_active;
  }
};

class EventListener : public Customizable {
 public:
  ~EventListener() override = default;
  static const char* Type() { return "EventListener"; }
  static Status CreateFromString(const ConfigOptions& options,
                                 const std::string& id,
                                 std::shared_ptr<EventListener>* result);
  const char* Name() const override { return ""; }

  virtual void OnFlushBegin(DB* /*db*/, const FlushJobInfo& /*info*/) {}
  // The table is installed. DB::Flush() that waits returns after this; a wait
  // inside of it is for other flushes only, and takes a second flush thread.
  virtual void OnFlushCompleted(DB* /*db*/, const FlushJobInfo& /*info*/) {}

  virtual void OnManualFlushScheduled(
      DB* /*db*/, const std::vector<ManualFlushInfo>& /*infos*/) {}

  // The pressure is another than it was told last. Called without a lock, when
  // a flush or a compaction begins or has ended, and when a stall changes, by
  // one thread at a time, which may be a job's: be quick, and wait for no job.
  // What changes meanwhile is told when this has returned. What changes before
  // the database is open, or once it begins to close, is not told.
  virtual void OnBackgroundJobPressureChanged(
      DB* /*db*/, const BackgroundJobPressure& /*pressure*/) {}

  // The database begins to close, and can still be read. Once for each.
  virtual void OnDBShutdownBegin(DB* /*db*/) {}

  virtual void OnTableFileDeleted(const TableFileDeletionInfo& /*info*/) {}

  virtual void OnCompactionBegin(DB* /*db*/,
                                 const CompactionJobInfo& /*info*/) {}
  virtual void OnCompactionPreCommit(DB* /*db*/,
                                     const CompactionJobInfo& /*info*/) {}
  virtual void OnCompactionCompleted(DB* /*db*/,
                                     const CompactionJobInfo& /*info*/) {}
  virtual void OnSubcompactionBegin(const SubcompactionJobInfo& /*info*/) {}
  virtual void OnSubcompactionCompleted(const SubcompactionJobInfo& /*info*/) {}

  // A file was finished, or its creation failed (info.status).
  virtual void OnTableFileCreated(const TableFileCreationInfo& /*info*/) {}
  virtual void OnTableFileCreationStarted(
      const TableFileCreationBriefInfo& /*info*/) {}

  virtual void OnMemTableSealed(const MemTableInfo& /*info*/) {}

  // The handle is still valid during the call.
  virtual void OnColumnFamilyHandleDeletionStarted(
      ColumnFamilyHandle* /*handle*/) {}

  virtual void OnExternalFileIngested(
      DB* /*db*/, const ExternalFileIngestionInfo& /*info*/) {}

  // Setting `*bg_error` to OK keeps the database writable.
  virtual void OnBackgroundError(BackgroundErrorReason /*reason*/,
                                 Status* /*bg_error*/) {}

  // In the order of the changes, by one thread at a time.
  virtual void OnStallConditionsChanged(const WriteStallInfo& /*info*/) {}

  // Called after every file operation, where ShouldBeNotifiedOnFileIO() answers
  // true.
  virtual void OnFileReadFinish(const FileOperationInfo& /*info*/) {}
  virtual void OnFileWriteFinish(const FileOperationInfo& /*info*/) {}
  virtual void OnFileFlushFinish(const FileOperationInfo& /*info*/) {}
  virtual void OnFileSyncFinish(const FileOperationInfo& /*info*/) {}
  virtual void OnFileRangeSyncFinish(const FileOperationInfo& /*info*/) {}
  virtual void OnFileTruncateFinish(const FileOperationInfo& /*info*/) {}
  virtual void OnFileCloseFinish(const FileOperationInfo& /*info*/) {}
  virtual bool ShouldBeNotifiedOnFileIO() { return false; }

  // Setting `*auto_recovery` to false leaves recovery to DB::Resume().
  virtual void OnErrorRecoveryBegin(BackgroundErrorReason /*reason*/,
                                    Status /*bg_error*/,
                                    bool* /*auto_recovery*/) {}
  virtual void OnErrorRecoveryCompleted(Status /*old_bg_error*/) {}
  virtual void OnErrorRecoveryEnd(const BackgroundErrorRecoveryInfo& /*info*/) {
  }

  virtual void OnBlobFileCreationStarted(
      const BlobFileCreationBriefInfo& /*info*/) {}
  virtual void OnBlobFileCreated(const BlobFileCreationInfo& /*info*/) {}
  virtual void OnBlobFileDeleted(const BlobFileDeletionInfo& /*info*/) {}

  virtual void OnIOError(const IOErrorInfo& /*info*/) {}
};

}  // namespace ROCKSDB_NAMESPACE
