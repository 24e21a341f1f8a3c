// Keeps warm what users read when its file is replaced.
//
// A new table file is cold: its bytes went past the page cache, or are a copy
// of what the caches hold under another name. Before a version with the new
// files is installed, the blocks whose keys users read lately (HeatMap of the
// files that held them) are read ahead through the buffered handle, and those
// that were in the block cache are put there.
//
// Bounds  A quarter of the new files; what users read of the old ones; 50 ms.
//         If it is too much, the hottest go first. While writers are near a
//         stall, 10 ms.
// Errors  None: what fails stays cold, and the log says so.
// Threads One thread, without the database's mutex.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "db/version/job_context.h"
#include "table/key_heat.h"

namespace ROCKSDB_NAMESPACE {

class HeatKeeper {
 public:
  // Blocks from this heat on are kept warm: what half a dozen samples in the
  // last minutes make.
  static constexpr uint8_t kHot = 3;
  static constexpr uint64_t kMaxMicros = 50'000;
  static constexpr uint64_t kUrgentMicros = 10'000;

  HeatKeeper(const JobContext* job, const MutableCFOptions* options);

  // A file that held keys of the new ones until now.
  void AddSource(const FileMeta& file);

  struct Output {
    FileRef file;
    int level = 0;
  };
  void Keep(const std::vector<Output>& outputs);

 private:
  // An output with hot blocks.
  struct Work {
    const Output* output;
    std::vector<HotBlock> blocks;
  };
  // A piece of a file without gaps.
  struct Run;

  bool IsOn() const;
  bool IsWanted(const HotBlock& block) const {
    return block.heat >= kHot && (warms_pages_ || block.is_cached);
  }
  Status FindWork(const Output& output, std::vector<Work>* work);
  // Leaves what is hot, the hottest if it is more than `bytes`. False: it was.
  bool Limit(uint64_t bytes, std::vector<Work>* work) const;
  Status Warm(const Work& work);
  static std::vector<Run> RunsOf(const Work& work);
  Status Begin(const Output& output, Run* run) const;
  Status Finish(Run* run);
  bool IsOver() const;

  const JobContext* const job_;
  const MutableCFOptions* const options_;
  // Were the new files written past the page cache that users read through?
  const bool warms_pages_;
  KeyHeat heat_;
  uint64_t deadline_micros_ = 0;
  uint64_t warmed_bytes_ = 0;
  uint64_t cached_blocks_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
