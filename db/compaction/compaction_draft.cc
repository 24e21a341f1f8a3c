#include "db/compaction/compaction_draft.h"

#include <algorithm>

#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool SharesUserKey(const InternalKeyComparator& order, const FileMeta& left,
                   const FileMeta& right) {
  // A sentinel ends before its user key, which then belongs to `right` alone.
  return !left.largest.IsTombstoneSentinel() &&
         order.EqualUserKeys(left.largest.user_key(),
                             right.smallest.user_key());
}

uint64_t BytesOf(const std::vector<FileRef>& files) {
  uint64_t bytes = 0;
  for (const FileRef& file : files) bytes += file->size_bytes;
  return bytes;
}

bool AnyBusy(const std::vector<FileRef>& files) {
  return std::any_of(files.begin(), files.end(),
                     [](const FileRef& f) { return f->being_compacted; });
}

}  // namespace

FileSpan OverlapSpan(const VersionStorage& storage, int level,
                     const VersionStorage::KeyRange& range) {
  assert(level >= 1);
  const LevelFiles& files = storage.level(level);
  const InternalKeyComparator& order = storage.order();
  FileSpan span;
  if (range.begin != nullptr) {
    // A sentinel at `begin` sorts at or before this key, any entry after it.
    const size_t timestamp_size = order.timestamp_size();
    const Slice given = WithoutTimestamp(*range.begin, timestamp_size);
    const InternalKey from(WithMaxTimestamp(given, timestamp_size),
                           kMaxSequenceNumber, kTypeRangeDeletion);
    span.first = files.FirstEndingAtOrAfter(from.Encode());
    if (span.first < files.size() &&
        files.at(span.first)->largest.IsTombstoneSentinel() &&
        order.EqualUserKeys(files.at(span.first)->largest.user_key(),
                            *range.begin)) {
      ++span.first;
    }
  }
  span.end = files.size();
  if (range.end != nullptr) {
    const auto after = std::upper_bound(
        files.files().begin(), files.files().end(), *range.end,
        [&order](const Slice& end, const FileRef& file) {
          return order.CompareUserKeys(end, file->smallest.user_key()) < 0;
        });
    span.end = static_cast<size_t>(after - files.files().begin());
  }
  if (span.end < span.first) span.end = span.first;
  return span;
}

FileSpan CleanCut(const VersionStorage& storage, int level, FileSpan span) {
  assert(level >= 1);
  if (span.empty()) return span;
  const LevelFiles& files = storage.level(level);
  INVARIANT(span.end <= files.size());
  const InternalKeyComparator& order = storage.order();
  while (span.first > 0 && SharesUserKey(order, *files.at(span.first - 1),
                                         *files.at(span.first))) {
    --span.first;
  }
  while (span.end < files.size() &&
         SharesUserKey(order, *files.at(span.end - 1), *files.at(span.end))) {
    ++span.end;
  }
  return span;
}

uint64_t CompensatedSizes::ValueBytes() {
  if (value_bytes_) return *value_bytes_;
  uint64_t values = 0;
  uint64_t value_bytes = 0;
  uint64_t raw_bytes = 0;
  uint64_t file_bytes = 0;
  for (int level = 0; level < storage_.level_count(); ++level) {
    for (const FileRef& file : storage_.files(level)) {
      const uint64_t entries = file->entry_count.load();
      if (entries == 0) continue;  // Its figures are not known.
      values += entries - std::min(entries, file->deletion_count.load());
      value_bytes += file->raw_value_bytes.load();
      raw_bytes += file->raw_key_bytes.load() + file->raw_value_bytes.load();
      file_bytes += file->size_bytes;
    }
  }
  value_bytes_ = 0;
  if (values > 0 && raw_bytes > 0) {
    value_bytes_ = static_cast<uint64_t>(
        static_cast<double>(value_bytes) / static_cast<double>(values) *
        static_cast<double>(file_bytes) / static_cast<double>(raw_bytes));
  }
  return *value_bytes_;
}

uint64_t CompensatedSizes::BytesOf(const FileMeta& file) {
  const uint64_t bytes =
      file.size_bytes + file.compensated_range_deletion_bytes;
  const uint64_t entries = file.entry_count.load();
  const uint64_t all = std::min(entries, file.deletion_count.load());
  // What ranges delete is counted above.
  const uint64_t of_keys =
      all - std::min(all, file.range_deletion_count.load());
  // Until deletions are the larger half they delete no more than the file
  // itself holds.
  if (of_keys * 2 <= entries) return bytes;
  return bytes + (of_keys * 2 - entries) * ValueBytes() * 2;
}

CompactionDraft::CompactionDraft(const CompactionPicker::Input& input,
                                 int start_level, int output_level)
    : input_(input),
      storage_(input.version->storage()),
      start_level_(start_level),
      output_level_(output_level),
      files_(static_cast<size_t>(output_level - start_level) + 1),
      demanded_(files_.size()) {
  INVARIANT(start_level >= 0 && start_level <= output_level);
  INVARIANT(output_level < storage_.level_count());
  INVARIANT(input.cf != nullptr && input.options != nullptr);
}

void CompactionDraft::SetLevel0(std::vector<FileRef> newest_first) {
  INVARIANT(start_level_ == 0);
  files_[0] = std::move(newest_first);
}

void CompactionDraft::SetSpan(FileSpan span) {
  INVARIANT(start_level_ >= 1);
  span_ = CleanCut(storage_, start_level_, span);
  files_[0] = SpanFiles(start_level_, span_);
}

void CompactionDraft::Demand(int level, const FileSpan& span) {
  INVARIANT(level > start_level_ && level <= output_level_);
  demanded_[level - start_level_] = span;
}

std::vector<FileRef> CompactionDraft::SpanFiles(int level,
                                                const FileSpan& span) const {
  const std::vector<FileRef>& all = storage_.files(level);
  INVARIANT(span.end <= all.size());
  if (span.empty()) return {};
  return std::vector<FileRef>(all.begin() + span.first, all.begin() + span.end);
}

CompactionDraft::Bounds CompactionDraft::BoundsOf(
    const std::vector<std::vector<FileRef>>& levels) const {
  const InternalKeyComparator& order = storage_.order();
  Bounds bounds;
  bool is_first = true;
  for (const auto& files : levels) {
    for (const FileRef& file : files) {
      const Slice low = file->smallest.user_key();
      const Slice high = file->largest.user_key();
      if (is_first || order.CompareUserKeys(low, bounds.begin) < 0) {
        bounds.begin = low;
      }
      if (is_first || order.CompareUserKeys(high, bounds.end) > 0) {
        bounds.end = high;
      }
      is_first = false;
    }
  }
  INVARIANT(!is_first);
  return bounds;
}

// `start` and, for each level below it down to the output level, the files
// that hold keys of the range so far: whatever is in them is older than what
// moves down past them.
std::vector<std::vector<FileRef>> CompactionDraft::LowerLevels(
    const std::vector<FileRef>& start) const {
  std::vector<std::vector<FileRef>> levels{start};
  for (int level = start_level_ + 1; level <= output_level_; ++level) {
    const Bounds bounds = BoundsOf(levels);
    FileSpan span = OverlapSpan(storage_, level, bounds.range());
    const FileSpan& demanded = demanded_[levels.size()];
    if (!demanded.empty()) {
      // Those in between, too, though nothing overlaps them: an output may
      // reach from the one to the other.
      span = {std::min(span.first, demanded.first),
              std::max(span.end, demanded.end)};
    }
    levels.push_back(SpanFiles(level, CleanCut(storage_, level, span)));
  }
  return levels;
}

void CompactionDraft::AddLowerLevels() { files_ = LowerLevels(files_[0]); }

std::vector<FileRef> CompactionDraft::WiderStart(const Bounds& bounds) const {
  if (start_level_ == 0) {
    return storage_.Overlapping(0, bounds.range(),
                                VersionStorage::Level0Growth::kTransitive);
  }
  return SpanFiles(start_level_, CleanCut(storage_, start_level_,
                                          OverlapSpan(storage_, start_level_,
                                                      bounds.range())));
}

void CompactionDraft::GrowStartLevel() {
  if (output_level_ == start_level_ || !HasOutputLevelFiles()) return;
  const std::vector<FileRef> wider = WiderStart(BoundsOf(files_));
  assert(wider.size() >= files_[0].size());
  if (wider.size() <= files_[0].size() || AnyBusy(wider)) return;
  std::vector<std::vector<FileRef>> levels = LowerLevels(wider);
  uint64_t bytes = 0;
  for (size_t i = 0; i < levels.size(); ++i) {
    if (i > 0 && levels[i].size() != files_[i].size()) return;
    bytes += BytesOf(levels[i]);
  }
  if (bytes > input_.options->MaxCompactionBytes()) return;
  files_ = std::move(levels);
}

bool CompactionDraft::IsBusy() const {
  return std::any_of(files_.begin(), files_.end(), AnyBusy);
}

uint64_t CompactionDraft::Bytes() const {
  uint64_t bytes = 0;
  for (const auto& files : files_) bytes += BytesOf(files);
  return bytes;
}

uint64_t CompactionDraft::StartBytes() const { return BytesOf(files_[0]); }

size_t CompactionDraft::StartFileCount() const { return files_[0].size(); }

bool CompactionDraft::HasOutputLevelFiles() const {
  return std::any_of(files_.begin() + 1, files_.end(),
                     [](const auto& files) { return !files.empty(); });
}

void CompactionDraft::FindGrandparents(const Bounds& bounds,
                                       Compaction* compaction) const {
  INVARIANT(compaction != nullptr);
  for (int level = output_level_ + 1; level < storage_.level_count(); ++level) {
    if (level == 0) continue;
    const FileSpan span = OverlapSpan(storage_, level, bounds.range());
    if (span.empty()) continue;
    compaction->grandparents = SpanFiles(level, span);
    return;
  }
}

void CompactionDraft::ChooseCodec(Compaction* compaction) const {
  INVARIANT(compaction != nullptr);
  compaction->compression = input_.options->CompressionForLevel(
      output_level_, storage_.base_level(), compaction->is_bottommost);
  compaction->compression_options =
      input_.options->CompressionOptionsForLevel(compaction->is_bottommost);
}

// The files may simply change their level: they overlap nothing there, would
// be written the same way, and do not overlap so much of the level below that
// moving them on would cost more than rewriting them now.
bool CompactionDraft::IsTrivialMove(const Compaction& c) const {
  if (output_level_ == start_level_ || HasOutputLevelFiles()) return false;
  const CompressionType now = input_.options->CompressionForLevel(
      start_level_, storage_.base_level(), /*is_bottommost=*/false);
  if (now != c.compression) return false;
  const Temperature required = input_.options->RequiredTemperature(
      output_level_, storage_.level_count());
  const InternalKeyComparator& order = storage_.order();
  const std::vector<FileRef>& files = c.inputs.front().files;
  for (const FileRef& file : files) {
    if (file->path_id != c.output_path_id) return false;
    if (required != Temperature::kUnknown && file->temperature != required) {
      return false;
    }
    uint64_t overlap = 0;
    for (const FileRef& below : c.grandparents) {
      const bool is_apart =
          order.CompareUserKeys(below->largest.user_key(),
                                file->smallest.user_key()) < 0 ||
          order.CompareUserKeys(file->largest.user_key(),
                                below->smallest.user_key()) < 0;
      if (!is_apart) overlap += below->size_bytes;
    }
    if (overlap > c.max_grandparent_overlap_bytes) return false;
  }
  if (start_level_ > 0) return true;
  // Files of level 0 may only move together if they do not overlap.
  for (size_t i = 0; i < files.size(); ++i) {
    for (size_t j = i + 1; j < files.size(); ++j) {
      const bool is_apart =
          order.CompareUserKeys(files[i]->largest.user_key(),
                                files[j]->smallest.user_key()) < 0 ||
          order.CompareUserKeys(files[j]->largest.user_key(),
                                files[i]->smallest.user_key()) < 0;
      if (!is_apart) return false;
    }
  }
  return true;
}

std::unique_ptr<Compaction> CompactionDraft::Finish(
    CompactionReason reason) const {
  INVARIANT(!files_[0].empty());
  const MutableCFOptions& options = *input_.options;
  const Bounds bounds = BoundsOf(files_);
  auto c = std::make_unique<Compaction>();
  c->version = input_.version;
  c->options = input_.options;
  c->output_level = output_level_;
  c->reason = reason;
  c->output_path_id = OutputPathId(*input_.cf, options, output_level_);
  c->output_temperature =
      options.WriteTemperature(output_level_, storage_.level_count());
  for (size_t i = 0; i < files_.size(); ++i) {
    if (files_[i].empty()) continue;
    CompactionInputLevel level;
    level.level = start_level_ + static_cast<int>(i);
    level.files = files_[i];
    if (level.level > 0) {
      const Status s =
          LevelFiles::Build(level.files, storage_.order(),
                            /*check_consistency=*/false, &level.sorted);
      INVARIANT(s.ok());
    }
    c->inputs.push_back(std::move(level));
  }
  INVARIANT(c->start_level() == start_level_);
  const FileMeta* oldest_level0 =
      start_level_ == 0 ? files_[0].back().get() : nullptr;
  // What is ingested behind will lie below.
  c->is_bottommost = !input_.cf->cf_allow_ingest_behind &&
                     storage_.IsBottommostFor(output_level_, bounds.begin,
                                              bounds.end, oldest_level0);
  FindGrandparents(bounds, c.get());
  // One file of level 0, whatever its size: a second would be one more run.
  c->max_output_file_bytes =
      output_level_ == 0 ? UINT64_MAX
                         : options.MaxFileSizeForLevel(
                               output_level_, input_.cf->compaction_style);
  c->max_grandparent_overlap_bytes = options.MaxCompactionBytes();
  c->max_subcompactions =
      output_level_ == 0 ? 1 : std::max(1u, input_.max_subcompactions);
  ChooseCodec(c.get());
  // What is rewritten for its blobs must not just move.
  c->is_trivial_move =
      reason != CompactionReason::kForcedBlobGC && IsTrivialMove(*c);
  // Users are not called under a lock.
  c->asks_for_move = input_.cf->sst_partitioner_factory != nullptr;
  c->OverrideBlobCollection(BlobGarbageCollectionPolicy::kUseDefault, -1);
  c->zeroes_up_to = input_.zeroes_up_to;
  PlaceYoung(c.get());
  return c;
}

bool IsYoungLevel(const CompactionPicker::Input& input, int level) {
  const int last = input.version->storage().level_count() - 1;
  return input.last_level_up_to != kMaxSequenceNumber && level >= 1 &&
         level == last - 1;
}

bool HoldsEnoughOldData(const CompactionPicker::Input& input,
                        const std::vector<FileRef>& files) {
  const SequenceNumber old = input.last_level_up_to;
  double all_bytes = 0;
  double old_bytes = 0;
  for (const FileRef& file : files) {
    const auto bytes = static_cast<double>(file->size_bytes);
    all_bytes += bytes;
    if (file->largest_sequence <= old) {
      old_bytes += bytes;
    } else if (file->smallest_sequence <= old) {
      const SequenceNumber first = file->smallest_sequence;
      old_bytes += bytes * static_cast<double>(old - first + 1) /
                   static_cast<double>(file->largest_sequence - first + 1);
    }
  }
  return old_bytes * 2 >= all_bytes;
}

// What is young comes from files above the last level alone, and these take
// part with all files of the level between them: none of its other files lies
// within their range, so the outputs fit there. A range tombstone goes with the
// entries of its age, and covers only older ones, which are no higher.
void CompactionDraft::PlaceYoung(Compaction* c) const {
  INVARIANT(c != nullptr);
  const int last = storage_.level_count() - 1;
  const int young_level = last - 1;
  if (output_level_ != last || start_level_ == last) return;
  if (!IsYoungLevel(input_, young_level)) return;
  SequenceNumber after = input_.last_level_up_to;
  SequenceNumber newest = 0;
  for (const CompactionInputLevel& level : c->inputs) {
    for (const FileRef& file : level.files) {
      SequenceNumber* const bound = level.level == last ? &after : &newest;
      *bound = std::max(*bound, file->largest_sequence);
    }
  }
  if (newest <= after) return;  // All of it may go down.
  const MutableCFOptions& options = *input_.options;
  YoungOutput& young = c->young;
  young.level = young_level;
  young.after = after;
  young.path_id = OutputPathId(*input_.cf, options, young_level);
  young.max_file_bytes =
      options.MaxFileSizeForLevel(young_level, input_.cf->compaction_style);
  young.compression = options.CompressionForLevel(
      young_level, storage_.base_level(), /*is_bottommost=*/false);
  young.compression_options =
      options.CompressionOptionsForLevel(/*is_bottommost=*/false);
  young.temperature =
      options.WriteTemperature(young_level, storage_.level_count());
  c->is_trivial_move = false;
  // What stays above needs its sequences in any case.
  c->zeroes_up_to = std::min(c->zeroes_up_to, young.after);
}

uint32_t OutputPathId(const ImmutableCFOptions& cf,
                      const MutableCFOptions& options, int level) {
  const std::vector<DbPath>& paths = cf.cf_paths;
  if (paths.size() <= 1) return 0;
  // What the tree holds down to `level` when it is full, and the same of the
  // paths down to each.
  double tree = 0;
  auto size = static_cast<double>(options.max_bytes_for_level_base);
  for (int i = 0; i <= level; ++i) {
    tree += size;
    if (i > 0) {
      size *= options.max_bytes_for_level_multiplier *
              options.MaxBytesMultiplierAdditional(i);
    }
  }
  double room = 0;
  for (uint32_t id = 0; id + 1 < paths.size(); ++id) {
    room += static_cast<double>(paths[id].target_size);
    if (tree <= room) return id;
  }
  return static_cast<uint32_t>(paths.size() - 1);
}

}  // namespace ROCKSDB_NAMESPACE
