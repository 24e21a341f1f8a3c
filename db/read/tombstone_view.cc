#include "db/read/tombstone_view.h"

#include <algorithm>
#include <cassert>

#include "db/family/column_family.h"
#include "memtable/memtable.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

TombstoneView::TombstoneView(const SuperVersion& state,
                             const ReadOptions& options,
                             SequenceNumber snapshot)
    : state_(state),
      options_(options),
      limit_(snapshot,
             options.timestamp != nullptr ? *options.timestamp : Slice()) {
  INVARIANT(state.mem != nullptr);
  INVARIANT(state.imm != nullptr);
  INVARIANT(state.current != nullptr);
  INVARIANT(state.cfd != nullptr);
  assert(snapshot <= kMaxSequenceNumber);
}

void TombstoneView::AddRun(
    std::shared_ptr<const FragmentedTombstones> tombstones) {
  assert(tombstones != nullptr);
  if (tombstones->empty()) return;
  runs_.emplace_back(std::move(tombstones), limit_);
}

Status TombstoneView::Init(size_t newer_than) {
  INVARIANT(empty());
  if (options_.ignore_range_deletions) return Status::OK();
  size_t run = 0;
  const auto is_wanted = [&] { return run++ < newer_than; };
  if (is_wanted() && state_.mem->tombstones().IsAny()) {
    AddRun(state_.mem->tombstones().All());
  }
  for (const MemTableRef& mem : *state_.imm) {
    if (is_wanted() && mem->tombstones().IsAny()) {
      AddRun(mem->tombstones().All());
    }
  }
  if (options_.read_tier == kMemtableTier) return Status::OK();
  const VersionStorage& storage = state_.current->storage();
  for (const FileRef& file : storage.level0()) {
    if (!is_wanted() || !file->MayHaveTombstones()) continue;
    std::shared_ptr<const FragmentedTombstones> tombstones;
    Status s = state_.cfd->tables()->Tombstones(options_, *file, 0,
                                                *state_.options, &tombstones);
    if (!s.ok()) return s;
    AddRun(std::move(tombstones));
  }
  for (int level = 1; level < storage.level_count(); ++level) {
    if (!is_wanted()) break;
    const std::vector<FileRef>& files = storage.files(level);
    const bool any = std::any_of(
        files.begin(), files.end(),
        [](const FileRef& file) { return file->MayHaveTombstones(); });
    if (any) levels_.push_back({level, &storage.level(level), SIZE_MAX, {}});
  }
  return Status::OK();
}

template <class Ask>
Status TombstoneView::AskLevel(Level* level, const Slice& user_key,
                               const Ask& ask) {
  assert(level != nullptr);
  assert(level->level > 0);
  assert(level->files != nullptr);
  assert(level->cursor == nullptr || level->loaded < level->files->size());
  const InternalKeyComparator& order = state_.current->storage().order();
  // A tombstone may cover the key from the file before, whose largest key it
  // shares, or from the one after; in a file's bounds each speaks for itself.
  const InternalKey first = BeforeAllVersions(user_key, order.timestamp_size());
  size_t index = level->files->FirstEndingAtOrAfter(first.Encode());
  for (; index < level->files->size(); ++index) {
    const FileMeta& file = *level->files->at(index);
    if (order.CompareUserKeys(file.smallest.user_key(), user_key) > 0) break;
    if (!file.MayHaveTombstones()) continue;
    if (level->loaded != index) {
      std::shared_ptr<const FragmentedTombstones> tombstones;
      Status s = state_.cfd->tables()->Tombstones(options_, file, level->level,
                                                  *state_.options, &tombstones);
      if (!s.ok()) return s;
      level->cursor.reset();
      if (!tombstones->empty()) {
        level->cursor =
            std::make_unique<TombstoneCursor>(std::move(tombstones), limit_);
      }
      level->loaded = index;
    }
    if (level->cursor != nullptr) ask(level->cursor.get());
  }
  return Status::OK();
}

template <class Ask>
Status TombstoneView::AskAll(const Slice& user_key, const Ask& ask) {
  for (TombstoneCursor& run : runs_) ask(&run);
  for (Level& level : levels_) {
    if (Status s = AskLevel(&level, user_key, ask); !s.ok()) return s;
  }
  return Status::OK();
}

Status TombstoneView::IsDeleted(const Slice& user_key, SequenceNumber sequence,
                                bool* deleted) {
  assert(deleted != nullptr);
  SequenceNumber newest = 0;
  Status s = AskAll(user_key, [&](TombstoneCursor* cursor) {
    newest = std::max(newest, cursor->MaxCovering(user_key));
  });
  if (!s.ok()) return s;
  assert(newest <= limit_.sequence);
  *deleted = newest > sequence;
  return s;
}

Status TombstoneView::FindCover(const Slice& user_key, SequenceNumber sequence,
                                Cover* cover) {
  assert(cover != nullptr);
  const InternalKeyComparator& order = state_.cfd->order();
  *cover = Cover();
  const auto ask = [&](TombstoneCursor* cursor) {
    const SequenceNumber newest = cursor->MaxCovering(user_key);
    if (newest <= sequence) return;
    cover->newest = std::max(cover->newest, newest);
    const std::optional<Slice> last = cursor->AnswerEnd();
    const std::optional<Slice> first = cursor->AnswerBegin();
    if (last.has_value() && (!cover->end.has_value() ||
                             order.CompareUserKeys(*last, *cover->end) > 0)) {
      cover_end_.assign(last->data(), last->size());
      cover->end = cover_end_;
    }
    if (first.has_value() &&
        (!cover->begin.has_value() ||
         order.CompareUserKeys(*first, *cover->begin) < 0)) {
      cover_begin_.assign(first->data(), first->size());
      cover->begin = cover_begin_;
    }
  };
  return AskAll(user_key, ask);
}

}  // namespace ROCKSDB_NAMESPACE
