#include "utilities/write_batch_with_index/batch_value.h"

#include <cassert>
#include <utility>

#include "rocksdb/db.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

Status BatchValue::Set(const BatchAnswer& answer, const MergeBase& below,
                       ColumnFamilyHandle* family, const Slice& key) {
  using Base = BatchAnswer::Base;
  is_entity_ = answer.base == Base::kEntity;
  bytes_ = answer.value;
  if (answer.operands.empty()) {
    const bool is_there =
        answer.base == Base::kPlain || answer.base == Base::kEntity;
    return is_there ? Status::OK() : Status::NotFound();
  }
  if (family == nullptr) {
    return Status::InvalidArgument(
        "a merge operand in the batch: the column family must be given");
  }
  ColumnFamilyDescriptor descriptor;
  if (Status s = family->GetDescriptor(&descriptor); !s.ok()) return s;
  MergeContext context;
  context.merge_operator = descriptor.options.merge_operator.get();
  MergeBase base = below;
  if (answer.base != Base::kUnknown) base = MergeBase::None();
  if (answer.base == Base::kPlain) base = MergeBase::Plain(answer.value);
  if (answer.base == Base::kEntity) base = MergeBase::Entity(answer.value);
  MergeResult result;
  Status s = FullMerge(context, key, base, answer.operands, &result);
  if (!s.ok()) return s;
  is_entity_ = result.type == kTypeWideColumnEntity;
  merged_ = std::move(result.value);
  bytes_ = merged_;
  return s;
}

void BatchValue::Own() {
  if (bytes_.data() == merged_.data()) return;
  merged_.assign(bytes_.data(), bytes_.size());
  bytes_ = merged_;
}

Status BatchValue::PlainValue(Slice* value) const {
  assert(value != nullptr);
  if (is_entity_) return DefaultColumnOf(bytes_, value);
  *value = bytes_;
  return Status::OK();
}

Status BatchValue::CopyTo(PinnableSlice* value) const {
  Slice plain;
  Status s = PlainValue(&plain);
  if (s.ok()) value->PinSelf(plain);
  return s;
}

Status BatchValue::CopyTo(PinnableWideColumns* columns) const {
  if (is_entity_) return columns->SetWideColumnValue(bytes_);
  columns->SetPlainValue(bytes_);
  return Status::OK();
}

Status MakeMergeBase(const WideColumns& columns, std::string* stored,
                     MergeBase* base) {
  assert(stored != nullptr && base != nullptr);
  if (columns.size() == 1 && columns.front().name() == kDefaultWideColumnName) {
    *base = MergeBase::Plain(columns.front().value());
    return Status::OK();
  }
  stored->clear();
  Status s = EncodeWideColumns(columns, stored);
  if (s.ok()) *base = MergeBase::Entity(*stored);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
