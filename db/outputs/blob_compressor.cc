#include "db/outputs/blob_compressor.h"

#include <cassert>

#include "monitoring/statistics_impl.h"
#include "options/db_options.h"
#include "rocksdb/system_clock.h"
#include "util/builtin_compression.h"
#include "util/compression.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

BlobCompressor::BlobCompressor(const ImmutableDBOptions& db,
                               const MutableCFOptions& options)
    : db_(db), type_(options.blob_compression_type) {
  if (type_ == kNoCompression) return;
  compressor_ = GetBuiltinV2CompressionManager()->GetCompressor(
      options.blob_compression_opts, type_);
  if (compressor_ == nullptr) {
    status_ = AbsentCodec(type_);
    return;
  }
  area_ = compressor_->ObtainWorkingArea();
}

bool BlobCompressor::Compress(const Slice& value, Slice* stored) {
  assert(stored != nullptr && status_.ok());
  *stored = value;
  if (compressor_ == nullptr) return true;
  const bool is_timed = ShouldMeasureTime(db_.stats);
  const uint64_t start = is_timed ? db_.clock->NowMicros() : 0;
  if (!CompressInto(compressor_.get(), value, LargestPayload(value.size()),
                    &area_, &compressed_)) {
    return false;
  }
  if (is_timed) {
    RecordTimeToHistogram(db_.stats, BLOB_DB_COMPRESSION_MICROS,
                          MicrosSince(db_.clock, start));
  }
  *stored = compressed_;
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
