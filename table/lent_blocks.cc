// Data blocks in memory of the application's
// (ReadOptions::read_scoped_block_buffer_provider).
//
// A block is fetched as any, and what it expands to is copied to memory that
// the provider lends. So the provider is asked once for each block, for as many
// bytes as the block has: with direct reads rounded up to the file's alignment,
// at a multiple of it; else at any address.
//
// Threads    The reader's; the provider is called without a lock.
// Ownership  A lent block holds a reference to the lease. What is pinned of it
//            holds the block.
// Errors     The provider's; Aborted if it throws; InvalidArgument, with the
//            figures, for a lease that is none. The lease is given back then.
#include <algorithm>
#include <cassert>
#include <cstdint>
#include <string>
#include <utility>

#include "file/aligned_buffer.h"
#include "options/user_code.h"
#include "rocksdb/table.h"
#include "table/block_fetcher.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kProvider[] = "ReadScopedBlockBufferProvider";

struct WantedMemory {
  size_t size = 0;
  size_t alignment = 1;
};

Status CheckLease(const WantedMemory& wanted,
                  const ReadScopedBlockBufferProvider::Lease& lease) {
  if (lease.data == nullptr) {
    return Status::InvalidArgument(kProvider, "the lease has no memory");
  }
  if (lease.size < wanted.size) {
    return Status::InvalidArgument(
        kProvider, "the lease has " + std::to_string(lease.size) +
                       " bytes of " + std::to_string(wanted.size));
  }
  if (lease.size % wanted.alignment != 0) {
    return Status::InvalidArgument(
        kProvider, "the lease has " + std::to_string(lease.size) +
                       " bytes, no multiple of " +
                       std::to_string(wanted.alignment));
  }
  if (reinterpret_cast<uintptr_t>(lease.data) % wanted.alignment != 0) {
    return Status::InvalidArgument(
        kProvider,
        "the lease is at no multiple of " + std::to_string(wanted.alignment));
  }
  return Status::OK();
}

}  // namespace

ReadScopedBlockBufferProvider* BlockLenderOf(const ReadOptions& read,
                                             const TableFile& file) {
  return file.is_mapped ? nullptr : read.read_scoped_block_buffer_provider;
}

Status LendBlock(const TableFile& file, const FetchedBlock& fetched,
                 ReadScopedBlockBufferProvider* lender,
                 std::unique_ptr<Block>* result) {
  INVARIANT(lender != nullptr);
  const Slice& data = fetched.bytes.data();
  WantedMemory wanted;
  if (file.reader->use_direct_io()) wanted.alignment = file.reader->alignment();
  wanted.size = static_cast<size_t>(AlignUp(data.size(), wanted.alignment));
  ReadScopedBlockBufferProvider::Lease lease;
  Status s = CallUserCode(kProvider, [&] {
    return lender->Allocate(wanted.size, wanted.alignment, &lease);
  });
  if (s.ok()) s = CheckLease(wanted, lease);
  if (!s.ok()) return s;
  std::copy_n(data.data(), data.size(), lease.data);
  const char* problem = nullptr;
  std::unique_ptr<Block> block =
      Block::Parse(BlockBytes::Lent(Slice(lease.data, data.size())), &problem);
  if (block == nullptr) return file.Corrupt(fetched.handle.offset, problem);
  block->HoldLease(std::move(lease.cleanup));
  *result = std::move(block);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
