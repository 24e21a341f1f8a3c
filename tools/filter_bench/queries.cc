#include "tools/filter_bench/queries.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>

#include "tools/filter_bench/key.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::filter_bench {

namespace {

// With fewer queries outside, chance decides.
constexpr uint64_t kEnoughToJudge = 100'000;
// Queries until a single filter is another one.
constexpr uint64_t kQueriesOfSingle = 10'000;

const char* NameOf(Pattern pattern) {
  switch (pattern) {
    case Pattern::kSingle:
      return "Single filter";
    case Pattern::kBatches:
      return "Batches, prefetched";
    case Pattern::kSkewed:
      return "Skewed 80% in 20%";
    case Pattern::kRandom:
      return "Random filter";
  }
  return "";
}

}  // namespace

double MostFalsePositives(double bits_per_key) {
  // The best number of probes makes 0.6185^bits of them. Twice that has room
  // for blocked filters, the constant for hashes of 32 bits.
  return 100.0 * (2.0 * std::pow(0.6185, bits_per_key) + 0.0005);
}

Queries::Queries(const Settings& settings, const FilterSet& filters)
    : settings_(settings), filters_(filters) {}

void Queries::PrintLegend() {
  std::printf(
      "Inside queries are about keys that the filter has, outside queries "
      "about others.\n"
      "\"Net\" is the time of an answer without making the key and, but for "
      "--net_includes_hashing, without hashing it.\n"
      "\"Single filter\" asks one filter %" PRIu64
      " times before the next: it is in the processor's caches.\n"
      "\"Batches, prefetched\" asks a random filter about --batch_size keys, "
      "whose places it is told of ahead.\n"
      "\"Skewed 80%% in 20%%\" asks a fifth of the filters four times of "
      "five.\n"
      "\"Random filter\" asks any filter: mostly none that is in a cache.\n"
      "\"Average FP rate\" is the part of outside queries that are answered "
      "with \"may be there\".\n",
      kQueriesOfSingle);
}

std::vector<Pattern> Queries::Patterns() const {
  if (settings_.best_case) return {Pattern::kSingle};
  if (settings_.quick) return {Pattern::kSingle, Pattern::kRandom};
  return {Pattern::kSingle, Pattern::kBatches, Pattern::kSkewed,
          Pattern::kRandom};
}

size_t Queries::NextFilter(Pattern pattern, bench::Random* random) const {
  const size_t all = filters_.size();
  const size_t few = std::max<size_t>(1, all / 5);
  const bool is_few = pattern == Pattern::kSkewed && random->Below(5) != 0;
  return random->Below(is_few ? few : all);
}

void Queries::Draw(Pattern pattern, uint64_t inside_percent,
                   bench::Random* random, std::vector<Query>* batch) const {
  const bool is_one =
      pattern == Pattern::kSingle || pattern == Pattern::kBatches;
  size_t filter = batch->front().filter;
  if (pattern == Pattern::kBatches) filter = NextFilter(pattern, random);
  for (Query& query : *batch) {
    query.filter = is_one ? filter : NextFilter(pattern, random);
    query.is_inside = random->Below(100) < inside_percent;
    query.number = query.is_inside
                       ? random->Below(filters_.key_count(query.filter))
                       : kFirstAbsentKey + random->Below(kFirstAbsentKey);
  }
}

// What the filter does with the key before it looks anything up.
uint64_t Queries::HashOf(const Slice& key) const {
  const Kind kind = settings_.kind();
  return kind == Kind::kBloom || kind == Kind::kRibbon
             ? FilterHash64(key)
             : Hash32(key.data(), key.size(), kLegacyBloomSeed);
}

void Queries::Ask(const Query& query, const Slice& key, Counts* counts) const {
  const bool may_match = filters_.MayMatch(query.filter, key);
  if (!query.is_inside) {
    ++counts->outside;
    if (may_match) ++counts->false_positives;
  } else if (!may_match) {
    ++counts->false_negatives;
  }
}

Queries::Counts Queries::Measure(Pattern pattern, uint64_t inside_percent,
                                 Work work) const {
  // The same queries whatever the work.
  bench::Random random(settings_.seed + inside_percent);
  std::vector<Key> makers(settings_.batch_size);
  std::vector<Slice> keys(settings_.batch_size);
  std::vector<Query> batch(settings_.batch_size);
  Counts counts;
  uint64_t left_of_single = 0;
  const auto start = std::chrono::steady_clock::now();
  for (uint64_t left = settings_.QueryCount(); left > 0;) {
    if (batch.size() > left) batch.resize(left);
    if (pattern == Pattern::kSingle && left_of_single < batch.size()) {
      batch.front().filter = NextFilter(pattern, &random);
      left_of_single = std::max<uint64_t>(kQueriesOfSingle, batch.size());
    }
    left_of_single -= std::min<uint64_t>(left_of_single, batch.size());
    left -= batch.size();
    Draw(pattern, inside_percent, &random, &batch);
    for (size_t i = 0; i < batch.size(); ++i) {
      keys[i] = makers[i].Make(settings_, batch[i].filter, batch[i].number);
    }
    if (work == Work::kKeysOnly) {
      for (size_t i = 0; i < batch.size(); ++i) {
        counts.sum += settings_.net_includes_hashing
                          ? static_cast<uint64_t>(keys[i][0])
                          : HashOf(keys[i]);
      }
      continue;
    }
    for (size_t i = 0; i < batch.size() && pattern == Pattern::kBatches; ++i) {
      filters_.Prefetch(batch[i].filter, keys[i]);
    }
    for (size_t i = 0; i < batch.size(); ++i) Ask(batch[i], keys[i], &counts);
  }
  counts.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return counts;
}

bool Queries::Run(const char* heading, uint64_t inside_percent) {
  std::printf("%s\n", heading);
  const auto count = static_cast<double>(settings_.QueryCount());
  uint64_t outside = 0;
  uint64_t false_positives = 0;
  volatile uint64_t kept = 0;  // so that no loop is left out
  for (const Pattern pattern : Patterns()) {
    const Counts keys = Measure(pattern, inside_percent, Work::kKeysOnly);
    const Counts all = Measure(pattern, inside_percent, Work::kAll);
    kept = kept + keys.sum;
    std::printf("  %s net ns/op: %g\n", NameOf(pattern),
                std::max(0.0, all.seconds - keys.seconds) * 1e9 / count);
    if (all.false_negatives > 0) {
      std::fprintf(stderr, "%" PRIu64 " keys were not found again\n",
                   all.false_negatives);
      return false;
    }
    outside += all.outside;
    false_positives += all.false_positives;
  }
  if (outside == 0) return true;
  const double percent = 100.0 * static_cast<double>(false_positives) /
                         static_cast<double>(outside);
  std::printf("    Average FP rate %%: %g\n", percent);
  const double most = MostFalsePositives(settings_.bits_per_key);
  if (settings_.allow_bad_fp_rate || outside < kEnoughToJudge ||
      percent <= most) {
    return true;
  }
  std::fprintf(stderr,
               "%g%% false positives are more than the %g%% that are right "
               "for %g bits a key (see --allow_bad_fp_rate)\n",
               percent, most, settings_.bits_per_key);
  return false;
}

}  // namespace ROCKSDB_NAMESPACE::filter_bench
