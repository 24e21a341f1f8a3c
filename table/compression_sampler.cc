#include "table/compression_sampler.h"

#include <cassert>

#include "rocksdb/table_properties.h"
#include "util/builtin_compression.h"
#include "util/compression.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// The first of these that there is.
CompressionSampler::Codec CompressionSampler::FirstOf(
    std::initializer_list<CompressionType> types) {
  Codec codec;
  for (const CompressionType type : types) {
    codec.compressor = GetBuiltinV2CompressionManager()->GetCompressor(
        CompressionOptions(), type);
    if (codec.compressor == nullptr) continue;
    codec.area = codec.compressor->ObtainWorkingArea();
    break;
  }
  return codec;
}

CompressionSampler::CompressionSampler(uint64_t every)
    : every_(every),
      fast_(FirstOf({kLZ4Compression, kSnappyCompression})),
      slow_(FirstOf({kZSTD, kZlibCompression})) {
  INVARIANT(every > 0);
}

void CompressionSampler::Note(const Slice& raw) {
  raw_bytes_ += raw.size();
  if (block_count_++ % every_ != 0) return;
  sampled_bytes_ += raw.size();
  Sample(raw, &fast_);
  Sample(raw, &slow_);
  assert(sampled_bytes_ <= raw_bytes_);
}

void CompressionSampler::Sample(const Slice& raw, Codec* codec) {
  if (codec->compressor == nullptr) return;
  // What does not shrink is stored as it is.
  const size_t limit = MostCompressedBytes(CompressionOptions(), raw.size());
  const bool shrinks =
      CompressInto(codec->compressor.get(), raw, limit, &codec->area, &output_);
  codec->bytes += shrinks ? output_.size() : raw.size();
}

uint64_t CompressionSampler::Estimate(const Codec& codec) const {
  if (sampled_bytes_ == 0) return 0;
  assert(codec.bytes <= sampled_bytes_);
  return static_cast<uint64_t>(static_cast<double>(raw_bytes_) *
                               static_cast<double>(codec.bytes) /
                               static_cast<double>(sampled_bytes_));
}

void CompressionSampler::Store(TableProperties* properties) const {
  INVARIANT(properties != nullptr);
  properties->fast_compression_estimated_data_size = Estimate(fast_);
  properties->slow_compression_estimated_data_size = Estimate(slow_);
}

}  // namespace ROCKSDB_NAMESPACE
