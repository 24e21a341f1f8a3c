#include "db/ingest/gap_survey.h"

#include <algorithm>

#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::vector<FileRef> FilesAround(const VersionStorage& storage, int level,
                                 const KeySpan& span) {
  const VersionStorage::KeyRange range{&span.begin, &span.end};
  return storage.Overlapping(level, range, VersionStorage::Level0Growth::kNone);
}

// Does an end of the file's range lie within the span? There is a key then, or
// a range tombstone, whose end is not deleted itself.
bool EndsWithin(const InternalKeyComparator& order, const FileMeta& file,
                const KeySpan& span) {
  return order.CompareUserKeys(file.smallest.user_key(), span.begin) >= 0 ||
         (order.CompareUserKeys(file.largest.user_key(), span.begin) > 0 &&
          order.CompareUserKeys(file.largest.user_key(), span.end) <= 0);
}

}  // namespace

void GapSurvey::Look(const VersionStorage& storage,
                     const MutableCFOptions& options,
                     const std::vector<KeySpan>& files) {
  for (size_t i = 0; i < files.size(); ++i) {
    bool is_found = false;
    for (int level = 0; level < storage.level_count() && !is_found; ++level) {
      for (const FileRef& file : FilesAround(storage, level, files[i])) {
        const auto [entry, is_new] = holds_keys_.try_emplace(
            {file->number, i}, EndsWithin(storage.order(), *file, files[i]));
        if (is_new && !entry->second) {
          const Table table{storage.order(), options, *file, level};
          const Status s = LookInto(table, files[i], &entry->second);
          if (!s.ok()) entry->second = true;
        }
        // Nothing below matters.
        is_found = entry->second;
        if (is_found) break;
      }
    }
  }
}

bool GapSurvey::HoldsKeys(const VersionStorage& storage, int level,
                          size_t index, const KeySpan& span) const {
  const std::vector<FileRef> around = FilesAround(storage, level, span);
  return std::any_of(around.begin(), around.end(), [&](const FileRef& file) {
    const auto found = holds_keys_.find({file->number, index});
    return found == holds_keys_.end() || found->second;
  });
}

Status GapSurvey::LookInto(const Table& table, const KeySpan& span,
                           bool* holds_keys) const {
  INVARIANT(holds_keys != nullptr && tables_ != nullptr);
  ReadOptions read;
  read.fill_cache = fill_cache_;
  read.total_order_seek = true;
  std::shared_ptr<const TableReader> reader;
  Status s =
      tables_->Find(read, table.file, table.level, table.options, &reader);
  if (!s.ok()) return s;
  const InternalKeyComparator& order = table.order;
  const FragmentedTombstones& tombstones = *reader->range_tombstones();
  const size_t at = tombstones.FirstEndingAfter(span.begin);
  if (at < tombstones.size() &&
      order.CompareUserKeys(tombstones.at(at).begin, span.end) <= 0) {
    *holds_keys = true;
    return s;
  }
  TableIteratorOptions cursor;
  cursor.read_options = &read;
  cursor.skip_filters = true;
  const std::unique_ptr<InternalIterator> entries = reader->NewIterator(cursor);
  const InternalKey begin =
      BeforeAllVersions(span.begin, order.timestamp_size());
  entries->Seek(begin.Encode());
  *holds_keys =
      entries->Valid() &&
      order.CompareUserKeys(ExtractUserKey(entries->key()), span.end) <= 0;
  return entries->status();
}

}  // namespace ROCKSDB_NAMESPACE
