#include "db/styles/universal/run_merge.h"

#include <algorithm>
#include <cassert>

#include "db/compaction/compaction_draft.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The deepest level that the next older run allows.
int OutputLevel(const CompactionPicker::Input& input, const RunMerge& merge) {
  const std::vector<SortedRun>& runs = *merge.runs;
  if (merge.span.end == runs.size()) {
    return LastUsedLevel(input.version->storage(), *input.cf);
  }
  const int next = runs[merge.span.end].level;
  assert(next > runs[merge.span.end - 1].level || next == 0);
  return std::max(0, next - 1);
}

// compression_size_percent: the oldest so many percent of all bytes.
bool IsCompressed(const RunMerge& merge,
                  const CompactionOptionsUniversal& options) {
  if (options.compression_size_percent < 0) return true;
  const size_t count = merge.runs->size();
  const uint64_t total = BytesOf(*merge.runs, {0, count});
  const uint64_t older = BytesOf(*merge.runs, {merge.span.end, count});
  return static_cast<double>(older) * 100 <
         static_cast<double>(total) * options.compression_size_percent;
}

// No two files hold a common user key, but neighbours of one level.
bool AreApart(const Compaction& c) {
  struct Place {
    int level;
    const FileMeta* file;
  };
  std::vector<Place> places;
  for (const CompactionInputLevel& input : c.inputs) {
    for (const FileRef& file : input.files) {
      places.push_back({input.level, file.get()});
    }
  }
  const InternalKeyComparator& order = c.version->storage().order();
  std::sort(places.begin(), places.end(),
            [&order](const Place& a, const Place& b) {
              return order.Compare(a.file->smallest, b.file->smallest) < 0;
            });
  for (size_t i = 1; i < places.size(); ++i) {
    const Place& left = places[i - 1];
    const Place& right = places[i];
    if (left.level == right.level && left.level > 0) continue;
    if (order.CompareUserKeys(left.file->largest.user_key(),
                              right.file->smallest.user_key()) >= 0) {
      return false;
    }
  }
  return true;
}

bool CanMove(const CompactionPicker::Input& input, const Compaction& c) {
  const MutableCFOptions& options = *input.options;
  if (!options.compaction_options_universal.allow_trivial_move) return false;
  if (c.young.level != 0) return false;
  if (c.output_level == 0 || c.start_level() == c.output_level) return false;
  for (const CompactionInputLevel& level : c.inputs) {
    if (level.level == c.output_level) {
      // It stays, and lies in the way if the others must be rewritten.
      if (c.asks_for_move) return false;
      continue;
    }
    const CompressionType now = options.CompressionForLevel(
        level.level, input.version->storage().base_level(),
        /*is_bottommost=*/false);
    if (now != c.compression) return false;
    const Temperature required = options.RequiredTemperature(
        c.output_level, input.version->storage().level_count());
    for (const FileRef& file : level.files) {
      if (file->path_id != c.output_path_id) return false;
      if (required != Temperature::kUnknown && file->temperature != required) {
        return false;
      }
    }
  }
  return AreApart(c);
}

CompactionDraft DraftOf(const CompactionPicker::Input& input,
                        const RunMerge& merge, int output_level) {
  const VersionStorage& storage = input.version->storage();
  const std::vector<SortedRun>& runs = *merge.runs;
  const int start = runs[merge.span.first].level;
  CompactionDraft draft(input, start, output_level);
  std::vector<FileRef> level0;
  for (size_t i = merge.span.first; i < merge.span.end; ++i) {
    const int level = runs[i].level;
    const FileSpan whole{0, storage.FileCount(level)};
    if (level == 0) {
      level0.push_back(*runs[i].file);
    } else if (level == start) {
      draft.SetSpan(whole);
    } else {
      draft.Demand(level, whole);
    }
  }
  if (start == 0) draft.SetLevel0(std::move(level0));
  if (output_level > start) draft.AddLowerLevels();
  return draft;
}

}  // namespace

uint32_t PathForRun(const std::vector<DbPath>& paths, uint64_t bytes,
                    uint64_t newer_bytes) {
  if (paths.size() <= 1) return 0;
  const double needed =
      static_cast<double>(bytes) + static_cast<double>(newer_bytes);
  double room = 0;
  uint32_t id = 0;
  for (; id + 1 < paths.size(); ++id) {
    room += static_cast<double>(paths[id].target_size);
    if (needed <= room) break;
  }
  return id;
}

std::unique_ptr<Compaction> MergeOfRuns(const CompactionPicker::Input& input,
                                        const RunMerge& merge) {
  INVARIANT(merge.runs != nullptr);
  INVARIANT(!merge.span.empty() && merge.span.end <= merge.runs->size());
  const int output_level = OutputLevel(input, merge);
  auto c = DraftOf(input, merge, output_level).Finish(merge.reason);
  // Runs are merged as a whole: no border of the next level matters.
  c->grandparents.clear();
  c->output_path_id =
      PathForRun(input.cf->cf_paths, BytesOf(*merge.runs, merge.span),
                 BytesOf(*merge.runs, {0, merge.span.first}));
  if (!IsCompressed(merge, input.options->compaction_options_universal)) {
    c->compression = kNoCompression;
    c->young.compression = kNoCompression;
  }
  c->young.path_id = c->output_path_id;
  // A user who asks for a compaction wants the data written anew.
  c->is_trivial_move =
      merge.reason != CompactionReason::kManualCompaction && CanMove(input, *c);
  if (c->is_trivial_move) {
    // What is there already stays: a rewrite of the others, if somebody still
    // decided for one, would write over it.
    std::erase_if(c->inputs, [&c](const CompactionInputLevel& level) {
      return level.level == c->output_level;
    });
  }
  assert(!c->inputs.empty());
  return c;
}

}  // namespace ROCKSDB_NAMESPACE
