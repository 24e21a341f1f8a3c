#include "db/compaction/fifo_picker.h"

#include <algorithm>

#include "db/compaction/compaction_draft.h"
#include "db/version/file_age.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

struct Placed {
  int level;
  FileRef file;
};

std::vector<Placed> OldestFirst(const VersionStorage& storage) {
  std::vector<Placed> placed;
  for (int level = storage.level_count() - 1; level >= 1; --level) {
    for (const FileRef& file : storage.files(level)) {
      placed.push_back({level, file});
    }
  }
  const std::vector<FileRef>& level0 = storage.level0();
  for (auto file = level0.rbegin(); file != level0.rend(); ++file) {
    placed.push_back({0, *file});
  }
  assert(placed.size() == storage.FileCount());
  return placed;
}

std::unique_ptr<Compaction> Drop(const CompactionPicker::Input& input,
                                 const std::vector<Placed>& files,
                                 CompactionReason reason) {
  INVARIANT(!files.empty());
  auto c = std::make_unique<Compaction>();
  c->version = input.version;
  c->options = input.options;
  c->reason = reason;
  c->drops_inputs = true;
  for (int level = 0; level < input.version->storage().level_count(); ++level) {
    CompactionInputLevel dropped;
    dropped.level = level;
    for (const Placed& placed : files) {
      if (placed.level == level) dropped.files.push_back(placed.file);
    }
    if (dropped.files.empty()) continue;
    c->output_level = level;
    c->inputs.push_back(std::move(dropped));
  }
  INVARIANT(c->InputFileCount() == files.size());
  return c;
}

}  // namespace

bool FifoPicker::NeedsCompaction(const VersionStorage& storage) const {
  if (!storage.FilesToRewrite().empty()) return true;
  const auto& scores = storage.scores();
  return std::any_of(scores.begin(), scores.end(),
                     [](const auto& s) { return s.score >= 1; });
}

std::unique_ptr<Compaction> FifoPicker::Pick(const Input& input) {
  std::unique_ptr<Compaction> c = PickExpired(input);
  if (c == nullptr) c = PickForSize(input);
  if (c == nullptr) c = PickSmallFiles(input);
  if (c == nullptr) c = PickForTemperature(input);
  if (c == nullptr) return nullptr;
  const auto& scores = input.version->storage().scores();
  if (!scores.empty()) c->score = scores.front().score;
  return c;
}

std::unique_ptr<Compaction> FifoPicker::PickExpired(const Input& input) const {
  const uint64_t ttl = input.options->ttl;
  const VersionStorage& storage = input.version->storage();
  std::vector<Placed> expired;
  for (const Placed& placed : OldestFirst(storage)) {
    // What is older than a file that stays, stays: a key's older versions must
    // not outlive its newer ones.
    if (placed.file->being_compacted) break;
    if (!IsOlderThan(*placed.file, ttl, storage.scored_at_seconds())) break;
    expired.push_back(placed);
  }
  if (expired.empty()) return nullptr;
  return Drop(input, expired, CompactionReason::kFIFOTtl);
}

std::unique_ptr<Compaction> FifoPicker::PickForSize(const Input& input) const {
  const uint64_t limit = FifoLimitBytes(*input.options);
  const VersionStorage& storage = input.version->storage();
  uint64_t bytes = storage.TotalBytes();
  if (limit == 0 || bytes <= limit) return nullptr;
  std::vector<Placed> excess;
  for (const Placed& placed : OldestFirst(storage)) {
    if (bytes <= limit || placed.file->being_compacted) break;
    bytes -= placed.file->size_bytes;
    excess.push_back(placed);
  }
  if (excess.empty()) return nullptr;
  return Drop(input, excess, CompactionReason::kFIFOMaxSize);
}

// Neighbours in age, from the newest on, that are worth less as files of their
// own than what one flush writes: merging stops being useful there.
std::unique_ptr<Compaction> FifoPicker::PickSmallFiles(
    const Input& input) const {
  const MutableCFOptions& options = *input.options;
  if (!options.compaction_options_fifo.allow_compaction) return nullptr;
  const std::vector<FileRef>& files = input.version->storage().level0();
  const size_t least = static_cast<size_t>(
      std::max(2, options.level0_file_num_compaction_trigger));
  const double most_for_each =
      static_cast<double>(options.write_buffer_size) * 1.1;
  for (size_t first = 0; first + least <= files.size(); ++first) {
    uint64_t bytes = 0;
    size_t end = first;
    size_t good_end = first;
    for (; end < files.size() && !files[end]->being_compacted; ++end) {
      bytes += files[end]->size_bytes;
      if (bytes > options.MaxCompactionBytes()) break;
      const size_t count = end + 1 - first;
      const double for_each =
          static_cast<double>(bytes) /
          static_cast<double>(std::max<size_t>(1, count - 1));
      if (count >= least && for_each <= most_for_each) good_end = end + 1;
    }
    if (good_end == first) continue;
    CompactionDraft draft(input, 0, 0);
    draft.SetLevel0({files.begin() + static_cast<ptrdiff_t>(first),
                     files.begin() + static_cast<ptrdiff_t>(good_end)});
    auto c = draft.Finish(CompactionReason::kFIFOReduceNumFiles);
    return Conflicts(*c) ? nullptr : std::move(c);
  }
  return nullptr;
}

// One file at a time, the oldest first: it is read and written.
std::unique_ptr<Compaction> FifoPicker::PickForTemperature(
    const Input& input) const {
  const VersionStorage& storage = input.version->storage();
  const std::vector<FileRef>& files = storage.level0();
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if ((*file)->being_compacted) continue;
    const Temperature wanted =
        TemperatureByAge(**file, *input.options, storage.scored_at_seconds());
    if (wanted == Temperature::kUnknown) continue;
    CompactionDraft draft(input, 0, 0);
    draft.SetLevel0({*file});
    auto c = draft.Finish(CompactionReason::kChangeTemperature);
    c->output_temperature = wanted;
    return Conflicts(*c) ? nullptr : std::move(c);
  }
  return nullptr;
}

std::unique_ptr<Compaction> FifoPicker::PickRange(
    const Input& input, const Range& /*range*/, bool* conflict,
    std::optional<InternalKey>* rest) {
  INVARIANT(conflict != nullptr && rest != nullptr);
  *conflict = false;
  rest->reset();
  auto c = Pick(input);
  if (c != nullptr) c->is_manual = true;
  return c;
}

}  // namespace ROCKSDB_NAMESPACE
