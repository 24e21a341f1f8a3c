#include "db/version/style_scores.h"

#include <algorithm>

#include "db/version/version_storage.h"
#include "options/compaction_styles.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void StyleScores::Judge(const Input& input, CompactionNeeds* needs) const {
  const VersionStorage& storage = input.storage;
  const int level_count = storage.level_count();
  INVARIANT(needs->target_bytes.size() == static_cast<size_t>(level_count));
  std::fill(needs->target_bytes.begin(), needs->target_bytes.end(), UINT64_MAX);
  needs->base_level = level_count > 1 ? 1 : 0;
  needs->needed_level = needs->base_level;
  SetTargets(input, needs);
  INVARIANT(needs->base_level >= 0 && needs->base_level < level_count);
  INVARIANT(needs->base_level <= needs->needed_level);

  needs->judged_at = input.time;
  needs->stall_count = StallCount(input);
  needs->scores.clear();
  needs->scores.push_back({0, ScoreOfLevel0(input)});
  AddDeeperScores(input, needs);
  std::stable_sort(needs->scores.begin(), needs->scores.end(),
                   [](const LevelScore& a, const LevelScore& b) {
                     return a.score > b.score;
                   });
  needs->pending_bytes = PendingBytes(input, *needs);

  needs->files_to_rewrite.clear();
  const uint64_t forced = ForcedBlobFile(input);
  needs->forced_blob_file = forced;
  // No compaction touches what was ingested behind.
  const int used = level_count - (input.cf.cf_allow_ingest_behind ? 1 : 0);
  for (int level = 0; level < used; ++level) {
    for (const FileRef& file : storage.files(level)) {
      if (file->being_compacted) continue;
      const bool is_forced = forced != 0 && file->oldest_blob_file == forced;
      if (is_forced || WantsRewrite(input, level, *file)) {
        needs->files_to_rewrite.emplace_back(level, file);
      }
    }
  }
  AddLastToRewrite(input, needs);
}

void StyleScores::SetTargets(const Input& /*input*/,
                             CompactionNeeds* /*needs*/) const {}

double StyleScores::ScoreOfLevel0(const Input& input) const {
  const std::vector<FileRef>& files = input.storage.level0();
  const auto idle =
      std::count_if(files.begin(), files.end(),
                    [](const FileRef& file) { return !file->being_compacted; });
  return ScoreByCount(input, static_cast<int>(idle));
}

void StyleScores::AddDeeperScores(const Input& /*input*/,
                                  CompactionNeeds* /*needs*/) const {}

uint64_t StyleScores::PendingBytes(const Input& /*input*/,
                                   const CompactionNeeds& /*needs*/) const {
  return 0;
}

int StyleScores::StallCount(const Input& input) const {
  return static_cast<int>(input.storage.level0().size());
}

uint64_t StyleScores::ForcedBlobFile(const Input& /*input*/) const { return 0; }

bool StyleScores::WantsRewrite(const Input& /*input*/, int /*level*/,
                               const FileMeta& /*file*/) const {
  return false;
}

void StyleScores::AddLastToRewrite(const Input& /*input*/,
                                   CompactionNeeds* /*needs*/) const {}

const StyleScores& ScoresOf(CompactionStyle style) {
#define COMPACTION_STYLE(id, Name, ...) \
  if (style == (id)) return ScoresOf##Name();
#include "options/compaction_styles.def"
  return ScoresOfManual();
}

double ScoreByCount(const StyleScores::Input& input, int run_count) {
  INVARIANT(run_count >= 0);
  return static_cast<double>(run_count) /
         std::max(1, input.options.level0_file_num_compaction_trigger);
}

bool IsMarkedOrOftenRead(const StyleScores::Input& input, int level,
                         const FileMeta& file) {
  return file.WantsCompaction() ||
         input.storage.WantsMergeForReads(input.options, level, file);
}

// The oldest blob file goes when the tables that are linked to it are
// rewritten, and with it those behind it that no table is linked to.
uint64_t WastefulBlobFile(const StyleScores::Input& input) {
  const MutableCFOptions& options = input.options;
  const BlobFileList& blobs = input.storage.blobs();
  if (!options.enable_blob_garbage_collection || blobs.empty()) return 0;
  const uint64_t cutoff =
      input.storage.BlobCutoff(options.blob_garbage_collection_age_cutoff);
  uint64_t total = 0;
  uint64_t garbage = 0;
  for (const BlobFileState& blob : blobs) {
    const bool is_first = &blob == &blobs.front();
    if (!is_first && blob.linked_table_count > 0) break;
    if (blob.number() >= cutoff) return 0;
    total += blob.file->record.total_bytes;
    garbage += blob.garbage_bytes;
  }
  assert(garbage <= total);
  const double limit = options.blob_garbage_collection_force_threshold *
                       static_cast<double>(total);
  return static_cast<double>(garbage) > limit ? blobs.front().number() : 0;
}

}  // namespace ROCKSDB_NAMESPACE
