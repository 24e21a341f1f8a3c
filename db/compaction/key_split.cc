#include "db/compaction/key_split.h"

#include <algorithm>

#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kAnchorsPerFile = 128;

}  // namespace

std::vector<std::string> ChooseBorders(std::vector<SplitAnchor> anchors,
                                       const Comparator& order,
                                       size_t part_count) {
  INVARIANT(part_count >= 1);
  // Before all versions of a key: they stay together.
  if (const size_t size = order.timestamp_size(); size != 0) {
    for (SplitAnchor& anchor : anchors) {
      anchor.user_key =
          WithMaxTimestamp(WithoutTimestamp(anchor.user_key, size), size);
    }
  }
  std::sort(anchors.begin(), anchors.end(),
            [&order](const SplitAnchor& a, const SplitAnchor& b) {
              return order.Compare(a.user_key, b.user_key) < 0;
            });
  uint64_t total = 0;
  for (const SplitAnchor& anchor : anchors) total += anchor.range_bytes;
  const uint64_t part = std::max<uint64_t>(1, total / part_count);
  std::vector<std::string> borders;
  uint64_t bytes = 0;
  for (const SplitAnchor& anchor : anchors) {
    if (borders.size() + 1 >= part_count) break;
    bytes += anchor.range_bytes;
    if (bytes < part * (borders.size() + 1)) continue;
    // Equal anchors of different files make one border.
    const bool is_new =
        borders.empty() || order.Compare(borders.back(), anchor.user_key) < 0;
    if (is_new && &anchor != &anchors.back()) {
      borders.push_back(anchor.user_key);
    }
  }
  assert(borders.size() < part_count);
  return borders;
}

Status SplitCompaction(const Compaction& compaction, TableCache* tables,
                       TableCache::IteratorRequest request,
                       std::vector<std::string>* borders) {
  INVARIANT(tables != nullptr && borders != nullptr);
  borders->clear();
  const uint64_t least =
      std::max<uint64_t>(1, compaction.max_output_file_bytes);
  const uint64_t parts = std::min<uint64_t>(compaction.max_subcompactions,
                                            compaction.ReadBytes() / least);
  if (parts <= 1) return Status::OK();
  std::vector<SplitAnchor> anchors;
  for (const CompactionInputLevel& input : compaction.inputs) {
    request.level = input.level;
    for (const FileRef& file : input.files) {
      if (!compaction.Reads(*file)) continue;
      request.file = file.get();
      std::shared_ptr<const TableReader> reader;
      Status s = tables->FindForBulk(request, &reader);
      if (!s.ok()) return s;
      std::vector<SplitAnchor> some;
      s = reader->Anchors(*request.table.read_options, kAnchorsPerFile, &some);
      if (!s.ok()) return s;
      std::move(some.begin(), some.end(), std::back_inserter(anchors));
    }
  }
  const Comparator& order =
      *compaction.version->storage().order().user_comparator();
  *borders =
      ChooseBorders(std::move(anchors), order, static_cast<size_t>(parts));
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
