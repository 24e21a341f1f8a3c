#include "table/block_placer.h"

#include <algorithm>
#include <cassert>

#include "file/writable_file_writer.h"
#include "monitoring/stop_watch.h"
#include "rocksdb/table.h"
#include "table/metaindex.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

BlockPlacer::BlockPlacer(const Context& context, const Footer& footer)
    : context_(context), writer_(context.file, footer) {
  INVARIANT(context_.table != nullptr);
  INVARIANT(context_.file != nullptr);
}

Status BlockPlacer::WriteData(const BlockCompressor::Stored& stored,
                              BlockHandle* handle) {
  Status s = writer_.Pad(PaddingBefore(stored.payload.size()));
  if (s.ok()) s = Write(stored, handle);
  if (s.ok() && context_.table->block_align) s = writer_.Pad(PaddingAfter());
  return s;
}

Status BlockPlacer::Write(const BlockCompressor::Stored& stored,
                          BlockHandle* handle) {
  const StopWatch watch(context_.clock, context_.statistics,
                        WRITE_RAW_BLOCK_MICROS);
  return writer_.WriteBlock(stored.payload, stored.type, handle);
}

Status BlockPlacer::WriteBlob(const Slice& value, BlockHandle* handle) {
  return writer_.WriteBlock(value, kNoCompression, handle);
}

Status BlockPlacer::WriteNamed(const std::string& name, const Slice& payload) {
  assert(!payload.empty());
  BlockHandle handle;
  Status s = Write({payload, kNoCompression}, &handle);
  Name(name, handle);
  return s;
}

void BlockPlacer::Name(const std::string& name, const BlockHandle& handle) {
  const bool is_new = metaindex_.emplace(name, handle).second;
  INVARIANT(is_new);
}

Status BlockPlacer::Finish(const BlockHandle& index) {
  assert(metaindex_.count(kPropertiesBlock) == 1);
  BlockHandle handle;
  const std::string payload = Metaindex::Encode(metaindex_);
  Status s = Write({payload, kNoCompression}, &handle);
  return s.ok() ? writer_.WriteFooter(handle, index) : s;
}

// A block that would cross a multiple of the super block size begins there
// instead, if that wastes little enough.
size_t BlockPlacer::PaddingBefore(size_t payload_bytes) const {
  const uint64_t unit = context_.table->super_block_alignment_size;
  if (unit == 0) [[likely]]
    return 0;
  const uint64_t bytes = payload_bytes + kBlockTrailerBytes;
  const uint64_t left = unit - writer_.offset() % unit;
  assert(left > 0 && left <= unit);
  if (bytes <= left || bytes > unit) return 0;
  const uint64_t ratio =
      context_.table->super_block_alignment_space_overhead_ratio;
  return ratio != 0 && left <= unit / ratio ? static_cast<size_t>(left) : 0;
}

size_t BlockPlacer::PaddingAfter() const {
  const uint64_t unit =
      std::min<uint64_t>(context_.table->block_size, kDefaultPageSize);
  assert(unit > 0);
  return static_cast<size_t>((unit - writer_.offset() % unit) % unit);
}

}  // namespace ROCKSDB_NAMESPACE
