// Numbers in the text format that Prometheus reads (exposition format 0.0.4).
//
// "rocksdb.block.cache.miss" becomes rocksdb_block_cache_miss_total: counters
// end so, and only letters, digits and '_' may stand in a name.
//
// Ownership  Appends to a text that is the caller's.
// Threads    One.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class Statistics;
struct HistogramSnapshot;

class PrometheusWriter {
 public:
  // Every sample carries the label db="`db_name`".
  PrometheusWriter(const std::string& db_name, std::string* text);

  // Tickers as counters; histograms that hold anything, with their buckets,
  // or as summaries where `statistics` is not of ours and shows none.
  void WriteStatistics(const Statistics& statistics);

  struct Gauge {
    std::string family;
    uint64_t value = 0;
  };
  // One property, in each column family. None: nothing is written.
  void WriteGauges(const std::string& property,
                   const std::vector<Gauge>& gauges);

 private:
  void WriteHistogram(const HistogramSnapshot& histogram,
                      const std::string& name);
  void WriteSummary(const Statistics& statistics, uint32_t type,
                    const std::string& name);
  void WriteType(const std::string& metric, const std::string& name,
                 const char* type);
  void WriteSample(const std::string& metric, const std::string& more_labels,
                   uint64_t value);

  const std::string db_label_;
  std::string* const text_;
};

}  // namespace ROCKSDB_NAMESPACE
