#include "cache/compressed_secondary_cache.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <utility>

#include "cache/lru_cache.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "util/builtin_compression.h"
#include "util/compression.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Sizes that allocators hand out without waste.
constexpr std::array<size_t, 9> kPieceSizes = {128,  256,  512,   1024, 2048,
                                               4096, 8192, 16384, 32768};

class ReadyResult final : public SecondaryCacheResultHandle {
 public:
  ReadyResult(Cache::ObjectPtr object, size_t size)
      : object_(object), size_(size) {}
  bool IsReady() override { return true; }
  void Wait() override {}
  Cache::ObjectPtr Value() override { return object_; }
  size_t Size() override { return size_; }

 private:
  const Cache::ObjectPtr object_;
  const size_t size_;
};

LRUCacheOptions StorageOptions(const CompressedSecondaryCacheOptions& options) {
  LRUCacheOptions storage = options;
  storage.secondary_cache = nullptr;
  storage.memory_allocator = nullptr;  // it allocates objects, not these bytes
  return storage;
}

}  // namespace

Status CompressedSecondaryCache::Validate(
    const CompressedSecondaryCacheOptions& options) {
  if (options.secondary_cache != nullptr) {
    return Status::InvalidArgument("secondary_cache",
                                   "a secondary cache has none of its own");
  }
  if (!CompressionTypeSupported(options.compression_type)) {
    return Status::NotSupported(
        "compression_type", CompressionTypeToString(options.compression_type));
  }
  return ValidateLruOptions(StorageOptions(options));
}

CompressedSecondaryCache::CompressedSecondaryCache(
    const CompressedSecondaryCacheOptions& options)
    : options_(options),
      decompressor_(GetBuiltinV2CompressionManager()->GetDecompressor()),
      compressor_(GetBuiltinV2CompressionManager()->GetCompressor(
          options.compression_opts, options.compression_type)),
      cache_(std::make_shared<LruCache>(StorageOptions(options))) {
  INVARIANT(Validate(options).ok());
}

size_t CompressedSecondaryCache::Saved::memory_bytes() const {
  return sizeof(*this) + size + pieces.size() * (sizeof(pieces[0]) + 4);
}

std::string CompressedSecondaryCache::Saved::Joined() const {
  std::string bytes;
  bytes.reserve(size);
  for (size_t i = 0; i < pieces.size(); ++i) {
    bytes.append(pieces[i].get(), piece_sizes[i]);
  }
  assert(bytes.size() == size);
  return bytes;
}

// ---- Coming ----

bool CompressedSecondaryCache::NoteKey(const Slice& key) {
  if (Cache::Handle* const known = cache_->Lookup(key)) {
    cache_->Release(known);
    return true;
  }
  InsertPlaceholder(key);
  return false;
}

void CompressedSecondaryCache::InsertPlaceholder(const Slice& key) {
  PERF_COUNTER_ADD(compressed_sec_cache_insert_dummy_count, 1);
  IgnoreError(cache_->Insert(key, nullptr, &kNoopCacheItemHelper, 0),
              "without room the key is forgotten");
}

void CompressedSecondaryCache::Split(const Slice& bytes, Saved* saved) const {
  saved->size = bytes.size();
  for (size_t done = 0; done < bytes.size();) {
    size_t piece = bytes.size() - done;
    if (options_.enable_custom_split_merge) {
      // The largest that is filled; of the rest the smallest that holds it.
      const auto larger =
          std::upper_bound(kPieceSizes.begin(), kPieceSizes.end(), piece);
      if (larger != kPieceSizes.begin()) piece = *(larger - 1);
    }
    assert(piece > 0 && piece <= UINT32_MAX);
    auto buffer = std::make_unique_for_overwrite<char[]>(piece);
    std::memcpy(buffer.get(), bytes.data() + done, piece);
    saved->pieces.push_back(std::move(buffer));
    saved->piece_sizes.push_back(static_cast<uint32_t>(piece));
    done += piece;
  }
}

bool CompressedSecondaryCache::Compress(const Slice& raw,
                                        std::string* out) const {
  if (compressor_ == nullptr) return false;
  return CompressInto(
      compressor_.get(), raw,
      MostCompressedBytes(options_.compression_opts, raw.size()), nullptr, out);
}

Status CompressedSecondaryCache::InsertBytes(const Slice& key,
                                             const Slice& bytes, Saved header) {
  auto saved = std::make_unique<Saved>(std::move(header));
  Split(bytes, saved.get());
  const size_t charge = saved->memory_bytes();
  PERF_COUNTER_ADD(compressed_sec_cache_insert_real_count, 1);
  return Entries(cache_.get()).Insert(key, &saved, charge);
}

Status CompressedSecondaryCache::Insert(const Slice& key, Cache::ObjectPtr obj,
                                        const Cache::CacheItemHelper* helper,
                                        bool force_insert) {
  if (obj == nullptr || helper == nullptr ||
      !helper->IsSecondaryCacheCompatible()) {
    return Status::InvalidArgument("the object cannot be saved");
  }
  if (!force_insert && !NoteKey(key)) return Status::OK();
  std::string raw(helper->size_cb(obj), '\0');
  Status s = helper->saveto_cb(obj, 0, raw.size(), raw.data());
  if (!s.ok()) return s;
  PERF_COUNTER_ADD(compressed_sec_cache_uncompressed_bytes, raw.size());
  const bool compresses =
      options_.compression_type != kNoCompression &&
      !options_.do_not_compress_roles.Contains(helper->role) &&
      raw.size() < kMaxCompressibleSize;
  std::string compressed;
  Saved header;
  if (compresses && Compress(raw, &compressed)) {
    PERF_COUNTER_ADD(compressed_sec_cache_compressed_bytes, compressed.size());
    header.codec = options_.compression_type;
    return InsertBytes(key, compressed, std::move(header));
  }
  return InsertBytes(key, raw, std::move(header));
}

Status CompressedSecondaryCache::InsertSaved(const Slice& key,
                                             const Slice& saved,
                                             CompressionType type,
                                             CacheTier source) {
  if (saved.size() >= UINT32_MAX) {
    return Status::InvalidArgument("the bytes are too many");
  }
  if (!NoteKey(key)) return Status::OK();
  Saved header;
  header.is_ours = false;
  header.codec = type;
  header.source = source;
  return InsertBytes(key, saved, std::move(header));
}

// ---- Going ----

Status CompressedSecondaryCache::Restore(const Saved& saved,
                                         std::string* bytes) const {
  *bytes = saved.Joined();
  if (!saved.is_ours || saved.codec == kNoCompression) return Status::OK();
  return ExpandInto(decompressor_.get(), saved.codec, Slice(*bytes), bytes);
}

std::unique_ptr<SecondaryCacheResultHandle> CompressedSecondaryCache::Lookup(
    const Slice& key, const Cache::CacheItemHelper* helper,
    Cache::CreateContext* create_context, bool /*wait*/, bool advise_erase,
    Statistics* stats, bool& kept_in_sec_cache) {
  kept_in_sec_cache = false;
  if (helper == nullptr || helper->create_cb == nullptr) return nullptr;
  CacheHandle<Saved> found = Entries(cache_.get()).Lookup(key);
  // The handle of a placeholder has no object; it still is one.
  if (!found) {
    Cache::Handle* const placeholder = found.TakeHandle();
    if (placeholder == nullptr) return nullptr;
    cache_->Release(placeholder);
    RecordTick(stats, COMPRESSED_SECONDARY_CACHE_DUMMY_HITS);
    return nullptr;
  }
  const Saved& saved = *found;
  std::string bytes;
  Status s = Restore(saved, &bytes);
  Cache::ObjectPtr object = nullptr;
  size_t charge = 0;
  if (s.ok()) {
    s = helper->create_cb(bytes, saved.is_ours ? kNoCompression : saved.codec,
                          saved.source, create_context,
                          options_.memory_allocator.get(), &object, &charge);
  }
  if (!s.ok() || object == nullptr) {
    cache_->Erase(key);
    return nullptr;
  }
  RecordTick(stats, COMPRESSED_SECONDARY_CACHE_HITS);
  if (advise_erase) {
    InsertPlaceholder(key);  // Replaces the bytes.
  } else {
    kept_in_sec_cache = true;
  }
  return std::make_unique<ReadyResult>(object, charge);
}

void CompressedSecondaryCache::Erase(const Slice& key) { cache_->Erase(key); }

void CompressedSecondaryCache::WaitAll(
    std::vector<SecondaryCacheResultHandle*> handles) {
  for ([[maybe_unused]] SecondaryCacheResultHandle* handle : handles) {
    assert(handle->IsReady());
  }
}

// ---- Room ----

Status CompressedSecondaryCache::SetCapacity(size_t capacity) {
  MutexLock lock(&capacity_mutex_);
  cache_->SetCapacity(capacity);
  return Status::OK();
}

Status CompressedSecondaryCache::GetCapacity(size_t& capacity) {
  capacity = cache_->GetCapacity();
  return Status::OK();
}

Status CompressedSecondaryCache::Deflate(size_t decrease) {
  MutexLock lock(&capacity_mutex_);
  const size_t capacity = cache_->GetCapacity();
  if (decrease > capacity) {
    return Status::InvalidArgument("the cache has less than that to give");
  }
  cache_->SetCapacity(capacity - decrease);
  return Status::OK();
}

Status CompressedSecondaryCache::Inflate(size_t increase) {
  MutexLock lock(&capacity_mutex_);
  cache_->SetCapacity(cache_->GetCapacity() + increase);
  return Status::OK();
}

std::string CompressedSecondaryCache::GetPrintableOptions() const {
  return cache_->GetPrintableOptions() + "    compression_type : " +
         CompressionTypeToString(options_.compression_type) +
         "\n    enable_custom_split_merge : " +
         (options_.enable_custom_split_merge ? "1" : "0") + "\n";
}

}  // namespace ROCKSDB_NAMESPACE
