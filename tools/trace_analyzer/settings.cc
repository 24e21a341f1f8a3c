#include "tools/trace_analyzer/settings.h"

namespace tools {

namespace {

// Parses pairs such as "[get,put][get,get]". Returns "" or what is wrong.
std::string ParseCorrelations(
    const std::string& text,
    std::vector<std::pair<OperationType, OperationType>>* pairs) {
  for (size_t at = 0; at < text.size();) {
    const size_t comma = text.find(',', at);
    const size_t end = text.find(']', at);
    std::pair<OperationType, OperationType> pair;
    if (text[at] != '[' || comma == text.npos || end == text.npos ||
        comma > end ||
        !ParseOperationType(text.substr(at + 1, comma - at - 1), &pair.first) ||
        !ParseOperationType(text.substr(comma + 1, end - comma - 1),
                            &pair.second)) {
      return "--print_correlation=" + text +
             ": pairs such as [get,put][get,get] are expected";
    }
    pairs->push_back(pair);
    at = end + 1;
  }
  return "";
}

}  // namespace

void AnalyzerSettings::AddTo(Flags* flags) {
  flags->Add("trace_path", &trace_path, "the trace to be analysed");
  flags->Add("output_dir", &output_dir, "where files of results go");
  flags->Add("output_prefix", &output_prefix, "how their names begin");
  flags->Add("output_key_stats", &output_key_stats,
             "writes how often each key was asked for");
  flags->Add("output_access_count_stats", &output_access_count_stats,
             "writes how many keys were asked for how often");
  flags->Add("output_time_series", &output_time_series,
             "writes each operation's second and key");
  flags->Add("output_qps_stats", &output_qps_stats,
             "writes operations by the second");
  flags->Add("output_prefix_cut", &output_prefix_cut,
             "writes results of keys by their first so many bytes");
  flags->Add("output_key_distribution", &output_key_distribution,
             "writes sizes of keys");
  flags->Add("output_value_distribution", &output_value_distribution,
             "writes sizes of values");
  flags->Add("value_interval", &value_interval,
             "bytes that such sizes are rounded to");
  flags->Add("output_ignore_count", &output_ignore_count,
             "leaves keys out that were not asked for more often");
  flags->Add("convert_to_human_readable_trace",
             &convert_to_human_readable_trace, "writes the trace as text");
  flags->Add("no_key", &no_key, "leaves keys out of that text");
  flags->Add("try_process_corrupted_trace", &try_process_corrupted_trace,
             "passes over records that cannot be read");
  flags->Add("no_print", &no_print, "prints nothing of operations");
  flags->Add("print_overall_stats", &print_overall_stats,
             "prints sums over all operations");
  flags->Add("print_top_k_access", &print_top_k_access,
             "how many keys are printed that were asked for most");
  flags->Add("print_correlation", &print_correlation,
             "pairs of operations, as [get,put][get,get]");
  flags->Add("key_space_dir", &key_space_dir,
             "has all keys of a family in <family>.txt, in hex, a line each");
  flags->Add("sample_ratio", &sample_ratio,
             "the part of the operations that is looked at");
  flags->Add("analyze_get", &analyze_get, "looks at Get()");
  flags->Add("analyze_put", &analyze_put, "looks at Put()");
  flags->Add("analyze_delete", &analyze_delete, "looks at Delete()");
  flags->Add("analyze_single_delete", &analyze_single_delete,
             "looks at SingleDelete()");
  flags->Add("analyze_range_delete", &analyze_range_delete,
             "looks at DeleteRange()");
  flags->Add("analyze_merge", &analyze_merge, "looks at Merge()");
  flags->Add("analyze_iterator", &analyze_iterator, "looks at seeks");
  flags->Add("analyze_multiget", &analyze_multiget, "looks at MultiGet()");
}

std::string AnalyzerSettings::Check() {
  if (trace_path.empty()) return "--trace_path names no trace";
  if (WritesFiles() && output_dir.empty()) {
    return "--output_dir names no directory for the files that are asked for";
  }
  if (!(sample_ratio > 0 && sample_ratio <= 1)) {
    return "--sample_ratio: more than 0 and at most 1 is expected";
  }
  if (value_interval == 0) return "--value_interval: 1 or more is expected";
  return ParseCorrelations(print_correlation, &correlations);
}

bool AnalyzerSettings::WritesFiles() const {
  return output_key_stats || output_access_count_stats || output_time_series ||
         output_qps_stats || output_prefix_cut > 0 || output_key_distribution ||
         output_value_distribution || convert_to_human_readable_trace;
}

bool AnalyzerSettings::IsAnalyzed(OperationType type) const {
  switch (type) {
    case OperationType::kGet:
      return analyze_get;
    case OperationType::kPut:
    case OperationType::kPutEntity:  // It has no flag of its own.
      return analyze_put;
    case OperationType::kDelete:
      return analyze_delete;
    case OperationType::kSingleDelete:
      return analyze_single_delete;
    case OperationType::kRangeDelete:
      return analyze_range_delete;
    case OperationType::kMerge:
      return analyze_merge;
    case OperationType::kIteratorSeek:
    case OperationType::kIteratorSeekForPrev:
      return analyze_iterator;
    case OperationType::kMultiGet:
      return analyze_multiget;
  }
  return false;
}

std::string AnalyzerSettings::FileOf(OperationType type, uint32_t family,
                                     const char* name) const {
  return output_dir + "/" + output_prefix + "-" + NameOf(type) + "-" +
         std::to_string(family) + "-" + name;
}

}  // namespace tools
