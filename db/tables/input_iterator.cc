#include "db/tables/input_iterator.h"

#include "db/tables/level_iterator.h"
#include "file/io_lane.h"
#include "util/invariant.h"
#include "util/key/merging_iterator.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool IsOutside(const InputIteratorRequest& request, const FileMeta& file) {
  const InternalKeyComparator& order = *request.order;
  if (request.end &&
      order.CompareUserKeys(file.smallest.user_key(), *request.end) >= 0) {
    return true;
  }
  return request.begin &&
         order.CompareUserKeys(file.largest.user_key(), *request.begin) < 0;
}

// Opens an iterator for each file of level 0 that reaches into the range.
Status OpenLevel0(const InputIteratorRequest& request,
                  const std::vector<FileRef>& files,
                  TableCache::IteratorRequest table,
                  std::vector<std::unique_ptr<InternalIterator>>* children) {
  INVARIANT(children != nullptr);
  for (const FileRef& file : files) {
    if (IsOutside(request, *file)) continue;
    table.file = file.get();
    std::unique_ptr<InternalIterator> child;
    Status s = request.tables->NewIterator(table, &child);
    if (!s.ok()) return s;
    INVARIANT(child != nullptr);
    children->push_back(std::move(child));
  }
  return Status::OK();
}

// In a sorted level the files that reach into the range are neighbours: one
// iterator reads them all.
std::unique_ptr<InternalIterator> OpenLevel(
    const InputIteratorRequest& request, const CompactionInputLevel& input,
    const TableCache::IteratorRequest& table) {
  INVARIANT(input.level > 0);
  INVARIANT(input.sorted.size() == input.files.size());
  const LevelFiles& files = input.sorted;
  size_t begin = 0;
  while (begin < files.size() && IsOutside(request, *files.at(begin))) ++begin;
  size_t end = begin;
  while (end < files.size() && !IsOutside(request, *files.at(end))) ++end;
  if (begin == end) return nullptr;
  LevelIteratorRequest level;
  level.files = &files;
  level.tables = request.tables;
  level.table = table;
  level.order = request.order;
  level.begin_index = begin;
  level.end_index = end;
  return NewLevelIterator(level);
}

}  // namespace

Status MakeInputIterator(const InputIteratorRequest& request,
                         std::unique_ptr<InternalIterator>* result) {
  INVARIANT(result != nullptr);
  INVARIANT(request.inputs != nullptr && request.tables != nullptr);
  INVARIANT(request.read_options != nullptr && request.order != nullptr);
  std::vector<std::unique_ptr<InternalIterator>> children;
  TableCache::IteratorRequest table;
  table.mutable_cf = request.mutable_cf;
  table.table.read_options = request.read_options;
  table.table.skip_filters = true;
  table.bulk = &request.bulk;
  for (const CompactionInputLevel& input : *request.inputs) {
    table.level = input.level;
    if (input.level == 0) {
      Status s = OpenLevel0(request, input.files, table, &children);
      if (!s.ok()) return s;
      continue;
    }
    if (auto level = OpenLevel(request, input, table)) {
      children.push_back(std::move(level));
    }
  }
  *result = NewMergingIterator(request.order, std::move(children));
  return Status::OK();
}

BulkReadPolicy CompactionReadPolicy(const ImmutableDBOptions& db,
                                    const MutableDBOptions& mutable_db,
                                    const FileOptions& user_options) {
  INVARIANT(db.fs != nullptr);
  BulkReadPolicy policy;
  policy.file_options = db.fs->OptimizeForCompactionTableRead(
      user_options, ImmutableDBOptions(db, mutable_db));
  policy.open_ephemeral_reader =
      mutable_db.read_access != FileAccess::kBuffered && !db.use_direct_reads &&
      policy.spares_page_cache();
  if (!policy.open_ephemeral_reader && !db.use_direct_reads) {
    policy.file_options = user_options;
  }
  policy.readahead_bytes = mutable_db.compaction_readahead_size;
  policy.backend = BestReadBackend(db.fs);
  return policy;
}

}  // namespace ROCKSDB_NAMESPACE
