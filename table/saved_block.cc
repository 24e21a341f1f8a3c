#include "table/saved_block.h"

#include <algorithm>
#include <utility>

#include "rocksdb/filter_policy.h"
#include "table/filter/filter_bits.h"

namespace ROCKSDB_NAMESPACE {

namespace {

BlockBytes CopyOf(const Slice& bytes) {
  auto buffer = std::make_unique_for_overwrite<char[]>(bytes.size());
  std::copy_n(bytes.data(), bytes.size(), buffer.get());
  const Slice copy(buffer.get(), bytes.size());
  return BlockBytes(std::move(buffer), bytes.size(), copy);
}

}  // namespace

void MakeFromSaved(const Slice& saved, const BlockCreateContext&,
                   std::unique_ptr<Block>* result) {
  const char* problem = nullptr;
  *result = Block::Parse(CopyOf(saved), &problem);
  assert((*result == nullptr) == (problem != nullptr));
}

void MakeFromSaved(const Slice& saved, const BlockCreateContext&,
                   std::unique_ptr<IndexBlock>* result) {
  *result = IndexBlock::FromSaved(saved);
}

void MakeFromSaved(const Slice& saved, const BlockCreateContext& context,
                   std::unique_ptr<FilterBlock>* result) {
  BlockBytes bytes = CopyOf(saved);
  std::unique_ptr<FilterBitsReader> reader;
  if (context.filter_policy != nullptr) {
    reader.reset(context.filter_policy->GetFilterBitsReader(bytes.data()));
  }
  if (reader == nullptr) reader = NewBuiltinFilterBitsReader(bytes.data());
  *result = std::make_unique<FilterBlock>(std::move(bytes), std::move(reader));
}

}  // namespace ROCKSDB_NAMESPACE
