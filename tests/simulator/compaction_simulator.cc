#include "tests/simulator/compaction_simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ROCKSDB_NAMESPACE {

std::string SimulatedCost::Text() const {
  char text[160];
  std::snprintf(text, sizeof(text),
                "write %.2f  runs %.1f, at most %d  space %.2f, at most %.2f  "
                "compactions %d",
                write_amplification, average_runs, most_runs, average_space,
                most_space, compaction_count);
  return text;
}

CompactionSimulator::CompactionSimulator(const std::string& options,
                                         const SimulatedLoad& load)
    : load_(load),
      family_([&] {
        ColumnFamilyOptions family =
            PickerOptionsParser().Parse(options).family;
        family.write_buffer_size = load.flush_bytes;
        family.max_compaction_bytes = UINT64_MAX / 2;
        return family;
      }()),
      cf_(family_),
      options_(std::make_shared<MutableCFOptions>(family_)),
      picker_(NewCompactionPicker(cf_)) {
  SimulatedRun base;
  base.level = family_.num_levels - 1;
  base.has_base = true;
  base.file = MakeFile(BytesOf(0, true));
  runs_.push_back(std::move(base));
}

double CompactionSimulator::BytesOf(double written_bytes, bool has_base) const {
  const auto all = static_cast<double>(load_.base_bytes);
  return has_base ? all : all * (1 - std::exp(-written_bytes / all));
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
  EXPECT_TRUE(s.ok()) << s.ToString();
  version->mutable_storage()->ComputeScores(cf_, *options_, kLevelTextNow);
  return version;
}

double CompactionSimulator::TotalBytes() const {
  double bytes = 0;
  for (const SimulatedRun& run : runs_) {
    bytes += BytesOf(run.written_bytes, run.has_base);
  }
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
  const double bytes = BytesOf(run.written_bytes, false);
  run.file = MakeFile(bytes);
  written_bytes_ += bytes;
  runs_.insert(runs_.begin(), std::move(run));
  cost_.most_runs = std::max(cost_.most_runs, static_cast<int>(runs_.size()));
}

bool CompactionSimulator::CompactOnce() {
  CompactionPicker::Input input;
  input.version = MakeVersion();
  input.cf = &cf_;
  input.options = options_;
  if (!picker_->NeedsCompaction(input.version->storage())) return false;
  const auto c = picker_->Pick(input);
  if (c == nullptr) return false;
  SimulatedRun merged;
  merged.level = c->output_level;
  size_t place = runs_.size();
  for (const CompactionInputLevel& level : c->inputs) {
    for (const FileRef& file : level.files) {
      const auto found =
          std::find_if(runs_.begin(), runs_.end(),
                       [&](const SimulatedRun& r) { return r.file == file; });
      place = std::min(place, static_cast<size_t>(found - runs_.begin()));
      merged.written_bytes += found->written_bytes;
      merged.has_base = merged.has_base || found->has_base;
      runs_.erase(found);
    }
  }
  const double bytes = BytesOf(merged.written_bytes, merged.has_base);
  merged.file = MakeFile(bytes);
  written_bytes_ += bytes;
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
