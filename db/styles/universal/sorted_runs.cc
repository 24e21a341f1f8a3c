#include "db/styles/universal/sorted_runs.h"

#include <algorithm>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

int LastUsedLevel(const VersionStorage& storage, const ImmutableCFOptions& cf) {
  const int last = storage.level_count() - 1;
  INVARIANT(!cf.cf_allow_ingest_behind || last >= 2);
  return cf.cf_allow_ingest_behind ? last - 1 : last;
}

std::vector<SortedRun> CollectRuns(const VersionStorage& storage,
                                   const ImmutableCFOptions& cf) {
  std::vector<SortedRun> runs;
  for (const FileRef& file : storage.level0()) {
    runs.push_back({0, &file, file->size_bytes, file->being_compacted});
  }
  for (int level = 1; level <= LastUsedLevel(storage, cf); ++level) {
    const std::vector<FileRef>& files = storage.files(level);
    if (files.empty()) continue;
    const bool is_busy =
        std::any_of(files.begin(), files.end(),
                    [](const FileRef& file) { return file->being_compacted; });
    runs.push_back({level, nullptr, storage.LevelBytes(level), is_busy});
  }
  assert(runs.size() <= storage.FileCount());
  return runs;
}

uint64_t BytesOf(const std::vector<SortedRun>& runs, const RunSpan& span) {
  INVARIANT(span.end <= runs.size());
  uint64_t bytes = 0;
  for (size_t i = span.first; i < span.end; ++i) bytes += runs[i].bytes;
  return bytes;
}

}  // namespace ROCKSDB_NAMESPACE
