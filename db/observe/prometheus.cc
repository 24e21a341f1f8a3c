#include "db/observe/prometheus.h"

#include <cctype>

#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::string MetricName(const std::string& name) {
  std::string metric = name;
  for (char& c : metric) {
    if (isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return metric;
}

std::string Label(const std::string& name, const std::string& value) {
  std::string text = name + "=\"";
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
  return text + "\"";
}

}  // namespace

PrometheusWriter::PrometheusWriter(const std::string& db_name,
                                   std::string* text)
    : db_label_(Label("db", db_name)), text_(text) {
  INVARIANT(text != nullptr);
}

void PrometheusWriter::WriteType(const std::string& metric,
                                 const std::string& name, const char* type) {
  INVARIANT(!metric.empty());
  *text_ += "# HELP " + metric + " " + name + "\n";
  *text_ += "# TYPE " + metric + " " + type + "\n";
}

void PrometheusWriter::WriteSample(const std::string& metric,
                                   const std::string& more_labels,
                                   uint64_t value) {
  *text_ += metric + "{" + db_label_;
  if (!more_labels.empty()) *text_ += "," + more_labels;
  *text_ += "} " + std::to_string(value) + "\n";
}

void PrometheusWriter::WriteStatistics(const Statistics& statistics) {
  ForEachTicker(statistics, [&](Tickers ticker, const std::string& name) {
    const std::string metric = MetricName(name) + "_total";
    WriteType(metric, name, "counter");
    WriteSample(metric, "", statistics.getTickerCount(ticker));
  });
  const auto* own = dynamic_cast<const StatisticsImpl*>(&statistics);
  for (const auto& [histogram, name] : HistogramsNameMap) {
    if (own != nullptr) {
      WriteHistogram(own->GetHistogram(histogram), name);
    } else {
      WriteSummary(statistics, histogram, name);
    }
  }
}

// Buckets are cumulative there, and the last one is the count.
void PrometheusWriter::WriteHistogram(const HistogramSnapshot& histogram,
                                      const std::string& name) {
  if (histogram.count == 0) return;
  const std::string metric = MetricName(name);
  WriteType(metric, name, "histogram");
  const auto& limits = histogram_buckets::kLimits;
  uint64_t below = 0;
  for (size_t i = 0; i < limits.size(); ++i) {
    if (histogram.buckets[i] == 0) continue;
    below += histogram.buckets[i];
    WriteSample(metric + "_bucket", Label("le", std::to_string(limits[i])),
                below);
  }
  WriteSample(metric + "_bucket", Label("le", "+Inf"), below);
  WriteSample(metric + "_sum", "", histogram.sum);
  WriteSample(metric + "_count", "", below);
}

void PrometheusWriter::WriteSummary(const Statistics& statistics, uint32_t type,
                                    const std::string& name) {
  HistogramData data;
  statistics.histogramData(type, &data);
  if (data.count == 0) return;
  const std::string metric = MetricName(name);
  WriteType(metric, name, "summary");
  const std::pair<const char*, double> quantiles[] = {
      {"0.5", data.median},
      {"0.95", data.percentile95},
      {"0.99", data.percentile99}};
  for (const auto& [quantile, value] : quantiles) {
    WriteSample(metric, Label("quantile", quantile),
                static_cast<uint64_t>(value));
  }
  WriteSample(metric + "_sum", "", data.sum);
  WriteSample(metric + "_count", "", data.count);
}

void PrometheusWriter::WriteGauges(const std::string& property,
                                   const std::vector<Gauge>& gauges) {
  if (gauges.empty()) return;
  const std::string metric = MetricName(property);
  WriteType(metric, property, "gauge");
  for (const Gauge& gauge : gauges) {
    WriteSample(metric, Label("cf", gauge.family), gauge.value);
  }
}

}  // namespace ROCKSDB_NAMESPACE
