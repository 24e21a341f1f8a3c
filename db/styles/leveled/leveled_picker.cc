#include "db/styles/leveled/leveled_picker.h"

#include <algorithm>
#include <numeric>

#include "db/tables/file_age.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Fewer files of level 0 than this are not worth joining among themselves.
constexpr size_t kMinFilesWithinLevel0 = 4;

// Without a question, and so for nothing.
bool Moves(const Compaction& c) {
  return c.is_trivial_move && !c.asks_for_move;
}

// Smallest first: bytes of the next level to rewrite for each byte that goes
// down, in 1/1024.
std::vector<uint64_t> OverlapRatios(const VersionStorage& storage, int level) {
  const InternalKeyComparator& order = storage.order();
  const std::vector<FileRef>& files = storage.files(level);
  const bool has_next = level + 1 < storage.level_count();
  static const std::vector<FileRef> kNone;
  const std::vector<FileRef>& next =
      has_next ? storage.files(level + 1) : kNone;
  CompensatedSizes sizes(storage);
  std::vector<uint64_t> ratios;
  ratios.reserve(files.size());
  size_t at = 0;
  for (const FileRef& file : files) {
    while (at < next.size() &&
           order.CompareUserKeys(next[at]->largest.user_key(),
                                 file->smallest.user_key()) < 0) {
      ++at;
    }
    uint64_t overlap = 0;
    for (size_t i = at; i < next.size() &&
                        order.CompareUserKeys(next[i]->smallest.user_key(),
                                              file->largest.user_key()) <= 0;
         ++i) {
      overlap += next[i]->size_bytes;
    }
    ratios.push_back(overlap * 1024 /
                     std::max<uint64_t>(1, sizes.BytesOf(*file)));
  }
  return ratios;
}

// What to sort by, ascending.
std::vector<uint64_t> Ranks(const VersionStorage& storage, int level,
                            CompactionPri pri) {
  if (pri == kMinOverlappingRatio) return OverlapRatios(storage, level);
  CompensatedSizes sizes(storage);
  std::vector<uint64_t> ranks;
  for (const FileRef& file : storage.files(level)) {
    switch (pri) {
      case kOldestLargestSeqFirst:
        ranks.push_back(file->largest_sequence);
        break;
      case kOldestSmallestSeqFirst:
        ranks.push_back(file->smallest_sequence);
        break;
      default:
        ranks.push_back(UINT64_MAX - sizes.BytesOf(*file));
        break;
    }
  }
  return ranks;
}

uint64_t StartBytes(const Compaction& c) {
  uint64_t bytes = 0;
  for (const FileRef& file : c.inputs.front().files) bytes += file->size_bytes;
  return bytes;
}

// Bytes to rewrite for each byte that goes down.
double CostOfByte(const Compaction& c) {
  return static_cast<double>(c.InputBytes()) /
         static_cast<double>(std::max<uint64_t>(1, StartBytes(c)));
}

FileSpan StartSpan(const VersionStorage& storage, const Compaction& c) {
  const std::vector<FileRef>& files = storage.files(c.start_level());
  const std::vector<FileRef>& inputs = c.inputs.front().files;
  const auto first = std::find(files.begin(), files.end(), inputs.front());
  INVARIANT(first != files.end());
  const auto index = static_cast<size_t>(first - files.begin());
  return {index, index + inputs.size()};
}

}  // namespace

std::vector<size_t> PickOrder(const VersionStorage& storage, int level,
                              CompactionPri pri, const InternalKey* cursor) {
  INVARIANT(level >= 1);
  const std::vector<FileRef>& files = storage.files(level);
  std::vector<size_t> indices(files.size());
  std::iota(indices.begin(), indices.end(), size_t{0});
  if (pri == kRoundRobin) {
    // On from the cursor, and around the end.
    const auto begin =
        std::find_if(files.begin(), files.end(), [&](const FileRef& file) {
          return cursor == nullptr ||
                 storage.order().Compare(file->smallest, *cursor) >= 0;
        });
    const auto offset = begin == files.end() ? 0 : begin - files.begin();
    std::rotate(indices.begin(), indices.begin() + offset, indices.end());
  } else {
    const std::vector<uint64_t> ranks = Ranks(storage, level, pri);
    INVARIANT(ranks.size() == files.size());
    std::stable_sort(indices.begin(), indices.end(),
                     [&](size_t a, size_t b) { return ranks[a] < ranks[b]; });
  }
  std::erase_if(indices, [&](size_t i) { return files[i]->being_compacted; });
  return indices;
}

std::unique_ptr<Compaction> LeveledPicker::Pick(const Input& input) {
  const VersionStorage& storage = input.version->storage();
  for (const LevelScore& score : storage.scores()) {
    if (score.score < 1) break;
    std::unique_ptr<Compaction> c =
        score.level == 0 ? PickLevel0(input) : PickDown(input, score.level);
    if (c == nullptr) continue;
    c->score = score.score;
    assert(!Conflicts(*c));
    return c;
  }
  return PickRewrite(input);
}

bool LeveledPicker::EmptiesLevel0() const {
  return std::any_of(running_.begin(), running_.end(), [](const Compaction* c) {
    return c->start_level() == 0 && c->output_level > 0;
  });
}

// The oldest files of level 0, and all that overlap them, to the base level.
std::unique_ptr<Compaction> LeveledPicker::PickLevel0(
    const Input& input) const {
  const VersionStorage& storage = input.version->storage();
  if (storage.level0().empty()) return nullptr;
  const int base = storage.base_level();
  if (base == 0 || EmptiesLevel0()) return PickWithinLevel0(input);
  const Slice begin = storage.level0().back()->smallest.user_key();
  const Slice end = storage.level0().back()->largest.user_key();
  CompactionDraft draft(input, 0, base);
  draft.SetLevel0(storage.Overlapping(
      0, {&begin, &end}, VersionStorage::Level0Growth::kTransitive));
  draft.AddLowerLevels();
  draft.GrowStartLevel();
  if (draft.IsBusy()) return PickWithinLevel0(input);
  auto c = draft.Finish(CompactionReason::kLevelL0FilesNum);
  if (Conflicts(*c)) return PickWithinLevel0(input);
  if (!Moves(*c)) return c;
  // Others may go along if neither they nor anything between them is in the
  // way: then all of level 0 moves at once.
  CompactionDraft all(input, 0, base);
  all.SetLevel0(storage.level0());
  all.AddLowerLevels();
  if (all.IsBusy()) return c;
  auto whole = all.Finish(CompactionReason::kLevelL0FilesNum);
  return whole->is_trivial_move && !Conflicts(*whole) ? std::move(whole)
                                                      : std::move(c);
}

// While level 0 cannot go down, its newest files become one, so that reads and
// stalls see fewer. Neighbours in age only; as many as keep the bytes to write
// for each file that goes from growing.
std::unique_ptr<Compaction> LeveledPicker::PickWithinLevel0(
    const Input& input) const {
  const std::vector<FileRef>& files = input.version->storage().level0();
  const auto trigger = static_cast<size_t>(
      std::max(0, input.options->level0_file_num_compaction_trigger));
  const bool has_no_base = input.version->storage().base_level() == 0;
  // A level 0 that can go down soon should wait for that.
  if (!has_no_base && files.size() < trigger + 2) return nullptr;
  const size_t least = has_no_base ? 2 : kMinFilesWithinLevel0;
  uint64_t bytes = 0;
  size_t count = 0;
  for (const FileRef& file : files) {
    if (file->being_compacted) break;
    const uint64_t with = bytes + file->size_bytes;
    if (with > input.options->MaxCompactionBytes()) break;
    const bool is_dearer = count >= 2 && with / count > bytes / (count - 1);
    if (!has_no_base && is_dearer) break;
    bytes = with;
    ++count;
  }
  if (count < least) return nullptr;
  CompactionDraft draft(input, 0, 0);
  draft.SetLevel0(std::vector<FileRef>(files.begin(), files.begin() + count));
  auto c = draft.Finish(CompactionReason::kLevelL0FilesNum);
  return Conflicts(*c) ? nullptr : std::move(c);
}

std::unique_ptr<Compaction> LeveledPicker::PickDown(const Input& input,
                                                    int level) const {
  const VersionStorage& storage = input.version->storage();
  INVARIANT(level >= 1 && level + 1 < storage.level_count());
  const CompactionPri pri = input.cf->compaction_pri;
  const InternalKey* cursor = nullptr;
  if (pri == kRoundRobin && input.cursors != nullptr) {
    const auto found = input.cursors->find(level);
    if (found != input.cursors->end()) cursor = &found->second;
  }
  for (size_t index : PickOrder(storage, level, pri, cursor)) {
    auto c = Down(input, level, {index, index + 1},
                  CompactionReason::kLevelMaxLevelSize);
    if (c == nullptr) continue;
    c = Widen(input, std::move(c));
    if (pri == kRoundRobin) {
      const std::vector<FileRef>& files = storage.files(level);
      auto next =
          std::find(files.begin(), files.end(), c->inputs.front().files.back());
      INVARIANT(next != files.end());
      if (++next == files.end()) next = files.begin();
      c->next_cursor = (*next)->smallest;
    }
    return c;
  }
  return nullptr;
}

std::unique_ptr<Compaction> LeveledPicker::Down(const Input& input, int level,
                                                const FileSpan& span,
                                                CompactionReason reason) const {
  CompactionDraft draft(input, level, level + 1);
  draft.SetSpan(span);
  if (draft.IsBusy()) return nullptr;
  const std::vector<FileRef>& files = input.version->storage().files(level);
  if (IsYoungLevel(input, level) &&
      !HoldsEnoughOldData(
          input, {files.begin() + span.first, files.begin() + span.end})) {
    return nullptr;
  }
  draft.AddLowerLevels();
  if (draft.IsBusy()) return nullptr;
  draft.GrowStartLevel();
  auto c = draft.Finish(reason);
  return Conflicts(*c) ? nullptr : std::move(c);
}

// Neighbours go along as far as the level is over its target, where that makes
// a byte that goes down no dearer: files that move cost nothing, and a file of
// the next level that reaches from one to the other is rewritten once.
std::unique_ptr<Compaction> LeveledPicker::Widen(
    const Input& input, std::unique_ptr<Compaction> c) const {
  const VersionStorage& storage = input.version->storage();
  const int level = c->start_level();
  const bool by_overlap = input.cf->compaction_pri == kMinOverlappingRatio;
  const uint64_t target = storage.TargetBytes(level);
  const uint64_t excess = storage.LevelBytes(level) > target
                              ? storage.LevelBytes(level) - target
                              : 0;
  while (StartBytes(*c) < excess && (by_overlap || Moves(*c))) {
    const FileSpan span = StartSpan(storage, *c);
    std::unique_ptr<Compaction> best;
    const auto consider = [&](const FileSpan& wider) {
      auto candidate = Down(input, level, wider, c->reason);
      if (candidate == nullptr) return;
      const bool fits = Moves(*c) ? candidate->is_trivial_move
                                  : StartBytes(*candidate) <= excess &&
                                        candidate->InputBytes() <=
                                            input.options->MaxCompactionBytes();
      if (!fits) return;
      const double most = CostOfByte(best != nullptr ? *best : *c);
      if (CostOfByte(*candidate) <= most) best = std::move(candidate);
    };
    if (by_overlap && span.first > 0) consider({span.first - 1, span.end});
    if (span.end < storage.FileCount(level)) {
      consider({span.first, span.end + 1});
    }
    if (best == nullptr) break;
    c = std::move(best);
  }
  return c;
}

namespace {

CompactionReason RewriteReason(const CompactionPicker::Input& input, int level,
                               const FileRef& file_ref) {
  const FileMeta& file = *file_ref;
  if (file.WantsCompaction()) {
    return CompactionReason::kFilesMarkedForCompaction;
  }
  const VersionStorage& storage = input.version->storage();
  const uint64_t forced = storage.forced_blob_file();
  if (forced != 0 && file.oldest_blob_file == forced) {
    return CompactionReason::kForcedBlobGC;
  }
  const MutableCFOptions& options = *input.options;
  if (storage.WantsMergeForReads(options, level, file)) {
    return CompactionReason::kReadTriggered;
  }
  if (storage.IsFreedBySnapshots(file_ref)) {
    return CompactionReason::kBottommostFiles;
  }
  const bool has_expired = level < storage.LastNonEmptyLevel() &&
                           IsLongerAgo(file.oldest_ancestor_time, options.ttl,
                                       storage.scored_at_seconds());
  return has_expired ? CompactionReason::kTtl
                     : CompactionReason::kPeriodicCompaction;
}

}  // namespace

// Files that should be rewritten for their own sake: in place where they have
// nothing below, elsewhere on their way down.
std::unique_ptr<Compaction> LeveledPicker::PickRewrite(
    const Input& input) const {
  const VersionStorage& storage = input.version->storage();
  for (const auto& [level, file] : storage.FilesToRewrite()) {
    if (file->being_compacted) continue;
    const CompactionReason reason = RewriteReason(input, level, file);
    if (level == 0) {
      if (EmptiesLevel0() || storage.base_level() == 0) continue;
      const Slice begin = file->smallest.user_key();
      const Slice end = file->largest.user_key();
      CompactionDraft draft(input, 0, storage.base_level());
      draft.SetLevel0(storage.Overlapping(
          0, {&begin, &end}, VersionStorage::Level0Growth::kTransitive));
      draft.AddLowerLevels();
      if (draft.IsBusy()) continue;
      auto c = draft.Finish(reason);
      if (!Conflicts(*c)) return c;
      continue;
    }
    const std::vector<FileRef>& files = storage.files(level);
    const auto found = std::find(files.begin(), files.end(), file);
    INVARIANT(found != files.end());
    const auto index = static_cast<size_t>(found - files.begin());
    const bool is_waste = reason == CompactionReason::kBottommostFiles;
    if (level < storage.LastNonEmptyLevel() && !is_waste) {
      if (auto c = Down(input, level, {index, index + 1}, reason)) return c;
      continue;
    }
    CompactionDraft draft(input, level, level);
    draft.SetSpan({index, index + 1});
    if (draft.IsBusy()) continue;
    auto c = draft.Finish(reason);
    // With neighbours that share a key, something may lie below.
    if (is_waste && !c->is_bottommost) continue;
    if (!Conflicts(*c)) return c;
  }
  return nullptr;
}

std::unique_ptr<CompactionPicker> NewLeveledPicker() {
  return std::make_unique<LeveledPicker>();
}

}  // namespace ROCKSDB_NAMESPACE
