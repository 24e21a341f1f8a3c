#include "table/data_block_pipeline.h"

#include <cassert>
#include <utility>

#include "rocksdb/table_properties.h"
#include "table/block_placer.h"
#include "table/compression_tally.h"
#include "table/heat/cache_warmer.h"
#include "table/own_index_builder.h"
#include "table/parallel_compressor.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

DataBlockPipeline::DataBlockPipeline(const Context& context)
    : context_(context), dictionary_charge_(context.dictionary_memory) {
  INVARIANT(context_.file != nullptr && context_.compressor != nullptr);
  INVARIANT(context_.index != nullptr && context_.warmer != nullptr);
  INVARIANT(context_.properties != nullptr);
  if (context_.sample_every > 0) sampler_.emplace(context_.sample_every);
  if (context_.dictionary_input_bytes > 0) held_.emplace();
}

DataBlockPipeline::~DataBlockPipeline() = default;

Status DataBlockPipeline::Put(const Slice& raw, const WholeBlock* source) {
  assert(!is_open_);
  if (held_.has_value()) return HoldBack(raw);
  Status s =
      context_.thread_count > 0 ? Submit(raw, source) : Write(raw, source);
  // A block that was not written has no place in the index.
  is_open_ = s.ok();
  return s;
}

BlockHandle DataBlockPipeline::OpenHandle() const {
  return held_.has_value() ? BlockHandle{.offset = held_->bytes} : open_handle_;
}

Status DataBlockPipeline::Close(const IndexBuilder::Block& block,
                                const Slice& last_key, const Slice* next_key) {
  assert(is_open_);
  is_open_ = false;
  if (held_.has_value()) {
    held_->boundaries.push_back({block.separator.ToString(),
                                 block.first_key.ToString(),
                                 block.starts_partition});
    return Status::OK();
  }
  if (context_.thread_count > 0) {
    submitted_.push_back(
        {block.separator.ToString(), block.first_key.ToString()});
    return WriteSubmitted(Which::kDone);
  }
  IndexBuilder::Block placed = block;
  placed.handle = open_handle_;
  context_.index->Add(placed);
  if (context_.own_index != nullptr) [[unlikely]] {
    context_.own_index->EndBlock(last_key, next_key, open_handle_);
  }
  return Status::OK();
}

Status DataBlockPipeline::Finish() {
  Status s;
  if (held_.has_value()) s = StopHolding();
  if (s.ok() && context_.thread_count > 0) s = WriteSubmitted(Which::kAll);
  assert(!is_open_ || !s.ok());
  return s;
}

void DataBlockPipeline::Stop() { threads_.reset(); }

// ---- held back for a dictionary

Status DataBlockPipeline::HoldBack(const Slice& raw) {
  held_->blocks.push_back(raw.ToString());
  held_->bytes += raw.size();
  is_open_ = true;
  // Without room what there is has to do.
  const bool has_room = dictionary_charge_.Update(held_->bytes);
  return has_room && held_->bytes < context_.dictionary_input_bytes
             ? Status::OK()
             : StopHolding();
}

// Makes the dictionary and writes what was held back for it. The last block's
// boundary may still be open; it then stays so.
Status DataBlockPipeline::StopHolding() {
  INVARIANT(held_.has_value());
  const HeldDataBlocks held = std::move(*held_);
  held_.reset();
  assert(held.boundaries.size() + 1 >= held.blocks.size());
  is_open_ = false;
  Status s = context_.compressor->MakeDictionary(held.blocks);
  if (!s.ok()) return s;
  s = context_.thread_count > 0 ? SubmitHeld(held) : WriteHeld(held);
  is_open_ = s.ok() && held.boundaries.size() < held.blocks.size();
  static_cast<void>(dictionary_charge_.Update(0));
  return s;
}

Status DataBlockPipeline::WriteHeld(const HeldDataBlocks& held) {
  Status s;
  for (size_t i = 0; i < held.blocks.size() && s.ok(); ++i) {
    s = Write(held.blocks[i], nullptr);
    if (s.ok() && context_.own_index != nullptr) s = IndexHeldBlock(held, i);
    if (s.ok() && i < held.boundaries.size()) AddToIndex(held.boundaries[i]);
  }
  return s;
}

Status DataBlockPipeline::SubmitHeld(const HeldDataBlocks& held) {
  INVARIANT(submitted_.empty());
  Status s;
  for (size_t i = 0; i < held.blocks.size() && s.ok(); ++i) {
    s = Submit(held.blocks[i], nullptr);
    if (!s.ok() || i == held.boundaries.size()) break;  // The last is open.
    submitted_.push_back(held.boundaries[i]);
    s = WriteSubmitted(Which::kDone);
  }
  return s;
}

// Tells the application's index of a block that was held back and is written
// now. The boundary of the last one may be open.
Status DataBlockPipeline::IndexHeldBlock(const HeldDataBlocks& held,
                                         size_t number) {
  OwnIndexBuilder* const index = context_.own_index;
  Status s = index->AddKeysOf(held.blocks[number]);
  if (number >= held.boundaries.size() || !s.ok()) return s;
  std::string unused;
  std::string last;
  std::string next;
  s = index->FindBorders(held.blocks[number], &unused, &last);
  const bool is_last = number + 1 == held.blocks.size();
  if (s.ok() && !is_last) {
    s = index->FindBorders(held.blocks[number + 1], &next, &unused);
  }
  if (!s.ok()) return s;
  const Slice next_key(next);
  index->EndBlock(last, is_last ? nullptr : &next_key, open_handle_);
  return s;
}

void DataBlockPipeline::AddToIndex(const Boundary& boundary) {
  context_.index->Add({.separator = boundary.separator,
                       .handle = open_handle_,
                       .first_key = boundary.first_key,
                       .starts_partition = boundary.starts_partition});
}

// ---- compressed, here or by threads

Status DataBlockPipeline::Write(const Slice& raw, const WholeBlock* source) {
  if (sampler_.has_value()) sampler_->Note(raw);
  BlockCompressor::Stored stored;
  if (!TakeStored(source, raw, &stored)) {
    const CompressionWatch watch(*context_.compressor, context_.statistics);
    Status s = context_.compressor->CompressData(raw, &stored);
    if (!s.ok()) return s;
  }
  return WriteStored(raw, stored);
}

bool DataBlockPipeline::TakeStored(const WholeBlock* source, const Slice& raw,
                                   BlockCompressor::Stored* stored) {
  if (source == nullptr || source->raw != raw) return false;
  if (!context_.compressor->WouldMake(*source)) return false;
  context_.compressor->NoteUsed(source->type);
  *stored = {source->stored, source->type, /*is_reused=*/true};
  return true;
}

Status DataBlockPipeline::Submit(const Slice& raw, const WholeBlock* source) {
  if (sampler_.has_value()) sampler_->Note(raw);
  if (threads_ == nullptr) {
    threads_ = std::make_unique<ParallelCompressor>(*context_.compressor,
                                                    context_.thread_count);
    if (Status s = threads_->Start(); !s.ok()) return s;
  }
  BlockCompressor::Stored stored;
  if (TakeStored(source, raw, &stored)) {
    threads_->SubmitDone(raw, stored);
  } else {
    threads_->Submit(raw, context_.compressor->ChooseEffort(raw));
  }
  return Status::OK();
}

// Writes the oldest blocks: those that are done, and as many more as make room
// for others; or all of which the boundary is known.
Status DataBlockPipeline::WriteSubmitted(Which which) {
  while (!submitted_.empty()) {
    const bool must_wait = which == Which::kAll || threads_->IsFull();
    if (!must_wait && !threads_->IsOldestDone()) break;
    const std::unique_ptr<ParallelCompressor::Block> block = threads_->Take();
    if (!block->status.ok()) return block->status;
    if (block->type != kNoCompression) {
      context_.compressor->NoteUsed(block->type);
    }
    Status s = WriteStored(block->raw, block->stored());
    if (!s.ok()) return s;
    raw_written_ += block->raw.size();
    stored_ += block->payload().size();
    AddToIndex(submitted_.front());
    submitted_.pop_front();
  }
  return Status::OK();
}

Status DataBlockPipeline::WriteStored(const Slice& raw,
                                      const BlockCompressor::Stored& stored) {
  assert(stored.payload.size() <= raw.size());
  TableProperties& p = *context_.properties;
  p.uncompressed_data_size += raw.size();
  if (stored.is_bypassed) {
    ++p.num_data_blocks_compression_bypassed;
  } else if (stored.type == kNoCompression) {
    ++p.num_data_blocks_compression_rejected;
  }
  CountCompression(context_.statistics, raw.size(), stored);
  Status s = context_.file->WriteData(stored, &open_handle_);
  if (context_.warmer->is_enabled() && s.ok()) [[unlikely]] {
    context_.warmer->AddData(open_handle_.offset, raw);
  }
  return s;
}

// ---- figures

// What threads have to compress, at the rate of what they have compressed.
uint64_t DataBlockPipeline::SubmittedBytes() const {
  if (threads_ == nullptr) return 0;
  const uint64_t bytes = threads_->pending_bytes();
  if (raw_written_ == 0) return bytes;
  return static_cast<uint64_t>(static_cast<double>(bytes) *
                               static_cast<double>(stored_) /
                               static_cast<double>(raw_written_));
}

uint64_t DataBlockPipeline::WaitingBytes() const {
  return (held_.has_value() ? held_->bytes : 0) + SubmittedBytes();
}

size_t DataBlockPipeline::WaitingBlocks() const {
  return submitted_.size() + (held_.has_value() ? held_->blocks.size() : 0);
}

void DataBlockPipeline::StoreSamples(TableProperties* properties) const {
  if (sampler_.has_value()) sampler_->Store(properties);
}

}  // namespace ROCKSDB_NAMESPACE
