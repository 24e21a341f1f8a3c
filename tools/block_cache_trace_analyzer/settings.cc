#include "tools/block_cache_trace_analyzer/settings.h"

#include <algorithm>
#include <charconv>
#include <fstream>

#include "tools/block_cache_trace_analyzer/access.h"
#include "tools/block_cache_trace_analyzer/simulation.h"

namespace tools {

namespace {

// With K, M or G behind it.
bool ParseSize(const std::string& text, uint64_t* bytes) {
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, *bytes);
  if (result.ec != std::errc() || result.ptr == text.data()) return false;
  if (result.ptr == end) return true;
  if (result.ptr + 1 != end) return false;
  switch (*result.ptr) {
    case 'K':
      *bytes <<= 10;
      return true;
    case 'M':
      *bytes <<= 20;
      return true;
    case 'G':
      *bytes <<= 30;
      return true;
    default:
      return false;
  }
}

std::string CheckGrouped(const char* name, const GroupedResult& result) {
  const std::string flag = std::string("--") + name;
  if (result.labels.empty()) return "";
  for (const std::string& label : SplitAtCommas(result.labels)) {
    if (!Grouping::IsLabel(label)) {
      return flag + "_labels: unknown label " + label;
    }
  }
  std::vector<uint64_t> buckets;
  if (!ParseBuckets(result.buckets, &buckets)) {
    return flag + "_buckets=" + result.buckets +
           ": numbers with commas between them are expected";
  }
  return "";
}

}  // namespace

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    if (comma > begin) parts.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return parts;
}

bool ParseBuckets(const std::string& text, std::vector<uint64_t>* buckets) {
  buckets->clear();
  for (const std::string& part : SplitAtCommas(text)) {
    const char* const end = part.data() + part.size();
    const auto result =
        std::from_chars(part.data(), end, buckets->emplace_back());
    if (result.ec != std::errc() || result.ptr != end) return false;
  }
  std::sort(buckets->begin(), buckets->end());
  return !buckets->empty();
}

std::string ParseSimulatedCache(const std::string& line,
                                SimulatedCacheConfig* config) {
  const std::vector<std::string> parts = SplitAtCommas(line);
  if (parts.size() < 4) {
    return line +
           ": cache, shard bits, ghost capacity and capacities are "
           "expected";
  }
  config->name = parts[0];
  if (!SimulatedCache::IsKnown(config->name)) {
    return parts[0] +
           ": lru, lru_priority, lru_hybrid or "
           "lru_hybrid_no_insert_on_row_miss is expected, or one of them with "
           "ghost_ in front";
  }
  if (!ParseSize(parts[1], &config->shard_bits) || config->shard_bits > 20 ||
      !ParseSize(parts[2], &config->ghost_capacity)) {
    return line + ": a number of shard bits or a size is wrong";
  }
  for (size_t i = 3; i < parts.size(); ++i) {
    if (!ParseSize(parts[i], &config->capacities.emplace_back())) {
      return parts[i] + ": no capacity";
    }
  }
  return "";
}

void BlockCacheAnalyzerSettings::AddTo(Flags* flags) {
  flags->Add("block_cache_trace_path", &trace_path, "the trace");
  flags->Add("is_block_cache_human_readable_trace", &is_text,
             "the trace is lines of text");
  flags->Add("human_readable_trace_file_path", &text_path,
             "where the trace is written to as lines of text");
  flags->Add("block_cache_sim_config_path", &sim_config_path,
             "caches to simulate, a line each: cache,num_shard_bits,"
             "ghost_capacity,capacity...");
  flags->Add("block_cache_analysis_result_dir", &result_dir,
             "where files of results go");
  flags->Add("block_cache_trace_downsample_ratio", &downsample_ratio,
             "one of so many blocks was traced");
  flags->Add("cache_sim_warmup_seconds", &warmup_seconds,
             "accesses of the first seconds count for no miss ratio");
  flags->Add("mrc_only", &mrc_only, "only simulates");
  flags->Add("print_block_size_stats", &print_block_sizes,
             "prints sizes of blocks");
  flags->Add("print_access_count_stats", &print_access_counts,
             "prints how often blocks are asked for");
  flags->Add("print_data_block_access_count_stats", &print_data_access_counts,
             "the same of data blocks");
  flags->Add("analyze_bottom_k_access_count_blocks", &bottom_blocks,
             "prints the blocks that are asked for least");
  flags->Add("analyze_top_k_access_count_blocks", &top_blocks,
             "prints those that are asked for most");
  flags->Add("timeline_labels", &timeline_labels, "writes accesses by time");
  flags->Add("reuse_distance_labels", &reuse_distance.labels,
             "writes bytes of other blocks between two accesses of one");
  flags->Add("reuse_distance_buckets", &reuse_distance.buckets, "their bounds");
  flags->Add("reuse_interval_labels", &reuse_interval.labels,
             "writes seconds between two accesses of a block");
  flags->Add("reuse_interval_buckets", &reuse_interval.buckets, "their bounds");
  flags->Add("reuse_lifetime_labels", &reuse_lifetime.labels,
             "writes seconds between the first and the last access of a block");
  flags->Add("reuse_lifetime_buckets", &reuse_lifetime.buckets, "their bounds");
  flags->Add("analyze_callers", &callers, "writes accesses of these callers");
  flags->Add("access_count_buckets", &access_count_buckets,
             "writes how many blocks are asked for how often");
  flags->Add("analyze_blocks_reuse_k_reuse_window", &reuse_window,
             "writes which blocks of so many seconds are asked for later");
  flags->Add("analyze_get_spatial_locality_labels", &spatial_locality.labels,
             "writes what part of a data block look-ups ask for");
  flags->Add("analyze_get_spatial_locality_buckets", &spatial_locality.buckets,
             "their bounds, in percent");
  flags->Add("skew_labels", &skew.labels,
             "writes how accesses spread over groups");
  flags->Add("skew_buckets", &skew.buckets, "percents of the groups");
  flags->Add("analyze_correlation_coefficients_labels", &correlation_labels,
             "writes what is known of a block beside when it is asked for "
             "next");
  flags->Add("analyze_correlation_coefficients_max_number_of_values",
             &correlation_values, "at most so many rows of a group");
}

bool BlockCacheAnalyzerSettings::Writes() const {
  for (const std::string& asked :
       {sim_config_path, timeline_labels, reuse_distance.labels,
        reuse_interval.labels, reuse_lifetime.labels, skew.labels, callers,
        access_count_buckets, spatial_locality.labels, correlation_labels}) {
    if (!asked.empty()) return true;
  }
  return reuse_window > 0;
}

std::string BlockCacheAnalyzerSettings::Check() {
  if (trace_path.empty()) return "--block_cache_trace_path names no trace";
  if (downsample_ratio == 0) return "--block_cache_trace_downsample_ratio=0";
  for (const std::string& problem :
       {CheckGrouped("reuse_distance", reuse_distance),
        CheckGrouped("reuse_interval", reuse_interval),
        CheckGrouped("reuse_lifetime", reuse_lifetime),
        CheckGrouped("skew", skew),
        CheckGrouped("analyze_get_spatial_locality", spatial_locality),
        CheckGrouped("analyze_correlation_coefficients",
                     {correlation_labels, "1"}),
        CheckGrouped("timeline", {timeline_labels, "1"}),
        CheckGrouped("access_count", {access_count_buckets.empty() ? "" : "all",
                                      access_count_buckets})}) {
    if (!problem.empty()) return problem;
  }
  for (const std::string& caller : SplitAtCommas(callers)) {
    if (!IsCallerName(caller)) {
      return "--analyze_callers: unknown caller " + caller;
    }
  }
  if (Writes() && result_dir.empty()) {
    return "--block_cache_analysis_result_dir names no directory for the files "
           "that are asked for";
  }
  if (sim_config_path.empty()) return "";
  std::ifstream file(sim_config_path);
  if (!file) return sim_config_path + ": cannot be read";
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    const std::string problem =
        ParseSimulatedCache(line, &caches.emplace_back());
    if (!problem.empty()) return sim_config_path + ": " + problem;
  }
  return caches.empty() ? sim_config_path + ": names no cache" : "";
}

}  // namespace tools
