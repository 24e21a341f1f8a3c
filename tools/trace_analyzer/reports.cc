// The files that trace_analyzer writes.
#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/trace_analyzer/analysis.h"

namespace tools {

using ROCKSDB_NAMESPACE::Status;

namespace {

using Place = Analysis::Place;
using Fill = std::function<void(std::ofstream&)>;

Status WriteFile(const std::string& path, const Fill& fill) {
  std::ofstream file(path);
  if (file) fill(file);
  file.close();
  return file ? Status::OK() : Status::IOError(path, "cannot be written");
}

double RatioOf(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<double>(part) / static_cast<double>(whole);
}

// The reports of one type of operations on one family.
class TypeReports {
 public:
  TypeReports(const Place& place, const TypeStatistics& statistics,
              const Analysis& analysis, const AnalyzerSettings& settings)
      : place_(place),
        statistics_(statistics),
        analysis_(analysis),
        settings_(settings),
        space_(analysis.KeySpace(place.second)) {}

  Status WriteAll() {
    using Step = void (TypeReports::*)(std::ofstream&) const;
    const struct {
      bool is_asked_for;
      const char* name;
      Step step;
    } kFiles[] = {
        {settings_.output_key_stats, "accessed_key_stats.txt",
         &TypeReports::KeyStats},
        {settings_.output_key_stats, "accessed_unique_key_num_change.txt",
         &TypeReports::UniqueKeyChange},
        {settings_.output_key_stats && !space_.empty(), "whole_key_stats.txt",
         &TypeReports::WholeKeyStats},
        {settings_.output_access_count_stats,
         "accessed_key_count_distribution.txt",
         &TypeReports::CountDistribution},
        {settings_.output_key_distribution,
         "accessed_key_size_distribution.txt", &TypeReports::KeySizes},
        {settings_.output_value_distribution,
         "accessed_value_size_distribution.txt", &TypeReports::ValueSizes},
        {settings_.output_prefix_cut > 0, "accessed_key_prefix_cut.txt",
         &TypeReports::PrefixCut},
        {settings_.output_prefix_cut > 0 && !space_.empty(),
         "whole_key_prefix_cut.txt", &TypeReports::WholePrefixCut},
        {settings_.output_prefix_cut > 0 && settings_.output_qps_stats,
         "accessed_top_k_qps_prefix_cut.txt", &TypeReports::TopSeconds},
        {settings_.output_time_series, "time_series.txt",
         &TypeReports::TimeSeries},
        {settings_.output_qps_stats, "qps_stats.txt", &TypeReports::Seconds},
    };
    for (const auto& file : kFiles) {
      if (!file.is_asked_for) continue;
      const Status s =
          WriteFile(settings_.FileOf(place_.first, place_.second, file.name),
                    [&](std::ofstream& out) { (this->*file.step)(out); });
      if (!s.ok()) return s;
    }
    return Status::OK();
  }

 private:
  bool IsIgnored(const KeyStatistics& key) const {
    return key.count <= settings_.output_ignore_count;
  }
  // All keys that are known, in order: a key's number is its place.
  std::vector<std::string_view> KnownKeys() const {
    if (!space_.empty()) return {space_.begin(), space_.end()};
    std::vector<std::string_view> keys;
    keys.reserve(statistics_.keys().size());
    for (const auto& [key, one] : statistics_.keys()) keys.push_back(key);
    return keys;
  }

  void KeyStats(std::ofstream& out) const {
    size_t number = 0;
    for (const auto& [key, one] : statistics_.keys()) {
      if (!IsIgnored(one)) {
        out << place_.second << ' ' << one.value_bytes << ' ' << number << ' '
            << one.count << ' '
            << std::to_string(RatioOf(one.with_value, one.count)) << '\n';
      }
      ++number;
    }
  }
  void UniqueKeyChange(std::ofstream& out) const {
    for (const UniqueKeys& one : statistics_.unique_keys()) {
      out << one.keys << ' '
          << std::to_string(RatioOf(one.keys, one.operations)) << '\n';
    }
  }
  void WholeKeyStats(std::ofstream& out) const {
    for (size_t i = 0; i < space_.size(); ++i) {
      const auto found = statistics_.keys().find(space_[i]);
      out << i << ' '
          << (found == statistics_.keys().end() ? 0 : found->second.count)
          << '\n';
    }
  }
  void CountDistribution(std::ofstream& out) const {
    std::map<uint64_t, uint64_t> keys_by_count;
    for (const auto& [key, one] : statistics_.keys()) {
      if (!IsIgnored(one)) ++keys_by_count[one.count];
    }
    for (const auto& [count, keys] : keys_by_count) {
      out << "access_count: " << count << " num: " << keys << '\n';
    }
  }
  void KeySizes(std::ofstream& out) const {
    for (const auto& [bytes, count] : statistics_.key_sizes().counts()) {
      out << bytes << ' ' << count << '\n';
    }
  }
  void ValueSizes(std::ofstream& out) const {
    const uint64_t interval = settings_.value_interval;
    std::map<uint64_t, uint64_t> by_interval;
    for (const auto& [bytes, count] : statistics_.value_sizes().counts()) {
      by_interval[bytes / interval] += count;
    }
    for (const auto& [number, count] : by_interval) {
      out << "Number_of_value_size_between " << number * interval << " and "
          << (number + 1) * interval << " is: " << count << '\n';
    }
  }
  void PrefixCut(std::ofstream& out) const {
    struct Sum {
      size_t first = 0;
      uint64_t operations = 0;
      uint64_t keys = 0;
      uint64_t with_value = 0;
    };
    std::map<std::string, Sum> prefixes;
    size_t number = 0;
    for (const auto& [key, one] : statistics_.keys()) {
      if (!IsIgnored(one)) {
        Sum& sum = prefixes[key.substr(0, settings_.output_prefix_cut)];
        if (sum.keys++ == 0) sum.first = number;
        sum.operations += one.count;
        sum.with_value += one.with_value;
      }
      ++number;
    }
    for (const auto& [prefix, sum] : prefixes) {
      out << sum.first << ' ' << sum.operations << ' ' << sum.keys << ' '
          << std::to_string(RatioOf(sum.operations, sum.keys)) << ' '
          << std::to_string(RatioOf(sum.with_value, sum.operations)) << ' '
          << HexOf(prefix) << '\n';
    }
  }
  void WholePrefixCut(std::ofstream& out) const {
    std::string last;
    for (size_t i = 0; i < space_.size(); ++i) {
      const std::string prefix =
          space_[i].substr(0, settings_.output_prefix_cut);
      if (i == 0 || prefix != last) out << i << ' ' << HexOf(prefix) << '\n';
      last = prefix;
    }
  }
  void TopSeconds(std::ofstream& out) const {
    std::multimap<uint64_t, uint64_t, std::greater<>> by_count;
    for (const auto& [second, count] : statistics_.seconds().counts()) {
      by_count.emplace(count, second);
    }
    const auto& prefixes = analysis_.PrefixSeconds(place_);
    uint64_t left = settings_.print_top_k_access;
    for (const auto& [count, second] : by_count) {
      if (left-- == 0) break;
      out << "At time: " << second << " with QPS: " << count << '\n';
      for (const auto& [prefix, uses] : prefixes.at(second)) {
        out << "The prefix: " << HexOf(prefix) << " Access count: " << uses
            << '\n';
      }
    }
  }
  void TimeSeries(std::ofstream& out) const {
    const auto series = analysis_.time_series().find(place_);
    if (series == analysis_.time_series().end()) return;
    const std::vector<std::string_view> keys = KnownKeys();
    for (const auto& [second, key] : series->second) {
      const auto found = std::lower_bound(keys.begin(), keys.end(), key);
      out << static_cast<int>(place_.first) << ' ' << second << ' '
          << found - keys.begin() << '\n';
    }
  }
  void Seconds(std::ofstream& out) const {
    for (const auto& [second, count] : statistics_.seconds().counts()) {
      out << second << ' ' << count << '\n';
    }
  }

  const Place& place_;
  const TypeStatistics& statistics_;
  const Analysis& analysis_;
  const AnalyzerSettings& settings_;
  const std::vector<std::string>& space_;
};

// A line for each second that has operations, a column for each of `all`.
template <class Columns>
void WriteSecondsTable(const Columns& all, std::ofstream& out) {
  std::map<uint64_t, std::vector<uint64_t>> lines;
  size_t column = 0;
  for (const SecondCounts* seconds : all) {
    for (const auto& [second, count] : seconds->counts()) {
      lines[second].resize(all.size());
      lines[second][column] = count;
    }
    ++column;
  }
  for (const auto& [second, counts] : lines) {
    uint64_t sum = 0;
    for (const uint64_t count : counts) {
      out << count << ' ';
      sum += count;
    }
    out << sum << '\n';
  }
}

}  // namespace

Status WriteReports(const Analysis& analysis,
                    const AnalyzerSettings& settings) {
  for (const auto& [place, statistics] : analysis.types()) {
    const Status s =
        TypeReports(place, statistics, analysis, settings).WriteAll();
    if (!s.ok()) return s;
  }
  if (!settings.output_qps_stats) return Status::OK();
  std::vector<const SecondCounts*> types;
  for (const SecondCounts& seconds : analysis.seconds()) {
    types.push_back(&seconds);
  }
  Status s =
      WriteFile(settings.FileOf("qps_stats.txt"),
                [&](std::ofstream& out) { WriteSecondsTable(types, out); });
  if (!s.ok()) return s;
  std::vector<const SecondCounts*> families;
  for (const auto& [family, seconds] : analysis.family_seconds()) {
    families.push_back(&seconds);
  }
  return WriteFile(
      settings.FileOf("cf_qps_stats.txt"), [&](std::ofstream& out) {
        for (const auto& [family, seconds] : analysis.family_seconds()) {
          out << family << ' ';
        }
        out << "all\n";
        WriteSecondsTable(families, out);
      });
}

}  // namespace tools
