// What trace_analyzer was asked for on its command line.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/common/flags.h"
#include "tools/trace_analyzer/operation.h"

namespace tools {

struct AnalyzerSettings {
  std::string trace_path;
  std::string output_dir;
  std::string output_prefix = "trace";
  std::string key_space_dir;
  std::string print_correlation;
  bool output_key_stats = false;
  bool output_access_count_stats = false;
  bool output_time_series = false;
  bool output_qps_stats = false;
  bool output_key_distribution = false;
  bool output_value_distribution = false;
  bool convert_to_human_readable_trace = false;
  bool try_process_corrupted_trace = false;
  bool no_print = false;
  bool no_key = false;
  bool print_overall_stats = true;
  uint64_t output_prefix_cut = 0;
  uint64_t print_top_k_access = 1;
  uint64_t output_ignore_count = 0;
  uint64_t value_interval = 8;
  double sample_ratio = 1.0;
  bool analyze_get = false;
  bool analyze_put = false;
  bool analyze_delete = false;
  bool analyze_single_delete = false;
  bool analyze_range_delete = false;
  bool analyze_merge = false;
  bool analyze_iterator = false;
  bool analyze_multiget = false;

  void AddTo(Flags* flags);
  // "" or what is wrong; sets what follows from the flags.
  std::string Check();

  bool IsAnalyzed(OperationType type) const;
  bool WritesFiles() const;
  // The file of that type and family, with `name` at its end.
  std::string FileOf(OperationType type, uint32_t family,
                     const char* name) const;
  // The file of all types.
  std::string FileOf(const char* name) const {
    return output_dir + "/" + output_prefix + "-" + name;
  }

  // By Check(): pairs of operations, the second behind the first.
  std::vector<std::pair<OperationType, OperationType>> correlations;
};

}  // namespace tools
