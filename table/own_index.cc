#include "table/own_index.h"

#include <vector>

#include "rocksdb/scan_options.h"
#include "util/key/scan_plan.h"

namespace ROCKSDB_NAMESPACE {

Status OwnIndexCursor::Open() {
  assert(parts_.own_index != nullptr && iterator_ == nullptr);
  const OwnIndex& index = *parts_.own_index;
  const UserDefinedIndexFactory* wanted = read_.table_index_factory;
  if (wanted != nullptr && index.name != wanted->Name()) {
    return Status::InvalidArgument(
        "Bad index name: " + std::string(wanted->Name()) +
        ". Only supported UDI is " + index.name);
  }
  iterator_ = index.reader->NewIterator(read_);
  return iterator_ != nullptr
             ? Status::OK()
             : Status::Corruption(index.name, "made no iterator");
}

Status OwnIndexCursor::Take(Status status, const IterateResult& result) {
  is_valid_ =
      status.ok() && result.bound_check_result == IterBoundCheck::kInbound;
  if (!is_valid_) return status;
  const UserDefinedIndexBuilder::BlockHandle handle = iterator_->value();
  handle_ = {handle.offset, handle.size};
  key_.assign(result.key.data(), result.key.size());
  // Whatever it says, nothing is read beyond the file.
  if (Status s = CheckHandle(parts_.file, handle_); !s.ok()) {
    is_valid_ = false;
    return s;
  }
  return status;
}

Status OwnIndexCursor::Seek(const Slice& target) {
  IterateResult result;
  const UserDefinedIndexIterator::SeekContext context{ExtractTrailer(target)};
  Status s =
      iterator_->SeekAndGetResult(ExtractUserKey(target), &result, context);
  return Take(std::move(s), result);
}

Status OwnIndexCursor::SeekToFirst() {
  IterateResult result;
  Status s = iterator_->SeekToFirstAndGetResult(&result);
  return Take(std::move(s), result);
}

Status OwnIndexCursor::SeekToLast() {
  IterateResult result;
  Status s = iterator_->SeekToLastAndGetResult(&result);
  return Take(std::move(s), result);
}

Status OwnIndexCursor::Next() {
  assert(Valid());
  IterateResult result;
  Status s = iterator_->NextAndGetResult(&result);
  return Take(std::move(s), result);
}

Status OwnIndexCursor::Prev() {
  assert(Valid());
  IterateResult result;
  Status s = iterator_->PrevAndGetResult(&result);
  return Take(std::move(s), result);
}

IndexCursor::Range OwnIndexCursor::DataRange(const Slice*, const Slice*) const {
  const uint64_t data = parts_.properties->data_size;
  return {0, data != 0 ? data : parts_.file.size};
}

IndexCursor* OwnIndexCursor::ForScan(const ScanPart& part) {
  std::vector<ScanOptions> ranges;
  for (size_t i = part.begin; part.plan != nullptr && i < part.end; ++i) {
    const ScanPlan::Range& range = part.plan->ranges[i];
    ranges.emplace_back(range.start, range.limit);
  }
  iterator_->Prepare(ranges.data(), ranges.size());
  is_valid_ = false;
  built_in_.emplace(parts_, read_);
  if (built_in_->Open().ok()) return &*built_in_;
  built_in_.reset();
  return nullptr;
}

}  // namespace ROCKSDB_NAMESPACE
