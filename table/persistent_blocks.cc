#include "table/persistent_blocks.h"

#include <cassert>

#include "file/prefetch_buffer.h"
#include "monitoring/statistics_impl.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

bool PersistentBlocks::Take(const TableFile& file, const BlockHandle& handle,
                            const FetchOptions& options,
                            BlockBytes* result) const {
  std::unique_ptr<char[]> data;
  size_t size = 0;
  const CacheKey key = file_.WithOffset(handle.offset);
  if (!cache_->Lookup(key.AsSlice(), &data, &size).ok() || data == nullptr) {
    return false;
  }
  const Slice bytes(data.get(), size);
  if (!keeps_stored()) {
    *result = BlockBytes::CopyOf(bytes);
    return true;
  }
  // It is on some device: whatever the reader asks for, it is looked at.
  if (size != handle.size + kBlockTrailerBytes ||
      !CheckTrailer(file, handle, bytes.data()).ok()) {
    return false;
  }
  FetchOptions taking = options;
  taking.stored = nullptr;  // These bytes are about to go.
  return TakeStored({file, handle, bytes.data()}, taking, result).ok();
}

bool PersistentBlocks::Find(const TableFile& file, const BlockHandle& handle,
                            const FetchOptions& options,
                            BlockBytes* result) const {
  INVARIANT(result != nullptr);
  assert(handle.FitsBefore(file.size));
  const bool is_found = Take(file, handle, options, result);
  RecordTick(file.statistics,
             is_found ? PERSISTENT_CACHE_HIT : PERSISTENT_CACHE_MISS);
  return is_found;
}

void PersistentBlocks::Keep(const BlockHandle& handle,
                            const Slice& bytes) const {
  const CacheKey key = file_.WithOffset(handle.offset);
  IgnoreError(cache_->Insert(key.AsSlice(), bytes.data(), bytes.size()),
              "what is not kept is read again");
}

// What is damaged in the file is not to be found here either.
void PersistentBlocks::KeepStored(const TableFile& file,
                                  const BlockHandle& handle,
                                  const char* stored) const {
  INVARIANT(stored != nullptr);
  if (!keeps_stored() || !CheckTrailer(file, handle, stored).ok()) return;
  Keep(handle, Slice(stored, handle.size + kBlockTrailerBytes));
}

void PersistentBlocks::KeepExpanded(const BlockHandle& handle,
                                    const Slice& expanded) const {
  if (!keeps_stored()) Keep(handle, expanded);
}

Status FetchThrough(const PersistentBlocks& blocks, const TableFile& file,
                    const BlockHandle& handle, const FetchOptions& options,
                    BlockBytes* result) {
  Status s = CheckHandle(file, handle);
  if (!s.ok()) return s;
  if (blocks.Find(file, handle, options, result)) {
    if (options.prefetch != nullptr) {
      options.prefetch->NoteReadElsewhere(handle.offset,
                                          handle.size + kBlockTrailerBytes);
    }
    return s;
  }
  BlockBytes stored;
  s = FetchStored(file, handle, options, &stored);
  if (!s.ok()) return s;
  const bool is_kept = options.read->fill_cache;
  if (is_kept) blocks.KeepStored(file, handle, stored.data().data());
  s = AdoptStored(file, handle, options, std::move(stored), result);
  if (s.ok() && is_kept) blocks.KeepExpanded(handle, result->data());
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
