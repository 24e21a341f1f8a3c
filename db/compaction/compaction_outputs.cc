#include "db/compaction/compaction_outputs.h"

#include <algorithm>

#include "db/compaction/compaction_progress.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A device takes a few syncs together as fast as one; more would only keep
// files open.
constexpr size_t kMostSealed = 3;
static_assert(kMostSealed > 0, "else nothing overlaps with a sync");

}  // namespace

CompactionOutputs::CompactionOutputs(Context context)
    : context_(std::move(context)),
      order_(context_.compaction->version->storage().order()),
      is_upper_bound_(
          context_.compaction->options->target_file_size_is_upper_bound) {
  INVARIANT(context_.stripes != nullptr && context_.older != nullptr);
  INVARIANT(context_.max_file_bytes > 0);
  INVARIANT(context_.grandparents != nullptr);
  INVARIANT(context_.compaction->WritesTo(context_.file.level));
  if (context_.range.lower) lower_ = context_.range.lower->ToString();
}

// Moves on to the grandparents that `user_key` has reached; true if it has left
// one behind.
bool CompactionOutputs::PassGrandparents(const Slice& user_key) {
  bool crossed = false;
  while (grandparent_ < grandparents().size() &&
         order_.CompareUserKeys(
             grandparents()[grandparent_]->largest.user_key(), user_key) < 0) {
    grandparent_overlap_ += grandparents()[grandparent_]->size_bytes;
    ++grandparent_;
    crossed = true;
  }
  return crossed;
}

bool CompactionOutputs::MustPartition(const Slice& key) {
  INVARIANT(context_.partitioner != nullptr);
  INVARIANT(current_ != nullptr);
  const Slice last(last_user_key_);
  const Slice next = ExtractUserKey(key);
  const PartitionerRequest request(last, next, current_->EstimatedBytes());
  return context_.partitioner->ShouldPartition(request) == kRequired;
}

bool CompactionOutputs::IsFull(bool crossed_grandparent) {
  // Closing a file that failed brings its error to light.
  if (!current_->status().ok()) return true;
  const Compaction& c = *context_.compaction;
  const uint64_t bytes = current_->EstimatedBytes();
  const uint64_t most = context_.max_file_bytes;
  if (bytes >= most) return true;
  if (!crossed_grandparent || context_.file.level == 0) return false;
  if (grandparent_overlap_ > c.max_grandparent_overlap_bytes) return true;
  // Nearly full: a cut here makes the next compaction of either file touch one
  // grandparent less.
  return bytes >= most - most / 4;
}

// Would the file be too large with `entry_bytes` more, and what may be added
// before the next look? A limit that metadata alone would fill is not kept:
// every entry would be a file.
bool CompactionOutputs::WouldPassBound(uint64_t entry_bytes) const {
  INVARIANT(is_upper_bound_);
  const uint64_t most = context_.max_file_bytes;
  const uint64_t rest =
      std::min(current_->EstimatedTailBytes() + kBytesPerLook, most / 2);
  return current_->EstimatedBytes() + entry_bytes > most - rest;
}

Status CompactionOutputs::OpenFile(const Slice& key) {
  INVARIANT(current_ == nullptr);
  PassGrandparents(ExtractUserKey(key));
  grandparent_overlap_ = 0;
  bytes_since_look_ = 0;
  return TableOutput::Open(context_.file, &current_);
}

// Ends the current file before the user key `border`; nullopt: at the end of
// the range.
Status CompactionOutputs::Close(const std::optional<Slice>& border) {
  std::vector<RangeTombstone> survivors;
  if (context_.tombstones != nullptr) {
    TombstoneRange range;
    range.full_history_ts_low = context_.range.full_history_ts_low;
    if (lower_) range.lower = *lower_;
    range.upper = border ? border : context_.range.upper;
    dropped_tombstones_ +=
        AppendSurvivors(*context_.tombstones, range, *context_.stripes,
                        context_.older, &survivors);
    std::erase_if(survivors, [this](const RangeTombstone& t) {
      return t.sequence < context_.first_tombstone ||
             t.sequence > context_.last_tombstone;
    });
  }
  if (current_ == nullptr && !survivors.empty()) {
    const Status s = TableOutput::Open(context_.file, &current_);
    if (!s.ok()) return s;
  }
  if (current_ != nullptr) {
    for (const RangeTombstone& t : survivors) current_->AddTombstone(t);
    sealed_.push_back(std::move(current_));
    sealed_.back()->Seal();
    if (sealed_.size() > kMostSealed) {
      if (Status s = JoinOldest(); !s.ok()) return s;
    }
  }
  if (border) lower_ = border->ToString();
  return Status::OK();
}

Status CompactionOutputs::JoinOldest() {
  INVARIANT(!sealed_.empty());
  const std::unique_ptr<TableOutput> done = std::move(sealed_.front());
  sealed_.pop_front();
  if (Status s = done->Join(); !s.ok()) return s;
  const FileMeta& made = *done->file();
  INVARIANT(files_.empty() ||
            order_.Compare(files_.back().meta->largest, made.smallest) < 0);
  assert(made.size_bytes > 0);
  if (context_.progress != nullptr) {
    std::optional<Slice> after = context_.range.lower;
    if (!files_.empty()) after = files_.back().meta->largest.user_key();
    context_.progress->Advance(after, made.largest.user_key(), made.size_bytes);
  }
  files_.push_back({done->file(), done->properties(), context_.file.level});
  return Status::OK();
}

Status CompactionOutputs::Finish() {
  Status s = Close(std::nullopt);
  while (s.ok() && !sealed_.empty()) s = JoinOldest();
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
