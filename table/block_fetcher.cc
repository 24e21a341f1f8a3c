#include "table/block_fetcher.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

#include "file/prefetch_buffer.h"
#include "monitoring/io_activity.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/stop_watch.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Names the block in an error of the codec.
Status AtBlock(const StoredBlock& block, const Status& status) {
  if (status.IsNotSupported()) {
    return Status::NotSupported(block.file.name(), status.ToString());
  }
  return block.file.Corrupt(block.handle.offset,
                            "block " + block.handle.ToString() +
                                " does not expand: " + status.ToString());
}

Status ReadFromFile(const TableFile& file, const BlockHandle& handle,
                    const FetchOptions& options, BlockBytes* result) {
  PERF_TIMER_GUARD(block_read_time);
  PERF_CPU_TIMER_GUARD(block_read_cpu_time);
  IOOptions io;
  if (Status s = IoOptionsOf(*options.read, file.clock, &io); !s.ok()) return s;
  const StopWatch watch(file.clock, file.statistics,
                        io.io_activity == Env::IOActivity::kCompaction
                            ? READ_BLOCK_COMPACTION_MICROS
                            : READ_BLOCK_GET_MICROS);
  assert(handle.FitsBefore(file.size));
  const size_t n = handle.size + kBlockTrailerBytes;
  BlockMemory buffer(n);
  Slice bytes;
  Status s =
      file.reader->Read(io, handle.offset, n, &bytes, buffer.get(), nullptr);
  if (!s.ok()) return s;
  if (bytes.size() != n) {
    return file.Corrupt(handle.offset,
                        "block is cut off: expected " + std::to_string(n) +
                            " bytes, found " + std::to_string(bytes.size()));
  }
  PERF_COUNTER_ADD(block_read_count, 1);
  PERF_COUNTER_ADD(block_read_byte, n);
  if (bytes.data() == buffer.get()) {
    *result = BlockBytes(std::move(buffer), bytes);
  } else {
    *result = BlockBytes::Mapped(bytes);
  }
  return Status::OK();
}

Status AllocateAndExpand(const StoredBlock& block, Decompressor* decompressor,
                         BlockBytes* result) {
  BlockMemory buffer;
  Slice expanded;
  Status s = ExpandBlock(block, decompressor, &buffer, &expanded);
  if (s.ok()) {
    assert(expanded.data() == buffer.get());
    *result = BlockBytes(std::move(buffer), expanded);
  }
  return s;
}

void TellForm(const StoredBlock& block, StoredForm* form) {
  form->bytes = Slice(block.bytes, block.handle.size);
  form->type = block.type();
}

// The stored block if it has been read ahead; else nothing.
Status FindReadAhead(const TableFile& file, const BlockHandle& handle,
                     const FetchOptions& options, Slice* result) {
  INVARIANT(options.read != nullptr);
  if (Status s = CheckHandle(file, handle); !s.ok()) return s;
  if (options.prefetch == nullptr) return Status::OK();
  PERF_TIMER_GUARD(block_read_time);
  IOOptions io;
  Status s = IoOptionsOf(*options.read, file.clock, &io);
  if (!s.ok()) return s;
  const size_t n = handle.size + kBlockTrailerBytes;
  if (options.prefetch->TryRead(io, handle.offset, n, result)) {
    assert(result->size() == n);
  }
  return s;
}

}  // namespace

Status TakeStored(const StoredBlock& block, const FetchOptions& options,
                  BlockBytes* result) {
  INVARIANT(options.read != nullptr);
  assert(block.bytes != nullptr);
  if (options.read->verify_checksums) {
    Status s = CheckTrailer(block.file, block.handle, block.bytes);
    if (!s.ok()) return s;
  }
  if (block.type() != kNoCompression) {
    if (options.stored != nullptr) TellForm(block, options.stored);
    return AllocateAndExpand(block, options.decompressor, result);
  }
  *result = BlockBytes::CopyOf(Slice(block.bytes, block.handle.size));
  return Status::OK();
}

Status IoOptionsOf(const ReadOptions& options, SystemClock* clock,
                   IOOptions* result) {
  result->rate_limiter_priority = options.rate_limiter_priority;
  result->io_activity = IoActivityOr(options.io_activity);
  result->timeout = options.io_timeout;
  if (options.request_id != nullptr) {
    result->property_bag["request_id"] = *options.request_id;
  }
  if (options.deadline.count() != 0 && clock != nullptr) {
    const std::chrono::microseconds now(clock->NowMicros());
    if (now >= options.deadline) {
      return Status::TimedOut("the deadline of the read has passed");
    }
    const auto left = options.deadline - now;
    assert(left.count() > 0);
    if (result->timeout.count() == 0 || left < result->timeout) {
      result->timeout = left;
    }
  }
  return Status::OK();
}

Status CheckHandle(const TableFile& file, const BlockHandle& handle) {
  if (!handle.FitsBefore(file.size) ||
      handle.size > std::numeric_limits<uint32_t>::max()) {
    return file.Corrupt(handle.offset,
                        "block " + handle.ToString() + " outside the file of " +
                            std::to_string(file.size) + " bytes");
  }
  return Status::OK();
}

Status CheckTrailer(const TableFile& file, const BlockHandle& handle,
                    const char* bytes) {
  assert(handle.FitsBefore(file.size));
  PERF_TIMER_GUARD(block_checksum_time);
  const uint32_t stored = DecodeFixed32(bytes + handle.size + 1);
  const uint32_t computed = file.footer.TrailerChecksum(
      bytes, handle.size, bytes[handle.size], handle.offset);
  RecordTick(file.statistics, BLOCK_CHECKSUM_COMPUTE_COUNT);
  if (stored == computed) [[likely]]
    return Status::OK();
  RecordTick(file.statistics, BLOCK_CHECKSUM_MISMATCH_COUNT);
  return file.Corrupt(
      handle.offset,
      "block checksum mismatch: stored " + std::to_string(stored) +
          ", computed " + std::to_string(computed) + ", type " +
          std::to_string(static_cast<int>(file.footer.checksum)) + ", size " +
          std::to_string(handle.size));
}

Status ExpandBlock(const StoredBlock& block, Decompressor* decompressor,
                   BlockMemory* buffer, Slice* result) {
  assert(block.bytes != nullptr);
  const TableFile& file = block.file;
  const BlockHandle& handle = block.handle;
  const CompressionType type = block.type();
  Decompressor::Args args;
  args.compression_type = type;
  args.compressed_data = Slice(block.bytes, handle.size);
  if (type == kNoCompression) {
    *result = args.compressed_data;
    return Status::OK();
  }
  if (decompressor == nullptr) {
    return file.Corrupt(handle.offset,
                        "block of a kind that is never compressed has type " +
                            std::to_string(static_cast<int>(type)));
  }
  Status s = decompressor->ExtractUncompressedSize(args);
  if (!s.ok()) return AtBlock(block, s);
  const size_t size = static_cast<size_t>(args.uncompressed_size);
  buffer->Fit(size);
  PERF_TIMER_GUARD(block_decompress_time);
  const bool is_timed =
      file.statistics != nullptr &&
      file.statistics->get_stats_level() > StatsLevel::kExceptDetailedTimers;
  const uint64_t start = is_timed ? PerfNowNanos() : 0;
  s = decompressor->DecompressBlock(args, buffer->get());
  if (!s.ok()) return AtBlock(block, s);
  if (is_timed) {
    RecordInHistogram(file.statistics, DECOMPRESSION_TIMES_NANOS,
                      PerfNowNanos() - start);
  }
  PERF_COUNTER_ADD(block_decompress_count, 1);
  RecordTick(file.statistics, NUMBER_BLOCK_DECOMPRESSED);
  RecordTick(file.statistics, BYTES_DECOMPRESSED_FROM, handle.size);
  RecordTick(file.statistics, BYTES_DECOMPRESSED_TO, size);
  *result = Slice(buffer->get(), size);
  return Status::OK();
}

Status FetchStored(const TableFile& file, const BlockHandle& handle,
                   const FetchOptions& options, BlockBytes* result) {
  Slice ahead;
  Status s = FindReadAhead(file, handle, options, &ahead);
  if (!s.ok()) return s;
  if (ahead.empty()) return ReadFromFile(file, handle, options, result);
  *result = BlockBytes::CopyOf(ahead);
  return s;
}

Status FetchBlock(const TableFile& file, const BlockHandle& handle,
                  const FetchOptions& options, BlockBytes* result) {
  Slice ahead;
  Status s = FindReadAhead(file, handle, options, &ahead);
  if (!s.ok()) return s;
  if (!ahead.empty()) {
    return TakeStored({file, handle, ahead.data()}, options, result);
  }
  BlockBytes stored;
  s = ReadFromFile(file, handle, options, &stored);
  return s.ok() ? AdoptStored(file, handle, options, std::move(stored), result)
                : s;
}

Status AdoptStored(const TableFile& file, const BlockHandle& handle,
                   const FetchOptions& options, BlockBytes stored,
                   BlockBytes* result) {
  assert(stored.data().size() == handle.size + kBlockTrailerBytes);
  const char* bytes = stored.data().data();
  if (options.read->verify_checksums) {
    Status s = CheckTrailer(file, handle, bytes);
    if (!s.ok()) return s;
  }
  const StoredBlock block{file, handle, bytes};
  if (block.type() != kNoCompression) {
    Status s = AllocateAndExpand(block, options.decompressor, result);
    if (options.stored != nullptr) {
      TellForm(block, options.stored);
      options.stored->memory = std::move(stored);
    }
    return s;
  }
  stored.CutTo(handle.size);
  *result = std::move(stored);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
