// Feeds flushes to a picker without I/O, and counts what its choices cost.
//
// It simulates universal compaction, which merges whole runs. It simulates
// neither files with a part of the key space, among which leveled compaction
// chooses, nor time: compactions take none.
//
// Threads  Confined to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "db/compaction/compaction_picker.h"
#include "tools/compaction_simulator/key_distribution.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

// A key space that is in the last level at the start, and is overwritten.
struct SimulatedLoad {
  uint64_t base_bytes = 0;   // size of the key space; > 0
  uint64_t flush_bytes = 0;  // written for one flush, on average; > 0
  int flush_count = 0;       // > 0
  double flush_spread = 0;   // a flush may differ by this part of its bytes
  KeyDistribution::Shape keys = {};
};

struct SimulatedCost {
  double write_amplification = 0;  // bytes written per byte that users write
  // What a lookup may have to look at.
  double average_runs = 0;   // after the compactions of each flush
  int most_runs = 0;         // the new flush included
  double average_space = 0;  // bytes of all runs over base_bytes
  double most_space = 0;     // while inputs and outputs are both there
  int compaction_count = 0;
};

class CompactionSimulator {
 public:
  // NotSupported: another style than the universal one, or options whose
  // choices depend on time.
  static Status Check(const ColumnFamilyOptions& options);

  // Check() has allowed `options`, whose write_buffer_size is that of the load.
  CompactionSimulator(const ColumnFamilyOptions& options,
                      const SimulatedLoad& load);

  SimulatedCost Run();

 private:
  struct SimulatedRun {
    FileRef file;
    int level = 0;
    double written_bytes = 0;
    bool has_base = false;
  };

  double BytesOf(const SimulatedRun& run) const;
  FileRef MakeFile(double bytes);
  void Flush();
  bool CompactOnce();
  SimulatedRun TakeInputs(const Compaction& compaction, size_t* place);
  double TotalBytes() const;
  VersionRef MakeVersion() const;

  const SimulatedLoad load_;
  const KeyDistribution keys_;
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
