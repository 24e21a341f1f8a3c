// Whether what is known of a block at an access tells when it is asked for
// next: the numbers to look at, and their coefficients of correlation.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/block_cache_trace_analyzer/result_tables.h"
#include "tools/block_cache_trace_analyzer/results.h"

namespace tools {

using ROCKSDB_NAMESPACE::Status;

namespace {

// What is known at an access: how many accesses the block had before, and how
// long ago the last one was, in microseconds and in accesses of all blocks.
constexpr std::array<const char*, 3> kFeatures = {
    "num_past_accesses", "elapsed_time", "num_accesses_since_last_access"};

struct Sample {
  std::array<uint64_t, kFeatures.size()> features{};
  // What the features are to predict.
  uint64_t micros_until_next = 0;
  uint64_t accesses_until_next = 0;
};

using SamplesByGroup = std::map<std::string, std::vector<Sample>>;

// What one block's last two accesses were.
struct BlockPast {
  uint64_t count = 0;
  uint64_t last_micros = 0;
  uint64_t last_index = 0;
  Sample open;  // the last access, whose next one is not known yet
};

// Each access but a block's first and last makes a sample: the first has no
// past, the last no future.
SamplesByGroup SamplesOf(const Grouping& grouping, const Accesses& accesses,
                         uint64_t most) {
  SamplesByGroup samples;
  std::unordered_map<uint64_t, BlockPast> blocks;
  for (uint64_t i = 0; i < accesses.size(); ++i) {
    const BlockAccessText& access = accesses[i];
    BlockPast& past = blocks[access.block];
    const uint64_t micros = access.time_micros > past.last_micros
                                ? access.time_micros - past.last_micros
                                : 0;
    const uint64_t between = i - past.last_index;
    if (past.count >= 2) {
      past.open.micros_until_next = micros;
      past.open.accesses_until_next = between;
      std::vector<Sample>& group = samples[grouping.GroupOf(access)];
      if (group.size() < most) group.push_back(past.open);
    }
    past.open.features = {past.count, micros, between};
    ++past.count;
    past.last_micros = access.time_micros;
    past.last_index = i;
  }
  return samples;
}

// Pearson's; 0 where one of the two is always the same.
double Correlation(const std::vector<Sample>& samples, size_t feature) {
  const auto n = static_cast<double>(samples.size());
  double x = 0;
  double y = 0;
  for (const Sample& sample : samples) {
    x += static_cast<double>(sample.features[feature]) / n;
    y += static_cast<double>(sample.accesses_until_next) / n;
  }
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (const Sample& sample : samples) {
    const double dx = static_cast<double>(sample.features[feature]) - x;
    const double dy = static_cast<double>(sample.accesses_until_next) - y;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

Status WriteFeature(const std::string& path, const SamplesByGroup& samples,
                    size_t feature) {
  return WriteTable(path, [&](std::ofstream& out) {
    out << "group," << kFeatures[feature]
        << ",num_accesses_till_next_access,elapsed_time_till_next_access\n";
    for (const auto& [group, rows] : samples) {
      for (const Sample& row : rows) {
        out << group << ',' << row.features[feature] << ','
            << row.accesses_until_next << ',' << row.micros_until_next << '\n';
      }
    }
  });
}

}  // namespace

Status WriteCorrelation(const Accesses& accesses,
                        const BlockCacheAnalyzerSettings& settings) {
  for (const std::string& label : SplitAtCommas(settings.correlation_labels)) {
    const SamplesByGroup samples =
        SamplesOf(Grouping(label), accesses, settings.correlation_values);
    for (size_t feature = 0; feature < kFeatures.size(); ++feature) {
      const Status s =
          WriteFeature(settings.result_dir + "/" + label + "_" +
                           kFeatures[feature] + "_correlation_input",
                       samples, feature);
      if (!s.ok()) return s;
      for (const auto& [group, rows] : samples) {
        std::printf("Correlation of %s with accesses until the next, %s: %f\n",
                    kFeatures[feature], group.c_str(),
                    Correlation(rows, feature));
      }
    }
  }
  return Status::OK();
}

}  // namespace tools
