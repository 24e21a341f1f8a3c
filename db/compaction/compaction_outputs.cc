#include "db/compaction/compaction_outputs.h"

#include <algorithm>

#include "db/compaction/compaction_progress.h"
#include "db/family/column_family.h"
#include "db/version/size_estimate.h"
#include "options/compaction_styles.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A device takes a few syncs together as fast as one; more would only keep
// files open.
constexpr size_t kMostSealed = 3;
static_assert(kMostSealed > 0, "else nothing overlaps with a sync");

// Files of other sizes than what is asked for, to end at a border below. Found
// by simulating uniform overwrites: with smaller ones little more is saved.
constexpr uint64_t kMostOfTarget = 2;   // times
constexpr uint64_t kLeastOfTarget = 2;  // a half
constexpr uint64_t kLeastBetween = 4;   // a quarter, before a gap below
constexpr uint64_t kLeastMovable = 8;   // an eighth, if the file lies in one

// What a user bounds by name is not made larger, and only where levels have
// sizes do files go down one by one.
bool Aligns(const CompactionOutputs::Context& context) {
  const Compaction& c = *context.compaction;
  const CompactionStyle style =
      context.file.job->cfd->ioptions().compaction_style;
  return TraitsOf(style).sizes_levels &&
         !c.options->target_file_size_is_upper_bound &&
         context.file.level > 0 &&
         context.max_file_bytes ==
             c.options->MaxFileSizeForLevel(context.file.level, style);
}

}  // namespace

std::unique_ptr<SstPartitioner> NewPartitioner(const ImmutableCFOptions& cf,
                                               const Compaction& compaction) {
  const SstPartitionerFactory* factory = cf.sst_partitioner_factory.get();
  if (factory == nullptr || compaction.output_level == 0) return nullptr;
  INVARIANT(!compaction.inputs.empty());
  std::string smallest, largest;
  compaction.KeyRange(&smallest, &largest);
  SstPartitioner::Context context;
  context.is_full_compaction =
      compaction.InputFileCount() == compaction.version->storage().FileCount();
  context.is_manual_compaction = compaction.is_manual;
  context.output_level = compaction.output_level;
  context.smallest_user_key = smallest;
  context.largest_user_key = largest;
  return factory->CreatePartitioner(context);
}

CompactionOutputs::CompactionOutputs(Context context)
    : context_(std::move(context)),
      order_(context_.compaction->version->storage().order()),
      is_upper_bound_(
          context_.compaction->options->target_file_size_is_upper_bound),
      aligns_(Aligns(context_)) {
  INVARIANT(context_.stripes != nullptr && context_.older != nullptr);
  INVARIANT(context_.max_file_bytes > 0);
  INVARIANT(context_.grandparents != nullptr);
  INVARIANT(context_.compaction->WritesTo(context_.file.level));
  if (context_.range.lower) lower_ = context_.range.lower->ToString();
}

// Moves on to the first grandparent that does not end before `user_key`.
CompactionOutputs::Border CompactionOutputs::PassGrandparents(
    const Slice& user_key) {
  const std::vector<FileRef>& files = grandparents();
  const auto begins = [&] {
    const Slice smallest = files[grandparent_]->smallest.user_key();
    return order_.CompareUserKeys(smallest, user_key) <= 0;
  };
  if (is_between_ && (grandparent_ == files.size() || !begins())) {
    return Border::kNone;
  }
  Border border = is_between_ ? Border::kEnter : Border::kNone;
  while (grandparent_ < files.size() &&
         order_.CompareUserKeys(files[grandparent_]->largest.user_key(),
                                user_key) < 0) {
    grandparent_overlap_ += files[grandparent_]->size_bytes;
    ++grandparent_;
    ++border_count_;
    border = Border::kLeave;
  }
  if (border != Border::kNone) {
    is_between_ = grandparent_ == files.size() || !begins();
  }
  return border;
}

bool CompactionOutputs::MustPartition(const Slice& key) {
  INVARIANT(context_.partitioner != nullptr);
  INVARIANT(current_ != nullptr);
  const Slice last(last_user_key_);
  const Slice next = ExtractUserKey(key);
  const PartitionerRequest request(last, next, current_->EstimatedBytes());
  return context_.partitioner->ShouldPartition(request) == kRequired;
}

bool CompactionOutputs::IsFull(Border border) {
  // Closing a file that failed brings its error to light.
  if (!current_->status().ok()) return true;
  const uint64_t bytes = current_->EstimatedBytes();
  const uint64_t most = context_.max_file_bytes;
  const bool has_more = grandparent_ < grandparents().size();
  const uint64_t times = aligns_ && has_more ? kMostOfTarget : 1;
  if (bytes / times >= most) return true;
  if (border == Border::kNone || context_.file.level == 0) return false;
  if (grandparent_overlap_ >
      context_.compaction->max_grandparent_overlap_bytes) {
    return true;
  }
  const bool is_good = IsGoodBorder(border, bytes);
  // The file goes on in what it has come to.
  overlaps_ = overlaps_ || !is_between_;
  return is_good;
}

// A cut at a border makes the next compaction of either file touch one
// grandparent less.
bool CompactionOutputs::IsGoodBorder(Border border, uint64_t bytes) const {
  assert(border != Border::kNone);
  const uint64_t most = context_.max_file_bytes;
  // Without room to grow: once the file is nearly full.
  if (!aligns_) return border == Border::kLeave && bytes >= most - most / 4;
  if (!overlaps_ && border == Border::kEnter) {
    return bytes >= most / kLeastMovable;
  }
  if (is_between_) return bytes >= most / kLeastBetween;
  if (bytes < most / kLeastOfTarget) return false;
  // Is the next border, by the distance of those so far, farther from `most`?
  const uint64_t distance = bytes / std::max<uint64_t>(1, border_count_);
  return bytes + distance / 2 >= most;
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
  overlaps_ = !is_between_;
  border_count_ = 0;
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
    if (!survivors.empty()) {
      current_->NoteCoveredBytes(CoveredTableBytes(
          *context_.file.job->cfd->tables(),
          context_.compaction->version->storage(), *context_.file.options,
          {context_.file.level + 1, survivors}));
    }
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
  if (Status s = done->Join(); !s.ok()) {
    // Those behind a hole are of no use.
    sealed_.clear();
    return s;
  }
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

Status CompactionOutputs::FinishFull() {
  Status s;
  while (s.ok() && !sealed_.empty()) s = JoinOldest();
  return s;
}

Status CompactionOutputs::Finish() {
  const Status s = Close(std::nullopt);
  return s.ok() ? FinishFull() : s;
}

}  // namespace ROCKSDB_NAMESPACE
