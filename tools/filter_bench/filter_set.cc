#include "tools/filter_bench/filter_set.h"

#include <malloc.h>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <utility>

#include "rocksdb/cache.h"
#include "rocksdb/comparator.h"
#include "table/plain/plain_file_index.h"
#include "tools/filter_bench/key.h"

namespace ROCKSDB_NAMESPACE::filter_bench {

namespace {

using BuildClock = std::chrono::steady_clock;

double SecondsOf(BuildClock::duration time) {
  return std::chrono::duration<double>(time).count();
}

// Bloom filters of the old kind are those of older tables.
uint32_t FormatVersionOf(Kind kind) {
  return kind == Kind::kLegacyBloom ? 4 : 5;
}

// The keys of one filter, in memory, so that making them takes none of the
// time that is measured.
class MadeKeys {
 public:
  MadeKeys(const Settings& settings, uint64_t filter, uint64_t count) {
    Key maker;
    std::vector<size_t> ends;
    for (uint64_t i = 0; i < count; ++i) {
      const Slice key = maker.Make(settings, filter, i);
      bytes_.append(key.data(), key.size());
      ends.push_back(bytes_.size());
    }
    size_t begin = 0;
    for (const size_t end : ends) {
      keys_.emplace_back(bytes_.data() + begin, end - begin);
      begin = end;
    }
  }
  const std::vector<Slice>& all() const { return keys_; }

 private:
  std::string bytes_;
  std::vector<Slice> keys_;
};

}  // namespace

FilterSet::FilterSet(const Settings& settings)
    : settings_(settings),
      kind_(settings.kind()),
      order_(BytewiseComparator()),
      random_(settings.seed) {
  table_.format_version = FormatVersionOf(kind_);
  table_.optimize_filters_for_memory = settings.optimize_filters_for_memory;
  table_.filter_policy.reset(
      kind_ == Kind::kRibbon ? NewRibbonFilterPolicy(settings.bits_per_key,
                                                     /*bloom_before_level=*/-1)
                             : NewBloomFilterPolicy(settings.bits_per_key));
  if (!settings.charge_filter_construction) return;
  LRUCacheOptions cache;
  cache.capacity = settings.block_cache_capacity_mb << 20;
  cache.strict_capacity_limit = settings.strict_capacity_limit;
  charged_ = std::make_shared<ChargedMemory>(
      cache.MakeSharedCache(), CacheEntryRole::kFilterConstruction);
}

std::unique_ptr<FilterBitsBuilder> FilterSet::NewBuilder() const {
  return std::unique_ptr<FilterBitsBuilder>(
      table_.filter_policy->GetBuilderWithContext(
          FilterBuildingContext(table_)));
}

uint64_t FilterSet::DrawKeyCount() {
  const auto average = static_cast<double>(settings_.average_keys_per_filter);
  const double change =
      settings_.vary_key_count_ratio * (2.0 * random_.Fraction() - 1.0);
  return std::max<uint64_t>(1, static_cast<uint64_t>(average * (1.0 + change)));
}

bool FilterSet::IsEnough() const {
  if (filters_.empty()) return false;
  const bool is_full = total_bytes_ >= settings_.working_mem_size_mb << 20;
  const bool has_all_keys =
      settings_.m_keys_total_max > 0 &&
      static_cast<double>(total_keys_) >= settings_.m_keys_total_max * 1e6;
  return is_full || has_all_keys;
}

Status FilterSet::Build() {
  while (!IsEnough()) {
    Filter filter;
    filter.key_count = DrawKeyCount();
    const MadeKeys keys(settings_, filters_.size(), filter.key_count);
    if (kind_ == Kind::kPlainTableBloom) {
      BuildPlain(keys.all(), &filter);
    } else if (Status s = BuildBits(keys.all(), &filter); !s.ok()) {
      return s;
    }
    total_keys_ += filter.key_count;
    total_bytes_ += filter.payload.size() + filter.plain.size();
    filters_.push_back(std::move(filter));
  }
  return Status::OK();
}

Status FilterSet::BuildBits(const std::vector<Slice>& keys, Filter* filter) {
  BuildClock::time_point start = BuildClock::now();
  const std::unique_ptr<FilterBitsBuilder> builder = NewBuilder();
  if (!settings_.new_builder) start = BuildClock::now();
  MemoryCharge charge(charged_);
  for (const Slice& key : keys) builder->AddKey(key);
  const bool is_granted =
      charge.Update(builder->EntryCount() * sizeof(uint64_t));
  filter->payload = builder->Finish(&filter->buffer);
  const bool is_whole = !settings_.detect_filter_construct_corruption ||
                        builder->MatchesAll(filter->payload);
  build_seconds_ += SecondsOf(BuildClock::now() - start);
  if (!is_granted) ++refused_charges_;
  if (!is_whole) {
    return Status::Corruption("a filter does not match what it is made of");
  }
  allocated_bytes_ += malloc_usable_size(filter->buffer.get());
  MakeReader(filter);
  return Status::OK();
}

void FilterSet::BuildPlain(const std::vector<Slice>& keys, Filter* filter) {
  PlainTableOptions table;
  table.bloom_bits_per_key = static_cast<int>(settings_.bits_per_key);
  BuildClock::time_point start = BuildClock::now();
  PlainFileIndexBuilder builder(table, /*has_prefixes=*/false,
                                /*bloom_locality=*/1);
  if (!settings_.new_builder) start = BuildClock::now();
  uint64_t row = 0;
  for (const Slice& key : keys) builder.Add(key, row++);
  filter->plain = builder.Filter();
  build_seconds_ += SecondsOf(BuildClock::now() - start);
  filter->plain_lines = builder.filter_lines();
  allocated_bytes_ += filter->plain.capacity();
}

void FilterSet::MakeReader(Filter* filter) const {
  filter->bits.reset(
      table_.filter_policy->GetFilterBitsReader(filter->payload));
  if (!settings_.use_full_block_reader) return;
  filter->block = std::make_unique<FilterBlock>(
      BlockBytes::Mapped(filter->payload), std::move(filter->bits));
}

bool FilterSet::MayMatch(size_t filter, const Slice& key) const {
  const Filter& asked = filters_[filter];
  if (asked.bits != nullptr) return asked.bits->MayMatch(key);
  if (asked.block != nullptr) {
    // In one piece: where to look needs no internal key.
    return asked.block->MayMatch(order_, key, Slice());
  }
  return PlainFilterMayHold(asked.plain, asked.plain_lines, key);
}

void FilterSet::Prefetch(size_t filter, const Slice& key) const {
  const Filter& asked = filters_[filter];
  if (asked.bits != nullptr) {
    asked.bits->Prefetch(key);
  } else if (asked.block != nullptr) {
    asked.block->Prefetch(key);
  }
}

void FilterSet::Print() const {
  const auto megabytes = [](uint64_t bytes) {
    return static_cast<double>(bytes) / (1024.0 * 1024.0);
  };
  const auto keys = static_cast<double>(total_keys_);
  const auto bytes = static_cast<double>(total_bytes_);
  std::printf("Build avg ns/key: %g\n", build_seconds_ * 1e9 / keys);
  std::printf("Number of filters: %zu\n", filters_.size());
  std::printf("Total size (MB): %g\n", megabytes(total_bytes_));
  std::printf("Reported total allocated memory (MB): %g\n",
              megabytes(allocated_bytes_));
  std::printf("Reported internal fragmentation: %g%%\n",
              (static_cast<double>(allocated_bytes_) / bytes - 1.0) * 100.0);
  std::printf("Bits/key stored: %g\n", bytes * 8.0 / keys);
  if (charged_ != nullptr) {
    std::printf("Filters that the cache had no room for: %" PRIu64 "\n",
                refused_charges_);
  }
}

}  // namespace ROCKSDB_NAMESPACE::filter_bench
