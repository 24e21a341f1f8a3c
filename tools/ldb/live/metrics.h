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

  // Of one database there is one sample of a name, or one for each family.
  std::optional<double> Sum(const std::string& name) const;
  // What is of the whole database stands in every family alike.
  std::optional<double> Most(const std::string& name) const;
  // By the label "cf".
  std::map<std::string, double> ByFamily(const std::string& name) const;
  // All of them in one object: of each name its values by families.
  std::string Json() const;

 private:
  std::map<std::string, std::multimap<std::string, double>> by_name_;
};

// One view: rates since `before`, gauges, and why writes are held back.
std::string TextOf(const Metrics& now, const Metrics& before, double seconds);

}  // namespace ROCKSDB_NAMESPACE
