#include "db/version/size_estimate.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <vector>

#include "db/tables/file_meta.h"
#include "db/version/version_storage.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Cover = TableCache::Cover;

// What a version alone tells of a range.
class Overlap {
 public:
  Overlap(const TableCache& tables, const TableCache::KeyRange& range)
      : tables_(tables), range_(range) {}

  // `is_sorted`: the files ascend, and none reaches into the next one.
  void Note(int level, const std::vector<FileRef>& files, bool is_sorted) {
    auto file = files.begin();
    if (is_sorted) {
      file = std::partition_point(
          files.begin(), files.end(),
          [this](const FileRef& f) { return tables_.IsBefore(*f, range_); });
    }
    for (; file != files.end(); ++file) {
      const Cover cover = tables_.CoverOf(**file, range_);
      if (cover == Cover::kNone && is_sorted) break;
      if (cover == Cover::kAll) whole_bytes_ += (*file)->size_bytes;
      if (cover != Cover::kPart) continue;
      cut_bytes_ += (*file)->size_bytes;
      cut_.push_back({level, file->get()});
    }
  }

  struct CutFile {
    int level = 0;
    const FileMeta* file = nullptr;
  };
  uint64_t whole_bytes() const { return whole_bytes_; }
  uint64_t cut_bytes() const { return cut_bytes_; }
  const std::vector<CutFile>& cut() const { return cut_; }

 private:
  const TableCache& tables_;
  const TableCache::KeyRange& range_;
  uint64_t whole_bytes_ = 0;
  uint64_t cut_bytes_ = 0;
  std::vector<CutFile> cut_;
};

// Between nothing and all of the tables that are cut lies their half, which is
// wrong by at most as much. The answer is at least what is in them whole.
bool IsHalfNearEnough(const Overlap& overlap, double error_margin) {
  return error_margin > 0 &&
         static_cast<double>(overlap.cut_bytes()) / 2 <=
             static_cast<double>(overlap.whole_bytes()) * error_margin;
}

}  // namespace

Status EstimateTableBytes(const TableCache& tables,
                          const VersionStorage& storage,
                          const MutableCFOptions& options,
                          const SizeQuery& query, uint64_t* bytes) {
  INVARIANT(bytes != nullptr);
  Overlap overlap(tables, query.range);
  for (int level = 0; level < storage.level_count(); ++level) {
    overlap.Note(level, storage.files(level), /*is_sorted=*/level > 0);
  }
  *bytes = overlap.whole_bytes();
  if (IsHalfNearEnough(overlap, query.error_margin)) {
    *bytes += overlap.cut_bytes() / 2;
    return Status::OK();
  }
  for (const Overlap::CutFile& cut : overlap.cut()) {
    uint64_t part = 0;
    Status s = tables.ApproximateBytes(*cut.file, cut.level, options,
                                       query.range, &part);
    if (!s.ok()) return s;
    assert(part <= cut.file->size_bytes);
    *bytes += part;
  }
  return Status::OK();
}

uint64_t CoveredTableBytes(const TableCache& tables,
                           const VersionStorage& storage,
                           const MutableCFOptions& options,
                           const CoveredQuery& query) {
  constexpr size_t kMostCut = 100;
  const InternalKeyComparator& order = storage.order();
  if (order.timestamp_size() != 0) return 0;
  const std::vector<RangeTombstone>& all = query.tombstones;
  uint64_t bytes = 0;
  size_t cut_count = 0;
  for (size_t i = 0; i < all.size();) {
    // Neighbours, and tombstones of one range, cover what one would.
    const Slice begin = all[i].begin;
    Slice end = all[i].end;
    for (++i; i < all.size() && order.CompareUserKeys(all[i].begin, end) <= 0;
         ++i) {
      if (order.CompareUserKeys(all[i].end, end) > 0) end = all[i].end;
    }
    const InternalKey from(begin, kMaxSequenceNumber, kValueTypeForSeek);
    const InternalKey to(end, kMaxSequenceNumber, kValueTypeForSeek);
    const TableCache::KeyRange range{from.Encode(), to.Encode()};
    Overlap overlap(tables, range);
    for (int level = query.first_level; level < storage.level_count();
         ++level) {
      overlap.Note(level, storage.files(level), /*is_sorted=*/level > 0);
    }
    bytes += overlap.whole_bytes();
    for (const Overlap::CutFile& cut : overlap.cut()) {
      if (cut_count++ >= kMostCut) break;
      uint64_t part = 0;
      const Status s =
          tables.ApproximateBytes(*cut.file, cut.level, options, range, &part);
      if (s.ok()) bytes += part;
    }
  }
  return bytes;
}

uint64_t EstimateLiveTableBytes(const VersionStorage& storage) {
  const InternalKeyComparator& order = storage.order();
  const auto is_less = [&order](const Slice& a, const Slice& b) {
    return order.CompareUserKeys(a, b) < 0;
  };
  // Ranges that count, none overlapping: the largest key, and the smallest.
  std::map<Slice, Slice, decltype(is_less)> counted(is_less);
  uint64_t bytes = 0;
  const auto add = [&](const FileMeta& file) {
    const Slice smallest = file.smallest.user_key();
    const Slice largest = file.largest.user_key();
    const auto next = counted.lower_bound(smallest);
    if (next != counted.end() && !is_less(largest, next->second)) return;
    counted.emplace_hint(next, largest, smallest);
    bytes += file.size_bytes;
  };
  for (int level = storage.level_count() - 1; level > 0; --level) {
    for (const FileRef& file : storage.files(level)) add(*file);
  }
  // Level 0 is newest first.
  const std::vector<FileRef>& level0 = storage.level0();
  for (auto file = level0.rbegin(); file != level0.rend(); ++file) add(**file);
  return bytes;
}

}  // namespace ROCKSDB_NAMESPACE
