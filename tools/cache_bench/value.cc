#include "tools/cache_bench/value.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>

#include "cache/key_hash.h"

namespace ROCKSDB_NAMESPACE::cache_bench {

namespace {

std::string* StringOf(Cache::ObjectPtr value) {
  return static_cast<std::string*>(value);
}

void DeleteValue(Cache::ObjectPtr value, MemoryAllocator* /*allocator*/) {
  const std::unique_ptr<std::string> last(StringOf(value));
}

Status SaveValue(Cache::ObjectPtr value, size_t from, size_t length,
                 char* out) {
  assert(from + length <= StringOf(value)->size());
  std::memcpy(out, StringOf(value)->data() + from, length);
  return Status::OK();
}

}  // namespace

// Two streams of the number's: neighbours are spread over shards and slots.
Key::Key(uint64_t number, uint32_t salt) {
  bench::Random random(number + (uint64_t{salt} << 40));
  for (const size_t at : {0, 8}) {
    const uint64_t part = random.Next();
    std::memcpy(bytes_.data() + at, &part, sizeof part);
  }
}

KeySet::KeySet(uint64_t count, uint32_t degenerate_bits) {
  assert(degenerate_bits <= kMostDegenerateBits);
  if (degenerate_bits == 0) return;
  const KeyHash hash(kFixedHashSeed);
  const uint64_t mask = (uint64_t{1} << degenerate_bits) - 1;
  salts_.resize(count);
  for (uint64_t number = 0; number < count; ++number) {
    uint32_t& salt = salts_[number];
    while ((hash(Key(number, salt).slice()) & mask) != 0) ++salt;
  }
}

Cache::ObjectPtr NewValue(uint64_t key_number, const ValueForm& form,
                          bench::Random* random) {
  assert(form.size_bytes >= sizeof key_number);
  auto value = std::make_unique<std::string>(form.size_bytes, '\0');
  const size_t random_end = std::min(form.random_bytes, form.size_bytes);
  for (size_t at = 0; at < random_end; at += sizeof(uint64_t)) {
    const uint64_t bytes = random->Next();
    std::memcpy(value->data() + at, &bytes,
                std::min(sizeof bytes, random_end - at));
  }
  std::memcpy(value->data(), &key_number, sizeof key_number);
  return value.release();
}

bool IsValueOf(Cache::ObjectPtr value, uint64_t key_number,
               const ValueForm& form) {
  const std::string& bytes = *StringOf(value);
  if (bytes.size() != form.size_bytes) return false;
  if (std::memcmp(bytes.data(), &key_number, sizeof key_number) != 0) {
    return false;
  }
  // What is not random is zero: reads every cache line, as a reader would.
  const size_t zeros = std::max(form.random_bytes, sizeof key_number);
  return zeros >= bytes.size() ||
         bytes.find_first_not_of('\0', zeros) == std::string::npos;
}

size_t ChargeOf(Cache::ObjectPtr value) { return StringOf(value)->size(); }

const Cache::CacheItemHelper* ValueHelper() {
  static const Cache::CacheItemHelper plain(CacheEntryRole::kDataBlock,
                                            &DeleteValue);
  static constexpr Cache::CreateCallback kCreate =
      [](const Slice& data, CompressionType, CacheTier, Cache::CreateContext*,
         MemoryAllocator*, Cache::ObjectPtr* result, size_t* charge) {
        auto value = std::make_unique<std::string>(data.ToString());
        *charge = value->size();
        *result = value.release();
        return Status::OK();
      };
  static const Cache::CacheItemHelper whole(CacheEntryRole::kDataBlock,
                                            &DeleteValue, &ChargeOf, &SaveValue,
                                            kCreate, &plain);
  return &whole;
}

}  // namespace ROCKSDB_NAMESPACE::cache_bench
