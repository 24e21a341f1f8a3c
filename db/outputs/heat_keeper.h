// Keeps warm what users read when its file is replaced.
//
// A new table file is cold: its bytes went past the page cache, or are a copy
// of what the caches hold under another name. Before a version with the new
// files is installed, the blocks whose keys users read lately (HeatMap of the
// files that held them), or that the page cache has where they read, are read
// ahead through the buffered handle, and those that were in the block cache are
// put there.
//
// Bounds  What users read of the old files; a quarter of the time that the job
//         took until then, at least 50 ms; while writers are near a stall an
//         eighth, at least 10 ms; to look what is hot counts. If it is too
//         much, the hottest go first.
// Errors  None: what fails stays cold, and the log says so.
// Threads One thread, without the database's mutex.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "db/outputs/job_context.h"
#include "db/tables/file_meta.h"
#include "options/cf_options.h"
#include "table/heat/key_heat.h"

namespace ROCKSDB_NAMESPACE {

class HeatKeeper {
 public:
  // Blocks from this heat on are kept warm: what half a dozen samples in the
  // last minutes make.
  static constexpr uint8_t kHot = 3;
  // The time that it may take: a part of the job's, but not less than this.
  struct TimeBound {
    uint64_t part;
    uint64_t least_micros;
  };
  static constexpr TimeBound kBound{4, 50'000};
  static constexpr TimeBound kUrgentBound{8, 10'000};

  // `job_start_micros`: when the job began, by the database's clock.
  HeatKeeper(const JobContext* job, const MutableCFOptions* options,
             uint64_t job_start_micros);

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
  static uint8_t RankOf(const HotBlock& block) {
    return block.is_resident && block.heat < kHot ? kHot : block.heat;
  }
  bool IsWanted(const HotBlock& block) const {
    return RankOf(block) >= kHot && (warms_pages_ || block.is_cached);
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
  const uint64_t start_micros_;
  const uint64_t deadline_micros_;
  uint64_t warmed_bytes_ = 0;
  uint64_t cached_blocks_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
