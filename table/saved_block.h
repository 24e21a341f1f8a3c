#pragma once

// The forms in which blocks lie in a secondary cache, and how they become
// blocks again: data blocks and filters as in the file but not compressed,
// indexes as they are in memory. On a device data blocks may lie compressed, as
// in the file.
//
//   index   uint8 version, uint8 flags, fixed64 count, prefix count, bytes of
//           keys, common size, count and bytes of first keys; fixed64
//           key_end[], (offset, size)[], prefix[], first_key_end[]; keys,
//           first keys
//
// Threads    Pure functions.
// Errors     Bytes that are none of ours: Corruption. They may come from a
//            device.

#include <algorithm>
#include <cassert>
#include <memory>
#include <string>
#include <type_traits>

#include "rocksdb/advanced_options.h"
#include "rocksdb/cache_interface.h"
#include "rocksdb/slice.h"
#include "table/block.h"
#include "table/filter/filter_block.h"
#include "table/index_block.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class Decompressor;
class FilterPolicy;

// What making a block takes besides its bytes.
struct BlockCreateContext : Cache::CreateContext {
  EntryProtection protection;                   // data blocks only
  const FilterPolicy* filter_policy = nullptr;  // may stay null
  Decompressor* decompressor = nullptr;         // data blocks only; may be null
};

// A filter over partitions is not saved: the partitions are.
inline bool CanBeSaved(const Block&) { return true; }
inline bool CanBeSaved(const IndexBlock&) { return true; }
inline bool CanBeSaved(const FilterBlock& filter) {
  return filter.is_one_piece();
}

inline size_t SavedBytes(const Block& block) { return block.size(); }
inline size_t SavedBytes(const FilterBlock& filter) {
  return filter.piece().size();
}
inline size_t SavedBytes(const IndexBlock& index) { return index.SavedBytes(); }

// The form itself, in the block or in *scratch.
inline Slice SavedForm(const Block& block, std::string*) {
  return block.bytes();
}
inline Slice SavedForm(const FilterBlock& filter, std::string*) {
  return filter.piece();
}
inline Slice SavedForm(const IndexBlock& index, std::string* scratch) {
  index.SaveTo(scratch);
  return *scratch;
}

// A data block that may be compressed. Null if the bytes make none.
void MakeFromStored(const Slice& stored, CompressionType type,
                    const BlockCreateContext& context,
                    std::unique_ptr<Block>* result);

// Null if the bytes make no such block.
void MakeFromSaved(const Slice& saved, const BlockCreateContext& context,
                   std::unique_ptr<Block>* result);
void MakeFromSaved(const Slice& saved, const BlockCreateContext& context,
                   std::unique_ptr<IndexBlock>* result);
void MakeFromSaved(const Slice& saved, const BlockCreateContext& context,
                   std::unique_ptr<FilterBlock>* result);

// The callbacks of a cache for blocks of type T.
template <class T>
class SavedBlockCallbacks {
 public:
  static const Cache::CacheItemHelper* Helper(CacheEntryRole role) {
    static const Cache::CacheItemHelper kPlain(role, &Delete);
    static const Cache::CacheItemHelper kFull(
        role, &Delete, &Size, &Save,
        [](const Slice& data, CompressionType type, CacheTier,
           Cache::CreateContext* context, MemoryAllocator*,
           Cache::ObjectPtr* object, size_t* charge) {
          return Create({data, type, context}, object, charge);
        },
        &kPlain);
    assert(kFull.role == role);
    return &kFull;
  }

 private:
  static void Delete(Cache::ObjectPtr object, MemoryAllocator*) {
    const std::unique_ptr<T> last(static_cast<T*>(object));
  }
  static size_t Size(Cache::ObjectPtr object) {
    return SavedBytes(*static_cast<const T*>(object));
  }
  static Status Save(Cache::ObjectPtr object, size_t from, size_t length,
                     char* out) {
    std::string scratch;
    const Slice form = SavedForm(*static_cast<const T*>(object), &scratch);
    if (from > form.size() || length > form.size() - from) {
      return Status::InvalidArgument("a block has no such part");
    }
    std::copy_n(form.data() + from, length, out);
    return Status::OK();
  }
  struct SavedBlock {
    Slice data;
    CompressionType type;
    Cache::CreateContext* context;
  };
  static Status Create(const SavedBlock& saved, Cache::ObjectPtr* object,
                       size_t* charge) {
    INVARIANT(saved.context != nullptr);
    const auto& context =
        *static_cast<const BlockCreateContext*>(saved.context);
    std::unique_ptr<T> made;
    if (saved.type == kNoCompression) {
      MakeFromSaved(saved.data, context, &made);
    } else if constexpr (std::is_same_v<T, Block>) {
      MakeFromStored(saved.data, saved.type, context, &made);
    }
    if (made == nullptr) return Status::Corruption("a saved block");
    *charge = made->memory_bytes();
    *object = made.release();  // The cache's from now on.
    return Status::OK();
  }
};

}  // namespace ROCKSDB_NAMESPACE
