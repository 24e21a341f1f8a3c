#include "db/styles/fifo/fifo_picker.h"

#include <algorithm>

#include "db/compaction/compaction_draft.h"
#include "db/styles/fifo/fifo_limit.h"
#include "db/tables/file_age.h"
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

// Entry i: the bytes of the blob files that go with the first i of `files`.
// Tables are linked to the oldest blob file that they may refer to; what is
// older than all links goes (db/version/version_builder.cc).
std::vector<uint64_t> BlobBytesFreed(const VersionStorage& storage,
                                     const std::vector<Placed>& files) {
  std::vector<uint64_t> oldest_link(files.size() + 1, UINT64_MAX);
  for (size_t i = files.size(); i > 0; --i) {
    const uint64_t link = files[i - 1].file->oldest_blob_file;
    oldest_link[i - 1] =
        link == 0 ? oldest_link[i] : std::min(oldest_link[i], link);
  }
  std::vector<uint64_t> freed;
  uint64_t bytes = 0;
  auto blob = storage.blobs().begin();
  for (const uint64_t link : oldest_link) {
    for (; blob != storage.blobs().end() && blob->number() < link; ++blob) {
      bytes += blob->file->size_bytes();
    }
    freed.push_back(bytes);
  }
  assert(freed.back() == storage.BlobBytes());
  return freed;
}

size_t LeastToMerge(const MutableCFOptions& options) {
  return static_cast<size_t>(
      std::max(2, options.level0_file_num_compaction_trigger));
}

// Neighbours [first, end) of level 0.
struct Level0Span {
  size_t first = 0;
  size_t end = 0;
};

std::unique_ptr<Compaction> MergeSpan(const CompactionPicker::Input& input,
                                      const Level0Span& span) {
  const std::vector<FileRef>& files = input.version->storage().level0();
  INVARIANT(span.first + 1 < span.end && span.end <= files.size());
  CompactionDraft draft(input, 0, 0);
  draft.SetLevel0({files.begin() + static_cast<ptrdiff_t>(span.first),
                   files.begin() + static_cast<ptrdiff_t>(span.end)});
  return draft.Finish(CompactionReason::kFIFOReduceNumFiles);
}

// Bytes of tables that stand for one of as many equal parts of the limit as
// files make a merge.
uint64_t EvenPartBytes(const CompactionPicker::Input& input) {
  const VersionStorage& storage = input.version->storage();
  const MutableCFOptions& options = *input.options;
  const uint64_t counted = FifoBytes(storage, options);
  if (counted == 0) return 0;
  const double table_share =
      static_cast<double>(storage.TotalBytes()) / static_cast<double>(counted);
  assert(table_share <= 1);
  const double part = static_cast<double>(FifoLimitBytes(options)) *
                      table_share / static_cast<double>(LeastToMerge(options));
  // A merge may come to twice a part.
  const uint64_t most = options.MaxCompactionBytes() / 2;
  return part < static_cast<double>(most) ? static_cast<uint64_t>(part) : most;
}

// The oldest idle neighbours, each smaller than `bytes`, that are as large
// together; empty if there are none. What they make is no longer smaller,
// unless keys were overwritten: a byte is rewritten once for each size asked
// for.
Level0Span OldestSpanOf(const std::vector<FileRef>& files, uint64_t bytes) {
  uint64_t sum = 0;
  size_t end = files.size();
  for (size_t i = files.size(); i > 0; --i) {
    const FileMeta& file = *files[i - 1];
    if (file.being_compacted || file.size_bytes >= bytes) {
      sum = 0;
      end = i - 1;
      continue;
    }
    sum += file.size_bytes;
    if (sum >= bytes) return {i - 1, end};
  }
  return {};
}

}  // namespace

std::unique_ptr<Compaction> FifoPicker::Pick(const Input& input) {
  std::unique_ptr<Compaction> c = PickExpired(input);
  if (c == nullptr) c = PickForSize(input);
  if (c == nullptr) c = PickMerge(input);
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
  const uint64_t bytes = FifoBytes(storage, *input.options);
  if (limit == 0 || bytes <= limit) return nullptr;
  const std::vector<Placed> files = OldestFirst(storage);
  const std::vector<uint64_t> freed =
      FifoCountsBlobs(*input.options)
          ? BlobBytesFreed(storage, files)
          : std::vector<uint64_t>(files.size() + 1, 0);
  INVARIANT(freed.size() == files.size() + 1);
  std::vector<Placed> excess;
  uint64_t table_bytes = 0;
  for (const Placed& placed : files) {
    const uint64_t gone = table_bytes + freed[excess.size()];
    assert(gone <= bytes);
    if (bytes - gone <= limit || placed.file->being_compacted) break;
    table_bytes += placed.file->size_bytes;
    excess.push_back(placed);
  }
  if (excess.empty()) return nullptr;
  return Drop(input, excess, CompactionReason::kFIFOMaxSize);
}

std::unique_ptr<Compaction> FifoPicker::PickMerge(const Input& input) const {
  const CompactionOptionsFIFO& fifo = input.options->compaction_options_fifo;
  if (!fifo.allow_compaction) return nullptr;
  if (fifo.use_kv_ratio_compaction && FifoLimitBytes(*input.options) > 0) {
    return PickEvenParts(input, EvenPartBytes(input));
  }
  return PickSmallFiles(input);
}

std::unique_ptr<Compaction> FifoPicker::PickEvenParts(
    const Input& input, uint64_t part_bytes) const {
  const std::vector<FileRef>& files = input.version->storage().level0();
  const size_t least = LeastToMerge(*input.options);
  size_t idle = 0;
  uint64_t smallest = UINT64_MAX;
  for (const FileRef& file : files) {
    if (file->being_compacted) continue;
    ++idle;
    smallest = std::min(smallest, file->size_bytes);
  }
  if (idle < least) return nullptr;
  std::vector<uint64_t> steps;
  for (uint64_t step = part_bytes; step > smallest; step /= least) {
    steps.push_back(step);
  }
  // The cheapest step first.
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const Level0Span span = OldestSpanOf(files, *step);
    if (span.end == span.first) continue;
    auto c = MergeSpan(input, span);
    if (!Conflicts(*c)) return c;
  }
  return nullptr;
}

// Neighbours in age, from the newest on, that are worth less as files of their
// own than what one flush writes: merging stops being useful there.
std::unique_ptr<Compaction> FifoPicker::PickSmallFiles(
    const Input& input) const {
  const MutableCFOptions& options = *input.options;
  const std::vector<FileRef>& files = input.version->storage().level0();
  const size_t least = LeastToMerge(options);
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
    auto c = MergeSpan(input, {first, good_end});
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
    c->copies_input = input.options->compaction_options_fifo
                          .allow_trivial_copy_when_change_temperature;
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

std::unique_ptr<CompactionPicker> NewFifoPicker() {
  return std::make_unique<FifoPicker>();
}

}  // namespace ROCKSDB_NAMESPACE
