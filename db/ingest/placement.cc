#include "db/ingest/placement.h"

#include <algorithm>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class Placer {
 public:
  explicit Placer(const PlacementRequest& request)
      : request_(request),
        storage_(*request.storage),
        options_(*request.options),
        placed_(static_cast<size_t>(storage_.level_count())) {
    INVARIANT(storage_.level_count() >= 1);
    INVARIANT(request_.is_busy != nullptr);
    INVARIANT(request_.holds_keys != nullptr);
  }

  Status PlaceAll(std::vector<Placement>* result) {
    INVARIANT(result != nullptr);
    const bool overlap = AnyOverlap(request_.files, storage_.order());
    if (overlap && options_.ingest_behind) {
      return Status::NotSupported(
          "Files with overlapping ranges cannot be ingested with ingestion "
          "behind mode.");
    }
    if (overlap && HasTimestamps()) return RefuseOverlap();
    SequenceNumber next = request_.last_sequence + 1;
    std::vector<Placement> placements;
    for (size_t i = 0; i < request_.files.size(); ++i) {
      const KeySpan& file = request_.files[i];
      INVARIANT(storage_.order().CompareUserKeys(file.begin, file.end) <= 0);
      Placement placement;
      bool needs_number = overlap;
      Status s = options_.ingest_behind
                     ? PlaceBehind(file, &placement)
                     : PlaceAbove(i, &placement, &needs_number);
      if (s.ok() && needs_number) s = CheckNumberAllowed(options_);
      if (!s.ok()) return s;
      if (needs_number) placement.sequence = overlap ? next++ : next;
      placed_[static_cast<size_t>(placement.level)].push_back(file);
      placements.push_back(placement);
    }
    *result = std::move(placements);
    return Status::OK();
  }

 private:
  // The versions of a key ascend in sequence as they do in timestamp, which
  // nobody could promise of a file.
  bool HasTimestamps() const { return storage_.order().timestamp_size() != 0; }
  static Status RefuseOverlap() {
    return Status::InvalidArgument(
        "the column family has user-defined timestamps: the keys of the file "
        "must not overlap others, whatever their timestamps");
  }

  bool OverlapsTables(int level, const KeySpan& file) const {
    return storage_.HasOverlap(level, file.begin, file.end);
  }
  bool OverlapsPlaced(int level, const KeySpan& file) const {
    const InternalKeyComparator& order = storage_.order();
    const std::vector<KeySpan>& earlier = placed_[static_cast<size_t>(level)];
    return std::any_of(
        earlier.begin(), earlier.end(), [&](const KeySpan& other) {
          return order.CompareUserKeys(file.begin, other.end) <= 0 &&
                 order.CompareUserKeys(other.begin, file.end) <= 0;
        });
  }

  int LastLevel() const {
    if (request_.only_level0) return 0;
    const int last = storage_.level_count() - 1;
    return request_.reserves_last_level ? std::max(0, last - 1) : last;
  }

  // Levels between level 0 and the base level stay empty.
  bool IsInUse(int level) const {
    return level == 0 || level >= storage_.base_level();
  }

  Status PlaceAbove(size_t index, Placement* placement,
                    bool* needs_number) const {
    const KeySpan& file = request_.files[index];
    bool has_overlap = false;
    int target = 0;
    for (int level = 0; level <= storage_.level_count() - 1; ++level) {
      const bool is_between = OverlapsTables(level, file);
      has_overlap = OverlapsPlaced(level, file) ||
                    (is_between && request_.holds_keys(level, index));
      if (has_overlap) break;
      if (level == 0 || (!is_between && level <= LastLevel() &&
                         IsInUse(level) && !request_.is_busy(level, file))) {
        target = level;
      }
    }
    placement->level = target;
    INVARIANT(target <= LastLevel());
    // Without a number of its own the file would be seen by older snapshots.
    const bool hides_from_snapshots =
        options_.snapshot_consistency && request_.has_snapshots;
    *needs_number = *needs_number || has_overlap || hides_from_snapshots;
    if (has_overlap && HasTimestamps()) return RefuseOverlap();
    if (options_.fail_if_not_bottommost_level && target != LastLevel()) {
      return Status::TryAgain(
          "Files cannot be ingested to Lmax. Please make sure key range of "
          "Lmax "
          "does not overlap with files to ingest.",
          "the file fits into level " + std::to_string(target));
    }
    return Status::OK();
  }

  Status PlaceBehind(const KeySpan& file, Placement* placement) const {
    const int last = storage_.level_count() - 1;
    INVARIANT(request_.reserves_last_level);
    if (OverlapsTables(last, file) || OverlapsPlaced(last, file) ||
        request_.is_busy(last, file)) {
      return Status::InvalidArgument(
          "Can't ingest_behind file as it doesn't fit at the bottommost "
          "level!");
    }
    // An entry with sequence 0 above would be as old as those of the file.
    for (int level = 0; level < last; ++level) {
      for (const FileRef& above : storage_.files(level)) {
        if (above->smallest_sequence > 0) continue;
        return Status::InvalidArgument("Can't ingest_behind file: table " +
                                       std::to_string(above->number) +
                                       " has entries of sequence 0");
      }
    }
    placement->level = last;
    return Status::OK();
  }

  const PlacementRequest& request_;
  const VersionStorage& storage_;
  const IngestExternalFileOptions& options_;
  std::vector<std::vector<KeySpan>> placed_;  // this request's files, by level
};

}  // namespace

Status CheckNumberAllowed(const IngestExternalFileOptions& options) {
  if (!options.allow_global_seqno) {
    return Status::InvalidArgument(
        "Global seqno is required, but disabled: allow_global_seqno");
  }
  if (options.allow_db_generated_files) {
    return Status::InvalidArgument(
        "allow_db_generated_files: the file overlaps others, or older "
        "snapshots would see it, and its entries have numbers of their own");
  }
  return Status::OK();
}

bool AnyOverlap(const std::vector<KeySpan>& files,
                const InternalKeyComparator& order) {
  std::vector<const KeySpan*> sorted;
  for (const KeySpan& file : files) sorted.push_back(&file);
  std::sort(sorted.begin(), sorted.end(),
            [&](const KeySpan* a, const KeySpan* b) {
              return order.CompareUserKeys(a->begin, b->begin) < 0;
            });
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (order.CompareUserKeys(sorted[i - 1]->end, sorted[i]->begin) >= 0) {
      return true;
    }
  }
  return false;
}

Status PlaceFiles(const PlacementRequest& request,
                  std::vector<Placement>* result) {
  INVARIANT(request.storage != nullptr && request.options != nullptr);
  INVARIANT(!request.files.empty());
  return Placer(request).PlaceAll(result);
}

}  // namespace ROCKSDB_NAMESPACE
