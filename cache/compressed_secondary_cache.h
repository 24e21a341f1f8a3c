// Blocks that the block cache had no room for, compressed, in memory.
//
// A block comes in two steps: the first time that it is evicted only its key
// is noted (a placeholder), and if it is evicted again while the key is still
// there, its bytes are kept. So what a scan brings along costs a key, not its
// bytes. What a lookup takes out for good leaves a placeholder behind too.
//
//   entry   null: a placeholder; else the bytes, in pieces, and their codec
//
// Threads    Any.
// Ownership  Owns its bytes; objects that it makes belong to the caller.
// Errors     A block that does not compress is kept as it is. Bytes that no
//            longer make an object count as not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cache/typed_cache.h"
#include "rocksdb/advanced_compression.h"
#include "rocksdb/advanced_options.h"
#include "rocksdb/cache.h"
#include "rocksdb/secondary_cache.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class CompressedSecondaryCache final : public SecondaryCache {
 public:
  // Whether one can be made with these; says why not.
  static Status Validate(const CompressedSecondaryCacheOptions& options);
  // The options are valid.
  explicit CompressedSecondaryCache(
      const CompressedSecondaryCacheOptions& options);

  static const char* kClassName() { return "CompressedSecondaryCache"; }
  const char* Name() const override { return kClassName(); }

  Status Insert(const Slice& key, Cache::ObjectPtr obj,
                const Cache::CacheItemHelper* helper,
                bool force_insert) override;
  Status InsertSaved(const Slice& key, const Slice& saved, CompressionType type,
                     CacheTier source) override;
  std::unique_ptr<SecondaryCacheResultHandle> Lookup(
      const Slice& key, const Cache::CacheItemHelper* helper,
      Cache::CreateContext* create_context, bool wait, bool advise_erase,
      Statistics* stats, bool& kept_in_sec_cache) override;
  bool SupportForceErase() const override { return true; }
  void Erase(const Slice& key) override;
  // Nothing is ever under way.
  void WaitAll(std::vector<SecondaryCacheResultHandle*> handles) override;

  Status SetCapacity(size_t capacity) override;
  Status GetCapacity(size_t& capacity) override;
  // InvalidArgument if there is not so much left.
  Status Deflate(size_t decrease) override;
  Status Inflate(size_t increase) override;

  std::string GetPrintableOptions() const override;
  size_t GetUsage() const { return cache_->GetUsage(); }

 private:
  // A block as it lies here.
  struct Saved {
    std::vector<std::unique_ptr<char[]>> pieces;
    std::vector<uint32_t> piece_sizes;
    size_t size = 0;      // the sum of piece_sizes
    bool is_ours = true;  // `codec` is what we compressed with
    CompressionType codec = kNoCompression;
    CacheTier source = CacheTier::kVolatileTier;

    size_t memory_bytes() const;
    std::string Joined() const;
  };
  using Entries = TypedCache<Saved, CacheEntryRole::kMisc>;

  // True if `key` was known; else it is from now on.
  bool NoteKey(const Slice& key);
  void InsertPlaceholder(const Slice& key);
  Status InsertBytes(const Slice& key, const Slice& bytes, Saved header);
  void Split(const Slice& bytes, Saved* saved) const;
  bool Compress(const Slice& raw, std::string* out) const;
  Status Restore(const Saved& saved, std::string* bytes) const;

  const CompressedSecondaryCacheOptions options_;
  const std::shared_ptr<Decompressor> decompressor_;
  const std::unique_ptr<Compressor> compressor_;  // null: nothing is compressed
  const std::shared_ptr<Cache> cache_;
  Mutex capacity_mutex_;  // one change at a time
};

}  // namespace ROCKSDB_NAMESPACE
