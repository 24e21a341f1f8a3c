// Feeds flushes to a picker without I/O, and counts what its choices cost.
//
// The load is uniform overwriting: a run of w written bytes over a key space of
// B bytes holds B * (1 - exp(-w / B)) of them. Compactions take no time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "db/compaction/compaction_picker.h"
#include "tests/db/compaction/picker_script.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

struct SimulatedLoad {
  uint64_t base_bytes = 0;   // in the last level at the start
  uint64_t flush_bytes = 0;  // of one flush, on average
  int flush_count = 0;
  double flush_spread = 0;  // a flush may differ by this part of its bytes
};

struct SimulatedCost {
  double write_amplification = 0;  // written by flushes and compactions
  double average_runs = 0;         // after the compactions of each flush
  int most_runs = 0;               // the new flush included
  double average_space = 0;        // of the bytes that are alive
  double most_space = 0;           // before inputs go
  int compaction_count = 0;

  std::string Text() const;
};

class CompactionSimulator {
 public:
  // `options`: words, as in picker_script.h.
  CompactionSimulator(const std::string& options, const SimulatedLoad& load);

  SimulatedCost Run();

 private:
  struct SimulatedRun {
    FileRef file;
    int level = 0;
    double written_bytes = 0;
    bool has_base = false;
  };

  double BytesOf(double written_bytes, bool has_base) const;
  FileRef MakeFile(double bytes);
  void Flush();
  bool CompactOnce();
  double TotalBytes() const;
  VersionRef MakeVersion() const;

  const SimulatedLoad load_;
  const ColumnFamilyOptions family_;
  const ImmutableCFOptions cf_;
  const std::shared_ptr<const MutableCFOptions> options_;
  const InternalKeyComparator order_;
  const std::unique_ptr<CompactionPicker> picker_;
  Random64 random_{301};
  std::vector<SimulatedRun> runs_;  // newest first
  uint64_t next_number_ = 1;
  double user_bytes_ = 0;
  double written_bytes_ = 0;
  SimulatedCost cost_;
};

}  // namespace ROCKSDB_NAMESPACE
