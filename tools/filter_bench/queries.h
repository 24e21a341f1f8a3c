// Asks filters about keys that they have and keys that they have not, and
// measures how long an answer takes.
//
// The time of a query is net: what making its key takes, and hashing it, is
// measured by itself and taken off.
//
// Threads  Confined to one thread.

#pragma once

#include <cstdint>
#include <vector>

#include "tools/db_bench/random.h"
#include "tools/filter_bench/filter_set.h"
#include "tools/filter_bench/settings.h"

namespace ROCKSDB_NAMESPACE::filter_bench {

// Which filter is asked next.
enum class Pattern : uint8_t {
  kSingle,   // one filter, for many queries
  kBatches,  // another for each batch, of which all keys are prefetched
  kSkewed,   // a fifth of the filters has four fifths of the queries
  kRandom,   // any
};

class Queries {
 public:
  // Both outlive it.
  Queries(const Settings& settings, const FilterSet& filters);

  // Prints what was measured with so many percent of the queries about keys
  // that are there. False: an answer was wrong, or too many were.
  bool Run(const char* heading, uint64_t inside_percent);

  // Says what the lines mean.
  static void PrintLegend();

 private:
  struct Query {
    size_t filter = 0;
    uint64_t number = 0;
    bool is_inside = false;
  };
  struct Counts {
    uint64_t outside = 0;
    uint64_t false_positives = 0;
    uint64_t false_negatives = 0;
    uint64_t sum = 0;
    double seconds = 0;
  };
  enum class Work : uint8_t { kKeysOnly, kAll };

  std::vector<Pattern> Patterns() const;
  size_t NextFilter(Pattern pattern, bench::Random* random) const;
  void Draw(Pattern pattern, uint64_t inside_percent, bench::Random* random,
            std::vector<Query>* batch) const;
  uint64_t HashOf(const Slice& key) const;
  void Ask(const Query& query, const Slice& key, Counts* counts) const;
  Counts Measure(Pattern pattern, uint64_t inside_percent, Work work) const;

  const Settings& settings_;
  const FilterSet& filters_;
};

// How many of a hundred answers about absent keys may be wrong.
double MostFalsePositives(double bits_per_key);

}  // namespace ROCKSDB_NAMESPACE::filter_bench
