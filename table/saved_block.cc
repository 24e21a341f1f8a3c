#include "table/saved_block.h"

#include <utility>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/filter_policy.h"
#include "table/filter/filter_bits.h"

namespace ROCKSDB_NAMESPACE {

void MakeFromStored(const Slice& stored, CompressionType type,
                    const BlockCreateContext& context,
                    std::unique_ptr<Block>* result) {
  if (context.decompressor == nullptr) return;
  Decompressor::Args args;
  args.compression_type = type;
  args.compressed_data = stored;
  if (!context.decompressor->ExtractUncompressedSize(args).ok()) return;
  const auto size = static_cast<size_t>(args.uncompressed_size);
  BlockMemory buffer(size);
  if (!context.decompressor->DecompressBlock(args, buffer.get()).ok()) return;
  const Slice expanded(buffer.get(), size);
  const char* problem = nullptr;
  *result = Block::ParseProtected(BlockBytes(std::move(buffer), expanded),
                                  context.protection, &problem);
  assert((*result == nullptr) == (problem != nullptr));
}

void MakeFromSaved(const Slice& saved, const BlockCreateContext& context,
                   std::unique_ptr<Block>* result) {
  const char* problem = nullptr;
  *result = Block::ParseProtected(BlockBytes::CopyOf(saved), context.protection,
                                  &problem);
  assert((*result == nullptr) == (problem != nullptr));
}

void MakeFromSaved(const Slice& saved, const BlockCreateContext&,
                   std::unique_ptr<IndexBlock>* result) {
  *result = IndexBlock::FromSaved(saved);
}

void MakeFromSaved(const Slice& saved, const BlockCreateContext& context,
                   std::unique_ptr<FilterBlock>* result) {
  BlockBytes bytes = BlockBytes::CopyOf(saved);
  std::unique_ptr<FilterBitsReader> reader;
  if (context.filter_policy != nullptr) {
    reader.reset(context.filter_policy->GetFilterBitsReader(bytes.data()));
  }
  if (reader == nullptr) reader = NewBuiltinFilterBitsReader(bytes.data());
  *result = std::make_unique<FilterBlock>(std::move(bytes), std::move(reader));
}

}  // namespace ROCKSDB_NAMESPACE
