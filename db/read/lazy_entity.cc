#include "db/read/lazy_entity.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "rocksdb/wide_columns.h"
#include "util/invariant.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Reads what is asked for of columns that `owner_of` finds the entity of.
Status ResolveAll(
    const std::function<const LazyEntity*(const LazyWideColumn*)>& owner_of,
    size_t count, LazyColumnReadRequest* reads) {
  if (count > 0 && reads == nullptr) {
    return Status::InvalidArgument("the requests are null");
  }
  std::vector<Status> statuses(count);
  std::shared_ptr<const LazyBlobs> blobs;  // one state for all of a call
  std::vector<WantedColumn> wanted;
  for (size_t i = 0; i < count; ++i) {
    const LazyEntity* const owner = owner_of(reads[i].column);
    if (owner == nullptr) {
      statuses[i] = Status::InvalidArgument("the column is of another entity");
      continue;
    }
    const size_t before = wanted.size();
    statuses[i] = owner->Begin(reads[i], &wanted);
    if (wanted.size() == before) continue;
    wanted.back().status = &statuses[i];
    INVARIANT(blobs == nullptr || blobs == owner->blobs());
    blobs = owner->blobs();
  }
  if (blobs != nullptr) blobs->Read(std::move(wanted));
  Status first;
  for (size_t i = 0; i < count; ++i) {
    if (first.ok()) first = statuses[i];
    if (reads[i].status != nullptr) *reads[i].status = std::move(statuses[i]);
  }
  return first;
}

}  // namespace

LazyEntity::Column::Column(size_t index, const Slice& name,
                           const Slice& value) {
  INVARIANT(value.data() != nullptr);
  index_ = index;
  name_ = name;
  inline_data_ = value.data();
  size_ = value.size();
}

LazyEntity::Column::Column(size_t index, const Slice& name,
                           const BlobIndex& blob)
    : blob_(blob) {
  index_ = index;
  name_ = name;
  if (blob.compression == kNoCompression) size_ = blob.size;
}

Status LazyEntity::Index(std::shared_ptr<const LazyBlobs> blobs) {
  assert(columns_.empty());
  INVARIANT((blobs != nullptr) == RefersToBlobs());
  blobs_ = std::move(blobs);
  if (stored_.type == kTypeWideColumnEntity) return IndexEntity();
  if (stored_.type == kTypeValue) {
    columns_.emplace_back(0, kDefaultWideColumnName, stored_.bytes);
    return Status::OK();
  }
  INVARIANT(stored_.type == kTypeBlobIndex);
  BlobIndex blob;
  Status s = blob.DecodeFrom(stored_.bytes);
  if (s.ok()) columns_.emplace_back(0, kDefaultWideColumnName, blob);
  return s;
}

Status LazyEntity::IndexEntity() {
  StoredColumns stored;
  Status s = DecodeStoredColumns(stored_.bytes, &stored);
  if (!s.ok()) return s;
  assert(stored.columns.size() == stored.is_reference.size());
  columns_.reserve(stored.columns.size());
  for (size_t i = 0; i < stored.columns.size(); ++i) {
    const WideColumn& column = stored.columns[i];
    if (!stored.is_reference[i]) {
      columns_.emplace_back(i, column.name(), column.value());
      continue;
    }
    BlobIndex blob;
    s = blob.DecodeFrom(column.value());
    if (!s.ok()) return s;
    columns_.emplace_back(i, column.name(), blob);
  }
  return s;
}

bool LazyEntity::Owns(const LazyWideColumn* column) const {
  return std::any_of(columns_.begin(), columns_.end(),
                     [column](const Column& own) { return &own == column; });
}

Status LazyEntity::Begin(const LazyColumnReadRequest& request,
                         std::vector<WantedColumn>* wanted) const {
  assert(Owns(request.column));
  if (request.result == nullptr) {
    return Status::InvalidArgument("the request has no place for a result");
  }
  request.result->Reset();
  const Column& column = columns_[request.column->index()];
  if (column.is_reference()) {
    wanted->push_back({.user_key = stored_.user_key,
                       .blob = column.blob(),
                       .offset = request.offset,
                       .length = request.length,
                       .force_verify = request.force_verify,
                       .result = request.result});
    return Status::OK();
  }
  const Slice value = *column.inline_value();
  if (request.offset > value.size()) {
    return Status::InvalidArgument("the column's value has " +
                                       std::to_string(value.size()) +
                                       " bytes, and the range begins at",
                                   std::to_string(request.offset));
  }
  const auto offset = static_cast<size_t>(request.offset);
  request.result->PinSelf(Slice(
      value.data() + offset, std::min(request.length, value.size() - offset)));
  return Status::OK();
}

// ---- The columns of one entity ----

LazyWideColumns::LazyWideColumns() = default;
LazyWideColumns::~LazyWideColumns() = default;
LazyWideColumns::LazyWideColumns(LazyWideColumns&& other) noexcept = default;
LazyWideColumns& LazyWideColumns::operator=(LazyWideColumns&& other) noexcept =
    default;
LazyWideColumns::LazyWideColumns(std::unique_ptr<LazyEntity> entity)
    : entity_(std::move(entity)) {}

size_t LazyWideColumns::size() const {
  return entity_ != nullptr ? entity_->column_count() : 0;
}

const LazyWideColumn& LazyWideColumns::operator[](size_t i) const {
  INVARIANT(i < size());
  return entity_->column(i);
}

Status LazyWideColumns::MultiResolve(size_t num_reads,
                                     LazyColumnReadRequest* reads) {
  const auto owner_of =
      [this](const LazyWideColumn* column) -> const LazyEntity* {
    const bool is_own = entity_ != nullptr && entity_->Owns(column);
    return is_own ? entity_.get() : nullptr;
  };
  return ResolveAll(owner_of, num_reads, reads);
}

Status LazyWideColumns::MultiResolve(
    std::vector<LazyColumnReadRequest>& reads) {
  return MultiResolve(reads.size(), reads.data());
}

Status LazyWideColumns::ResolveColumnRange(const LazyWideColumn& column,
                                           uint64_t offset, size_t length,
                                           PinnableSlice* result) {
  LazyColumnReadRequest request;
  request.column = &column;
  request.offset = offset;
  request.length = length;
  request.result = result;
  return MultiResolve(1, &request);
}

Status LazyWideColumns::ResolveColumn(const LazyWideColumn& column,
                                      PinnableSlice* result) {
  return ResolveColumnRange(column, 0, kLazyWholeColumn, result);
}

void LazyWideColumns::Reset() { entity_.reset(); }

// ---- The entities of several keys ----

LazyWideColumnsBatch::LazyWideColumnsBatch() = default;
LazyWideColumnsBatch::~LazyWideColumnsBatch() = default;
LazyWideColumnsBatch::LazyWideColumnsBatch(
    LazyWideColumnsBatch&& other) noexcept = default;
LazyWideColumnsBatch& LazyWideColumnsBatch::operator=(
    LazyWideColumnsBatch&& other) noexcept = default;
LazyWideColumnsBatch::LazyWideColumnsBatch(
    std::vector<LazyWideColumns> entities)
    : entities_(std::move(entities)) {}

Status LazyWideColumnsBatch::MultiResolve(size_t num_reads,
                                          LazyColumnReadRequest* reads) {
  // By the addresses of their first columns.
  std::map<const LazyWideColumn*, const LazyEntity*, std::less<>> by_first;
  for (const LazyWideColumns& one : entities_) {
    if (!one.empty()) by_first[&one[0]] = one.entity_.get();
  }
  const auto owner_of =
      [&by_first](const LazyWideColumn* column) -> const LazyEntity* {
    auto found = by_first.upper_bound(column);
    if (found == by_first.begin()) return nullptr;
    --found;
    return found->second->Owns(column) ? found->second : nullptr;
  };
  return ResolveAll(owner_of, num_reads, reads);
}

Status LazyWideColumnsBatch::MultiResolve(
    std::vector<LazyColumnReadRequest>& reads) {
  return MultiResolve(reads.size(), reads.data());
}

void LazyWideColumnsBatch::Reset() { entities_.clear(); }

}  // namespace ROCKSDB_NAMESPACE
