#include "db/outputs/heat_keeper.h"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "db/family/column_family.h"
#include "file/input_stream.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/info_log.h"
#include "rocksdb/system_clock.h"
#include "table/heat/heat_map.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Runs asked for ahead of the one that is waited for, and how far into each.
constexpr size_t kRunsAhead = 4;
constexpr size_t kReadaheadBytes = 512 << 10;
bool PassesThePageCache(const JobContext& job) {
  const FileOptions& written = job.output_file_options;
  return (written.use_direct_writes || written.use_uncached_io ||
          job.leaves_page_cache) &&
         !job.read_file_options.use_direct_reads;
}

// When to stop keeping blocks warm, for a job that began at `job_start`.
uint64_t DeadlineOf(const JobContext& job, uint64_t job_start, uint64_t now) {
  const IoGovernor* const governor = job.cfd->tables()->governor();
  const bool is_urgent = governor != nullptr && governor->is_urgent();
  // The clock may be set back.
  const uint64_t job_micros = now > job_start ? now - job_start : 0;
  const HeatKeeper::TimeBound& bound =
      is_urgent ? HeatKeeper::kUrgentBound : HeatKeeper::kBound;
  return now + std::max(job_micros / bound.part, bound.least_micros);
}

}  // namespace

struct HeatKeeper::Run {
  std::vector<HotBlock> blocks;  // one behind the other
  TableCache::BulkData bulk;

  uint64_t begin() const { return blocks.front().offset; }
  uint64_t end() const { return blocks.back().offset + blocks.back().size; }
};

HeatKeeper::HeatKeeper(const JobContext* job, const MutableCFOptions* options,
                       uint64_t job_start_micros)
    : job_(job),
      options_(options),
      warms_pages_(PassesThePageCache(*job)),
      heat_(job->cfd->order(), /*asks_pages=*/warms_pages_),
      start_micros_(job->db->clock->NowMicros()),
      deadline_micros_(DeadlineOf(*job, job_start_micros, start_micros_)) {
  INVARIANT(options != nullptr);
  static_assert(kHot > 0 && kHot < HeatMap::kMaxHeat);
}

bool HeatKeeper::IsOn() const { return job_->db->compaction_keeps_hot_data; }

void HeatKeeper::AddSource(const FileMeta& file) {
  if (IsOn() && !IsOver()) job_->cfd->tables()->CollectHeat(file, &heat_);
}

bool HeatKeeper::IsOver() const {
  return job_->db->clock->NowMicros() >= deadline_micros_ ||
         job_->stop.IsShuttingDown();
}

void HeatKeeper::Keep(const std::vector<Output>& outputs) {
  if (!IsOn() || heat_.empty()) return;
  std::vector<Work> work;
  Status s;
  for (const Output& output : outputs) {
    if (s.ok()) s = FindWork(output, &work);
  }
  const bool all_fit = Limit(heat_.bytes(), &work);
  for (const Work& own : work) {
    if (s.ok()) s = Warm(own);
  }
  Statistics* const statistics = job_->db->stats;
  RecordTick(statistics, HEAT_WARMED_BYTES, warmed_bytes_);
  RecordTick(statistics, HEAT_CACHED_BLOCKS, cached_blocks_);
  RecordTick(statistics, HEAT_MICROS,
             MicrosSince(job_->db->clock, start_micros_));
  if (!all_fit || IsOver()) RecordTick(statistics, HEAT_CUT_SHORT);
  if (!s.ok()) {
    Warn(job_->db->logger, "[%s] [JOB %d] hot data stays cold: %s",
         job_->cfd->name().c_str(), job_->job_id, s.ToString().c_str());
  }
}

Status HeatKeeper::FindWork(const Output& output, std::vector<Work>* work) {
  INVARIANT(output.file != nullptr);
  std::shared_ptr<const TableReader> reader;
  Status s = job_->cfd->tables()->Find(ReadOptions(), *output.file,
                                       output.level, *options_, &reader);
  if (!s.ok()) return s;
  Work own{&output, {}};
  s = reader->InheritHeat(
      {output.file->smallest.user_key(), output.file->largest.user_key()},
      &heat_, &own.blocks);
  if (!own.blocks.empty()) work->push_back(std::move(own));
  return s;
}

bool HeatKeeper::Limit(uint64_t bytes, std::vector<Work>* work) const {
  std::array<uint64_t, HeatMap::kMaxHeat + 1> by_rank{};
  for (const Work& own : *work) {
    for (const HotBlock& block : own.blocks) {
      if (IsWanted(block)) by_rank[RankOf(block)] += block.size;
    }
  }
  // All above `border` fit, and of its own blocks what `bytes` then allows.
  uint8_t border = HeatMap::kMaxHeat;
  for (; border > kHot && by_rank[border] <= bytes; --border) {
    bytes -= by_rank[border];
  }
  const bool all_fit = border == kHot && by_rank[kHot] <= bytes;
  for (Work& own : *work) {
    std::erase_if(own.blocks, [&](const HotBlock& block) {
      const uint8_t rank = RankOf(block);
      if (!IsWanted(block) || rank < border) return true;
      if (rank > border) return false;
      const bool fits = block.size <= bytes;
      if (fits) bytes -= block.size;
      return !fits;
    });
  }
  return all_fit;
}

std::vector<HeatKeeper::Run> HeatKeeper::RunsOf(const Work& work) {
  std::vector<Run> runs;
  for (const HotBlock& block : work.blocks) {
    if (runs.empty() || runs.back().end() != block.offset) {
      runs.emplace_back();
    }
    runs.back().blocks.push_back(block);
  }
  return runs;
}

Status HeatKeeper::Warm(const Work& work) {
  std::vector<Run> runs = RunsOf(work);
  size_t begun = 0;
  for (size_t i = 0; i < runs.size() && !IsOver(); ++i) {
    for (; begun < runs.size() && begun <= i + kRunsAhead; ++begun) {
      if (Status s = Begin(*work.output, &runs[begun]); !s.ok()) return s;
    }
    if (Status s = Finish(&runs[i]); !s.ok()) return s;
    runs[i].bulk = {};
  }
  return Status::OK();
}

Status HeatKeeper::Begin(const Output& output, Run* run) const {
  INVARIANT(!run->blocks.empty());
  BulkReadPolicy bulk;
  bulk.readahead_bytes = kReadaheadBytes;
  bulk.backend = BestReadBackend(job_->db->fs);
  bulk.io_class = IoClass::kMaintenance;
  const ReadOptions read;
  TableCache::IteratorRequest request;
  request.file = output.file.get();
  request.level = output.level;
  request.mutable_cf = options_;
  request.table.read_options = &read;
  request.bulk = &bulk;
  Status s = job_->cfd->tables()->OpenStream(request, &run->bulk);
  if (s.ok()) s = run->bulk.data->SetRange(run->begin(), run->end());
  if (s.ok()) run->bulk.data->Start();
  return s;
}

Status HeatKeeper::Finish(Run* run) {
  INVARIANT(run->bulk.data != nullptr);
  for (const HotBlock& block : run->blocks) {
    if (IsOver()) break;
    Slice stored;
    Status s = run->bulk.data->Read(block.offset, block.size, &stored);
    if (!s.ok()) return s;
    if (warms_pages_) warmed_bytes_ += block.size;
    if (!block.is_cached) continue;
    s = run->bulk.reader->CacheBlock(block, stored);
    if (!s.ok()) return s;
    ++cached_blocks_;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
