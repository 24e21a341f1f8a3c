#include "table/compression_sampler.h"

#include <cassert>
#include <initializer_list>

#include "rocksdb/table_properties.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The first of these that there is.
std::unique_ptr<Compressor> FirstOf(
    std::initializer_list<CompressionType> types) {
  std::unique_ptr<Compressor> compressor;
  for (const CompressionType type : types) {
    if (!CompressionTypeSupported(type)) continue;
    IgnoreError(
        Compressor::Create(type, CompressionOptions(), Slice(), &compressor),
        "an estimate less");
    break;
  }
  return compressor;
}

}  // namespace

CompressionSampler::CompressionSampler(uint64_t every, uint32_t format_version)
    : every_(every), format_version_(format_version) {
  INVARIANT(every > 0);
  fast_.compressor = FirstOf({kLZ4Compression, kSnappyCompression});
  slow_.compressor = FirstOf({kZSTD, kZlibCompression});
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
  const bool shrinks =
      codec->compressor->Compress(raw, format_version_, &output_) &&
      output_.size() < raw.size();
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
