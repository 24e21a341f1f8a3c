// Samples of a text in the format of Prometheus (exposition format 0.0.4).
//
// Threads  A value.
// Errors   Lines that are no samples are passed over.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class Metrics {
 public:
  static Metrics Parse(const std::string& text);

  bool empty() const { return by_name_.empty(); }

  // The sum of all samples of `name`: the database has one, or one for each
  // family.
  std::optional<double> Sum(const std::string& name) const;
  // The largest sample of `name`, for values of the whole database, which every
  // family repeats.
  std::optional<double> Most(const std::string& name) const;
  // The sum of the samples of `name` for each label "cf".
  std::map<std::string, double> ByFamily(const std::string& name) const;
  // All samples in one object: for each name its values by family.
  std::string Json() const;

 private:
  std::map<std::string, std::multimap<std::string, double>> by_name_;
};

// One view: rates since `before`, gauges, and why writes are held back.
std::string TextOf(const Metrics& now, const Metrics& before, double seconds);

}  // namespace ROCKSDB_NAMESPACE
