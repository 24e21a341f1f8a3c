// The files of block_cache_trace_analyzer: tables with commas, the first row
// their header.
#include "tools/block_cache_trace_analyzer/results.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "tools/block_cache_trace_analyzer/result_tables.h"
#include "tools/block_cache_trace_analyzer/simulation.h"

namespace tools {

using ROCKSDB_NAMESPACE::Status;

namespace {

constexpr uint64_t kUnits[] = {1, 60, 3600};  // seconds

class ResultWriter {
 public:
  ResultWriter(const Accesses& accesses,
               const BlockCacheAnalyzerSettings& settings)
      : accesses_(accesses), settings_(settings) {}

  Status WriteAll() {
    Status s = ForLabels(settings_.timeline_labels, &ResultWriter::Timeline);
    if (s.ok())
      s = ForLabels(settings_.reuse_distance.labels,
                    &ResultWriter::ReuseDistance);
    if (s.ok())
      s = ForLabels(settings_.reuse_interval.labels,
                    &ResultWriter::ReuseInterval);
    if (s.ok())
      s = ForLabels(settings_.reuse_lifetime.labels,
                    &ResultWriter::ReuseLifetime);
    if (s.ok()) s = ForLabels(settings_.skew.labels, &ResultWriter::Skew);
    if (s.ok() && settings_.reuse_window > 0) {
      s = WriteReuseWindows(accesses_, settings_);
    }
    if (s.ok()) s = WriteLocality(accesses_, settings_);
    if (s.ok()) s = WriteCorrelation(accesses_, settings_);
    if (s.ok() && !settings_.callers.empty()) s = Callers();
    if (s.ok() && !settings_.access_count_buckets.empty()) s = AccessCounts();
    return s;
  }

 private:
  using Step = Status (ResultWriter::*)(const Grouping&) const;

  Status ForLabels(const std::string& labels, Step step) const {
    for (const std::string& label : SplitAtCommas(labels)) {
      const Status s = (this->*step)(Grouping(label));
      if (!s.ok()) return s;
    }
    return Status::OK();
  }
  std::string PathOf(const std::string& name) const {
    return settings_.result_dir + "/" + name;
  }

  // Accesses of users, and of all, by the second, minute and hour.
  Status Timeline(const Grouping& grouping) const {
    for (const bool only_users : {true, false}) {
      for (const uint64_t unit : kUnits) {
        Columns columns;
        std::set<uint64_t> times;
        for (const BlockAccessText& access : accesses_) {
          if (only_users && !IsUserAccess(access)) continue;
          const uint64_t time = access.time_micros / kMicrosPerSecond / unit;
          ++columns[grouping.GroupOf(access)][time];
          times.insert(time);
        }
        const Status s = WriteTable(
            PathOf(
                std::string(only_users ? "user_access_only_" : "all_access_") +
                grouping.label() + "_" + std::to_string(unit) +
                "_access_timeline"),
            [&](std::ofstream& out) {
              out << "time";
              for (const auto& [name, rows] : columns) out << ',' << name;
              out << '\n';
              for (const uint64_t time : times) {
                out << time;
                for (const auto& [name, rows] : columns) {
                  const auto found = rows.find(time);
                  out << ',' << (found == rows.end() ? 0 : found->second);
                }
                out << '\n';
              }
            });
        if (!s.ok()) return s;
      }
    }
    return Status::OK();
  }

  // Bytes of the other blocks that were used between two uses of one: what a
  // cache must hold for the second to be a hit.
  Status ReuseDistance(const Grouping& grouping) const {
    const Buckets buckets(settings_.reuse_distance.buckets);
    // Sums of sizes over a Fenwick tree of accesses, of which each block has
    // its last one.
    std::vector<uint64_t> tree(accesses_.size() + 1);
    const auto add = [&tree](size_t at, uint64_t delta) {
      for (++at; at < tree.size(); at += at & (~at + 1)) tree[at] += delta;
    };
    const auto sum_before = [&tree](size_t at) {
      uint64_t sum = 0;
      for (; at > 0; at -= at & (~at + 1)) sum += tree[at];
      return sum;
    };
    struct LastUse {
      size_t at;
      uint64_t bytes;
    };
    std::unordered_map<uint64_t, LastUse> last;
    Columns columns;
    for (size_t i = 0; i < accesses_.size(); ++i) {
      const BlockAccessText& access = accesses_[i];
      const auto found = last.find(access.block);
      if (found != last.end()) {
        const uint64_t bytes = sum_before(i) - sum_before(found->second.at + 1);
        ++columns[grouping.GroupOf(access)][buckets.Of(bytes)];
        add(found->second.at, uint64_t{0} - found->second.bytes);
      }
      add(i, access.block_bytes);
      last[access.block] = {i, access.block_bytes};
    }
    return WriteShares(PathOf(grouping.label() + "_reuse_distance"), buckets,
                       columns);
  }

  // Seconds between two uses of a block: of each use, and the mean of each
  // block.
  Status ReuseInterval(const Grouping& grouping) const {
    const Buckets buckets(settings_.reuse_interval.buckets);
    struct Uses {
      uint64_t first;
      uint64_t last;
      uint64_t count;
      const BlockAccessText* access;
    };
    std::unordered_map<uint64_t, Uses> blocks;
    Columns each;
    for (const BlockAccessText& access : accesses_) {
      const uint64_t time = access.time_micros;
      const auto [found, is_first] =
          blocks.emplace(access.block, Uses{time, time, 1, &access});
      if (is_first) continue;
      Uses& uses = found->second;
      const uint64_t micros = time > uses.last ? time - uses.last : 0;
      ++each[grouping.GroupOf(access)][buckets.Of(micros / kMicrosPerSecond)];
      uses.last = std::max(uses.last, time);
      ++uses.count;
    }
    Columns means;
    Columns accesses;
    for (const auto& [block, uses] : blocks) {
      if (uses.count < 2) continue;
      const uint64_t bucket = buckets.Of((uses.last - uses.first) /
                                         (uses.count - 1) / kMicrosPerSecond);
      const std::string group = grouping.GroupOf(*uses.access);
      ++means[group][bucket];
      accesses[group][bucket] += uses.count;
    }
    Status s = WriteShares(PathOf(grouping.label() + "_access_reuse_interval"),
                           buckets, each);
    if (s.ok()) {
      s = WriteShares(PathOf(grouping.label() + "_avg_reuse_interval"), buckets,
                      means);
    }
    return s.ok()
               ? WriteShares(
                     PathOf(grouping.label() + "_avg_reuse_interval_naccesses"),
                     buckets, accesses)
               : s;
  }

  // Seconds from a block's first use to its last one.
  Status ReuseLifetime(const Grouping& grouping) const {
    const Buckets buckets(settings_.reuse_lifetime.buckets);
    std::unordered_map<uint64_t, std::pair<const BlockAccessText*, uint64_t>>
        blocks;
    for (const BlockAccessText& access : accesses_) {
      const auto [found, is_first] =
          blocks.emplace(access.block, std::pair(&access, access.time_micros));
      if (!is_first) {
        found->second.second =
            std::max(found->second.second, access.time_micros);
      }
    }
    Columns columns;
    for (const auto& [block, uses] : blocks) {
      const uint64_t micros = uses.second - uses.first->time_micros;
      ++columns[grouping.GroupOf(*uses.first)]
               [buckets.Of(micros / kMicrosPerSecond)];
    }
    return WriteShares(PathOf(grouping.label() + "_reuse_lifetime"), buckets,
                       columns);
  }

  // What part of the accesses the so many percent of groups have that are asked
  // for most.
  Status Skew(const Grouping& grouping) const {
    const Buckets buckets(settings_.skew.buckets);
    std::map<std::string, uint64_t> counts;
    for (const BlockAccessText& access : accesses_) {
      ++counts[grouping.GroupOf(access)];
    }
    std::vector<uint64_t> ordered;
    for (const auto& [group, count] : counts) ordered.push_back(count);
    std::sort(ordered.begin(), ordered.end(), std::greater<>());
    return WriteTable(
        PathOf(grouping.label() + "_skewness"), [&](std::ofstream& out) {
          out << "percent_of_groups,percent_of_accesses\n";
          for (const uint64_t percent : buckets.bounds) {
            const size_t groups = static_cast<size_t>(std::min<uint64_t>(
                ordered.size(), (ordered.size() * percent + 99) / 100));
            uint64_t sum = 0;
            for (size_t i = 0; i < groups; ++i) sum += ordered[i];
            out << percent << ','
                << std::to_string(PercentOf(sum, accesses_.size())) << '\n';
          }
        });
  }

  // How the accesses of callers spread over families, levels and types.
  Status Callers() const {
    std::map<std::string, std::map<std::string, uint64_t>> by_family;
    for (const std::string& caller : SplitAtCommas(settings_.callers)) {
      std::map<std::string, uint64_t> by_level;
      std::map<std::string, uint64_t> by_type;
      for (const BlockAccessText& access : accesses_) {
        if (NameOfCaller(access.caller) != caller) continue;
        ++by_level[std::to_string(access.level)];
        ++by_type[NameOfBlockType(access.type)];
        ++by_family[access.family_name][caller];
      }
      Status s = Summary(caller + "_level", by_level);
      if (s.ok()) s = Summary(caller + "_bt", by_type);
      if (!s.ok()) return s;
    }
    return WriteTable(
        PathOf("percentage_of_accesses_summary"), [&](std::ofstream& out) {
          const std::vector<std::string> callers =
              SplitAtCommas(settings_.callers);
          out << "column_family";
          for (const std::string& caller : callers) out << ',' << caller;
          out << '\n';
          for (const auto& [family, counts] : by_family) {
            out << family;
            for (const std::string& caller : callers) {
              const auto found = counts.find(caller);
              out << ','
                  << std::to_string(
                         PercentOf(found == counts.end() ? 0 : found->second,
                                   accesses_.size()));
            }
            out << '\n';
          }
        });
  }
  Status Summary(const std::string& name,
                 const std::map<std::string, uint64_t>& counts) const {
    return WriteTable(
        PathOf(name + "_percentage_of_accesses_summary"),
        [&](std::ofstream& out) {
          out << "group,percent\n";
          for (const auto& [group, count] : counts) {
            out << group << ','
                << std::to_string(PercentOf(count, accesses_.size())) << '\n';
          }
        });
  }

  // How many blocks of each type are asked for how often.
  Status AccessCounts() const {
    const Buckets buckets(settings_.access_count_buckets);
    std::map<std::pair<TraceType, uint64_t>, uint64_t> blocks;
    for (const BlockAccessText& access : accesses_) {
      ++blocks[{access.type, access.block}];
    }
    Columns columns;
    for (const auto& [block, count] : blocks) {
      ++columns[NameOfBlockType(block.first)][buckets.Of(count)];
    }
    return WriteShares(PathOf("bt_access_count_summary"), buckets, columns);
  }

  const Accesses& accesses_;
  const BlockCacheAnalyzerSettings& settings_;
};

}  // namespace

Status WriteResults(const Accesses& accesses,
                    const BlockCacheAnalyzerSettings& settings) {
  return ResultWriter(accesses, settings).WriteAll();
}

Status WriteSimulation(const Accesses& accesses,
                       const BlockCacheAnalyzerSettings& settings) {
  if (settings.caches.empty()) return Status::OK();
  const std::vector<SimulatedMisses> results = Simulate(accesses, settings);
  const TimeSpan span = SpanOf(accesses);
  const uint64_t seconds =
      (span.last_micros - span.first_micros) / kMicrosPerSecond;
  const std::string place = settings.result_dir + "/";
  Status s = WriteTable(
      place + std::to_string(seconds) + "_" + std::to_string(accesses.size()) +
          "_mrc",
      [&](std::ofstream& out) {
        out << "cache_name,num_shard_bits,ghost_capacity,capacity,miss_ratio,"
               "total_accesses\n";
        for (const SimulatedMisses& one : results) {
          out << one.config->name << ',' << one.config->shard_bits << ','
              << one.config->ghost_capacity << ',' << one.capacity << ','
              << std::to_string(one.ratio()) << ',' << one.accesses << '\n';
        }
      });
  for (const uint64_t unit : kUnits) {
    for (const bool is_ratio : {true, false}) {
      if (!s.ok()) return s;
      s = WriteTable(
          place + std::to_string(accesses.size()) + "_" + std::to_string(unit) +
              (is_ratio ? "_miss_ratio_timeline" : "_miss_timeline"),
          [&](std::ofstream& out) {
            std::map<uint64_t, std::vector<std::pair<uint64_t, uint64_t>>> rows;
            out << "time";
            for (size_t i = 0; i < results.size(); ++i) {
              const SimulatedMisses& one = results[i];
              out << ',' << one.config->name << '-' << one.config->shard_bits
                  << '-' << one.config->ghost_capacity << '-' << one.capacity;
              for (const auto& [second, count] : one.accesses_by_second) {
                auto& row = rows[second / unit];
                row.resize(results.size());
                row[i].second += count;
              }
              for (const auto& [second, count] : one.misses_by_second) {
                rows[second / unit][i].first += count;
              }
            }
            out << '\n';
            for (const auto& [time, row] : rows) {
              out << time;
              for (const auto& [misses, all] : row) {
                out << ','
                    << (is_ratio ? std::to_string(PercentOf(misses, all))
                                 : std::to_string(misses));
              }
              out << '\n';
            }
          });
    }
  }
  return s;
}

}  // namespace tools
