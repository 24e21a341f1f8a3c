#include "db/ingest/replaced_range.h"

#include "rocksdb/sst_file_writer.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

std::optional<ReplacedRange> ReplacedRange::From(
    const std::optional<RangeOpt>& range) {
  if (!range.has_value()) return std::nullopt;
  ReplacedRange copy;
  if (range->start.has_value()) copy.begin_ = range->start->ToString();
  if (range->limit.has_value()) copy.end_ = range->limit->ToString();
  return copy;
}

Status ReplacedRange::Check(const Comparator& order) const {
  if (!begin_ || !end_ || order.Compare(*begin_, *end_) < 0) {
    return Status::OK();
  }
  return Status::InvalidArgument("atomic_replace_range",
                                 "its limit is not behind its start");
}

bool ReplacedRange::Overlaps(const Comparator& order,
                             const FileMeta& file) const {
  return (!begin_ || order.Compare(file.largest.user_key(), *begin_) >= 0) &&
         (!end_ || order.Compare(file.smallest.user_key(), *end_) < 0);
}

std::optional<ReplacedRange::Extent> ReplacedRange::ExtentIn(
    const VersionStorage& storage) const {
  const Comparator& order = *storage.order().user_comparator();
  INVARIANT(order.timestamp_size() == 0);
  std::optional<Extent> extent;
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      if (!Overlaps(order, *file)) continue;
      const std::string first = file->smallest.user_key().ToString();
      const std::string last = file->largest.user_key().ToString();
      if (!extent) extent = Extent{.begin = first, .end = last};
      if (order.Compare(first, extent->begin) < 0) extent->begin = first;
      if (order.Compare(last, extent->end) > 0) extent->end = last;
    }
  }
  if (!extent) return extent;
  if (begin_) extent->begin = *begin_;
  extent->includes_end = !end_;
  if (end_) extent->end = *end_;
  return extent;
}

Status WriteClearingTable(const Options& options,
                          const ReplacedRange::Extent& extent,
                          const std::string& path) {
  SstFileWriter writer(EnvOptions(options), options, options.comparator,
                       /*column_family=*/nullptr,
                       /*invalidate_page_cache=*/false, Env::IO_TOTAL,
                       /*skip_filters=*/true);
  Status s = writer.Open(path);
  // Both ends may be the same key.
  if (s.ok()) s = writer.DeleteRange(extent.begin, extent.end);
  if (s.ok() && extent.includes_end) s = writer.Delete(extent.end);
  return s.ok() ? writer.Finish() : s;
}

}  // namespace ROCKSDB_NAMESPACE
