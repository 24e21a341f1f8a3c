// Making caches from options: runs option_scripts/caches.txt. Keys; typed
// handles; wrappers.
//
//   lru                   caches with the OPTIONs of each line, or "none": of
//       blocks, of rows, and for other things, "-" is no option
//   clock | compressed | tiered    the same of these
//   resize                a tiered cache with the options of a line, or a plain
//       one, after UpdateTieredCache() with those behind "|"
//   defaults KIND         what options of lru and clock have by themselves
//   role                  a number: the names of the role of a cache's entries
//   OPTIONs are capacity:BYTES, bits:N (of shards), strict, high:RATIO,
//   low:RATIO, secondary (the cache has one), entry:BYTES (a clock's estimate),
//   ratio:RATIO (of the compressed tier), nvm (there is a third one),
//   policy:auto, placeholder, hits, three_queues or all, primary:lru or clock,
//   both (a primary cache that has a tier itself).
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "cache/cache_entry_roles.h"
#include "cache/cache_key.h"
#include "cache/typed_cache.h"
#include "rocksdb/advanced_cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/secondary_cache.h"
#include "tests/cache/described_cache.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {

namespace {

double RatioOf(const ScriptWords& words, const std::string& name,
               double otherwise) {
  return words.Has(name) ? std::stod(words.Text(name, "")) : otherwise;
}

std::shared_ptr<SecondaryCache> PlainSecondaryCache() {
  CompressedSecondaryCacheOptions options;
  options.compression_type = kNoCompression;
  return NewCompressedSecondaryCache(options);
}

LRUCacheOptions LruOptionsOf(const ScriptWords& words) {
  LRUCacheOptions options;
  options.capacity = words.Number("capacity", 0);
  options.num_shard_bits =
      static_cast<int>(words.Has("bits") ? words.Number("bits", 0) : -1);
  options.strict_capacity_limit = words.HasWord("strict");
  options.high_pri_pool_ratio =
      RatioOf(words, "high", options.high_pri_pool_ratio);
  options.low_pri_pool_ratio =
      RatioOf(words, "low", options.low_pri_pool_ratio);
  if (words.HasWord("secondary"))
    options.secondary_cache = PlainSecondaryCache();
  return options;
}

std::string LruCaches(const ScriptWords& words) {
  const LRUCacheOptions options = LruOptionsOf(words);
  const auto blocks = options.MakeSharedCache();
  if (blocks != nullptr) {
    const std::string text = blocks->GetPrintableOptions();
    for (const std::string& part :
         {"capacity : " + std::to_string(options.capacity),
          std::string("strict_capacity_limit : ") +
              (options.strict_capacity_limit ? "1" : "0")}) {
      EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  }
  EXPECT_EQ(DescribedCache(NewLRUCache(options)), DescribedCache(blocks));
  return DescribedCache(blocks) +
         "; rows: " + DescribedCache(options.MakeSharedRowCache()) +
         "; others: " + DescribedCache(options.MakeSharedGeneralCache());
}

std::string ClockCache(const ScriptWords& words) {
  HyperClockCacheOptions options(words.Number("capacity", 0),
                                 words.Number("entry", 0));
  if (words.Has("bits")) {
    options.num_shard_bits = static_cast<int>(words.Number("bits", 0));
  }
  options.strict_capacity_limit = words.HasWord("strict");
  if (words.HasWord("secondary"))
    options.secondary_cache = PlainSecondaryCache();
  return DescribedCache(options.MakeSharedCache());
}

std::string CompressedCache(const ScriptWords& words) {
  CompressedSecondaryCacheOptions options;
  options.compression_type = kNoCompression;
  options.capacity = words.Number("capacity", 0);
  if (words.Has("bits")) {
    options.num_shard_bits = static_cast<int>(words.Number("bits", 0));
  }
  options.high_pri_pool_ratio =
      RatioOf(words, "high", options.high_pri_pool_ratio);
  options.low_pri_pool_ratio =
      RatioOf(words, "low", options.low_pri_pool_ratio);
  return DescribedCache(NewCompressedSecondaryCache(options));
}

TieredAdmissionPolicy PolicyOf(const ScriptWords& words) {
  const std::string name = words.Text("policy", "auto");
  if (name == "placeholder") return kAdmPolicyPlaceholder;
  if (name == "hits") return kAdmPolicyAllowCacheHits;
  if (name == "three_queues") return kAdmPolicyThreeQueue;
  if (name == "all") return kAdmPolicyAllowAll;
  EXPECT_EQ(name, "auto");
  return kAdmPolicyAuto;
}

std::shared_ptr<Cache> TieredCache(const ScriptWords& words) {
  LRUCacheOptions lru;
  if (words.HasWord("both")) lru.secondary_cache = PlainSecondaryCache();
  HyperClockCacheOptions clock(0, 4096);
  TieredCacheOptions tiers;
  tiers.comp_cache_opts.compression_type = kNoCompression;
  tiers.total_capacity = words.Number("capacity", 1 << 20);
  tiers.compressed_secondary_ratio = RatioOf(words, "ratio", 0.5);
  tiers.adm_policy = PolicyOf(words);
  const std::string primary = words.Text("primary", "none");
  if (primary == "lru") tiers.cache_opts = &lru;
  if (primary == "clock") {
    tiers.cache_opts = &clock;
    tiers.cache_type = PrimaryCacheType::kCacheTypeHCC;
  }
  if (words.HasWord("nvm")) tiers.nvm_sec_cache = PlainSecondaryCache();
  return NewTieredCache(tiers);
}

std::string DefaultsOf(const std::string& kind) {
  if (kind == "lru") {
    const LRUCacheOptions lru;
    return "capacity " + std::to_string(lru.capacity) + ", bits " +
           std::to_string(lru.num_shard_bits) + ", strict " +
           std::to_string(lru.strict_capacity_limit) + ", high " +
           std::to_string(lru.high_pri_pool_ratio) + ", low " +
           std::to_string(lru.low_pri_pool_ratio) + ", metadata " +
           (lru.metadata_charge_policy == kFullChargeCacheMetadata
                ? "charged"
                : "not charged");
  }
  EXPECT_EQ(kind, "clock");
  const HyperClockCacheOptions clock(1 << 20, 0);
  return "an entry has at least " + std::to_string(clock.min_avg_entry_charge) +
         ", effort " + std::to_string(clock.eviction_effort_cap);
}

std::string RoleNames(const std::string& number) {
  const auto role = static_cast<CacheEntryRole>(std::stoi(number));
  return GetCacheEntryRoleName(role) + " " + HyphenatedRoleName(role);
}

std::string Resized(const std::string& line) {
  const size_t bar = line.find('|');
  const std::string made = line.substr(0, bar);
  // The first word is taken for a verb.
  const ScriptWords given("made " + made);
  std::shared_ptr<Cache> cache;
  if (given.HasWord("plain")) {
    cache = NewLRUCache(1 << 20);
  } else if (!given.HasWord("null")) {
    cache = TieredCache(given);
  }
  const ScriptWords changed("changed " + line.substr(bar + 1));
  // What stays where nothing else is said.
  constexpr uint64_t kSame = ~uint64_t{0};
  const Status s = UpdateTieredCache(
      cache, static_cast<int64_t>(changed.Number("capacity", kSame)),
      RatioOf(changed, "ratio", 1.0),
      changed.Has("policy") ? PolicyOf(changed) : kAdmPolicyMax);
  return s.ToString() + ": " + DescribedCache(cache);
}

std::string RunCacheCase(const ScriptCase& c) {
  const std::string verb = ScriptWords(c.command).verb();
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    const ScriptWords words("with " + (line == "-" ? "" : line));
    if (verb == "lru") {
      answers += LruCaches(words);
    } else if (verb == "clock") {
      answers += ClockCache(words);
    } else if (verb == "compressed") {
      answers += CompressedCache(words);
    } else if (verb == "tiered") {
      answers += DescribedCache(TieredCache(words));
    } else if (verb == "resize") {
      answers += Resized(line);
    } else if (verb == "defaults") {
      answers += DefaultsOf(line);
    } else {
      EXPECT_EQ(verb, "role");
      answers += RoleNames(line);
    }
    answers += "\n";
  }
  return answers;
}

TEST(CacheOptionsTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("option_scripts/caches.txt", RunCacheCase), 12u);
}

TEST(CacheOptionsTest, EachRoleHasANameOfItsOwn) {
  std::set<std::string> names;
  for (uint32_t i = 0; i < kNumCacheEntryRoles; ++i) {
    names.insert(HyphenatedRoleName(static_cast<CacheEntryRole>(i)));
  }
  EXPECT_EQ(names.size(), kNumCacheEntryRoles);
}

TEST(CacheKeyTest, FilesAndBlocksDiffer) {
  std::set<std::string> keys;
  for (const char* session : {"SESSION0000000000001", "SESSION0000000000002"}) {
    for (uint64_t file = 0; file < 100; ++file) {
      const FileCacheKey key(session, file);
      for (uint64_t offset = 0; offset < 100000; offset += 4999) {
        for (uint64_t kind = 0; kind < 4; ++kind) {
          const CacheKey block = key.WithOffset(offset, kind);
          EXPECT_FALSE(block.IsEmpty());
          EXPECT_EQ(block.AsSlice().size(), 16u);
          EXPECT_TRUE(keys.insert(block.AsSlice().ToString()).second);
        }
      }
    }
  }
  const CacheKey again =
      FileCacheKey("SESSION0000000000001", 7).WithOffset(4999);
  EXPECT_EQ(keys.count(again.AsSlice().ToString()), 1u);
  EXPECT_TRUE(CacheKey().IsEmpty());
  const auto cache = NewLRUCache(1 << 20);
  const CacheKey first = CacheKey::Unique(cache.get());
  const CacheKey second = CacheKey::Unique(cache.get());
  EXPECT_NE(first.AsSlice(), second.AsSlice());
}

TEST(TypedCacheTest, HandlesReleaseThemselves) {
  const auto cache = NewLRUCache(1 << 20);
  const TypedCache<std::string, CacheEntryRole::kOtherBlock> typed(cache.get());
  EXPECT_FALSE(typed.Lookup("a"));
  auto object = std::make_unique<std::string>("hello");
  CacheHandle<std::string> handle;
  ASSERT_TRUE(typed.Insert("a", &object, 100, &handle).ok());
  EXPECT_EQ(object, nullptr);
  EXPECT_EQ(*handle, "hello");
  CacheHandle<std::string> found = typed.Lookup("a");
  ASSERT_TRUE(found);
  EXPECT_EQ(found.get(), handle.get());
  EXPECT_GT(cache->GetPinnedUsage(), 0u);
  CacheHandle<std::string> moved = std::move(found);
  handle.Reset();
  EXPECT_GT(cache->GetPinnedUsage(), 0u);
  moved = CacheHandle<std::string>();
  EXPECT_EQ(cache->GetPinnedUsage(), 0u);
  EXPECT_TRUE(typed.Lookup("a"));
}

TEST(TypedCacheTest, ARefusedObjectRemainsTheCallers) {
  LRUCacheOptions options;
  options.capacity = 10;
  options.strict_capacity_limit = true;
  const auto cache = options.MakeSharedCache();
  const TypedCache<std::string> typed(cache.get());
  auto object = std::make_unique<std::string>("hello");
  CacheHandle<std::string> handle;
  EXPECT_TRUE(typed.Insert("a", &object, 100, &handle).IsMemoryLimit());
  ASSERT_NE(object, nullptr);
  EXPECT_EQ(*object, "hello");
  EXPECT_FALSE(handle);
}

TEST(CacheWrapperTest, Forwards) {
  class Wrapper : public CacheWrapper {
   public:
    using CacheWrapper::CacheWrapper;
    const char* Name() const override { return "Wrapper"; }
  };
  Wrapper cache(NewLRUCache(1 << 20));
  Cache::Handle* handle = nullptr;
  ASSERT_TRUE(
      cache.Insert("a", nullptr, &kNoopCacheItemHelper, 5000, &handle).ok());
  EXPECT_EQ(cache.GetCharge(handle), 5000u);
  EXPECT_GE(cache.GetTarget()->GetUsage(), 5000u);
  EXPECT_FALSE(cache.Release(handle));
  EXPECT_EQ(cache.GetCapacity(), 1u << 20);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
