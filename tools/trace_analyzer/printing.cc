// What trace_analyzer prints. Papers parse these lines: their misspellings
// stay.
#include <cinttypes>
#include <cstdio>
#include <set>
#include <string>

#include "tools/trace_analyzer/analysis.h"

namespace tools {

namespace {

constexpr char kRule[] =
    "*********************************************************";
static_assert(sizeof(kRule) == 57 + 1);

bool HasValues(OperationType type) {
  return type == OperationType::kPut || type == OperationType::kMerge ||
         type == OperationType::kPutEntity;
}

void PrintSeconds(const SecondCounts& seconds) {
  std::printf("Peak QPS is: %" PRIu64 " Average QPS is: %f\n", seconds.Peak(),
              seconds.Average());
}

void PrintTopKeys(const TypeStatistics& statistics,
                  const AnalyzerSettings& settings) {
  if (settings.print_top_k_access == 0) return;
  std::printf("The Top %" PRIu64 " keys that are accessed:\n",
              settings.print_top_k_access);
  for (const auto& [key, count] :
       statistics.TopKeys(settings.print_top_k_access)) {
    std::printf("Access_count: %" PRIu64 " %s\n", count, HexOf(key).c_str());
  }
}

void PrintTopPrefixes(const TypeStatistics& statistics,
                      const AnalyzerSettings& settings) {
  if (settings.output_prefix_cut == 0) return;
  std::map<std::string, uint64_t> counts;
  for (const auto& [key, one] : statistics.keys()) {
    counts[key.substr(0, settings.output_prefix_cut)] += one.count;
  }
  std::multimap<uint64_t, std::string, std::greater<>> by_count;
  for (const auto& [prefix, count] : counts) by_count.emplace(count, prefix);
  std::printf("The Top %" PRIu64 " accessed prefix range:\n",
              settings.print_top_k_access);
  uint64_t left = settings.print_top_k_access;
  for (const auto& [count, prefix] : by_count) {
    if (left-- == 0) break;
    std::printf("Prefix: %s Access count: %" PRIu64 "\n", HexOf(prefix).c_str(),
                count);
  }
}

void PrintFamily(const Analysis::Place& place, const TypeStatistics& statistics,
                 const AnalyzerSettings& settings) {
  const char* const name = NameOf(place.first);
  std::printf("%s\n", kRule);
  std::printf("colume family id: %" PRIu32 "\n", place.second);
  std::printf("Total number of queries to this cf by %s: %" PRIu64 "\n", name,
              statistics.operations());
  std::printf("Total unique keys in this cf: %zu\n", statistics.keys().size());
  const SizeDistribution& keys = statistics.key_sizes();
  std::printf("Average key size: %f key size medium: %" PRIu64
              " Key size Variation: %f\n",
              keys.Average(), keys.Median(), keys.Deviation());
  if (HasValues(place.first)) {
    const SizeDistribution& values = statistics.value_sizes();
    std::printf("Average value size: %f Value size medium: %" PRIu64
                " Value size variation: %f\n",
                values.Average(), values.Median(), values.Deviation());
  }
  PrintSeconds(statistics.seconds());
  PrintTopKeys(statistics, settings);
  PrintTopPrefixes(statistics, settings);
}

void PrintCorrelations(OperationType type, uint32_t family,
                       const Analysis& analysis,
                       const AnalyzerSettings& settings) {
  for (size_t i = 0; i < settings.correlations.size(); ++i) {
    const auto& [first, second] = settings.correlations[i];
    if (second != type) continue;
    const Correlation& found = analysis.CorrelationOf(family, i);
    const double micros = found.count == 0
                              ? 0
                              : static_cast<double>(found.micros) /
                                    static_cast<double>(found.count);
    std::printf("The correlation statistics of '%s' after '%s' is: %" PRIu64
                " times, %f microseconds on average\n",
                NameOf(second), NameOf(first), found.count, micros);
  }
}

void PrintType(OperationType type, const Analysis& analysis,
               const AnalyzerSettings& settings) {
  const char* const name = NameOf(type);
  std::printf("\n################# Operation Type: %s #####################\n",
              name);
  if (settings.output_qps_stats) {
    PrintSeconds(analysis.seconds()[static_cast<size_t>(type)]);
  }
  uint64_t keys = 0;
  uint64_t operations = 0;
  for (const auto& [place, statistics] : analysis.types()) {
    if (place.first != type) continue;
    PrintFamily(place, statistics, settings);
    PrintCorrelations(type, place.second, analysis, settings);
    keys += statistics.keys().size();
    operations += statistics.operations();
  }
  std::printf("%s\n", kRule);
  std::printf("Total keys of '%s' is: %" PRIu64 "\n", name, keys);
  std::printf("Total access is: %" PRIu64 "\n", operations);
}

void PrintOverall(const Analysis& analysis) {
  std::map<uint32_t, std::set<std::string>> accessed;
  std::array<uint64_t, kOperationTypeCount> counts{};
  for (const auto& [place, statistics] : analysis.types()) {
    counts[static_cast<size_t>(place.first)] += statistics.operations();
    for (const auto& [key, one] : statistics.keys()) {
      accessed[place.second].insert(key);
    }
  }
  size_t accessed_count = 0;
  for (const auto& [family, keys] : accessed) {
    std::printf("The column family id: %" PRIu32 "\n", family);
    std::printf("The whole key space key numbers: %zu\n",
                analysis.KeySpace(family).size());
    std::printf("The accessed key space key numbers: %zu\n", keys.size());
    accessed_count += keys.size();
  }
  const CallCounts& calls = analysis.calls();
  std::printf("Total_requests: %" PRIu64
              " Total_accessed_keys: %zu"
              " Total_gets: %" PRIu64 " Total_write_batches: %" PRIu64
              " Total_seeks: %" PRIu64 " Total_seek_for_prevs: %" PRIu64
              " Total_multigets: %" PRIu64 "\n",
              calls.total(), accessed_count, calls.gets, calls.write_batches,
              calls.seeks, calls.seek_for_prevs, calls.multigets);
  for (size_t i = 0; i < kOperationTypeCount; ++i) {
    if (counts[i] == 0) continue;
    std::printf("Operation: '%s' has: %" PRIu64 "\n",
                NameOf(static_cast<OperationType>(i)), counts[i]);
  }
}

}  // namespace

void PrintReport(const Analysis& analysis, const AnalyzerSettings& settings) {
  if (settings.no_print) return;
  for (size_t i = 0; i < kOperationTypeCount; ++i) {
    const auto type = static_cast<OperationType>(i);
    // Nobody has asked for entities by their name.
    const bool is_told = type != OperationType::kPutEntity ||
                         !analysis.seconds()[i].counts().empty();
    if (settings.IsAnalyzed(type) && is_told) {
      PrintType(type, analysis, settings);
    }
  }
  if (settings.print_overall_stats) PrintOverall(analysis);
}

}  // namespace tools
