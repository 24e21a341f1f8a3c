#include "file/file_io_context.h"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "file/aligned_buffer.h"
#include "monitoring/histogram.h"
#include "monitoring/io_activity.h"
#include "monitoring/iostats_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

struct TemperatureTickers {
  Temperature temperature;
  Tickers bytes;
  Tickers count;
  uint64_t FileIOByTemperature::*io_bytes;
  uint64_t FileIOByTemperature::*io_count;
};
using ByTemperature = FileIOByTemperature;
constexpr TemperatureTickers kByTemperature[] = {
    {Temperature::kHot, HOT_FILE_READ_BYTES, HOT_FILE_READ_COUNT,
     &ByTemperature::hot_file_bytes_read, &ByTemperature::hot_file_read_count},
    {Temperature::kWarm, WARM_FILE_READ_BYTES, WARM_FILE_READ_COUNT,
     &ByTemperature::warm_file_bytes_read,
     &ByTemperature::warm_file_read_count},
    {Temperature::kCool, COOL_FILE_READ_BYTES, COOL_FILE_READ_COUNT,
     &ByTemperature::cool_file_bytes_read,
     &ByTemperature::cool_file_read_count},
    {Temperature::kCold, COLD_FILE_READ_BYTES, COLD_FILE_READ_COUNT,
     &ByTemperature::cold_file_bytes_read,
     &ByTemperature::cold_file_read_count},
    {Temperature::kIce, ICE_FILE_READ_BYTES, ICE_FILE_READ_COUNT,
     &ByTemperature::ice_file_bytes_read, &ByTemperature::ice_file_read_count},
};

static_assert(std::size(kByTemperature) == 5, "every known temperature");

// The histogram of a read that was made for `activity`.
uint32_t HistogramOf(Env::IOActivity activity) {
  switch (activity) {
    case Env::IOActivity::kFlush:
      return FILE_READ_FLUSH_MICROS;
    case Env::IOActivity::kCompaction:
      return FILE_READ_COMPACTION_MICROS;
    case Env::IOActivity::kDBOpen:
      return FILE_READ_DB_OPEN_MICROS;
    case Env::IOActivity::kGet:
      return FILE_READ_GET_MICROS;
    case Env::IOActivity::kMultiGet:
      return FILE_READ_MULTIGET_MICROS;
    case Env::IOActivity::kDBIterator:
      return FILE_READ_DB_ITERATOR_MICROS;
    case Env::IOActivity::kVerifyDBChecksum:
      return FILE_READ_VERIFY_DB_CHECKSUM_MICROS;
    case Env::IOActivity::kVerifyFileChecksums:
      return FILE_READ_VERIFY_FILE_CHECKSUMS_MICROS;
    default:
      return HISTOGRAM_ENUM_MAX;
  }
}

SystemClock* ClockOf(const FileIoContext& context) {
  return context.clock != nullptr ? context.clock
                                  : SystemClock::Default().get();
}

// What no temperature tells apart is told by its place.
void CountByLevel(const FileIoContext& context, size_t bytes) {
  FileIOByTemperature* io = &iostats_context.file_io_stats_by_temperature;
  if (iostats_context.disable_iostats) return;
  if (context.is_last_level) {
    io->unknown_last_level_bytes_read += bytes;
    ++io->unknown_last_level_read_count;
  } else {
    io->unknown_non_last_level_bytes_read += bytes;
    ++io->unknown_non_last_level_read_count;
  }
}

void CountByTemperature(const FileIoContext& context, size_t bytes) {
  FileIOByTemperature* io = &iostats_context.file_io_stats_by_temperature;
  for (const TemperatureTickers& row : kByTemperature) {
    if (row.temperature != context.temperature) continue;
    RecordTick(context.statistics, row.bytes, bytes);
    RecordTick(context.statistics, row.count);
    if (iostats_context.disable_iostats) return;
    io->*row.io_bytes += bytes;
    io->*row.io_count += 1;
    return;
  }
}

// How many callbacks the thread is in: one may read files, too.
thread_local constinit int callback_depth = 0;

class CallbackScope {
 public:
  CallbackScope() { ++callback_depth; }
  ~CallbackScope() { --callback_depth; }
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;
};

void TellError(const FileIoContext& context, const IOErrorInfo& info) {
  assert(!info.io_status.ok());
  for (const std::shared_ptr<EventListener>& listener : context.listeners) {
    listener->OnIOError(info);
  }
}

}  // namespace

std::vector<std::shared_ptr<EventListener>> FileListeners(
    const std::vector<std::shared_ptr<EventListener>>& all) {
  std::vector<std::shared_ptr<EventListener>> result;
  for (const std::shared_ptr<EventListener>& listener : all) {
    INVARIANT(listener != nullptr);
    if (listener->ShouldBeNotifiedOnFileIO()) result.push_back(listener);
  }
  return result;
}

bool FileOperation::IsBeingTold() { return callback_depth > 0; }

void FileOperation::Tell(const std::string& path, uint64_t offset,
                         size_t length, const Status& status) const {
  assert(!context_.listeners.empty());
  const CallbackScope scope;
  FileOperationInfo info(type_, path, start_, FileOperationInfo::FinishNow(),
                         status, context_.temperature);
  info.offset = offset;
  info.length = length;
  if (!status.ok()) {
    TellError(context_, IOErrorInfo(status_to_io_status(Status(status)), type_,
                                    path, length, offset));
  }
  for (const std::shared_ptr<EventListener>& listener : context_.listeners) {
    switch (type_) {
      case FileOperationType::kRead:
        listener->OnFileReadFinish(info);
        break;
      case FileOperationType::kFlush:
        listener->OnFileFlushFinish(info);
        break;
      case FileOperationType::kSync:
      case FileOperationType::kFsync:
        listener->OnFileSyncFinish(info);
        break;
      case FileOperationType::kRangeSync:
        listener->OnFileRangeSyncFinish(info);
        break;
      case FileOperationType::kTruncate:
        listener->OnFileTruncateFinish(info);
        break;
      case FileOperationType::kClose:
        listener->OnFileCloseFinish(info);
        break;
      default:
        listener->OnFileWriteFinish(info);
        break;
    }
  }
}

void CountRead(const FileIoContext& context, size_t bytes) {
  IOSTATS_ADD(bytes_read, bytes);
  if (context.temperature == Temperature::kUnknown) {
    CountByLevel(context, bytes);
  }
  if (context.statistics == nullptr) return;
  assert(bytes <= size_t{1} << 40);
  RecordTick(
      context.statistics,
      context.is_last_level ? LAST_LEVEL_READ_BYTES : NON_LAST_LEVEL_READ_BYTES,
      bytes);
  RecordTick(context.statistics, context.is_last_level
                                     ? LAST_LEVEL_READ_COUNT
                                     : NON_LAST_LEVEL_READ_COUNT);
  if (context.temperature != Temperature::kUnknown) {
    CountByTemperature(context, bytes);
  }
}

ReadTimer::ReadTimer(const FileIoContext& context, const IOOptions& options)
    : context_(context), activity_(IoActivityOr(options.io_activity)) {
  if (ShouldMeasureTime(context.statistics)) {
    start_micros_ = ClockOf(context)->NowMicros();
  }
}

ReadTimer::~ReadTimer() {
  if (start_micros_ == 0) return;
  assert(context_.statistics != nullptr);
  const uint64_t now = ClockOf(context_)->NowMicros();
  const uint64_t micros = now > start_micros_ ? now - start_micros_ : 0;
  if (context_.histogram < HISTOGRAM_ENUM_MAX) {
    RecordInHistogram(context_.statistics, context_.histogram, micros);
  }
  if (context_.place_times != nullptr) context_.place_times->Add(micros);
  const uint32_t by_activity = HistogramOf(activity_);
  if (by_activity < HISTOGRAM_ENUM_MAX) {
    RecordInHistogram(context_.statistics, by_activity, micros);
  }
}

bool IsLimited(const FileIoContext& context, Env::IOPriority priority,
               RateLimiter::OpType operation) {
  return context.rate_limiter != nullptr && priority != Env::IO_TOTAL &&
         context.rate_limiter->IsRateLimited(operation);
}

size_t WaitForTokens(const FileIoContext& context, size_t wanted,
                     size_t alignment, Env::IOPriority priority,
                     RateLimiter::OpType operation) {
  assert(alignment == 0 || IsPowerOfTwo(alignment));
  if (wanted == 0 || !IsLimited(context, priority, operation)) return wanted;
  const size_t granted = context.rate_limiter->RequestToken(
      wanted, alignment, priority, context.statistics, operation);
  // A limiter of an application may answer anything. With nothing nobody would
  // come to an end: it counts as no limit.
  if (granted == 0 || granted >= wanted) return wanted;
  // A direct file takes whole units only. A last partial unit is granted as a
  // whole one.
  const size_t unit = std::max<size_t>(alignment, 1);
  return std::min<size_t>(std::max<size_t>(AlignDown(granted, unit), unit),
                          wanted);
}

IOStatus NameFile(const IOStatus& status, const std::string& file,
                  const char* operation, uint64_t offset, size_t length) {
  assert(!status.ok());
  assert(operation != nullptr && *operation != '\0');
  std::string detail = std::string(operation) + " of " +
                       std::to_string(length) + " bytes at offset " +
                       std::to_string(offset) + " failed";
  // Most file systems name the file themselves.
  const std::string_view said = status.getState() ? status.getState() : "";
  if (said.find(file) == said.npos) detail = file + ": " + detail;
  return status_to_io_status(Status::CopyAppendMessage(status, "; ", detail));
}

}  // namespace ROCKSDB_NAMESPACE
