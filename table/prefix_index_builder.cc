#include "table/prefix_index_builder.h"

#include <cassert>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

void PrefixIndexBuilder::Finish() {
  if (count_ == 0) return;
  assert(first_block_ <= last_block_);
  prefixes_ += prefix_;
  PutVarint32(&metadata_, static_cast<uint32_t>(prefix_.size()));
  PutVarint32(&metadata_, first_block_);
  PutVarint32(&metadata_, last_block_ - first_block_ + 1);
}

void PrefixIndexBuilder::Begin(const Slice& prefix, uint32_t block) {
  assert(count_ == 0 || block >= last_block_);
  Finish();
  prefix_.assign(prefix.data(), prefix.size());
  first_block_ = block;
  last_block_ = block;
  ++count_;
}

}  // namespace ROCKSDB_NAMESPACE
