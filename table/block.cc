#include "table/block.h"

#include <cassert>
#include <limits>
#include <utility>

#include "table/block_hash_index.h"
#include "table/entry_checksums.h"
#include "table/read_bits.h"

namespace ROCKSDB_NAMESPACE {

const char* BlockLayout::Parse(const Slice& payload) {
  if (payload.size() < 2 * sizeof(uint32_t)) return "block is too short";
  if (payload.size() > std::numeric_limits<uint32_t>::max()) {
    return "block is larger than 4 GiB";
  }
  BlockLayout result;
  result.data = payload.data();
  uint32_t end = static_cast<uint32_t>(payload.size()) - 4;
  const uint32_t packed = DecodeFixed32(payload.data() + end);
  if ((packed & kReservedBit) != 0) return "block has an unknown feature";
  result.restart_count = packed & kRestartCountMask;
  result.is_separated = (packed & kSeparatedBit) != 0;
  result.is_uniform = (packed & kUniformBit) != 0;
  if (result.restart_count == 0) return "block has no restart point";

  if (result.is_separated) {
    if (end < 4) return "block is too short for its values offset";
    end -= 4;
    result.values_offset = DecodeFixed32(payload.data() + end);
  }
  if ((packed & kHashIndexBit) != 0) {
    if (end < 2 || end >= kMaxHashIndexedBytes) return "bad block hash index";
    end -= 2;
    result.bucket_count = DecodeFixed16(payload.data() + end);
    if (result.bucket_count == 0 || result.bucket_count > end) {
      return "block hash index does not fit";
    }
    end -= result.bucket_count;
    result.buckets_offset = end;
  }
  if (result.restart_count > end / sizeof(uint32_t)) {
    return "block restart array does not fit";
  }
  assert(end <= payload.size() - sizeof(uint32_t));
  result.restarts_offset =
      end - result.restart_count * static_cast<uint32_t>(sizeof(uint32_t));
  result.entries_end = result.restarts_offset;
  if (result.is_separated) {
    if (result.values_offset > result.restarts_offset) {
      return "block values offset does not fit";
    }
    result.entries_end = result.values_offset;
    result.values_end = result.restarts_offset;
  }
  if (result.RestartOffset(0) != 0) return "first restart point is not 0";
  assert(result.entries_end < payload.size());
  assert(result.entries_end <= result.restarts_offset);
  assert(!result.is_separated || result.values_offset <= result.values_end);
  result.is_special = result.is_separated;
  *this = result;
  return nullptr;
}

// So that an allocator which gives sizes 16 apart takes 96 bytes for one.
static_assert(sizeof(void*) != 8 || sizeof(Block) <= 88);

Block::Block(BlockBytes bytes, const BlockLayout& layout)
    : bytes_(std::move(bytes)), layout_(layout) {
  assert(layout_.data == bytes_.data().data());
  assert(layout_.checksums == nullptr);
}

Block::~Block() = default;
Block::Extras::~Extras() = default;

const char* Block::Protect(const InternalKeyComparator& order, size_t bytes) {
  assert(layout_.checksums == nullptr);
  const char* problem = nullptr;
  auto made = EntryChecksums::Make(layout_, order, bytes, &problem);
  if (problem != nullptr) return problem;
  assert(made != nullptr);
  layout_.checksums = made.get();
  layout_.is_special = true;
  MakeExtras()->checksums = std::move(made);
  return nullptr;
}

void Block::TrackReads(uint32_t bytes_per_bit) {
  MakeExtras()->read_bits = std::make_unique<ReadBits>(size(), bytes_per_bit);
}

void Block::HoldLease(SharedCleanablePtr lease) {
  assert(!is_owned());
  MakeExtras()->lease = std::move(lease);
}

Block::Extras* Block::MakeExtras() {
  if (extras_ == nullptr) extras_ = std::make_unique<Extras>();
  return extras_.get();
}

size_t Block::memory_bytes() const {
  size_t result = sizeof(*this) + bytes_.memory_bytes();
  if (extras_ == nullptr) return result;
  result += sizeof(*extras_);
  if (extras_->checksums != nullptr)
    result += layout_.checksums->memory_bytes();
  if (extras_->read_bits != nullptr) result += read_bits()->memory_bytes();
  return result;
}

std::unique_ptr<Block> Block::Parse(BlockBytes bytes, const char** problem) {
  BlockLayout layout;
  *problem = layout.Parse(bytes.data());
  if (*problem != nullptr) return nullptr;
  return std::make_unique<Block>(std::move(bytes), layout);
}

std::unique_ptr<Block> Block::ParseProtected(BlockBytes bytes,
                                             const EntryProtection& protection,
                                             const char** problem) {
  std::unique_ptr<Block> block = Parse(std::move(bytes), problem);
  if (block == nullptr || protection.bytes_per_key == 0) return block;
  assert(protection.order != nullptr);
  *problem = block->Protect(*protection.order, protection.bytes_per_key);
  if (*problem != nullptr) return nullptr;
  return block;
}

const char* DecodeLongEntrySizes(const char* p, const char* limit,
                                 uint32_t* shared, uint32_t* non_shared,
                                 uint32_t* value_size) {
  if ((p = GetVarint32Ptr(p, limit, shared)) == nullptr) return nullptr;
  if ((p = GetVarint32Ptr(p, limit, non_shared)) == nullptr) return nullptr;
  return GetVarint32Ptr(p, limit, value_size);
}

BlockWalker::BlockWalker(const Slice& payload) {
  problem_ = layout_.Parse(payload);
  if (problem_ == nullptr && layout_.is_separated) {
    problem_ = "values are apart in a metadata block";
  }
  assert(problem_ != nullptr || layout_.data == payload.data());
  position_ = layout_.data;
  limit_ = layout_.data + layout_.entries_end;
}

bool BlockWalker::Next() {
  if (problem_ != nullptr || position_ >= limit_) return false;
  uint32_t shared = 0;
  uint32_t non_shared = 0;
  uint32_t value_size = 0;
  const char* p =
      DecodeEntrySizes(position_, limit_, &shared, &non_shared, &value_size);
  if (p == nullptr || shared > key_.size() ||
      uint64_t{non_shared} + value_size > static_cast<uint64_t>(limit_ - p)) {
    problem_ = "bad entry in block";
    return false;
  }
  assert(shared <= key_.size());
  key_.resize(shared);
  key_.append(p, non_shared);
  value_ = Slice(p + non_shared, value_size);
  position_ = p + non_shared + value_size;
  assert(position_ <= limit_);
  assert(position_ > layout_.data);
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
