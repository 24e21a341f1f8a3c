#include "tools/ldb/live/metrics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "tools/ldb/json.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The value of `cf` in `db="...",cf="..."`.
std::string FamilyIn(const std::string& labels) {
  static constexpr char kLabel[] = "cf=\"";
  const size_t at = labels.find(kLabel);
  if (at == std::string::npos) return "";
  const size_t begin = at + sizeof(kLabel) - 1;
  return labels.substr(begin, labels.find('"', begin) - begin);
}

// Infinity and what is no number are none of JSON's.
std::string JsonNumber(double value) {
  if (!std::isfinite(value)) return "null";
  char text[64];
  std::snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

struct Rate {
  const char* title;
  const char* counter;
  double unit;
  const char* unit_name;
};

constexpr Rate kRates[] = {
    {"keys written", "rocksdb_number_keys_written_total", 1, "/s"},
    {"keys read", "rocksdb_number_keys_read_total", 1, "/s"},
    {"bytes written", "rocksdb_bytes_written_total", 1e6, "MB/s"},
    {"bytes read", "rocksdb_bytes_read_total", 1e6, "MB/s"},
    {"flushed", "rocksdb_flush_write_bytes_total", 1e6, "MB/s"},
    {"compactions read", "rocksdb_compact_read_bytes_total", 1e6, "MB/s"},
    {"compactions wrote", "rocksdb_compact_write_bytes_total", 1e6, "MB/s"},
    {"writers waited", "rocksdb_stall_micros_total", 1e6, "s/s"},
};

struct Gauge {
  const char* title;
  const char* name;
  double unit;
  const char* unit_name;
  bool is_of_database;
};

constexpr Gauge kGauges[] = {
    {"running compactions", "rocksdb_num_running_compactions", 1, "", true},
    {"running flushes", "rocksdb_num_running_flushes", 1, "", true},
    {"compaction debt", "rocksdb_estimate_pending_compaction_bytes", 1e6, "MB",
     false},
    {"memtables", "rocksdb_cur_size_all_mem_tables", 1e6, "MB", false},
    {"block cache", "rocksdb_block_cache_usage", 1e6, "MB", true},
    {"snapshots", "rocksdb_num_snapshots", 1, "", true},
};

std::string Row(const char* title, double value, const char* unit) {
  char line[128];
  std::snprintf(line, sizeof(line), "%-20s %14.1f %s\n", title, value, unit);
  return line;
}

std::string RatesText(const Metrics& now, const Metrics& before,
                      double seconds) {
  if (before.empty()) return "";
  std::string text;
  const auto change = [&](const char* counter) -> std::optional<double> {
    const auto is = now.Sum(counter);
    const auto was = before.Sum(counter);
    if (!is || !was) return std::nullopt;
    // A process that began anew counts from nothing.
    return *is >= *was ? *is - *was : *is;
  };
  for (const Rate& rate : kRates) {
    if (const auto more = change(rate.counter)) {
      text += Row(rate.title, *more / seconds / rate.unit, rate.unit_name);
    }
  }
  const auto hits = change("rocksdb_block_cache_hit_total");
  const auto misses = change("rocksdb_block_cache_miss_total");
  if (hits && misses && *hits + *misses > 0) {
    text += Row("block cache hits", 100 * *hits / (*hits + *misses), "%");
  }
  return text;
}

std::string GaugesText(const Metrics& now) {
  std::string text;
  for (const Gauge& gauge : kGauges) {
    const auto value =
        gauge.is_of_database ? now.Most(gauge.name) : now.Sum(gauge.name);
    if (value) text += Row(gauge.title, *value / gauge.unit, gauge.unit_name);
  }
  return text;
}

// The family with the most of something that holds writers back.
std::string Greatest(const Metrics& now, const char* name, const char* what) {
  const auto by_family = now.ByFamily(name);
  const auto most = std::max_element(
      by_family.begin(), by_family.end(),
      [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == by_family.end() || most->second == 0) return "";
  char line[160];
  std::snprintf(line, sizeof(line), "  %s: %.0f in family '%s'\n", what,
                most->second, most->first.c_str());
  return line;
}

std::string CausesText(const Metrics& now) {
  const double stopped = now.Most("rocksdb_is_write_stopped").value_or(0);
  const double rate = now.Most("rocksdb_actual_delayed_write_rate").value_or(0);
  if (stopped == 0 && rate == 0) return "writers are not held back\n";
  std::string text = stopped != 0 ? std::string("WRITES ARE STOPPED\n")
                                  : Row("writes slowed to", rate / 1e6, "MB/s");
  text += "what may be the cause:\n";
  text += Greatest(now, "rocksdb_num_files_at_level0", "files on level 0");
  text += Greatest(now, "rocksdb_num_immutable_mem_table",
                   "memtables that wait for their flush");
  text += Greatest(now, "rocksdb_estimate_pending_compaction_bytes",
                   "bytes that compactions have to rewrite");
  return text;
}

}  // namespace

Metrics Metrics::Parse(const std::string& text) {
  Metrics metrics;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t brace = line.find('{');
    const size_t end = line.rfind('}');
    const bool has_labels =
        brace != std::string::npos && end > brace && end != std::string::npos;
    const size_t blank = line.find(' ', has_labels ? end : 0);
    if (blank == std::string::npos) continue;
    char* rest = nullptr;
    const double value = std::strtod(line.c_str() + blank, &rest);
    if (rest == line.c_str() + blank) continue;
    const std::string name = line.substr(0, has_labels ? brace : blank);
    const std::string labels =
        has_labels ? line.substr(brace + 1, end - brace - 1) : "";
    metrics.by_name_[name].emplace(FamilyIn(labels), value);
  }
  return metrics;
}

std::optional<double> Metrics::Sum(const std::string& name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  double sum = 0;
  for (const auto& [family, value] : found->second) sum += value;
  return sum;
}

std::optional<double> Metrics::Most(const std::string& name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  double most = 0;
  for (const auto& [family, value] : found->second) {
    most = std::max(most, value);
  }
  return most;
}

std::map<std::string, double> Metrics::ByFamily(const std::string& name) const {
  std::map<std::string, double> sums;
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return sums;
  for (const auto& [family, value] : found->second) sums[family] += value;
  return sums;
}

std::string Metrics::Json() const {
  JsonObject all;
  for (const auto& [name, values] : by_name_) {
    JsonObject of_families;
    for (const auto& [family, value] : ByFamily(name)) {
      of_families.AddRaw(family.c_str(), JsonNumber(value));
    }
    all.AddRaw(name.c_str(), of_families.Text());
  }
  return all.Text();
}

std::string TextOf(const Metrics& now, const Metrics& before, double seconds) {
  if (now.empty()) return "The text has no samples.\n";
  return RatesText(now, before, seconds) + GaugesText(now) + CausesText(now);
}

}  // namespace ROCKSDB_NAMESPACE
