#include "tools/compaction_simulator/simulator.h"

#include <algorithm>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Nothing happens because of its age, or is left out because of its size.
ColumnFamilyOptions Timeless(const ColumnFamilyOptions& options,
                             const SimulatedLoad& load) {
  ColumnFamilyOptions family = options;
  family.write_buffer_size = load.flush_bytes;
  family.max_compaction_bytes = UINT64_MAX / 2;
  family.ttl = 0;
  family.periodic_compaction_seconds = 0;
  return family;
}

// Any time does.
constexpr uint64_t kNowSeconds = 1'000'000;

}  // namespace

Status CompactionSimulator::Check(const ColumnFamilyOptions& options) {
  if (options.compaction_style != kCompactionStyleUniversal) {
    return Status::NotSupported("compaction_style",
                                "only universal compaction is simulated");
  }
  if (options.compaction_options_universal.incremental) {
    return Status::NotSupported("incremental", "runs are merged as wholes");
  }
  if (options.preclude_last_level_data_seconds != 0) {
    return Status::NotSupported("preclude_last_level_data_seconds",
                                "no time passes");
  }
  return Status::OK();
}

CompactionSimulator::CompactionSimulator(const ColumnFamilyOptions& options,
                                         const SimulatedLoad& load)
    : load_(load),
      keys_(load.keys, load.base_bytes),
      family_(Timeless(options, load)),
      cf_(family_),
      options_(std::make_shared<MutableCFOptions>(family_)),
      picker_(NewCompactionPicker(cf_)) {
  INVARIANT(Check(options).ok());
  INVARIANT(load.flush_bytes > 0 && load.flush_count > 0);
  SimulatedRun base;
  base.level = family_.num_levels - 1;
  base.has_base = true;
  base.file = MakeFile(BytesOf(base));
  runs_.push_back(std::move(base));
}

double CompactionSimulator::BytesOf(const SimulatedRun& run) const {
  return run.has_base ? static_cast<double>(load_.base_bytes)
                      : keys_.DistinctBytes(run.written_bytes);
}

FileRef CompactionSimulator::MakeFile(double bytes) {
  auto file = std::make_shared<FileMeta>();
  file->number = next_number_++;
  file->smallest = InternalKey("a", 2, kTypeValue);
  file->largest = InternalKey("z", 1, kTypeValue);
  file->smallest_sequence = file->number;
  file->largest_sequence = file->number;
  file->size_bytes = static_cast<uint64_t>(bytes);
  return file;
}

// Each call a version of its own, as pickers see them.
VersionRef CompactionSimulator::MakeVersion() const {
  std::vector<std::vector<FileRef>> levels(family_.num_levels);
  uint64_t epoch = runs_.size();
  for (const SimulatedRun& run : runs_) {
    run.file->epoch_number = epoch--;
    levels[run.level].push_back(run.file);
  }
  auto version =
      std::make_shared<Version>(nullptr, 1, &order_, family_.num_levels);
  const Status s = version->mutable_storage()->Build(std::move(levels), true);
  INVARIANT(s.ok());  // Below level 0, a run is a level of one file.
  version->mutable_storage()->ComputeScores(cf_, *options_, kNowSeconds);
  return version;
}

double CompactionSimulator::TotalBytes() const {
  double bytes = 0;
  for (const SimulatedRun& run : runs_) bytes += BytesOf(run);
  return bytes;
}

void CompactionSimulator::Flush() {
  SimulatedRun run;
  constexpr uint64_t kSteps = 1001;
  const double deviation =
      2.0 * static_cast<double>(random_.Uniform(kSteps)) / (kSteps - 1) - 1;
  run.written_bytes = static_cast<double>(load_.flush_bytes) *
                      (1 + load_.flush_spread * deviation);
  user_bytes_ += run.written_bytes;
  const double bytes = BytesOf(run);
  run.file = MakeFile(bytes);
  written_bytes_ += bytes;
  runs_.insert(runs_.begin(), std::move(run));
  cost_.most_runs = std::max(cost_.most_runs, static_cast<int>(runs_.size()));
}

// What their merge will be, and *place where it comes in the order of ages.
CompactionSimulator::SimulatedRun CompactionSimulator::TakeInputs(
    const Compaction& c, size_t* place) {
  INVARIANT(place != nullptr);
  SimulatedRun merged;
  merged.level = c.output_level;
  for (const CompactionInputLevel& level : c.inputs) {
    for (const FileRef& file : level.files) {
      const auto found =
          std::find_if(runs_.begin(), runs_.end(),
                       [&](const SimulatedRun& r) { return r.file == file; });
      INVARIANT(found != runs_.end());
      *place = std::min(*place, static_cast<size_t>(found - runs_.begin()));
      merged.written_bytes += found->written_bytes;
      merged.has_base = merged.has_base || found->has_base;
      runs_.erase(found);
    }
  }
  return merged;
}

bool CompactionSimulator::CompactOnce() {
  CompactionPicker::Input input;
  input.version = MakeVersion();
  input.cf = &cf_;
  input.options = options_;
  if (!picker_->NeedsCompaction(input.version->storage())) return false;
  const auto c = picker_->Pick(input);
  if (c == nullptr) return false;
  size_t place = runs_.size();
  SimulatedRun merged = TakeInputs(*c, &place);
  const double bytes = BytesOf(merged);
  merged.file = MakeFile(bytes);
  if (!c->is_trivial_move) written_bytes_ += bytes;
  cost_.most_space =
      std::max(cost_.most_space,
               (TotalBytes() + static_cast<double>(c->InputBytes()) + bytes) /
                   static_cast<double>(load_.base_bytes));
  runs_.insert(runs_.begin() + static_cast<ptrdiff_t>(place),
               std::move(merged));
  ++cost_.compaction_count;
  return true;
}

SimulatedCost CompactionSimulator::Run() {
  for (int i = 0; i < load_.flush_count; ++i) {
    Flush();
    while (CompactOnce()) {
    }
    const auto live = static_cast<double>(load_.base_bytes);
    cost_.average_runs += static_cast<double>(runs_.size());
    cost_.average_space += TotalBytes() / live;
    cost_.most_space = std::max(cost_.most_space, TotalBytes() / live);
  }
  cost_.write_amplification = written_bytes_ / user_bytes_;
  cost_.average_runs /= load_.flush_count;
  cost_.average_space /= load_.flush_count;
  return cost_;
}

}  // namespace ROCKSDB_NAMESPACE
