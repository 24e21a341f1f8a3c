// All that a run of trace_analyzer finds in a trace.
//
// Threads  Confined to one thread.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/status.h"
#include "tools/trace_analyzer/key_statistics.h"
#include "tools/trace_analyzer/operation.h"
#include "tools/trace_analyzer/settings.h"

namespace tools {

class Analysis {
 public:
  explicit Analysis(const AnalyzerSettings& settings) : settings_(settings) {}

  // Reads the whole trace; with that go the files that are written on the way.
  ROCKSDB_NAMESPACE::Status Run();

  using Place = std::pair<OperationType, uint32_t>;  // with the family
  const std::map<Place, TypeStatistics>& types() const { return types_; }
  const CallCounts& calls() const { return calls_; }
  // For each type that is analyzed, its operations of all families by second.
  const std::array<SecondCounts, kOperationTypeCount>& seconds() const {
    return seconds_;
  }
  // For each family, its operations of all analyzed types by second.
  const std::map<uint32_t, SecondCounts>& family_seconds() const {
    return family_seconds_;
  }
  // By the family, and the place in settings.correlations.
  const Correlation& CorrelationOf(uint32_t family, size_t pair) const;
  // All keys of a family, in order; empty: nobody has told them.
  const std::vector<std::string>& KeySpace(uint32_t family) const;
  // Second and key of each operation, in the order of the trace; empty unless
  // that is asked for.
  const std::map<Place, std::vector<std::pair<uint64_t, std::string>>>&
  time_series() const {
    return time_series_;
  }
  // How often each second of an operation asked for which prefix.
  const std::map<uint64_t, std::map<std::string, uint64_t>>& PrefixSeconds(
      const Place& place) const;

 private:
  struct LastUse {
    OperationType type;
    uint64_t time_micros;
  };

  ROCKSDB_NAMESPACE::Status OpenText();
  ROCKSDB_NAMESPACE::Status ReadKeySpaces();
  void Note(const Operation& operation);
  void NoteCorrelations(const Operation& operation);
  void WriteText(const Operation& operation);

  const AnalyzerSettings& settings_;
  std::minstd_rand sample_;
  std::map<Place, TypeStatistics> types_;
  std::array<SecondCounts, kOperationTypeCount> seconds_;
  std::map<uint32_t, SecondCounts> family_seconds_;
  std::map<std::pair<uint32_t, std::string>, LastUse> last_uses_;
  std::map<std::pair<uint32_t, size_t>, Correlation> correlations_;
  std::map<uint32_t, std::vector<std::string>> key_spaces_;
  std::map<Place, std::map<uint64_t, std::map<std::string, uint64_t>>>
      prefix_seconds_;
  std::map<Place, std::vector<std::pair<uint64_t, std::string>>> time_series_;
  std::ofstream text_;
  CallCounts calls_;
};

// "0x" and the bytes, two digits each.
std::string HexOf(const std::string& bytes);

// Writes what the settings ask for. IOError names the file.
ROCKSDB_NAMESPACE::Status WriteReports(const Analysis& analysis,
                                       const AnalyzerSettings& settings);
void PrintReport(const Analysis& analysis, const AnalyzerSettings& settings);

}  // namespace tools
